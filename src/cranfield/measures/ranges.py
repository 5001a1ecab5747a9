"""What numbers the parameters of measures may be: declared in a measure's signature, checked when it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, get_args

LARGEST_COUNT = (1 << 63) - 1
MILLION = 1e6
"""Beyond this no rank, second or distance is meant, and powers of it are still numbers."""


@dataclass(frozen=True)
class Range:
    """The numbers that fit a parameter, in words and as a test."""

    expected: str
    fits: Callable[[float], bool]
    whole: bool = False
    """Whether a number that fits is kept as a whole number."""

    def wrong(self, value: float) -> str:
        """What was expected of a value that does not fit; empty of one that does."""
        if self.fits(value):
            return ""
        return f"{self.expected} and below 2^63" if self.whole and value > LARGEST_COUNT else self.expected


def range_of(annotation: Any) -> Range | None:
    """The range that is declared in an annotation, if any.

    >>> range_of(Count | None).expected
    'a whole number of at least 1'
    """
    for part in (*getattr(annotation, "__metadata__", ()), *get_args(annotation)):
        found = part if isinstance(part, Range) else range_of(part)
        if found is not None:
            return found
    return None


COUNT = Range(
    "a whole number of at least 1", lambda value: 1 <= value <= LARGEST_COUNT and value == int(value), whole=True
)
Count = Annotated[int, COUNT]
Depth = Annotated[
    int, Range("a whole number from 1 to a million", lambda value: value <= MILLION and COUNT.fits(value), whole=True)
]
Probability = Annotated[float, Range("between 0 and 1", lambda value: 0 < value < 1)]
RecallLevel = Annotated[float, Range("between 0 and 1", lambda value: 0 <= value <= 1)]
Fraction = Annotated[float, Range("a number from 0 to 1", lambda value: 0 <= value <= 1)]
Decay = Annotated[float, Range("a number above 0 and at most 1", lambda value: 0 < value <= 1)]
Weight = Annotated[float, Range("a number above 0", lambda value: 0 < value <= MILLION)]
AboveZero = Annotated[float, Range("a number above 0", lambda value: value > 0)]
AboveOne = Annotated[float, Range("a number above 1", lambda value: value > 1)]
FromZero = Annotated[float, Range("a number of at least 0", lambda value: value >= 0)]
UpToAMillion = Annotated[float, Range("a number from 0 to a million", lambda value: 0 <= value <= MILLION)]
Scale = Annotated[float, Range("a number from 0.001 to a million", lambda value: 0.001 <= value <= MILLION)]
