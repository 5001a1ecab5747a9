"""Tests of many pairs of systems: one by one, or resampled together by random signs or samples of queries.

These are the same for everyone with the same seed. They come in blocks, so that a hundred thousand of them need no
memory to speak of; the numbers do not depend on how many fit into a block, nor on how many systems or measures are
resampled with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from cranfield import kernels
from cranfield.arguments import Rng, as_seed
from cranfield.arrays import Bools, Floats, Ints
from cranfield.comparing.paired import SystemPairs, mean, score_table
from cranfield.comparing.significance_tests.signed_sums import tolerance
from cranfield.comparing.significance_tests.significance import Significance, from_count

CELLS, ROWS = 1 << 19, 1 << 11
"""A block's numbers, and its rows, at most: what is made of it then stays in the processor's cache."""


def random_signs(queries: int, patterns: int, rng: Rng) -> Iterator[Floats]:
    """Patterns of signs, -1 or 1, equally likely, for each query: blocks with a row per pattern.

    >>> next(random_signs(queries=4, patterns=2, rng=0))
    array([[ 1.,  1.,  1.,  1.],
           [ 1., -1., -1., -1.]])
    """
    generator = np.random.default_rng(as_seed(rng))
    words = -(-queries // 64)
    for rows in _blocks(patterns, queries):
        # Whole words for every pattern: the next pattern begins at the same place, whatever the block.
        bits = generator.integers(0, 1 << 64, size=(rows, words), dtype=np.uint64).astype("<u8", copy=False)
        signs = np.unpackbits(bits.view(np.uint8), axis=1, count=queries, bitorder="little").view(np.int8)
        signs *= 2  # as bytes, of which eight fit where one number of 64 bits does
        signs -= 1
        yield signs.astype(np.float64)


def all_signs(queries: int) -> Iterator[Floats]:
    """Every pattern of signs once, blocks with a row per pattern.

    >>> next(all_signs(queries=2))
    array([[-1., -1.],
           [ 1., -1.],
           [-1.,  1.],
           [ 1.,  1.]])
    """
    begin = 0
    for rows in _blocks(1 << queries, queries):
        numbers = np.arange(begin, begin + rows, dtype=np.int64)
        yield np.where(numbers[:, None] >> np.arange(queries) & 1, 1.0, -1.0)
        begin += rows


def random_samples(queries: int, samples: int, rng: Rng) -> Iterator[Floats]:
    """Samples of as many queries as there are, with replacement: blocks with how often each query is in each sample.

    A sample's mean is then a product: `counts @ scores / queries`.

    >>> next(random_samples(queries=4, samples=2, rng=0))
    array([[0., 1., 2., 1.],
           [3., 1., 0., 0.]])
    """
    generator = np.random.default_rng(as_seed(rng))
    for rows in _blocks(samples, queries):
        drawn = generator.integers(0, queries, size=(rows, queries), dtype=np.int64)
        drawn += queries * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * queries)
        yield counts.reshape(rows, queries).astype(np.float64)


def _blocks(wanted: int, width: int) -> Iterator[int]:
    """How many rows each block has."""
    most = min(max(1, CELLS // max(width, 1)), ROWS)
    for begin in range(0, wanted, most):
        yield min(most, wanted - begin)


def pairwise(scores: npt.ArrayLike, pairs: SystemPairs, test: Callable[[Floats], Significance]) -> list[Significance]:
    """One test for each pair of systems, on the queries that both have a defined score for.

    >>> from cranfield.comparing.paired import all_pairs
    >>> from cranfield.comparing.significance_tests.sign import sign_test
    >>> [pair.p for pair in pairwise([[3, 4, 5], [1, 2, 4], [1, 2, 4]], all_pairs(3), sign_test)]
    [0.25, 0.25, 1.0]
    """
    table = score_table(scores)
    return [test(less(table[one], table[two])) for one, two in pairs]


def resampled(
    scores: Floats,
    pairs: SystemPairs,
    *,
    without_chance: Callable[[Floats], Significance | None],
    weighted: Callable[[Floats], Floats],
    blocks: Callable[[int], Iterable[Floats]],
    resamples: int,
) -> list[Significance]:
    """Tests whose p-value counts how often a mean difference of resampled scores is as large as the observed one.

    Pairs whose outcome is known `without_chance` need no resampling. For the others, `weighted` are the values whose
    sums are compared, and `blocks` the weights, given the number of queries.
    """
    outcomes = [without_chance(of_pair) for of_pair in _differences(scores, pairs)]
    undecided = np.array([at for at, outcome in enumerate(outcomes) if outcome is None], dtype=np.int64)
    for at, mask in by_shared_queries(scores, pairs, undecided):
        found = _monte_carlo(scores[:, mask], pairs.at(at), weighted, blocks(int(mask.sum())), resamples)
        for position, outcome in zip(at, found, strict=True):
            outcomes[position] = outcome
    return [outcome for outcome in outcomes if outcome is not None]


def exceeding(scores: Floats, pairs: SystemPairs, least: Floats, blocks: Iterable[Floats]) -> Ints:
    """For each pair of systems, in how many rows of the blocks its weighted sums are at least so far apart.

    A row holds a weight per query: a sign, or how often the query was drawn. The weighted sums of all systems are one
    product of matrices, and a pair's statistic is the difference of two of them. So all pairs together cost little
    more than all systems, and each pair has the statistic that it would have alone.

    >>> from cranfield.comparing.paired import all_pairs
    >>> from cranfield.comparing.significance_tests.pairwise import all_signs
    >>> exceeding(np.array([[1.0, 2.0], [0.0, 0.0]]), all_pairs(2), np.array([3.0]), all_signs(2))
    array([2])
    """
    counts = np.zeros(len(pairs), dtype=np.int64)
    if kernels.are_compiled():
        from cranfield.kernels.compiled import count_apart
    else:
        count_apart = _count_apart
    groups = [(one, at, pairs.second[at], least[at], np.zeros(len(at), np.int64)) for one, at in _by_first(pairs)]
    for block in blocks:
        sums = np.ascontiguousarray(scores @ block.T)
        for one, _, others, least_of, counts_of in groups:
            count_apart(sums, one, others, least_of, counts_of)
    for _, at, _, _, counts_of in groups:
        counts[at] = counts_of
    return counts


def _count_apart(sums: Floats, one: int, others: Ints, least: Floats, counts: Ints) -> None:
    """Add to each count in how many columns a row of sums and one of the others are at least so far apart."""
    apart = sums[_rows(others)] - sums[one]
    np.abs(apart, out=apart)
    counts += (apart >= least[:, None]).sum(axis=1)


def _by_first(pairs: SystemPairs) -> list[tuple[int, Ints]]:
    return [(one, np.flatnonzero(pairs.first == one)) for one in np.unique(pairs.first).tolist()]


def _rows(rows: Ints) -> Ints | slice:
    """Rows that follow each other need not be copied."""
    return slice(int(rows[0]), int(rows[-1]) + 1) if (np.diff(rows) == 1).all() else rows


def common_removed(scores: Floats, pairs: SystemPairs) -> tuple[Floats, SystemPairs]:
    """Only the systems of some pairs, without what they have in common, and the pairs by their new rows.

    A query's mean cancels in every difference; without it, sums round less.

    >>> common_removed(np.array([[1.0, 2.0], [9.0, 9.0], [3.0, 2.0]]), SystemPairs(np.array([0]), np.array([2])))
    (array([[-1.,  0.],
           [ 1.,  0.]]), SystemPairs(0-1))
    """
    involved = np.unique(np.concatenate([pairs.first, pairs.second]))
    within = SystemPairs(np.searchsorted(involved, pairs.first), np.searchsorted(involved, pairs.second))
    return scores[involved] - scores[involved].mean(axis=0), within


def less(one: Floats, two: Floats) -> Floats:
    """Differences of scores; that of two infinite ones is taken for infinite, so that it does not pass for undefined.

    >>> less(np.array([0.5, np.nan, np.inf]), np.array([0.25, 1.0, np.inf]))
    array([0.25,  nan,  inf])
    """
    both = np.isinf(one) & np.isinf(two)
    return np.subtract(one, two, out=np.full(one.shape, np.inf), where=~both)


def _differences(scores: Floats, pairs: SystemPairs) -> Iterable[Floats]:
    return (less(scores[one], scores[two]) for one, two in pairs)


def by_shared_queries(scores: Floats, pairs: SystemPairs, among: Ints) -> Iterable[tuple[Ints, Bools]]:
    """Pairs that have the same queries in common, by their positions, and those queries.

    Undefined scores are mostly those of a query for every system, so mostly there is one group.
    """
    known = ~np.isnan(scores)
    if not len(among):
        return
    if known.all():
        yield among, known[0]
        return
    some = pairs.at(among)
    masks, group = np.unique(known[some.first] & known[some.second], axis=0, return_inverse=True)
    for at, mask in enumerate(masks):
        yield among[group.ravel() == at], mask


def _monte_carlo(
    scores: Floats, pairs: SystemPairs, weighted: Callable[[Floats], Floats], blocks: Iterable[Floats], resamples: int
) -> list[Significance]:
    differences = scores[pairs.first] - scores[pairs.second]
    least = np.abs(differences.sum(axis=1)) - [tolerance(np.abs(of_pair)) for of_pair in differences]
    centred, within = common_removed(scores, pairs)
    counts = exceeding(weighted(centred), within, least, blocks)
    means = [mean(of_pair) for of_pair in differences]
    return [
        from_count(value, value, count, resamples, scores.shape[1], exact=False)
        for value, count in zip(means, counts.tolist(), strict=True)
    ]
