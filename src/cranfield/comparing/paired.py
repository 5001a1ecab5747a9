"""Scores of systems for the same queries: which queries two systems, or all, share, and which differences are none."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints
from cranfield.errors import UsageError
from cranfield.evaluating.aggregate import exact_sum
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


TOLERANCE = 1e-9
"""Numbers that differ by less than this share of their scale are the same number, rounded differently.

0.3 - 0.2 and 0.2 - 0.1 are not equal in floating point. Without a tolerance, rounding would decide whether they tie,
and with that move p-values; scores that truly differ so little are of no interest to anyone.
"""


@dataclass(frozen=True, eq=False)
class SystemPairs:
    """Pairs of systems by their rows in the table of scores; differences are the first's score less the second's."""

    first: Ints
    second: Ints

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.first.tolist(), self.second.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        return f"SystemPairs({', '.join(f'{one}-{two}' for one, two in self)})"

    def at(self, chosen: Ints) -> SystemPairs:
        """Some of the pairs."""
        return SystemPairs(self.first[chosen], self.second[chosen])


def all_pairs(systems: int) -> SystemPairs:
    """Every two systems once, the one in the earlier row first.

    >>> all_pairs(3)
    SystemPairs(0-1, 0-2, 1-2)
    """
    first, second = np.triu_indices(systems, 1)
    return SystemPairs(first.astype(np.int64), second.astype(np.int64))


def pairs_with(baseline: int, systems: int) -> SystemPairs:
    """Every other system against a baseline: positive differences are gains over it.

    >>> pairs_with(1, 3)
    SystemPairs(0-1, 2-1)
    """
    if not 0 <= baseline < systems:
        raise UsageError(f"The baseline is one of the rows 0 to {systems - 1}, not {baseline}.")
    others = np.delete(np.arange(systems, dtype=np.int64), baseline)
    return SystemPairs(others, np.full_like(others, baseline))


def as_matrix(values: npt.ArrayLike, pairs: SystemPairs, systems: int, *, antisymmetric: bool = False) -> Floats:
    """Values of pairs as a square table, the same on both sides of its diagonal; NaN where there is none.

    What changes its sign when two systems change places, such as a difference, is `antisymmetric`.

    >>> as_matrix([0.25, 0.5, 0.125], all_pairs(3), 3, antisymmetric=True)
    array([[   nan,  0.25 ,  0.5  ],
           [-0.25 ,    nan,  0.125],
           [-0.5  , -0.125,    nan]])
    """
    matrix = np.full((systems, systems), np.nan)
    matrix[pairs.second, pairs.first] = -np.asarray(values) if antisymmetric else values
    matrix[pairs.first, pairs.second] = values
    return matrix


def defined(values: npt.ArrayLike) -> Floats:
    """Values of the queries that have one: an undefined score (NaN) takes its query out.

    >>> defined([0.5, np.nan, 0.25])
    array([0.5 , 0.25])
    """
    column = value_per_query(values)
    return column[~np.isnan(column)]


def complete(scores: npt.ArrayLike) -> Floats:
    """The queries for which every system has a defined score.

    >>> complete([[0.5, 0.25, 1], [0, np.nan, 1]])
    array([[0.5, 1. ],
           [0. , 1. ]])
    """
    table = score_table(scores)
    return table[:, ~np.isnan(table).any(axis=0)]


def without_noise(differences: Floats) -> Floats:
    """Differences, 0 where only rounding makes them anything else.

    >>> without_noise(np.array([0.1 + 0.2 - 0.3, 0.5]))
    array([0. , 0.5])
    """
    sizes = np.abs(differences)
    largest = sizes[np.isfinite(sizes)].max(initial=0)
    return np.where(sizes <= TOLERANCE * largest, 0.0, differences)


def mean(values: Floats) -> float:
    """The mean; the sum is exact, so that the order of the queries does not matter."""
    return exact_sum(values) / len(values) if len(values) else math.nan


def deviation(values: Floats) -> float:
    """The standard deviation of a sample, 0 where only rounding makes the values differ.

    >>> deviation(np.array([0.3 - 0.2, 0.2 - 0.1]))
    0.0
    """
    if len(values) < 2:
        return math.nan
    squares = (values - mean(values)) ** 2
    spread = math.sqrt(exact_sum(squares) / (len(values) - 1))
    return spread if spread > TOLERANCE * float(np.abs(values).max()) else 0.0
