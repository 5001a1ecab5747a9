"""Intervals for the mean of scores, or of differences between scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_share, require_whole
from cranfield.arrays import Floats
from cranfield.comparing.paired import TOLERANCE, defined, deviation, mean, score_table, value_per_query
from cranfield.comparing.significance_tests.pairwise import random_samples
from cranfield.evaluating.aggregate import t_limit

CONFIDENCE = 0.95
SAMPLES = 10_000
"""A limit of a 95 % interval then varies from seed to seed by 2 % of half of the interval's width."""

NO_VALUE = "no query has a defined value"
ONE_VALUE = "a single query shows no variance"
SAME_VALUE = "the value is the same for every query"
INFINITE = "a value is infinite"

_CHUNK = 256


@dataclass(frozen=True)
class Interval:
    """A mean and what it may be, had other queries of the same kind been drawn."""

    value: float
    low: float
    high: float
    """Limits; NaN only with a `reason`."""
    queries: int
    """How many queries have a defined value."""
    method: Literal["", "Student's t", "BCa bootstrap", "bootstrap standard error"] = ""
    reason: str = ""
    """Why there are no limits, or why both are the value itself."""


def t_interval(values: npt.ArrayLike, *, confidence: float = CONFIDENCE) -> Interval:
    r"""The mean with an interval from Student's t.

    .. math:: \bar x \pm t_{n-1} \, s / \sqrt n

    Undefined values are left out. A single value has no interval, and that of equal values has no width.

    >>> t_interval([1, 2, 3, 4])
    Interval(value=2.5, low=0.445..., high=4.554..., queries=4, method="Student's t", reason='')
    """
    require_share(confidence, "confidence")
    kept = defined(values)
    interval, spread = _without_limits(kept)
    if interval.reason:
        return interval
    half = t_limit(len(kept) - 1, 1 - confidence) * spread / math.sqrt(len(kept))
    return Interval(interval.value, interval.value - half, interval.value + half, len(kept), "Student's t")


def standard_error_interval(
    values: npt.ArrayLike, resampled: npt.ArrayLike, *, confidence: float = CONFIDENCE
) -> Interval:
    r"""The mean with an interval from the standard deviation of what samples of the queries have in its place.

    .. math:: \bar x \pm t_{n-1} \max\left(s / \sqrt n, \; s_* \sqrt{n / (n-1)}\right)

    For values that depend on what all queries chose: s* is the standard deviation of the means of samples that chose
    again (Efron, Annals of Statistics 7(1), 1979, doi:10.1214/aos/1176344552). It is larger than it should be rather
    than smaller, since a sample has fewer different queries to choose by; but never smaller than without any choice.

    >>> standard_error_interval([1, 2, 3, 4], [2, 3, 4, 1]).low
    -2.2441...
    """
    require_share(confidence, "confidence")
    kept = defined(values)
    interval, spread = _without_limits(kept)
    if interval.reason not in ("", SAME_VALUE):
        return interval
    count = len(kept)
    chosen = deviation(np.asarray(resampled, dtype=np.float64)) * math.sqrt(count / (count - 1))
    if not (error := max(spread / math.sqrt(count), chosen)):
        return interval
    half = t_limit(count - 1, 1 - confidence) * error
    return Interval(interval.value, interval.value - half, interval.value + half, count, "bootstrap standard error")


def bca_interval(
    values: npt.ArrayLike, *, confidence: float = CONFIDENCE, samples: int = SAMPLES, rng: Rng = 0
) -> Interval:
    r"""The mean with a bootstrap interval, corrected for bias and acceleration (BCa).

    .. math:: \alpha_\pm = \Phi\Big(z_0 + \frac{z_0 \pm z}{1 - a (z_0 \pm z)}\Big)

    The limits are these quantiles of the means of samples drawn with replacement; z is the normal quantile of the
    confidence, z_0 that of the share of samples with a smaller mean than the observed one (ties count half), and a the
    skewness of the means that leave out one query each, divided by 6 (Efron, JASA 82(397), 1987,
    doi:10.2307/2289144). Quantile α of B samples is the (B + 1) α-th smallest, interpolated between neighbours.

    Unlike Student's it follows skewed scores and never leaves their range; with fewer than ten or so queries both are
    too narrow, this one more. Undefined values are left out. A single value has no interval, and that of equal values
    has no width.

    >>> bca_interval([0, 0, 0, 0.1, 0.1, 0.2, 0.3, 1])
    Interval(value=0.2125, low=0.075, high=0.575..., queries=8, method='BCa bootstrap', reason='')
    """
    return bca_intervals([value_per_query(values)], confidence=confidence, samples=samples, rng=rng)[0]


