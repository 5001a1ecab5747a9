"""Queries with their texts and whatever else is known of them: tables, records, or an id and a text a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.data.queries import Queries, QueryRows, Value
from cranfield.errors import DataError, Findings
from cranfield.formats import json_lines
from cranfield.formats.columns import Columns, folded
from cranfield.formats.json_text import json_of
from cranfield.formats.records import delimiter_in, require_distinct, text_records, wrong_width
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source, must_be_text
from cranfield.formats.tables import Table
from cranfield.formats.values import Checked, is_missing, writable

# Names in an earlier group win over later ones: beside `qid` a `query` is what it says, and a `topic` what it is about.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "query": ("query_id qid q_id topic_id question_id", "_id id", "number num", "topic", "query question"),
    "text": ("text query_text", "title", "query question", "description"),
}
_GROUPS = {role: [{folded(name) for name in group.split()} for group in groups] for role, groups in _NAMES.items()}
_KNOWN = [name for group in _NAMES["query"] for name in group.split()]

Record = Mapping[str, Any]


def read_queries(
    source: object, *, columns: Mapping[str, str] | None = None, findings: Findings | None = None
) -> Queries:
    """What is known of queries, from a path, `-`, an open file, a dictionary, rows or a table.

    Columns are found by their names; `columns` says which one is the `query` (its id) or the `text` where they have
    others.

    >>> read_queries({"q1": "how often should I water tomatoes"})
    Queries(1 query: text)
    >>> read_queries([{"number": 7, "words": "tomatoes", "intent": "howto"}], columns={"text": "words"}).names
    ['text', 'intent']
    """
    if isinstance(source, Queries):
        return source
    found = Findings() if findings is None else findings
    named = dict(columns or {})
    for role in named:
        if role not in _NAMES:
            raise errors.UsageError(f"columns: queries have a query and a text, and no {role!r}.")
    file = as_source(source)
    rows = _of_value(source, named, None, found) if file is None else _of_file(file, named, found)
    return Queries.from_rows(rows, path=file.path if file else None, findings=found)


def _of_file(file: Source, named: Mapping[str, str], findings: Findings) -> Iterator[QueryRows]:
    if not file.head.strip():
        raise DataError([errors.files.nothing_read(file.path, "queries")])
    if file.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        from cranfield.formats import arrow

        return _of_table(arrow.file_table(file), named, findings)
    must_be_text(file)
    start = file.head.lstrip()[:1]
    if start == b"<":
        advice = "Write them as a table with the columns query and text."
        raise DataError([errors.files.unsupported_format(file.path, "a file of topics in markup", advice)])
    if start in (b"{", b"["):
        if sniff(file, Columns()).format == "jsonl":
            return _of_lines(file, named, findings)
        return _of_value(json_of(file), named, file.path, findings)
    return _of_text(file, named, findings)


def _of_value(given: Any, named: Mapping[str, str], path: str | None, findings: Findings) -> Iterator[QueryRows]:
    if isinstance(given, Mapping):
        return _of_mapping(given, named, path, findings)
    if hasattr(given, "collect_schema") or hasattr(given, "__arrow_c_stream__") or hasattr(given, "columns"):
        from cranfield.formats import memory

        return _of_table(memory.as_table(given, "judgments", path), named, findings)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        if path is not None:
            raise DataError([errors.queries.no_queries(path, f"the file holds a {type(given).__name__}")])
        raise errors.queries.unreadable_queries(given)
    return _of_rows(list(given), named, path, findings)


def _of_mapping(
    given: Mapping[Any, Any], named: Mapping[str, str], path: str | None, findings: Findings
) -> Iterator[QueryRows]:
    """`{query: text}`, `{query: {column: value}}`, or columns of equal length by name."""
    values = list(given.values())
    lines = range(1, len(given) + 1)
    if values and all(isinstance(value, Mapping) for value in values):
        # The ids are the names; whatever the records say of a query stays a column.
        records = [_flat(value) for value in values]
        names = list(dict.fromkeys(name for record in records for name in record))
        text = _place("text", names, {"text": named["text"]} if "text" in named else {}, set(), path)
        columns = {name: [record.get(name) for record in records] for name in names}
        texts = None if text is None else columns.pop(names[text])
        yield _checked(lines, "entry", list(given), texts, columns, path, findings)
    elif values and all(_is_column(value) for value in values):
        if len({len(value) for value in values}) > 1:
            raise DataError([errors.queries.no_queries(path, "the columns have different lengths")])
        columns = {str(name): list(value) for name, value in given.items()}
        yield from _named_columns(range(1, len(values[0]) + 1), "row", columns, named, path, findings)
    elif all(isinstance(value, str) for value in values):
        yield _checked(lines, "entry", list(given), values, {}, path, findings)
    else:
        odd = next(value for value in values if not isinstance(value, str))
        raise DataError([errors.queries.no_queries(path, f"a query has {type(odd).__name__}")])


def _of_rows(rows: list[Any], named: Mapping[str, str], path: str | None, findings: Findings) -> Iterator[QueryRows]:
    lines = range(1, len(rows) + 1)
    if all(isinstance(row, Mapping) for row in rows):
        yield from _of_records(lines, "row", rows, named, path, findings)
    elif all(isinstance(row, tuple | list) and len(row) == 2 and not hasattr(row, "_fields") for row in rows):
        yield _checked(lines, "row", [row[0] for row in rows], [row[1] for row in rows], {}, path, findings)
    elif all(hasattr(row, "_asdict") or hasattr(row, "__dataclass_fields__") for row in rows):
        records = [row._asdict() if hasattr(row, "_asdict") else vars(row) for row in rows]
        yield from _of_records(lines, "row", records, named, path, findings)
    elif path is not None:
        raise DataError([errors.queries.no_queries(path, "the file holds a list of something else")])
    else:
        raise errors.queries.unreadable_queries(rows[0])


def _of_records(
    lines: Sequence[int],
    unit: str,
    records: Sequence[Record],
    named: Mapping[str, str],
    path: str | None,
    findings: Findings,
) -> Iterator[QueryRows]:
    """Records may have different fields; what one does not have is not known of its query."""
    if not records:
        return
    flat = [_flat(record) for record in records]
    names = dict.fromkeys(name for record in flat for name in record)
    columns = {name: [record.get(name) for record in flat] for name in names}
    yield from _named_columns(lines, unit, columns, named, path, findings)


def _of_lines(file: Source, named: Mapping[str, str], findings: Findings) -> Iterator[QueryRows]:
    lines: list[int] = []
    records: list[Record] = []
    for block in file.blocks():
        numbers, found = json_lines.records_of(block, file.path, findings)
        lines += numbers
        records += found
    if len(records) == 1 and _candidates("query", list(records[0]), set()) == []:
        return _of_mapping(records[0], named, file.path, findings)  # {query: text} on one line
    return _of_records(lines, "line", records, named, file.path, findings)


def _of_table(table: Table, named: Mapping[str, str], findings: Findings) -> Iterator[QueryRows]:
    first = 1
    for batch in table.batches(range(len(table.names))):
        lines = range(first, first + len(batch[0]))
        first += len(batch[0])
        columns = {str(name): values for name, values in zip(table.names, batch, strict=True)}
        yield from _named_columns(lines, "row", columns, named, table.path, findings)


def _of_text(file: Source, named: Mapping[str, str], findings: Findings) -> Iterator[QueryRows]:
    """Lines split at tabs, or else at commas or semicolons; without a header they are an id and a text."""
    delimiter = delimiter_in(file) or ","
    rows = text_records(file, delimiter, findings)
    first = next(rows, None)
    if first is None:
        findings.stop_if_wrong()
        raise DataError([errors.files.nothing_read(file.path, "queries")])
    header = first[1]
    has_header = bool(named) or bool(_candidates("query", header, set()))
    if has_header:
        require_distinct(header, file.path)
    if not has_header and len(header) != 2:
        raise DataError([errors.queries.no_query_column(file.path, header, _KNOWN)])
    lines: list[int] = []
    sound: list[list[str]] = []
    for line, row in rows if has_header else chain([first], rows):
        if len(row) == len(header):
            lines.append(line)
            sound.append(row)
        else:
            findings.add(wrong_width(file.path, line, row, len(header), delimiter))
    columns = [list(column) for column in zip(*sound, strict=True)] or [[] for _ in header]
    if has_header:
        by_name = dict(zip(header, columns, strict=True))
        yield from _named_columns(lines, "line", by_name, named, file.path, findings)
    else:
        yield _checked(lines, "line", columns[0], columns[1], {}, file.path, findings)


def _named_columns(
    lines: Sequence[int],
    unit: str,
    columns: Mapping[str, Sequence[Any]],
    named: Mapping[str, str],
    path: str | None,
    findings: Findings,
) -> Iterator[QueryRows]:
    names = list(columns)
    query = _place("query", names, named, set(), path)
    if query is None:
        raise DataError([errors.queries.no_query_column(path, names, _KNOWN)])
    text = _place("text", names, named, {query}, path)
    rest = {name: columns[name] for at, name in enumerate(names) if at not in (query, text)}
    texts = None if text is None else columns[names[text]]
    yield _checked(lines, unit, columns[names[query]], texts, rest, path, findings)


def _place(role: str, names: Sequence[str], named: Mapping[str, str], taken: set[int], path: str | None) -> int | None:
    """Where a role's column stands, if there is one."""
    if role in named:
        if named[role] not in names:
            raise DataError([errors.files.unknown_column(path, named[role], names)])
        return names.index(named[role])
    candidates = _candidates(role, names, taken)
    if len(candidates) > 1:
        raise DataError([errors.queries.several_query_columns(path, role, [names[at] for at in candidates])])
    return candidates[0] if candidates else None


