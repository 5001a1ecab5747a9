"""Several measures over all queries of an alignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from cranfield import errors, kernels
from cranfield.align import Alignment, JudgedRanking
from cranfield.arrays import Floats, Ints
from cranfield.errors import DataError, UsageError
from cranfield.grouped_ranking import GroupedRanking, grouped_blocks
from cranfield.kernels.turns import in_turns
from cranfield.measures.definition import Measure

Rows = list[int]

TOLERANCE = 1e-9
"""How far rounding may carry a score beyond its range."""
MANY_JUDGMENTS = 1 << 20
"""From so many on, blocks of queries are scored on every core; fewer take no longer than to start threads."""
LARGEST = 1e100
"""The largest score: sums of the cubes of many such scores, as a bootstrap has, still are numbers."""


class View(NamedTuple):
    """How much of each ranking a measure gets to see."""

    depth: int | None = None
    judged_only: bool = False
    unjudged_grade: float | None = None

    def __call__(self, judged: JudgedRanking | GroupedRanking) -> JudgedRanking | GroupedRanking:
        """The ranking cut at the depth, then without its unjudged documents; or with a grade for each of these."""
        if self.unjudged_grade is not None and not self.judged_only and isinstance(judged, JudgedRanking):
            judged = judged.graded(self.unjudged_grade)
        # Measures that look no further than a cutoff of their own narrow the arrays.
        seen = judged if self.depth is None else judged.cut(self.depth)
        return seen.condensed() if self.judged_only else seen


def score(alignment: Alignment, measures: Sequence[Measure], view: View = View()) -> Floats:  # noqa: B008 - a View never changes
    """One row per measure, one column per judged query; NaN where a score is undefined."""
    scores = np.empty((len(measures), len(alignment.judgments.queries)))
    threads = kernels.cores() if len(alignment.judgments.documents) >= MANY_JUDGMENTS else 1
    for rows, blocks in blocks_for(alignment, measures):

        def fill(block: tuple[Ints, JudgedRanking | GroupedRanking], rows: Rows = rows) -> None:
            queries, judged = block
            seen = view(judged)
            for row in rows:
                scores[row, queries] = _checked(measures[row], measures[row](seen), len(queries))

        in_turns(partial(next, blocks, None), fill, threads)
    return scores


def blocks_for(
    alignment: Alignment, measures: Sequence[Measure]
) -> Iterator[tuple[Rows, Iterator[tuple[Ints, JudgedRanking | GroupedRanking]]]]:
    """Which measures read what: those that want one grade for each document, and those that want several."""
    for rows, blocks in (
        ([row for row, measure in enumerate(measures) if measure.definition.groups is None], alignment.blocks),
        ([row for row, measure in enumerate(measures) if measure.definition.groups], lambda: grouped_blocks(alignment)),
    ):
        if rows:
            yield rows, blocks()


def _checked(measure: Measure, values: object, queries: int) -> Floats:
    """A measure's scores, if they are one number per query within its range; anyone can add a measure."""
    scores = np.asarray(values, dtype=np.float64) if values is not None else np.empty(0)
    if scores.shape != (queries,):
        raise UsageError(
            f"{measure} gave {scores.shape[0] if scores.ndim == 1 else 'no'} scores for {queries} queries.\n"
            "A measure works along the last axis of ranks and grades, and gives one number per query."
        )
    low, high = measure.bounds
    outside = (scores < low - TOLERANCE) | (scores > high + TOLERANCE)
    if outside.any():
        raise UsageError(
            f"{measure} gave {scores[outside][0]:g}, outside its range {low:g} to {high:g}.\n"
            "Correct the measure, or the bounds it declares."
        )
    return scores


def must_be_moderate(measure: Measure | str, scores: Floats) -> None:
    """Refuse scores whose squares are no numbers any more: means and intervals of them could only be wrong."""
    huge = np.abs(scores) > LARGEST
    if huge.any():
        raise DataError([errors.results.huge_score(str(measure), float(scores[huge].flat[0]), LARGEST)])
