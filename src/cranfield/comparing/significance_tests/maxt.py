"""All pairs of systems tested together."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, require_whole
from cranfield.arrays import Floats, Ints
from cranfield.comparing.paired import TOLERANCE, SystemPairs, all_pairs, complete, mean, without_noise
from cranfield.comparing.significance_tests.pairwise import all_signs, common_removed, less, random_signs
from cranfield.comparing.significance_tests.significance import Significance, from_count, without_test

PERMUTATIONS = 100_000


def max_t_tests(
    scores: npt.ArrayLike, pairs: SystemPairs | None = None, *, permutations: int = PERMUTATIONS, rng: Rng = 0
) -> list[Significance]:
    r"""Randomization tests of many pairs of systems, by default of all, corrected for their number as they depend.

    .. math:: T_{ij} = \frac{|\sum_q s_q d_{ijq}|}{\sqrt{\sum_q d_{ijq}^2}}, \quad
        p_{ij} = \frac{1 + \#\{b : \max_{kl \in R_{ij}} T_{kl,b} \ge T_{ij}\}}{1 + B}

    Each of B patterns changes the sign of all systems' differences for some queries at once. With its own sum of
    squares as measure, T is as good as Student's t. The largest T of a pattern, over the pairs R that are not more
    significant than this one, is what the pair must exceed; a pair that is more significant than another never gets a
    larger p (step-down maxT: Westfall & Young, Resampling-Based Multiple Testing, 1993; Romano & Wolf, JASA 100(469),
    2005, doi:10.1198/016214504000000539). The probability of any false discovery among all pairs is then at most alpha,
    as with Holm's correction, but pairs that share a system, or are much alike, are not counted as if they were so
    many separate chances; and p need not be finer than 1 / (B + 1), however many pairs there are.

    Compared are the queries for which every system has a defined score. If there are no more than B sign patterns all
    are counted, and p is exact.

    The first system is better for all five queries, which 2 of 32 patterns make it; the other two are about equal:

    >>> scores = [[5, 6, 7, 6, 6], [4, 5, 6, 5, 4], [4, 4, 6, 5, 5]]
    >>> [pair.p for pair in max_t_tests(scores)]
    [0.0625, 0.0625, 1.0]
    """
    table = complete(scores)
    chosen = all_pairs(len(table)) if pairs is None else pairs
    require_whole(permutations, "permutations")
    differences = np.array([without_noise(less(table[one], table[two])) for one, two in chosen])
    outcomes = [without_test(of_pair) for of_pair in differences]
    tested = np.array([at for at, outcome in enumerate(outcomes) if outcome is None], dtype=np.int64)
    if len(tested):
        centred = common_removed(table, chosen.at(tested))
        for at, outcome in zip(tested, _tested(*centred, permutations, rng), strict=True):
            outcomes[at] = outcome
    return [outcome for outcome in outcomes if outcome is not None]


def _tested(scores: Floats, pairs: SystemPairs, permutations: int, rng: Rng) -> list[Significance]:
    differences = scores[pairs.first] - scores[pairs.second]
    scales = 1 / np.sqrt((differences**2).sum(axis=1))
    statistics = np.abs(differences.sum(axis=1)) * scales
    queries = scores.shape[1]
    exact = queries < 60 and 1 << queries <= permutations
    patterns = 1 << queries if exact else permutations
    blocks = all_signs(queries) if exact else random_signs(queries, permutations, rng)
    counts = _exceeded_by_largest(scores, pairs, scales, statistics, blocks)
    return [
        from_count(mean(of_pair), statistic, count, patterns, queries, exact=exact)
        for of_pair, statistic, count in zip(differences, statistics.tolist(), counts.tolist(), strict=True)
    ]


def _exceeded_by_largest(
    scores: Floats, pairs: SystemPairs, scales: Floats, statistics: Floats, blocks: Iterable[Floats]
) -> Ints:
    """For each pair, how many patterns have a statistic as large, for it or a pair that is not more significant."""
    order = np.argsort(statistics, kind="stable")
    # A statistic is at most √n, by which its rounding is measured.
    least = statistics - TOLERANCE * math.sqrt(scores.shape[1])
    rising = list(zip(pairs.first[order], pairs.second[order], scales[order], least[order], strict=True))
    counts = np.zeros(len(pairs), dtype=np.int64)
    for block in blocks:
        sums = scores @ block.T
        largest, apart = np.zeros(len(block)), np.empty(len(block))
        # One pair after the other, on rows that stay in the cache, is quicker than all pairs in one array.
        for at, (one, two, scale, enough) in enumerate(rising):
            np.subtract(sums[one], sums[two], out=apart)
            np.abs(apart, out=apart)
            np.multiply(apart, scale, out=apart)
            np.maximum(largest, apart, out=largest)
            counts[at] += np.count_nonzero(largest >= enough)
    in_order = np.empty_like(counts)
    in_order[order] = np.maximum.accumulate(counts[::-1])[::-1]
    return in_order
