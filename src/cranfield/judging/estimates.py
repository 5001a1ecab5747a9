"""A coefficient of agreement: its value, its limits, and the random samples that limits come from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints
from cranfield.comparing.intervals import bca_limits
from cranfield.evaluating.aggregate import t_limit
from cranfield.judging.counting import Patterns, features
from cranfield.show.table import Cell, Estimate, Table, finite

Method = Literal["", "analytic", "bootstrap of items", "bootstrap of queries"]

CONFIDENCE = 0.95
NO_ITEM = "no item has labels by two judges"
NO_CHANCE = "every label is of one category, so chance alone would agree fully"
ONE_CATEGORY = "there is one category, and nothing to disagree about"
ONE_ITEM = "a single item shows no variance"
SAMPLES_UNDEFINED = "most samples have no value"
SAMPLES_EQUAL = "every random sample has the same value, so the interval has no width"
FEW_UNITS = 5_000
"""Of more items or queries than this, leaving out one moves nothing that an interval shows."""
SAMPLES, FEWEST_SAMPLES = 1_000, 20
CELLS = 1 << 22
KEPT = 1 << 24
"""Cells of samples that are drawn once and kept for every coefficient."""


class Row(NamedTuple):
    """One number about labels, as programs read it: what it is about, its name, and its limits."""

    part: str
    name: str
    other: str
    statistic: str
    value: float
    low: float = math.nan
    high: float = math.nan
    items: int = 0
    reason: str = ""


def rows_table(rows: Iterable[Row]) -> Table:
    """Numbers below each other, a row each."""
    cells: list[tuple[Cell, ...]] = list(rows)
    return Table({name: [row[at] for row in cells] for at, name in enumerate(Row._fields)})


@dataclass(frozen=True)
class Coefficient:
    """How far judges agree. NaN, with the reason, where there is no value or no limit."""

    name: str
    value: float
    observed: float = math.nan
    """P(A): how far they agree."""
    expected: float = math.nan
    """P(E): how far chance alone would."""
    items: int = 0
    """Items it is made of."""
    low: float = math.nan
    high: float = math.nan
    error: float = math.nan
    """The standard error."""
    freedom: float = math.inf
    """Degrees of freedom of the error: items or queries that it comes from, less 1; infinite where it is normal."""
    method: Method = ""
    """Where the limits come from."""
    reason: str = ""
    """Why there is no value, or no limits."""

    def p_value(self, null: float = 0.0) -> float:
        """p of a two-sided test that the true coefficient is `null`, by Student's t: NaN where there is no error.

        >>> round(Coefficient("kappa", 0.5, error=0.2, freedom=11).p_value(), 4)
        0.0295
        """
        if not self.error > 0:
            return math.nan
        from cranfield.comparing.significance_tests.student import two_sided

        return two_sided((self.value - null) / self.error, self.freedom)

    def estimate(self) -> Estimate:
        """The value with its limits, as a table shows it."""
        return Estimate(self.value, self.low, self.high)

    def row(self, part: str, name: str = "", other: str = "", statistic: str = "") -> Row:
        """The value with its limits, about all judges or some of them."""
        return Row(part, name, other, statistic or self.name, self.value, self.low, self.high, self.items, self.reason)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "name": self.name,
            "value": finite(self.value),
            "interval": [finite(self.low), finite(self.high)],
            "error": finite(self.error),
            "observed": finite(self.observed),
            "expected": finite(self.expected),
            "items": self.items,
            "method": self.method,
            "reason": self.reason,
        }


def corrected(observed: npt.ArrayLike, expected: npt.ArrayLike) -> Floats:
    """Agreement beyond chance, as a share of what there could be: NaN where chance alone agrees fully.

    >>> corrected(0.75, 0.5)
    array(0.5)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        left = 1 - np.asarray(expected, dtype=np.float64)
        # Sums of shares may miss 1 by their last bit.
        return np.asarray(
            np.where(left > 1e-12, (np.asarray(observed) - expected) / np.where(left > 0, left, 1), np.nan)
        )


def with_error(coefficient: Coefficient, variance: float, confidence: float, degrees: float = math.inf) -> Coefficient:
    """With limits from a standard error: Student's t, or the normal distribution, within -1 and 1."""
    if math.isnan(coefficient.value) or coefficient.reason:
        return coefficient
    if math.isnan(variance) or degrees < 1:
        return replace(coefficient, reason=ONE_ITEM)
    error = math.sqrt(max(variance, 0.0))
    half = error * (t_limit(degrees, 1 - confidence) if math.isfinite(degrees) else _normal(confidence))
    low, high = max(coefficient.value - half, -1.0), min(coefficient.value + half, 1.0)
    return replace(coefficient, low=low, high=high, error=error, freedom=degrees, method="analytic")


