"""Documents on which runs differ: only their labels can change a comparison."""

from __future__ import annotations

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.arrays import Bools, Floats, Ints
from cranfield.assessing.items import Items
from cranfield.measures.definition import Measure


def decisive(items: Items, measure: Measure) -> Bools:
    """Of each item, whether its label could change the difference of any two runs.

    That is whether the measure counts it differently in two runs, were it the only relevant document: a document at
    the same rank in both, or below the cutoff of both, changes nothing.
    """
    lowest, highest = np.full(len(items), np.inf), np.full(len(items), -np.inf)
    for run in items.places:
        weights = np.zeros(len(items))
        ranks, at = np.unique(run.ranks, return_inverse=True)
        weights[run.items - 1] = weights_of(measure, ranks)[at]
        np.minimum(lowest, weights, out=lowest)
        np.maximum(highest, weights, out=highest)
    return highest > lowest


def weights_of(measure: Measure, ranks: Ints) -> Floats:
    """What a measure gives where the only relevant document is at a rank.

    >>> from cranfield.measures import parse_all
    >>> weights_of(parse_all("P@2")[0], np.array([1, 2, 3]))
    array([0.5, 0.5, 0. ])
    """
    if not len(ranks):
        return np.zeros(0)
    places = ranks.astype(np.float64)[:, None]
    relevant = np.ones_like(places)
    depth = np.full(len(ranks), places.max())
    scores = measure(JudgedRanking(places, relevant, depth, relevant, 1.0))
    return np.nan_to_num(np.broadcast_to(np.asarray(scores, dtype=np.float64), len(ranks)))


def best_ranks(items: Items) -> Floats:
    """Of each item the smallest rank that any run gives it; infinite where no run has it."""
    best = np.full(len(items), np.inf)
    for run in items.places:
        at = run.items - 1
        best[at] = np.minimum(best[at], run.ranks)
    return best
