"""How far a score could move: over the orders of tied documents, and over what unjudged documents may be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment, JudgedRanking
from cranfield.measures.definition import Measure
from cranfield.measures.scoring import View, score

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ALL_ORDERS = 1000
"""Where a query's ties have fewer orders than this, all are tried."""
DRAWN_ORDERS = 250
"""Where they have more, so many are drawn at random."""


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

    Where the orders are too many to try, smallest and largest come from putting tied documents worst or best
    grade first; for measures that a better document further up may harm, they are then NaN.
    """
    expected = score(alignment, measures, view)
    low, high = expected.copy(), expected.copy()
    drawn = np.zeros(expected.shape[1], dtype=np.bool_)
    ends = np.stack([score(end, measures, view) for end in (alignment.worst_ties(), alignment.best_ties())])
    ends = np.where([[_by_grade(measure, view)] for measure in measures], ends, np.nan)
    for query, orders, drawn[query] in _tied_queries(alignment):
        seen = view(orders)
        scores = np.stack([np.broadcast_to(measure(seen), len(orders.ranks)) for measure in measures])
        extremes = ends[..., query].T if drawn[query] else scores
        expected[:, query] = scores.mean(axis=1)
        low[:, query], high[:, query] = extremes.min(axis=1), extremes.max(axis=1)
    return TieBounds(low, expected, high, drawn)


def unjudged_bounds(alignment: Alignment, measures: Sequence[Measure], view: View) -> UnjudgedBounds:
    """The score if every unjudged document retrieved were irrelevant, and if each had the best grade.

    Defined for measures that look at retrieved documents only. Recall, average precision and nDCG also
    depend on how many relevant documents nobody has found, and no bound on that is known.
    """
    defined = np.array([measure.definition.of_retrieved for measure in measures])[:, None]
    worst = score(alignment, measures, view)
    best = score(alignment.filled(alignment.judgments.max_grade), measures, view)
    # A measure of judged documents only does not see what nobody judged.
    blind = np.array([view.judged_only or measure.params["judged_only"] for measure in measures])[:, None]
    best = np.where(blind, worst, best)
    ends = np.stack([worst, best])
    return UnjudgedBounds(
        low=np.where(defined, ends.min(axis=0), np.nan), high=np.where(defined, ends.max(axis=0), np.nan)
    )


def _by_grade(measure: Measure, view: View) -> bool:
    """Whether tied documents in order of their grades give the smallest and largest score."""
    # With a depth, another order puts other documents into what these measures divide by.
    of_what_is_found = measure.definition.family == "sets" or "retrieved" in measure.params.values()
    return measure.monotone and not (view.depth is not None and of_what_is_found)


def _tied_queries(alignment: Alignment) -> Iterator[tuple[int, JudgedRanking, bool]]:
    """Each query with a judged document in a tie: its position, its ranking in many orders, whether drawn."""
    for block, judged in alignment.blocks():
        for place, query in enumerate(block.tolist()):
            own = slice(alignment.starts[query], alignment.starts[query + 1])
            tied = alignment.tied[own]
            if not np.any(tied > 1):
                continue
            ties = _Ties.of(alignment.above[own], tied)
            drawn = ties.orders >= ALL_ORDERS
            # Seeded by the query's own id, so that no query's result depends on another.
            seed = crc32(alignment.judgments.queries[query].encode())
            places = ties.drawn(np.random.default_rng(seed)) if drawn else ties.all()
            ranks = np.tile(alignment.above[own] + 1, (len(places), 1))
            ranks[:, np.concatenate(ties.groups)] += places
            yield query, _in_orders(judged, place, ranks, alignment.grades[own]), drawn


def _in_orders(judged: JudgedRanking, place: int, ranks: Ints, grades: Floats) -> JudgedRanking:
    best_first = np.argsort(ranks, axis=1)
    count, width = len(ranks), judged.ranks.shape[-1]
    # As wide as the block, so that an order scores here what it scores there, to the last bit.
    in_orders = np.full((2, count, width), [[[np.inf]], [[-np.inf]]])
    in_orders[0, :, : len(grades)] = np.take_along_axis(ranks, best_first, axis=1)
    in_orders[1, :, : len(grades)] = grades[best_first]
    return JudgedRanking(
        ranks=in_orders[0],
        grades=in_orders[1],
        # One query's facts, which every order shares.
        retrieved=judged.retrieved[place : place + 1],
        judged=judged.judged[place : place + 1],
        max_grade=judged.max_grade,
    )


class _Ties(NamedTuple):
    """The ties of one query that hold judged documents."""

    groups: list[Ints]
    """Which of the query's judged documents are tied with each other."""
    sizes: list[int]
    """How many documents, judged or not, share each group's score."""

    @classmethod
    def of(cls, above: Ints, tied: Ints) -> _Ties:
        groups = [np.flatnonzero(above == start) for start in np.unique(above[tied > 1])]
        return cls(groups, [int(tied[members[0]]) for members in groups])

    @property
    def orders(self) -> int:
        return math.prod(math.perm(size, len(group)) for size, group in zip(self.sizes, self.groups, strict=True))

    def all(self) -> Ints:
        """The places inside its group that each document takes, one row per order."""
        each = [permutations(range(size), len(group)) for size, group in zip(self.sizes, self.groups, strict=True)]
        return np.array([[place for group in choice for place in group] for choice in product(*each)])

    def drawn(self, rng: np.random.Generator) -> Ints:
        """The same for orders drawn at random."""
        shuffled = (
            rng.random((DRAWN_ORDERS, size)).argsort(axis=1)[:, : len(group)]
            for size, group in zip(self.sizes, self.groups, strict=True)
        )
        return np.concatenate(list(shuffled), axis=1)
