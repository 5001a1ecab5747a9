"""The lists of one query as arrays: what every method of fusion reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from cranfield import kernels
from cranfield.arrays import Bools, Floats, Ints
from cranfield.data.run import positions
from cranfield.kernels import plain
from cranfield.kernels.numbering import numbers_of


class RankedList(NamedTuple):
    """What one run returned for a query, best first; nothing where it did not answer."""

    places: Ints
    """Where its documents stand among those of all lists."""
    scores: Floats
    ranks: Floats
    """From 1 on; where a run has ranks alone, there may be gaps."""
    ranked: bool = False
    """Whether the run has ranks alone: there are no scores to normalise."""


@dataclass(frozen=True, eq=False)
class QueryLists:
    """The lists of several runs for one query, over the documents of all of them."""

    documents: Sequence[str]
    lists: tuple[RankedList, ...]
    query: str = ""

    @cached_property
    def answering(self) -> Ints:
        """The positions of the lists that have any document: the others have no part in this query."""
        return np.flatnonzero(self.lengths)

    @property
    def shape(self) -> tuple[int, int]:
        """Lists and documents."""
        return len(self.lists), len(self.documents)

    @cached_property
    def lengths(self) -> Ints:
        """How many documents each list has."""
        return np.array([len(ranked.places) for ranked in self.lists], dtype=np.int64)

    @cached_property
    def listed(self) -> Bools:
        """List × document: whether a list has a document."""
        return ~np.isnan(self.ranks)

    @cached_property
    def ranks(self) -> Floats:
        """List × document: ranks from 1; NaN where a list does not have a document."""
        return self.table(lambda ranked: ranked.ranks)

    @cached_property
    def ranks_with_last(self) -> Floats:
        """List × document: ranks, where a document that a list does not have comes after its last."""
        last = np.array([ranked.ranks[-1] if len(ranked.ranks) else np.nan for ranked in self.lists])
        ranks: Floats = np.where(self.listed, self.ranks, last[:, np.newaxis] + 1)
        return ranks

    def table(self, values: Callable[[RankedList], Floats]) -> Floats:
        """List × document: a value for each document of each list, NaN for all others."""
        table = np.full(self.shape, np.nan)
        for row, ranked in zip(table, self.lists, strict=True):
            if len(ranked.places):
                row[ranked.places] = values(ranked)
        return table


@dataclass(frozen=True, eq=False)
class FusionArrays:
    """What a method adds up: list × document, where a list has nothing to say of a document NaN."""

    values: Floats
    """Normalised scores; of a method that reads ranks, nothing that it looks at."""
    ranks: Floats
    """Ranks from 1."""
    listed: Bools
    """Whether a list has a document; what counts for the others is filled in above."""
    lengths: Ints

    @property
    def count(self) -> Floats:
        """How many lists have each document."""
        count: Floats = self.listed.sum(axis=0, dtype=np.float64)
        return count


def lists_of(*lists: Mapping[str, float], last: bool = False) -> FusionArrays:
    """Lists as one would type them, documents in the order of their ids; scores stay as they are.

    `last` puts documents that a list does not have behind all that it has.

    >>> lists_of({"a": 3.0, "b": 1.0}, {"b": 2.0}).ranks
    array([[ 1.,  2.],
           [nan,  1.]])
    """
    places = {document: at for at, document in enumerate(sorted(set().union(*lists)))}
    own = [ranked_list([*scores], np.array([*scores.values()], dtype=np.float64), places) for scores in lists]
    query = QueryLists([*places], tuple(own))
    ranks = query.ranks_with_last if last else query.ranks
    return FusionArrays(query.table(lambda ranked: ranked.scores), ranks, query.listed, query.lengths)


def ranked_list(
    documents: Sequence[str],
    scores: Floats,
    places: dict[str, int],
    *,
    ranked: bool = False,
    depth: int | None = None,
) -> RankedList:
    """One list, best first, by the one order of equal scores; documents that are new get the next places."""
    if bool((scores[1:] < scores[:-1]).all()):
        order, names = np.arange(len(scores))[:depth], documents[:depth]
    else:
        order = plain.best_first(documents, scores, "document")[:depth]
        names = [documents[at] for at in order.tolist()]
    ranks = positions(scores)[: len(order)] if ranked else np.arange(1, len(order) + 1)
    if ranked and depth is not None:
        order, ranks = order[ranks <= depth], ranks[ranks <= depth]
        names = names[: len(order)]
    return RankedList(numbers_of(names, places), scores[order], ranks.astype(np.float64), ranked)


def total(terms: Floats, weights: Floats | None = None) -> Floats:
    """The sum over lists, the last axis but one; NaN adds nothing.

    Weights are for each list along their last axis; several rows of them give several rows of sums. Without weights,
    terms are added from the smallest on, so that the order of lists changes no bit: documents that the same ranks
    speak for are tied, whichever lists gave them.

    >>> total(np.array([[0.1, 1.0], [0.2, np.nan], [0.3, 2.0]]))
    array([0.6, 3. ])
    """
    rows = np.moveaxis(np.where(np.isnan(terms), 0.0, terms), -2, 0)
    if weights is None:
        ordered = np.sort(rows, axis=0) if len(rows) > 2 else rows
        return reduce(np.add, ordered)
    if rows.ndim == weights.ndim == 2 and rows.dtype == np.float64 and rows.size and kernels.are_compiled():
        from cranfield.kernels.compiled import weighted_sums

        sums = np.empty((len(weights), rows.shape[1]))
        weighted_sums(np.ascontiguousarray(weights), np.ascontiguousarray(rows), sums)
        return sums
    shares = np.moveaxis(weights, -1, 0)[..., np.newaxis]
    added = shares[0] * rows[0]
    for share, row in zip(shares[1:], rows[1:], strict=True):
        added += share * row
    return added


def sum_of_weights(arrays: FusionArrays, weights: Floats | None) -> Floats:
    """The sum of the weights of all lists, for each row of weights; without weights, the number of lists."""
    if weights is None:
        return np.array([float(len(arrays.listed))])
    together: Floats = weights.sum(axis=-1)[..., np.newaxis]
    return together
