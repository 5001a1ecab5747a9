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
    - `sidak` and `holm-sidak` find a little more than these, for tests that are independent or vary together.
    - `hochberg` and `hommel` find more than Holm's, under the same condition; Hommel's finds all that Hochberg's finds.
    - `benjamini-hochberg` bounds the expected share of false ones among the discoveries, for tests that are
      independent or vary together; `benjamini-yekutieli` does so however they depend on each other, and finds less.
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


def sidak(p: Floats) -> Floats:
    r"""Šidák's correction: how likely a p as small is in any of m independent tests.

    .. math:: \tilde p_i = 1 - (1 - p_i)^m

    (Šidák, JASA 62(318), 1967, doi:10.2307/2283989.)

    >>> sidak(np.array([0.01, 0.02, 0.5])).round(6)
    array([0.029701, 0.058808, 0.875   ])
    """
    return _any_of(p, np.full(len(p), float(len(p))))


def holm_sidak(p: Floats) -> Floats:
    r"""Šidák's correction as Holm's goes: for m tests, for the next m - 1, and so on, never falling.

    .. math:: \tilde p_{(i)} = \max_{j \le i} 1 - (1 - p_{(j)})^{m - j + 1}

    >>> holm_sidak(np.array([0.01, 0.02, 0.5])).round(6)
    array([0.029701, 0.0396  , 0.5     ])
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1.0)
    return _back(np.maximum.accumulate(_any_of(p[order], left)), order)


def _any_of(p: Floats, tests: Floats) -> Floats:
    """How likely the least p of so many independent tests is as small as this one."""
    with np.errstate(divide="ignore"):
        return np.clip(-np.expm1(tests * np.log1p(-p)), p, 1)


def hochberg(p: Floats) -> Floats:
    r"""Hochberg's correction: Holm's factors from the largest p down, never above that of a larger one.

    .. math:: \tilde p_{(i)} = \min_{j \ge i} (m - j + 1) p_{(j)}

    (Hochberg, Biometrika 75(4), 1988, doi:10.1093/biomet/75.4.800.)

    >>> hochberg(np.array([0.02, 0.03, 0.04]))
    array([0.04, 0.04, 0.04])
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    falling = np.minimum.accumulate((p[order] * left)[::-1])[::-1]
    return _back(np.clip(falling, p[order], 1), order)


def hommel(p: Floats) -> Floats:
    r"""Hommel's correction: the largest p that Simes' test gives any set of tests that a test is in.

    .. math:: \tilde p_i = \max_{S \ni i} \min_{j} |S| p_{(j:S)} / j

    (Hommel, Biometrika 75(2), 1988, doi:10.1093/biomet/75.2.383.)

    >>> hommel(np.array([0.02, 0.03, 0.5]))
    array([0.045, 0.06 , 0.5  ])
    """
    count = len(p)
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    largest = np.full(count, (count * ordered / np.arange(1, count + 1)).min(initial=1.0))
    for size in range(count - 1, 1, -1):
        # Of all sets of a size, the one with the test itself and the largest others has the largest p.
        others = size * ordered[count - size + 1 :] / np.arange(2, size + 1)
        of_size = np.minimum(size * ordered, others.min())
        of_size[count - size + 1 :] = of_size[count - size]
        largest = np.maximum(largest, of_size)
    return _back(np.clip(np.maximum(largest, ordered), 0, 1), order)


def benjamini_yekutieli(p: Floats) -> Floats:
    r"""Benjamini and Yekutieli's correction: Benjamini and Hochberg's times the sum of 1/i, for any dependence.

    .. math:: \tilde p_{(i)} = \min_{j \ge i} \min(1, m p_{(j)} / j \sum_{k=1}^m 1/k)

    (Benjamini & Yekutieli, Annals of Statistics 29(4), 2001, doi:10.1214/aos/1013699998.)

    >>> benjamini_yekutieli(np.array([0.01, 0.02, 0.5])).round(6)
    array([0.055   , 0.055   , 0.916667])
    """
    total = (1 / np.arange(1, len(p) + 1)).sum()
    order = np.argsort(p, kind="stable")
    place = np.arange(1, len(p) + 1)
    rising = np.minimum.accumulate((p[order] * len(p) * total / place)[::-1])[::-1]
    return _back(np.clip(rising, p[order], 1), order)


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
    "holm-sidak": holm_sidak,
    "bonferroni": bonferroni,
    "sidak": sidak,
    "hochberg": hochberg,
    "hommel": hommel,
    "benjamini-hochberg": benjamini_hochberg,
    "benjamini-yekutieli": benjamini_yekutieli,
    "none": lambda p: p,
}