def with_samples(
    coefficient: Coefficient, resampled: Floats, left_out: Floats, confidence: float, method: Method
) -> Coefficient:
    """With limits from values of random samples: bootstrap, corrected for bias and acceleration (BCa)."""
    if math.isnan(coefficient.value):
        return coefficient
    known = resampled[~np.isnan(resampled)]
    if 2 * len(known) < len(resampled) or len(known) < 2:
        return replace(coefficient, low=math.nan, high=math.nan, error=math.nan, method="", reason=SAMPLES_UNDEFINED)
    if float(np.abs(known - coefficient.value).max()) <= 1e-12:
        low = high = coefficient.value
        return replace(coefficient, low=low, high=high, error=0.0, method=method, reason=SAMPLES_EQUAL)
    left = left_out[~np.isnan(left_out)]
    left = left if 2 <= len(left) <= FEW_UNITS else np.array([coefficient.value, coefficient.value])
    lows, highs = bca_limits(np.array([coefficient.value]), known[None], left[None], confidence, np.array([1e-12]))
    # Corrected limits may pass by the estimate where nearly all samples lie on one side of it.
    low, high = min(float(lows[0]), coefficient.value), max(float(highs[0]), coefficient.value)
    return replace(coefficient, low=low, high=high, error=float(known.std(ddof=1)), method=method, reason="")


def _normal(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))


@dataclass(frozen=True, eq=False)
class Units:
    """What is drawn: queries, or patterns of labels, as often as there are items of each."""

    patterns: Patterns
    of_unit: Ints | None
    """The query of each item; nothing where items are drawn."""
    samples: int
    seed: int

    @property
    def method(self) -> Method:
        """What limits that come from these samples are called."""
        return "bootstrap of items" if self.of_unit is None else "bootstrap of queries"

    def summed(self, features: Any) -> Any:
        """Features of each unit, from those of patterns, which are an array or a sparse one."""
        return features if self.of_unit is None else self._patterns_of_unit @ features

    @cached_property
    def counted(self) -> Floats:
        """What each unit adds to sums, which follows from how many labels of each category a pattern has."""
        counts = self.patterns.counts
        if self.of_unit is None:
            return features(counts)
        blocks = self._unit_blocks(features(counts[:1]).shape[1])
        return np.vstack([units[:, which] @ features(counts[which]) for units, which in blocks])

    def sampled(self, units: Any, value: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
        """A value of sums over random samples with replacement, and without one unit each: a row per sample.

        Without one each, there is a single row where there are so many that none matters.
        """
        rows = max(1, CELLS // max(units.shape[1], 1))
        # By column of the units, a sum stays in the cache until it is complete.
        columns = units if isinstance(units, np.ndarray) else units.T.tocsr()
        drawn = [value(_product(counts, columns)) for counts in self._draws(rows)]
        total = _product(self._times[None], columns)
        if self._times.sum() > FEW_UNITS:
            return np.concatenate(drawn), value(total)
        parts = (units[at : at + rows] for at in range(0, units.shape[0], rows))
        left = [value(total - (part if isinstance(part, np.ndarray) else part.toarray())) for part in parts]
        return np.concatenate(drawn), np.concatenate(left)

    def limited(self, coefficient: Coefficient, resampled: Floats, left_out: Floats, confidence: float) -> Coefficient:
        """A coefficient with limits from its values in samples, and without one unit each."""
        if self._times.sum() < 2:
            reason = coefficient.reason or ONE_ITEM
            return replace(coefficient, low=math.nan, high=math.nan, error=math.nan, method="", reason=reason)
        each = left_out if len(left_out) < len(self._times) else np.repeat(left_out, self._times.astype(np.int64))
        sampled = with_samples(coefficient, resampled, each, confidence, self.method)
        return replace(sampled, freedom=float(self._times.sum()) - 1)

    def _draws(self, rows: int) -> Iterator[Floats]:
        """How often each unit is in each of some samples, some at a time; kept where they are few."""
        whole = (
            [self._kept] if self.samples * len(self._times) <= KEPT else _drawn(self._times, self.samples, self.seed)
        )
        return (block[at : at + rows] for block in whole for at in range(0, len(block), rows))

    @cached_property
    def _patterns_of_unit(self) -> Any:
        """How often each query has each pattern: sparse."""
        from scipy.sparse import csr_array

        assert self.of_unit is not None
        ones = np.ones(len(self.of_unit))
        shape = len(self._times), len(self.patterns.times)
        return csr_array((ones, (self.of_unit, self.patterns.of_item)), shape=shape)

    def _unit_blocks(self, width: int) -> Iterator[tuple[Any, Ints]]:
        """Some queries at a time, and the patterns that they have."""
        table = self._patterns_of_unit
        block = np.cumsum(np.diff(table.indptr)) // max(1, CELLS // width)
        ends = [*(np.flatnonzero(np.diff(block)) + 1).tolist(), table.shape[0]]
        for begin, end in zip([0, *ends[:-1]], ends, strict=True):
            some = table[begin:end]
            yield some, np.unique(some.indices)

    @cached_property
    def _times(self) -> Floats:
        """How many there are of each unit."""
        return self.patterns.times if self.of_unit is None else np.ones(int(self.of_unit.max()) + 1)

    @cached_property
    def _kept(self) -> Floats:
        return np.vstack(list(_drawn(self._times, self.samples, self.seed)))


def _product(counts: Floats, units: Any) -> Floats:
    """Sums over units, which stand in rows, or in columns where they are sparse."""
    return np.asarray(counts @ units if isinstance(units, np.ndarray) else (units @ counts.T).T)


def _drawn(times: Floats, samples: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng(seed)
    count = int(times.sum())
    rows = max(1, CELLS // max(len(times), 1))
    for begin in range(0, samples, rows):
        drawn = generator.multinomial(count, times / times.sum(), size=min(rows, samples - begin))
        yield drawn.astype(np.float64)
