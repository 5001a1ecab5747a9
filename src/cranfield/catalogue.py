"""The catalogue of measures, read from their definitions: for the terminal, for JSON, and for the docs."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from cranfield.measures import Definition, Measure, catalogue, parse
from cranfield.measures.definition import shown
from cranfield.measures.names import find
from cranfield.show.answer import Answer, Verbatim
from cranfield.show.table import PLACES, Cell, Table
from cranfield.version import VERSION

FAMILIES = {
    "precision": "Precision and recall at a cutoff",
    "sets": "The retrieved set",
    "average": "Average and interpolated precision",
    "first": "The first relevant document",
    "gain": "Cumulated gain",
    "shortfall": "Gain against shortfall",
    "user": "User models",
    "cwl": "User models of the C/W/L family",
    "ntcir": "Graded relevance at NTCIR",
    "compatibility": "Likeness to an ideal ranking",
    "incomplete": "Incomplete judgments",
    "pairs": "Pairs of a relevant and an irrelevant document",
    "sampled": "Judgments of a sample",
    "diversity": "Diversity: several subtopics of a query",
    "judges": "Several judges",
    "preferences": "Preferences between documents",
    "counts": "Counts",
}
"""Families in the order of the catalogue: the module each lives in, and what it holds."""

_READS = {
    "subtopic": "a grade for each subtopic: second column of a TREC file, or a column `subtopic`",
    "judge": "a grade by each judge: second column of a TREC file, or a column `judge`",
    "stratum": "the stratum of the pool from which each document was drawn: TREC judgments, five columns (query "
    "iteration document stratum grade), or a column `stratum`; a negative grade is a document that was not drawn",
    "preference": "grades by each judge, who may have compared documents in several subgroups: TREC judgments, five "
    "columns (query judge subgroup document grade), or columns of these names",
}
_PLAIN = {
    r"\le": "≤",
    r"\ge": "≥",
    r"\sum": "Σ",
    r"\prod": "Π",
    r"\lfloor": "⌊",
    r"\rfloor": "⌋",
    r"\max": "max",
    r"\min": "min",
    r"\log_2": "log₂",
    r"\ln": "ln",
    r"\exp": "exp",
    r"\beta^2": "β²",
    r"\beta": "β",
    r"\epsilon": "ε",
    r"\alpha": "α",
    r"\bigcup": "⋃",
    r"\cdot": "·",
    r"\dots": "…",
    r"\in": "∈",
    r"\cap": "∩",
    r"\gamma": "γ",
    r"\mu": "μ",
    r"\sigma": "σ",
    r"\phi": "φ",
    r"\pi": "π",
    r"\sqrt": "√",
    r"\hat R": "R̂",
    r"\hat P": "P̂",
    r"\hat g": "ĝ",
    r"\Big/": "/",
    r"\left": "",
    r"\right": "",
    r"\quad": "   ",
    r"\,": " ",
    r"\{": "{",
    r"\}": "}",
    "10^{-5}": "0.00001",
}


@dataclass(frozen=True)
class CatalogueEntry:
    """One measure as the catalogue tells it."""

    definition: Definition

    @property
    def family(self) -> str:
        """The heading it stands under."""
        return FAMILIES.get(self.definition.family, "Added by plugins")

    @property
    def formula(self) -> str:
        """The formula in LaTeX."""
        return formula_in(self._doc)

    @property
    def prose(self) -> str:
        """What the docstring says besides summary, formula and example."""
        return prose_in(self._doc)

    @property
    def example(self) -> str:
        """The worked example, as one would type it."""
        imported = rf"\1from cranfield import \2\n\1from cranfield.measures import {self.definition.name}"
        return re.sub(
            r"^(.*)from cranfield\.notation import (.*)$", imported, example_in(self._doc), flags=re.MULTILINE
        )

    @property
    def parameters(self) -> dict[str, str]:
        """Each parameter with its default."""
        defaults = {name: value for name, value in self.definition.defaults.items() if name != self.definition.at}
        return {name: "none" if value is None else shown(value) for name, value in defaults.items()}

    @property
    def written(self) -> str:
        """How it is asked for."""
        name, at = self.definition.name, self.definition.at
        if at is None:
            return name
        level = {"recall": "r", "multiple": "x"}.get(at, "k")
        return f"{name}@{level}" if self.definition.needs_at else f"{name}[@{level}]"

    @property
    def bounds(self) -> str:
        """Its range."""
        low, high = Measure(self.definition).bounds
        direction = ", lower is better" if self.definition.lower_is_better else ""
        return f"{_bound(low)} to {_bound(high)}{direction}"

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "name": self.definition.name,
            "family": self.family,
            "written": self.written,
            "summary": self.definition.summary,
            "formula": self.formula,
            "definition": self.prose,
            "parameters": self.parameters,
            "groups": self.definition.groups,
            "range": self.bounds,
            "mean": self.definition.mean,
            "undefined": self.definition.undefined,
            "cite": self.definition.cite,
            "caution": self.definition.caution,
            "aliases": list(self.definition.aliases),
            "tools": dict(self.definition.tools),
            "example": self.example,
        }

    def text(self) -> str:
        """The definition in full, for a terminal."""
        parts = [
            f"{self.written}\n{filled(self.definition.summary)}",
            f"    {plain(self.formula)}" if self.formula else "",
            self.prose,
            self.example,
            filled(f"Caution: {self.definition.caution}") if self.definition.caution else "",
            "\n".join(f"{name:12}{value}" for name, value in self._facts().items() if value),
            tools_listed("Other tools", self.definition.tools),
        ]
        return "\n\n".join(part for part in parts if part)

    def markdown(self) -> str:
        """The definition in full, for the docs."""
        parts = [
            f"### {self.definition.name}\n\n{self.definition.summary}",
            f"```text\n{plain(self.formula)}\n```" if self.formula else "",
            self.prose,
            f"```pycon\n{self.example}\n\n```" if self.example else "",
            f"**Caution.** {self.definition.caution}" if self.definition.caution else "",
            "\n".join(f"- {name}: {value}" for name, value in self._facts().items() if value),
            "\n".join(["In other tools:\n", *(f"- {tool}: {said}" for tool, said in self.definition.tools.items())]),
        ]
        return "\n\n".join(part for part in parts if part)

    def _facts(self) -> dict[str, str]:
        skipped = "left out of the mean" if self.definition.undefined == "skip" else "counts as 0 in the mean"
        return {
            "parameters": ", ".join(f"{name}={value}" for name, value in self.parameters.items()),
            "reads": _READS.get(self.definition.groups or "", ""),
            "range": self.bounds,
            "mean": {"sum": "summed over queries", "geometric": "geometric"}.get(self.definition.mean, ""),
            "undefined": skipped,
            "also": ", ".join(self.definition.aliases),
            "cite": self.definition.cite,
        }

    @property
    def _doc(self) -> str:
        return inspect.getdoc(self.definition.function) or ""


@dataclass(frozen=True)
class Catalogue(Answer):
    """Measures with what they mean, or definitions in full."""

    entries: tuple[CatalogueEntry, ...]
    in_full: bool = False
    """Whether whole definitions are shown."""

    def tables(self) -> list[Table]:
        """A row per measure."""
        return [
            Table(
                {
                    "family": [entry.family for entry in self.entries],
                    "measure": [entry.written for entry in self.entries],
                    "meaning": [entry.definition.summary for entry in self.entries],
                    "range": [entry.bounds for entry in self.entries],
                }
            )
        ]

    def sections(self) -> list[str | Table]:
        """Definitions in full, or names and meanings by family."""
        if self.in_full:
            return [Verbatim(entry.text()) for entry in self.entries]
        rows = [(entry.family, entry.written, entry.definition.summary) for entry in self.entries]
        return [Verbatim(listing(rows, 24, "cranfield measures NAME"))]

    def markdown(self, places: int = PLACES) -> str:
        """Definitions in full, or a table of names and meanings."""
        if self.in_full:
            return "\n\n".join(entry.markdown() for entry in self.entries) + "\n"
        return self.tables()[0].markdown(places)

    def rows(self) -> Table:
        """A row per measure."""
        rows = [entry.to_dict() for entry in self.entries]
        names = ["name", "family", "written", "summary", "range", "mean", "undefined", "groups", "aliases", "cite"]
        more = ["formula", "definition", "parameters", "caution", "tools", "example"]
        return Table({name: [cell_of(row[name]) for row in rows] for name in (names + more if self.in_full else names)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield measures --format json` prints."""
        return {"cranfield": VERSION, "measures": [entry.to_dict() for entry in self.entries]}


