"""Krippendorff's alpha of many different grades, without a table of them.

The squared differences of an item's labels follow from their sum and the sum of their squares, and ordinal distances
are differences of ranks.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.judging.coding import Coded


def spread_alpha(known: Coded, metric: Literal["ordinal", "interval"]) -> tuple[float, float]:
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


def on_scale(known: Coded, metric: Literal["ordinal", "interval"]) -> Floats:
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
