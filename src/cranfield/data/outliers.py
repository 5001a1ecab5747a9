"""Grades that are hardly meant: rare, and far beyond all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats

FEWEST, FEWEST_AT_ALL = 10, 4
"""Among fewer grades than the first, only what is absurdly far is an outlier; among fewer than the second, nothing."""
MOST_VALUES = 12
"""More different values are no scale of grades but counts or measurements, whose highest may lie far out."""
LARGEST_USUAL = 5.0
"""Scales up to this are common, and often some of their grades are never given."""
GAP = 2.0
"""An outlier is this many times as far from the others as they are from each other."""
WIDE_GAP = 1_000.0
"""So far out, a value is no part even of counts, whose highest are rare and far apart."""
RAREST, MOST_OUTLIERS = 0.001, 10


@dataclass(frozen=True)
class GradeOutliers:
    """Grades that lie far from all others, and the range of these."""

    values: tuple[float, ...]
    """Ascending."""
    count: int
    """How often they were given."""
    low: float
    """The lowest of the other grades."""
    high: float
    """The highest of the other grades."""


def grade_outliers(values: npt.ArrayLike, counts: npt.ArrayLike) -> GradeOutliers | None:
    """The outliers among different grades, each given so often; nothing where there are none.

    Only what hardly can be meant: a value that is rare, and at least twice as far from all others as these are from
    each other. A scale with grades that nobody gave, counts of clicks and percentages have none.

    >>> grade_outliers([0, 1, 2, 3, 10], [50, 20, 8, 4, 1])
    GradeOutliers(values=(10.0,), count=1, low=0.0, high=3.0)
    >>> grade_outliers([0, 1, 2, 3, 4], [50, 20, 8, 4, 1])
    """
    order = np.argsort(np.asarray(values, dtype=np.float64), kind="stable")
    ordered = np.asarray(values, dtype=np.float64)[order]
    times = np.asarray(counts, dtype=np.float64)[order]
    if times.sum() < FEWEST_AT_ALL or len(ordered) < 2:
        return None
    low, high = _inliers(ordered, times)
    outlying = np.ones(len(ordered), dtype=np.bool_)
    outlying[low:high] = False
    if not outlying.any():
        return None
    rest = ordered[~outlying]
    return GradeOutliers(tuple(ordered[outlying].tolist()), int(times[outlying].sum()), float(rest[0]), float(rest[-1]))


def _inliers(ordered: Floats, times: Floats) -> tuple[int, int]:
    """Where the other values begin and end: one side may be seen only without the outliers of the other."""
    low, high = 0, len(ordered)
    while True:
        above = low + _above(ordered[low:high], times[low:high])
        below = above - _above(-ordered[low:above][::-1], times[low:above][::-1])
        if (below, above) == (low, high):
            return low, high
        low, high = below, above


def _above(ordered: Floats, times: Floats) -> int:
    """Where outliers begin at the upper end; the number of values where there are none."""
    rare = max(1.0, min(RAREST * float(times.sum()), MOST_OUTLIERS))
    number = 0.0
    found = len(ordered)
    for at in range(len(ordered) - 1, 0, -1):
        number += float(times[at])
        if number > rare:
            break
        if _is_far(ordered, times, at, number):
            found = at
    return found


def _is_far(ordered: Floats, times: Floats, at: int, number: float) -> bool:
    """Whether so many values, those from some position on, lie far above the others."""
    rest, beyond = ordered[:at], float(ordered[at])
    gap, width = beyond - float(rest[-1]), max(float(rest[-1] - rest[0]), 1.0)
    if gap >= WIDE_GAP * width:
        return True
    is_percent = ordered[0] >= 0 and rest[-1] > 10 and ordered[-1] == 100
    is_scale = times.sum() >= FEWEST and len(rest) <= MOST_VALUES and times[at - 1] >= 2 * number
    return bool(is_scale and not is_percent and abs(beyond) > LARGEST_USUAL and gap >= GAP * width)