def cell_of(value: object) -> Cell:
    """What a list or a mapping holds as one text."""
    match value:
        case list():
            return ", ".join(map(str, value))
        case dict():
            return "; ".join(f"{name}={text}" for name, text in value.items())
        case _:
            return None if value is None else str(value)


def entries() -> list[CatalogueEntry]:
    """All measures, family by family."""
    order = [*FAMILIES]
    known = [CatalogueEntry(definition) for definition in catalogue().values()]
    return sorted(known, key=lambda e: order.index(e.definition.family) if e.definition.family in order else len(order))


def entry(name: str) -> CatalogueEntry:
    """The measure of that name, in anyone's spelling; a missing cutoff does not matter here."""
    catalogue()  # with those of plugins
    return CatalogueEntry(find(name, has_at=False) or parse(name).definition)


def listing(rows: Iterable[tuple[str, str, str]], width: int, more: str) -> str:
    """Names and meanings, family by family: each row has family, name and meaning; `more` is where to read on."""
    blocks = []
    for family, members in groupby(rows, key=lambda row: row[0]):
        lines = [
            textwrap.fill(meaning, width=96, initial_indent=f"  {name:{width}}", subsequent_indent=" " * (width + 2))
            for _, name, meaning in members
        ]
        blocks.append("\n".join([family, *lines]))
    return "\n\n".join([*blocks, f"`{more}` shows a definition in full."])


