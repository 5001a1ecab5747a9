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
