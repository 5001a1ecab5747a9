"""How far two orders of the same systems agree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_share, require_whole
from cranfield.arrays import Floats
from cranfield.comparing.intervals import CONFIDENCE
from cranfield.comparing.paired import TOLERANCE, complete, score_table
from cranfield.comparing.significance_tests.pairwise import random_samples
from cranfield.errors import UsageError

Coefficient = Callable[[Floats, Floats], Floats]
"""Of the scores of systems along the last axis of two arrays, one value for each place along the axes before."""

SAMPLES = 2_000
"""The standard error is then known to 2 %."""
CELLS = 1 << 20

NO_QUERY = "no query has a defined score for every system"
ONE_QUERY = "a single query shows no variance"
NO_ORDER = "there is no order: too few systems, or all with the same score"
NO_ORDER_IN_SAMPLE = "most samples of queries leave all systems with the same score"


@dataclass(frozen=True)
class OrderCorrelation:
    """How far two orders agree, and how much that varies with the queries."""

    value: float
    low: float
    high: float
    """Limits; NaN only with a `reason`."""
    error: float
    """The standard error."""
    systems: int
    queries: int
    """Queries compared; of two different sets, those of the smaller."""
    reason: str = ""


def kendall_tau_a(one: npt.ArrayLike, two: npt.ArrayLike) -> Floats:
    r"""Kendall's tau-a: the share of pairs of systems in the same order, less the share in the opposite one.

    .. math:: \tau_a = \frac{1}{\binom m2} \sum_{i<j} \operatorname{sgn}(x_i - x_j) \operatorname{sgn}(y_i - y_j)

    Pairs that are tied in either order count in neither share, so ties keep it from 1 (Kendall, Biometrika 30(1-2),
    1938, doi:10.1093/biomet/30.1-2.81). Like all coefficients here it is given the systems' scores along the last axis,
    and there may be axes before; NaN with fewer than two systems.

    Of three pairs two agree:

    >>> print(kendall_tau_a([0.3, 0.2, 0.1], [0.3, 0.1, 0.2]).round(4))
    0.3333
    """
    x, y = _both(one, two)
    pairs = x.shape[-1] * (x.shape[-1] - 1)
    return _ratio(_sum(_signs(x) * _signs(y)), pairs)


def kendall_tau_b(one: npt.ArrayLike, two: npt.ArrayLike) -> Floats:
    r"""Kendall's tau-b: tau-a, divided by the most that ties leave possible.

    .. math:: \tau_b = \frac{\sum_{i<j} s_{ij} t_{ij}}{\sqrt{\sum_{i<j} s_{ij}^2 \sum_{i<j} t_{ij}^2}}

    s and t are the signs of differences in the two orders (Kendall, Biometrika 33(3), 1945,
    doi:10.1093/biomet/33.3.239). NaN if one of them ties all systems.

    >>> print(kendall_tau_b([0.3, 0.2, 0.2], [0.3, 0.2, 0.1]).round(4))
    0.8165
    """
    x, y = _both(one, two)
    signs, others = _signs(x), _signs(y)
    return _ratio(_sum(signs * others), np.sqrt(_sum(signs**2) * _sum(others**2)))


def tau_ap(truth: npt.ArrayLike, estimate: npt.ArrayLike) -> Floats:
    r"""AP correlation: Kendall's tau that weighs what happens at the top of the estimated order more.

    .. math:: \tau_{AP} = \frac{2}{m - 1} \sum_{i=2}^{m} \frac{C(i)}{i - 1} - 1

    C(i) counts the systems above rank i of the estimate that are above that system in truth as well (Yilmaz, Aslam &
    Robertson, SIGIR 2008, doi:10.1145/1390334.1390435). Ties in the estimate are broken in all ways and the mean taken,
    which is tau_AP,a of Urbano & Marrero, ICTIR 2017, doi:10.1145/3121050.3121106; of systems that tie in truth either
    order is half right.

    It is not symmetric; see `tau_ap_symmetric`. NaN with fewer than two systems.

    The estimate exchanges the first two: C is 0 of 1, then 2 of 2.

    >>> tau_ap([0.3, 0.2, 0.1], [0.2, 0.3, 0.1])
    array(0.)
    """
    x, y = _both(truth, estimate)
    signs = _signs(y)
    above = signs < 0  # j is above i
    top = above.sum(axis=-1)
    tied = (signs == 0).sum(axis=-1)
    weights = _mean_reciprocals(top, tied)
    agreeing = (above * -_signs(x)).sum(axis=-1)
    return _ratio((weights * agreeing).sum(axis=-1), x.shape[-1] - 1)


def tau_ap_symmetric(one: npt.ArrayLike, two: npt.ArrayLike) -> Floats:
    """AP correlation without a truth: the mean of taking either order for it (Yilmaz, Aslam & Robertson, 2008).

    >>> tau_ap_symmetric([0.3, 0.2, 0.1], [0.1, 0.3, 0.2])
    array(-0.25)
    """
    return np.asarray((tau_ap(one, two) + tau_ap(two, one)) / 2)


def tau_ap_b(one: npt.ArrayLike, two: npt.ArrayLike) -> Floats:
    r"""AP correlation of two orders with ties, neither being the truth: tau_AP,b.

    .. math:: \tau_{ap,b}(x, y) = \frac{2}{m - t_1} \sum_{i : p_i > 1} \frac{C(i)}{p_i - 1} - 1

    p_i is the first rank of those tied with system i in y, t_1 how many tie for the first rank, and C(i) counts systems
    above that group which are above system i in x as well, a tie in x not being above. The coefficient is the mean of
    this and of x and y exchanged (Urbano & Marrero, ICTIR 2017, doi:10.1145/3121050.3121106). NaN if one of them ties
    all systems.

    >>> print(tau_ap_b([0.3, 0.2, 0.2], [0.3, 0.2, 0.1]).round(4))
    0.75
    """
    x, y = _both(one, two)
    return np.asarray((_one_sided_b(x, y) + _one_sided_b(y, x)) / 2)


def weighted_tau(one: npt.ArrayLike, two: npt.ArrayLike) -> Floats:
    r"""Vigna's weighted tau: exchanges weigh by 1/rank of the two systems, added up.

    .. math:: \tau_w = \frac{\langle x, y\rangle}{\sqrt{\langle x, x\rangle \langle y, y\rangle}}, \quad
        \langle x, y\rangle = \sum_{i<j} s_{ij} t_{ij} \Big(\frac1{\rho_i} + \frac1{\rho_j}\Big)

    ρ is the rank in one order, ties being broken by the other; the coefficient is the mean of taking it from either
    (Vigna, WWW 2015, doi:10.1145/2736277.2741088; SciPy's `weightedtau` by default). NaN if one ties all systems.

    >>> print(weighted_tau([0.3, 0.2, 0.1], [0.3, 0.1, 0.2]).round(4))
    0.5455
    """
    x, y = _both(one, two)
    signs, others = _signs(x), _signs(y)
    return np.asarray((_weighed(signs, others, signs, others) + _weighed(signs, others, others, signs)) / 2)


def spearman(one: npt.ArrayLike, two: npt.ArrayLike) -> Floats:
    r"""Spearman's rho: the linear correlation of ranks, tied systems sharing their mean rank.

    .. math:: \rho = \frac{\sum (r_i - \bar r)(q_i - \bar q)}{\sqrt{\sum (r_i - \bar r)^2 \sum (q_i - \bar q)^2}}

    (Spearman, American Journal of Psychology 15(1), 1904, doi:10.2307/1412159.) NaN if one of them ties all systems.

    >>> spearman([0.3, 0.2, 0.1], [0.3, 0.1, 0.2])
    array(0.5)
    """
    x, y = _both(one, two)
    # A sum of signs is twice the distance of a mean rank from the middle.
    ranks, others = _signs(x).sum(axis=-1), _signs(y).sum(axis=-1)
    return _ratio((ranks * others).sum(axis=-1), np.sqrt((ranks**2).sum(axis=-1) * (others**2).sum(axis=-1)))


def rank_biased_overlap(one: npt.ArrayLike, two: npt.ArrayLike, *, p: float = 0.9) -> Floats:
    """Rank-biased overlap of the two orders, from 0 to 1; its definition is that of `cranfield.rbo`, ties as there.

    A reader goes on from each rank to the next with probability p. NaN without systems.

    >>> print(rank_biased_overlap([0.3, 0.2, 0.1], [0.3, 0.1, 0.2]).round(4))
    0.955
    """
    from cranfield.run_similarity import rbo_of_scores

    x, y = _both(one, two)
    rows, others = (_rounded(values).reshape(-1, x.shape[-1]) for values in (x, y))
    if not x.shape[-1]:
        return np.full(x.shape[:-1], math.nan)
    overlaps = [rbo_of_scores(row, other, p=p) for row, other in zip(rows, others, strict=True)]
    return np.reshape(overlaps, x.shape[:-1])


def agreement(
    one: npt.ArrayLike,
    two: npt.ArrayLike,
    coefficient: Coefficient = kendall_tau_b,
    *,
    confidence: float = CONFIDENCE,
    bounds: tuple[float, float] = (-1, 1),
    samples: int = SAMPLES,
    rng: Rng = 0,
) -> OrderCorrelation:
    r"""How far two tables of scores, of the same systems for the same queries, order the systems alike.

    .. math:: c \pm z \, \operatorname{sd}(c^*)

    The tables may be of two measures, or of two sets of judgments. The coefficient is that of the systems' means over
    queries, and its standard error that of samples of queries drawn with replacement, the same from both tables. The
    interval is about the coefficient to be expected of *as many queries*. Over ever more queries it rises, as orders
    of means lose their noise, and no resampling tells how far: quantiles of samples, which have that noise twice, miss
    both, and may not even hold the observed value.

    Queries without a defined score for every system in both tables are left out; with fewer than two there is no
    interval. Samples that leave all systems with the same score, and so without an order, do not count; where those are
    more than half there is no interval.

    >>> one = np.array([[0.5, 0.7, 0.1, 0.4], [0.4, 0.5, 0.2, 0.3], [0.3, 0.1, 0.3, 0.5]])
    >>> agreement(one, np.sqrt(one))
    OrderCorrelation(value=1.0, low=0.22..., high=1, error=0.39..., systems=3, queries=4, reason='')
    """
    first, second = score_table(one), score_table(two)
    if first.shape != second.shape:
        raise UsageError(
            f"Both tables have the same systems and queries; these have the shapes {first.shape} and {second.shape}."
        )
    known = ~(np.isnan(first) | np.isnan(second)).any(axis=0)
    first, second = first[:, known], second[:, known]
    drawn = np.split(_resampled_means(np.concatenate([first, second]), samples, rng), 2, axis=1)
    return _agreement((first, second), drawn, coefficient, confidence, bounds)


def agreement_across(
    one: npt.ArrayLike,
    two: npt.ArrayLike,
    coefficient: Coefficient = kendall_tau_b,
    *,
    confidence: float = CONFIDENCE,
    bounds: tuple[float, float] = (-1, 1),
    samples: int = SAMPLES,
    rng: Rng = 0,
) -> OrderCorrelation:
    """The same for tables of different queries, such as those of two collections: samples of both are drawn apart.

    >>> agreement_across([[0.1, 0.3], [0.4, 0.5]], [[0.2], [0.3]]).reason
    'a single query shows no variance'
    """
    first, second = complete(one), complete(two)
    if len(first) != len(second):
        raise UsageError(f"Both tables have the same systems; these have {len(first)} and {len(second)}.")
    seed = as_seed(rng)
    tables = (first, second)
    drawn = [_resampled_means(table, samples, np.random.default_rng([seed, at])) for at, table in enumerate(tables)]
    return _agreement(tables, drawn, coefficient, confidence, bounds)


def _agreement(
    tables: tuple[Floats, Floats],
    drawn: list[Floats],
    coefficient: Coefficient,
    confidence: float,
    bounds: tuple[float, float],
) -> OrderCorrelation:
    from scipy.special import ndtri

    require_share(confidence, "confidence")
    systems, queries = len(tables[0]), min(table.shape[1] for table in tables)
    if not queries:
        return OrderCorrelation(math.nan, math.nan, math.nan, math.nan, systems, queries, NO_QUERY)
    value = float(coefficient(*(table.mean(axis=1) for table in tables)))
    if reason := NO_ORDER if math.isnan(value) else ONE_QUERY if queries == 1 else "":
        return OrderCorrelation(value, math.nan, math.nan, math.nan, systems, queries, reason)
    each = max(1, CELLS // systems**2)
    found = [coefficient(*(means[begin : begin + each] for means in drawn)) for begin in range(0, len(drawn[0]), each)]
    values = np.concatenate(found)
    values = values[~np.isnan(values)]
    error = float(np.std(values, ddof=1)) if len(values) >= max(2, len(drawn[0]) / 2) else math.nan
    if math.isnan(error):
        return OrderCorrelation(value, math.nan, math.nan, math.nan, systems, queries, NO_ORDER_IN_SAMPLE)
    half = float(ndtri((1 + confidence) / 2)) * error
    low, high = (min(max(limit, bounds[0]), bounds[1]) for limit in (value - half, value + half))
    return OrderCorrelation(value, low, high, error, systems, queries)


def _resampled_means(scores: Floats, samples: int, rng: Rng) -> Floats:
    """The systems' means over each sample: a row per sample, a column per system."""
    queries = scores.shape[1]
    require_whole(samples, "samples", least=2)
    if not queries:
        return np.empty((0, len(scores)))
    return np.vstack([counts @ scores.T / queries for counts in random_samples(queries, samples, rng)])


def _both(one: npt.ArrayLike, two: npt.ArrayLike) -> tuple[Floats, Floats]:
    x, y = np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64)
    if not x.ndim or x.shape != y.shape:
        raise UsageError(f"Two orders are of the same systems; these have the shapes {x.shape} and {y.shape}.")
    if np.isnan(x).any() or np.isnan(y).any():
        raise UsageError("A system without a score has no place in an order; leave it out of both.")
    return x, y


