"""From whatever the user names to `Judgments` or a `Run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from cranfield import errors
from cranfield.errors import Findings
from cranfield.formats import (
    arrow,
    delimited,
    grouping,
    json_lines,
    json_object,
    memory,
    msmarco,
    tables,
    trec,
)
from cranfield.formats.columns import Columns, Kind, parse_columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source
from cranfield.judgments import JudgmentRows, Judgments
from cranfield.run import Ranking, Run

ColumnsGiven = str | Mapping[str, str] | Sequence[str] | None


class Reader(NamedTuple):
    """How a format is read: from a file, the columns the user names and where findings go."""

    judgment_rows: Callable[[Source, Columns, Findings], Iterator[JudgmentRows]]
    rankings: Callable[[Source, Columns, Findings], Iterator[Ranking]]


def _grouped(
    run_rows: Callable[[Source, Columns, Findings], Iterator[RunRows]],
) -> Callable[[Source, Columns, Findings], Iterator[Ranking]]:
    return lambda source, columns, findings: grouping.rankings(
        partial(run_rows, source, columns), source.path, findings
    )


def _delimited(*delimiters: str) -> Reader:
    return Reader(
        partial(delimited.judgment_rows, delimiters=delimiters),
        _grouped(partial(delimited.run_rows, delimiters=delimiters)),
    )


READERS: Mapping[str, Reader] = {
    "trec": Reader(trec.judgment_rows, _grouped(trec.run_rows)),
    "msmarco": Reader(msmarco.judgment_rows, _grouped(msmarco.run_rows)),
    "csv": _delimited(",", ";"),
    "tsv": _delimited("\t"),
    "beir": _delimited("\t"),
    "quepid": _delimited(",", ";"),
    "jsonl": Reader(json_lines.judgment_rows, _grouped(json_lines.run_rows)),
    "json": Reader(json_object.judgment_rows, json_object.rankings),
    "parquet": Reader(arrow.judgment_rows, _grouped(arrow.run_rows)),
    "arrow": Reader(arrow.judgment_rows, _grouped(arrow.run_rows)),
}
FORMATS = tuple(READERS)


def read_judgments(
    source: object,
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    findings: Findings | None = None,
) -> Judgments:
    """Judgments from a path, `-`, an open file, a dictionary, rows or a table.

    >>> read_judgments([("q1", "d1", 2), ("q1", "d2", 0)])
    Judgments(1 query, 2 judgments, grades 0 to 2)
    """
    if isinstance(source, Judgments):
        return source
    found = Findings() if findings is None else findings
    named = parse_columns(columns)
    file = as_source(source)
    if file is not None:
        reader = READERS[format_of(file, format, named, "judgments")]
        rows = reader.judgment_rows(file, named, found)
    elif isinstance(source, Mapping):
        rows = memory.judgment_rows(source, found)
    else:
        rows = tables.judgment_rows(memory.as_table(source, "judgments"), named, found)
    return Judgments.from_rows(rows, path=file.path if file else None, findings=found)


def read_run(
    source: object, *, format: str | None = None, columns: ColumnsGiven = None, name: str | None = None
) -> Run:
    """A run from a path, `-`, an open file, a dictionary, rows or a table; a file is read when it is asked.

    >>> read_run({"q1": {"d1": 1.5}}, name="bm25")
    Run('bm25')
    """
    if isinstance(source, Run):
        return source
    named = parse_columns(columns)
    file = as_source(source)
    if file is not None:
        reader = READERS[format_of(file, format, named, "run")]
        return Run(name or file.name, partial(reader.rankings, file, named), file.path)
    if isinstance(source, Mapping):
        return Run(name or "run", partial(memory.rankings, source, None))
    table = memory.as_table(source, "run")
    return Run(name or "run", partial(grouping.rankings, partial(tables.run_rows, table, named), None))


def format_of(file: Source, format: str | None, columns: Columns, wanted: Kind | None) -> str:
    """The format to read a file in: what the user says, or what the file looks like."""
    if format is None:
        return sniff(file, columns, wanted).format
    if format not in READERS:
        raise errors.unknown_format(format, FORMATS)
    return format
