"""How the kappa of two judges is computed, step by step."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.errors import Finding, UsageError
from cranfield.judging.coefficients import cohen_of_table, cohen_parts
from cranfield.judging.estimates import Row, corrected, rows_table
from cranfield.phrases import shown
from cranfield.show.answer import Answer
from cranfield.show.table import Table, finite
from cranfield.version import VERSION

JUDGES = ("first", "second")
"""What two judges are called whose table was typed."""
LARGEST_TOTAL = 1e15
"""Whole numbers below it are exact."""
_CELL = re.compile(r"[^\s,|]+")
MOST_TERMS = 6
"""Of more grades, a sum is written with its first and last terms."""


@dataclass(frozen=True, eq=False)
class KappaExplanation(Answer):
    """The table of two judges, and kappa from it step by step; printing shows both."""

    one: str
    other: str
    categories: tuple[str, ...]
    counts: Floats
    """How often the first judge gave a category (rows) and the second another (columns)."""
    warnings: tuple[Finding, ...] = ()

    @property
    def shares(self) -> tuple[Floats, Floats]:
        """The share of each category among the labels of each judge."""
        total = max(self.counts.sum(), 1)
        return self.counts.sum(axis=1) / total, self.counts.sum(axis=0) / total

    @property
    def observed(self) -> float:
        """P(A)."""
        total = float(self.counts.sum())
        return float(np.trace(self.counts)) / total if total else math.nan

    @property
    def expected(self) -> float:
        """P(E), by each judge's own shares."""
        if not self.counts.sum():
            return math.nan
        return float(cohen_parts(self.counts, np.eye(len(self.counts)))[1])

    @property
    def pooled(self) -> float:
        """P(E), by the shares of both judges together."""
        if not self.counts.sum():
            return math.nan
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
                "both": _shares(self.counts),
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

    def verdict(self) -> str:
        """Both kappas."""
        if not self.counts.sum():
            return f"{self.one} and {self.other} labelled no document in common, so there is nothing to compare."
        return f"{_value('kappa', self.kappa)}; {_value('pooled kappa', self.pooled_kappa)}."

    def tables(self) -> list[Table]:
        """What each judge gave, then each number from those before it, then what each grade adds."""
        return [replace(self.table(), notes=tuple(self.steps())), self.terms()]

    def rows(self) -> Table:
        """A row for every cell of the table, for what each grade adds, and for every step."""
        return rows_table(self._numbers())

    def _numbers(self) -> Iterator[Row]:
        total = int(self.counts.sum())
        for grade, counts in zip(self.categories, self.counts.tolist(), strict=True):
            for label, count in zip(self.categories, counts, strict=True):
                yield Row("table", f"{self.one}={grade}", f"{self.other}={label}", "documents", count, items=total)
        terms = self.terms().columns
        for at, grade in enumerate(self.categories):
            for name in ("both", self.one, self.other, "by chance", "pooled", "by pooled chance"):
                value = terms[name][at]
                assert isinstance(value, float)
                yield Row("grade", grade, "", name, value, items=total)
        steps = {
            "P(A)": self.observed,
            "P(E)": self.expected,
            "kappa": self.kappa,
            "P(E) of pooled shares": self.pooled,
            "pooled kappa": self.pooled_kappa,
        }
        for name, value in steps.items():
            yield Row("all", self.one, self.other, name, value, items=total)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield agree explain --format json` prints."""
        one, other = self.shares
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "warnings": [str(warning) for warning in self.warnings],
            "steps": self.steps(),
            "one": self.one,
            "other": self.other,
            "categories": list(self.categories),
            "table": self.counts.astype(int).tolist(),
            "shares": {self.one: one.tolist(), self.other: other.tolist()},
            "observed": finite(self.observed),
            "expected": finite(self.expected),
            "kappa": finite(self.kappa),
            "pooled_expected": finite(self.pooled),
            "pooled_kappa": finite(self.pooled_kappa),
        }


def explain_kappa(
    table: object, *, judges: Sequence[str] = JUDGES, categories: Sequence[object] | None = None
) -> KappaExplanation:
    """How kappa is computed from a table: how often the first judge gave a grade (rows) and the second another.

    The table is a text, `"70 10; 20 300"`, or rows of numbers; `categories` are the names of the grades.

    >>> print(explain_kappa("20 5; 10 15", categories=["relevant", "not"]))  # doctest: +ELLIPSIS
    kappa is 0.4000; pooled kappa is 0.3939.
    ...
    P(A) = (20 + 15) / 50 = 0.7000: how often both gave the same grade.
    ...
    """
    counts = _counts(_rows_of_text(table) if isinstance(table, str) else table)
    names = list(ascii_uppercase[: len(counts)]) if categories is None else [str(name) for name in categories]
    if len(names) != len(counts) or len(set(names)) != len(names):
        many = f"{len(counts)} grades, but {len(names)} different names were given for them"
        raise errors.labels.not_a_table(f"it has {many}.")
    if len(judges) != 2 or judges[0] == judges[1]:
        raise UsageError("A kappa is about two judges: name two, such as ada and ben.")
    return KappaExplanation(str(judges[0]), str(judges[1]), tuple(names), counts)


def _rows_of_text(text: str) -> list[list[float]]:
    """The rows of a table that was typed; without an end of a row, as many numbers as make a square."""
    rows: list[list[float]] = []
    for line in re.finditer(r"[^;\n\[\]]+", text):
        cells = [_cell(text, cell) for cell in _CELL.finditer(text, line.start(), line.end())]
        if cells:
            rows.append(cells)
    if not rows:
        raise errors.labels.not_a_table("it is empty.")
    side = math.isqrt(len(rows[0]))
    if len(rows) == 1 and side > 1 and side * side == len(rows[0]):
        return [rows[0][at : at + side] for at in range(0, side * side, side)]
    return rows


def _cell(text: str, cell: re.Match[str]) -> float:
    if not re.fullmatch("[0-9]{1,15}", cell[0]):
        found = f"{shown(cell[0])} at position {cell.start() + 1} is not a number of documents."
        raise errors.labels.misread_table(text, *cell.span(), found)
    return float(cell[0])


def _counts(table: object) -> Floats:
    try:
        counts = np.array(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise errors.labels.not_a_table("its rows are not equally long, or hold something else than numbers.") from None
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        shape = " by ".join(map(str, counts.shape)) or "a number"
        raise errors.labels.not_a_table(f"it is {shape}, and both judges need the same grades, two at least.")
    if len(counts) > len(ascii_uppercase):
        raise errors.labels.not_a_table(f"it has {len(counts)} grades; {len(ascii_uppercase)} are the most.")
    if not np.isfinite(counts).all() or (counts < 0).any() or (counts != counts.round()).any():
        raise errors.labels.not_a_table("a number of documents must be a whole number of at least 0.")
    if not 0 < counts.sum() < LARGEST_TOTAL:
        raise errors.labels.not_a_table("it counts no document." if not counts.sum() else "its numbers are too large.")
    return counts


def _steps(kappa: KappaExplanation) -> Iterator[str]:
    total = int(kappa.counts.sum())
    if not total:
        return
    same = " + ".join(_some([f"{int(count)}" for count in np.diag(kappa.counts)]))
    yield f"P(A) = ({same}) / {total} = {kappa.observed:z.4f}: how often both gave the same grade."
    one, other = kappa.shares
    terms = " + ".join(_some([f"{a:z.4f} · {b:z.4f}" for a, b in zip(one, other, strict=True)]))
    yield f"P(E) = {terms} = {kappa.expected:z.4f}: how often they would by chance, each with their own shares."
    yield _kappa("kappa", "Cohen", kappa.observed, kappa.expected, kappa.kappa)
    squares = " + ".join(_some([f"{share:z.4f}²" for share in (one + other) / 2]))
    yield f"With both judges' shares pooled, P(E) = {squares} = {kappa.pooled:z.4f}."
    yield _kappa("pooled kappa", "Scott's pi, the textbook's", kappa.observed, kappa.pooled, kappa.pooled_kappa)


def _kappa(name: str, whose: str, observed: float, expected: float, value: float) -> str:
    if math.isnan(value):
        return f"{name} ({whose}) has no value: P(E) is 1, since every label is of one grade."
    return f"{name} ({whose}) = ({observed:z.4f} - {expected:z.4f}) / (1 - {expected:z.4f}) = {value:z.4f}."


def _value(name: str, value: float) -> str:
    return f"{name} has no value" if math.isnan(value) else f"{name} is {value:z.4f}"


def _shares(counts: Floats) -> list[float]:
    """How often both gave each category, of all documents."""
    shares: list[float] = (np.diag(counts) / max(counts.sum(), 1)).tolist()
    return shares


def _some(terms: list[str]) -> list[str]:
    if len(terms) <= MOST_TERMS:
        return terms
    return [*terms[: MOST_TERMS - 2], "…", terms[-1]]
