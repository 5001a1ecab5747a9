"""Tables as files: named columns, some rows at a time, so that a table need not fit into memory."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import IO, Any, Literal

from cranfield import errors
from cranfield.errors import DataError
from cranfield.file_endings import TableForm
from cranfield.show.table import guarded

Cells = Sequence[str | int | float | bool | None]
Part = Mapping[str, Cells]
"""Some rows, as columns by name; every part of a table has the same names."""

ROWS = 1 << 16
"""Rows of a Parquet or Arrow file that are written together."""


def write_table(
    stream: IO[bytes], form: TableForm, parts: Iterable[Part], path: str, *, as_formulas: bool = False
) -> None:
    """Write the parts of a table, of which there is at least one.

    In CSV no text can become a formula, and the readers of judgments, runs and labels read it as it was; `as_formulas`
    leaves texts as they are, for those who read CSV by other rules.
    """
    match form:
        case "parquet" | "arrow":
            _write_arrow(stream, parts, path, is_parquet=form == "parquet")
        case "xlsx":
            stream.write(_workbook(parts, path))
        case _:
            for text in _TEXTS[form](parts, not as_formulas):
                stream.write(text.encode())


def _csv(parts: Iterable[Part], guard: bool) -> Iterator[str]:
    return _separated(parts, ",", guarded if guard else str)


def _tsv(parts: Iterable[Part], guard: bool) -> Iterator[str]:
    return _separated(parts, "\t", str)


def _separated(parts: Iterable[Part], delimiter: str, text: Callable[[str], str]) -> Iterator[str]:
    def cell(value: object) -> object:
        if isinstance(value, bool):
            return "true" if value else "false"
        if not isinstance(value, str):
            return value
        if "\0" in value:
            raise errors.conversion.not_in_text(value)
        return text(value)

    header = True
    for part in parts:
        stream = io.StringIO()
        # Whoever reads a CR without quotes may take it for the end of a line.
        returns = any(isinstance(value, str) and "\r" in value for column in part.values() for value in column)
        quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=quoting)
        if header:
            writer.writerow(map(cell, part))
        writer.writerows(map(cell, row) for row in zip(*part.values(), strict=True))
        header = False
        yield stream.getvalue()


def _json_lines(parts: Iterable[Part], guard: bool) -> Iterator[str]:
    for part in parts:
        yield "".join(f"{line}\n" for line in _records(part))


def _json_list(parts: Iterable[Part], guard: bool) -> Iterator[str]:
    between = "[\n"
    for part in parts:
        for line in _records(part):
            yield f"{between}{line}"
            between = ",\n"
    yield "\n]\n" if between != "[\n" else "[]\n"


def _records(part: Part) -> Iterator[str]:
    columns = [[json_value(value) for value in column] for column in part.values()]
    for row in zip(*columns, strict=True):
        yield json_text(dict(zip(part, row, strict=True)))


def json_value(value: object) -> object:
    """A value as JSON holds it: nothing in place of what is undefined; infinite numbers are refused."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    if math.isnan(value):
        return None
    raise errors.conversion.infinite_in_json(value)


json_text = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False).encode

_TEXTS: Mapping[str, Callable[[Iterable[Part], bool], Iterator[str]]] = {
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _json_lines,
    "json": _json_list,
}


def _write_arrow(stream: IO[bytes], parts: Iterable[Part], path: str, *, is_parquet: bool) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        what = f"or writing {'Parquet' if is_parquet else 'Arrow'}"
        raise DataError([errors.packages.missing_reader(path, what, "pyarrow")]) from None
    target, writer = pyarrow.PythonFile(stream, mode="w"), None
    try:
        for part in larger_parts(parts, ROWS):
            if writer is None:
                table = pyarrow.table({name: list(column) for name, column in part.items()})
                schema = _schema(table.schema, pyarrow)
                writer = parquet.ParquetWriter(target, schema) if is_parquet else pyarrow.ipc.new_file(target, schema)
            writer.write_table(pyarrow.table({name: list(column) for name, column in part.items()}, schema=schema))
        if writer is not None:
            writer.close()
    except pyarrow.ArrowException as error:
        raise DataError([errors.results.unwritable(path, str(error).split("\n")[0])]) from None


def _schema(schema: Any, pyarrow: Any) -> Any:
    """The types of columns; one of which nothing is known yet may hold texts later."""
    return pyarrow.schema(
        [field.with_type(pyarrow.string()) if pyarrow.types.is_null(field.type) else field for field in schema]
    )


def larger_parts(parts: Iterable[Part], rows: int) -> Iterator[Part]:
    """Some parts joined, so that each but the last has at least so many rows."""
    begun: list[Part] = []
    count = 0
    for part in parts:
        begun.append(part)
        count += len(next(iter(part.values()), ()))
        if count >= rows:
            yield _joined(begun)
            begun, count = [], 0
    if begun:
        yield _joined(begun)


def _joined(parts: Sequence[Part]) -> Part:
    return {name: list(chain.from_iterable(part[name] for part in parts)) for name in parts[0]}


def _workbook(parts: Iterable[Part], path: str) -> bytes:
    from cranfield.formats.workbooks import LONGEST_CELL, MOST_ROWS, workbook_of

    names: list[str] = []
    rows: list[tuple[object, ...]] = []
    for part in parts:
        names = list(part)
        rows += zip(*part.values(), strict=True)
        if len(rows) > MOST_ROWS:
            raise DataError([errors.conversion.too_many_rows(path, MOST_ROWS)])
    for row in rows:
        for cell in row:
            if isinstance(cell, str) and (len(cell) > LONGEST_CELL or cell != cell.strip() or not _shows(cell)):
                raise DataError([errors.conversion.not_in_workbook(path, cell, LONGEST_CELL)])
    return workbook_of(path, names, rows)


def _shows(text: str) -> bool:
    """Whether a cell of a workbook gives a text back as it was: control characters it does not."""
    return text.isprintable() or not any(ord(sign) < 32 and sign != "\n" for sign in text)


def on_one_line(part: Part) -> Part:
    """Some rows of a TSV file of texts or labels, in which every line is a row, whatever quotes it has."""
    for column in part.values():
        for value in column:
            if isinstance(value, str) and not _ENDS.isdisjoint(value):
                raise errors.conversion.several_lines(value)
    return part


_ENDS = frozenset("\t\n\r")
