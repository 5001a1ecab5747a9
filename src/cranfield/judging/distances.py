"""How far apart grades are: weights of near misses, and Krippendorff's alpha of many grades, without a table of them.

The squared differences of an item's labels follow from their sum and the sum of their squares, and ordinal distances
are differences of ranks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from cranfield.arguments import require_choice
from cranfield.arrays import Floats, Ints
from cranfield.choices import NamedWeights
from cranfield.errors import UsageError
from cranfield.judging.coding import CodedLabels


def weight_table(weights: NamedWeights | npt.ArrayLike | None, size: int, values: Floats | None = None) -> Floats:
    r"""What each two of some categories count, by a name or as a table of one's own.

    By their positions k and l among q categories, as in scikit-learn: `identity` counts only the same category,
    `linear` 1 - |k - l| / (q - 1), `quadratic` 1 less the square of that distance, `ordinal` 1 - C(|k - l| + 1, 2) /
    C(q, 2). By their grades x and y, `values`, or else 1 to q, each as a share of the longest distance: `radical`
    √|x - y|, `ratio` ((x - y) / (x + y))², `circular` sin²(π (x - y) / (highest - lowest + 1)), where the highest grade
    is next to the lowest, and `bipolar` (x - y)² / ((x + y - 2 lowest) (2 highest - x - y)), which weighs differences
    near either end more. Names and formulas are those of Gwet (Handbook of Inter-Rater Reliability, 4th edition, 2014)
    and of irrCAC.

    >>> weight_table("linear", 3)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    >>> weight_table("ratio", 3, np.array([0.0, 1.0, 3.0]))
    array([[1.  , 0.  , 0.  ],
           [0.  , 1.  , 0.75],
           [0.  , 0.75, 1.  ]])
    """
    if weights is None:
        return np.eye(size)
    if not isinstance(weights, str):
        return _own(weights, size)
    require_choice(weights, "weights", get_args(NamedWeights), "or a table")
    if size < 2 or weights == "identity":
        return np.eye(size)
    positions = np.arange(1.0, size + 1)
    by_grade = weights in _BY_GRADE
    distance = {**_BY_POSITION, **_BY_GRADE}[weights](positions if values is None or not by_grade else values)
    return np.asarray(1 - distance / distance.max())


def _apart(grades: Floats) -> Floats:
    return np.asarray(np.abs(np.subtract.outer(grades, grades)))


def _ordinal(grades: Floats) -> Floats:
    return _apart(grades) * (_apart(grades) + 1)


def _ratio(grades: Floats) -> Floats:
    if (grades < 0).any():
        raise UsageError("Weights by ratio need grades of at least 0; some are negative.")
    total = np.add.outer(grades, grades)
    return np.asarray(np.where(total > 0, _apart(grades) / np.where(total > 0, total, 1), 0) ** 2)


def _circular(grades: Floats) -> Floats:
    return np.asarray(np.sin(np.pi * _apart(grades) / (np.ptp(grades) + 1)) ** 2)


def _bipolar(grades: Floats) -> Floats:
    total = np.add.outer(grades, grades)
    ends = (total - 2 * grades.min()) * (2 * grades.max() - total)
    return np.asarray(_apart(grades) ** 2 / np.where(ends > 0, ends, 1))


_BY_POSITION: dict[str, Callable[[Floats], Floats]] = {
    "linear": _apart,
    "quadratic": lambda grades: _apart(grades) ** 2,
    "ordinal": _ordinal,
}
_BY_GRADE: dict[str, Callable[[Floats], Floats]] = {
    "radical": lambda grades: np.sqrt(_apart(grades)),
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
"""Distances of every two grades, by the name of the weights that they make."""


def _own(weights: npt.ArrayLike, size: int) -> Floats:
    try:
        table = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("Weights are a table of numbers.") from None
    if table.shape != (size, size):
        shape = " x ".join(map(str, table.shape))
        raise UsageError(f"Weights have a row and a column for each of {size} categories; these are {shape}.")
    if not ((table >= 0) & (table <= 1)).all() or (np.diag(table) != 1).any():
        raise UsageError("Weights are from 0 to 1, and 1 where both categories are the same.")
    if (table != table.T).any():
        raise UsageError("Weights of two categories are the same in both orders.")
    return table


def spread_alpha(known: CodedLabels, metric: Literal["ordinal", "interval"]) -> tuple[float, float]:
    """Alpha, and its variance by the jackknife; ranks are those among all labels.

    >>> from cranfield.judging.coding import coded
    >>> print(round(spread_alpha(coded([[0.5, 1.5, 2.5, 3.0], [0.5, 1.0, 2.5, 3.5]]), "interval")[0], 4))
    0.9533
    """
    if not known.size:
        return math.nan, math.nan
    scale = on_scale(known, metric)
    rows = added(scale[known.codes], known.of_item, known.items)
    rows = rows[rows[:, 0] > 0]
    total = rows.sum(axis=0)
    items = len(rows)
    if not items:
        return math.nan, math.nan
    without = alpha_of_sums(total - rows)
    spread = (items - 1) / items * float(((without - without.mean()) ** 2).sum()) if items > 2 else math.nan
    return float(alpha_of_sums(total)), spread


def on_scale(known: CodedLabels, metric: Literal["ordinal", "interval"]) -> Floats:
    """Where each category lies: by its grade, or by its rank among all labels of items that have two."""
    shared = (known.counts > 1)[known.of_item]
    times = np.bincount(known.codes[shared], minlength=known.size)
    scale = known.values if metric == "interval" else np.cumsum(times) - times / 2
    return np.asarray(scale - float((scale * times).sum() / max(times.sum(), 1)))


def alpha_of_sums(sums: Floats) -> Floats:
    """Alpha from sums over items of: labels, their values, the squares of these, and what an item's labels differ."""
    labels, total, squares, differing = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        met = differing / labels
        would = 2 * (labels * squares - total**2) / (labels * (labels - 1))
        return np.asarray(np.where(would > 0, 1 - met / would, np.nan))


def added(values: Floats, of_item: Ints, items: int) -> Floats:
    """What each item adds to these sums, a row per item; nothing if it has fewer than two labels."""
    labels = np.bincount(of_item, minlength=items)
    total, squares = (np.bincount(of_item, weights=part, minlength=items) for part in (values, values**2))
    differing = 2 * (labels * squares - total**2) / np.maximum(labels - 1, 1)
    rows = np.stack([labels, total, squares, differing], axis=1).astype(np.float64)
    rows[labels < 2] = 0
    return rows
