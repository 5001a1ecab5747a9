"""CSV and TSV files, with a header or with columns the user names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from cranfield import errors
from cranfield.data.judgments import JudgmentRows
from cranfield.errors import DataError, Finding, Findings
from cranfield.formats.columns import EXTRA, Columns, Kind, has_header
from cranfield.formats.decimal_commas import DecimalColumn, looks_like_number
from cranfield.formats.delimited_text import (
    DELIMITERS,
    ColumnBatch,
    Fields,
    column_batches,
    delimiter_of,
    first_line,
)
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Source
from cranfield.formats.tokens import (
    grades,
    grades_given,
    is_grade,
    is_grade_or_none,
    is_score,
    scores,
)
from cranfield.show.table import unguarded

Places = dict[str, int]
Rows = TypeVar("Rows", JudgmentRows, RunRows)


def judgment_rows(
    source: Source, columns: Columns, findings: Findings, delimiters: Sequence[str] = DELIMITERS
) -> Iterator[JudgmentRows]:
    """The judgments of a CSV or TSV file."""
    return _converted(source, columns, "judgments", _judgments, findings, delimiters)


def run_rows(
    source: Source, columns: Columns, findings: Findings, delimiters: Sequence[str] = DELIMITERS
) -> Iterator[RunRows]:
    """The rows of a run in a CSV or TSV file; without scores the ranks are the positions."""
    return _converted(source, columns, "run", _run, findings, delimiters)


def _converted(
    source: Source,
    columns: Columns,
    kind: Kind,
    convert: Callable[[ColumnBatch, Places], Rows],
    findings: Findings,
    delimiters: Sequence[str],
) -> Iterator[Rows]:
    delimiter = delimiter_of(first_line(source), delimiters) or delimiters[0]
    places: Places | None = None
    for batch in column_batches(source, delimiter, findings):
        if places is None:
            places, is_header = _places([column[0] for column in batch.columns], columns, kind, source.path)
            if is_header:
                batch = ColumnBatch(batch.lines[1:], [column[1:] for column in batch.columns])
        batch = _with_points(batch, places, source.path, findings)
        try:
            converted = convert(batch, places)
        except ValueError:
            converted = convert(_sound(batch, places, source.path, delimiter, findings), places)
        yield _without_guards(converted) if delimiter == "," else converted


def _with_points(batch: ColumnBatch, places: Places, path: str, findings: Findings) -> ColumnBatch:
    """The batch with points in numbers that have decimal commas."""
    columns = list(batch.columns)
    for role in ("grade", "score", "rank"):
        if role in places:
            columns[places[role]] = DecimalColumn(role, path, findings).with_points(columns[places[role]], batch.lines)
    return ColumnBatch(batch.lines, columns)


def _without_guards(rows: Rows) -> Rows:
    """Ids without the quote by which our own CSV keeps a spreadsheet from reading them as formulas."""
    queries, documents = (
        [unguarded(field) for field in fields] if any(field[0] == "'" for field in fields) else fields
        for fields in (rows.queries, rows.documents)
    )
    return rows._replace(queries=queries, documents=documents)


def _judgments(batch: ColumnBatch, at: Places) -> JudgmentRows:
    lines, columns = batch
    return JudgmentRows(
        lines,
        _ids(columns[at["query"]]),
        _ids(columns[at["document"]]),
        grades_given(columns[at["grade"]]).tolist() if "grade" in at else [1.0] * len(lines),
        {role: _ids(columns[at[role]]) for role in EXTRA if role in at},
    )


def _run(batch: ColumnBatch, at: Places) -> RunRows:
    lines, columns = batch
    return RunRows(
        lines,
        _ids(columns[at["query"]]),
        _ids(columns[at["document"]]),
        scores(columns[at["score"]]) if "score" in at else -grades(columns[at["rank"]]),
        columns[at["rank"]] if "score" in at and "rank" in at else None,
        ranked="score" not in at,
    )


def _ids(fields: Sequence[str]) -> Sequence[str]:
    if "" in fields:
        raise ValueError
    return fields


def _places(first: Fields, columns: Columns, kind: Kind, path: str) -> tuple[Places, bool]:
    """Where each role's column stands, and whether the first row is a header."""
    if columns.positions:
        places = columns.places(first, kind, path)
        numbers = [first[places[role]] for role in ("grade", "score", "rank") if role in places]
        return places, not any(map(looks_like_number, numbers))
    if columns or has_header(first) or not any(map(is_score, first)):
        return columns.places(first, kind, path), True
    if kind == "judgments" and len(first) == 3 and is_grade(first[2]):
        return {"query": 0, "document": 1, "grade": 2}, False
    raise DataError([errors.files.unknown_layout(path, kind, text=",".join(first))])


def _sound(batch: ColumnBatch, places: Places, path: str, delimiter: str, findings: Findings) -> ColumnBatch:
    """The rows that can be converted; what is wrong with the others becomes a finding."""
    sound: list[int] = []
    for at, (line, *row) in enumerate(zip(batch.lines, *batch.columns, strict=True)):
        wrong = _wrong(line, row, places, path, delimiter)
        if wrong is None:
            sound.append(at)
        else:
            findings.add(wrong)
    return ColumnBatch([batch.lines[at] for at in sound], [[column[at] for at in sound] for column in batch.columns])


def _wrong(line: int, row: Fields, places: Places, path: str, delimiter: str) -> Finding | None:
    if row[places["query"]] and not any(row[at] for role, at in places.items() if role != "query"):
        return errors.rows.query_alone(path, line)
    for role in ("query", "document", *EXTRA):
        if role in places and not row[places[role]]:
            return errors.rows.bad_id(path, line, role, None)
    for role, is_right in (("grade", is_grade_or_none), ("score", is_score), ("rank", is_grade)):
        compared_only = role == "rank" and "score" in places
        if role in places and not compared_only and not is_right(row[places[role]]):
            return errors.rows.not_a_number(path, line, role, row[places[role]], delimiter.join(row))
    return None
