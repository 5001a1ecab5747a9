"""Several runs of one system, with different seeds: how much they vary, and what that leaves of a difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.comparing.significance_tests.student import two_sided
from cranfield.errors import UsageError

NO_QUERY = "no query has a defined score for every run"
ONE_QUERY = "a single query shows no variance"
ONE_SEED = "a single seed shows no variance between seeds"
NO_VARIANCE = "neither queries nor seeds make the difference vary, so there is nothing to measure it by"
NO_DIFFERENCE = "all runs score the same for every query"
INFINITE = "a score is infinite"


@dataclass(frozen=True)
class VarianceComponents:
    """Where the variance of one run's score for one query comes from.

    Estimates can come out below 0 where a component is small; such count as 0 and are named in `negative`.
    """

    query: float
    """Some queries are harder than others, for all systems and seeds."""
    system_by_query: float
    """Some queries are harder for one system than for another; NaN for a single system."""
    seed: float
    """Some seeds are better than others, for all queries."""
    residual: float
    """The rest: which seed suits which query, and noise; one score per seed and query cannot tell them apart."""
    negative: tuple[str, ...] = ()
    reason: str = ""
    """Why components are NaN."""


@dataclass(frozen=True)
class SeedsTest:
    """The difference of two systems, each run with several seeds, on the same queries."""

    difference: float
    """Mean over seeds and queries of the first system less that of the second."""
    error: float
    """Its standard error, had other queries and other seeds been drawn."""
    statistic: float
    freedom: float
    p: float
    """Above 0, at most 1; NaN only with a `reason`."""
    queries: int
    seeds: tuple[int, int]
    from_queries: float
    """What queries contribute to the variance of the difference, seeds being what they are."""
    from_seeds: float
    """What seeds contribute to it, queries being what they are."""
    reason: str = ""


def variance_components(scores: npt.ArrayLike) -> VarianceComponents:
    r"""Variances of queries, of seeds and of what remains, by the analysis of variance.

    .. math:: x_{srq} = \mu + \alpha_s + Q_q + (\alpha Q)_{sq} + S_{r(s)} + e_{r(s)q}

    `scores` has axes for systems, seeds and queries, or for seeds and queries of one system. Systems are fixed, queries
    and seeds random; every system has seeds of its own, and all the same queries. Expected mean squares give, for m
    systems, r seeds and n queries,

    .. math:: \sigma_e^2 = MS_e, \; \sigma_S^2 = \frac{MS_S - MS_e}{n}, \;
        \sigma_{\alpha Q}^2 = \frac{MS_{\alpha Q} - MS_e}{r}, \; \sigma_Q^2 = \frac{MS_Q - MS_{\alpha Q}}{m r}

    and with a single system MS_e takes the place of MS_αQ (Searle, Casella & McCulloch, Variance Components, 1992,
    chapter 4). Queries without a defined score for every run are left out.

    Rows are seeds. The second is better by 1 everywhere, queries are 0, 2 and 4, and nothing remains:

    >>> variance_components([[0, 2, 4], [1, 3, 5]])
    VarianceComponents(query=4.0, system_by_query=nan, seed=0.5, residual=0.0, negative=(), reason='')
    """
    table = np.asarray(scores, dtype=np.float64)
    table = table[None] if table.ndim == 2 else table
    if table.ndim != 3:
        raise UsageError("Scores of seeds have an axis for systems, one for seeds and one for queries.")
    table = table[:, :, ~np.isnan(table).any(axis=(0, 1))]
    systems, seeds, queries = table.shape
    if reason := _too_few(table) or (ONE_SEED if seeds < 2 else ""):
        return VarianceComponents(math.nan, math.nan, math.nan, math.nan, reason=reason)
    of_system = table.mean(axis=(1, 2), keepdims=True)
    of_query = table.mean(axis=(0, 1), keepdims=True)
    of_both = table.mean(axis=1, keepdims=True)
    of_seed = table.mean(axis=2, keepdims=True)
    grand = table.mean()
    ms_query = _mean_square(systems * seeds * (of_query - grand) ** 2, queries - 1)
    ms_seed = _mean_square(queries * (of_seed - of_system) ** 2, systems * (seeds - 1))
    ms_residual = _mean_square((table - of_seed - of_both + of_system) ** 2, systems * (seeds - 1) * (queries - 1))
    ms_both = ms_residual
    if systems > 1:
        ms_both = _mean_square(seeds * (of_both - of_system - of_query + grand) ** 2, (systems - 1) * (queries - 1))
    negative: list[str] = []
    return VarianceComponents(
        query=_component("query", (ms_query - ms_both) / (systems * seeds), negative),
        system_by_query=(
            _component("system_by_query", (ms_both - ms_residual) / seeds, negative) if systems > 1 else math.nan
        ),
        seed=_component("seed", (ms_seed - ms_residual) / queries, negative),
        residual=ms_residual,
        negative=tuple(negative),
    )


def seeds_test(first: npt.ArrayLike, second: npt.ArrayLike) -> SeedsTest:
    r"""Test of two systems that were run with several seeds each, on the same queries.

    .. math:: V = \frac{s_d^2}{n} + \sum_{i=1,2} \Big(\frac{s_{S_i}^2}{r_i} - \frac{MS_{e_i}}{n r_i}\Big),
        \quad t = \frac{\bar x_1 - \bar x_2}{\sqrt V}

    Rows are seeds, columns queries. s_d² is the variance over the n queries of the difference between the systems'
    means of seeds, s_S² the variance of a system's r seeds in their means of queries. Both hold what each seed does for
    each query, MS_e, which is therefore taken away once. That is the quasi-F test of systems with queries crossed and
    seeds nested in systems (for as many seeds each, V is 2 (MS_αQ + MS_S - MS_e) / (r n)), with every system its own
    variance of seeds, as Welch would. Degrees of freedom are Satterthwaite's: V² over the sum of each term squared by
    its own (Satterthwaite, Biometrics Bulletin 2(6), 1946, doi:10.2307/3002019).

    Averaging over seeds and testing queries only would take the seeds drawn for all there are, and more seeds for more
    queries; testing every seed with every query as if independent is worse.

    Where the part of seeds (or of queries) would be below 0 it counts as 0, and the other remains. A system with a
    single run counts as one whose seeds do not vary: right for one without seeds, otherwise the result speaks of that
    run only; with one run each it is the paired t test. Queries without a defined score for every run are left out.

    >>> first = [[0.5, 0.7, 0.4, 0.9], [0.6, 0.7, 0.5, 0.8], [0.5, 0.8, 0.3, 0.9]]
    >>> second = [[0.4, 0.6, 0.3, 0.7], [0.3, 0.6, 0.4, 0.6], [0.5, 0.5, 0.3, 0.8]]
    >>> result = seeds_test(first, second)
    >>> print(round(result.difference, 4), round(result.p, 4))
    0.1333 0.0109
    """
    one, two = _shared(first, second)
    seeds, queries = (len(one), len(two)), one.shape[1]
    if reason := _too_few(np.concatenate([one, two])[None]):
        nan = math.nan
        return SeedsTest(nan, nan, nan, nan, nan, queries, seeds, nan, nan, reason)
    per_query = one.mean(axis=0) - two.mean(axis=0)
    difference = float(per_query.mean())
    of_queries = _Part(float(per_query.var(ddof=1)) / queries, queries - 1)
    of_seeds = [_seed_part(runs) for runs in (one, two) if len(runs) > 1]
    shared = [_shared_part(runs) for runs in (one, two) if len(runs) > 1]
    from_seeds, overlap = (sum(part.variance for part in parts) for parts in (of_seeds, shared))
    parts = [of_queries, *of_seeds, *shared]
    variance = of_queries.variance + from_seeds - overlap
    if from_seeds <= overlap:
        parts, variance = [of_queries], of_queries.variance
    elif of_queries.variance <= overlap:
        parts, variance = of_seeds, from_seeds
    scale = float(max(np.abs(one).max(), np.abs(two).max()))
    if variance <= (1e-12 * scale) ** 2:
        same = abs(difference) <= 1e-12 * scale
        p, reason = (1.0, NO_DIFFERENCE) if same else (math.nan, NO_VARIANCE)
        return SeedsTest(difference, 0.0, math.nan, math.nan, p, queries, seeds, 0.0, 0.0, reason)
    freedom = variance**2 / sum(part.variance**2 / part.freedom for part in parts)
    t = difference / math.sqrt(variance)
    p = two_sided(t, freedom)
    return SeedsTest(difference, math.sqrt(variance), t, freedom, p, queries, seeds, of_queries.variance, from_seeds)


@dataclass(frozen=True)
class _Part:
    variance: float
    freedom: float


def _seed_part(runs: Floats) -> _Part:
    return _Part(float(runs.mean(axis=1).var(ddof=1)) / len(runs), len(runs) - 1)


def _shared_part(runs: Floats) -> _Part:
    """What the parts of queries and of seeds both hold."""
    seeds, queries = runs.shape
    rest = runs - runs.mean(axis=0) - runs.mean(axis=1, keepdims=True) + runs.mean()
    freedom = (seeds - 1) * (queries - 1)
    return _Part(float((rest**2).sum()) / freedom / (seeds * queries), freedom)


def _shared(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, Floats]:
    one, two = (np.atleast_2d(np.asarray(runs, dtype=np.float64)) for runs in (first, second))
    if one.ndim != 2 or two.ndim != 2 or one.shape[1] != two.shape[1]:
        raise UsageError("Both systems have a row per seed and the same queries as columns.")
    if not len(one) or not len(two):
        raise UsageError("Both systems need at least one run.")
    known = ~(np.isnan(one).any(axis=0) | np.isnan(two).any(axis=0))
    return one[:, known], two[:, known]


def _too_few(table: Floats) -> str:
    queries = table.shape[-1]
    if not queries:
        return NO_QUERY
    if not np.isfinite(table).all():
        return INFINITE
    return ONE_QUERY if queries == 1 else ""


def _component(name: str, estimate: float, negative: list[str]) -> float:
    if estimate < 0:
        negative.append(name)
    return max(estimate, 0.0)


def _mean_square(squares: Floats, freedom: int) -> float:
    return float(squares.sum()) / freedom
