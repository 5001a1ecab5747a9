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
from cranfield.formats.json_text import json_or_lines_of
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
    """The rankings of a JSON file."""
    value = plain_run(value_of(source, "run"), findings, source.name, source.path, columns.order)
    refuse_foreign(value, "run", source.path)
    if isinstance(value, dict):
        return memory.rankings(value, source.path, findings)
    table = memory.as_table(value, "run", source.path)
    return grouping.rankings(partial(tables.run_rows, table, columns), source.path, findings)


def value_of(source: Source, kind: Kind) -> dict[str, Any] | list[Any]:
    """What the file holds, which must be an object or a list of objects."""
    value = json_or_lines_of(source)
    if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(row, dict) for row in value)):
        return value
    raise DataError([errors.rows.unknown_structure(source.path, kind, f"the file holds {kind_of(value)}")])
