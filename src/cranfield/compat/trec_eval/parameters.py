"""The text after a measure's dot, in each of the ways trec_eval reads one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from cranfield.compat.trec_eval.c_numbers import atof, atol
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.phrases import short

Number = TypeVar("Number", int, float)


def whole_cutoffs(texts: Sequence[str]) -> list[int]:
    """Ranks, smallest first; several -m for one measure are one list.

    >>> whole_cutoffs(["10,5", "10,20"])
    [5, 10, 20]
    """
    asked = [_distinct([atol(part) for part in text.split(",")], text) for text in texts]
    cutoffs = sorted({cutoff for cutoffs in asked for cutoff in cutoffs})
    if cutoffs[0] <= 0:
        raise TrecEvalError(Exit.INPUT, f"a cutoff of {cutoffs[0]} was found; cutoffs are whole numbers of at least 1")
    return cutoffs


def real_cutoffs(texts: Sequence[str]) -> list[float]:
    """Levels of recall or multiples of R, smallest first."""
    asked = [_distinct(real_values(text), text) for text in texts]
    return sorted({cutoff for cutoffs in asked for cutoff in cutoffs})


def real_values(text: str) -> list[float]:
    """Numbers in the order given."""
    return [_real(part) for part in text.split(",")]


def pairs(text: str) -> dict[str, float]:
    """Named numbers, each named once.

    >>> pairs("1=3,2=9")
    {'1': 3.0, '2': 9.0}
    """
    parts = text.split(",")
    if any(part.count("=") != 1 for part in parts):
        raise TrecEvalError(Exit.INPUT, f"malformed pair parameters in '{shown(text)}'; expected such as 1=3,2=9")
    named: dict[str, float] = {}
    for name, value in (part.split("=") for part in parts):
        if name in named:
            raise TrecEvalError(Exit.INPUT, f"'{shown(text)}' names {shown(name)} twice; name it once")
        named[name] = _real(value)
    return named


def _real(text: str) -> float:
    number = atof(text)
    if not abs(number) <= LARGEST_GRADE:
        raise TrecEvalError(
            Exit.INPUT,
            f"'{short(shown(text), 60)}': a number must lie between -{LARGEST_GRADE:g} and {LARGEST_GRADE:g}",
        )
    return number


def _distinct(numbers: Sequence[Number], text: str) -> set[Number]:
    if len(set(numbers)) < len(numbers):
        raise TrecEvalError(Exit.INPUT, f"duplicate cutoffs detected in '{shown(text)}'")
    return set(numbers)
