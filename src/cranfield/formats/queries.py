"""Queries with their texts and whatever else is known of them: tables, records, or an id and a text a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.data.queries import Queries, QueryRows, Value
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.errors.findings import nearest
from cranfield.formats.columns import Roles, folded
from cranfield.formats.delimited_text import ColumnBatch, column_batches, first_line
from cranfield.formats.rows import Content, Record, named_rows, read_rows
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import Rows, whole
from cranfield.formats.values import is_missing, writable
from cranfield.phrases import kind_of

# Next to `qid` a `query` is what it says, and a `topic` what it is about.
ROLES = Roles(
    {
        "query": ("query_id qid q_id topic_id question_id", "_id id", "number num", "topic", "query question"),
        "text": ("text query_text", "title", "query question", "description"),
    }
)
_KEYS = "\0"
"""The column of ids that are the names of a dictionary: no other has this name."""


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
    content = _Queries(dict(columns or {}))
    for role in content.named:
        if role not in ROLES.names:
            raise errors.UsageError(f"columns: {role!r} is not a role of a query file; known are query and text.")
    file = as_source(source, "queries")
    if file is not None:
        _refuse_markup(file)
    rows = _rows(source if file is None else file, content, found)
    known = [] if rows is None else [_query_rows(rows, content.named, found)]
    queries = Queries.from_rows(known, path=file.path if file else None, findings=found)
    is_list = rows is not None and [folded(name) for name in rows.names] in (["query"], ["question"])
    return replace(queries, ids_are_texts=is_list)


def read_query_ids(source: object) -> tuple[str, ...]:
    """The ids of some queries, each once: one per line, a query file, a list, or `Queries`.

    >>> read_query_ids(["q2", "q1", "q2"])
    ('q2', 'q1')
    """
    if isinstance(source, Queries):
        return source.ids
    findings = Findings()
    rows = _rows(source, _QueryIds({}), findings)
    ids = [] if rows is None else _query_rows(rows, {}, findings).ids
    findings.stop_if_wrong()
    return tuple(dict.fromkeys(ids))


def _rows(source: object, content: _Queries, findings: Findings) -> Rows | None:
    """All rows; a single line of JSON may be `{query: text}`."""
    rows = whole(read_rows(source, content, findings))
    if rows is not None and len(rows.lines) == 1 and content.is_mapping():
        return whole(content.of_mapping(content.single, rows.path))
    return rows


def _refuse_markup(file: Source) -> None:
    if file.head.lstrip()[:1] == b"<":
        advice = "Write them as a table with the columns query and text."
        raise DataError([errors.files.unsupported_format(file.path, "a file of topics in markup", advice)])


class _Queries(Content):
    name = "queries"
    texts = True

    def __init__(self, named: Mapping[str, str]) -> None:
        self.named = named
        """The columns that the user names."""
        self.single: Record = {}
        """A line that may be the only one, and then `{query: text}`."""

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        if self.named or ROLES.candidates("query", first):
            return first, True
        if _is_text(first):
            return ("query",), False
        if len(first) != 2:
            raise DataError([errors.queries.no_query_column(path, first, ROLES.names["query"])])
        return ("query", "text"), False

    def at_blanks(self, file: Source, findings: Findings) -> Iterator[ColumnBatch]:
        is_list = not self.named and _is_text([first_line(file)])
        return column_batches(file, "\t" if is_list else ",", findings, of_texts=is_list)

    def unnamed(self, width: int) -> Sequence[str] | None:
        return ("query", "text") if width == 2 else None

    def of_records(
        self, lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None
    ) -> Iterator[Rows]:
        """Records may have different fields; what one does not have is not known of its query."""
        if unit == "line" and len(records) == 1:
            self.single = records[0]
        yield named_rows(lines, [_flat(record) for record in records], unit, path)

    def is_mapping(self) -> bool:
        """Whether the only line is `{query: text}`."""
        return bool(self.single) and not ROLES.candidates("query", list(self.single))

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """`{query: text}`, `{query: {column: value}}`, or columns of equal length by name."""
        values = list(given.values())
        lines = range(1, len(given) + 1)
        if values and all(isinstance(value, Mapping) for value in values):
            # The ids are the names; whatever the records say of a query stays a column.
            rows = named_rows(lines, [_flat(value) for value in values], "entry", path)
            yield rows._replace(columns={_KEYS: list(given), **rows.columns})
        elif values and all(isinstance(value, list | tuple | np.ndarray) for value in values):
            if len({len(value) for value in values}) > 1:
                raise DataError([errors.queries.no_queries(path, "the columns have different lengths")])
            columns = {str(name): list(value) for name, value in given.items()}
            yield Rows(range(1, len(values[0]) + 1), columns, "row", path)
        elif all(isinstance(value, str) for value in values):
            yield Rows(lines, {_KEYS: list(given), "text": values}, "entry", path)
        else:
            odd = next(value for value in values if not isinstance(value, str))
            raise DataError([errors.queries.no_queries(path, f"a query has {kind_of(odd)}")])

    def of_values(self, given: Sequence[Any], path: str | None) -> Iterator[Rows]:
        """Texts, which are ids themselves."""
        if not all(isinstance(value, str) for value in given):
            return super().of_values(given, path)
        return iter([Rows(range(1, len(given) + 1), {"query": list(given)}, "entry", path)])

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        if path is None:
            return errors.queries.unreadable_queries(given)
        held = "a list of something else" if isinstance(given, list) else kind_of(given)
        return DataError([errors.queries.no_queries(path, f"the file holds {held}")])


def _is_text(first: Sequence[str]) -> bool:
    """Whether the first line begins a list of texts, which are ids themselves: it is no header, nor nearly one."""
    return len(first) == 1 and not ROLES.candidates("query", first) and not nearest(first[0], ROLES.names["query"], 1)


class _QueryIds(_Queries):
    """Ids alone, or a table that has them."""

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        is_id = len(first) == 1 and not ROLES.candidates("query", first)
        return (("query",), False) if is_id else super().header(first, path)

    def unnamed(self, width: int) -> Sequence[str] | None:
        return ("query",) if width == 1 else super().unnamed(width)

    def of_values(self, given: Sequence[Any], path: str | None) -> Iterator[Rows]:
        yield Rows(range(1, len(given) + 1), {"query": given}, "entry", path)


def _query_rows(rows: Rows, named: Mapping[str, str], findings: Findings) -> QueryRows:
    """Ids, texts and all other columns of queries."""
    names = rows.names
    if _KEYS in rows.columns:
        own = {"text": named["text"]} if "text" in named else {}
        places = {"query": 0, **_places(names[1:], ["text"], own, rows.path, first=1)}
    else:
        places = _places(names, ["query", "text"], named, rows.path)
    if "query" not in places:
        raise DataError([errors.queries.no_query_column(rows.path, names, ROLES.names["query"])])
    checked = rows.checked(findings)
    values = rows.values
    known = checked.ids(values[places["query"]], "query")
    rest = {name: values[at] for at, name in enumerate(names) if at not in places.values()}
    return QueryRows(
        checked.sound(rows.lines),
        checked.sound(known),
        checked.sound([_text(value) for value in values[places["text"]]]) if "text" in places else None,
        {name: checked.sound([_value(value) for value in column]) for name, column in rest.items()},
        rows.unit,
    )


def _places(
    names: Sequence[str], roles: Sequence[str], named: Mapping[str, str], path: str | None, first: int = 0
) -> dict[str, int]:
    places = ROLES.places(names, roles, path, named, errors.queries.several_query_columns)
    return {role: first + at for role, at in places.items()}


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
    """A record whose inner ones, such as BEIR's `metadata`, stand next to the rest."""
    flat: dict[str, Any] = {str(name): value for name, value in record.items() if not isinstance(value, Mapping)}
    for name, inner in record.items():
        if isinstance(inner, Mapping):
            flat |= {key if key not in flat else f"{name}.{key}": value for key, value in inner.items()}
    return flat
