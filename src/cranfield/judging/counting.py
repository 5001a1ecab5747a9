"""Sums over items from which every coefficient is made.

All are sums of what each item contributes. So coefficients of a thousand random samples of items are the same few
operations on arrays with one more axis, in front.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints
from cranfield.errors import UsageError
from cranfield.judging.coding import CodedLabels

MOST_CELLS = 1 << 27
BLOCK = 1 << 18
"""Meetings of two labels that are counted at a time."""


@dataclass(frozen=True, eq=False)
class Counts:
    """How many judges gave each category, of some patterns, and how many items have each pattern."""

    each: Floats
    """A row per pattern, a column per category."""
    times: Floats

    @cached_property
    def labels(self) -> Floats:
        """How many labels each pattern has."""
        return np.asarray(self.each.sum(axis=1))

    def agreeing(self, weights: Floats) -> Floats:
        """How far labels of each pattern agree, summed over ordered pairs. It is counted once for the same weights."""
        key = weights.tobytes()
        if key not in self._agreeing:
            self._agreeing[key] = (self.each * (self.each @ weights - 1)).sum(axis=1)
        return self._agreeing[key]

    @cached_property
    def _agreeing(self) -> dict[bytes, Floats]:
        return {}


@dataclass(frozen=True, eq=False)
class Patterns:
    """Items that every judge labelled alike are one pattern: often there are few, however many items there are.

    Labels of patterns are parallel columns, with those of a pattern side by side, by judge.
    """

    of_judge: Ints
    of_pattern: Ints
    codes: Ints
    times: Floats
    """How many items have each pattern."""
    of_item: Ints
    """The pattern of each item that has a label."""
    judges: int
    """How many judges there are."""
    size: int
    """How many categories there are."""

    @cached_property
    def counts(self) -> Floats:
        """How many judges gave each category, by pattern."""
        if len(self.times) * self.size > MOST_CELLS:
            raise too_many(self.size)
        place = self.of_pattern * self.size + self.codes
        cells = np.bincount(place, minlength=len(self.times) * self.size)
        return cells.reshape(len(self.times), self.size).astype(np.float64)

    @cached_property
    def all(self) -> Counts:
        """The counts of all patterns."""
        return Counts(self.counts, self.times)

    @cached_property
    def shared(self) -> Counts:
        """The counts of patterns with two labels or more."""
        several = self.all.labels > 1
        return self.all if several.all() else Counts(self.counts[several], self.times[several])

    @cached_property
    def labels(self) -> Ints:
        """How many labels each pattern has."""
        return np.bincount(self.of_pattern, minlength=len(self.times))

    @cached_property
    def sums(self) -> Sums:
        """The sums over all items."""
        return _sums_of(self)


def too_many(categories: int) -> UsageError:
    """So many different labels that hardly two can be the same."""
    return UsageError(
        f"There are {categories:,} different labels: too many for what counts equal ones. Round them, make them binary "
        "with a level, or look at alpha by interval and the intraclass correlation."
    )


@dataclass(frozen=True, eq=False)
class Sums:
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

    @cached_property
    def judges_shares(self) -> Floats:
        """How often each judge gives each category, of the judge's labels; 0 for a judge without labels."""
        labels = self._labels_of_judges[..., None]
        return np.divide(self.by_judge, labels, out=np.zeros_like(self.by_judge, dtype=np.float64), where=labels > 0)

    @cached_property
    def judges(self) -> Ints:
        """Judges with labels."""
        return (self._labels_of_judges > 0).sum(axis=-1)

    @cached_property
    def shares_of_all_judges(self) -> Floats:
        """Shares of each category, summed over judges."""
        return self.judges_shares.sum(axis=-2)

    @cached_property
    def _labels_of_judges(self) -> Floats:
        # Counts, of which every sum is exact. Of so short rows one by one is the fastest.
        return sum(
            (self.by_judge[..., at] for at in range(self.by_judge.shape[-1])), np.zeros(self.by_judge.shape[:-1])
        )


def patterns_of(coded: CodedLabels) -> Patterns:
    """The patterns among some items; items without any label are left out. They are found once for the same labels.

    >>> from cranfield.judging.coding import coded
    >>> patterns_of(coded([[0, 1, 0, np.nan], [0, 1, 0, np.nan]])).times
    array([2., 1.])
    """
    known: Patterns | None = vars(coded).get("patterns")
    if known is None:
        # As cached_property does, which cannot stand in `coding.py`: patterns are made of what is there.
        known = vars(coded)["patterns"] = _patterns(coded)
    return known


def _patterns(coded: CodedLabels) -> Patterns:
    if not len(coded.codes):
        nothing = np.zeros(0, dtype=np.int64)
        return Patterns(nothing, nothing, nothing, np.zeros(0), nothing, coded.judges, coded.size)
    begins = np.flatnonzero(np.diff(coded.of_item, prepend=-1))
    lengths = np.diff(begins, append=len(coded.codes))
    _, first, of_item, times = np.unique(
        _keys(coded, begins), return_index=True, return_inverse=True, return_counts=True
    )
    of_item = of_item.ravel()
    if not _are_alike(coded, begins, lengths, first[of_item]):
        first, of_item, times = _told_apart(coded, begins, lengths)
    at = _spans(begins[first], lengths[first])
    of_pattern = np.repeat(np.arange(len(first)), lengths[first])
    return Patterns(
        coded.of_judge[at], of_pattern, coded.codes[at], times.astype(np.float64), of_item, coded.judges, coded.size
    )


