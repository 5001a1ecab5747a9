"""Labels as numbers of categories: what every count is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arrays import Floats, Ints
from cranfield.data.labels import Labels
from cranfield.errors import UsageError


@dataclass(frozen=True, eq=False)
class CodedLabels:
    """Labels as positions among their categories: parallel columns, with labels of an item side by side."""

    of_judge: Ints
    of_item: Ints
    codes: Ints
    judges: int
    """How many judges there are."""
    items: int
    """How many items there are, also without a label."""
    categories: tuple[float | str, ...]
    """From the lowest on."""

    @property
    def size(self) -> int:
        """How many categories there are."""
        return len(self.categories)

    @cached_property
    def values(self) -> Floats:
        """The grade of each category; its position, where categories are texts."""
        if any(isinstance(category, str) for category in self.categories):
            return np.arange(float(self.size))
        return np.array(self.categories, dtype=np.float64)

    @property
    def grades(self) -> Floats | None:
        """The grade of each category; None where categories are texts."""
        return None if any(isinstance(category, str) for category in self.categories) else self.values

    @cached_property
    def counts(self) -> Ints:
        """How many labels each item has."""
        return np.bincount(self.of_item, minlength=self.items)

    @property
    def shared(self) -> int:
        """How many items have two labels or more."""
        return int((self.counts > 1).sum())

    def complete(self) -> Floats:
        """The grades of items that every judge labelled: a row per judge, a column per item."""
        whole = (self.counts == self.judges)[self.of_item]
        return self.values[self.codes[whole]].reshape(-1, max(self.judges, 1)).T


def coded(labels: Any, categories: Sequence[float | str] | None = None) -> CodedLabels:
    """Labels as codes: numbers with NaN, or texts with None, where a judge gave none.

    Categories are those that occur, in ascending order, unless they are given: a grade that nobody gave counts where
    chance is shared out among all grades.

    >>> coded([[0, 2, np.nan], [0, 1, 2]]).codes
    array([0, 0, 2, 1, 2])
    >>> coded([["yes", None], ["yes", "no"]]).categories
    ('no', 'yes')
    """
    if isinstance(labels, CodedLabels):
        return labels
    if isinstance(labels, Labels):
        return _coded_labels(labels, categories)
    numbers = _numbers(labels)
    table = _texts(labels) if numbers is None else numbers
    if table.ndim != 2:
        raise UsageError(f"Labels need a row per judge and a column per item; these have {table.ndim} axes.")
    of_item, of_judge = np.nonzero((table != "" if numbers is None else ~np.isnan(table)).T)
    codes, order = _codes(table[of_judge, of_item], categories)
    return CodedLabels(of_judge, of_item, codes, table.shape[0], table.shape[1], order)


def _coded_labels(labels: Labels, categories: Sequence[float | str] | None) -> CodedLabels:
    if not labels.categories:
        codes, order = _codes(labels.values, categories)
    elif categories is not None:
        raise errors.labels.texts_without_order("A scale")
    else:
        codes, order = labels.values.astype(np.int64), labels.categories
    return CodedLabels(labels.of_judge, labels.of_item, codes, len(labels.judges), labels.items, order)


def _codes(given: npt.NDArray[Any], categories: Sequence[float | str] | None) -> tuple[Ints, tuple[float | str, ...]]:
    """Positions of labels among their categories, and these."""
    used = np.unique(given)
    order = used if categories is None else np.array(list(categories), dtype=used.dtype if len(used) else None)
    if categories is not None:
        _must_hold(used, order)
    sorting = np.argsort(order, kind="stable")
    codes = sorting[np.searchsorted(order, given, sorter=sorting)] if len(order) else np.zeros(0, dtype=np.int64)
    return codes.astype(np.int64), tuple(order.tolist())


def made_binary(labels: Labels, level: float) -> Labels:
    """1 for a grade from the level on and 0 for one below, with a warning where that leaves one grade only.

    >>> made_binary(Labels.from_matrix([[0, 2], [1, 3]]), 2).grades
    array([[0., 1.],
           [0., 1.]])
    """
    if isinstance(level, bool) or not isinstance(level, int | float | np.number) or not math.isfinite(level):
        raise errors.labels.no_level(level)
    binary = labels.binary(float(level))
    reached = np.unique(binary.values).tolist()
    if len(reached) != 1:
        return binary
    one_sided = errors.labels.one_side_of_level(labels.path, float(level), labels.scale, reaches=reached == [1.0])
    return replace(binary, warnings=(*labels.warnings, one_sided))


def _must_hold(used: npt.NDArray[Any], order: npt.NDArray[Any]) -> None:
    if len(np.unique(order)) < len(order):
        raise UsageError("A category is named twice.")
    other = [value for value in used.tolist() if value not in set(order.tolist())]
    if other:
        raise UsageError(
            f"The label {_told(other[0])} is not one of the categories {', '.join(map(_told, order.tolist()))}."
        )


def _told(category: float | str) -> str:
    return f"{category:g}" if isinstance(category, float) else str(category)


def _numbers(labels: Any) -> Floats | None:
    try:
        table = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    if np.isinf(table).any():
        raise UsageError("A label is infinite; labels are finite numbers, or texts.")
    return table


def _texts(labels: Any) -> npt.NDArray[Any]:
    rows = [["" if _is_missing(label) else str(label) for label in row] for row in labels]
    if len({len(row) for row in rows}) > 1:
        raise UsageError("Labels have a row per judge and a column per item; these rows have different lengths.")
    return np.array(rows, dtype=np.str_)


def _is_missing(label: object) -> bool:
    return label is None or label != label
