"""Intraclass correlation: agreement of grades that are numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield.arguments import require_share
from cranfield.arrays import Floats
from cranfield.errors import UsageError
from cranfield.judging.estimates import CONFIDENCE, Coefficient

Form = Literal["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
FORMS: tuple[Form, ...] = get_args(Form)
ALSO: dict[Form, str] = {
    "ICC(1,1)": "ICC(1)",
    "ICC(2,1)": "ICC(A,1)",
    "ICC(3,1)": "ICC(C,1)",
    "ICC(1,k)": "ICC(k)",
    "ICC(2,k)": "ICC(A,k)",
    "ICC(3,k)": "ICC(C,k)",
}
"""What McGraw & Wong call each form."""
TOO_FEW = "two items that every judge graded are needed"
NO_SPREAD = "all grades are the same"
NO_VARIANCE = "items differ less than judges do by chance"
TINY, ROUNDING = 1e-9, 1e-13


class Squares(NamedTuple):
    """Mean squares of the analysis of variance, and the table's size."""

    items: Floats
    judges: int
    between: Floats
    """MSR, between items."""
    of_judges: Floats
    """MSC, between judges."""
    rest: Floats
    """MSE."""
    within: Floats
    """MSW, within items."""


def intraclass(labels: Any, *, confidence: float = CONFIDENCE) -> dict[Form, Coefficient]:
    r"""Six forms of the intraclass correlation, of the items that every judge graded.

    .. math:: ICC(2,1) = \frac{MSR - MSE}{MSR + (k - 1) MSE + k (MSC - MSE) / n}

    The first number is the model: 1, every item has judges of its own; 2, these judges stand for others, so a lenient
    judge counts as disagreement; 3, these are all judges, and one who is always kinder still agrees. The second is what
    is to be relied on: 1, the grade of a single judge; k, the mean of all. Limits are from F distributions (Shrout &
    Fleiss, Psychological Bulletin 86(2), 1979, doi:10.1037/0033-2909.86.2.420; names and limits also in McGraw & Wong,
    Psychological Methods 1(1), 1996, doi:10.1037/1082-989X.1.1.30).

    Shrout and Fleiss' four judges of six targets:

    >>> grades = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> print({form: round(one.value, 2) for form, one in intraclass(grades).items()})
    {'ICC(1,1)': 0.17, 'ICC(2,1)': 0.29, 'ICC(3,1)': 0.71, 'ICC(1,k)': 0.44, 'ICC(2,k)': 0.62, 'ICC(3,k)': 0.91}
    """
    require_share(confidence, "confidence")
    table = np.asarray(labels, dtype=np.float64)
    if table.ndim != 2:
        raise UsageError(f"Labels need a row per judge and a column per item; these have {table.ndim} axes.")
    return intraclass_of(table[:, ~np.isnan(table).any(axis=0)], confidence)


def intraclass_of(complete: Floats, confidence: float = CONFIDENCE) -> dict[Form, Coefficient]:
    """The same of items that every judge graded."""
    items = complete.shape[1]
    if items < 2 or len(complete) < 2:
        return {form: Coefficient(form, math.nan, items=items, reason=TOO_FEW) for form in FORMS}
    complete = _in_reach(complete - complete.mean())
    squares = mean_squares(moments(complete, float(complete.mean())).sum(axis=0), len(complete))
    return {form: _with_limits(form, squares, items, confidence) for form in FORMS}


def _in_reach(grades: Floats) -> Floats:
    """Grades of at most 1, divided by a power of two, which changes no digit: fourth powers of others may overflow."""
    _, power = np.frexp(np.abs(grades).max())
    return np.asarray(np.ldexp(grades, -int(power)))


def moments(complete: Floats, middle: float) -> Floats:
    """What each item adds to sums, a row per item: 1, its grades, their squares, and the square of their sum.

    Grades are taken from a middle.
    """
    centered = (complete - middle).T
    squares = np.stack([(centered**2).sum(axis=1), centered.sum(axis=1) ** 2], axis=1)
    return np.hstack([np.ones((len(centered), 1)), centered, squares])


