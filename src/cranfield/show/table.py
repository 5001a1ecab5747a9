"""A table of results: named columns, shown in every form people ask for.

Values keep full precision; digits are dropped only here, when a person reads them.
"""

from __future__ import annotations

import io
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from cranfield import errors

PLACES = 4
NOTE_WIDTH = 100
SHORTEST = 16
"""No text is cut shorter than this."""
_BETWEEN = "   "
"""What stands between columns."""
HTML_ROWS = 100
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Stands between words that are to stay on one line."""


class Estimate(NamedTuple):
    """A value and the interval around it; NaN where there is none."""

    value: float
    low: float
    high: float


class PValue(float):
    """A p-value: shown with significant digits, whatever decimals other numbers have."""


class Rounded(float):
    """A number with decimals of its own, whatever other numbers have."""

    places: int

    def __new__(cls, value: float, places: int) -> Rounded:
        """The number and its decimals."""
        rounded = super().__new__(cls, value)
        rounded.places = places
        return rounded


Cell = str | int | float | PValue | Estimate | None
Value = TypeVar("Value")


@dataclass(frozen=True)
class Table:
    """Columns of equal length, by name.

    >>> print(Table({"run": ["bm25"], "AP": [0.25]}).tsv(), end="")
    run	AP
    bm25	0.2500
    """

    columns: Mapping[str, Sequence[Cell]]
    notes: tuple[str, ...] = ()
    """What the reader should know besides the numbers."""
    optional: tuple[str, ...] = ()
    """Columns that a narrow terminal leaves out, in this order, until the rest fits."""
    elastic: str = ""
    """A column of text that is cut before any is left out."""
    narrow: Table | None = None
    """The same in another shape, for a terminal in which this one does not fit."""
    exact: tuple[str, ...] = ()
    """Columns that others compute with: tab- and comma-separated, their numbers have every digit."""
    below: tuple[str, ...] = ()
    """Of each row, a sentence that stands below it; where cells have no room for that, in a last column."""
    right: tuple[str, ...] = ()
    """Columns of text that stand at the right, as numbers do."""
    styles: Mapping[str, str] = field(default_factory=dict)
    """Of words that stand alone in a cell, or end it, the colour in which a terminal shows them."""
    tints: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of some columns, the colour of each cell; empty where it has none."""

    @property
    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """The rows, top to bottom."""
        return zip(*self.columns.values(), strict=True)

    def to_dict(self) -> dict[str, list[str | int | float | None]]:
        """Plain columns; an estimate becomes three, its value, `low` and `high`."""
        return {
            name: [float(cell) if isinstance(cell, PValue | Rounded) else cell for cell in cells]
            for name, cells in self._plain().items()
        }

    def _plain(self) -> dict[str, list[str | int | float | None]]:
        plain: dict[str, list[str | int | float | None]] = {}
        for name, cells in self.columns.items():
            if any(isinstance(cell, Estimate) for cell in cells):
                for part, suffix in enumerate(("", " low", " high")):
                    plain[name + suffix] = [cell[part] if isinstance(cell, Estimate) else None for cell in cells]
            else:
                plain[name] = list(cells)  # type: ignore[arg-type]  # no Estimate among them
        return plain

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame."""
        pandas = _package("pandas")
        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """The table as a polars DataFrame."""
        polars = _package("polars")
        return polars.DataFrame(self.to_dict())

    def to_arrow(self) -> Any:
        """The table as a pyarrow Table."""
        pyarrow = _package("pyarrow")
        return pyarrow.table(self.to_dict())

    def text(self, places: int = PLACES, *, color: bool = False, width: int | None = None) -> str:
        """The table for a terminal or a page of text; in a given width, without what it can do without."""
        if width is None or self.width(places) <= width:
            return self._text(places, color=color, width=width)
        return self.fitted(width, places)._text(places, color=color, width=width)

    def _text(self, places: int, *, color: bool, width: int | None) -> str:
        from rich import box
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table as RichTable

        shown = RichTable(box=box.SIMPLE, header_style="bold", show_edge=False, pad_edge=False)
        for name in self.columns:
            shown.add_column(escape(name), justify="left" if self.is_left(name) else "right", no_wrap=True)
        for at, row in enumerate(self.rows):
            cells = dict(
                zip(self.columns, (_styled(_two_lines(cell, places), self.styles) for cell in row), strict=True)
            )
            shown.add_row(*(self._tinted(name, at, cell) for name, cell in cells.items()))
        stream = io.StringIO()
        console = Console(
            file=stream,
            width=10_000,
            force_terminal=color,
            no_color=not color,
            emoji=False,  # names are shown as they are
            highlight=False,
        )
        console.print(shown)
        lines = [line.rstrip() for line in stream.getvalue().split("\n")]  # padded to the table's width
        notes = [wrapped(note, width=width) for note in self.notes]
        return "\n".join([*self._with_below([line for line in lines if line], places, width), *notes])

    def _with_below(self, lines: list[str], places: int, width: int | None) -> Iterator[str]:
        """The lines of a text, under each row its sentence, which begins where the second column does."""
        if not any(self.below):
            yield from lines
            return
        indent = " " * (next(iter(_widths(self.columns, places).values())) + len(_BETWEEN))
        yield from lines[:2]  # names, and the rule below them
        rest = iter(lines[2:])
        for row, sentence in zip(self.rows, self.below, strict=True):
            yield from islice(rest, 2 if any(isinstance(cell, Estimate) for cell in row) else 1)
            yield from (indent + line for line in wrapped(sentence, len(indent), width).split("\n") if line)

    def _tinted(self, name: str, at: int, cell: str) -> str:
        tint = self.tints[name][at] if name in self.tints else ""
        return f"[{tint}]{cell}[/]" if tint else cell

    def is_left(self, name: str) -> bool:
        """Whether a column stands at the left, as text does."""
        return name not in self.right and _is_text(self.columns[name])

    def _flat(self) -> Table:
        """The same with the sentences below rows in a column of their own."""
        if not any(self.below):
            return self
        notes = [sentence.replace(NO_BREAK, " ") for sentence in self.below]
        return replace(self, columns={**self.columns, "note": notes}, below=())

    def width(self, places: int = PLACES) -> int:
        """Characters of the longest line of the text, but for the notes."""
        return sum(_widths(self.columns, places).values()) + len(_BETWEEN) * (len(self.columns) - 1)

    def fitted(self, width: int, places: int = PLACES) -> Table:
        """The same in so many characters, as far as columns may be cut or left out; a note says which are."""
        if self.narrow is not None and self.narrow.width(places) < self.width(places):
            return replace(self.narrow, notes=self.notes).fitted(width, places)
        table, left_out = self._cut(width, places), []
        for name in (name for name in self.optional if name in self.columns):
            if table.width(places) <= width:
                break
            left_out.append(name)
            columns = {known: cells for known, cells in self.columns.items() if known not in left_out}
            table = replace(self, columns=columns)._cut(width, places)
        if not left_out:
            return table
        names = ", ".join(name + self._always(name) for name in left_out)
        note = f"Columns hidden to fit the terminal: {names}. Widen it or use --format tsv."
        about_others = (text for text in table.notes if text.partition(":")[0] not in left_out)
        return replace(table, notes=(*about_others, note))

    def _always(self, name: str) -> str:
        """What a column of text says in every row, if it is always the same."""
        cells = set(self.columns[name])
        return f" ({cells.pop()})" if len(cells) == 1 and _is_text(self.columns[name]) else ""

    def _cut(self, width: int, places: int) -> Table:
        """With the elastic column no wider than there is room for, if that is enough for anything."""
        widths = _widths(self.columns, places)
        over = self.width(places) - width
        if self.elastic not in widths or over <= 0:
            return self
        room = max(widths[self.elastic] - over, SHORTEST, len(self.elastic))
        cells = [
            cell[: room - 1] + "…" if isinstance(cell, str) and len(cell) > room else cell
            for cell in self.columns[self.elastic]
        ]
        return replace(self, columns={**self.columns, self.elastic: cells})

    def tsv(self, places: int = PLACES) -> str:
        """Tab-separated, with a header line."""
        return self._separated("\t", places)

    def csv(self, places: int = PLACES) -> str:
        """Comma-separated, with a header line, for a spreadsheet: no text in it can become a formula."""
        return self._separated(",", places, guarded)

    def jsonl(self) -> str:
        """One JSON object per row, in full precision."""
        import json

        plain = self.to_dict()
        rows = zip(*plain.values(), strict=True)
        return "".join(json.dumps(dict(zip(plain, map(finite, row), strict=True))) + "\n" for row in rows)

    def markdown(self, places: int = PLACES) -> str:
        """A table for a README or a pull request."""
        if any(self.below):
            return self._flat().markdown(places)
        rules = ("---" if self.is_left(name) else "---:" for name in self.columns)
        lines = [[literal(name) for name in self.columns], list(rules)]
        lines += [[literal(one_line(cell, places)) for cell in row] for row in self.rows]
        notes = "".join(f"\n{_without_markup(printable(note))}\n" for note in self.notes)
        return "".join(f"| {' | '.join(line)} |\n" for line in lines) + notes

    def latex(self, places: int = PLACES) -> str:
        """A table for a paper; needs the package booktabs."""
        if any(self.below):
            return self._flat().latex(places)
        alignment = "".join("l" if self.is_left(name) else "r" for name in self.columns)
        lines = [" & ".join(tex(name) for name in self.columns) + r" \\", r"\midrule"]
        lines += [" & ".join(tex(one_line(cell, places)) for cell in row) + r" \\" for row in self.rows]
        body = "\n".join([rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", *lines, r"\bottomrule", r"\end{tabular}"])
        return body + "".join(f"\n% {printable(note)}" for note in self.notes) + "\n"

    def html(self, places: int = PLACES) -> str:
        """A table that a notebook shows, in its own colours; of a very long one the first rows."""
        from html import escape as escape_html

        if any(self.below):
            return self._flat().html(places)
        sides = ["left" if self.is_left(name) else "right" for name in self.columns]
        head = "".join(
            f'<th style="text-align:{side};padding:.3em .8em;border-bottom:1px solid">{escape_html(name)}</th>'
            for name, side in zip(self.columns, sides, strict=True)
        )
        body = "".join(
            f"<tr>{''.join(_html(cell, side, places) for cell, side in zip(row, sides, strict=True))}</tr>"
            for row in islice(self.rows, HTML_ROWS)
        )
        left_out = max((len(cells) for cells in self.columns.values()), default=0) - HTML_ROWS
        more = [f"… and {left_out:,} more rows"] if left_out > 0 else []
        notes = "".join(f'<div style="opacity:.75">{escape_html(note)}</div>' for note in [*more, *self.notes])
        style = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5em 0"
        return f'<table style="{style}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}'

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()

    def _separated(self, separator: str, places: int, text: Callable[[str], str] = str) -> str:
        import csv

        plain = self._plain()
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
        writer.writerow(map(text, plain))
        fields = [
            ["" if cell is None else self._field(name, cell, places, text) for cell in cells]
            for name, cells in plain.items()
        ]
        writer.writerows(zip(*fields, strict=True))
        return stream.getvalue()

    def _field(self, name: str, cell: str | float, places: int, text: Callable[[str], str]) -> str:
        if isinstance(cell, str):
            return text(cell)
        if isinstance(cell, float) and name in self.exact:
            return repr(cell)
        if isinstance(cell, PValue):
            return "" if math.isnan(cell) else _exact_p(cell)
        return one_line(cell, places)


def stacked(kinds: Mapping[str, Table]) -> Table:
    """Rows of several kinds in one table: the column `kind` names each, and a value that a row has not is empty.

    >>> print(stacked({"run": Table({"run": ["bm25"]}), "query": Table({"query": ["q1"]})}).csv(), end="")
    kind,run,query
    run,bm25,
    query,,q1
    """
    lengths = {kind: max(map(len, table.columns.values()), default=0) for kind, table in kinds.items()}
    names = dict.fromkeys(name for table in kinds.values() for name in table.columns)
    return Table(
        {
            "kind": [kind for kind, length in lengths.items() for _ in range(length)],
            **{
                name: [
                    cell for kind, table in kinds.items() for cell in table.columns.get(name, [None] * lengths[kind])
                ]
                for name in names
            },
        },
        exact=tuple(dict.fromkeys(name for table in kinds.values() for name in table.exact)),
    )


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise errors.packages.missing("This", name) from None


def wrapped(text: str, indent: int = 0, width: int | None = None) -> str:
    """Text in lines that are no longer than a terminal is wide, less an indent, and no longer than read well."""
    import shutil
    import textwrap

    room = min(NOTE_WIDTH, shutil.get_terminal_size((NOTE_WIDTH, 24)).columns, width or NOTE_WIDTH) - indent
    shown = NO_BREAK.join(map(printable, text.split(NO_BREAK)))
    return textwrap.fill(shown, max(room, SHORTEST), break_on_hyphens=False).replace(NO_BREAK, " ")


def finite(value: Value) -> Value | float | None:
    """A value as JSON can hold it: nothing in place of a number that is undefined or infinite."""
    if not isinstance(value, float):
        return value
    # Adding 0 takes the sign off a zero, which says nothing to anybody.
    return value + 0.0 if math.isfinite(value) else None


def number(value: float, places: int = PLACES) -> str:
    """A number as a person reads it: nothing where it is undefined, whole counts without decimals."""
    if isinstance(value, int):
        return str(value)
    return "" if math.isnan(value) else f"{value:z.{_own_places(value, places)}f}"


def _own_places(value: float, places: int) -> int:
    return value.places if isinstance(value, Rounded) else places


def shown_p(p: float) -> str:
    """A p-value with as many digits as mean something; never 0, which no p-value is.

    >>> shown_p(0.0421), shown_p(0.00999), shown_p(0.00001), shown_p(1.0), shown_p(0.0)
    ('0.042', '0.010', '1e-05', '1.000', '<1e-300')
    """
    if p == 0:
        return "<1e-300"
    return f"{p:z.3f}" if p >= 0.001 or math.isnan(p) else f"{p:.0e}"


def _exact_p(p: float) -> str:
    """A p-value for programs: four significant digits, and a number above 0 even where it is too small for one.

    >>> _exact_p(0.012345678), _exact_p(1.23456e-8), _exact_p(1.0), _exact_p(0.0)
    ('0.01235', '1.235e-08', '1', '2.225e-308')
    """
    return f"{max(p, sys.float_info.min):.4g}"


def in_words(value: float, places: int = PLACES) -> str:
    """A number inside a sentence, where nothing would be a riddle.

    >>> in_words(0.25, 2), in_words(-0.001, 2), in_words(math.nan)
    ('0.25', '0.00', 'undefined')
    """
    return number(value, places) or "undefined"


def printable(text: str) -> str:
    """Text that stays on its line and cannot command a terminal."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else "�" for sign in text)


