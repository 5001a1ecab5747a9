"""p-values of several tests, corrected for their number."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.choices import Correction
from cranfield.errors import UsageError, did_you_mean


def corrected(p: npt.ArrayLike, correction: Correction = "holm") -> Floats:
    """p-values of a family of tests, corrected for its size: compare them with alpha as if there were one test.

    - `holm` and `bonferroni` bound the probability of one or more false discoveries, whatever the tests depend on
      each other; Holm's finds everything that Bonferroni's finds, and more.
    - `benjamini-hochberg` bounds the expected share of false ones among the discoveries, for tests that are
      independent or vary together.
    - `none` leaves them as they are.

    The array may have any shape, all of it being one family. A test without a result, NaN, stays so and does not
    count.

    >>> corrected([0.01, 0.02, np.nan, 0.04])
    array([0.03, 0.04,  nan, 0.04])
    """
    if correction not in get_args(Correction):
        near = did_you_mean(str(correction), get_args(Correction))
        names = ", ".join(get_args(Correction))
        raise UsageError(f"There is no correction {correction!r}; there are {names}. {near}".strip())
    family = np.array(p, dtype=np.float64)
    known = ~np.isnan(family)
    values = family[known]
    if ((values < 0) | (values > 1)).any():
        raise UsageError("p-values are between 0 and 1; some of these are not.")
    family[known] = _CORRECTIONS[correction](values)
    return family


def bonferroni(p: Floats) -> Floats:
    r"""Bonferroni's correction: every p times the number of tests m (Dunn, JASA 56(293), 1961, doi:10.2307/2282330).

    .. math:: \tilde p_i = \min(1, m p_i)

    >>> bonferroni(np.array([0.01, 0.02, 0.5]))
    array([0.03, 0.06, 1.  ])
    """
    return np.minimum(p * len(p), 1)


def holm(p: Floats) -> Floats:
    r"""Holm's correction: the least p times m, the next times m - 1, and so on, never falling.

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1) p_{(j)})

    (Holm, Scandinavian Journal of Statistics 6(2), 1979.)

    >>> holm(np.array([0.01, 0.02, 0.5]))
    array([0.03, 0.04, 0.5 ])
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    return _back(np.minimum(np.maximum.accumulate(p[order] * left), 1), order)


def benjamini_hochberg(p: Floats) -> Floats:
    r"""Benjamini and Hochberg's correction: the i-th least p times m / i, never above that of a larger one.

    .. math:: \tilde p_{(i)} = \min_{j \ge i} \min(1, m p_{(j)} / j)

    (Benjamini & Hochberg, JRSS B 57(1), 1995, doi:10.1111/j.2517-6161.1995.tb02031.x.)

    >>> benjamini_hochberg(np.array([0.01, 0.02, 0.5]))
    array([0.03, 0.03, 0.5 ])
    """
    order = np.argsort(p, kind="stable")
    place = np.arange(1, len(p) + 1)
    # Dividing first would make m p / m another number than p.
    rising = np.minimum.accumulate((p[order] * len(p) / place)[::-1])[::-1]
    return _back(np.clip(rising, p[order], 1), order)


def _back(ordered: Floats, order: npt.NDArray[np.int64]) -> Floats:
    values = np.empty_like(ordered)
    values[order] = ordered
    return values


_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "benjamini-hochberg": benjamini_hochberg,
    "none": lambda p: p,
}