def _signs(values: Floats) -> Floats:
    """Of every two systems which has the higher score; 0 for scores that are equal but for rounding."""
    apart = values[..., :, None] - values[..., None, :]
    rounding = TOLERANCE * np.abs(values).max(axis=-1, initial=0.0)[..., None, None]
    return np.where(np.abs(apart) <= rounding, 0.0, np.sign(apart))


def _rounded(values: Floats) -> Floats:
    """Scores without the digits that only rounding makes differ."""
    largest = np.abs(values).max(axis=-1, initial=0.0, keepdims=True)
    step = TOLERANCE * np.where(largest > 0, largest, 1)
    return np.rint(values / step) * step


def _sum(pairs: Floats) -> Floats:
    return np.asarray(pairs.sum(axis=(-2, -1)))


def _ratio(value: npt.ArrayLike, of: npt.ArrayLike) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.true_divide(value, of))


def _mean_reciprocals(top: Floats, tied: Floats) -> Floats:
    """The mean of 1 / (rank - 1) over the ranks of tied systems that have some above them."""
    sums = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, top.shape[-1] + 1))])
    return (sums[top + tied - 1] - sums[np.maximum(top - 1, 0)]) / tied


def _one_sided_b(x: Floats, y: Floats) -> Floats:
    above = _signs(y) < 0
    top = above.sum(axis=-1)
    agreeing = (above & (_signs(x) < 0)).sum(axis=-1)
    shares = agreeing / np.maximum(top, 1)
    return _ratio(2 * shares.sum(axis=-1), (top > 0).sum(axis=-1)) - 1


def _weighed(signs: Floats, others: Floats, by: Floats, then: Floats) -> Floats:
    systems = signs.shape[-1]
    earlier = np.tri(systems, k=-1, dtype=np.bool_)
    above = (by < 0) | ((by == 0) & ((then < 0) | ((then == 0) & earlier)))
    reciprocals = 1 / (1 + above.sum(axis=-1))
    weights = reciprocals[..., :, None] + reciprocals[..., None, :]
    both = _sum(signs * others * weights)
    return _ratio(both, np.sqrt(_sum(signs**2 * weights) * _sum(others**2 * weights)))
