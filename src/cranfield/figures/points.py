"""One query's ranking as points: recall and precision at every rank, and what interpolation makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.arrays import Floats, Ints

LEVELS = tuple(tenth / 10 for tenth in range(11))
"""The recall levels at which an interpolated curve is drawn."""


@dataclass(frozen=True, eq=False)
class Points:
    """Recall and precision after each rank that was read.

    >>> from cranfield.notation import ranking
    >>> slides = points_of(ranking("1001101000|111111"), rel=1)
    >>> print(*slides.recall)
    0.1 0.1 0.1 0.2 0.3 0.3 0.4 0.4 0.4 0.4
    >>> print(*slides.precision.round(2))
    1.0 0.5 0.33 0.5 0.6 0.5 0.57 0.5 0.44 0.4
    """

    found: Ints
    """Relevant documents down to each rank."""
    num_rel: int
    """Relevant documents there are."""

    @cached_property
    def ranks(self) -> Ints:
        """1, 2, 3 and so on."""
        return np.arange(1, len(self.found) + 1)

    @cached_property
    def recall(self) -> Floats:
        """NaN where nothing is relevant."""
        return self.found / (self.num_rel or np.nan)

    @cached_property
    def precision(self) -> Floats:
        """The share of relevant documents at each rank."""
        return self.found / self.ranks

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Which ranks hold a relevant document."""
        return np.diff(self.found, prepend=0) > 0

    @cached_property
    def interpolated(self) -> Floats:
        """After every rank the best precision at that recall or beyond it: looking to the right.

        >>> from cranfield.notation import ranking
        >>> print(*points_of(ranking("1001101000|111111"), rel=1).interpolated.round(2))
        1.0 1.0 1.0 0.6 0.6 0.6 0.57 0.57 0.57 0.57
        """
        from_here = np.maximum.accumulate(self.precision[::-1])[::-1]
        # Ranks of one recall stand below each other; what is best for the first of them is so for all.
        return from_here[np.searchsorted(self.found, self.found)]

    @cached_property
    def steps(self) -> tuple[Floats, Floats]:
        """The corners of interpolated precision over recall, from 0 to 1: level, then down where it ends.

        >>> from cranfield.notation import ranking
        >>> recall, precision = points_of(ranking("01|1"), rel=1).steps
        >>> print(recall, precision)
        [0.  0.5 0.5 1. ] [0.5 0.5 0.  0. ]
        """
        reached = np.concatenate([[0.0], self.recall[self.relevant]])
        best = self.interpolated[self.relevant]
        # Each level holds from the recall before to its own; beyond the last recall that was reached it is 0.
        across, down = np.repeat(reached, 2)[1:], np.repeat(best, 2)
        if reached[-1] < 1:
            across, down = np.append(across, 1.0), np.append(down, [0.0, 0.0])
        else:
            across = across[:-1]
        return across, down


def points_of(judged: JudgedRanking, rel: float) -> Points:
    """The points of the one query of a judged ranking, with documents relevant from a grade on."""
    relevant = np.ravel(judged.ranks)[np.ravel(judged.relevant(rel))]
    ranks = np.arange(1, int(np.ravel(judged.retrieved)[0]) + 1)
    return Points(np.searchsorted(relevant, ranks, side="right"), int(np.ravel(judged.num_rel(rel))[0]))