def shortened(text: str, width: int) -> str:
    """A name that is too long loses its middle: both ends tell it apart from its neighbours.

    >>> shortened("https://example.org/page-17", 12)
    'https…age-17'
    """
    if len(text) <= width:
        return text
    end = width // 2
    return f"{text[: width - end - 1]}…{text[len(text) - end :]}"


_FORMULA = re.compile(r"'*[=+\-@\t\r](?!\d+(?:\.\d+)?$)")
_MARKDOWN = re.compile(r"[\\`*\[\]|]|(?<![^\W_])_|_(?![^\W_])")


def guarded(text: str) -> str:
    """Text that a spreadsheet takes for text; what it would read as a formula begins with a quote.

    >>> [guarded(text) for text in ("=1+2", "@home", "-5", "bm25", "-x")]
    ["'=1+2", "'@home", '-5', 'bm25', "'-x"]
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Text as it was before a quote kept a spreadsheet from reading it as a formula.

    >>> [unguarded(text) for text in ("'=1+2", "'-x", "'tis", "-5", "''=x")]
    ['=1+2', '-x', "'tis", '-5', "'=x"]
    """
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text


def literal(text: str) -> str:
    """Text as Markdown shows it, sign for sign.

    >>> print(literal("a|b *c* <b> my_run"))
    a\\|b \\*c\\* &lt;b> my_run
    """
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", _without_markup(printable(text)))


