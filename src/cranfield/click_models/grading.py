"""From estimated relevance to grades: by share, by threshold, or as people judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import UsageError

SHARES = (0.5, 0.25, 0.15, 0.1)
"""Of the labelled documents, how many get grade 0, 1, 2 and 3 unless anything else is said."""
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Grading:
    """Grades in ascending order, and from which estimate on each but the first is given."""

    rule: str
    """How the thresholds came about, in words."""
    grades: tuple[float, ...]
    thresholds: Floats

    def grade(self, estimates: Floats) -> Floats:
        """The grade of each estimate; equal estimates have equal grades.

        >>> by_threshold([0.2, 0.5]).grade(np.array([0.1, 0.2, 0.9])).tolist()
        [0.0, 1.0, 2.0]
        """
        grades: Floats = np.asarray(self.grades)[np.searchsorted(self.thresholds, estimates, side="right")]
        return grades

    def words(self) -> str:
        """The rule with its thresholds."""
        given = [
            f"{grade:g} from {threshold:.4g}"
            for grade, threshold in zip(self.grades[1:], self.thresholds.tolist(), strict=True)
            if np.isfinite(threshold)
        ]
        return f"{self.rule}: {', '.join(given)}" if given else self.rule

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        thresholds = [float(value) if np.isfinite(value) else None for value in self.thresholds]
        return {"rule": self.rule, "grades": list(self.grades), "thresholds": thresholds}


def by_quantile(estimates: Floats, shares: Sequence[float] = SHARES) -> Grading:
    """Grades 0, 1, 2, … for these shares of the documents, the least relevant first.

    Documents with equal estimates have equal grades, the lower one where a share ends among them.

    >>> grading = by_quantile(np.array([0.1, 0.2, 0.3, 0.4]), [0.5, 0.25, 0.25])
    >>> grading.grade(np.array([0.1, 0.2, 0.3, 0.4])).tolist()
    [0.0, 0.0, 1.0, 2.0]
    """
    ordered = np.sort(estimates)
    below = ordered[share_ends(shares, len(ordered))]
    return by_share(shares, np.append(ordered, np.inf)[np.searchsorted(ordered, below, side="right")])


def share_ends(shares: Sequence[float], count: int) -> Ints:
    """Where among so many estimates in ascending order, from 0, the last is that has grade 0, 1 and so on.

    >>> share_ends([0.5, 0.25, 0.25], 4).tolist()
    [1, 2]
    """
    given = _numbers(shares)
    if given is None or len(given) < 2 or min(given) <= 0 or abs(sum(given) - 1) > 1e-6:
        named = ", ".join(map(str, shares)) if isinstance(shares, list | tuple) else repr(shares)
        raise UsageError(f"shares are two or more numbers above 0 that add up to 1, not {named}.")
    places = np.ceil(np.cumsum(given)[:-1] * count - 1e-9).astype(np.int64)
    ends: Ints = np.clip(places, 1, max(count - 1, 1)) - 1
    return ends


def by_share(shares: Sequence[float], thresholds: Floats) -> Grading:
    """Grades for these shares, from these estimates on."""
    given = [float(share) for share in shares]
    rule = f"by share ({', '.join(f'{share:g}' for share in given)})"
    return Grading(rule, tuple(map(float, range(len(given)))), thresholds)


def by_threshold(thresholds: Sequence[float]) -> Grading:
    """Grades 1, 2, … from these estimates on, and 0 below the first."""
    given = _numbers(thresholds)
    if not given or not (np.diff(given) > 0).all() or min(given) < 0 or max(given) > 1:
        raise UsageError("thresholds are rising numbers from 0 to 1, one for each grade above 0.")
    return Grading("by threshold", tuple(map(float, range(len(given) + 1))), np.array(given))


def calibrated(estimates: Floats, judged: Floats) -> Grading:
    """Grades as people gave them: the mean grade at each estimate, made monotone, and then the nearest grade.

    >>> grading = calibrated(np.array([0.1, 0.2, 0.3, 0.8, 0.9]), np.array([0.0, 0, 1, 2, 2]))
    >>> grading.grade(np.array([0.15, 0.3, 1.0])).tolist()
    [0.0, 1.0, 2.0]
    """
    levels = np.unique(judged)
    places, means = isotonic(estimates, judged)
    middles = (levels[1:] + levels[:-1]) / 2
    first = np.searchsorted(means, middles, side="left")
    thresholds = np.append(places, np.inf)[first]
    return Grading("calibrated on judged documents", tuple(levels.tolist()), thresholds)


def isotonic(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The rising function of x that is nearest to y in squares, at the distinct values of x (Barlow et al., 1972).

    >>> [values.tolist() for values in isotonic(np.array([1.0, 2, 3]), np.array([0.0, 2, 1]))]
    [[1.0, 2.0, 3.0], [0.0, 1.5, 1.5]]
    """
    places, member, counts = np.unique(x, return_inverse=True, return_counts=True)
    sums: list[float] = []
    weights: list[float] = []
    lengths: list[float] = []
    for total, count in zip(np.bincount(member, y).tolist(), counts.tolist(), strict=True):
        sums.append(total)
        weights.append(count)
        lengths.append(1)
        while len(sums) > 1 and sums[-2] * weights[-1] >= sums[-1] * weights[-2]:
            for values in (sums, weights, lengths):
                last = values.pop()
                values[-1] += last
    return places, np.repeat(np.array(sums) / np.array(weights), np.array(lengths, dtype=np.int64))


def cross_validated(estimates: Floats, judged: Floats, groups: Ints, seed: int) -> Floats:
    """Grades of documents by what was learnt from other groups (queries) than their own."""
    different, member = np.unique(groups, return_inverse=True)
    part = (np.random.default_rng(seed).permutation(len(different)) % min(FOLDS, len(different)))[member]
    made = np.zeros(len(estimates))
    for number in range(part.max() + 1):
        own = part == number
        made[own] = calibrated(estimates[~own], judged[~own]).grade(estimates[own])
    return made


def _numbers(values: Sequence[float]) -> list[float] | None:
    """Numbers as such; nothing if one of them is none."""
    try:
        given = [float(value) for value in values]
    except (TypeError, ValueError):
        return None
    return given if np.isfinite(given).all() else None
