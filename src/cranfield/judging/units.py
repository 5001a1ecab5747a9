"""Random samples of what was labelled: of queries, whose documents come along together, or of single items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.judging.coefficient import FEW_UNITS, ONE_ITEM, Coefficient, Method, with_samples
from cranfield.judging.counting import Patterns

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Interval = Literal["queries", "items", "analytic"]
INTERVALS: tuple[Interval, ...] = ("queries", "items", "analytic")

SAMPLES = 1_000
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

    def summed(self, features: Floats) -> tuple[Floats, Floats]:
        """Features of each unit, from those of patterns; and how many there are of each unit."""
        if self.of_unit is None:
            return features, self._times
        from scipy.sparse import csr_array

        ones = np.ones(len(self.of_unit))
        shape = len(self._times), len(features)
        together = csr_array((ones, (self.of_unit, self.patterns.of_item)), shape=shape) @ features
        return together, self._times

    def resampled(self, features: Floats) -> Floats:
        """Sums of features over samples with replacement: a row per sample."""
        units, _ = self.summed(features)
        return np.vstack([counts @ units for counts in self._draws()])

    def left_out(self, features: Floats) -> Floats:
        """Sums of features without one unit each; a single row where there are so many that none matters."""
        units, times = self.summed(features)
        total = times @ units
        return total[None] if times.sum() > FEW_UNITS else total - units

    def limited(self, found: Coefficient, resampled: Floats, left_out: Floats, confidence: float) -> Coefficient:
        """A coefficient with limits from its values in samples, and without one unit each."""
        if self._times.sum() < 2:
            return replace(
                found, low=math.nan, high=math.nan, error=math.nan, method="", reason=found.reason or ONE_ITEM
            )
        each = left_out if len(left_out) < len(self._times) else np.repeat(left_out, self._times.astype(np.int64))
        return with_samples(found, resampled, each, confidence, self.method)

    def _draws(self) -> Iterator[Floats]:
        """How often each unit is in each of some samples, some at a time; kept where they are few."""
        if self.samples * len(self._times) <= KEPT:
            yield self._kept
        else:
            yield from _drawn(self._times, self.samples, self.seed)

    @cached_property
    def _times(self) -> Floats:
        """How many there are of each unit."""
        return self.patterns.times if self.of_unit is None else np.ones(int(self.of_unit.max()) + 1)

    @cached_property
    def _kept(self) -> Floats:
        return np.vstack(list(_drawn(self._times, self.samples, self.seed)))


def _drawn(times: Floats, samples: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng(seed)
    count = int(times.sum())
    rows = max(1, CELLS // max(len(times), 1))
    for begin in range(0, samples, rows):
        drawn = generator.multinomial(count, times / times.sum(), size=min(rows, samples - begin))
        yield drawn.astype(np.float64)
