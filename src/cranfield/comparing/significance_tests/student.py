"""Student's paired t test."""

from __future__ import annotations

import math

import numpy.typing as npt

from cranfield.comparing.paired import defined, deviation, mean, without_noise
from cranfield.comparing.significance_tests.significance import NO_VARIANCE, Significance, as_probability, without_test


def t_test(differences: npt.ArrayLike) -> Significance:
    r"""Student's paired t test: the mean difference, measured by its own standard error.

    .. math:: t = \frac{\bar d}{s_d / \sqrt n}

    s_d is the standard deviation of the n differences (divisor n - 1), and p the probability that Student's t with
    n - 1 degrees of freedom lies at least as far from 0. It supposes that means of differences are about normally
    distributed, which few queries and skewed differences may not be (Student, Biometrika 6(1), 1908,
    doi:10.1093/biomet/6.1.1; compared with other tests by Smucker, Allan & Carterette, CIKM 2007,
    doi:10.1145/1321440.1321528).

    Undefined differences are left out. Where there is none, p is 1; where all are the same, or there is a single
    query, t has no value and p is NaN.

    The mean is 2, the standard deviation 1, so t is 2 / (1 / √3):

    >>> result = t_test([1, 2, 3])
    >>> print(round(result.statistic, 4), round(result.p, 4))
    3.4641 0.0742
    """
    kept = without_noise(defined(differences))
    if outcome := without_test(kept, needs_variance=True):
        return outcome
    difference, spread = mean(kept), deviation(kept)
    if not spread:
        return Significance(difference, math.nan, math.nan, len(kept), reason=NO_VARIANCE)
    t = difference / (spread / math.sqrt(len(kept)))
    return Significance(difference, t, two_sided(t, len(kept) - 1), len(kept), "Student's t")


def two_sided(t: float, freedom: float) -> float:
    """How likely Student's t lies at least as far from 0 on either side.

    >>> round(two_sided(-12.706205, 1), 6)
    0.05
    """
    from scipy.special import stdtr

    return as_probability(2 * stdtr(freedom, -abs(t)))