def mean_squares(added: Floats, judges: int) -> Squares:
    """The analysis of variance of sums of grades."""
    items, totals, all_squares, of_sums = added[..., 0], added[..., 1:-2], added[..., -2], added[..., -1]
    grand = totals.sum(axis=-1) ** 2 / (items * judges)
    noise = ROUNDING * all_squares  # what is left of a difference of equal numbers is none
    of_items = _above(of_sums / judges - grand, noise)
    of_judges = _above((totals**2).sum(axis=-1) / items - grand, noise)
    within = _above(all_squares - grand - of_items, noise)
    rest = _above(within - of_judges, noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Squares(
            items,
            judges,
            of_items / (items - 1),
            of_judges / (judges - 1),
            rest / ((items - 1) * (judges - 1)),
            within / (items * (judges - 1)),
        )


def _above(squares: Floats, noise: Floats) -> Floats:
    return np.where(squares > noise, squares, 0.0)


def value_of(form: Form, s: Squares) -> Floats:
    """One form of the correlation."""
    above, below = _PARTS[form](s)
    enough = below > TINY * (s.between + s.within)  # what is left of a difference of equal numbers is none
    return np.asarray(np.where(enough, above / np.where(enough, below, 1), np.nan))


_PARTS: dict[Form, Callable[[Squares], tuple[Floats, Floats]]] = {
    "ICC(1,1)": lambda s: (s.between - s.within, s.between + (s.judges - 1) * s.within),
    "ICC(2,1)": lambda s: (
        s.between - s.rest,
        s.between + (s.judges - 1) * s.rest + s.judges * (s.of_judges - s.rest) / s.items,
    ),
    "ICC(3,1)": lambda s: (s.between - s.rest, s.between + (s.judges - 1) * s.rest),
    "ICC(1,k)": lambda s: (s.between - s.within, s.between),
    "ICC(2,k)": lambda s: (s.between - s.rest, s.between + (s.of_judges - s.rest) / s.items),
    "ICC(3,k)": lambda s: (s.between - s.rest, s.between),
}


def _with_limits(form: Form, squares: Squares, items: int, confidence: float) -> Coefficient:
    value = float(value_of(form, squares))
    if math.isnan(value):
        reason = NO_VARIANCE if squares.between + squares.within > 0 else NO_SPREAD
        return Coefficient(form, math.nan, items=items, reason=reason)
    low, high = _LIMITS[form[4]](squares, (1 + confidence) / 2)
    if form.endswith("k)"):
        low, high = (_of_mean(limit, squares.judges) for limit in (low, high))
    return Coefficient(form, value, items=items, low=min(low, value), high=max(high, value), method="analytic")


def _of_mean(single: float, judges: int) -> float:
    """What a correlation of single grades is for means of as many (Spearman & Brown)."""
    below = 1 + (judges - 1) * single
    return judges * single / below if below > TINY else -math.inf


def _one_way(s: Squares, level: float, rest: Floats | None = None) -> tuple[float, float]:
    mean, degrees = (s.within, s.items * (s.judges - 1)) if rest is None else (rest, (s.items - 1) * (s.judges - 1))
    if not mean > 0:
        return 1.0, 1.0
    ratio, free = float(s.between / mean), float(s.items) - 1
    low, high = ratio / _f(level, free, float(degrees)), ratio * _f(level, float(degrees), free)
    return (low - 1) / (low + s.judges - 1), (high - 1) / (high + s.judges - 1)


def _two_way(s: Squares, level: float) -> tuple[float, float]:
    n, k = float(s.items), s.judges
    value = float(value_of("ICC(2,1)", s))
    if value >= 1:
        return 1.0, 1.0
    rows, columns, rest = float(s.between), float(s.of_judges), float(s.rest)
    a = k * value / (n * (1 - value))
    b = 1 + k * value * (n - 1) / (n * (1 - value))
    below = (a * columns) ** 2 / (k - 1) + (b * rest) ** 2 / ((n - 1) * (k - 1))
    if not below > 0:
        return value, value
    free = (a * columns + b * rest) ** 2 / below
    low, high = _f(level, n - 1, free), _f(level, free, n - 1)
    spread = k * columns + (k * n - k - n) * rest
    return n * (rows - low * rest) / (low * spread + n * rows), n * (high * rows - rest) / (spread + n * high * rows)


_LIMITS: dict[str, Callable[[Squares, float], tuple[float, float]]] = {
    "1": _one_way,
    "2": _two_way,
    "3": lambda s, level: _one_way(s, level, s.rest),
}


def _f(probability: float, one: float, two: float) -> float:
    from scipy.special import fdtri

    return float(fdtri(one, two, probability))