def _without_markup(text: str) -> str:
    return re.sub(r"&(?=#?\w+;)", "&amp;", text).replace("<", "&lt;")


def _interval(cell: Estimate, places: int) -> str:
    if math.isnan(cell.low):
        return ""
    places = _own_places(cell.value, places)
    digits = places - 1 if places > 2 else places
    to = "–" if cell.low >= 0 else " to "  # next to a minus a dash would be read as another
    return f"{cell.low:z.{digits}f}{to}{cell.high:z.{digits}f}"


def one_line(cell: Cell, places: int = PLACES) -> str:
    """A cell as a person reads it: an estimate with its interval."""
    match cell:
        case None:
            return ""
        case Estimate():
            interval = _interval(cell, places)
            return number(cell.value, places) + (f" ({interval})" if interval else "")
        case PValue():
            return "" if math.isnan(cell) else shown_p(cell)
        case str():
            return cell
        case _:
            return number(cell, places)


def _widths(columns: Mapping[str, Sequence[Cell]], places: int) -> dict[str, int]:
    """How wide each column is in text."""
    from rich.cells import cell_len

    def needed(cell: Cell) -> int:
        if isinstance(cell, Estimate):
            return max(len(number(cell.value, places)), len(_interval(cell, places)))
        return cell_len(printable(one_line(cell, places)))

    return {name: max([cell_len(name), *map(needed, cells)]) for name, cells in columns.items()}