def _keys(coded: CodedLabels, begins: Ints) -> npt.NDArray[Any]:
    """A number for each item, the same for items that are labelled alike: digits of each judge, or random sums."""
    base = coded.size + 1
    if coded.judges * np.log2(base) < 62:
        digits = np.int64(base) ** np.arange(coded.judges - 1, -1, -1, dtype=np.int64)
        return np.add.reduceat((coded.codes + 1) * digits[coded.of_judge], begins)
    factors = np.random.default_rng(0).integers(1, 1 << 63, coded.judges, dtype=np.uint64)
    return np.add.reduceat((coded.codes + 1).astype(np.uint64) * factors[coded.of_judge], begins)


def _are_alike(coded: CodedLabels, begins: Ints, lengths: Ints, first: Ints) -> bool:
    """Whether each item has the labels of the item that stands for it."""
    if not np.array_equal(lengths, lengths[first]):
        return False
    at = _spans(begins[first], lengths)
    return np.array_equal(coded.of_judge, coded.of_judge[at]) and np.array_equal(coded.codes, coded.codes[at])


def _told_apart(coded: CodedLabels, begins: Ints, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    """The same by the labels themselves, where random sums happen to be equal."""
    numbers: dict[bytes, int] = {}
    labels = np.stack([coded.of_judge, coded.codes], axis=1)
    items = zip(begins.tolist(), lengths.tolist(), strict=True)
    of_item = [numbers.setdefault(labels[at : at + count].tobytes(), len(numbers)) for at, count in items]
    _, first, which, times = np.unique(of_item, return_index=True, return_inverse=True, return_counts=True)
    return first, which.ravel(), times


def _spans(begins: Ints, lengths: Ints) -> Ints:
    """The positions of several spans, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(begins - (ends - lengths), lengths)


def features(counts: Floats) -> Floats:
    """What one item with so many labels of each category adds to the sums, but for those of judges: a row per item."""
    labels = counts.sum(axis=1)
    together = met(counts, labels)
    cells = len(counts), counts.shape[1] ** 2
    parts = [
        np.ones((len(counts), 1)),
        (labels > 1)[:, None],
        (together / labels[:, None, None]).reshape(cells),
        together.reshape(cells),
        counts / labels[:, None],
    ]
    return np.hstack(parts).astype(np.float64)


def judge_features(patterns: Patterns) -> Any:
    """What one item of each pattern adds to how often each judge gives each category: a sparse row per pattern."""
    from scipy.sparse import csr_array

    place = patterns.of_judge * patterns.size + patterns.codes
    shape = len(patterns.times), patterns.judges * patterns.size
    return csr_array((np.ones(len(place)), (patterns.of_pattern, place)), shape=shape)


def met(counts: Floats, labels: Floats) -> Floats:
    """How often each two categories meet on an item, every label counting 1; nowhere on an item with one label."""
    together = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    together[:, diagonal, diagonal] -= counts
    together /= np.maximum(labels - 1, 1)[:, None, None]
    together[labels < 2] = 0
    return together


def sums_from(added: Floats, size: int, by_judge: Floats | None = None) -> Sums:
    """Sums of features, with as many axes in front as there are."""
    lead = added.shape[:-1]
    table = size * size
    ends = np.cumsum([1, 1, table, table, size])
    items, shared, agreeing, coincidences, shares = np.split(added, ends[:-1], axis=-1)
    return Sums(
        items[..., 0],
        shared[..., 0],
        agreeing.reshape(*lead, size, size),
        coincidences.reshape(*lead, size, size),
        shares,
        np.zeros((*lead, 0, size)) if by_judge is None else by_judge.reshape(*lead, -1, size),
    )


def _sums_of(patterns: Patterns) -> Sums:
    counts, shared = patterns.counts, patterns.shared
    place = patterns.of_judge * patterns.size + patterns.codes
    cells = patterns.judges * patterns.size
    by_judge = np.bincount(place, weights=patterns.times[patterns.of_pattern], minlength=cells)
    return Sums(
        np.asarray(patterns.times.sum()),
        np.asarray(shared.times.sum()),
        _met_in_all(shared.each, shared.times / shared.labels, shared.labels),
        _met_in_all(shared.each, shared.times, shared.labels),
        (patterns.times / patterns.all.labels) @ counts if len(counts) else np.zeros(patterns.size),
        by_judge.reshape(patterns.judges, patterns.size).astype(np.float64),
    )


def _met_in_all(counts: Floats, times: Floats, labels: Floats) -> Floats:
    """How often each two categories meet, summed over patterns that count so often."""
    weighed = counts * (times / (labels - 1))[:, None]
    return weighed.T @ counts - np.diag(weighed.sum(axis=0))


def meetings(patterns: Patterns) -> int:
    """How often two judges meet on a pattern."""
    labels = patterns.labels
    return int((labels * (labels - 1) // 2).sum())


def confusions(patterns: Patterns) -> Floats:
    """The tables of every two judges, in the order of `itertools.combinations`."""
    judges, size = patterns.judges, patterns.size
    tables = np.zeros((judges * (judges - 1) // 2, size, size))
    for pairs, met_tables in met_confusions(patterns):
        tables[pairs] = met_tables
    return tables


def met_confusions(patterns: Patterns) -> Iterator[tuple[Ints, Floats]]:
    """The tables of every two judges who labelled an item both, some at a time, with the positions of these pairs."""
    size, judges = patterns.size, patterns.judges
    by_judge = in_order(patterns.of_judge, judges)
    ends = np.cumsum(np.bincount(patterns.of_judge, minlength=judges))
    # Labels of a pattern are by judge, so those after a label are of later judges.
    later = _later(patterns)
    of_block = np.cumsum(np.bincount(patterns.of_judge, weights=later, minlength=judges)) // BLOCK
    starts = np.flatnonzero(np.diff(of_block, prepend=-1))
    for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), judges], strict=True):
        own = by_judge[(ends[begin - 1] if begin else 0) : ends[end - 1]]
        parts = [_tables(patterns, some, later) for some in np.array_split(own, 1 + int(later[own].sum()) // BLOCK)]
        if len(parts) == 1:
            yield parts[0]
            continue
        pairs, which = np.unique(np.concatenate([pair for pair, _ in parts]), return_inverse=True)
        tables = np.zeros((len(pairs), size, size))
        np.add.at(tables, which.ravel(), np.concatenate([table for _, table in parts]))
        yield pairs, tables


def _tables(patterns: Patterns, labels: Ints, later: Ints) -> tuple[Ints, Floats]:
    """Pairs of judges who meet at some labels and later ones of the same pattern, with a table for each."""
    size, judges = patterns.size, patterns.judges
    one, two = np.repeat(labels, later[labels]), _spans(labels + 1, later[labels])
    first, second = patterns.of_judge[one], patterns.of_judge[two]
    pairs, which = np.unique(_pair(first, second, judges), return_inverse=True)
    place = which.ravel() * size**2 + patterns.codes[one] * size + patterns.codes[two]
    times = patterns.times[patterns.of_pattern[one]]
    cells = np.bincount(place, weights=times, minlength=len(pairs) * size**2)
    return pairs, cells.reshape(len(pairs), size, size).astype(np.float64)


def in_order(numbers: Ints, count: int) -> Ints:
    """The positions of numbers below a count, lowest first, those of the same number as they come.

    >>> in_order(np.array([2, 0, 2, 1]), 3)
    array([1, 3, 0, 2])
    """
    # Of 16 bits, NumPy counts how often each number comes instead of comparing them.
    return np.argsort(numbers.astype(np.uint16) if count <= 1 << 16 else numbers, kind="stable")


def _later(patterns: Patterns) -> Ints:
    """How many labels of the same pattern come after each."""
    return np.cumsum(patterns.labels)[patterns.of_pattern] - 1 - np.arange(len(patterns.codes))


def _pair(first: Ints, second: Ints, judges: int) -> Ints:
    """The position of two judges among all pairs."""
    return first * (2 * judges - first - 1) // 2 + second - first - 1


def pair_features(patterns: Patterns) -> Any:
    """What each pattern adds to the tables of every two judges: a sparse row per pattern, in the order of pairs."""
    from scipy.sparse import csr_array

    size, judges = patterns.size, patterns.judges
    later = _later(patterns)
    one = np.repeat(np.arange(len(patterns.codes)), later)
    two = _spans(np.arange(1, len(patterns.codes) + 1), later)
    pair = _pair(patterns.of_judge[one], patterns.of_judge[two], judges)
    place = pair * size**2 + patterns.codes[one] * size + patterns.codes[two]
    shape = len(patterns.times), judges * (judges - 1) // 2 * size**2
    return csr_array((np.ones(len(place)), (patterns.of_pattern[one], place)), shape=shape)


def confusion(known: CodedLabels, one: int, two: int) -> Floats:
    """How often one judge gave a category, and the other another: rows are the first judge's.

    >>> from cranfield.judging.coding import coded
    >>> confusion(coded([[0, 0, 1, np.nan], [0, 1, 1, 1]]), 0, 1)
    array([[1., 1.],
           [0., 1.]])
    """
    given = np.full((2, known.items), -1, dtype=np.int64)
    for row, judge in enumerate((one, two)):
        own = known.of_judge == judge
        given[row, known.of_item[own]] = known.codes[own]
    both = given[:, (given >= 0).all(axis=0)]
    cells = np.bincount(both[0] * known.size + both[1], minlength=known.size**2)
    return cells.reshape(known.size, known.size).astype(np.float64)
