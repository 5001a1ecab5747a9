"""How far two categories count as agreement: weights, from 0 for none to 1 for the same."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.errors import UsageError, did_you_mean

Weights = Literal["identity", "linear", "quadratic", "ordinal"]
"""Names of weights; others are given as a table."""


def weight_table(weights: Weights | npt.ArrayLike | None, size: int) -> Floats:
    r"""What each two of some categories count, by a name or as a table of one's own.

    `identity` counts only the same category, `linear` 1 - |k - l| / (q - 1), `quadratic` the square of that distance,
    of categories at positions k and l of q. `ordinal` is Gwet's: 1 - C(|k - l| + 1, 2) / C(q, 2).

    Positions, rather than grades, make the distance, as in scikit-learn; a table of one's own may weigh otherwise.

    >>> weight_table("linear", 3)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    """
    if weights is None:
        return np.eye(size)
    if not isinstance(weights, str):
        return _own(weights, size)
    if weights not in get_args(Weights):
        near = did_you_mean(weights, get_args(Weights))
        raise UsageError(f"weights are {', '.join(get_args(Weights))} or a table, not {weights!r}. {near}".strip())
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    longest = max(size - 1, 1)
    if weights == "identity":
        return np.eye(size)
    if weights == "linear":
        return 1 - distance / longest
    if weights == "quadratic":
        return 1 - (distance / longest) ** 2
    return 1 - distance * (distance + 1) / (longest * (longest + 1))


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
