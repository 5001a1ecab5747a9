"""Shares of trials, how far chance moves them, and whether they are what was promised."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Verdict = Literal["above", "nominal", "below"]

ERRORS = 3.0
"""A share that is so many standard errors from what was promised is something else."""


@dataclass(frozen=True)
class Share:
    """In how many of some trials something happened."""

    count: int
    trials: int

    @property
    def value(self) -> float:
        return self.count / self.trials

    @property
    def error(self) -> float:
        """The simulation's standard error; half a trial is added on both sides, so that it is never 0."""
        near = (self.count + 0.5) / (self.trials + 1)
        return math.sqrt(near * (1 - near) / self.trials)

    def compared_with(self, promised: float) -> Verdict:
        """Whether chance alone could have made it of what was promised.

        >>> [Share(found, 1000).compared_with(0.05) for found in (60, 80, 10)]
        ['nominal', 'above', 'below']
        """
        away = (self.value - promised) / math.sqrt(promised * (1 - promised) / self.trials)
        return "nominal" if abs(away) <= ERRORS else "above" if away > 0 else "below"


def share(happened: npt.ArrayLike) -> Share:
    """Of one truth per trial.

    >>> share([True, False, False, False])
    Share(count=1, trials=4)
    """
    each = np.asarray(happened, dtype=bool)
    return Share(int(each.sum()), each.size)
