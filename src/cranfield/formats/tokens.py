"""Fields of a text file as ids and numbers, a whole column at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import AnyStr

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors.rows import LARGEST_GRADE


def decoded(tokens: Sequence[bytes]) -> list[str]:
    """Ids as text; a `UnicodeDecodeError`, which is a `ValueError`, says that some are not UTF-8."""
    return b"\n".join(tokens).decode().split("\n")


def decoded_alike(tokens: Sequence[bytes]) -> list[str]:
    """As `decoded`, for columns in which few ids come often."""
    texts = {token: token.decode() for token in set(tokens)}
    return list(map(texts.__getitem__, tokens))


def scores(tokens: Sequence[AnyStr]) -> Floats:
    """Scores as numbers; infinities are scores too. A `ValueError` says that some token is none."""
    if not tokens:
        return np.empty(0)
    numbers = np.fromiter(map(float, tokens), np.float64, len(tokens))
    together = tokens[0][:0].join(tokens)
    # Python reads 1_000 as a number; in a file it is more likely a mistake.
    if np.isnan(numbers).any() or ("_" if isinstance(together, str) else b"_") in together:
        raise ValueError
    return numbers


def grades(tokens: Sequence[AnyStr]) -> Floats:
    """Grades, or ranks, as numbers; a `ValueError` says that some token is none."""
    numbers = scores(tokens)
    if (np.abs(numbers) > LARGEST_GRADE).any():
        raise ValueError
    return numbers


NOT_GIVEN = frozenset({"", "na", "n/a", "n.a.", "nan", "null", "none", "?", "-", "–", "—"})
"""What people write for a grade that was not given, whatever its case."""


_TRUTH = {"true": "1", "false": "0"}
"""Grades that data frames write for yes and no."""


def is_not_given(token: str) -> bool:
    """Whether a field stands for a grade that was not given.

    >>> [is_not_given(field) for field in ("", " N/A ", "?", "0")]
    [True, True, True, False]
    """
    return token.strip().casefold() in NOT_GIVEN


def grades_given(tokens: Sequence[str]) -> Floats:
    """Grades as numbers, NaN where none was given; a `ValueError` says that some token is neither."""
    try:
        return grades(tokens)
    except ValueError:
        tokens = [_TRUTH.get(token.strip().casefold(), token) for token in tokens]
        given = [not is_not_given(token) for token in tokens]
        numbers = np.full(len(tokens), np.nan)
        numbers[given] = grades([token for token, is_given in zip(tokens, given, strict=True) if is_given])
        return numbers


def is_score(token: AnyStr) -> bool:
    """Whether one token is a score."""
    try:
        scores([token])
    except ValueError:
        return False
    return True


def is_grade(token: AnyStr) -> bool:
    """Whether one token is a grade."""
    return is_score(token) and abs(float(token)) <= LARGEST_GRADE


def is_grade_or_none(token: str) -> bool:
    """Whether one field of a table is a grade, yes or no, or a grade that was not given."""
    return is_not_given(token) or token.strip().casefold() in _TRUTH or is_grade(token)
