"""How often each grade was given."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.data.judgments import Judgments
from cranfield.errors import Finding
from cranfield.figures import sketch
from cranfield.figures.picture import WIDTH, Picture
from cranfield.show.table import Table

SINGLE = 20
"""Different grades up to this number are counted one by one; more are counted in ranges."""
RANGES = 10


@dataclass(frozen=True, eq=False, repr=False)
class Grades(Picture):
    """How many judgments have each grade, and in how many queries it occurs.

    >>> from cranfield import read_judgments
    >>> print(grades_of(read_judgments({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 0}})).table())
    grade   judgments    share   queries
    ────────────────────────────────────
    0               2   0.6667         2
    2               1   0.3333         1
    3 judgments of 2 queries.
    """

    kind: Literal["grades"]
    names: tuple[str, ...]
    """A grade, or the range of grades that are counted together."""
    counts: npt.NDArray[np.int64]
    queries: npt.NDArray[np.int64]
    """Queries with at least one such judgment."""
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    def table(self) -> Table:
        """A row for each grade."""
        total = int(self.counts.sum())
        return Table(
            {
                "grade": list(self.names),
                "judgments": self.counts.tolist(),
                "share": [count / total for count in self.counts.tolist()],
                "queries": self.queries.tolist(),
            },
            notes=self.notes,
        )

    def sketch(self, width: int = WIDTH) -> str:
        """A drawing for a terminal of some width."""
        total = int(self.counts.sum())
        rows = [
            (name, float(count), f"{count:,} ({count / total:.1%})")
            for name, count in zip(self.names, self.counts.tolist(), strict=True)
        ]
        return "\n\n".join(["Judgments by grade", sketch.bars(rows, width), sketch.wrapped(self.notes, width)])


def grades_of(judgments: Judgments) -> Grades:
    """How often each grade was given; where there are many different ones, in ranges."""
    groups = judgments.groups
    grades = judgments.grades if groups is None else groups.grades
    starts = judgments.starts if groups is None else groups.starts
    different, kinds = np.unique(grades, return_inverse=True)
    names = [f"{grade:g}" for grade in different]
    if len(different) > SINGLE:
        # Rounded, so that a grade such as 0.3 is where its name says.
        edges = np.linspace(different[0], different[-1], RANGES + 1).round(12)
        kinds = np.clip(np.searchsorted(edges, grades, side="right") - 1, 0, RANGES - 1)
        names = [f"{low:.3g} to {high:.3g}" for low, high in pairwise(edges.tolist())]
    owner = np.repeat(np.arange(len(judgments.queries)), np.diff(starts))
    pairs = np.unique(np.stack([kinds, owner]), axis=1)
    notes = [f"{len(grades):,} judgments of {len(judgments.queries):,} queries."]
    if different[0] < 0:
        notes.append("A negative grade means pooled, but not judged.")
    return Grades(
        "grades",
        tuple(names),
        np.bincount(kinds, minlength=len(names)),
        np.bincount(pairs[0], minlength=len(names)),
        tuple(notes),
        tuple(judgments.warnings),
    )