def bca_intervals(
    rows: npt.ArrayLike, *, confidence: float = CONFIDENCE, samples: int = SAMPLES, rng: Rng = 0
) -> list[Interval]:
    """The same for many rows of values, of systems or pairs of systems, with a column per query.

    Rows with the same queries share their random samples, so each has the interval that it has alone.

    >>> [interval.reason for interval in bca_intervals([[0.5, np.nan, 0.2], [0.1, np.nan, 0.1]])]
    ['', 'the value is the same for every query']
    """
    table = score_table(rows)
    require_share(confidence, "confidence")
    require_whole(samples, "samples")
    seed = as_seed(rng)
    intervals = [_without_limits(defined(row))[0] for row in table]
    undecided = np.array([at for at, interval in enumerate(intervals) if not interval.reason], dtype=np.int64)
    masks, group = np.unique(~np.isnan(table[undecided]), axis=0, return_inverse=True)
    for which, mask in enumerate(masks):
        of_group = undecided[group.ravel() == which]
        for chosen in np.array_split(of_group, range(_CHUNK, len(of_group), _CHUNK)):
            for at, interval in zip(chosen, _bca(table[chosen][:, mask], confidence, samples, seed), strict=True):
                intervals[at] = interval
    return intervals


def bca_limits(
    values: Floats, resampled: Floats, left_out: Floats, confidence: float, equal: Floats
) -> tuple[Floats, Floats]:
    """The limits of BCa intervals for any statistics: observed, of samples, and of leaving out each query.

    There is a row per statistic, and along it a column per sample or query left out. Values of samples that differ by
    no more than `equal` from the observed one are ties.

    >>> resampled = np.arange(1, 100)[None] / 100
    >>> bca_limits(np.array([0.5]), resampled, np.array([[0.4, 0.5, 0.6]]), 0.9, np.array([1e-9]))
    (array([0.05]), array([0.95]))
    """
    from scipy.special import ndtr, ndtri

    below = (resampled < (values - equal)[:, None]).mean(axis=1)
    above = (resampled > (values + equal)[:, None]).mean(axis=1)
    bias = ndtri((below + 1 - above) / 2)
    from_mean = left_out.mean(axis=1, keepdims=True) - left_out
    squares = (from_mean**2).sum(axis=1)
    acceleration = (from_mean**3).sum(axis=1) / np.where(squares > 0, 6 * squares**1.5, 1)
    limits = []
    ordered = np.sort(resampled, axis=1)
    for side in (-1, 1):
        from_bias = bias + side * ndtri((1 + confidence) / 2)
        # Where the correction has no value any more, the quantile is the last one there is. So it is where all samples
        # lie on one side of the value: the bias is infinite then, and its product with no acceleration is undefined.
        with np.errstate(over="ignore", invalid="ignore"):
            slowed = np.maximum(1 - acceleration * from_bias, np.finfo(np.float64).tiny)
            probabilities = ndtr(np.where(np.isinf(bias), bias, bias + from_bias / slowed))
        limits.append(_quantiles(ordered, probabilities))
    return limits[0], limits[1]


def _without_limits(values: Floats) -> tuple[Interval, float]:
    """The mean, with the reason where there can be no limits, and the standard deviation."""
    if not len(values):
        return Interval(math.nan, math.nan, math.nan, 0, reason=NO_VALUE), math.nan
    if not np.isfinite(values).all():
        return Interval(math.nan, math.nan, math.nan, len(values), reason=INFINITE), math.nan
    value, spread = mean(values), deviation(values)
    if len(values) == 1:
        return Interval(value, math.nan, math.nan, 1, reason=ONE_VALUE), spread
    return Interval(value, value, value, len(values), reason="" if spread else SAME_VALUE), spread


def _bca(rows: Floats, confidence: float, samples: int, seed: int) -> list[Interval]:
    queries = rows.shape[1]
    resampled = np.hstack([rows @ counts.T / queries for counts in random_samples(queries, samples, seed)])
    values = np.array([mean(row) for row in rows])
    left_out = (values[:, None] * queries - rows) / (queries - 1)
    low, high = bca_limits(values, resampled, left_out, confidence, TOLERANCE * np.abs(rows).max(axis=1))
    return [
        Interval(*limits, queries, "BCa bootstrap")
        for limits in zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def _quantiles(ordered: Floats, probabilities: Floats) -> Floats:
    """Of each ordered row its own quantile: the (B + 1) α-th smallest, interpolated, at most the largest."""
    count = ordered.shape[1]
    place = np.clip(probabilities * (count + 1), 1, count)
    before = np.floor(place).astype(np.int64)
    rows = np.arange(len(ordered))
    low, high = ordered[rows, before - 1], ordered[rows, np.minimum(before, count - 1)]
    return low + (place - before) * (high - low)
