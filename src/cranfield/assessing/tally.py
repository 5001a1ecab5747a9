"""How far a judge is, and how fast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

from cranfield.assessing.assignment import Assignment
from cranfield.assessing.state import JudgeState, Speed

FASTEST_MS = 1_000
"""What a label takes at least from somebody who reads."""
IN_A_ROW = 3


class Tally(NamedTuple):
    """How far a judge is."""

    labels: int
    """Items that this judge has graded."""
    today: int
    """Labels given since midnight (UTC) by the server's clock."""
    later: int
    """Put off by this judge."""
    left: int
    """Items that still want a label which this judge could give."""
    left_here: int
    """The same within the batch at hand."""
    query_number: int
    """Queries this judge has begun."""
    queries: int
    median_seconds: float | None
    """Of the last labels, the time each took."""
    seconds_left: float | None
    last_batch: Mapping[float, int]
    """How often each grade was given in the batch that was last finished."""
    too_fast: bool
    """Whether the last three labels took less time than reading does."""


def tally_of(of: JudgeState, assignment: Assignment, today: str) -> Tally:
    """How far a judge is, from what they said so far; `today` is a date."""
    judge = of.judge.number
    left = assignment.left(judge)
    times = [speed.active_ms / 1000 for speed in of.speeds if speed.active_ms > 0]
    seconds = median(times) if times else None
    finished = assignment.finished.get(judge)
    return Tally(
        labels=of.labelled,
        today=of.by_day[today],
        later=len(of.later),
        left=left,
        left_here=assignment.left_here(judge),
        query_number=len(of.queries),
        queries=assignment.queries,
        median_seconds=seconds,
        seconds_left=None if seconds is None else seconds * left,
        last_batch=grade_counts(of, finished.items if finished else ()),
        too_fast=is_too_fast(list(of.speeds)),
    )


def grade_counts(of: JudgeState, items: tuple[int, ...]) -> Mapping[float, int]:
    """How often a judge gave each grade to some items."""
    grades = (of.said[item].grade for item in items if of.is_label(item))
    return dict(sorted(Counter(grade for grade in grades if grade is not None).items()))


def is_too_fast(speeds: list[Speed]) -> bool:
    """Whether the last three labels took less time than anybody needs to read.

    >>> is_too_fast([Speed(1, 300, 0.0)] * 3), is_too_fast([Speed(1, 300, 0.0), Speed(2, 5000, 1.0)])
    (True, False)
    """
    last = speeds[-IN_A_ROW:]
    return len(last) == IN_A_ROW and all(0 < speed.active_ms < FASTEST_MS for speed in last)
