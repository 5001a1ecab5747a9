"""Arrays of scores that the functions of a comparison are given; anything else is refused at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.errors import UsageError
from cranfield.measures.scoring import must_be_moderate


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


def _moderate(scores: Floats) -> Floats:
    """Scores whose squares are numbers; what is undefined or infinite is left out elsewhere."""
    must_be_moderate("a system", scores[np.isfinite(scores)])
    return scores


def _axes(array: Floats) -> str:
    return {0: "no axis", 1: "one axis"}.get(array.ndim, f"{array.ndim} axes")
