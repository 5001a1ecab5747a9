"""Numbers as the page writes them; digits are dropped as `table.py` drops them."""

from __future__ import annotations

import math

from cranfield.show.table import PLACES, number


def shown(value: float) -> str:
    """A score or a mean."""
    return number(value, PLACES).replace("-", "−") or "–"


def signed(value: float, places: int = PLACES) -> str:
    """A difference, with its sign.

    >>> signed(0.07335), signed(-0.5), signed(-0.00001), signed(math.nan)
    ('+0.0733', '−0.5000', '0.0000', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{value:+z.{places}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def interval(low: float, high: float) -> str:
    """An interval around a mean or a difference, with a decimal less, as in a table.

    >>> interval(0.5722, 0.6865), interval(-0.0731, 0.1204), interval(math.nan, math.nan)
    ('0.572–0.686', '−0.073 to 0.120', '')
    """
    if math.isnan(low):
        return ""
    to = "–" if low >= 0 else " to "
    return f"{low:z.{PLACES - 1}f}{to}{high:z.{PLACES - 1}f}".replace("-", "−")