def formula_in(doc: str) -> str:
    """The formula of a docstring, in LaTeX."""
    found = re.search(r"\.\. math:: (.*?)\n\n", doc, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def prose_in(doc: str) -> str:
    """What a docstring says besides summary, formula and example."""
    paragraphs = [part for part in doc.split("\n\n")[1:] if not part.startswith(".. math::")]
    return "\n\n".join(part for part in paragraphs if ">>>" not in part)


def example_in(doc: str) -> str:
    """The worked example of a docstring."""
    return "\n".join(part for part in doc.split("\n\n") if ">>>" in part)


def plain(formula: str) -> str:
    """A LaTeX formula as one line of text.

    >>> plain(r"\\frac{1}{R} \\sum_{i \\le k} rel_i")
    '1/R Σ_{i ≤ k} rel_i'
    """
    text = formula
    for latex in sorted(_PLAIN, key=len, reverse=True):
        text = text.replace(latex, _PLAIN[latex])
    text = re.sub(r"\\text\{([^}]*)\}", r"\1", text)
    while (replaced := re.sub(r"\\frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", _over, text)) != text:
        text = replaced
    return re.sub(r" +", " ", text).strip()


def _over(match: re.Match[str]) -> str:
    return f"{_grouped(match[1])}/{_grouped(match[2])}"


def _grouped(part: str) -> str:
    return part if re.fullmatch(r"[\w@*β²]+|\|.*\||(?:min|max)\([^()]*\)|log₂\([^()]*\)", part.strip()) else f"({part})"


def _bound(value: float) -> str:
    return {float("inf"): "∞", float("-inf"): "-∞"}.get(value, f"{value:g}")


def filled(text: str) -> str:
    """A paragraph in lines that a terminal shows."""
    return textwrap.fill(text, width=96)


def tools_listed(title: str, rows: object) -> str:
    """What each tool calls something, below a title."""
    lines = [f"  {tool}: {said}" for tool, said in dict(rows).items()]  # type: ignore[call-overload]
    return "\n".join([title, *lines]) if lines else ""
