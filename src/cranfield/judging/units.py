"""Random samples of what was labelled: of queries, whose documents come along together, or of single items."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.judging.coefficient import FEW_UNITS, ONE_ITEM, Coefficient, Method, with_samples
from cranfield.judging.counting import Patterns

Interval = Literal["queries", "items", "analytic"]
INTERVALS: tuple[Interval, ...] = ("queries", "items", "analytic")

SAMPLES, FEWEST_SAMPLES = 1_000, 20
CELLS = 1 << 22
KEPT = 1 << 24
"""Cells of samples that are drawn once and kept for every coefficient."""


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

    def counted(self, features: Callable[[Floats], Floats]) -> Floats:
        """The same where features follow from how many labels of each category a pattern has."""
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
        drawn = [value(_product(counts, units)) for counts in self._draws(rows)]
        total = _product(self._times[None], units)
        if self._times.sum() > FEW_UNITS:
            return np.concatenate(drawn), value(total)
        parts = (units[at : at + rows] for at in range(0, units.shape[0], rows))
        left = [value(total - (part if isinstance(part, np.ndarray) else part.toarray())) for part in parts]
        return np.concatenate(drawn), np.concatenate(left)

    def limited(self, found: Coefficient, resampled: Floats, left_out: Floats, confidence: float) -> Coefficient:
        """A coefficient with limits from its values in samples, and without one unit each."""
        if self._times.sum() < 2:
            return replace(
                found, low=math.nan, high=math.nan, error=math.nan, method="", reason=found.reason or ONE_ITEM
            )
        each = left_out if len(left_out) < len(self._times) else np.repeat(left_out, self._times.astype(np.int64))
        return with_samples(found, resampled, each, confidence, self.method)

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
        held = np.cumsum(np.diff(table.indptr)) // max(1, CELLS // width)
        ends = [*(np.flatnonzero(np.diff(held)) + 1).tolist(), table.shape[0]]
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
    return np.asarray(counts @ units if isinstance(units, np.ndarray) else (units.T @ counts.T).T)


def _drawn(times: Floats, samples: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng(seed)
    count = int(times.sum())
    rows = max(1, CELLS // max(len(times), 1))
    for begin in range(0, samples, rows):
        drawn = generator.multinomial(count, times / times.sum(), size=min(rows, samples - begin))
        yield drawn.astype(np.float64)
