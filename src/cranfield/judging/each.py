"""Each judge, each grade and each query by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.choices import AlphaMetric
from cranfield.data.labels import Labels
from cranfield.judging import chance
from cranfield.judging.coding import CodedLabels
from cranfield.judging.counting import Patterns, in_order, sums_from
from cranfield.judging.estimates import Row, Units
from cranfield.judging.overall import mean_of_defined
from cranfield.judging.pairs import JudgePair
from cranfield.show.table import finite

UNITS = 1 << 10
"""Parts of 1 of which halves, quarters and the like are whole numbers."""


@dataclass(frozen=True)
class JudgeSummary:
    """What one judge did, compared with the others."""

    name: str
    labels: int
    shared: int
    """Of these, on documents that somebody else labelled too."""
    mean: float
    """The mean grade."""
    spread: float
    """The standard deviation of the grades."""
    bias: float
    """How much higher than the mean of the others on the same documents, on average."""
    agreement: float
    """How often another judge of the same document gave the same grade."""
    kappa: float
    """The mean of Cohen's kappa with each of the others."""
    relevant: float
    """The share of relevant labels."""

    def rows(self) -> Iterator[Row]:
        """A row for every number."""
        for name in ("mean", "spread", "bias", "relevant", "agreement", "kappa"):
            yield Row("judge", self.name, "", name, getattr(self, name), items=self.labels)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {name: finite(value) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Grade:
    """One grade: how often it is given, and what others say of the same documents."""

    name: str
    labels: int
    share: float
    agreement: float
    """Of other labels on the documents that got it, the share that are the same."""
    others: tuple[float, ...]
    """The share of each grade among these."""

    def rows(self) -> Iterator[Row]:
        """A row for every number."""
        yield Row("grade", self.name, "", "share", self.share, items=self.labels)
        yield Row("grade", self.name, "", "agreement", self.agreement, items=self.labels)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        plain = {name: finite(value) for name, value in asdict(self).items()}
        return {**plain, "others": [finite(share) for share in self.others]}


@dataclass(frozen=True)
class Query:
    """How far judges agree about the documents of one query."""

    name: str
    items: int
    """Documents with two labels or more."""
    agreement: float
    alpha: float
    """Krippendorff's, of this query's labels alone."""

    def rows(self, metric: AlphaMetric) -> Iterator[Row]:
        """A row for every number."""
        yield Row("query", self.name, "", "agreement", self.agreement, items=self.items)
        yield Row("query", self.name, "", f"alpha ({metric})", self.alpha, items=self.items)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {name: finite(value) for name, value in asdict(self).items()}


def judges_of(
    labels: Labels, patterns: Patterns | None, pairs: tuple[JudgePair, ...], relevant: Floats | None
) -> tuple[JudgeSummary, ...]:
    """Every judge; how often others say the same, where there are patterns of few categories."""
    judges = len(labels.judges)
    same = np.full(judges, math.nan) if patterns is None else _same(patterns)
    others, sums = labels.counts, np.bincount(labels.of_item, weights=labels.values, minlength=labels.items)
    shared = others[labels.of_item] > 1
    rest = (sums[labels.of_item] - labels.values) / np.where(shared, others[labels.of_item] - 1, 1)
    met = labels.of_judge[shared]
    unknown = np.full(judges, math.nan)
    texts = bool(labels.categories)
    columns = (
        np.bincount(labels.of_judge, minlength=judges),
        np.bincount(met, minlength=judges),
        unknown if texts else _means(labels.values, labels.of_judge, judges),
        unknown if texts else _spreads(labels.values, labels.of_judge, judges),
        unknown if texts else _means((labels.values - rest)[shared], met, judges),
        same,
        _mean_kappas(labels.judges, pairs),
        unknown if relevant is None else _means(relevant, labels.of_judge, judges),
    )
    return tuple(map(JudgeSummary, labels.judges, *(column.tolist() for column in columns)))


def _mean_kappas(judges: tuple[str, ...], pairs: tuple[JudgePair, ...]) -> Floats:
    """The mean of each judge's kappas with others."""
    kappas: dict[str, list[float]] = {name: [] for name in judges}
    for pair in pairs:
        for name in (pair.one, pair.other):
            kappas[name].append(pair.kappa.value)
    return np.array([float(mean_of_defined(np.array(own))) if own else math.nan for own in kappas.values()])


def _means(values: Floats, of_judge: Ints, judges: int) -> Floats:
    """The mean of each judge's values, of a sum that is rounded once."""
    counts = np.bincount(of_judge, minlength=judges)
    if _add_up_exactly(values):
        sums = np.bincount(of_judge, weights=values, minlength=judges)
    else:
        parts = np.split(values[in_order(of_judge, judges)], np.cumsum(counts)[:-1])
        sums = np.array([math.fsum(part.tolist()) for part in parts])
    return np.where(counts > 0, sums / np.maximum(counts, 1), math.nan)


def _add_up_exactly(values: Floats) -> bool:
    """Whether no sum of some of them is rounded, because all are whole numbers of a small unit."""
    units = np.abs(values) * UNITS
    return bool(units.sum() < 2**52 and (units == np.floor(units)).all())


def _spreads(values: Floats, of_judge: Ints, judges: int) -> Floats:
    """The standard deviation of each judge's values, of all judges with as many of them together."""
    counts = np.bincount(of_judge, minlength=judges)
    ordered, begins = values[in_order(of_judge, judges)], np.cumsum(counts) - counts
    spreads = np.full(judges, math.nan)
    for count in np.unique(counts[counts > 1]).tolist():
        alike = np.flatnonzero(counts == count)
        spreads[alike] = ordered[begins[alike][:, None] + np.arange(count)].std(axis=1, ddof=1)
    return spreads


def _same(patterns: Patterns) -> Floats:
    """Of each judge, how often another label of the same item is the same."""
    shared = patterns.labels[patterns.of_pattern] > 1
    judge, at, codes = patterns.of_judge[shared], patterns.of_pattern[shared], patterns.codes[shared]
    same = (patterns.counts[at, codes] - 1) / (patterns.labels[at] - 1)
    times = patterns.times[at]
    above = np.bincount(judge, weights=times * same, minlength=patterns.judges)
    below = np.bincount(judge, weights=times, minlength=patterns.judges)
    return np.where(below > 0, above / np.where(below > 0, below, 1), math.nan)


def grades_of(known: CodedLabels, names: tuple[str, ...], patterns: Patterns) -> tuple[Grade, ...]:
    """Every grade."""
    counts = patterns.counts
    given = patterns.times @ counts
    table = counts.T @ (counts * patterns.times[:, None]) - np.diag(given)
    return tuple(
        Grade(
            names[at],
            int(given[at]),
            float(given[at] / given.sum()),
            float(table[at, at] / table[at].sum()) if table[at].sum() else math.nan,
            tuple((table[at] / table[at].sum()).tolist()) if table[at].sum() else (math.nan,) * known.size,
        )
        for at in range(known.size)
    )


def queries_of(labels: Labels, known: CodedLabels, units: Units, metric: AlphaMetric) -> tuple[Query, ...]:
    """Every query."""
    rows = units.counted
    sums = sums_from(rows, known.size)
    agreement = chance.observed(sums, np.eye(known.size))
    alphas = chance.alpha(sums.coincidences, known.values, metric)[0]
    return tuple(
        Query(name, int(sums.shared[at]), float(agreement[at]), float(alphas[at]))
        for at, name in enumerate(labels.queries)
        if at < len(rows)
    )
