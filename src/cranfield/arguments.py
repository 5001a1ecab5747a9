"""Arguments that every function checks alike: shares, counts, seeds; anything else is refused at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from cranfield.errors import UsageError, did_you_mean
from cranfield.phrases import shown

LARGEST = 1e308
"""Whole numbers have no end in Python, and floating-point numbers have."""
Rng: TypeAlias = "int | np.random.Generator"
"""Where random numbers come from: a seed, which gives the same numbers every time, or a generator that goes on.

In quotes, because whoever draws nothing need not wait until NumPy's generators are loaded.
"""


def require_share(value: Any, name: str) -> float:
    """A number strictly between 0 and 1.

    >>> require_share(0.05, "alpha")
    0.05
    """
    if _is_number(value) and 0 < value < 1:
        return float(value)
    raise UsageError(f"{name} must be between 0 and 1, not {shown(value)}.")


def require_whole(value: Any, name: str, least: int = 1) -> int:
    """A whole number that is not below the least one.

    >>> require_whole(10_000, "resamples")
    10000
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= value < 1 << 63:
        return int(value)
    raise UsageError(f"{name} must be a whole number of at least {least}, not {shown(value)}.")


def require_not_negative(value: Any, name: str) -> float:
    """A finite number from 0 on.

    >>> require_not_negative(0, "threshold")
    0.0
    """
    if _is_number(value) and 0 <= value < LARGEST:
        return float(value)
    raise UsageError(f"{name} must be a number of at least 0, not {shown(value)}.")


def require_positive(value: Any, name: str) -> float:
    """A finite number above 0.

    >>> require_positive(0.02, "equivalence")
    0.02
    """
    if _is_number(value) and 0 < value < LARGEST:
        return float(value)
    raise UsageError(f"{name} must be a number above 0, not {shown(value)}.")


def require_number(value: Any, name: str) -> float:
    """A finite number.

    >>> require_number(-0.5, "failure_threshold")
    -0.5
    """
    if _is_number(value) and -LARGEST < value < LARGEST:
        return float(value)
    raise UsageError(f"{name} must be a number, not {shown(value)}.")


def require_choice(value: Any, name: str, choices: Sequence[str], more: str = "") -> None:
    """One of several names; a misspelt one is answered with the nearest.

    >>> require_choice("queries", "interval", ["queries", "items"])
    """
    if value not in choices:
        near = did_you_mean(str(value), choices)
        may_be = f"{', '.join(choices)} {more}".strip()
        raise UsageError(f"{name} must be one of {may_be}, not {shown(value)}. {near}".strip())


def as_seed(rng: Rng) -> int:
    """A seed to begin from more than once; a generator gives one and goes on.

    >>> as_seed(7)
    7
    """
    return int(rng.integers(1 << 63)) if isinstance(rng, np.random.Generator) else require_whole(rng, "rng", least=0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
