"""How large a difference is, whatever its significance."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.arguments import require_not_negative
from cranfield.comparing.paired import TOLERANCE, defined, deviation, mean, without_noise


class WinsTiesLosses(NamedTuple):
    """For how many queries the first of two systems is better, as good, and worse."""

    wins: int
    ties: int
    losses: int

    @property
    def superiority(self) -> float:
        """How often the first is better, a tie counting half."""
        return (self.wins + self.ties / 2) / total if (total := sum(self)) else math.nan


def wins_ties_losses(differences: npt.ArrayLike, threshold: float = 0.0) -> WinsTiesLosses:
    """Queries won, tied and lost; those that differ by no more than the threshold are tied.

    Undefined differences are left out.

    >>> wins_ties_losses([0.3, 0.01, 0, -0.02], threshold=0.01)
    WinsTiesLosses(wins=1, ties=2, losses=1)
    """
    kept = without_noise(defined(differences))
    # The threshold itself is mostly a rounded number too: 0.03 - 0.02 is a tie at 0.01.
    limit = require_not_negative(threshold, "threshold") * (1 + TOLERANCE)
    wins, losses = (kept > limit).sum(), (kept < -limit).sum()
    return WinsTiesLosses(int(wins), int(len(kept) - wins - losses), int(losses))


def superiority(differences: npt.ArrayLike, threshold: float = 0.0) -> float:
    r"""The probability of superiority: how often the first system is better, ties counted half.

    .. math:: \frac{w + t / 2}{n}

    (Grissom & Kim, Effect Sizes for Research, 2nd edition 2012, chapter 5, for pairs.) NaN without a defined
    difference.

    >>> superiority([0.5, 0.25, 0, -0.5])
    0.625
    """
    return wins_ties_losses(differences, threshold).superiority


def cohen_d(differences: npt.ArrayLike) -> float:
    r"""Cohen's d of paired scores (d_z): the mean difference in standard deviations of the differences.

    .. math:: d_z = \bar d / s_d

    It is the t statistic without the number of queries, and what the power of a test depends on (Cohen, Statistical
    Power Analysis for the Behavioral Sciences, 2nd edition 1988, section 2.3). 0 where there is no difference; NaN
    where all differences are the same but not 0, or fewer than two are defined.

    >>> cohen_d([1, 2, 3])
    2.0
    """
    kept = without_noise(defined(differences))
    if len(kept) < 2 or not np.isfinite(kept).all():
        return math.nan
    if not kept.any():
        return 0.0
    return mean(kept) / spread if (spread := deviation(kept)) else math.nan


def hedges_g(differences: npt.ArrayLike) -> float:
    r"""Hedges' g of paired scores (g_z): Cohen's d without its bias, which few queries make too large.

    .. math:: g_z = d_z \frac{\Gamma(\nu/2)}{\sqrt{\nu/2}\,\Gamma((\nu-1)/2)}, \quad \nu = n - 1

    (Hedges, Journal of Educational Statistics 6(2), 1981, doi:10.3102/10769986006002107.) NaN where d is, and with
    two queries, where d has no expected value.

    >>> print(round(hedges_g([1, 2, 3]), 4))  # 2 times 0.5642
    1.1284
    """
    return without_bias(cohen_d(differences), len(defined(differences)))


def without_bias(d: float, queries: int) -> float:
    """Hedges' g, given Cohen's d of so many queries.

    >>> print(round(without_bias(2.0, 3), 4))
    1.1284
    """
    freedom = queries - 1
    if freedom < 2:
        return math.nan
    return d * math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2)) / math.sqrt(freedom / 2)
