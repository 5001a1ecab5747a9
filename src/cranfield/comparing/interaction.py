"""Whether a difference is another one in other slices of the queries."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_whole
from cranfield.arrays import Floats, Ints
from cranfield.comparing.paired import TOLERANCE, SystemPairs, all_pairs, mean, score_table
from cranfield.comparing.significance_tests.pairwise import by_shared_queries, common_removed, less
from cranfield.comparing.significance_tests.significance import INFINITE, NO_QUERY, Significance, from_count
from cranfield.errors import UsageError

PERMUTATIONS = 10_000
"""A p of 0.05 then varies from seed to seed by 0.002."""
_CELLS = 1 << 19

ONE_SLICE = "all queries are in one slice"
ONE_EACH = "every slice has a single query"
NO_VARIANCE = "the difference is the same for every query"


def interaction_tests(
    scores: npt.ArrayLike,
    slices: npt.ArrayLike,
    pairs: SystemPairs | None = None,
    *,
    permutations: int = PERMUTATIONS,
    rng: Rng = 0,
) -> list[Significance]:
    r"""For each pair of systems: do their differences depend on which slice a query is in?

    .. math:: F = \frac{\sum_s n_s (\bar d_s - \bar d)^2 / (k - 1)}{\sum_s \sum_{q \in s} (d_q - \bar d_s)^2 / (n - k)}

    `slices` has a number for each query, that of its slice. If slices said nothing about the differences d, queries
    could as well be in any other slice. p is the share of random ways to hand out the queries, to slices of the same
    sizes, for which the k means are at least as far apart (Good, Permutation, Parametric, and Bootstrap Tests of
    Hypotheses, 3rd edition 2005, section 5.3). It is this that speaks of slices being different; that a difference is
    significant in one and not in another does not. Slices whose differences spread more also count as different.

    Left out are queries without a defined score for both systems; where there is nothing to hand out, p is NaN.

    The first system is better on the first four queries and worse on the others:

    >>> scores = [[0.6, 0.7, 0.5, 0.6, 0.2, 0.1, 0.3, 0.2], [0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]]
    >>> print(round(interaction_tests(scores, [0, 0, 0, 0, 1, 1, 1, 1])[0].p, 2))
    0.03
    """
    table, groups = score_table(scores), np.unique(np.asarray(slices), return_inverse=True)[1].ravel()
    if len(groups) != table.shape[1]:
        raise UsageError(f"There is a slice for each query: {table.shape[1]} and not {len(groups)}.")
    require_whole(permutations, "permutations")
    seed = as_seed(rng)
    chosen = all_pairs(len(table)) if pairs is None else pairs
    outcomes = [_nothing_to_permute(less(table[one], table[two]), groups) for one, two in chosen]
    undecided = np.array([at for at, outcome in enumerate(outcomes) if outcome is None], dtype=np.int64)
    for at, mask in by_shared_queries(table, chosen, undecided):
        found = _tests(table[:, mask], chosen.at(at), groups[mask], permutations, seed)
        for position, outcome in zip(at, found, strict=True):
            outcomes[position] = outcome
    return [outcome for outcome in outcomes if outcome is not None]


def _nothing_to_permute(differences: Floats, groups: Ints) -> Significance | None:
    known = ~np.isnan(differences)
    kept, sizes = differences[known], np.bincount(groups[known])
    value = mean(kept) if np.isfinite(kept).all() else math.nan
    reason = ""
    if not len(kept):
        reason = NO_QUERY
    elif not np.isfinite(kept).all():
        reason = INFINITE
    elif np.count_nonzero(sizes) < 2:
        reason = ONE_SLICE
    elif sizes.max() == 1:
        reason = ONE_EACH
    elif np.ptp(kept) <= TOLERANCE * np.abs(kept).max():
        return Significance(value, 0.0, 1.0, len(kept), reason=NO_VARIANCE)
    return Significance(value, math.nan, math.nan, len(kept), reason=reason) if reason else None


def _tests(scores: Floats, pairs: SystemPairs, groups: Ints, permutations: int, seed: int) -> list[Significance]:
    means = [mean(row) for row in scores[pairs.first] - scores[pairs.second]]
    centred, pairs = common_removed(scores, pairs)
    numbers, sizes = np.unique(groups, return_counts=True)
    differences = centred[pairs.first] - centred[pairs.second]
    differences -= differences.mean(axis=1, keepdims=True)
    total = (differences**2).sum(axis=1)
    observed = _between(centred, pairs, groups[None], numbers, sizes)[:, 0]
    # All of the variance may lie between slices; sums of squares that differ by rounding only are the same.
    least = observed - TOLERANCE * total
    counts = np.zeros(len(pairs), dtype=np.int64)
    for block in _permuted(groups, permutations, seed):
        counts += (_between(centred, pairs, block, numbers, sizes) >= least[:, None]).sum(axis=1)
    freedom = len(groups) - len(numbers)
    within = np.maximum(total - observed, 0)
    with np.errstate(divide="ignore"):
        statistics = observed / (len(numbers) - 1) / (within / freedom)
    return [
        from_count(value, statistic, count, permutations, len(groups), exact=False)
        for value, statistic, count in zip(means, statistics.tolist(), counts.tolist(), strict=True)
    ]


def _between(scores: Floats, pairs: SystemPairs, groups: Ints, numbers: Ints, sizes: Ints) -> Floats:
    """The sum of squares between slices, for each pair and each row of groups."""
    total = np.zeros((len(pairs), len(groups)))
    sums = np.zeros((len(scores), len(groups)))
    for number, size in zip(numbers, sizes, strict=True):
        of_slice = scores @ (groups == number).T
        sums += of_slice
        total += (of_slice[pairs.first] - of_slice[pairs.second]) ** 2 / size
    return total - (sums[pairs.first] - sums[pairs.second]) ** 2 / sizes.sum()


def _permuted(groups: Ints, permutations: int, seed: int) -> Iterator[Ints]:
    generator = np.random.default_rng(seed)
    rows = max(1, _CELLS // len(groups))
    for begin in range(0, permutations, rows):
        yield generator.permuted(np.tile(groups, (min(rows, permutations - begin), 1)), axis=1)
