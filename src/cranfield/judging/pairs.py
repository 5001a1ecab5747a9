"""How far two judges agree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.choices import NamedWeights
from cranfield.judging import coefficients as published
from cranfield.judging.coding import CodedLabels
from cranfield.judging.coefficients import cohen_parts
from cranfield.judging.counting import confusions, patterns_of
from cranfield.judging.distances import weight_table
from cranfield.judging.estimates import NO_CHANCE, NO_ITEM, Coefficient, Row, Units, corrected
from cranfield.judging.overall import MANY_PAIRS, pair_group
from cranfield.show.table import finite

MOST_DRAWN = 66
"""Of more pairs than 12 judges make, there are no limits."""
KINDS: tuple[tuple[NamedWeights, bool], ...] = (
    ("identity", False),
    ("identity", True),
    ("linear", False),
    ("quadratic", False),
)
"""Weights, and whether shares are pooled, of each coefficient of a pair."""


@dataclass(frozen=True, eq=False)
class JudgePair:
    """How far two judges agree, about what both labelled."""

    one: str
    other: str
    categories: tuple[str, ...]
    table: Floats
    """How often the first gave a category (rows) and the second another (columns)."""
    relevant: tuple[bool, ...]
    """Which categories are relevant; none where categories have no order."""
    kappa: Coefficient
    pooled: Coefficient
    """Kappa with shares of both judges pooled: Scott's pi, and the textbook's kappa."""
    linear: Coefficient
    quadratic: Coefficient

    @property
    def items(self) -> int:
        """How many documents both labelled."""
        return int(self.table.sum())

    @property
    def agreement(self) -> float:
        """The share of these to which both gave the same grade."""
        return float(np.trace(self.table)) / self.items if self.items else math.nan

    @property
    def fourfold(self) -> Floats:
        """Not relevant and relevant: rows are the first judge's, columns the second's."""
        side = np.array(self.relevant, dtype=np.int64)
        folded = np.zeros((2, 2))
        np.add.at(folded, (side[:, None], side[None, :]), self.table)
        return folded

    @property
    def overlap(self) -> float:
        """Documents that both call relevant, of those that either does."""
        return self._of(lambda t: t[1, 1], lambda t: t[1, 1] + t[0, 1] + t[1, 0])

    @property
    def positive(self) -> float:
        """Agreement about what is relevant: 2a / (2a + b + c)."""
        return self._of(lambda t: 2 * t[1, 1], lambda t: 2 * t[1, 1] + t[0, 1] + t[1, 0])

    @property
    def negative(self) -> float:
        """Agreement about what is not: 2d / (2d + b + c)."""
        return self._of(lambda t: 2 * t[0, 0], lambda t: 2 * t[0, 0] + t[0, 1] + t[1, 0])

    @property
    def shares_relevant(self) -> tuple[float, float]:
        """What share of these each judge calls relevant."""
        return self._of(lambda t: t[1].sum(), lambda t: t.sum()), self._of(lambda t: t[:, 1].sum(), lambda t: t.sum())

    def rows(self) -> Iterator[Row]:
        """A row for every number, and for every cell of the table."""
        names = self.one, self.other
        yield Row("pair", *names, "agreement", self.agreement, items=self.items)
        yield self.kappa.row("pair", *names, "kappa")
        yield self.linear.row("pair", *names, "linear kappa")
        yield self.quadratic.row("pair", *names, "quadratic kappa")
        yield self.pooled.row("pair", *names)
        for name in ("overlap", "positive", "negative"):
            yield Row("pair", *names, name, getattr(self, name), items=self.items)
        for counts, grade in zip(self.table.tolist(), self.categories, strict=True):
            for count, label in zip(counts, self.categories, strict=True):
                cell = f"{self.one}={grade}", f"{self.other}={label}"
                yield Row("table", *cell, "documents", count, items=self.items)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        one, other = self.shares_relevant
        return {
            "one": self.one,
            "other": self.other,
            "items": self.items,
            "agreement": finite(self.agreement),
            "kappa": self.kappa.to_dict(),
            "pooled": self.pooled.to_dict(),
            "linear": self.linear.to_dict(),
            "quadratic": self.quadratic.to_dict(),
            "overlap": finite(self.overlap),
            "positive": finite(self.positive),
            "negative": finite(self.negative),
            "relevant": {self.one: finite(one), self.other: finite(other)},
            "categories": list(self.categories),
            "table": self.table.astype(int).tolist(),
        }

    def _of(self, part: Any, whole: Any) -> float:
        if not self.relevant:
            return math.nan
        table = self.fourfold
        below = float(whole(table))
        return float(part(table)) / below if below else math.nan


def pairs_of(
    judges: tuple[str, ...],
    known: CodedLabels,
    names: tuple[str, ...],
    relevant: tuple[bool, ...],
    units: Units | None,
    confidence: float,
) -> tuple[JudgePair, ...]:
    """Every two judges."""
    every = list(combinations(range(len(judges)), 2))
    tables = confusions(patterns_of(known))
    if len(every) > MOST_DRAWN:
        return tuple(_of_many(judges, names, relevant, every, tables))
    coefficients = [[_analytic(table, weights, pooled, confidence) for weights, pooled in KINDS] for table in tables]
    if units is not None:
        coefficients = _limited(coefficients, tables, units, confidence)
    return tuple(
        JudgePair(judges[a], judges[b], names, table, relevant, *kinds)
        for (a, b), table, kinds in zip(every, tables, coefficients, strict=True)
    )


def _analytic(table: Floats, weights: NamedWeights, pooled: bool, confidence: float) -> Coefficient:
    return (published.scott_of if pooled else published.cohen_of)(table, weights, confidence)


def _limited(
    coefficients: Sequence[Sequence[Coefficient]], tables: Floats, units: Units, confidence: float
) -> list[list[Coefficient]]:
    """Coefficients of every pair that has something in common, with limits from samples."""
    size = tables.shape[-1]
    group = pair_group(units.patterns.judges, size)

    def value(samples: Floats) -> Floats:
        drawn = group.of_sums(samples)
        return np.stack(
            [corrected(*cohen_parts(drawn, weight_table(weights, size), pooled=pooled)) for weights, pooled in KINDS],
            axis=-1,
        )

    resampled, left_out = units.sampled(group.features(units), value)
    return [
        [
            units.limited(one, resampled[:, at, kind], left_out[:, at, kind], confidence) if table.sum() else one
            for kind, one in enumerate(kinds)
        ]
        for at, (kinds, table) in enumerate(zip(coefficients, tables, strict=True))
    ]


def _of_many(
    judges: tuple[str, ...],
    names: tuple[str, ...],
    relevant: tuple[bool, ...],
    every: Sequence[tuple[int, int]],
    tables: Floats,
) -> Iterator[JudgePair]:
    """So many pairs that they have values and no limits."""
    shares = [cohen_parts(tables, weight_table(weights, len(names)), pooled=pooled) for weights, pooled in KINDS]
    values = [corrected(*parts) for parts in shares]
    items = tables.sum(axis=(-2, -1)).astype(np.int64).tolist()
    for at, (a, b) in enumerate(every):
        kinds = [
            Coefficient(
                "Scott's pi" if pooled else "Cohen's kappa",
                float(value[at]),
                float(p_a[at]),
                float(p_e[at]),
                items[at],
                reason=MANY_PAIRS if not np.isnan(value[at]) else NO_CHANCE if items[at] else NO_ITEM,
            )
            for (_, pooled), value, (p_a, p_e) in zip(KINDS, values, shares, strict=True)
        ]
        yield JudgePair(judges[a], judges[b], names, tables[at], relevant, *kinds)