def _candidates(role: str, names: Sequence[str], taken: set[int]) -> list[int]:
    for group in _GROUPS[role]:
        if found := [at for at, name in enumerate(names) if at not in taken and folded(str(name)) in group]:
            return found
    return []


def _checked(
    lines: Sequence[int],
    unit: str,
    ids: Sequence[Any],
    texts: Sequence[Any] | None,
    columns: Mapping[str, Sequence[Any]],
    path: str | None,
    findings: Findings,
) -> QueryRows:
    checked = Checked(lines, unit, path, findings)
    known = checked.ids(ids, "query")
    return QueryRows(
        checked.sound(lines),
        checked.sound(known),
        None if texts is None else checked.sound([_text(value) for value in texts]),
        {name: checked.sound([_value(value) for value in values]) for name, values in columns.items()},
        unit,
    )


def _text(value: object) -> str:
    known = _value(value)
    return "" if known is None else str(known)


def _value(value: object) -> Value:
    """A value as it is shown and compared; nothing where there is none."""
    if isinstance(value, str):
        return writable(value) or None
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return ", ".join(_text(part) for part in value) or None
    if is_missing(value):
        return None
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, int | float | bool) else writable(str(plain))


def _flat(record: Record) -> dict[str, Any]:
    """A record whose inner ones, such as BEIR's `metadata`, stand beside the rest."""
    flat: dict[str, Any] = {str(name): value for name, value in record.items() if not isinstance(value, Mapping)}
    for name, inner in record.items():
        if isinstance(inner, Mapping):
            flat |= {key if key not in flat else f"{name}.{key}": value for key, value in inner.items()}
    return flat


def _is_column(value: object) -> bool:
    return isinstance(value, list | tuple | np.ndarray)
