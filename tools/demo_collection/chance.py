"""Chance that gives the same on every version of Python: all of it comes from `Random.random`."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import TypeVar

T = TypeVar("T")

UNIFORMS = 12
"""So many uniform numbers add up to a nearly normal one with a variance of one."""


class Chance:
    """A stream of chance for one part of the collection, independent of all other parts.

    >>> Chance(1, "judges").pick("abc") == Chance(1, "judges").pick("abc")
    True
    """

    def __init__(self, seed: int, part: str) -> None:
        self._uniform = Random(f"{seed} {part}").random

    def happens(self, probability: float) -> bool:
        """True with this probability."""
        return self._uniform() < probability

    def normal(self, deviation: float) -> float:
        """A nearly normal number around zero."""
        return deviation * (fsum(self._uniform() for _ in range(UNIFORMS)) - UNIFORMS / 2)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each with equal chance."""
        return items[int(self._uniform() * len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All items in a random order."""
        keys = [self._uniform() for _ in items]
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]
