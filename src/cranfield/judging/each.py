"""Each judge, each grade and each query by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.choices import AlphaMetric
from cranfield.data.labels import Labels
from cranfield.judging import chance
from cranfield.judging.coding import CodedLabels
from cranfield.judging.counting import Patterns, features, sums_from
from cranfield.judging.estimates import Row, Units
from cranfield.judging.overall import mean_of_defined
from cranfield.judging.pairs import JudgePair
from cranfield.show.table import finite


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
    same = np.full(len(labels.judges), math.nan) if patterns is None else _same(patterns)
    others, sums = labels.counts, np.bincount(labels.of_item, weights=labels.values, minlength=labels.items)
    shared = others[labels.of_item] > 1
    rest = (sums[labels.of_item] - labels.values) / np.where(shared, others[labels.of_item] - 1, 1)
    texts = bool(labels.categories)
    kappas: dict[str, list[float]] = {name: [] for name in labels.judges}
    for pair in pairs:
        for name in (pair.one, pair.other):
            kappas[name].append(pair.kappa.value)
    order = np.argsort(labels.of_judge, kind="stable")
    ends = np.cumsum(np.bincount(labels.of_judge, minlength=len(labels.judges)))[:-1]
    judges = []
    for at, (name, places) in enumerate(zip(labels.judges, np.split(order, ends), strict=True)):
        own, met = labels.values[places], places[shared[places]]
        judges.append(
            JudgeSummary(
                name,
                len(own),
                len(met),
                _mean(own) if not texts else math.nan,
                float(own.std(ddof=1)) if len(own) > 1 and not texts else math.nan,
                _mean(labels.values[met] - rest[met]) if not texts else math.nan,
                float(same[at]),
                float(mean_of_defined(np.array(kappas[name]))) if kappas[name] else math.nan,
                math.nan if relevant is None else _mean(relevant[places]),
            )
        )
    return tuple(judges)


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
    rows = units.counted(features)
    sums = sums_from(rows, known.size)
    agreement = chance.observed(sums, np.eye(known.size))
    alphas = chance.alpha(sums.coincidences, known.values, metric)[0]
    return tuple(
        Query(name, int(sums.shared[at]), float(agreement[at]), float(alphas[at]))
        for at, name in enumerate(labels.queries)
        if at < len(rows)
    )


def _mean(values: Floats) -> float:
    return math.fsum(values.tolist()) / len(values) if len(values) else math.nan
