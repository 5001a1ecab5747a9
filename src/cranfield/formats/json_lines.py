"""JSON Lines: one record a line, with the names tables have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cranfield import errors
from cranfield.data.judgments import JudgmentRows
from cranfield.errors import Finding, Findings
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.grouping import RunRows
from cranfield.formats.json_text import parsed, wrong_json
from cranfield.formats.source import Block, Source
from cranfield.formats.values import Checked, Values

Record = dict[str, Any]


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The judgments of a JSON Lines file."""
    for checked, values in _batches(source, columns, "judgments", findings):
        yield checked.judgments(values)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """The rows of a run in a JSON Lines file."""
    for checked, values in _batches(source, columns, "run", findings):
        yield checked.run(values)


def names_of_first(source: Source) -> list[str]:
    """The names in the first record."""
    _, records = next(batches(source, Findings()), ((), []))
    return list(records[0]) if records else []


def _batches(source: Source, columns: Columns, kind: Kind, findings: Findings) -> Iterator[tuple[Checked, Values]]:
    if columns.positions:
        raise errors.files.wrong_columns("JSON has names and no positions")
    names: dict[str, str] | None = None
    for lines, records in batches(source, findings):
        if names is None:
            header = list(records[0])
            names = {role: header[at] for role, at in columns.places(header, kind, source.path).items()}
        checked = Checked(lines, "line", source.path, findings)
        yield checked, {role: [record.get(name) for record in records] for role, name in names.items()}


def batches(source: Source, findings: Findings) -> Iterator[tuple[Sequence[int], list[Record]]]:
    """The records of a file, some at a time, with the numbers of their lines."""
    for block in source.blocks():
        lines, records = _records_of(block, source.path, findings)
        if records:
            yield lines, records


def _records_of(block: Block, path: str, findings: Findings) -> tuple[Sequence[int], list[Record]]:
    lines = block.lines
    try:  # one value is parsed faster than thousands
        records = parsed(b"[" + b",".join(lines) + b"]")
        if len(records) == len(lines) and all(type(record) is dict for record in records):
            return range(block.first_line, block.first_line + len(lines)), records
    except (ValueError, RecursionError):
        pass
    return _line_by_line(block, path, findings)


def _line_by_line(block: Block, path: str, findings: Findings) -> tuple[list[int], list[Record]]:
    """The sound lines; what is wrong with the others becomes a finding."""
    numbers: list[int] = []
    records: list[Record] = []
    for number, line in enumerate(block.lines, block.first_line):
        if not line.strip():
            continue
        record = _record(path, number, line)
        if isinstance(record, Finding):
            findings.add(record)
        else:
            numbers.append(number)
            records.append(record)
    return numbers, records


def _record(path: str, number: int, line: bytes) -> Record | Finding:
    text = line.decode(errors="replace")
    try:
        value = parsed(line)
    except (ValueError, RecursionError) as error:
        return wrong_json(error, path, number, text)
    if isinstance(value, dict):
        return value
    return errors.rows.malformed_json(path, number, "a line must be an object with named fields", text)
