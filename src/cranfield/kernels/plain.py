"""The loops in plain Python and NumPy: always there, whatever the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.data.run import positions


class Placed(NamedTuple):
    """Where a ranking puts the judged documents it retrieved, best rank first."""

    rows: Ints
    ranks: Ints
    above: Ints
    """Documents with a strictly higher score."""
    tied: Ints
    """Documents with the same score, itself included."""
    ties: int
    """Documents of the whole ranking that share a score with another one."""
    retrieved: int
    """Documents of the whole ranking; where only ranks were given, the last of them."""


def place(
    documents: Sequence[str], scores: Floats, rows: Mapping[str, int], ties: str, *, ranked: bool = False
) -> Placed:
    """The ranks of the documents that have a row, by score; `ties` says how equal scores are ordered.

    Scores that are only ranks, negated, are the positions: a gap stays a gap.

    >>> place(["a", "b", "c"], np.array([1.0, 1.0, 2.0]), {"a": 0, "c": 7}, "document")[:2]
    (array([7, 0]), array([1, 3]))
    """
    position = dict(zip(documents, range(len(documents)), strict=True))
    # Sorted so that nothing depends on the order in which a set gives its members.
    matched = sorted(position[document] for document in position.keys() & rows.keys())
    where = np.array(matched, dtype=np.int64)
    ascending = np.sort(scores)
    low = np.searchsorted(ascending, scores[where], side="left")
    high = np.searchsorted(ascending, scores[where], side="right")
    above, tied = len(scores) - high, high - low
    ranks = above + 1
    if np.any(tied > 1):
        ranks = all_ranks(documents, scores, ties)[where]
    best_first = np.argsort(ranks)
    row = np.array([rows[documents[at]] for at in matched], dtype=np.int64)
    repeated = ascending[1:] == ascending[:-1]
    shares = np.concatenate([repeated, [False]]) | np.concatenate([[False], repeated])
    placed = Placed(
        row[best_first], ranks[best_first], above[best_first], tied[best_first], int(shares.sum()), len(scores)
    )
    return _spread(placed, positions(scores)) if ranked and len(scores) else placed


def _spread(placed: Placed, places: Ints) -> Placed:
    """With the places of a ranking's documents instead of their order."""
    return placed._replace(ranks=places[placed.ranks - 1], above=places[placed.above] - 1, retrieved=int(places[-1]))


def first(documents: Sequence[str], scores: Floats, count: int, ties: str, *, ranked: bool = False) -> list[str]:
    """The documents that come first, best first; those of a ranking by ranks alone that stand so far up.

    >>> first(["a", "b", "c"], np.array([1.0, 1.0, 2.0]), 2, "document")
    ['c', 'b']
    """
    within = np.arange(len(documents))
    if len(documents) > count:
        least = np.partition(scores, -count)[-count]
        within = np.flatnonzero(scores >= least)
    candidates = [documents[at] for at in within.tolist()]
    ranks = all_ranks(candidates, scores[within], ties, ranked=ranked)
    return [candidates[at] for at in np.argsort(ranks)[:count].tolist() if ranks[at] <= count]


def all_ranks(documents: Sequence[str], scores: Floats, ties: str, *, ranked: bool = False) -> Ints:
    """The rank of every document, judged or not; where only ranks were given, its position.

    >>> all_ranks(["a", "b", "c"], np.array([1.0, 1.0, 2.0]), "document")
    array([3, 2, 1])
    """
    ranks = np.empty(len(documents), dtype=np.int64)
    order = best_first(documents, scores, ties)
    ranks[order] = positions(scores) if ranked else np.arange(1, len(documents) + 1)
    return ranks


def best_first(documents: Sequence[str], scores: Floats, ties: str) -> Ints:
    """The positions of documents in the order of their scores, highest first; `ties` says how equal ones are ordered.

    >>> best_first(["a", "b", "c"], np.array([1.0, 1.0, 2.0]), "document")
    array([2, 1, 0])
    """
    order = np.argsort(-scores, kind="stable")
    if ties == "given":
        return order
    falling = scores[order]
    starts = np.concatenate([[True], falling[1:] != falling[:-1]])
    if starts.all():
        return order
    # Only what is tied is compared by its id, which takes far longer than comparing numbers.
    alone = starts & np.concatenate([starts[1:], [True]])
    tied = np.flatnonzero(~alone)
    names = [documents[at] for at in order[tied].tolist()]
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__, reverse=ties == "document"), dtype=np.int64)
    groups = np.cumsum(starts)[tied]
    order[tied] = order[tied[by_name[np.argsort(groups[by_name], kind="stable")]]]
    return order
