"""Sums of numbers with random signs: how likely they are as far from 0 as some value, without chance.

Under the hypothesis of a paired test, each query's difference is as likely to have one sign as the other. So p-values
of the randomization test and of the signed-rank test are shares of sign patterns. There are 2^n of them, but they need
not be gone through one by one.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.comparing.paired import TOLERANCE

HALVED = 24
"""Up to so many numbers, the sums of two halves are listed and matched: 2^12 each, for 2^24 patterns."""
ADDITIONS = 1 << 20
"""Up to so many additions, numbers that are multiples of one step are summed over all patterns: about a millisecond."""
SPREAD = 1 << 4
"""How far apart probabilities may stand, and still be added up faster with the zeros between them than one by one."""
FINEST = 1 << 12
"""A step is looked for no further than this part of the largest number."""


def exact_tail(sizes: Floats, observed: float) -> float | None:
    """The share of sign patterns whose sum is at least as far from 0 as observed; None if finding it would take long.

    Sums that are equal but for rounding count as equal: the tolerance is 1e-9 of the sum of all sizes.

    1 + 2 + 3 and what its signs make of it: ±6, ±4, ±2, ±0.

    >>> exact_tail(np.array([1.0, 2.0, 3.0]), 4)
    0.5
    """
    sizes = sizes[sizes > 0]
    if len(sizes) <= HALVED:
        return _matched(sizes, observed - tolerance(sizes))
    found = multiples(sizes)
    if found is None or len(found[1]) * int(found[1].sum()) > ADDITIONS:
        return None
    step, times = found
    return lattice_tail(times, round(observed / step))


def tolerance(sizes: Floats) -> float:
    """How far two sums of these numbers, with any signs, may be apart and still count as the same."""
    return TOLERANCE * float(sizes.sum())


def lattice_tail(sizes: Ints, observed: int) -> float:
    """The same for whole numbers, by adding up probabilities; they may be many but not large.

    >>> lattice_tail(np.array([1, 2, 3]), 4)
    0.5
    """
    if observed <= 0:
        return 1.0
    # Half of (total + signed sum) is the sum of those with a plus sign: its distribution is half as wide.
    total = int(sizes.sum())
    likely = np.zeros(total + 1)
    likely[0] = 1.0
    reached = 0
    for size, count in zip(*(found.tolist() for found in np.unique(sizes, return_counts=True)), strict=True):
        if size * reached > SPREAD * (reached + SPREAD):
            for _ in range(count):
                before = likely[: reached + 1] / 2
                reached += size
                likely[: reached + 1] = 0.0
                likely[: len(before)] += before
                likely[size : reached + 1] += before
        else:  # all of one size at once
            together = np.zeros(size * count + 1)
            together[::size] = _binomial(count)
            before = likely[: reached + 1]
            reached += size * count
            likely[: reached + 1] = np.convolve(before, together)
    return min(2 * float(likely[(total + observed + 1) // 2 :].sum()), 1.0)


def multiples(sizes: Floats) -> tuple[float, Ints] | None:
    """A step, and which multiples of it these positive numbers are, but for rounding; None if there is none.

    Differences of P@10 are tenths, and their distribution is exact at once:

    >>> step, times = multiples(np.array([0.3 - 0.1, 0.5 - 0.2, 0.1]))
    >>> print(round(step, 12), times)
    0.1 [2 3 1]
    """
    largest = float(sizes.max())
    step = largest
    for size in np.unique(sizes).tolist():
        step = _common_step(size, step, largest)
        if step < largest / FINEST:
            return None
    times = np.rint(sizes / step)
    step = float((sizes * times).sum() / (times**2).sum())
    if np.abs(sizes - times * step).max() > TOLERANCE * largest:
        return None
    return step, times.astype(np.int64)


@lru_cache(maxsize=1024)
def _binomial(count: int) -> Floats:
    """How likely each number of heads is in so many tosses."""
    return np.array([math.comb(count, heads) / 2**count for heads in range(count + 1)])


def _common_step(one: float, two: float, largest: float) -> float:
    """Euclid's algorithm with remainders of either sign, which noise leaves near 0 and not near the divisor."""
    while two > largest * 1e-6:
        one, two = two, abs(math.remainder(one, two))
    return one


def _matched(sizes: Floats, least: float) -> float:
    """All patterns of two halves side by side: for each sum of one, how many of the other lift it high enough."""
    if least <= 0:
        return 1.0
    half = len(sizes) // 2
    one, two = np.sort(_sums(sizes[:half])), np.sort(_sums(sizes[half:]))
    enough = len(two) * len(one) - int(np.searchsorted(two, least - one, side="left").sum())
    return 2 * enough / (len(one) * len(two))


def _sums(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums - size, sums + size])
    return sums
