"""Numbers, grades, fractions and ids as a person reads them in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.show.table import PLACES, Table, shortened

MORE = 2
"""Decimals that a sum and its result have beyond others: enough to check it by hand."""

NARROWEST = 12
"""Characters that an id keeps on the narrowest terminal."""

_IDS = ("document", "chunk", "ideal")
_LEFT = (*_IDS, "relevant", "")
"""Columns of words; all others hold numbers and stand at the right."""
_BETWEEN = 3
"""Blanks between two columns."""


def table(columns: Mapping[str, Sequence[str]], width: int) -> Table:
    """Columns of text that fit a width: numbers under each other's last digit, ids as long as there is room.

    >>> table({"rank": ["9", "10"]}, 80).columns
    {'rank': ['   9', '  10']}
    """
    widths = {name: max(map(len, [name, *cells])) for name, cells in columns.items()}
    others = sum(widths[name] for name in columns if name not in _IDS) + _BETWEEN * (len(columns) - 1)
    room = max((width - others) // max(sum(name in _IDS for name in columns), 1), NARROWEST)
    shown = {}
    for name, cells in columns.items():
        if name in _IDS:
            shown[name] = [shortened(cell, room) for cell in cells]
        elif name in _LEFT:
            shown[name] = list(cells)
        else:
            shown[name.rjust(widths[name])] = [cell.rjust(widths[name]) for cell in cells]
    return Table(shown)


def number(value: float, places: int = PLACES) -> str:
    """Whole numbers without decimals, others with a fixed number of them.

    >>> number(3.0), number(0.5)
    ('3', '0.5000')
    """
    return str(int(value)) if value == int(value) else f"{value:z.{places}f}"


def exact(value: float, places: int = PLACES) -> str:
    """A number with the decimals of a result."""
    return number(value, places + MORE)


def fraction(part: int, whole: int, places: int = PLACES) -> str:
    """A share of two counts, and what it is.

    >>> fraction(4, 7)
    '4/7 = 0.5714'
    """
    return f"{part}/{whole} = {part / whole:z.{places}f}"


def grade(value: float | None) -> str:
    """A grade; `-` where nobody judged, `pooled` where the document was put up for judging only."""
    if value is None:
        return "-"
    return "pooled" if value < 0 else f"{value:g}"
