"""A scale of numbers for a drawing: round ends, round ticks, places in percent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Axis(NamedTuple):
    """Numbers from `low` to `high`, with ticks at round ones."""

    low: float
    high: float
    ticks: tuple[float, ...]
    places: int
    """Decimals that the ticks need."""

    def at(self, value: float) -> float:
        """Where a number stands, in percent of the width; what lies beyond an end stands there."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 3)

    def label(self, tick: float) -> str:
        """A tick as it is written."""
        return f"{tick + 0.0:z.{self.places}f}".replace("-", "−")


def axis(values: Iterable[float], *, ticks: int = 5, around: float | None = None) -> Axis:
    """A scale that holds some numbers, and one that must be on it; numbers that are undefined do not matter.

    >>> axis([0.021, 0.124], around=0.0)
    Axis(low=0.0, high=0.15, ticks=(0.0, 0.05, 0.1, 0.15), places=2)
    """
    known = [value for value in values if math.isfinite(value)]
    known += [] if around is None else [around]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high - low < 1e-12:
        low, high = low - 0.5, high + 0.5
    step = _round_step((high - low) / ticks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    at = tuple(round(number * step, places + 1) for number in range(first, last + 1))
    return Axis(at[0], at[-1], at, places)


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, … or their tenths that is at least so large.

    >>> [_round_step(least) for least in (0.03, 0.2, 7)]
    [0.05, 0.2, 10.0]
    """
    power = 10.0 ** math.floor(math.log10(least) + 1e-9)
    factor = next(factor for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return float(f"{factor * power:.12g}")
