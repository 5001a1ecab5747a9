"""The catalogue of methods and normalisations, read from their definitions: for terminals, JSON and the docs."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.catalogue import cell_of, example_in, filled, formula_in, listing, plain, prose_in, tools_listed
from cranfield.errors import UsageError, did_you_mean
from cranfield.fusing import fusion  # noqa: F401 - methods and normalisations enter themselves
from cranfield.fusing.definition import METHODS, NORMALISATIONS, FusionMethod, FusionRule, Normalisation
from cranfield.show.answer import Answer, Verbatim
from cranfield.show.table import PLACES, Table
from cranfield.version import VERSION

FAMILIES = {
    "score_methods": "Methods that combine scores",
    "rank_methods": "Methods that combine ranks",
    "votes": "Methods that take lists for votes",
    "trained": "Methods that learn from judgments",
    "normalisations": "Normalisations of scores",
}
"""Families in the order of the catalogue: the module each lives in, and what it holds."""


@dataclass(frozen=True)
class FusionEntry:
    """One method or normalisation as the catalogue has it."""

    rule: FusionRule

    @property
    def family(self) -> str:
        """The heading it stands under."""
        return FAMILIES[self.rule.function.__module__.rpartition(".")[2]]

    @property
    def written(self) -> str:
        """How it is asked for, with its parameters."""
        parameters = ", ".join(self.parameters)
        return f"{self.rule.name}({parameters})" if parameters else self.rule.name

    @property
    def parameters(self) -> dict[str, str]:
        """Each parameter with its default."""
        defaults = {name: parameter.default for name, parameter in self.rule.parameters.items()}
        return {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in defaults.items()}

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "name": self.rule.name,
            "family": self.family,
            "written": self.written,
            "summary": self.rule.summary,
            "formula": formula_in(self._doc),
            "definition": prose_in(self._doc),
            **self._facts(),
            "aliases": list(self.rule.aliases),
            "tools": dict(self.rule.tools),
            "example": example_in(self._doc),
        }

    def text(self) -> str:
        """The definition in full, for a terminal."""
        parts = [
            f"{self.written}\n{filled(self.rule.summary)}",
            f"    {plain(formula_in(self._doc))}",
            prose_in(self._doc),
            example_in(self._doc),
            "\n".join(f"{name:12}{value}" for name, value in self._shown_facts().items()),
            tools_listed("Other tools", self.rule.tools),
        ]
        return "\n\n".join(part for part in parts if part)

    def markdown(self) -> str:
        """The definition in full, for the docs."""
        tools = [f"- {tool}: {name}" for tool, name in self.rule.tools.items()]
        parts = [
            f"### {self.rule.name}\n\n{self.rule.summary}",
            f"```text\n{plain(formula_in(self._doc))}\n```",
            prose_in(self._doc),
            f"```pycon\n{self._typed_example()}\n\n```",
            "\n".join(f"- {name}: {value}" for name, value in self._shown_facts().items()),
            "\n".join(["In other tools:\n", *tools]) if tools else "",
        ]
        return "\n\n".join(part for part in parts if part)

    def _typed_example(self) -> str:
        """The example with what it has to import."""
        module, name = self.rule.function.__module__, self.rule.function.__name__
        lines = [f">>> from {module} import {name}"]
        if "np." in example_in(self._doc):
            lines.insert(0, ">>> import numpy as np")
        return "\n".join([*lines, example_in(self._doc)])

    def _shown_facts(self) -> dict[str, str]:
        facts = {name: cell_of(value) for name, value in self._facts().items()}
        return {name: str(value) for name, value in facts.items() if value}

    def _facts(self) -> dict[str, object]:
        default, *others = self.rule.missing
        facts: dict[str, object] = {
            "parameters": self.parameters,
            "reads": self.rule.reads,
            "weights": "yes" if isinstance(self.rule, FusionMethod) and self.rule.weighted else "",
            "missing": f"{default}{''.join(f', or {other}' for other in others)}",
            "also": ", ".join(self.rule.aliases),
            "cite": self.rule.cite,
        }
        if isinstance(self.rule, Normalisation):
            facts["missing"] = "minimum by default" if default == "minimum" else "as the method says"
        return facts

    @property
    def _doc(self) -> str:
        return inspect.getdoc(self.rule.function) or ""


@dataclass(frozen=True, repr=False)
class FusionCatalogue(Answer):
    """Methods and normalisations with what they mean, or definitions in full."""

    entries: tuple[FusionEntry, ...]
    in_full: bool = False
    """Whether whole definitions are shown."""

    def tables(self) -> list[Table]:
        """A row per method and normalisation."""
        return [
            Table(
                {
                    "family": [entry.family for entry in self.entries],
                    "name": [entry.written for entry in self.entries],
                    "meaning": [entry.rule.summary for entry in self.entries],
                }
            )
        ]

    def sections(self) -> list[str | Table]:
        """Definitions in full, or names and meanings by family."""
        if self.in_full:
            return [Verbatim(entry.text()) for entry in self.entries]
        rows = [(entry.family, entry.rule.name, entry.rule.summary) for entry in self.entries]
        return [Verbatim(listing(rows, 18, "cranfield fuse --list NAME"))]

    def markdown(self, places: int = PLACES) -> str:
        """Definitions in full, or a table of names and meanings."""
        if self.in_full:
            return "\n\n".join(entry.markdown() for entry in self.entries) + "\n"
        return self.tables()[0].markdown(places)

    def rows(self) -> Table:
        """A row per method and normalisation."""
        rows = [entry.to_dict() for entry in self.entries]
        names = ["name", "family", "written", "summary", "reads", "weights", "missing", "aliases", "cite"]
        more = ["formula", "definition", "parameters", "tools", "example"]
        return Table({name: [cell_of(row[name]) for row in rows] for name in (names + more if self.in_full else names)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {"cranfield": VERSION, "fusion": [entry.to_dict() for entry in self.entries]}


def fusion_catalogue(names: Sequence[str] = ()) -> FusionCatalogue:
    """All methods and normalisations, or those of some names, in full.

    >>> print(fusion_catalogue(["mixed"]).entries[0].rule.cite)
    doi:10.1145/584792.584908 (Wu & Crestani, CIKM 2002)
    """
    if names:
        return FusionCatalogue(tuple(FusionEntry(rule) for name in names for rule in _named(name)), in_full=True)
    order = [*FAMILIES.values()]
    entries = [FusionEntry(rule) for table in (METHODS, NORMALISATIONS) for rule in table.rules.values()]
    return FusionCatalogue(tuple(sorted(entries, key=lambda entry: order.index(entry.family))))


def _named(name: str) -> list[FusionRule]:
    """The method and the normalisation of a name: `borda` is both."""
    found: list[FusionRule] = [table.find(name) for table in (METHODS, NORMALISATIONS) if table.has(name)]
    if not found:
        known = [*METHODS.rules, *NORMALISATIONS.rules]
        near = did_you_mean(name, known)
        raise UsageError(
            f"There is no fusion method or normalisation {name!r}; there are {', '.join(known)}. {near}".strip()
        )
    return found
