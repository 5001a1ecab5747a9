"""Rows of a click log → how often what happened to each document at each place: all that most click models need.

This runs on workers, and knows no engine: whoever divides a log, in whatever way, gets counts that add up to the same.
What is wrong with a log becomes a row, so that no machine tries again what cannot succeed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cranfield.arrays import Bools, Floats, Ints
from cranfield.click_models import MODELS
from cranfield.click_models.examination import Cells, ExaminationModel, place_codes
from cranfield.click_models.model import ClickModel, EventCounts, Fitting
from cranfield.data.click_log import ClickLog, ImpressionBlock, distinct, summed
from cranfield.errors import CranfieldError, DataError
from cranfield.formats.clicks import read_clicks
from cranfield.spark.batches import Batches, Mapper
from cranfield.spark.part import Gathered, versions

ROWS = 1 << 17
"""Rows of a log that are read together."""
CELLS = 1 << 18
"""Cells that are kept together."""
PLACE = ("rank", "before")
"""Where a document stood, from 0, and the rank of the nearest click above it, from 1, or 0: as far as a model asks."""


@dataclass(frozen=True)
class TallyPlan:
    """What workers have to know to count."""

    model: str
    columns: Mapping[str, str]
    """Which column of the log is what."""
    key: tuple[str, ...]
    """The columns that tell impressions apart, where an impression has several rows."""

    @property
    def kind(self) -> type[ClickModel]:
        """The model."""
        return MODELS[self.model]

    @property
    def counts(self) -> tuple[str, ...]:
        """What is counted, in the order of columns."""
        return "shown", "clicked", *(f"{name}, {what}" for name in self._counted for what in ("won", "tried"))

    @property
    def _counted(self) -> list[str]:
        return [] if issubclass(self.kind, ExaminationModel) else list(self.kind.shapes())

    @property
    def schema(self) -> pa.Schema:
        """The columns of all rows; those that a row has no use for are null."""
        return pa.schema(
            [
                *((name, pa.string()) for name in ("query", "document")),
                *((name, pa.int32()) for name in PLACE),
                *((name, pa.int64()) for name in self.columns_of_counts),
                *((name, pa.string()) for name in ("finding", "about")),
            ]
        )

    @property
    def columns_of_counts(self) -> tuple[str, ...]:
        """Short names for what is counted."""
        return tuple(f"count{at}" for at in range(len(self.counts)))

    def place(self, block: ImpressionBlock) -> Sequence[Ints]:
        """The place of each result as far as the model asks."""
        if issubclass(self.kind, ExaminationModel):
            return self.kind.places(block)
        by_rank = "rank" in self.kind.shapes().values()
        return (np.broadcast_to(block.ranks if by_rank else 0, block.pair.shape),)

    def events(self, block: ImpressionBlock) -> list[Bools]:
        """What happened to each result, in the order of what is counted."""
        counted = self.kind.counted(block) if self._counted else {}
        return [block.shown, block.click, *(event for name in self._counted for event in counted[name])]


def tallying(plan: TallyPlan) -> Mapper:
    """Counts of the rows of a log; rows of one impression follow each other."""

    def tallied(batches: Batches) -> Batches:
        for table in whole_impressions(batches, plan.key):
            yield from tallies_of(table, plan)

    return tallied


def whole_impressions(batches: Iterable[pa.RecordBatch], key: Sequence[str]) -> Iterator[pa.Table]:
    """Tables of many rows each that end where an impression does; without a key each row is one."""
    begun: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        begun.append(batch)
        rows += batch.num_rows
        if rows < ROWS:
            continue
        table = pa.Table.from_batches(begun)
        end = _last_start(table, key) if key else rows
        if end:
            yield table.slice(0, end)
            begun = table.slice(end).to_batches()
            rows -= end
    if rows:
        yield pa.Table.from_batches(begun)


def _last_start(table: pa.Table, key: Sequence[str]) -> int:
    """The row where the last impression begins."""
    changes = np.zeros(table.num_rows - 1, dtype=np.bool_)
    for name in key:
        changes |= _differs(table[name])
    starts = np.flatnonzero(changes)
    return int(starts[-1]) + 1 if len(starts) else 0


def _differs(column: pa.ChunkedArray) -> Bools:
    """Where a value is another one than before."""
    codes = column.combine_chunks().dictionary_encode(null_encoding="encode")
    if isinstance(codes, pa.ChunkedArray):
        codes = codes.combine_chunks()
    numbers = codes.indices.to_numpy(zero_copy_only=False)
    differs: Bools = numbers[1:] != numbers[:-1]
    return differs


class _WrongRowsError(CranfieldError):
    """A log whose rows are wrong, each of which was gathered."""


class _Gathered(Gathered):
    """Gathers what is wrong, and stops before impressions are made of it."""

    def stop_if_wrong(self) -> None:
        """Stop, with everything gathered."""
        if any(severity == "error" for severity, *_ in self.met):
            raise _WrongRowsError


def tallies_of(table: pa.Table, plan: TallyPlan) -> Iterator[pa.RecordBatch]:
    """The counts of some whole impressions, and what is wrong or surprising about them."""
    found = _Gathered()
    found.ids_of = _ids_by_row(table, plan)
    about: dict[str, Any] = {"versions": versions()}
    try:
        log = read_clicks(table, columns=plan.columns, findings=found)
    except _WrongRowsError:
        pass
    except DataError as error:
        found.extend(error.findings)
    except CranfieldError as error:
        about["usage"] = str(error)
    else:
        about |= {"impressions": len(log), "depth": log.depth}
        yield _counted(log, plan)
    findings = [(query, json.dumps(finding)) for query, finding in found.rows()]
    if findings:
        yield _batch(plan.schema, query=[query for query, _ in findings], finding=[text for _, text in findings])
    yield _batch(plan.schema, about=[json.dumps(about)])


def _counted(log: ClickLog, plan: TallyPlan) -> pa.RecordBatch:
    block = log.pairs.block(log)
    shape = (len(log.pairs), block.depth + 1, block.depth + 2)
    places = plan.place(block)
    keys = place_codes([block.pair.astype(np.int64), *places], shape[: 1 + len(places)])[block.shown]
    cells, member = distinct(keys)
    counts = [np.bincount(member, event[block.shown], len(cells)).astype(np.int64) for event in plan.events(block)]
    rest = cells
    place: dict[str, Ints] = {name: np.zeros(len(cells), dtype=np.int32) for name in PLACE}
    for name, size in reversed(list(zip(PLACE, shape[1 : 1 + len(places)], strict=False))):
        place[name] = (rest % size).astype(np.int32)
        rest = rest // size
    pairs = log.pairs
    return _batch(
        plan.schema,
        query=pa.array(pairs.queries, pa.string()).take(pa.array(pairs.query[rest])),
        document=pa.array(pairs.documents, pa.string()).take(pa.array(pairs.document[rest])),
        **place,
        **dict(zip(plan.columns_of_counts, counts, strict=True)),
    )


def _batch(schema: pa.Schema, **columns: Any) -> pa.RecordBatch:
    """Rows with some of the columns; the others are null."""
    rows = len(next(iter(columns.values())))
    arrays = [
        pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(rows, field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _ids_by_row(table: pa.Table, plan: TallyPlan) -> Any:
    def of(role: str, row: int) -> str | None:
        return table[plan.columns[role]][row - 1].as_py() if role in plan.columns else None

    return lambda row: (of("query", row), of("document", row))


# Cells by document

CHUNK = pa.schema(
    [("cells", pa.binary()), ("size", pa.int32()), *((name, pa.list_(pa.string())) for name in ("query", "document"))]
)
"""Cells of many documents in one row, in the order of queries, documents and places."""


class Chunk(NamedTuple):
    """The cells of some documents."""

    pair: Ints
    """Which of these documents each is about."""
    rank: Ints
    before: Ints
    counts: npt.NDArray[np.int64]
    """A row for each thing that is counted."""
    size: int
    """How many documents there are."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Chunk:
        """Those of one row."""
        numbers = np.frombuffer(row["cells"], dtype=np.int64)
        count = int(numbers[0])
        columns = numbers[1:].reshape(-1, count)
        return cls(columns[0], columns[1], columns[2], columns[3:], row["size"])

    def by_document(self, at: int) -> Floats:
        """One of the counts, for each document and once for a document that nobody has seen."""
        return summed(self.pair, self.counts[at], self.size + 1)

    def cells(self, shape: tuple[int, ...]) -> Cells:
        """The same for models of examination, whose places are so many."""
        shown, clicked = (self.counts[at].astype(np.float64) for at in range(2))
        places = (self.rank, self.before)[: len(shape)]
        return Cells(self.pair, place_codes(places, shape), clicked, shown - clicked)


