"""What every result can do: show itself to a person, to a program and in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import is_dataclass, replace
from typing import Any, Self, get_args

from cranfield.choices import OutputFormat
from cranfield.errors import Finding
from cranfield.show.table import PLACES, Table, literal, printable, shortened, wrapped

FORMS: tuple[OutputFormat, ...] = get_args(OutputFormat)
ROW_FORMS: tuple[OutputFormat, ...] = ("tsv", "csv", "jsonl")
"""What other programs read: rows alone, without sentences."""


REPR = 100
"""Characters of the verdict that a REPL shows."""


class WarningLine(str):
    """A warning: several stand one below the other."""


class Verbatim(str):
    """Lines of an answer that are shown as they are, such as a sketch or a line of a file."""

    __slots__ = ()


class Forms(ABC):
    """What every result has, an answer or scores: itself as text in each form in which commands print it."""

    @abstractmethod
    def form(self, form: OutputFormat, places: int = PLACES) -> str:
        """The whole result as the text of a file in this form, its last line ended."""

    def markdown(self, places: int = PLACES) -> str:
        """For a README or a pull request."""
        return self.form("markdown", places)

    def latex(self, places: int = PLACES) -> str:
        """The tables, for a paper; needs the package booktabs."""
        return self.form("latex", places)

    def tsv(self, places: int = PLACES) -> str:
        """The rows, tab-separated, with a header line."""
        return self.form("tsv", places)

    def csv(self, places: int = PLACES) -> str:
        """The rows, comma-separated, with a header line, for a spreadsheet."""
        return self.form("csv", places)

    def jsonl(self) -> str:
        """The rows, one JSON object each, in full precision."""
        return self.form("jsonl")

    def json(self) -> str:
        """Everything as one JSON object, in full precision."""
        return self.form("json")


class Answer(Forms):
    """An answer to a question: a verdict, tables, rows for programs, a dictionary.

    A subclass is a frozen dataclass, and has `table` or `tables`. What to show beyond the usual, such as every query,
    is one of its fields, so that it appears in every form: `replace(answer, with_queries=True)`.
    """

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What is surprising about the data: shown below the tables; with rows, on standard error.

        As a field of a subclass it needs a default, since a dataclass would take this property for one.
        """
        return ()

    def verdict(self) -> str:
        """The answer in a sentence or two; empty where the table says it all."""
        return ""

    def tables(self) -> Sequence[Table]:
        """What a person reads below the verdict: one table, or several."""
        return [self.table()]

    def table(self) -> Table:
        """The one table, or the first of several."""
        return self.tables()[0]

    @abstractmethod
    def rows(self) -> Table:
        """One value a row, for programs and spreadsheets."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `--format json` prints."""

    def sections(self) -> list[str | Table]:
        """Sentences and tables in the order they are read: verdict, tables, warnings."""
        return [*self.sentences(), *self.tables(), *self.warning_lines()]

    def sentences(self) -> list[str]:
        """What the answer says in words, the verdict first; with rows or LaTeX, it goes to standard error."""
        verdict = self.verdict()
        return [verdict] if verdict else []

    def warning_lines(self) -> list[str]:
        """The warnings as a person reads them."""
        return [WarningLine(f"warning: {warning}") for warning in self.warnings]

    def quiet(self) -> Self:
        """The same without warnings."""
        fields: dict[str, Any] = {"warnings": ()}
        return replace(self, **fields) if is_dataclass(self) and self.warnings else self

    def text(self, places: int = PLACES, *, color: bool = False, width: int | None = None) -> str:
        """For a terminal; in a given width, without the columns it can do without."""
        shown: list[str] = []
        before: str | Table = ""
        for part in self.sections():
            if shown:
                shown.append("\n" if isinstance(part, WarningLine) and isinstance(before, WarningLine) else "\n\n")
            shown.append(_text(part, width) if isinstance(part, str) else part.text(places, color=color, width=width))
            before = part
        return "".join(shown)

    def markdown(self, places: int = PLACES) -> str:
        """For a README or a pull request."""
        return "\n".join(in_markdown(part, places) for part in self.sections())

    def latex(self, places: int = PLACES) -> str:
        """The tables, for a paper; needs the package booktabs."""
        return "\n".join(table.latex(places) for table in self.tables())

    def form(self, form: OutputFormat, places: int = PLACES) -> str:
        """The whole answer as the text of a file in this form, its last line ended."""
        match form:
            case "table":
                return self.text(places) + "\n"
            case "markdown":
                return self.markdown(places)
            case "latex":
                return self.latex(places)
            case "tsv":
                return self.rows().tsv(places)
            case "csv":
                return self.rows().csv(places)
            case "jsonl":
                return self.rows().jsonl()
            case "json":
                return json_text(self.to_dict())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        """What a REPL shows: the verdict in one line; printing shows everything."""
        return f"{type(self).__name__}({shortened(self.verdict(), REPR)!r})"

    def _repr_html_(self) -> str:
        return "".join(_html(part) if isinstance(part, str) else part.html() for part in self.sections())


def _text(part: str, width: int | None) -> str:
    return _printable_lines(part) if isinstance(part, Verbatim) else wrapped(part, width=width)


def in_markdown(part: str | Table, places: int) -> str:
    """A sentence or a table in Markdown."""
    if isinstance(part, Table):
        return part.markdown(places)
    if not isinstance(part, Verbatim):
        return literal(part) + "\n"
    return "".join(f"    {line}\n" for line in _printable_lines(part).split("\n"))


def _html(part: str) -> str:
    from html import escape

    tag = "pre" if isinstance(part, Verbatim) else "p"
    return f"<{tag}>{escape(part)}</{tag}>"


def _printable_lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """JSON that every parser reads: undefined numbers must have become null before."""
    import json

    return json.dumps(value, indent=2, ensure_ascii=ascii_only, allow_nan=False) + "\n"
