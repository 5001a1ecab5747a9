"""What pyarrow reads: Parquet and Arrow files, and every table that offers an Arrow stream."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats import tables
from cranfield.formats.columns import Columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Source
from cranfield.formats.tables import Table
from cranfield.judgments import JudgmentRows

BATCH = 1 << 16
"""Rows that are converted together."""


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The judgments of a Parquet or Arrow file."""
    return tables.judgment_rows(file_table(source), columns, findings)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """The rows of a run in a Parquet or Arrow file."""
    return tables.run_rows(file_table(source), columns, findings)


def file_table(source: Source) -> Table:
    """A Parquet or Arrow file, read batch by batch."""
    pyarrow = _pyarrow(source.path)

    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        with _opened(source, pyarrow) as opened:
            for batch in _parts(opened, [names[at] for at in positions]):
                yield [_values(batch.column(names[at]), pyarrow) for at in positions]

    with _opened(source, pyarrow) as opened:
        names: list[str] = (opened.schema_arrow if hasattr(opened, "schema_arrow") else opened.schema).names
    return Table(names, batches, source.path)


def stream_table(given: object) -> Table | None:
    """Anything that offers an Arrow stream, unless Arrow has no type for a column that mixes values.

    It is taken whole, since some streams can be read only once.
    """
    pyarrow = _pyarrow(None)
    try:
        table = pyarrow.table(given)
    except pyarrow.ArrowException:
        return None

    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        for batch in table.to_batches(max_chunksize=BATCH):
            yield [_values(batch.column(at), pyarrow) for at in positions]

    return Table(table.column_names, batches)


def _pyarrow(path: str | None) -> Any:
    try:
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        what = "Parquet and Arrow files" if path else "this table"
        raise DataError([errors.missing_package(path, "pyarrow", "arrow", what)]) from None
    return pyarrow


@contextmanager
def _opened(source: Source, pyarrow: Any) -> Iterator[Any]:
    with source.open() as plain:
        in_place = isinstance(plain, io.BufferedReader) and plain.seekable()
        data = plain if in_place else io.BytesIO(plain.read())
        try:
            if source.head.startswith(b"PAR1"):
                yield pyarrow.parquet.ParquetFile(data)
            elif source.head.startswith(b"ARROW1"):
                yield pyarrow.ipc.open_file(data)
            else:
                yield pyarrow.ipc.open_stream(data)
        except pyarrow.ArrowInvalid as error:
            raise DataError([errors.unreadable(source.path, str(error))]) from None


def _parts(opened: Any, names: list[str]) -> Iterator[Any]:
    if hasattr(opened, "iter_batches"):
        yield from opened.iter_batches(batch_size=BATCH, columns=names)
    elif hasattr(opened, "get_batch"):
        yield from (opened.get_batch(at) for at in range(opened.num_record_batches))
    else:
        yield from opened


def _values(column: Any, pyarrow: Any) -> Sequence[object]:
    types = pyarrow.types
    if types.is_string(column.type) or types.is_large_string(column.type):
        values: list[object] = column.to_numpy(zero_copy_only=False).tolist()
    elif column.null_count == 0 and (types.is_integer(column.type) or types.is_floating(column.type)):
        values = column.to_numpy().tolist()
    else:
        values = column.to_pylist()
    return values
