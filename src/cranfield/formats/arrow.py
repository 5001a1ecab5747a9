"""What pyarrow reads: Parquet and Arrow files, and every table that offers an Arrow stream."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from cranfield import errors, kernels
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.data.run import AtOnce, JudgedPlaces
from cranfield.errors import CranfieldError, DataError, Findings, UsageError
from cranfield.formats import tables
from cranfield.formats.columns import EXTRA, Columns, Kind
from cranfield.formats.grouping import RunRows
from cranfield.formats.remote import unbuffered
from cranfield.formats.source import Source, remove_with, temporary_file
from cranfield.formats.tables import ColumnTable

BATCH = 1 << 16
"""Rows that are converted together."""


@dataclass(frozen=True)
class ArrowTable(ColumnTable):
    """A table whose columns are Arrow arrays, which compiled loops can read."""

    arrays: Callable[[Sequence[int], int], Iterator[list[Any]]] = field(kw_only=True)
    """For the columns at some positions, their arrays, of at most so many rows at a time."""


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The judgments of a Parquet or Arrow file."""
    return tables.judgment_rows(file_table(source), columns, findings)


def judgments(source: Source, columns: Columns) -> Judgments | None:
    """The judgments, by compiled loops where there are such; None where there is anything to tell about the file."""
    if not kernels.are_compiled():
        return None
    try:
        return judgments_of(file_table(source), columns)
    except DataError:
        return None


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """The rows of a run in a Parquet or Arrow file."""
    return tables.run_rows(file_table(source), columns, findings)


