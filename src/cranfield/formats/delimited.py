"""CSV and TSV files, with a header or with columns the user names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple, TypeVar

from cranfield import errors
from cranfield.errors import DataError, Finding, Findings
from cranfield.formats.columns import EXTRA, Columns, Kind, has_header
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Block, Source
from cranfield.formats.tokens import grades, is_grade, is_score, scores
from cranfield.judgments import JudgmentRows
from cranfield.table import unguarded

DELIMITERS = ("\t", ",", ";")
BATCH = 20_000
"""Rows that are converted together."""

Fields = list[str]
Places = dict[str, int]
Rows = TypeVar("Rows", JudgmentRows, RunRows)


class Batch(NamedTuple):
    """Some rows and the line each begins on."""

    lines: Sequence[int]
    rows: Sequence[Fields]


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


def delimiter_of(line: str, delimiters: Sequence[str] = DELIMITERS) -> str | None:
    """What separates the fields of a line: the delimiter that comes most often."""
    best = max(delimiters, key=line.count)
    return best if best in line else None


def header_of(line: str) -> Fields | None:
    """The names of the columns, if a line reads as such."""
    delimiter = delimiter_of(line)
    if delimiter is None:
        return None
    fields = next(csv.reader([line], delimiter=delimiter), [])
    return fields if has_header(fields) and not any(map(is_score, fields)) else None


def _converted(
    source: Source,
    columns: Columns,
    kind: Kind,
    convert: Callable[[Batch, Places, int], Rows],
    findings: Findings,
    delimiters: Sequence[str],
) -> Iterator[Rows]:
    first = next((line for line in source.head.decode(errors="replace").split("\n") if line.strip()), "")
    delimiter = delimiter_of(first, delimiters) or delimiters[0]
    places: Places = {}
    count = 0
    for batch in batches(source, delimiter, findings):
        if not count:
            count = len(batch.rows[0])
            places, is_header = _places(batch.rows[0], columns, kind, source.path)
            if is_header:
                batch = Batch(batch.lines[1:], batch.rows[1:])
        try:
            converted = convert(batch, places, count)
        except ValueError:
            converted = convert(_sound(batch, count, places, source.path, delimiter, findings), places, count)
        yield _without_guards(converted) if delimiter == "," else converted


def _without_guards(rows: Rows) -> Rows:
    """Ids without the quote by which our own CSV keeps a spreadsheet from reading them as formulas."""
    queries, documents = (
        [unguarded(field) for field in fields] if any(field[0] == "'" for field in fields) else fields
        for fields in (rows.queries, rows.documents)
    )
    return rows._replace(queries=queries, documents=documents)


def _judgments(batch: Batch, at: Places, count: int) -> JudgmentRows:
    lines, columns = _columns(batch, count)
    return JudgmentRows(
        lines,
        _ids(columns[at["query"]]),
        _ids(columns[at["document"]]),
        grades(columns[at["grade"]]).tolist(),
        {role: _ids(columns[at[role]]) for role in EXTRA if role in at},
    )


def _run(batch: Batch, at: Places, count: int) -> RunRows:
    lines, columns = _columns(batch, count)
    return RunRows(
        lines,
        _ids(columns[at["query"]]),
        _ids(columns[at["document"]]),
        scores(columns[at["score"]]) if "score" in at else -grades(columns[at["rank"]]),
        columns[at["rank"]] if "score" in at and "rank" in at else None,
        ranked="score" not in at,
    )


def _columns(batch: Batch, count: int) -> tuple[Sequence[int], list[tuple[str, ...]]]:
    if set(map(len, batch.rows)) - {count}:
        raise ValueError
    return batch.lines, list(zip(*batch.rows, strict=True)) or [()] * count


def _ids(fields: Sequence[str]) -> Sequence[str]:
    if "" in fields:
        raise ValueError
    return fields


def _places(first: Fields, columns: Columns, kind: Kind, path: str) -> tuple[Places, bool]:
    """Where each role's column stands, and whether the first row is a header."""
    if columns.positions:
        places = columns.places(first, kind, path)
        numbers = [first[places[role]] for role in ("grade", "score", "rank") if role in places]
        return places, not any(map(is_score, numbers))
    if columns or has_header(first) or not any(map(is_score, first)):
        return columns.places(first, kind, path), True
    if kind == "judgments" and len(first) == 3 and is_grade(first[2]):
        return {"query": 0, "document": 1, "grade": 2}, False
    raise DataError([errors.unknown_layout(path, kind, text=",".join(first))])