def packing(batches: Batches) -> Batches:
    """Sorted counts as rows of many cells, each with whole documents."""
    begun: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        begun.append(batch)
        rows += batch.num_rows
        if rows >= CELLS:
            table = pa.Table.from_batches(begun)
            if end := _last_start(table, ("query", "document")):
                yield _packed(table.slice(0, end))
                begun = table.slice(end).to_batches()
                rows -= end
    if rows:
        yield _packed(pa.Table.from_batches(begun))


def _packed(table: pa.Table) -> pa.RecordBatch:
    table = table.combine_chunks()
    changes = _differs(table["query"]) | _differs(table["document"])
    pair = np.concatenate([[0], np.cumsum(changes)])
    first = pa.array(np.concatenate([[0], np.flatnonzero(changes) + 1]))
    names = [name for name in table.column_names if name not in ("query", "document")]
    columns = [pair, *(table[name].to_numpy() for name in names)]
    cells = np.concatenate([[len(pair)], *columns]).astype(np.int64)
    ids = {name: [table[name].take(first).to_pylist()] for name in ("query", "document")}
    return pa.RecordBatch.from_pydict({"cells": [cells.tobytes()], "size": [len(first)], **ids}, CHUNK)


def chunks(batches: Batches) -> Iterator[Chunk]:
    """The chunks of a task."""
    for batch in batches:
        for row in batch.to_pylist():
            yield Chunk.of(row)


def tally(chunk: Chunk, plan: TallyPlan, name: str) -> EventCounts:
    """What was counted for a parameter of documents."""
    won, tried = (plan.counts.index(f"{name}, {what}") for what in ("won", "tried"))
    return EventCounts(chunk.by_document(won), chunk.by_document(tried))


def with_prior(fitting: Fitting, prior: tuple[float, float]) -> Fitting:
    """A fitting for some of the documents, by a prior that comes from all of them."""
    from dataclasses import replace

    return replace(fitting, prior=prior)
