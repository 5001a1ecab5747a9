"""How far a score could move: over the orders of tied documents, and over what unjudged documents may be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from zlib import crc32

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment, JudgedRanking
from cranfield.measures.definition import Measure
from cranfield.measures.scoring import View, score

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ORDERS = 1000
"""All orders of a query's ties are tried up to this number; of more, so many are drawn at random."""


@dataclass(frozen=True)
class TieBounds:
    """Scores by measure and query over all orders of tied documents; NaN where that is not defined."""

    low: Floats
    expected: Floats
    high: Floats
    drawn: npt.NDArray[np.bool_]
    """Queries whose expected score is the mean of random orders, their orders being too many to try all."""


@dataclass(frozen=True)
class UnjudgedBounds:
    """Scores by measure and query if unjudged documents were all irrelevant, or all of the best grade."""

    low: Floats
    high: Floats


def tie_bounds(alignment: Alignment, measures: Sequence[Measure], view: View) -> TieBounds:
    """The smallest, expected and largest score over all orders of documents with equal scores.

    Smallest and largest come from putting tied documents worst or best grade first, which is right for
    measures that a better document further up never harms; for the others they are NaN.
    """
    ends = np.stack([score(end, measures, view) for end in (alignment.worst_ties(), alignment.best_ties())])
    monotone = np.array([measure.monotone for measure in measures])[:, None]
    low = np.where(monotone, ends.min(axis=0), np.nan)
    high = np.where(monotone, ends.max(axis=0), np.nan)
    expected = score(alignment, measures, view)
    drawn = np.zeros(expected.shape[1], dtype=np.bool_)
    for query, orders in _tied_queries(alignment):
        expected[:, query] = [measure(view(orders)).mean() for measure in measures]
        drawn[query] = orders.ranks.shape[0] == ORDERS
    return TieBounds(low, expected, high, drawn)


def unjudged_bounds(alignment: Alignment, measures: Sequence[Measure], view: View) -> UnjudgedBounds:
    """The score if every unjudged document retrieved were irrelevant, and if each had the best grade.

    Defined for measures that look at retrieved documents only. Recall, average precision and nDCG also
    depend on how many relevant documents nobody has found, and no bound on that is known.
    """
    defined = np.array([measure.definition.of_retrieved for measure in measures])[:, None]
    worst = score(alignment, measures, view)
    best = worst if view.judged_only else score(alignment.filled(alignment.judgments.max_grade), measures, view)
    ends = np.stack([worst, best])
    return UnjudgedBounds(
        low=np.where(defined, ends.min(axis=0), np.nan), high=np.where(defined, ends.max(axis=0), np.nan)
    )


def _tied_queries(alignment: Alignment) -> Iterator[tuple[int, JudgedRanking]]:
    """Each query with a judged document in a tie: its position and its ranking in many orders."""
    for block, judged in alignment.blocks():
        for place, query in enumerate(block.tolist()):
            own = slice(alignment.starts[query], alignment.starts[query + 1])
            tied = alignment.tied[own]
            if not np.any(tied > 1):
                continue
            ranks = _orders(alignment.above[own], tied, seed=crc32(alignment.judgments.queries[query].encode()))
            yield query, _in_orders(judged, place, ranks, alignment.grades[own])


def _in_orders(judged: JudgedRanking, place: int, ranks: Ints, grades: Floats) -> JudgedRanking:
    best_first = np.argsort(ranks, axis=1)
    count = len(ranks)
    return JudgedRanking(
        ranks=np.take_along_axis(ranks, best_first, axis=1).astype(np.float64),
        grades=grades[best_first],
        retrieved=np.full(count, judged.retrieved[place]),
        judged=np.broadcast_to(judged.judged[place], (count, judged.judged.shape[-1])),
        max_grade=judged.max_grade,
    )


def _orders(above: Ints, tied: Ints, seed: int) -> Ints:
    """Ranks of a query's judged documents, one row per order of its ties."""
    groups = [np.flatnonzero(above == start) for start in np.unique(above[tied > 1])]
    sizes = [int(tied[members[0]]) for members in groups]
    ways = math.prod(math.perm(size, len(members)) for size, members in zip(sizes, groups, strict=True))
    rng = np.random.default_rng(seed)
    if ways < ORDERS:
        places = _all_places(groups, sizes)
    else:
        shuffled = (
            rng.random((ORDERS, size)).argsort(axis=1)[:, : len(members)]
            for size, members in zip(sizes, groups, strict=True)
        )
        places = np.concatenate(list(shuffled), axis=1)
    ranks = np.tile(above + 1, (len(places), 1))
    ranks[:, np.concatenate(groups)] += places
    return ranks


def _all_places(groups: Sequence[Ints], sizes: Sequence[int]) -> Ints:
    each = [permutations(range(size), len(members)) for size, members in zip(sizes, groups, strict=True)]
    return np.array([[place for group in choice for place in group] for choice in product(*each)])
