"""What the functions of a comparison are given: arrays of scores, shares, counts; anything else is told at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.errors import UsageError
from cranfield.errors.phrases import shown
from cranfield.measures.scoring import must_be_moderate

Floats = npt.NDArray[np.float64]
LARGEST = 1e308
"""Whole numbers have no end in Python, and floating-point numbers have."""
Rng = int | np.random.Generator
"""Where random numbers come from: a seed, which gives the same numbers every time, or a generator that goes on."""


def score_table(scores: npt.ArrayLike) -> Floats:
    """Scores with a row per system and a column per query.

    >>> score_table([[0.5, 1], [0, 0.25]]).shape
    (2, 2)
    """
    table = _moderate(np.asarray(scores, dtype=np.float64))
    if table.ndim != 2:
        raise UsageError(f"Scores have a row per system and a column per query; these have {_axes(table)}.")
    return table


def value_per_query(values: npt.ArrayLike) -> Floats:
    """One value per query, such as a score, or the difference of two systems' scores.

    >>> value_per_query([0.5, 1]).shape
    (2,)
    """
    column = _moderate(np.asarray(values, dtype=np.float64))
    if column.ndim != 1:
        raise UsageError(f"There is one value per query, along one axis; these have {_axes(column)}.")
    return column


def share(value: Any, name: str) -> float:
    """A number strictly between 0 and 1.

    >>> share(0.05, "alpha")
    0.05
    """
    if _is_number(value) and 0 < value < 1:
        return float(value)
    raise UsageError(f"{name} must be between 0 and 1, not {shown(value)}.")


def whole(value: Any, name: str, least: int = 1) -> int:
    """A whole number that is not below the least one.

    >>> whole(10_000, "resamples")
    10000
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= value < 1 << 63:
        return int(value)
    raise UsageError(f"{name} must be a whole number of at least {least}, not {shown(value)}.")


def not_negative(value: Any, name: str) -> float:
    """A finite number from 0 on.

    >>> not_negative(0, "threshold")
    0.0
    """
    if _is_number(value) and 0 <= value < LARGEST:
        return float(value)
    raise UsageError(f"{name} must be a number of at least 0, not {shown(value)}.")


def as_seed(rng: Rng) -> int:
    """A seed to begin from more than once; a generator gives one and goes on.

    >>> as_seed(7)
    7
    """
    return int(rng.integers(1 << 63)) if isinstance(rng, np.random.Generator) else whole(rng, "rng", least=0)


def _moderate(scores: Floats) -> Floats:
    """Scores whose squares are numbers; what is undefined or infinite is left out elsewhere."""
    must_be_moderate("a system", scores[np.isfinite(scores)])
    return scores


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _axes(array: Floats) -> str:
    return {0: "no axis", 1: "one axis"}.get(array.ndim, f"{array.ndim} axes")
