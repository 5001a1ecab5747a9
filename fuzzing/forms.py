"""Tables in other forms: JSON, Arrow, Parquet, and whatever compresses."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Rows = list[list[str]]


def rows_of(data: bytes) -> Rows:
    """The fields of a text, a row for each line."""
    text = data.decode("utf-8", "replace").replace("\x00", "")
    first = text.partition("\n")[0]
    delimiter = next((mark for mark in "\t,;" if mark in first), " ")
    lines = [line for line in text.split("\n") if line.strip()]
    if delimiter == " ":
        return [line.split() for line in lines]
    return [fields for line in lines for fields in csv.reader([line.replace("\r", "")], delimiter=delimiter)]


def in_other_form(data: bytes, names: Sequence[str], rng: Random) -> bytes:
    """A table as another format writes it; `names` are those of its columns where it has no header."""
    rows = rows_of(data)
    header, rows = (list(names), rows) if names else (rows[0], rows[1:]) if rows else ([], [])
    return rng.choice(_FORMS)(header, rows, rng)


def compressed(data: bytes, rng: Random) -> bytes:
    """The same bytes in fewer."""
    import zstandard

    level = rng.randint(1, 3)
    return rng.choice(
        (
            lambda: gzip.compress(data, level, mtime=0),
            lambda: gzip.compress(data[: len(data) // 2], mtime=0) + gzip.compress(data[len(data) // 2 :], mtime=0),
            lambda: bz2.compress(data, level),
            lambda: lzma.compress(data, preset=0),
            lambda: zstandard.compress(data, level),
            lambda: zstandard.compress(data[: len(data) // 2]) + zstandard.compress(data[len(data) // 2 :]),
        )
    )()


# Text


def _value(field: str, rng: Random) -> Any:
    """A field as JSON has it: often a number where it reads as one."""
    if rng.random() < 0.9:
        for kind in (int, float):
            try:
                return kind(field)
            except ValueError:
                continue
    return None if not field and rng.random() < 0.5 else field


def _records(header: list[str], rows: Rows, rng: Random) -> list[dict[str, Any]]:
    return [{name: _value(field, rng) for name, field in zip(header, row, strict=False)} for row in rows]


def _as_jsonl(header: list[str], rows: Rows, rng: Random) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in _records(header, rows, rng)).encode()


def _as_json(header: list[str], rows: Rows, rng: Random) -> bytes:
    return json.dumps(_records(header, rows, rng), indent=rng.choice((None, 1))).encode()


def _as_nested_json(header: list[str], rows: Rows, rng: Random) -> bytes:
    nested: dict[str, Any] = {}
    for row in rows:
        query, document, value = row[:1] or [""], row[-2:-1] or [""], row[-1:] or [""]
        nested.setdefault(query[0], {})[document[0]] = _value(value[0], rng)
    return json.dumps(nested).encode()


def _as_delimited(header: list[str], rows: Rows, rng: Random) -> bytes:
    stream = io.StringIO()
    quoting: Any = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
    writer = csv.writer(
        stream, delimiter=rng.choice("\t,;"), quoting=quoting, lineterminator=rng.choice(("\n", "\r\n"))
    )
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue().encode()


# Arrow


def arrow_table(header: Sequence[str], rows: Rows, rng: Random) -> Any:
    """Rows as an Arrow table: types and chunks by chance, among them such as no reader expects."""
    import pyarrow as pa

    width = len(header)
    rows = [row[:width] + [""] * (width - len(row)) for row in rows]
    columns = [_column([row[at] for row in rows], rng) for at in range(width)]
    table = pa.Table.from_arrays(columns, names=list(header))
    if rng.random() < 0.3 and len(rows) > 1:
        cut = rng.randint(0, len(rows))
        table = pa.concat_tables([table[:cut], table[cut:]])
    return table


def _column(fields: list[str], rng: Random) -> Any:
    import pyarrow as pa

    array = pa.array([None if rng.random() < 0.003 else field for field in fields], pa.string())
    usual = [pa.int64(), pa.float64()] if rng.random() < 0.8 else []
    wanted = [*usual, pa.string()] if rng.random() < 0.6 else rng.choice(_types())
    for kind in wanted:
        try:
            return array.dictionary_encode() if kind == "dictionary" else array.cast(kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
    return array


def _types() -> list[list[Any]]:
    import pyarrow as pa

    return [
        *([kind] for kind in (pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), "dictionary")),
        *([kind, pa.string()] for kind in (pa.int8(), pa.uint64(), pa.int32(), pa.float32(), pa.bool_())),
        *([pa.float64(), kind] for kind in (pa.float16(), pa.decimal128(38, 4), pa.float32())),
        *([pa.int64(), kind] for kind in (pa.timestamp("s"), pa.date64(), pa.duration("s"))),
    ]


def _as_parquet(header: list[str], rows: Rows, rng: Random) -> bytes:
    from pyarrow import parquet

    target = io.BytesIO()
    table = arrow_table(header, rows, rng)
    parquet.write_table(table, target, compression=rng.choice(("none", "snappy")), row_group_size=rng.choice((None, 3)))
    return target.getvalue()


def _as_arrow(header: list[str], rows: Rows, rng: Random) -> bytes:
    from pyarrow import ipc

    target = io.BytesIO()
    table = arrow_table(header, rows, rng)
    opened = rng.choice((ipc.new_file, ipc.new_stream))
    with opened(target, table.schema) as writer:
        writer.write_table(table)
    return target.getvalue()


def _as_feather(header: list[str], rows: Rows, rng: Random) -> bytes:
    from pyarrow import feather

    target = io.BytesIO()
    feather.write_feather(
        arrow_table(header, rows, rng), target, compression=rng.choice(("uncompressed", "lz4", "zstd"))
    )
    return target.getvalue()


ARROW: tuple[Callable[[list[str], Rows, Random], bytes], ...] = (_as_parquet, _as_arrow, _as_feather)
_FORMS = (_as_jsonl, _as_jsonl, _as_json, _as_nested_json, _as_delimited, *ARROW)
