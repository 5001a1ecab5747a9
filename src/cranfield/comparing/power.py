"""What a number of queries can show, and how many a difference needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_not_negative, require_share, require_whole
from cranfield.comparing.paired import defined, mean
from cranfield.errors import UsageError
from cranfield.evaluating.aggregate import t_limit

ALPHA, POWER = 0.05, 0.8
LEAST_ALPHA = 1e-30
MOST_QUERIES = 10**9
_CELLS = 1 << 20


def t_test_power(difference: float, deviation: float, queries: int, *, alpha: float = ALPHA) -> float:
    r"""The power of the two-sided paired t test: how likely it finds a difference that there is.

    .. math:: P(|T| > t_{n-1, 1-\alpha/2}), \quad T \sim t'_{n-1}(\lambda), \; \lambda = \sqrt n \, \delta / \sigma

    δ is the true mean difference, σ the standard deviation of the differences, and t' Student's t with noncentrality
    λ: exact for normal differences (Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd edition 1988).
    NaN with fewer than two queries; 1 where differences do not vary.

    Half a standard deviation, on 34 queries:

    >>> print(round(t_test_power(0.05, 0.1, 34), 4))
    0.8078
    """
    _level(alpha)
    require_whole(queries, "queries", least=0)
    sigma = require_not_negative(deviation, "deviation")
    if queries < 2:
        return math.nan
    if not sigma:
        return 1.0 if difference else alpha
    return _power(abs(difference) / sigma, queries, alpha)


def detectable_difference(deviation: float, queries: int, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest true difference that these queries show with the wanted power, by the paired t test.

    It depends on how much differences vary between queries, not on the difference observed. What is smaller may well
    be there, but would mostly be missed. NaN with fewer than two queries; 0 where differences do not vary.

    >>> print(round(detectable_difference(0.1, 50), 4))
    0.0404
    """
    _level(alpha)
    wanted = _possible(power, alpha)
    sigma = require_not_negative(deviation, "deviation")
    if require_whole(queries, "queries", least=0) < 2:
        return math.nan
    return sigma * _detectable_effect(int(queries), alpha, wanted)


def queries_needed(difference: float, deviation: float, *, alpha: float = ALPHA, power: float = POWER) -> int:
    """How many queries the paired t test needs to show a difference with the wanted power.

    This is topic set size design (Sakai, Information Retrieval Journal 19(3), 2016, doi:10.1007/s10791-015-9273-z) with
    the exact noncentral t distribution instead of its approximation. The deviation is that of differences between two
    systems per query, best taken from earlier pairs of systems.

    >>> queries_needed(0.05, 0.1)
    34
    """
    _level(alpha)
    wanted = _possible(power, alpha)
    sigma = require_not_negative(deviation, "deviation")
    if not require_not_negative(abs(difference), "difference"):
        raise UsageError("No number of queries shows a difference of 0; give the smallest difference that matters.")
    if not sigma:
        return 2
    return fewest_queries(lambda queries: _power(abs(difference) / sigma, queries, alpha), wanted)


def fewest_queries(power_of: Callable[[int], float], wanted: float) -> int:
    """The least number of queries, from 2 on, with which a rising power reaches what is wanted.

    >>> fewest_queries(lambda queries: 1 - 1 / queries, 0.9)
    10
    """
    high = 2
    while power_of(high) < wanted:
        high *= 2
        if high > MOST_QUERIES:
            raise UsageError(f"More than {MOST_QUERIES:,} queries would be needed; ask for a larger difference.")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(middle) >= wanted else (middle, high)
    return high


def simulated_power(
    differences: npt.ArrayLike,
    difference: float,
    queries: int,
    *,
    alpha: float = ALPHA,
    samples: int = 10_000,
    rng: Rng = 0,
) -> float:
    """The power of the paired t test where differences are spread as the observed ones are, not normally.

    Samples of so many queries are drawn, with replacement, from the observed differences, shifted so that their mean is
    the difference asked about; the power is the share of samples for which p is at most alpha. Samples whose values are
    all equal show nothing. Undefined differences are left out; NaN with fewer than two.

    >>> print(simulated_power([0.1, -0.1, 0.3, 0, 0.05, -0.2, 0.15], 0.1, queries=50))
    0.99...
    """
    kept = defined(differences)
    require_whole(queries, "queries", least=2)
    require_whole(samples, "samples")
    if len(kept) < 2:
        return math.nan
    limit = t_limit(queries - 1, _level(alpha))
    population = kept - mean(kept)
    generator = np.random.default_rng(as_seed(rng))
    found = 0
    for begin in range(0, samples, rows := max(1, _CELLS // queries)):
        drawn = population[generator.integers(0, len(kept), size=(min(rows, samples - begin), queries), dtype=np.int64)]
        spread = drawn.std(axis=1, ddof=1)
        # Next to a large difference, those between queries would be lost in rounding: it is added to their mean.
        means = np.abs(drawn.mean(axis=1) + difference)
        found += int((means * math.sqrt(queries) >= limit * spread)[spread > 0].sum())
    return found / samples


@lru_cache(maxsize=256)
def _detectable_effect(queries: int, alpha: float, wanted: float) -> float:
    """The same in standard deviations; pairs of systems mostly share it, as they have the same queries."""
    low, high = 0.0, 1.0
    while _power(high, queries, alpha) < wanted:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(middle, queries, alpha) >= wanted else (middle, high)
    return high


def _level(alpha: float) -> float:
    if require_share(alpha, "alpha") < LEAST_ALPHA:
        raise UsageError(
            f"alpha, divided by the number of comparisons, must be at least {LEAST_ALPHA:g}, not {alpha:g}."
        )
    return alpha


def _possible(power: float, alpha: float) -> float:
    if require_share(power, "power") <= alpha:
        raise UsageError(f"power must be above alpha, {alpha:g}, the rate of false positives; not {power!r}.")
    return power


def _power(effect: float, queries: int, alpha: float) -> float:
    from scipy.special import nctdtr

    freedom = queries - 1
    limit = t_limit(freedom, alpha)
    noncentrality = math.sqrt(queries) * effect
    # SciPy gives NaN for tails that are too small to tell from 0.
    below, above = (np.nan_to_num(nctdtr(freedom, noncentrality, t)) for t in (-limit, limit))
    return float(1 - above + below)
