"""Python objects: dictionaries, rows, and tables of any library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats import grouping, tables
from cranfield.formats.arrow import stream_table
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.frames import frame_table, is_frame
from cranfield.formats.tables import Table
from cranfield.formats.values import Checked
from cranfield.judgments import JudgmentRows
from cranfield.run import Ranking


def as_table(given: Any, kind: Kind, path: str | None = None) -> Table:
    """A table of any library, or rows: tuples, named tuples, data classes or dictionaries."""
    if hasattr(given, "collect_schema") and hasattr(given, "collect"):
        given = given.collect()  # polars plans a LazyFrame and computes it when asked
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        table = _streamed(given)
        if table is not None:
            return table
    if is_frame(given):
        return frame_table(given)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise errors.unreadable_object(given, kind)
    return _records_table(list(given), kind, path)


def judgments(given: object, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The rows of judgments in a dictionary, in rows or in a table."""
    if isinstance(given, Mapping):
        return judgment_rows(given, findings)
    return tables.judgment_rows(as_table(given, "judgments"), columns, findings)


def run(given: object, columns: Columns) -> Callable[[Findings], Iterator[Ranking]]:
    """A pass over the rankings in a dictionary, in rows or in a table."""
    if isinstance(given, Mapping):
        return partial(rankings, given, None)
    return partial(grouping.rankings, partial(tables.run_rows, as_table(given, "run"), columns), None)


def judgment_rows(given: Mapping[Any, Any], findings: Findings, path: str | None = None) -> Iterator[JudgmentRows]:
    """The judgments of `{query: {document: grade}}` or `{query: [relevant documents]}`."""
    for query, judged, lines in _entries(given, "judgments", findings, path):
        checked = Checked(lines, "entry", path, findings)
        grades = list(judged.values()) if isinstance(judged, Mapping) else [1.0] * len(judged)
        yield checked.judgments({"query": [query] * len(judged), "document": list(judged), "grade": grades})


def rankings(given: Mapping[Any, Any], path: str | None, findings: Findings) -> Iterator[Ranking]:
    """The rankings of `{query: {document: score}}` or `{query: [documents, best first]}`."""
    if not given:
        raise DataError([errors.nothing_read(path, "rankings")])
    for query, retrieved, lines in _entries(given, "run", findings, path):
        checked = Checked(lines, "entry", path, findings)
        values = list(retrieved.values()) if isinstance(retrieved, Mapping) else -np.arange(1.0, len(lines) + 1)
        rows = checked.run({"query": [query] * len(lines), "document": list(retrieved), "score": list(values)})
        yield Ranking(query, rows.documents, rows.scores, rows.lines, None, "entry")


def _streamed(given: Any) -> Table | None:
    try:
        return stream_table(given)
    except DataError:  # pyarrow is missing, which data frames can do without
        if is_frame(given):
            return None
        raise


def _entries(
    given: Mapping[Any, Any], kind: Kind, findings: Findings, path: str | None
) -> Iterator[tuple[str, Any, range]]:
    """Each query with what belongs to it, and the numbers of its entries in the whole."""
    queries = Checked(range(1, len(given) + 1), "query", path, findings).ids(list(given), "query")
    seen: set[str] = set()
    first = 1
    for query, of_query in zip(queries, given.values(), strict=True):
        if query in seen:
            findings.add(errors.duplicate_key(path, query))
        elif not _is_collection(of_query, kind):
            found = f"query {query!r} has {type(of_query).__name__}"
            findings.add(errors.unknown_structure(path, kind, found))
        elif query:
            yield query, of_query, range(first, first + len(of_query))
            first += len(of_query)
        seen.add(query)


def _is_collection(value: object, kind: Kind) -> bool:
    if isinstance(value, AbstractSet):
        return kind == "judgments"  # a set has no order, and a ranking needs one
    return isinstance(value, Mapping | Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _records_table(records: list[Any], kind: Kind, path: str | None) -> Table:
    if not records:
        raise DataError([errors.nothing_read(path, kind)])
    names = _names(records[0], kind)

    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        yield [_column(records, names[at], at) for at in positions]

    return Table(names, batches, path)


def _names(record: Any, kind: Kind) -> list[str]:
    if isinstance(record, Mapping):
        return [str(name) for name in record]
    if hasattr(record, "_fields"):
        return list(record._fields)
    if is_dataclass(record):
        return [field.name for field in fields(record)]
    if isinstance(record, Sequence) and not isinstance(record, str | bytes):
        named = ["query", "document", "grade" if kind == "judgments" else "score"]
        return named if len(record) == 3 else [f"column {at}" for at in range(1, len(record) + 1)]
    raise errors.unreadable_object(record, kind)


def _column(records: Iterable[Any], name: str, at: int) -> list[object]:
    values: list[object] = []
    for record in records:
        if isinstance(record, Mapping):
            values.append(record.get(name))
        elif hasattr(record, name):
            values.append(getattr(record, name))
        else:
            values.append(record[at] if isinstance(record, Sequence) and at < len(record) else None)
    return values
