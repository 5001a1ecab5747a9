"""A coefficient of agreement: its value, what it may be, and what it is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.aggregate import t_quantile
from cranfield.arrays import Floats
from cranfield.comparing.intervals import bca_limits
from cranfield.show.table import Estimate, finite

Method = Literal["", "analytic", "bootstrap of items", "bootstrap of queries"]

CONFIDENCE = 0.95
NO_ITEM = "no item has labels by two judges"
NO_CHANCE = "every label is of one category, so chance alone would agree fully"
ONE_CATEGORY = "there is one category, and nothing to disagree about"
ONE_ITEM = "a single item shows no variance"
SAMPLES_UNDEFINED = "most samples have no value"
SAMPLES_EQUAL = "every random sample has the same value, so the interval has no width"
FEW_UNITS = 5_000
"""Of more items or queries than this, leaving out one moves nothing that an interval shows."""


@dataclass(frozen=True)
class Coefficient:
    """How far judges agree. NaN, with the reason, where there is no value or no limit."""

    name: str
    value: float
    observed: float = math.nan
    """P(A): how far they agree."""
    expected: float = math.nan
    """P(E): how far chance alone would."""
    items: int = 0
    """Items it is made of."""
    low: float = math.nan
    high: float = math.nan
    error: float = math.nan
    """The standard error."""
    method: Method = ""
    """Where the limits come from."""
    reason: str = ""
    """Why there is no value, or no limits."""

    def estimate(self) -> Estimate:
        """The value with its limits, as a table shows it."""
        return Estimate(self.value, self.low, self.high)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "name": self.name,
            "value": finite(self.value),
            "interval": [finite(self.low), finite(self.high)],
            "error": finite(self.error),
            "observed": finite(self.observed),
            "expected": finite(self.expected),
            "items": self.items,
            "method": self.method,
            "reason": self.reason,
        }


def corrected(observed: npt.ArrayLike, expected: npt.ArrayLike) -> Floats:
    """Agreement beyond chance, as a share of what there could be: NaN where chance alone agrees fully.

    >>> corrected(0.75, 0.5)
    array(0.5)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        left = 1 - np.asarray(expected, dtype=np.float64)
        # Sums of shares may miss 1 by their last bit.
        return np.asarray(
            np.where(left > 1e-12, (np.asarray(observed) - expected) / np.where(left > 0, left, 1), np.nan)
        )


def with_error(found: Coefficient, variance: float, confidence: float, degrees: float = math.inf) -> Coefficient:
    """With limits from a standard error: Student's t, or the normal distribution, within -1 and 1."""
    if math.isnan(found.value) or found.reason:
        return found
    if math.isnan(variance) or degrees < 1:
        return replace(found, reason=ONE_ITEM)
    error = math.sqrt(max(variance, 0.0))
    half = error * (t_quantile(degrees, confidence) if math.isfinite(degrees) else _normal(confidence))
    low, high = max(found.value - half, -1.0), min(found.value + half, 1.0)
    return replace(found, low=low, high=high, error=error, method="analytic")


def with_samples(
    found: Coefficient, resampled: Floats, left_out: Floats, confidence: float, method: Method
) -> Coefficient:
    """With limits from values of random samples: bootstrap, corrected for bias and acceleration (BCa)."""
    if math.isnan(found.value):
        return found
    known = resampled[~np.isnan(resampled)]
    if 2 * len(known) < len(resampled) or len(known) < 2:
        return replace(found, low=math.nan, high=math.nan, error=math.nan, method="", reason=SAMPLES_UNDEFINED)
    if float(np.abs(known - found.value).max()) <= 1e-12:
        low = high = found.value
        return replace(found, low=low, high=high, error=0.0, method=method, reason=SAMPLES_EQUAL)
    left = left_out[~np.isnan(left_out)]
    left = left if 2 <= len(left) <= FEW_UNITS else np.array([found.value, found.value])
    lows, highs = bca_limits(np.array([found.value]), known[None], left[None], confidence, np.array([1e-12]))
    # Corrected limits may pass by the estimate where nearly all samples lie on one side of it.
    low, high = min(float(lows[0]), found.value), max(float(highs[0]), found.value)
    return replace(found, low=low, high=high, error=float(known.std(ddof=1)), method=method, reason="")


def _normal(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))
