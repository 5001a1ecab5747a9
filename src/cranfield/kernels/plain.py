"""The loops in plain Python and NumPy: always there, whatever the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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


def place(documents: Sequence[str], scores: Floats, rows: Mapping[str, int], ties: str) -> Placed:
    """The ranks of the documents that have a row, by score; `ties` says how equal scores are ordered.

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
    return Placed(row[best_first], ranks[best_first], above[best_first], tied[best_first], int(shares.sum()))


def first(documents: Sequence[str], scores: Floats, count: int, ties: str) -> list[str]:
    """The documents that come first, best first.

    >>> first(["a", "b", "c"], np.array([1.0, 1.0, 2.0]), 2, "document")
    ['c', 'b']
    """
    within = np.arange(len(documents))
    if len(documents) > count:
        least = np.partition(scores, -count)[-count]
        within = np.flatnonzero(scores >= least)
    candidates = [documents[at] for at in within.tolist()]
    best_first = np.argsort(all_ranks(candidates, scores[within], ties))[:count]
    return [candidates[at] for at in best_first.tolist()]


def all_ranks(documents: Sequence[str], scores: Floats, ties: str) -> Ints:
    """The rank of every document, judged or not.

    >>> all_ranks(["a", "b", "c"], np.array([1.0, 1.0, 2.0]), "document")
    array([3, 2, 1])
    """
    given = range(len(documents))
    if ties != "given":
        given = sorted(given, key=documents.__getitem__, reverse=ties == "document")  # type: ignore[assignment]
    before = np.array(given, dtype=np.int64)
    order = before[np.argsort(-scores[before], kind="stable")]
    ranks = np.empty(len(documents), dtype=np.int64)
    ranks[order] = np.arange(1, len(documents) + 1)
    return ranks
