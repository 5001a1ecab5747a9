"""What a significance test says, and why it may have nothing to say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.paired import mean

Method = Literal["", "exact", "Monte Carlo", "Student's t", "normal approximation", "own test"]

NO_QUERY = "no query has a defined score for both systems"
ONE_QUERY = "a single query shows no variance"
NO_DIFFERENCE = "the systems score the same for every query"
NO_VARIANCE = "the difference is the same for every query, so there is no variance to measure it by"
INFINITE = "a score is infinite"

SMALLEST = float(np.finfo(np.float64).tiny)
"""A p-value that is too small for a floating-point number is given as this one, never as 0."""


@dataclass(frozen=True)
class Significance:
    """The outcome of a two-sided test of two systems, paired by query."""

    difference: float
    """The mean over queries of the first system's score less the second's."""
    statistic: float
    p: float
    """How likely a statistic at least as extreme is if the systems do not differ: above 0, at most 1; NaN only with a
    `reason`."""
    queries: int
    """How many queries have a defined score for both systems."""
    method: Method = ""
    """How p was found; empty where there was nothing to find."""
    resamples: int = 0
    """How many random patterns or samples p was counted from; 0 where it was not."""
    reason: str = ""
    """Why there is no p, or why it is 1 without a test."""


def without_test(differences: Floats, *, needs_variance: bool = False) -> Significance | None:
    """The outcome for differences that leave nothing to test; they are defined and without noise.

    >>> without_test(np.zeros(3))
    Significance(difference=0.0, statistic=0.0, p=1.0, queries=3, method='', resamples=0, reason='the systems ...')
    """
    queries = len(differences)
    if not queries:
        return Significance(math.nan, math.nan, math.nan, 0, reason=NO_QUERY)
    if not np.isfinite(differences).all():
        return Significance(math.nan, math.nan, math.nan, queries, reason=INFINITE)
    difference = mean(differences)
    if not differences.any():
        return Significance(0.0, 0.0, 1.0, queries, reason=NO_DIFFERENCE)
    if needs_variance and queries == 1:
        return Significance(difference, math.nan, math.nan, queries, reason=ONE_QUERY)
    return None


def as_probability(p: float) -> float:
    """A p-value within (0, 1], whatever rounding made of it.

    >>> as_probability(0.0), as_probability(1 + 1e-15)
    (2.2250738585072014e-308, 1.0)
    """
    return min(max(float(p), SMALLEST), 1.0)


def monte_carlo_p(exceeding: int, resamples: int) -> float:
    """The p-value of a Monte Carlo test; what was observed counts as one of the patterns, so it is never 0.

    .. math:: p = (b + 1) / (B + 1)

    (Davison & Hinkley, Bootstrap Methods and their Application, 1997, section 4.2;
    Phipson & Smyth, SAGMB 9(1), 2010, doi:10.2202/1544-6115.1585.)

    >>> monte_carlo_p(4, 99)
    0.05
    """
    return (exceeding + 1) / (resamples + 1)


def from_count(
    difference: float, statistic: float, exceeding: int, patterns: int, queries: int, *, exact: bool
) -> Significance:
    """The outcome of a test that counted patterns as extreme as what was observed: all patterns, or random ones.

    >>> from_count(0.5, 0.5, exceeding=2, patterns=8, queries=3, exact=True).p
    0.25
    """
    if exact:
        return Significance(difference, statistic, as_probability(exceeding / patterns), queries, "exact")
    return Significance(
        difference, statistic, monte_carlo_p(exceeding, patterns), queries, "Monte Carlo", resamples=patterns
    )