def places(source: Source, columns: Columns) -> AtOnce | None:
    """The compiled pass over a run."""

    def scanned(judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        try:
            return places_of(file_table(source), columns)(judgments, ties=ties, single=single)
        except DataError:
            return None

    return scanned


def judgments_of(table: ArrowTable, columns: Columns) -> Judgments | None:
    """The judgments of a table by compiled loops; None where there is anything to tell about it."""
    roles = _roles(table, columns, "judgments")
    if columns.groups is not None or roles is None or roles.keys() & set(EXTRA) or not kernels.are_compiled():
        return None
    if "grade" not in roles:  # every document is relevant
        return None
    from cranfield.kernels import tables as compiled

    return compiled.judgments(partial(_pieces, table, roles, compiled.ROWS), table.path)


def places_of(table: ArrowTable, columns: Columns) -> AtOnce:
    """The compiled pass over a run in a table."""

    def scanned(judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        roles = _roles(table, columns, "run")
        if roles is None:
            return None
        from cranfield.kernels import tables as compiled

        return compiled.places(partial(_pieces, table, roles, compiled.ROWS), judgments, ties=ties, single=single)

    return scanned


def _roles(table: ArrowTable, columns: Columns, kind: Kind) -> dict[str, int] | None:
    try:
        return columns.places(table.names, kind, table.path)
    except (DataError, UsageError):
        return None


def _pieces(table: ArrowTable, roles: Mapping[str, int], rows: int) -> Iterator[dict[str, Any]]:
    for arrays in table.arrays(list(roles.values()), rows):
        yield dict(zip(roles, arrays, strict=True))


def file_table(source: Source) -> ArrowTable:
    """A Parquet or Arrow file, read batch by batch."""
    return files_table([source], source.path)


def files_table(sources: Sequence[Source], path: str) -> ArrowTable:
    """Several Parquet or Arrow files as one table, with the columns of the first and what its folders say."""
    pyarrow = _pyarrow(path)
    with _opened(sources[0], pyarrow) as first:
        own: list[str] = (first.schema_arrow if hasattr(first, "schema_arrow") else first.schema).names
    names = [*own, *(name for name in sources[0].told if name not in own)]

    def arrays(positions: Sequence[int], rows: int) -> Iterator[list[Any]]:
        stored = [own[at] for at in positions if at < len(own)]
        for source in map(replace, sources):  # none keeps what it has read: there may be thousands
            with _opened(source, pyarrow) as opened:
                for batch in _batches(opened, stored, rows, source.path, sources[0].path):
                    yield [
                        batch.column(names[at]) if at < len(own) else _repeated(source.told[names[at]], len(batch))
                        for at in positions
                    ]

    return _arrow_table(names, arrays, path)


def _repeated(value: str | None, rows: int) -> Any:
    """One value for all rows."""
    import pyarrow as pa

    numbers = pa.array(np.zeros(rows, dtype=np.int32))
    return pa.nulls(rows, pa.string()) if value is None else pa.DictionaryArray.from_arrays(numbers, [value])


IN_MEMORY = ("nbytes", "estimated_size", "memory_usage")
"""What tells how much memory a table takes, so that it is there already: of pyarrow, polars and pandas."""


def stream_table(given: Any) -> ArrowTable | None:
    """Anything that offers an Arrow stream, unless Arrow has no type for a column that mixes values.

    A table in memory is taken as it is. Some streams can be read only once: what they hold is kept.
    """
    pyarrow = _pyarrow(None)
    try:
        if any(hasattr(given, name) for name in IN_MEMORY) or not hasattr(given, "__arrow_c_stream__"):
            table = pyarrow.table(given)
            kept: Iterable[Any] = ()
        else:
            stream = pyarrow.RecordBatchReader.from_stream(given)
            table, kept = stream.schema.empty_table(), stream
    except pyarrow.ArrowException:
        return None
    with _whatever_is_wrong(None, pyarrow):
        _sound(table)
        batches = _Kept(pyarrow, kept) if kept else None

    def arrays(positions: Sequence[int], rows: int) -> Iterator[list[Any]]:
        held = table.to_batches(max_chunksize=rows) if batches is None else batches.in_pieces(rows)
        for batch in held:
            yield [batch.column(at) for at in positions]

    return _arrow_table(table.column_names, arrays, None)


class _Kept:
    """The batches of a stream: in memory, or in a temporary file once they are too much to be held."""

    def __init__(self, pyarrow: Any, stream: Any) -> None:
        from cranfield.formats.spilling import HELD, spilling

        self.held: list[Any] = []
        self.file: Path | None = None
        self.pyarrow = pyarrow
        size = 0
        for batch in stream:
            self.held.append(_sound(batch))
            size += batch.nbytes
            if size > HELD:
                break
        else:
            return
        self.file = temporary_file()
        remove_with(self, self.file)
        with (
            spilling("a stream that can be read only once is kept there"),
            pyarrow.ipc.new_stream(str(self.file), stream.schema) as target,
        ):
            for batch in chain(self.held, map(_sound, stream)):
                target.write_batch(batch)
        self.held = []

    def in_pieces(self, rows: int) -> Iterator[Any]:
        """All rows, at most so many at a time."""
        if self.file is None:
            yield from _in_pieces(self.held, rows)
            return
        with self.pyarrow.memory_map(str(self.file)) as data, self.pyarrow.ipc.open_stream(data) as opened:
            yield from _in_pieces(opened, rows)


def _in_pieces(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    for batch in batches:
        yield from (batch.slice(start, rows) for start in range(0, len(batch), rows))


def joined(frames: Iterable[Any]) -> Any:
    """Data frames of one table, of which there is one at least, as a stream."""
    pyarrow = _pyarrow(None)
    tables = map(pyarrow.table, frames)
    first = next(tables)
    batches = chain.from_iterable(table.to_batches() for table in chain([first], tables))
    return pyarrow.RecordBatchReader.from_batches(first.schema, batches)


def dataset_table(given: Any) -> ArrowTable:
    """A dataset of pyarrow, read again for every pass, and only the columns that count."""
    pyarrow = _pyarrow(None)
    names = given.schema.names

    def arrays(positions: Sequence[int], rows: int) -> Iterator[list[Any]]:
        wanted = [names[at] for at in positions]
        scanner = given.scanner(columns=wanted, batch_size=rows, batch_readahead=4, fragment_readahead=2)
        with _whatever_is_wrong(None, pyarrow):
            for batch in scanner.to_batches():
                yield [batch.column(name) for name in wanted]

    return _arrow_table(names, arrays, None)


def distinct_values(table: ArrowTable, at: int) -> list[object]:
    """The different values of a column, as they come."""
    parts = (array.unique().to_pylist() for (array,) in table.arrays([at], BATCH))
    return list(dict.fromkeys(chain.from_iterable(parts)))


def rows_with(table: ArrowTable, at: int, values: Iterable[object]) -> ArrowTable:
    """The rows that have one of some values in a column."""
    import pyarrow as pa
    from pyarrow import compute

    wanted = list(values)

    def arrays(positions: Sequence[int], rows: int) -> Iterator[list[Any]]:
        for *columns, own in table.arrays([*positions, at], rows):
            chosen = compute.is_in(own, value_set=pa.array(wanted, type=_plain_type(own.type)))
            yield [column.filter(chosen) for column in columns]

    return _arrow_table(table.names, arrays, table.path)


def _plain_type(type: Any) -> Any:
    """The type of a column's values, where it has categories."""
    return getattr(type, "value_type", type)


def _arrow_table(
    names: Sequence[str], arrays: Callable[[Sequence[int], int], Iterator[list[Any]]], path: str | None
) -> ArrowTable:
    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        if not positions:  # rows without columns hold nothing
            return
        for batch in arrays(positions, BATCH):
            with _whatever_is_wrong(path, _pyarrow(path)):
                values = [_values(array) for array in batch]
            yield values

    return ArrowTable(names, batches, path, arrays=arrays)


def _pyarrow(path: str | None) -> Any:
    try:
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        what = "Parquet and Arrow files" if path else "this table"
        raise DataError([errors.packages.missing_reader(path, what, "pyarrow")]) from None
    return pyarrow


@contextmanager
def _opened(source: Source, pyarrow: Any) -> Iterator[Any]:
    with source.open() as plain:
        in_place = isinstance(plain, io.BufferedReader) and plain.seekable()
        data = unbuffered(plain) if in_place else io.BytesIO(plain.read())
        with _whatever_is_wrong(source.path, pyarrow):
            magic = data.read(6)
            data.seek(0)
            if magic.startswith(b"PAR1"):
                yield _parquet_file(data, pyarrow, is_remote=data is not plain)
            elif magic == b"ARROW1":
                yield pyarrow.ipc.open_file(data)
            else:
                yield pyarrow.ipc.open_stream(data)


REPEATED = 2.0
"""Bytes a row, up to which a column of texts has few different ones: their numbers are read in a third of the time."""


def _parquet_file(data: Any, pyarrow: Any, *, is_remote: bool) -> Any:
    """A Parquet file, with the numbers of texts in place of texts that rows share."""
    metadata = pyarrow.parquet.ParquetFile(data).metadata
    group = metadata.row_group(0) if metadata.num_row_groups else None
    columns = map(group.column, range(group.num_columns)) if group else ()
    shared = [column.path_in_schema for column in columns if _is_shared(column)]
    # What is asked of a store is asked for together: column by column it would take many times as long.
    return pyarrow.parquet.ParquetFile(data, metadata=metadata, read_dictionary=shared, pre_buffer=is_remote)


def _is_shared(column: Any) -> bool:
    is_text = column.physical_type == "BYTE_ARRAY" and "RLE_DICTIONARY" in column.encodings
    return is_text and column.total_uncompressed_size <= REPEATED * column.num_values


@contextmanager
def _whatever_is_wrong(path: str | None, pyarrow: Any) -> Iterator[None]:
    """What pyarrow raises over a damaged table, which may be any of these, as an error in our words."""
    try:
        yield
    except CranfieldError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError, MemoryError) as error:
        raise DataError([errors.files.damaged_table(path, str(error) or type(error).__name__)]) from None


def _sound(table: Any) -> Any:
    """A table or batch whose texts lie within its data: to read others ends the process."""
    table.validate(full=True)
    return table


def _batches(opened: Any, names: list[str], rows: int, path: str, first: str) -> Iterator[Any]:
    there = (opened.schema_arrow if hasattr(opened, "schema_arrow") else opened.schema).names
    if missing := next((name for name in names if name not in there), None):
        raise DataError([errors.files.part_without_column(path, missing, first)])
    if hasattr(opened, "iter_batches"):
        yield from opened.iter_batches(batch_size=rows, columns=names)
        return
    batches = map(opened.get_batch, range(opened.num_record_batches)) if hasattr(opened, "get_batch") else opened
    yield from _in_pieces(map(_sound, batches), rows)


def _values(column: Any) -> Sequence[object]:
    from pyarrow import types

    if column.null_count == 0 and (types.is_integer(column.type) or types.is_floating(column.type)):
        # pyarrow's own way to NumPy imports pandas, which takes longer than to read a large file.
        values: list[object] = np.from_dlpack(column).tolist()
        return values
    try:
        values = column.to_pylist()
    except (OverflowError, ValueError):  # a time before the year 1 or after 9999, which Python has no date for
        values = column.cast("int64").to_pylist()
    return values
