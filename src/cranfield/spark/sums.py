"""Means of scores that stay where they are: each worker adds up its own, exactly, and the driver adds the sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from cranfield.arrays import Floats
from cranfield.evaluating import aggregate
from cranfield.evaluating.aggregate import squared_distances
from cranfield.measures import Judged, Measure
from cranfield.spark.batches import Batches, Mapper
from cranfield.spark.exact_sums import rounded, whole_sum
from cranfield.spark.part import PartPlan

KINDS = ("score", "low", "high")
"""Scores as they are, and with tied documents in the worst and in the best order."""
SUMS = pa.schema(
    [
        *((name, pa.int32()) for name in ("run", "measure")),
        ("kind", pa.string()),
        *((name, pa.int64()) for name in ("queries", "count", "undefined", "moved")),
        *((name, pa.float64()) for name in ("least", "most")),
        ("total", pa.string()),
    ]
)
SQUARES = pa.schema([("run", pa.int32()), ("measure", pa.int32()), ("squares", pa.string())])


class Column(NamedTuple):
    """Which scores a mean is of."""

    run: int
    measure: int
    kind: str = "score"


JUDGED_AT_10 = -1
"""In the place of a measure: the share of judged documents, which every evaluation tells."""


@dataclass
class Sum:
    """What is known of some of the numbers that a mean is over."""

    queries: int = 0
    """Those that the mean is over, whether or not their score is defined."""
    count: int = 0
    undefined: int = 0
    moved: int = 0
    """Scores that another order of ties could change."""
    least: float = np.inf
    most: float = -np.inf
    total: int = 0
    """Times 2 to the 1074: it is exact."""

    def add(self, other: Sum) -> None:
        """Know of others, too."""
        self.queries += other.queries
        self.count += other.count
        self.undefined += other.undefined
        self.moved += other.moved
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        self.total += other.total


@dataclass(frozen=True)
class SummedSample:
    """Numbers that are on workers."""

    sums: Sum
    of_squares: float = 0.0

    @property
    def count(self) -> int:
        """How many there are."""
        return self.sums.count

    def total(self) -> float:
        """Their sum, rounded once."""
        return rounded(self.sums.total)

    def farthest(self, value: float) -> float:
        """How far the one that is farthest from a value is: the least or the most."""
        return max(abs(self.sums.least - value), abs(self.sums.most - value))

    def squares(self, value: float, unit: float) -> float:
        """The sum of their squared distances to their mean, as workers found it."""
        return self.of_squares


def summing(plan: PartPlan) -> Mapper:
    """Counts and sums of the scores of each run and measure."""

    def summed(batches: Batches) -> Batches:
        sums: dict[Column, Sum] = {}
        for batch in batches:
            for column, scores, moved in _columns(plan, batch):
                numbers = _averaged(plan, column.measure, scores)
                sums.setdefault(column, Sum()).add(
                    Sum(
                        len(scores),
                        len(numbers),
                        int(np.isnan(scores).sum()),
                        moved,
                        numbers.min(initial=np.inf),
                        numbers.max(initial=-np.inf),
                        whole_sum(numbers),
                    )
                )
        yield _batch(
            SUMS,
            (
                (*column, s.queries, s.count, s.undefined, s.moved, s.least, s.most, f"{s.total:x}")
                for column, s in sums.items()
            ),
        )

    return summed


def squaring(plan: PartPlan, around: Mapping[Column, tuple[float, float]]) -> Mapper:
    """Sums of squared distances to means, each in its unit."""

    def squared(batches: Batches) -> Batches:
        sums: dict[Column, int] = {}
        for batch in batches:
            for column, scores, _ in _columns(plan, batch, KINDS[:1]):
                if column in around:
                    squares = squared_distances(_averaged(plan, column.measure, scores), *around[column])
                    sums[column] = sums.get(column, 0) + whole_sum(squares)
        yield _batch(SQUARES, ((one.run, one.measure, f"{whole:x}") for one, whole in sums.items()))

    return squared


def gathered(rows: Sequence[Any]) -> dict[Column, Sum]:
    """The sums of all workers."""
    sums: dict[Column, Sum] = {}
    for row in rows:
        of_part = Sum(row.queries, row["count"], row.undefined, row.moved, row.least, row.most, int(row.total, 16))
        sums.setdefault(Column(row.run, row.measure, row.kind), Sum()).add(of_part)
    return sums


def gathered_squares(rows: Sequence[Any]) -> dict[Column, float]:
    """The sums of squares of all workers."""
    sums: dict[Column, int] = {}
    for row in rows:
        column = Column(row.run, row.measure)
        sums[column] = sums.get(column, 0) + int(row.squares, 16)
    return {column: rounded(whole) for column, whole in sums.items()}


def centres(sums: Mapping[Column, Sum]) -> dict[Column, tuple[float, float]]:
    """The mean of each column of scores, and the unit in which distances to it are squared."""
    found: dict[Column, tuple[float, float]] = {}
    for column, of_column in sums.items():
        if column.kind == KINDS[0] and column.measure != JUDGED_AT_10 and of_column.count > 1:
            sample = SummedSample(of_column)
            value = sample.total() / sample.count
            found[column] = value, aggregate.unit_of(sample, value)
    return found


def measure_of(plan: PartPlan, at: int) -> Measure:
    """The measure at a place."""
    return Judged @ 10 if at == JUDGED_AT_10 else plan.evaluation.measures[at]


def _averaged(plan: PartPlan, at: int, scores: Floats) -> Floats:
    undefined = None if at == JUDGED_AT_10 else plan.evaluation.settings[at].undefined
    return aggregate.averaged(measure_of(plan, at), scores, undefined)


def _columns(
    plan: PartPlan, batch: pa.RecordBatch, kinds: Sequence[str] = KINDS
) -> Iterator[tuple[Column, Floats, int]]:
    """The scores that count of each run, measure and kind, and how many of them ties could change."""
    numbers = batch["run"].to_numpy(zero_copy_only=False)
    scores = matrix(batch["scores"])
    counted = matrix(batch["counted"]).astype(np.bool_)
    ends = [_ends(batch[name], scores) for name in ("lows", "highs")] if len(kinds) > 1 else []
    for run in np.unique(numbers).tolist():
        own = numbers == run
        if ends:
            yield Column(run, JUDGED_AT_10), batch["judged_at_10"].to_numpy(zero_copy_only=False)[own], 0
        for at in range(scores.shape[1]):
            counts = own & counted[:, at]
            yield Column(run, at), scores[counts, at], 0
            if ends:
                low, high = (end[:, at] for end in ends)
                moved = int(np.count_nonzero(own & ~((low == high) | (np.isnan(low) & np.isnan(high)))))
                yield Column(run, at, "low"), low[counts], moved
                yield Column(run, at, "high"), high[counts], moved


def matrix(lists: pa.Array) -> Any:
    """Lists of the same length as an array, a row for each."""
    return lists.flatten().to_numpy(zero_copy_only=False).reshape(len(lists), -1)


def _ends(lists: pa.Array, scores: Floats) -> Floats:
    """The same; where there are no ties, the scores."""
    ends, known = scores.copy(), lists.is_valid().to_numpy(zero_copy_only=False)
    if known.any():
        ends[known] = lists.flatten().to_numpy(zero_copy_only=False).reshape(int(known.sum()), -1)
    return ends


def _batch(schema: pa.Schema, rows: Any) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.RecordBatch.from_arrays(
        [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)], schema=schema
    )
