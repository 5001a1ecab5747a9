"""How the kappa of two judges arises."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.judging.agreement import cohen_of_table, cohen_parts
from cranfield.judging.coding import Coded
from cranfield.judging.coefficient import corrected
from cranfield.judging.counting import confusion
from cranfield.show.table import Table, finite, wrapped

MOST_TERMS = 6
"""Of more grades, a sum is written with its first and last terms."""


@dataclass(frozen=True, eq=False)
class KappaExplanation:
    """The table of two judges, and kappa from it step by step; printing shows both."""

    one: str
    other: str
    categories: tuple[str, ...]
    counts: Floats
    """How often the first judge gave a category (rows) and the second another (columns)."""

    @property
    def shares(self) -> tuple[Floats, Floats]:
        """The share of each category among the labels of each judge."""
        total = self.counts.sum()
        return self.counts.sum(axis=1) / total, self.counts.sum(axis=0) / total

    @property
    def observed(self) -> float:
        """P(A)."""
        return float(np.trace(self.counts) / self.counts.sum())

    @property
    def expected(self) -> float:
        """P(E), by each judge's own shares."""
        return float(cohen_parts(self.counts, np.eye(len(self.counts)))[1])

    @property
    def pooled(self) -> float:
        """P(E), by the shares of both judges together."""
        return float(cohen_parts(self.counts, np.eye(len(self.counts)), pooled=True)[1])

    @property
    def kappa(self) -> float:
        """Cohen's kappa."""
        return cohen_of_table(self.counts).value

    @property
    def pooled_kappa(self) -> float:
        """Scott's pi, the textbook's kappa."""
        return float(corrected(self.observed, self.pooled))

    def table(self) -> Table:
        """How often one judge gave a grade and the other another, with totals."""
        rows = [*self.categories, "all"]
        full = np.vstack([self.counts, self.counts.sum(axis=0)])
        full = np.hstack([full, full.sum(axis=1, keepdims=True)]).astype(np.int64)
        heads = [f"{self.other}: {name}" if at == 0 else name for at, name in enumerate(self.categories)]
        return Table(
            {self.one: rows, **{head: full[:, at].tolist() for at, head in enumerate([*heads, "all"])}},
        )

    def terms(self) -> Table:
        """What each grade adds to P(A) and P(E)."""
        one, other = self.shares
        return Table(
            {
                "grade": list(self.categories),
                "both": (np.diag(self.counts) / self.counts.sum()).tolist(),
                self.one: one.tolist(),
                self.other: other.tolist(),
                "by chance": (one * other).tolist(),
                "pooled": ((one + other) / 2).tolist(),
                "by pooled chance": (((one + other) / 2) ** 2).tolist(),
            },
            notes=("both adds up to P(A), by chance to P(E), by pooled chance to the P(E) of pooled shares.",),
        )

    def steps(self) -> list[str]:
        """Each number from those before it."""
        return list(_steps(self))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        one, other = self.shares
        return {
            "one": self.one,
            "other": self.other,
            "categories": list(self.categories),
            "table": self.counts.astype(int).tolist(),
            "shares": {self.one: one.tolist(), self.other: other.tolist()},
            "observed": self.observed,
            "expected": self.expected,
            "kappa": finite(self.kappa),
            "pooled_expected": self.pooled,
            "pooled_kappa": finite(self.pooled_kappa),
        }

    def sections(self) -> list[str | Table]:
        """Everything as it is shown."""
        return [self.table(), *self.steps(), self.terms()]

    def __str__(self) -> str:
        parts = (part.text() if isinstance(part, Table) else wrapped(part) for part in self.sections())
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(part.html() if isinstance(part, Table) else f"<p>{escape(part)}</p>" for part in self.sections())


def explain_kappa(
    labels: Coded, pair: tuple[int, int], names: tuple[str, str], grades: tuple[str, ...]
) -> KappaExplanation:
    """How the kappa of two judges arises, who stand at these positions."""
    return KappaExplanation(*names, grades, confusion(labels, *pair))


def _steps(found: KappaExplanation) -> Iterator[str]:
    total = int(found.counts.sum())
    if not total:
        yield f"{found.one} and {found.other} labelled no document both, so there is nothing to agree about."
        return
    same = " + ".join(_some([f"{int(count)}" for count in np.diag(found.counts)]))
    yield f"P(A) = ({same}) / {total} = {found.observed:z.4f}: how often both gave the same grade."
    one, other = found.shares
    terms = " + ".join(_some([f"{a:z.4f} · {b:z.4f}" for a, b in zip(one, other, strict=True)]))
    yield f"P(E) = {terms} = {found.expected:z.4f}: how often they would by chance, each keeping to their own shares."
    yield _kappa("kappa", "Cohen", found.observed, found.expected, found.kappa)
    squares = " + ".join(_some([f"{share:z.4f}²" for share in (one + other) / 2]))
    yield f"With both judges' shares pooled, P(E) = {squares} = {found.pooled:z.4f}."
    yield _kappa("pooled kappa", "Scott's pi, the textbook's", found.observed, found.pooled, found.pooled_kappa)


def _kappa(name: str, whose: str, observed: float, expected: float, value: float) -> str:
    if math.isnan(value):
        return f"{name} ({whose}) has no value: P(E) is 1, since every label is of one grade."
    return f"{name} ({whose}) = ({observed:z.4f} - {expected:z.4f}) / (1 - {expected:z.4f}) = {value:z.4f}."


def _some(terms: list[str]) -> list[str]:
    if len(terms) <= MOST_TERMS:
        return terms
    return [*terms[: MOST_TERMS - 2], "…", terms[-1]]
