"""Names by number: each gets the next one when it first comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield import kernels
from cranfield.arrays import Ints


def numbers_of(names: Sequence[Any], numbers: dict[Any, int]) -> Ints:
    """The number of each name; those that are new get the next ones.

    >>> known = {"a": 0}
    >>> numbers_of(["b", "a", "c", "b"], known), known
    (array([1, 0, 2, 1]), {'a': 0, 'b': 1, 'c': 2})
    """
    if kernels.are_compiled():
        from cranfield.kernels.compiled import numbers_in

        found = np.empty(len(names), dtype=np.int64)
        numbers_in(names, numbers, found)
        return found
    new = [name for name in dict.fromkeys(names) if name not in numbers]
    numbers.update(zip(new, range(len(numbers), len(numbers) + len(new)), strict=True))
    return np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
