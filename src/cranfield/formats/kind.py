"""Whether something holds judgments or a run."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from cranfield.formats.columns import Columns, Kind, kind_of_header
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source
from cranfield.judgments import Judgments
from cranfield.run import Run


def kind_of(source: object) -> Kind:
    """Whether a path, an open file or a Python object holds judgments or a run.

    >>> kind_of({"q1": {"d1": 2}})
    'judgments'
    >>> kind_of({"q1": {"d1": 12.5}})
    'run'
    """
    if isinstance(source, Judgments | Run):
        return "judgments" if isinstance(source, Judgments) else "run"
    file = as_source(source)
    if file is not None:
        return kind_of_file(file, Columns())
    if isinstance(source, Mapping):
        return _kind_of_mapping(source)
    from cranfield.formats import memory

    return kind_of_header(memory.as_table(source, "judgments").names)


def kind_of_file(file: Source, columns: Columns) -> Kind:
    """Whether a file holds judgments or a run; columns the user names tell it first."""
    named = {*columns.names, *columns.positions}
    if named & {"grade", "score", "rank"}:
        return "judgments" if "grade" in named else "run"
    sniffed = sniff(file, columns)
    if sniffed.kind is not None:
        return sniffed.kind
    if sniffed.format in ("parquet", "arrow"):
        from cranfield.formats import arrow

        return kind_of_header(arrow.file_table(file).names)
    if sniffed.format == "jsonl":
        from cranfield.formats import json_lines

        return kind_of_header(json_lines.names_of_first(file))
    if sniffed.format == "json":
        from cranfield.formats import json_object

        value = json_object.value_of(file, "judgments")
        if isinstance(value, dict):
            return _kind_of_mapping(value)
        return kind_of_header(list(value[0])) if value else "judgments"
    return "judgments"


def _kind_of_mapping(given: Mapping[Any, Any]) -> Kind:
    """Whole numbers are grades; other numbers, and lists, come from systems."""
    for of_query in islice(given.values(), 1000):
        if not isinstance(of_query, Mapping):
            return "run"
        if any(isinstance(value, float) for value in of_query.values()):
            return "run"
    return "judgments"
