"""What runs on workers: Arrow batches in, Arrow batches out, with many whole queries at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
from pyarrow import compute

from cranfield.data.judgments import lines_of
from cranfield.formats.columns import ColumnsGiven
from cranfield.spark.frames import ColumnsBy
from cranfield.spark.part import PartPlan, judgment_table, part_of, part_of_file, read_part

ROWS = 1 << 18
"""Rows that are scored together: enough to make the cost of a call small, and few enough for any worker."""
TEXT = 1 << 20
"""Characters of judgments that are sent together."""

Batches = Iterator[pa.RecordBatch]
Mapper = Callable[[Batches], Batches]


def scoring(plan: PartPlan, columns: Mapping[int, Sequence[str]]) -> Mapper:
    """Scores of sorted rows; of each side it is known which columns it has."""

    def scored(batches: Batches) -> Batches:
        for sides in whole_queries(batches, columns):
            runs = {side - 1: table for side, table in sides.items() if side}
            yield from part_of(sides.get(0), runs, plan)

    return scored


def judgment_lines(plan: PartPlan, columns: Sequence[str]) -> Mapper:
    """The judgments that count as lines, in whatever order."""

    def lines(batches: Batches) -> Batches:
        for sides in whole_queries(batches, {0: columns}):
            judged = read_part(sides.get(0), plan)
            yield pa.RecordBatch.from_pydict({"line": [] if judged is None else list(lines_of(judged))}, LINES)

    return lines


def scoring_files(plan: PartPlan, judgments: str, columns: ColumnsBy) -> Mapper:
    """Scores of a run's files, each read where it is; of each row it is told which run the file belongs to."""
    known = uuid4().hex

    def scored(batches: Batches) -> Batches:
        for batch in batches:
            for number, path in zip(batch["run"].to_pylist(), batch["path"].to_pylist(), strict=True):
                judged = _judgments_of(judgments, columns.judgments, known)
                yield from part_of_file(path, number, judged, plan, columns.run)

    return scored


def _judgments_of(path: str, columns: ColumnsGiven, known: str) -> pa.Table:
    """The judgments, which a worker reads once for all files that it scores."""
    if known not in _READ:
        _READ.clear()
        _READ[known] = judgment_table(path, columns)
    return _READ[known]


_READ: dict[str, pa.Table] = {}
LINES = pa.schema([("line", pa.string())])


def texts(batches: Batches) -> Batches:
    """Lines as a few long texts, in their order."""
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"line": ["".join(batch["line"].to_pylist())]}, LINES)


def whole_queries(batches: Iterable[pa.RecordBatch], columns: Mapping[int, Sequence[str]]) -> Iterator[dict[int, Any]]:
    """Tables by side, of many queries at a time, each complete; batches are sorted by query and side."""
    begun: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        begun.append(batch)
        rows += batch.num_rows
        if rows >= ROWS and (end := _last_query(begun)) is not None:
            at, row = end
            yield _by_side([*begun[:at], begun[at].slice(0, row)], columns)
            begun = [begun[at].slice(row), *begun[at + 1 :]]
            rows = sum(part.num_rows for part in begun)
    if begun:
        yield _by_side(begun, columns)


def _last_query(batches: Sequence[pa.RecordBatch]) -> tuple[int, int] | None:
    """The batch, and the row in it, where the last query begins; None where it is the only one."""
    last = batches[-1]["query"][-1]
    if batches[0]["query"][0].equals(last):
        return None
    for at in range(len(batches) - 1, -1, -1):
        queries = batches[at]["query"]
        if not queries[-1].equals(last):
            return at + 1, 0
        if not queries[0].equals(last):
            same = compute.equal(queries, last) if last.is_valid else compute.is_null(queries)
            return at, int(np.argmax(same.fill_null(fill_value=False).to_numpy(zero_copy_only=False)))
    return None


def _by_side(batches: Sequence[pa.RecordBatch], columns: Mapping[int, Sequence[str]]) -> dict[int, pa.Table]:
    parts: dict[int, list[pa.RecordBatch]] = {}
    for batch in batches:
        if not batch.num_rows:
            continue
        sides = batch["side"].to_numpy(zero_copy_only=False)
        numbers = np.unique(sides).tolist()
        for side in numbers:
            # A batch of one side is taken as it is, so that a query of millions of documents is not copied.
            own = batch if len(numbers) == 1 else batch.filter(pa.array(sides == side))
            parts.setdefault(side, []).append(own.select(list(columns[side])))
    return {side: pa.Table.from_batches(own) for side, own in parts.items()}
