"""CSV and TSV files, with a header or with columns the user names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeVar

from cranfield import errors
from cranfield.errors import DataError, Finding, Findings
from cranfield.formats.columns import EXTRA, Columns, Kind, has_header
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Block, Source
from cranfield.formats.tokens import grades, is_grade, is_score, scores
from cranfield.judgments import JudgmentRows

DELIMITERS = ("\t", ",", ";")
BATCH = 20_000
"""Rows that are converted together."""

Fields = list[str]
Records = Sequence[tuple[int, Fields]]
"""Rows with the line each begins on."""
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
    """The rows of a run in a CSV or TSV file; without scores the ranks give the order."""
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
    convert: Callable[[Records, Places, int], Rows],
    findings: Findings,
    delimiters: Sequence[str],
) -> Iterator[Rows]:
    first = next((line for line in source.head.decode(errors="replace").split("\n") if line.strip()), "")
    delimiter = delimiter_of(first, delimiters) or delimiters[0]
    records = _records(source, delimiter, findings)
    start = list(islice(records, 1))
    if not start:
        return
    places, is_header = _places(start[0][1], columns, kind, source.path)
    count = len(start[0][1])
    records = records if is_header else chain(start, records)
    while batch := list(islice(records, BATCH)):
        try:
            yield convert(batch, places, count)
        except ValueError:
            sound = _sound(batch, count, places, source.path, delimiter, findings)
            if sound:
                yield convert(sound, places, count)


def _judgments(records: Records, at: Places, count: int) -> JudgmentRows:
    lines, columns = _columns(records, count)
    return JudgmentRows(
        lines,
        _ids(columns[at["query"]]),
        _ids(columns[at["document"]]),
        grades(columns[at["grade"]]).tolist(),
        {role: columns[at[role]] for role in EXTRA if role in at},
    )


def _run(records: Records, at: Places, count: int) -> RunRows:
    lines, columns = _columns(records, count)
    return RunRows(
        lines,
        _ids(columns[at["query"]]),
        _ids(columns[at["document"]]),
        scores(columns[at["score"]]) if "score" in at else -grades(columns[at["rank"]]),
        columns[at["rank"]] if "score" in at and "rank" in at else None,
    )


def _columns(records: Records, count: int) -> tuple[list[int], list[tuple[str, ...]]]:
    rows = [row for _, row in records]
    if set(map(len, rows)) != {count}:
        raise ValueError
    return [line for line, _ in records], list(zip(*rows, strict=True))


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


def _records(source: Source, delimiter: str, findings: Findings) -> Iterator[tuple[int, Fields]]:
    """Each record with the line it begins on: a quoted field may span several."""
    reader = csv.reader(_lines(source, findings), delimiter=delimiter, strict=True)
    first_line = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            findings.add(errors.malformed_csv(source.path, first_line, str(error)))
            row = []
        if row:
            yield first_line, row
        first_line = reader.line_num + 1


def _lines(source: Source, findings: Findings) -> Iterator[str]:
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


def _sound(
    batch: Records,
    count: int,
    places: Places,
    path: str,
    delimiter: str,
    findings: Findings,
) -> list[tuple[int, Fields]]:
    """The rows that can be converted; what is wrong with the others becomes a finding."""
    sound = []
    for line, row in batch:
        wrong = _wrong(line, row, count, places, path, delimiter.join(row))
        if wrong is None:
            sound.append((line, row))
        else:
            findings.add(wrong)
    return sound


def _wrong(line: int, row: Fields, count: int, places: Places, path: str, text: str) -> Finding | None:
    if len(row) != count:
        expected = f"the first line has {count}"
        advice = 'Correct the line; a field that contains a delimiter is written in "quotes".'
        return errors.wrong_column_count(path, line, text, len(row), expected, advice)
    for role in ("query", "document"):
        if not row[places[role]]:
            return errors.bad_id(path, line, role, None)
    for role, is_right in (("grade", is_grade), ("score", is_score), ("rank", is_grade)):
        compared_only = role == "rank" and "score" in places
        if role in places and not compared_only and not is_right(row[places[role]]):
            return errors.not_a_number(path, line, role, row[places[role]], text)
    return None