def _styled(text: str, styles: Mapping[str, str]) -> str:
    before, blank, last = text.rpartition(" ")
    return f"{before}{blank}[{styles[last]}]{last}[/]" if last in styles else text


def _two_lines(cell: Cell, places: int) -> str:
    from rich.markup import escape

    if isinstance(cell, Estimate):
        return f"{number(cell.value, places)}\n[dim]{escape(_interval(cell, places))}[/dim]"
    return escape(printable(one_line(cell, places)))


def _html(cell: Cell, side: str, places: int) -> str:
    from html import escape as escape_html

    shown = escape_html(one_line(cell, places))
    if isinstance(cell, Estimate):
        interval = f'<br><small style="opacity:.65;white-space:nowrap">{_interval(cell, places)}</small>'
        shown = number(cell.value, places) + interval
    return f'<td style="text-align:{side};padding:.2em .8em">{shown}</td>'


def _is_text(cells: Sequence[Cell]) -> bool:
    return all(isinstance(cell, str) for cell in cells)


def tex(text: str) -> str:
    """Text as LaTeX prints it."""
    return printable(text).translate(_TEX).replace("--", "-{}-")


_TEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{
            sign: rf"\text{name}{{}}"
            for sign, name in {
                "\\": "backslash",
                "~": "asciitilde",
                "^": "asciicircum",
                "<": "less",
                ">": "greater",
            }.items()
        },
        # Signs of ours that LaTeX stops at; letters and dashes it knows.
        **{
            sign: f"${name}$"
            for sign, name in {
                "−": "-",
                "±": r"\pm",
                "≤": r"\leq",
                "≥": r"\geq",
                "≈": r"\approx",
                "∞": r"\infty",
                "√": r"\surd",
                "α": r"\alpha",
                "β": r"\beta",
                "γ": r"\gamma",
                "Σ": r"\Sigma",
                "₂": "_2",
            }.items()
        },
        "█": r"\rule{.6em}{1.4ex}",
    }
)
