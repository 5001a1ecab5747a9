"""What chance alone would give, each way that has a name; and agreement beyond it.

Every function here is given sums over items, with any axes of samples in front.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield import kernels
from cranfield.arrays import Floats, Ints
from cranfield.choices import AlphaMetric
from cranfield.judging.counting import Sums

TOGETHER = 1 << 13
"""Products that are added before their sum joins the others; it decides about last bits."""
Chance = Literal["fleiss", "gwet", "brennan-prediger", "conger"]


def observed(sums: Sums, weights: Floats) -> Floats:
    """P(A): how far two labels of an item agree, on average over items that have two."""
    return _ratio((sums.agreeing * weights).sum(axis=(-2, -1)), sums.shared)


def expected(sums: Sums, weights: Floats, chance: Chance) -> Floats:
    """P(E): how far two labels would agree by chance, as some author has it."""
    return _EXPECTED[chance](sums, weights)


def shares(sums: Sums) -> Floats:
    """How often each category is given, every item counting the same."""
    return _ratio(sums.shares, sums.items[..., None])


def alpha(coincidences: Floats, values: Floats, metric: AlphaMetric) -> tuple[Floats, Floats, Floats]:
    """Krippendorff's alpha with the observed and the expected disagreement."""
    given = coincidences.sum(axis=-1)
    labels = given.sum(axis=-1)
    distance = distances(given, values, metric)
    met = _ratio((coincidences * distance).sum(axis=(-2, -1)), labels)
    chance = given[..., :, None] * given[..., None, :] * distance
    would = _ratio(chance.sum(axis=(-2, -1)), labels * (labels - 1))
    return 1 - _ratio(met, np.where(would > 0, would, np.nan)), met, would


def distances(given: Floats, values: Floats, metric: AlphaMetric) -> Floats:
    """How far apart each two categories are, squared: by rank among all labels, by grade, or by ratio of grades."""
    if metric == "ordinal":
        middle = np.cumsum(given, axis=-1) - given / 2  # the middle rank of each category's labels
        return (middle[..., :, None] - middle[..., None, :]) ** 2
    difference = values[:, None] - values[None, :]
    if metric == "nominal":
        return (difference != 0).astype(np.float64)
    if metric == "interval":
        return difference**2
    total = values[:, None] + values[None, :]
    return np.where(total > 0, difference / np.where(total > 0, total, 1), 0.0) ** 2


def _fleiss(sums: Sums, weights: Floats) -> Floats:
    share = shares(sums)
    return np.einsum("...k,kl,...l->...", share, weights, share)


def _gwet(sums: Sums, weights: Floats) -> Floats:
    size = len(weights)
    if size < 2:
        return np.full(sums.items.shape, np.nan)
    share = shares(sums)
    return weights.sum() / (size * (size - 1)) * (share * (1 - share)).sum(axis=-1)


def _brennan_prediger(sums: Sums, weights: Floats) -> Floats:
    return np.full(sums.items.shape, weights.sum() / len(weights) ** 2 if len(weights) else np.nan)


def _conger(sums: Sums, weights: Floats) -> Floats:
    return by_judges(sums, [weights])[0]


def by_judges(sums: Sums, tables: Sequence[Floats]) -> list[Floats]:
    """P(E) as Conger has it, by each of some weights: a label meets those of all other judges, who differ."""
    *lead, judges, size = sums.by_judge.shape
    given = np.asarray(sums.by_judge, dtype=np.float64).reshape(math.prod(lead), judges, size)
    total, same, with_labels = np.zeros((len(given), size)), np.zeros((len(tables), len(given))), np.zeros(len(given))
    if given.size:
        if kernels.are_compiled():
            from cranfield.kernels.compiled import count_same_judge
        else:
            count_same_judge = _count_same_judge
        rows, columns, weights = map(np.concatenate, zip(*map(_cells, tables), strict=True))
        ends = np.cumsum([np.count_nonzero(table) for table in tables])
        count_same_judge(given, rows, columns, weights, ends, max(1, TOGETHER // size**2), total, same, with_labels)
    pairs = with_labels * (with_labels - 1)
    return [
        _ratio(np.einsum("...k,kl,...l->...", total, table, total) - own, pairs).reshape(lead)
        for table, own in zip(tables, same, strict=True)
    ]


def _cells(weights: Floats) -> tuple[Ints, Ints, Floats]:
    """The rows and columns of weights that are not 0, and these."""
    rows, columns = np.nonzero(weights)
    return rows, columns, weights[rows, columns]


def _count_same_judge(
    given: Floats,
    rows: Ints,
    columns: Ints,
    weights: Floats,
    ends: Ints,
    block: int,
    shares: Floats,
    same: Floats,
    judges: Floats,
) -> None:
    """The sums of shares, of agreement within judges, and of judges with labels, added one after the other."""
    labels = np.add.accumulate(given, axis=2)[..., -1:]
    each = np.divide(given, labels, out=np.zeros_like(given), where=labels > 0)
    shares += np.add.accumulate(each, axis=1)[:, -1]
    judges += (labels > 0).sum(axis=(1, 2))
    for own, *cells in zip(same, *(np.split(part, ends[:-1]) for part in (rows, columns, weights)), strict=True):
        one, other, weight = cells
        for at in range(0, given.shape[1], block):
            part = each[:, at : at + block]
            terms = (part[:, :, one] * weight * part[:, :, other]).reshape(len(given), -1)
            own += np.add.accumulate(terms, axis=1)[:, -1]


_EXPECTED: dict[Chance, Callable[[Sums, Floats], Floats]] = {
    "fleiss": _fleiss,
    "gwet": _gwet,
    "brennan-prediger": _brennan_prediger,
    "conger": _conger,
}


def _ratio(value: npt.ArrayLike, of: npt.ArrayLike) -> Floats:
    below = np.asarray(of, dtype=np.float64)
    return np.asarray(np.where(below > 0, np.asarray(value) / np.where(below > 0, below, 1), np.nan))
