"""Numbers on the command line: what each may be, and the words where it is something else."""

from __future__ import annotations

import math
import re
from typing import Any

import click

from cranfield.errors.phrases import shown

MOST = 1_000_000_000
"""The largest count or cutoff: more than any ranking has, and a number that every loop can hold."""
LARGEST = 1e300
"""The largest number with decimals: sums and squares of a few of them still are numbers."""
SEEDS = (1 << 63) - 1

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Whole(click.IntRange):
    """A whole number within limits."""

    def __init__(self, least: int = 1, most: int = MOST) -> None:
        super().__init__(min=least, max=None if most in (MOST, SEEDS) else most)
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, if it is one that the option takes."""
        text = str(value).strip()
        number = value if isinstance(value, int) else int(text) if _WHOLE.fullmatch(text) else None
        if number is None or not self.least <= number <= self.most:
            self.fail(f"must be a whole number from {self.least:,} to {self.most:,}, not {shown(value)}.", param, ctx)
        return number


class Real(click.FloatRange):
    """A number within limits; by default any that can be calculated with."""

    def __init__(
        self, low: float = -LARGEST, high: float = LARGEST, *, min_open: bool = False, max_open: bool = False
    ) -> None:
        limits = (None if low == -LARGEST else low), (None if high == LARGEST else high)
        super().__init__(*limits, min_open=min_open, max_open=max_open)
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, if it is one that the option takes."""
        number = decimal(str(value))
        at_a_limit = (self.min_open and number == self.low) or (self.max_open and number == self.high)
        if at_a_limit or not self.low <= number <= self.high:
            self.fail(f"must be {self._expected()}, not {shown(value)}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        # click would print `x<=None` of a number without limits.
        return "" if self.min is None and self.max is None else super()._describe_range()

    def _expected(self) -> str:
        if self.low == -LARGEST:
            return "a number"
        low = f"a number {'above' if self.min_open else 'of at least'} {self.low:g}"
        return f"{low} and {'below' if self.max_open else 'at most'} {self.high:g}"


def decimal(text: str) -> float:
    """The number that a text spells; NaN where it is none, or too large for one.

    >>> decimal("1e-3"), decimal("1e400"), decimal("1_000")
    (0.001, nan, nan)
    """
    number = float(text) if _DECIMAL.fullmatch(text.strip()) else math.nan
    return number if math.isfinite(number) else math.nan
