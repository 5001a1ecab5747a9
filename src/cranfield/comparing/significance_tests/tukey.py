"""Tukey's honestly significant difference, by randomization."""

from __future__ import annotations

import math
from itertools import permutations as orders

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_whole
from cranfield.arrays import Floats
from cranfield.comparing.paired import TOLERANCE, SystemPairs, all_pairs, complete, mean
from cranfield.comparing.significance_tests.significance import (
    INFINITE,
    NO_DIFFERENCE,
    NO_QUERY,
    Significance,
    from_count,
)

PERMUTATIONS = 100_000
MOST_TURNS = 500
"""At most so many permutations turn the same random arrangement before a new one is drawn."""
ALL = 1 << 18
"""Up to so many different outcomes all of them are counted."""


def tukey_hsd(
    scores: npt.ArrayLike, pairs: SystemPairs | None = None, *, permutations: int = PERMUTATIONS, rng: Rng = 0
) -> list[Significance]:
    r"""Tukey's HSD by randomization: is a pair further apart than the best and worst of systems that do not differ?

    .. math:: p_{ij} = \frac{1 + \#\{b : \max_k \bar x^*_{kb} - \min_k \bar x^*_{kb} \ge |\bar x_i - \bar x_j|\}}{1 + B}

    If no system differs from another, scores of a query could as well belong to them in any other order. In each of B
    permutations every query's scores are handed out again, and the range of the systems' means is taken. All pairs are
    measured by that range, so their p-values need no further correction: with alpha 0.05, 95 of 100 comparisons of
    systems that do not differ find no pair at all. Queries are blocks: that some are harder than others does not count
    (Carterette, TOIS 30(1), 2012, doi:10.1145/2094072.2094076; Sakai, Laboratory Experiments in Information Retrieval,
    2018, section 4.4). Compared are the queries for which every system has a defined score.

    Where there are no more than 2^18 different outcomes all are counted, and p is exact.

    Of two systems it is the randomization test:

    >>> tukey_hsd([[3, 4, 5], [1, 3, 4]])[0].p
    0.25
    """
    table = complete(scores)
    chosen = all_pairs(len(table)) if pairs is None else pairs
    require_whole(permutations, "permutations")
    if outcome := _nothing_to_permute(table):
        return [outcome] * len(chosen)
    centred = (table - table.mean(axis=0)).T
    exact = _outcomes(*centred.shape) <= ALL
    ranges = np.sort(_all_ranges(centred) if exact else _random_ranges(centred, permutations, rng))
    rounding = TOLERANCE * float(np.ptp(centred, axis=1).sum())
    outcomes = []
    for one, two in chosen:
        differences = table[one] - table[two]
        least = abs(math.fsum(differences)) - rounding
        exceeding = len(ranges) - int(np.searchsorted(ranges, least))
        value = mean(differences)
        outcomes.append(from_count(value, value, exceeding, len(ranges), table.shape[1], exact=exact))
    return outcomes


def _nothing_to_permute(table: Floats) -> Significance | None:
    queries = table.shape[1]
    if not queries:
        return Significance(math.nan, math.nan, math.nan, queries, reason=NO_QUERY)
    if not np.isfinite(table).all():
        return Significance(math.nan, math.nan, math.nan, queries, reason=INFINITE)
    if not np.ptp(table, axis=0).any():
        return Significance(0.0, 0.0, 1.0, queries, reason=NO_DIFFERENCE)
    return None


def _outcomes(queries: int, systems: int) -> float:
    """How many ways to hand out scores there are, but for the systems' names."""
    log = (queries - 1) * math.lgamma(systems + 1)
    return math.exp(log) if log < 100 else math.inf


def _all_ranges(scores: Floats) -> Floats:
    """The range of sums in every way to hand out scores; those of the first query stay, as names do not matter."""
    sums = scores[:1]
    for query in scores[1:]:
        sums = (sums[:, None] + np.array(list(orders(query)))).reshape(-1, len(query))
    return np.ptp(sums, axis=1)


def _random_ranges(scores: Floats, permutations: int, rng: Rng) -> Floats:
    """The range of sums in random ways to hand out scores.

    Every permutation is as likely as any other, and queries are permuted independently. But shuffling takes long, and
    turning a shuffled row by a random number of places is one copy. So each random arrangement serves for some
    permutations, which turn it at random, each query by itself; not for many where few queries turn in few ways.
    """
    generator = np.random.default_rng(as_seed(rng))
    queries, systems = scores.shape
    each = min(2 * queries, MOST_TURNS)
    ranges = np.empty(permutations)
    for begin in range(0, permutations, each):
        arranged = generator.permuted(scores, axis=1)
        turned = np.lib.stride_tricks.sliding_window_view(np.hstack([arranged, arranged]), systems, axis=1)[:, :-1]
        turns = generator.integers(0, systems, size=(queries, each), dtype=np.int64)
        sums = np.zeros((each, systems))
        row = np.empty_like(sums)
        for by_turn, turn in zip(turned, turns, strict=True):
            np.take(np.ascontiguousarray(by_turn), turn, axis=0, out=row, mode="clip")
            sums += row
        ranges[begin : begin + each] = np.ptp(sums, axis=1)[: permutations - begin]
    return ranges
