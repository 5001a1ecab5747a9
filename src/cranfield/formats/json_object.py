"""JSON files: `{query: {document: value}}`, `{query: [documents]}`, or a list of records; groups one level deeper."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from cranfield import errors
from cranfield.data.judgments import JudgmentRows
from cranfield.data.run import Ranking
from cranfield.errors import DataError, Findings
from cranfield.formats import grouping, memory, tables
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.foreign_json import refuse_foreign
from cranfield.formats.json_shapes import plain_judgments, plain_run
from cranfield.formats.json_text import json_or_lines_of, parts_of
from cranfield.formats.source import Source
from cranfield.phrases import kind_of


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The judgments of a JSON file."""
    value = plain_judgments(value_of(source, "judgments"), findings, source.name, source.path)
    refuse_foreign(value, "judgments", source.path)
    if isinstance(value, dict):
        return memory.judgment_rows(value, columns.groups, findings, source.path)
    return tables.judgment_rows(memory.as_table(value, "judgments", source.path), columns, findings)


def rankings(source: Source, columns: Columns, findings: Findings) -> Iterator[Ranking]:
    """The rankings of a JSON file; a large object is read piece by piece."""
    if columns.order is None and _is_large_run(source):
        return memory.rankings_in(parts_of(source), source.path, findings)
    value = plain_run(value_of(source, "run"), findings, source.name, source.path, columns.order)
    refuse_foreign(value, "run", source.path)
    if isinstance(value, dict):
        return memory.rankings(value, source.path, findings)
    table = memory.as_table(value, "run", source.path)
    return grouping.rankings(partial(tables.run_rows, table, columns), source.path, findings)


LARGE = 1 << 26
"""Bytes of a file, from which on a run is not held in memory as a whole."""


def _is_large_run(source: Source) -> bool:
    """Whether a file is large, and has queries with their documents right at its top."""
    if source.size < LARGE or not source.head.lstrip().startswith(b"{"):
        return False
    try:
        first = next(parts_of(source), {})
        refuse_foreign(first, "run", source.path)
        return bool(first) and plain_run(first, Findings(), source.name, source.path) is first
    except DataError:
        return False  # read as a whole, it gets all that there is to say


def value_of(source: Source, kind: Kind) -> dict[str, Any] | list[Any]:
    """What the file holds, which must be an object or a list of objects."""
    value = json_or_lines_of(source)
    if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(row, dict) for row in value)):
        return value
    raise DataError([errors.rows.unknown_structure(source.path, kind, f"the file holds {kind_of(value)}")])
