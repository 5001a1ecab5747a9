"""How long runs took: median and 95th percentile of each, and paired differences with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.data.request_log import median_and_p95, millisecond_places
from cranfield.evaluating.scores import Scores
from cranfield.phrases import percent
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Rounded, Table, finite, number


class RunLatency(NamedTuple):
    """How long one run took, in milliseconds."""

    run: str
    queries: int
    median: float
    p95: float
    """95 of 100 queries took no longer."""
    at_once: int
    """Requests at a time while it was measured."""


class LatencyDifference(NamedTuple):
    """How much longer one run took than another, query by query, in milliseconds."""

    run: str
    baseline: str
    queries: int
    """Those that both answered."""
    difference: float
    """The median of the differences."""
    low: float
    high: float
    """NaN where there are too few queries for an interval."""


def median_interval(values: npt.ArrayLike, confidence: float) -> tuple[float, float, float]:
    r"""The median, and an interval for it that assumes nothing about how values are distributed.

    The k-th smallest and the k-th largest value, with the largest k for which

    .. math:: 2 \sum_{i < k} \binom{n}{i} 2^{-n} \le 1 - c

    Of fewer than six values, none is wide enough for 95% (Conover, Practical Nonparametric Statistics, 1999, 3.2).

    >>> median_interval([5, 1, 4, 2, 3, 9, 7, 8, 6], 0.95)
    (5.0, 2.0, 8.0)
    >>> median_interval([1, 2, 3], 0.95)
    (2.0, nan, nan)
    """
    from scipy.special import bdtr

    ordered = np.sort(np.asarray(values, dtype=np.float64))
    count = len(ordered)
    middle = float(np.median(ordered)) if count else math.nan
    tails = 2 * bdtr(np.arange(count // 2 + 1), count, 0.5) if count else np.array([1.0])
    below = int(np.count_nonzero(tails <= 1 - confidence))
    if not below:
        return middle, math.nan, math.nan
    return middle, float(ordered[below - 1]), float(ordered[count - below])


@dataclass(frozen=True, eq=False, repr=False)
class LatencyComparison(Answer):
    """How long runs took; shows itself as a sentence and a table."""

    runs: tuple[RunLatency, ...]
    differences: tuple[LatencyDifference, ...]
    confidence: float

    @property
    def places(self) -> int:
        """Decimals of milliseconds: more where all are short."""
        return millisecond_places(max(one.median for one in self.runs))

    def verdict(self) -> str:
        """The median of each run."""
        shown = ", ".join(f"{one.run} {number(one.median, self.places)} ms" for one in self.runs)
        return f"Latency (median): {shown}."

    def table(self) -> Table:
        """A row for every run, and for every run that it is compared with."""
        rows = list(self._rows())
        columns: dict[str, list[Cell]] = {
            "run": [one.run for one, _ in rows],
            "median (ms)": [Rounded(one.median, self.places) for one, _ in rows],
            "95th percentile (ms)": [Rounded(one.p95, self.places) for one, _ in rows],
            "queries": [one.queries for one, _ in rows],
        }
        if self.differences:
            columns["compared with"] = ["" if pair is None else pair.baseline for _, pair in rows]
            columns["difference (ms)"] = [None if pair is None else _estimate(pair, self.places) for _, pair in rows]
        return Table(columns, notes=tuple(self._notes()))

    def rows(self) -> Table:
        """The same for programs, with every digit."""
        rows = list(self._rows())
        pairs = [pair for _, pair in rows]
        columns: dict[str, list[Cell]] = {
            "run": [one.run for one, _ in rows],
            "baseline": [None if pair is None else pair.baseline for pair in pairs],
            "queries": [one.queries if pair is None else pair.queries for one, pair in rows],
            "median_ms": [one.median for one, _ in rows],
            "p95_ms": [one.p95 for one, _ in rows],
            "difference_ms": [None if pair is None else pair.difference for pair in pairs],
            "low_ms": [None if pair is None else finite(pair.low) for pair in pairs],
            "high_ms": [None if pair is None else finite(pair.high) for pair in pairs],
        }
        return Table(columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, in milliseconds."""
        return {
            "verdict": self.verdict(),
            "confidence": self.confidence,
            "runs": [one._asdict() for one in self.runs],
            "differences": [
                {**pair._asdict(), "low": finite(pair.low), "high": finite(pair.high)} for pair in self.differences
            ],
        }

    def _rows(self) -> Iterator[tuple[RunLatency, LatencyDifference | None]]:
        for one in self.runs:
            pairs = [pair for pair in self.differences if pair.run == one.run]
            yield from ((one, pair) for pair in pairs)
            if not pairs:
                yield one, None

    def _notes(self) -> Iterator[str]:
        yield "Milliseconds from the request to the answer, as measured when each run was made; failures are left out."
        if self.differences:
            yield (
                f"difference: median of the paired differences, with its {percent(self.confidence)} interval (order "
                "statistics)."
            )
        if len({one.at_once for one in self.runs}) > 1:
            each = ", ".join(f"{one.run} {one.at_once}" for one in self.runs)
            yield f"Measured with different numbers of requests at a time ({each}): the latencies are not comparable."


def latency_comparison(
    results: Scores, pairs: Sequence[tuple[str, str]], confidence: float
) -> LatencyComparison | None:
    """Latencies of the runs that have any, and their differences from those they are compared with."""
    times: dict[str, Mapping[str, float]] = {}
    runs = []
    for run, facts in zip(results.runs, results.provenance.runs, strict=True):
        measured = facts.times
        if measured is not None and measured.milliseconds:
            times[run] = measured.milliseconds
            median, p95 = median_and_p95(measured.milliseconds.values())
            runs.append(RunLatency(run, len(measured.milliseconds), median, p95, measured.at_once))
    if not runs:
        return None
    both = [(run, baseline) for run, baseline in pairs if run in times and baseline in times]
    found = [_difference(run, baseline, times[run], times[baseline], confidence) for run, baseline in both]
    return LatencyComparison(tuple(runs), tuple(one for one in found if one.queries), confidence)


def _difference(
    run: str, baseline: str, times: Mapping[str, float], others: Mapping[str, float], confidence: float
) -> LatencyDifference:
    differences = [time - others[query] for query, time in times.items() if query in others]
    return LatencyDifference(run, baseline, len(differences), *median_interval(differences, confidence))


def _estimate(pair: LatencyDifference, places: int) -> Estimate:
    return Estimate(Rounded(pair.difference, places), pair.low, pair.high)
