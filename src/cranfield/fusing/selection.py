"""Which configuration to take, by what queries: folds of queries, and choices that never saw their own fold.

All that is needed of the scores are their sums over each fold, so that a choice costs no more than adding up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints

TOLERANCE = 1e-9
"""Sums that differ by less than this share of the largest are equal but for rounding: the simpler choice counts."""
CELLS = 1 << 23
"""Sums that are held at a time, at most."""
Number = TypeVar("Number", np.float64, np.int64)


@dataclass(frozen=True, eq=False)
class FoldChoices:
    """What was chosen for each fold of each split, and how the choices score on queries that had no part in them."""

    folds: Ints
    """Split × query: the fold of each query."""
    chosen: Ints
    """Split × fold: the row that the other folds chose."""
    scores: Floats
    """Split × query: the score of each query under what was chosen without it."""
    final: int
    """The row to take, chosen by all queries."""

    @property
    def mean_scores(self) -> Floats:
        """The score of each query, over all splits."""
        means: Floats = self.scores.mean(axis=0)
        return means

    def shares(self, rows: int) -> Floats:
        """How often each row was chosen, as a share of all choices."""
        return np.bincount(self.chosen.ravel(), minlength=rows) / self.chosen.size


class LearntScores(NamedTuple):
    """Scores of fusions that learn, which depend on the fold that is left out."""

    rows: Ints
    """Which rows of the scores these are."""
    scores: Floats
    """Row × split × fold × query: the score of a query by what was learnt neither from this fold nor from its own."""


def choose_in_folds(
    scores: Floats, families: Sequence[int], folds: Ints, learnt: LearntScores | None = None
) -> FoldChoices:
    """Choose rows of scores (row × query; higher is better) for each fold by all other folds.

    `families` are how many rows each family has, in their order. Where there are several, the family is chosen by
    cross-validation among the other folds, since one of many rows would win by their number alone; then the best of
    its rows. Of rows that are equally good the first is taken. Rows that learn have other scores for each fold that is
    left out, so that nothing of it is known where its choice is made.

    The second row is best for three queries, but for q4 the others cannot know what the first would have been:

    >>> scores = np.array([[0.0, 0.0, 0.0, 0.5], [0.1, 0.1, 0.1, 0.0]])
    >>> choices = choose_in_folds(scores, [2], np.array([[0, 1, 2, 3]]))
    >>> choices.chosen, choices.scores
    (array([[0, 0, 0, 1]]), array([[0., 0., 0., 0.]]))
    """
    bounds, margin = _bounds(families), _margin(scores)
    count = int(folds.max()) + 1
    once = np.ones((1, folds.shape[1]))
    chosen, out_of_fold = np.empty((len(folds), count), dtype=np.int64), np.empty(folds.shape)
    validated = np.zeros((len(bounds), 1))
    for split, own in enumerate(folds):
        for fold, (known, sums) in enumerate(_sums_without(scores, learnt, split, own, once)):
            chosen[split, fold] = _chosen(sums, fold, bounds, margin)[0]
            within = own == fold
            out_of_fold[split, within] = known[chosen[split, fold], within]
        sums = _fold_sums(_without_fold(scores, learnt, split, own), own, once)
        validated += _validated(sums, sums.sum(axis=1), range(count), bounds, margin)
    family = first_largest(validated[:, 0], margin * len(folds))
    final = _best_in(scores.sum(axis=1, keepdims=True), bounds[family], margin)
    return FoldChoices(folds, chosen, out_of_fold, int(final[0]))


def resampled_means(
    scores: Floats, families: Sequence[int], folds: Ints, counts: Floats, learnt: LearntScores | None = None
) -> Floats:
    """The mean out-of-fold score of samples of queries, each of which makes all choices again.

    `counts` are how often each query is in each sample (sample × query). All copies of a query are in its fold, so
    that none of them chooses what it is scored by. What learns does not learn again.

    With each query once it is the mean of `choose_in_folds`; without q4 the second row is chosen everywhere:

    >>> scores = np.array([[0.0, 0.0, 0.0, 0.5], [0.1, 0.1, 0.1, 0.0]])
    >>> resampled_means(scores, [2], np.array([[0, 1, 2, 3]]), np.array([[1.0, 1, 1, 1], [2, 1, 1, 0]]))
    array([0. , 0.1])
    """
    bounds, margin = _bounds(families), _margin(scores)
    blocks = -(-len(counts) * len(scores) * (int(folds.max()) + 1) // CELLS)
    return np.concatenate(
        [
            np.mean(
                [_split_mean(scores, learnt, split, own, (block, bounds, margin)) for split, own in enumerate(folds)],
                axis=0,
            )
            for block in np.array_split(counts, blocks)
        ]
    )


def _split_mean(
    scores: Floats,
    learnt: LearntScores | None,
    split: int,
    own: Ints,
    sampling: tuple[Floats, Sequence[tuple[int, int]], float],
) -> Floats:
    """The same of one split."""
    counts, bounds, margin = sampling
    total = np.zeros(len(counts))
    for fold, (_, sums) in enumerate(_sums_without(scores, learnt, split, own, counts)):
        total += _of_rows(sums[:, fold], _chosen(sums, fold, bounds, margin))
    means: Floats = total / counts.sum(axis=1)
    return means


def _bounds(families: Sequence[int]) -> list[tuple[int, int]]:
    """The first row of each family, and the first after it."""
    return [(int(end) - size, int(end)) for size, end in zip(families, np.cumsum(families), strict=True)]


def _margin(scores: Floats) -> float:
    return TOLERANCE * max(float(np.abs(scores).sum(axis=1).max(initial=0)), 1e-300)


def _sums_without(
    scores: Floats, learnt: LearntScores | None, split: int, own: Ints, counts: Floats
) -> Iterator[tuple[Floats, Floats]]:
    """For each fold, the scores that are known without it, and their sums over folds."""
    sums = _fold_sums(scores, own, counts)
    for fold in range(sums.shape[1]):
        known = _without_fold(scores, learnt, split, np.full(len(own), fold))
        yield known, sums if known is scores else _fold_sums(known, own, counts)


def _without_fold(scores: Floats, learnt: LearntScores | None, split: int, left_out: Ints) -> Floats:
    """Scores as they are while a fold is left out, which is given for each query."""
    if learnt is None:
        return scores
    known = scores.copy()
    known[learnt.rows] = learnt.scores[:, split, left_out, np.arange(len(left_out))]
    return known


def first_largest(values: Floats, margin: float = 0.0) -> int:
    """The first of the values that are as large as the largest, but for rounding.

    >>> first_largest(np.array([0.3, 0.1 + 0.2, 0.25]), 1e-9)
    0
    """
    return int(np.flatnonzero(values >= values.max() - margin)[0])


def _fold_sums(scores: Floats, folds: Ints, counts: Floats) -> Floats:
    """Row × fold × sample: the sum of scores over the queries of each fold."""
    members = [folds == fold for fold in range(int(folds.max()) + 1)]
    return np.stack([scores[:, own] @ counts[:, own].T for own in members], axis=1)


def _chosen(sums: Floats, fold: int, bounds: Sequence[tuple[int, int]], margin: float) -> Ints:
    """What all folds but one choose, in each sample."""
    others = [other for other in range(sums.shape[1]) if other != fold]
    training = sums[:, others].sum(axis=1)
    if len(bounds) == 1 or len(others) == 1:
        return _best_in(training, (0, len(training)), margin)
    family = _first_largest(_validated(sums, training, others, bounds, margin), margin)
    best = np.stack([_best_in(training, bound, margin) for bound in bounds])
    return _of_rows(best, family)


def _validated(
    sums: Floats, training: Floats, folds: Sequence[int], bounds: Sequence[tuple[int, int]], margin: float
) -> Floats:
    """How each family scores on the folds in each sample, its row chosen for each by the other ones."""
    scores = np.zeros((len(bounds), sums.shape[2]))
    for fold in folds:
        without = training - sums[:, fold]
        scores += [_of_rows(sums[:, fold], _best_in(without, bound, margin)) for bound in bounds]
    return scores


def _best_in(values: Floats, bound: tuple[int, int], margin: float) -> Ints:
    start, end = bound
    return start + _first_largest(values[start:end], margin)


def _first_largest(values: Floats, margin: float) -> Ints:
    """The same in each column."""
    return np.argmax(values >= values.max(axis=0) - margin, axis=0)


def _of_rows(values: NDArray[Number], rows: Ints) -> NDArray[Number]:
    """Of each column the value in its own row."""
    return values[rows, np.arange(len(rows))]
