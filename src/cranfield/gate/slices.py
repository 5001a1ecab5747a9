"""Queries by what is known of them: the columns of a queries file."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cranfield import errors
from cranfield.errors import DataError, UsageError
from cranfield.formats.source import as_source, must_be_text
from cranfield.gate.rules import Rule

Columns = Mapping[str, Mapping[str, str]]
"""Of each query, its value in each column."""

ID_COLUMNS = ("query_id", "query-id", "qid", "query", "id")
"""What the column with a query's id may be called, the surest name first."""


class Slice(NamedTuple):
    """Some queries that are looked at together."""

    value: str | None
    """Their value in the column; nothing where they are all queries, empty where they have none."""
    queries: tuple[str, ...]


def read_columns(path: str) -> dict[str, dict[str, str]]:
    """Of each query, its value in each column of a CSV or TSV file with a header line."""
    source = as_source(path)
    if source is None:
        raise UsageError("The queries file is a path, or a mapping from query to its columns.")
    must_be_text(source)
    try:
        text = source.text().decode("utf-8")
    except UnicodeDecodeError:
        raise DataError([errors.not_utf8(path)]) from None
    header = text.partition("\n")[0]
    delimiter = next((sign for sign in ("\t", ",", ";") if sign in header), ",")
    lines = io.StringIO(text, newline="")
    if delimiter == "\t":  # a query's text may have quotes of its own
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=delimiter)
    try:
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise DataError([errors.malformed_csv(path, reader.line_num, str(error))]) from None
    if len(rows) < 2:
        raise DataError([errors.nothing_read(path, "queries")])
    names = [name.strip() for name in rows[0][1]]
    folded = [name.casefold() for name in names]
    at = next((folded.index(name) for name in ID_COLUMNS if name in folded), None)
    if at is None:
        raise DataError([errors.no_query_column(path, names)])
    found: dict[str, dict[str, str]] = {}
    first: dict[str, int] = {}
    for line, row in rows[1:]:
        if len(row) != len(names):
            expected = f"the header has {len(names)}"
            raise DataError([errors.wrong_column_count(path, line, delimiter.join(row), len(row), expected, "")])
        query = row[at].strip()
        if query in found:
            raise DataError([errors.query_twice(path, line, query, first[query])])
        first[query] = line
        found[query] = {name: value.strip() for name, value in zip(names, row, strict=True)}
    return found


def slices(rule: Rule, queries: Sequence[str], columns: Columns | None, path: str | None) -> list[Slice]:
    """The queries a rule holds for: all together, or those of each value of a column."""
    if rule.by is None:
        return [Slice(None, tuple(queries))]
    if columns is None:
        raise errors.no_queries_file(rule.by)
    known = [query for query in queries if query in columns]
    if not known:
        raise DataError([errors.queries_never_meet(path, list(columns), queries)])
    names = list(dict.fromkeys(name for of_query in columns.values() for name in of_query))
    if rule.by not in names:
        raise DataError([errors.unknown_slice_column(path, rule.by, names)])
    by_value: dict[str, list[str]] = {}
    for query in queries:
        by_value.setdefault(str(columns.get(query, {}).get(rule.by, "")), []).append(query)
    for value in rule.only:
        if value not in by_value:
            raise DataError([errors.unknown_slice(path, rule.by, value, sorted(filter(None, by_value)))])
    chosen = rule.only or sorted(by_value)
    return [Slice(value, tuple(by_value[value])) for value in chosen]
