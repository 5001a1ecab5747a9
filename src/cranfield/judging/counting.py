"""Sums over items from which every coefficient is made.

All are sums of what each item contributes. So coefficients of a thousand random samples of items are the same few
operations on arrays with one more axis, in front.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.errors import UsageError
from cranfield.judging.coding import Coded

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MOST_CELLS = 1 << 27


class Patterns(NamedTuple):
    """Items that every judge labelled alike are one pattern: there are few, however many items there are."""

    codes: Ints
    """A row per judge, a column per pattern."""
    times: Floats
    """How many items have each pattern."""
    of_item: Ints
    """The pattern of each item."""
    size: int
    """How many categories there are."""

    def counts(self) -> Floats:
        """How many judges gave each category, by pattern."""
        judges, patterns = self.codes.shape
        if patterns * self.size > MOST_CELLS:
            raise too_many(self.size)
        known = self.codes >= 0
        place = np.broadcast_to(np.arange(patterns) * self.size, (judges, patterns))[known] + self.codes[known]
        return np.bincount(place, minlength=patterns * self.size).reshape(patterns, self.size).astype(np.float64)


def too_many(categories: int) -> UsageError:
    """So many different labels that hardly two can be the same."""
    return UsageError(
        f"There are {categories:,} different labels: too many for what counts equal ones. Round them, make them binary "
        "with a level, or look at alpha by interval and the intraclass correlation."
    )


class Sums(NamedTuple):
    """What is known of some items together; axes in front are of samples."""

    items: Floats
    """Items with a label."""
    shared: Floats
    """Items with two or more."""
    agreeing: Floats
    """How often each two categories meet on an item, of all ordered pairs of its labels: every item counts 1."""
    coincidences: Floats
    """The same, every label of such an item counting 1 (Krippendorff's table)."""
    shares: Floats
    """How often each category is given: every item counts 1."""
    by_judge: Floats
    """How often each judge gives each category."""


def patterns_of(coded: Coded) -> Patterns:
    """The patterns among some items; items without any label are left out.

    >>> from cranfield.judging.coding import coded
    >>> patterns_of(coded([[0, 1, 0, np.nan], [0, 1, 0, np.nan]])).times
    array([2., 1.])
    """
    codes = coded.codes[:, (coded.codes >= 0).any(axis=0)]
    judges = len(codes)
    base = coded.size + 1
    if judges * np.log2(base) < 62:
        keys = np.zeros(codes.shape[1], dtype=np.int64)
        for row in codes:
            keys = keys * base + (row + 1)
        _, first, of_item, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        found = codes[:, first]
    else:
        found, of_item, times = _unique_columns(codes)
    return Patterns(found, times.astype(np.float64), of_item.ravel(), coded.size)


def _unique_columns(codes: Ints) -> tuple[Ints, Ints, Ints]:
    """Different columns, which each column is, and how often each comes: told by random sums, and then checked."""
    factors = np.random.default_rng(0).integers(1, 1 << 63, len(codes), dtype=np.uint64)
    keys = np.zeros(codes.shape[1], dtype=np.uint64)
    for row, factor in zip(codes, factors, strict=True):
        keys += (row + 1).astype(np.uint64) * factor
    _, first, of_item, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    if np.array_equal(codes[:, first][:, of_item.ravel()], codes):
        return codes[:, first], of_item, times
    return np.unique(codes, axis=1, return_inverse=True, return_counts=True)


def features(patterns: Patterns) -> Floats:
    """What one item of each pattern adds to the sums: a row per pattern."""
    counts = patterns.counts()
    labels = counts.sum(axis=1)
    shared = labels > 1
    together = met(counts, labels)
    judged = np.zeros((len(counts), len(patterns.codes), patterns.size))
    judge, at = np.nonzero(patterns.codes >= 0)
    judged[at, judge, patterns.codes[judge, at]] = 1
    parts = [
        np.ones((len(counts), 1)),
        shared[:, None],
        (together / labels[:, None, None]).reshape(len(counts), patterns.size**2),
        together.reshape(len(counts), patterns.size**2),
        counts / labels[:, None],
        judged.reshape(len(counts), len(patterns.codes) * patterns.size),
    ]
    return np.hstack(parts).astype(np.float64)


def met(counts: Floats, labels: Floats) -> Floats:
    """How often each two categories meet on an item, every label counting 1; nowhere on an item with one label."""
    together = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    together[:, diagonal, diagonal] -= counts
    together /= np.maximum(labels - 1, 1)[:, None, None]
    together[labels < 2] = 0
    return together


def sums_from(added: Floats, judges: int, size: int) -> Sums:
    """Sums of features, with as many axes in front as there are."""
    lead = added.shape[:-1]
    table = size * size
    ends = np.cumsum([1, 1, table, table, size, judges * size])
    items, shared, agreeing, coincidences, shares, by_judge = np.split(added, ends[:-1], axis=-1)
    return Sums(
        items[..., 0],
        shared[..., 0],
        agreeing.reshape(*lead, size, size),
        coincidences.reshape(*lead, size, size),
        shares,
        by_judge.reshape(*lead, judges, size),
    )


def sums_of(patterns: Patterns) -> Sums:
    """The sums over all items."""
    return sums_from(patterns.times @ features(patterns), len(patterns.codes), patterns.size)


def confusions(known: Coded) -> Floats:
    """The tables of every two judges, in the order of `itertools.combinations`."""
    size = known.size
    tables = [np.zeros((0, size, size))]
    for at in range(len(known.codes) - 1):
        own = np.flatnonzero(known.codes[at] >= 0)
        others = known.codes[at + 1 :, own]
        given = others >= 0
        place = np.arange(len(others))[:, None] * size**2 + known.codes[at, own] * size + others
        counts = np.bincount(place[given], minlength=len(others) * size**2)
        tables.append(counts.reshape(len(others), size, size).astype(np.float64))
    return np.concatenate(tables)


def confusion(one: Ints, two: Ints, size: int) -> Floats:
    """How often one judge gave a category, and the other another: rows are the first judge's.

    >>> confusion(np.array([0, 0, 1, -1]), np.array([0, 1, 1, 1]), 2)
    array([[1., 1.],
           [0., 1.]])
    """
    both = (one >= 0) & (two >= 0)
    places = one[both] * size + two[both]
    return np.bincount(places, minlength=size * size).reshape(size, size).astype(np.float64)
