"""Several measures over all queries of an alignment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment, JudgedRanking
from cranfield.measures.definition import Measure

Floats = npt.NDArray[np.float64]


class View(NamedTuple):
    """How much of each ranking a measure gets to see."""

    depth: int | None = None
    judged_only: bool = False

    def __call__(self, judged: JudgedRanking) -> JudgedRanking:
        """The ranking cut at the depth, then without its unjudged documents."""
        seen = judged.top(self.depth)
        return seen.condensed() if self.judged_only else seen


def score(alignment: Alignment, measures: Sequence[Measure], view: View = View()) -> Floats:  # noqa: B008 - a View never changes
    """One row per measure, one column per judged query; NaN where a score is undefined."""
    scores = np.empty((len(measures), len(alignment.judgments.queries)))
    for queries, judged in alignment.blocks():
        seen = view(judged)
        for row, measure in enumerate(measures):
            scores[row, queries] = measure(seen)
    return scores
