"""Sums of numbers that are in many places, rounded once: however they are divided, the sum has the same bits."""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Floats

PLACES = 1074
"""The smallest number is two to the minus this: multiplied by two to this, every number is whole."""
HALF = 27
AT_ONCE = 1 << 25
"""So many halves of numbers can be added without rounding."""


def whole_sum(numbers: Floats) -> int:
    """The sum of finite numbers, times 2 to the 1074, which is a whole number.

    >>> rounded(whole_sum(np.array([1e16, 1.0])) + whole_sum(np.array([1.0, 1e-300])))
    1.0000000000000002e+16
    """
    return sum(_whole_sum(numbers[start : start + AT_ONCE]) for start in range(0, len(numbers), AT_ONCE))


def rounded(whole: int) -> float:
    """The number nearest to a sum.

    >>> rounded(whole_sum(np.array([0.1] * 10)))
    1.0
    """
    return whole / (1 << PLACES)


def _whole_sum(numbers: Floats) -> int:
    fractions, exponents = np.frexp(numbers)
    digits = np.ldexp(fractions, 53).astype(np.int64)
    places = exponents.astype(np.int64) - 53 + PLACES
    # Numbers below the smallest normal one have fewer digits.
    low = np.maximum(-places, 0)
    digits >>= low
    places += low
    high, rest = digits >> HALF, digits & ((1 << HALF) - 1)
    total = 0
    for part, shift in ((high, HALF), (rest, 0)):
        sums = np.bincount(places, weights=part.astype(np.float64)) if len(places) else np.empty(0)
        for place in np.flatnonzero(sums).tolist():
            total += int(sums[place]) << (place + shift)
    return total