def batches(source: Source, delimiter: str, findings: Findings) -> Iterator[Batch]:
    """The rows of a file, some at a time, without blank ones."""
    reader = csv.reader(text_lines(source, findings), delimiter=delimiter, strict=True)
    first_line, more = 1, True
    while more:
        rows: list[Fields] = []
        wrong = None
        try:
            for row in islice(reader, BATCH):
                rows.append(row)  # noqa: PERF402  # list() would lose the rows before a wrong one
        except csv.Error as error:
            wrong = str(error)
        more = wrong is not None or len(rows) == BATCH
        numbers = _numbers(first_line, rows, reader.line_num)
        if wrong is not None:
            findings.add(errors.malformed_csv(source.path, numbers[-1], wrong))
        batch = _without_blanks(numbers, rows)
        if batch.rows:
            yield batch
        first_line = reader.line_num + 1


def _numbers(first_line: int, rows: Sequence[Fields], last_line: int) -> Sequence[int]:
    """The line each row begins on, and the next: a row has a line more for each line end in its fields."""
    if last_line - first_line + 1 == len(rows):
        return range(first_line, last_line + 2)
    heights = (1 + sum(field.count("\n") for field in row) for row in rows)
    return list(accumulate(heights, initial=first_line))


def _without_blanks(numbers: Sequence[int], rows: list[Fields]) -> Batch:
    if all(rows):
        return Batch(numbers[: len(rows)], rows)
    kept = [at for at, row in enumerate(rows) if row]
    return Batch([numbers[at] for at in kept], [rows[at] for at in kept])


def text_lines(source: Source, findings: Findings) -> Iterator[str]:
    """The lines of a text with their ends; what is not UTF-8 becomes a finding."""
    for block in source.blocks():
        try:
            text = block.data.decode()
        except UnicodeDecodeError:
            findings.extend(_not_utf8(block, source.path))
            text = block.data.decode(errors="replace")
        yield from io.StringIO(text, newline="\n")


def _not_utf8(block: Block, path: str) -> Iterator[Finding]:
    for number, line in enumerate(block.lines, block.first_line):
        text = line.decode(errors="replace")
        if text.encode() != line:
            yield errors.not_utf8(path, number, text)


def _sound(batch: Batch, count: int, places: Places, path: str, delimiter: str, findings: Findings) -> Batch:
    """The rows that can be converted; what is wrong with the others becomes a finding."""
    lines: list[int] = []
    rows: list[Fields] = []
    for line, row in zip(batch.lines, batch.rows, strict=True):
        wrong = _wrong(line, row, count, places, path, delimiter.join(row))
        if wrong is None:
            lines.append(line)
            rows.append(row)
        else:
            findings.add(wrong)
    return Batch(lines, rows)


def _wrong(line: int, row: Fields, count: int, places: Places, path: str, text: str) -> Finding | None:
    if len(row) != count:
        expected = f"the first line has {count}"
        advice = 'Correct the line; a field that contains a delimiter is written in "quotes".'
        return errors.wrong_column_count(path, line, text, len(row), expected, advice)
    for role in ("query", "document", *EXTRA):
        if role in places and not row[places[role]]:
            return errors.bad_id(path, line, role, None)
    for role, is_right in (("grade", is_grade), ("score", is_score), ("rank", is_grade)):
        compared_only = role == "rank" and "score" in places
        if role in places and not compared_only and not is_right(row[places[role]]):
            return errors.not_a_number(path, line, role, row[places[role]], text)
    return None
