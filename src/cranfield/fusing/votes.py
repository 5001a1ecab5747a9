"""Methods that take lists for the ballots of an election."""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Floats
from cranfield.fusing.definition import method
from cranfield.fusing.lists import FusionArrays, total
from cranfield.fusing.rank_methods import rrf
from cranfield.measures.ranges import Probability

BLOCK = 1 << 22
"""Pairs of documents that are compared at once."""
STEPS, TOLERANCE = 10_000, 1e-13
"""When the Markov chain is taken to stand still."""


@method(
    "borda",
    cite="doi:10.1145/383952.384007 (Aslam & Montague, SIGIR 2001)",
    aliases=("bordafuse", "borda_fuse", "borda_count", "w_bordafuse", "weighted_bordafuse"),
    tools={"ranx": "bordafuse; w_bordafuse with weights", "trectools": "not implemented"},
    reads="ranks",
    missing=("last", "absent"),
)
def borda(arrays: FusionArrays, *, weights: Floats | None = None) -> Floats:
    r"""Borda count: each list gives as many points to a document as there are candidates from its rank on.

    .. math:: \sum_l w_l (c - r_l(d) + 1)

    c is the number of candidates, the documents of all lists. Those that a list does not have share its remaining
    points equally (`missing=last`), or get none (`missing=absent`).

    Of three candidates the first list gives a 3 and b 2 points, and leaves 1 to c; the second gives b 3, and leaves
    1.5 to each of the others:

    >>> from cranfield.fusing.lists import lists_of
    >>> borda(lists_of({"a": 3, "b": 1}, {"b": 2}, {"c": 3, "b": 2, "a": 1}, last=True))
    array([5.5, 7. , 5.5])
    """
    candidates = arrays.ranks.shape[-1]
    points = candidates - arrays.ranks + 1
    # `missing=last` puts the rank after the last of the list: from there on, the mean of what is left.
    left = (candidates - arrays.lengths[:, np.newaxis] + 1) / 2
    return total(np.where(arrays.listed | np.isnan(points), points, left), weights)


@method(
    "condorcet",
    cite="doi:10.1145/584792.584881 (Montague & Aslam, CIKM 2002)",
    aliases=("condorcet_fuse", "w_condorcet", "weighted_condorcet", "copeland"),
    tools={"ranx": "condorcet, w_condorcet: their order depends on PYTHONHASHSEED, so numbers cannot be compared"},
    reads="ranks",
    missing=("last", "absent"),
    is_pairwise=True,
)
def condorcet(arrays: FusionArrays, *, weights: Floats | None = None) -> Floats:
    r"""How many other documents a majority of lists ranks below this one; equal numbers by RRF.

    .. math:: |\{e : \sum_{l: r_l(d) < r_l(e)} w_l > \sum_{l: r_l(d) > r_l(e)} w_l\}|

    What beats every other document comes first. Majorities can go round in a circle; the number of documents beaten
    then decides, after that reciprocal rank fusion, as a fraction below 1, and after that the document's id.
    A list ranks what it does not have behind all that it has (`missing=last`), or votes only on pairs that it has both
    of (`missing=absent`).

    b beats a in two of three lists, a and b both beat c:

    >>> from cranfield.fusing.lists import lists_of
    >>> condorcet(lists_of({"a": 3, "b": 2}, {"b": 3, "a": 2}, {"b": 3, "c": 1}, last=True)).astype(int)
    array([1, 2, 0])
    """
    fraction = rrf(arrays, weights=weights, scale="unit") / 2  # below 1, and exact enough behind a whole number
    documents = arrays.ranks.shape[-1]
    wins = np.zeros(documents)
    step = max(1, BLOCK // max(1, documents))
    for start in range(0, documents, step):
        margins = _margins(arrays.ranks, slice(start, start + step), weights)
        wins[start : start + step] = (margins > 0).sum(axis=-1)
    return wins + fraction


@method(
    "mc4",
    cite="doi:10.1145/371920.372165 (Dwork, Kumar, Naor & Sivakumar, WWW 2001)",
    aliases=("markov", "markov_chain"),
    reads="ranks",
    missing=("last", "absent"),
    is_pairwise=True,
)
def mc4(arrays: FusionArrays, *, weights: Floats | None = None, jump: Probability = 0.05) -> Floats:
    r"""How often a walk visits a document that goes from each to one that a majority of lists prefers to it.

    .. math:: \pi(d) = \sum_e \pi(e) P(e, d)

    From a document the walk picks any other with equal probability, and goes there if more lists rank it higher than
    lower; else it stays. With probability `jump` it goes anywhere, so that there is one answer for all lists.
    The time it takes grows with the square of the number of documents.

    >>> from cranfield.fusing.lists import lists_of
    >>> mc4(lists_of({"a": 3, "b": 2}, {"b": 3, "a": 2}, {"b": 3, "c": 1}, last=True)).round(3)
    array([0.067, 0.909, 0.024])
    """
    documents = arrays.ranks.shape[-1]
    # Of each document (row), the others (columns) that a majority prefers to it.
    better = _margins(arrays.ranks, slice(None), weights) < 0
    moving = better.sum(axis=-1) / documents
    into = better.T.astype(np.float64)
    visits = np.full(documents, 1 / documents)
    for _ in range(STEPS):
        gone = visits * (1 - moving) + into @ visits / documents
        gone = (1 - jump) * gone + jump / documents
        moved = float(np.abs(gone - visits).sum())
        visits = gone
        if moved < TOLERANCE:
            break
    # The last bits depend on how a processor adds up rows: documents that are equal would not be tied.
    return np.round(visits / visits.sum(), 10)


def _margins(ranks: Floats, rows: slice, weights: Floats | None) -> Floats:
    """Some documents × all: the lists that rank the first higher, less those that rank it lower."""
    each = np.ones(len(ranks)) if weights is None else weights
    margins = np.zeros((len(ranks[0, rows]), ranks.shape[-1]))
    for weight, row in zip(each, ranks, strict=True):
        own = row[rows, np.newaxis]
        margins += weight * ((own < row).astype(np.int8) - (own > row).astype(np.int8))
    return margins
