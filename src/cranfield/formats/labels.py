"""Labels by several judges: a row for each, a column for each judge, a file for each, or nested names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePath
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.choices import LabelLayout
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.data.labels import Labels, Numbered, numbered
from cranfield.errors import DataError, Findings, UsageError
from cranfield.formats import json_lines, label_tables, nested_labels
from cranfield.formats.columns import Columns, parse_columns
from cranfield.formats.json_text import json_of
from cranfield.formats.label_layouts import LAYOUTS, Raw
from cranfield.formats.label_tables import Read
from cranfield.formats.reading import ColumnsGiven, format_of, reader
from cranfield.formats.records import delimiter_in, delimiter_of, text_records
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import Table
from cranfield.formats.tokens import is_score

_PLAIN = {"csv", "tsv", "beir", "quepid"}
_OF_LABELS = (".qrels", ".labels")
"""Endings of files of labels, which are no part of a judge's name."""
_MOST_TEXTS = 25
_MOST_DIFFERENT = 0.8
"""Of more texts than that, and more than this share of them different, nobody chose among labels."""


def read_labels(
    source: object,
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    judges: str | Sequence[str] | None = None,
    layout: LabelLayout | None = None,
    findings: Findings | None = None,
) -> Labels:
    """Labels from a path, `-`, an open file, several files, a dictionary, rows or a table.

    A table has a row for each label, with columns for query, document, judge and grade; or a column for each judge,
    whose names `judges` may give; or a row for each judge. Several files, or judgments by name, are a judge each. An
    empty field is a label that was not given. Labels may be texts.

    A table may also hold numbers of labels: a row for each item and a column for each category (`counts`), or what two
    judges said, with a row for each category of one and a column for each of the other (`contingency`). `layout` says
    which where that cannot be told: `labels`, `ratings`, `counts` or `contingency`.

    >>> read_labels([{"query": "q1", "document": "d1", "ada": 2, "ben": 1}])
    Labels(2 judges, 1 query, 1 document, 2 labels, grades 1 to 2)
    >>> read_labels({"ada": {"q1": {"d1": 2, "d2": 0}}, "ben": {"q1": {"d1": 1}}}, columns="judge,query,document")
    Labels(2 judges, 1 query, 2 documents, 3 labels, grades 0 to 2)
    """
    wanted = _names(judges)
    if layout is not None and layout not in LAYOUTS:
        raise errors.labels.unknown_label_layout(str(layout), LAYOUTS)
    if isinstance(source, Labels):
        return source.only(wanted) if wanted else source
    found = Findings() if findings is None else findings
    named = parse_columns(columns)
    parts = list(_parts(source, _Asked(format, named, wanted, layout), found))
    labels = _joined(parts, found)
    # Columns that were named as judges have been chosen already; elsewhere names choose among judges.
    return labels.only(wanted) if wanted and set(wanted) != set(labels.judges) else labels


@dataclass(frozen=True)
class _Asked:
    """What the user says about a source."""

    format: str | None
    columns: Columns
    judges: Sequence[str]
    layout: LabelLayout | None


def _parts(source: Any, asked: _Asked, findings: Findings) -> Iterator[Read]:
    if isinstance(source, Mapping) and source and all(map(_is_whole, source.values())):
        for judge, part in source.items():
            yield _named(_read(part, asked, findings), str(judge), always=True)
    elif isinstance(source, list | tuple) and source and all(map(_is_whole, source)):
        several = len(source) > 1
        names: set[str] = set()
        for part in source:
            read = _read(part, asked, findings)
            name = _free(read.name, names)
            names.add(name)
            yield _named(read, name, always=False) if several else read
    else:
        yield _read(source, asked, findings)


def _free(name: str, taken: set[str]) -> str:
    return next(choice for choice in chain([name], (f"{name} {n}" for n in range(2, 10_000))) if choice not in taken)


def _is_whole(part: object) -> bool:
    """A file or a table, rather than a row of one."""
    is_file = isinstance(part, str | os.PathLike | Source | Judgments) or hasattr(part, "read")
    return is_file or hasattr(part, "__arrow_c_stream__") or hasattr(part, "columns")


def _named(read: Read, judge: str, *, always: bool) -> Read:
    """With the name of a judge who is known from elsewhere, unless the labels tell theirs."""
    if len(read.judges.names) > 1 and not always:
        return read
    return replace(read, judges=Numbered([judge], np.zeros_like(read.judges.at)))


def _joined(parts: Sequence[Read], findings: Findings) -> Labels:
    if len(parts) == 1:
        return _built(parts[0], parts[0].path, findings)
    if not all(part.has_queries for part in parts):
        raise DataError(
            [errors.labels.unknown_labels(parts[0].path, "one of several files has no queries and documents")]
        )
    findings.stop_if_wrong()
    told = Findings()
    for part in parts:  # each by itself first, so that what is odd is told with its file
        _look_at(part, told)
    together = Read(
        np.concatenate([np.array(part.lines, dtype=np.int64) for part in parts]),
        _together([part.queries for part in parts]),
        _together([part.documents for part in parts]),
        _together([part.judges for part in parts]),
        list(chain.from_iterable(part.grades for part in parts)),
        parts[0].unit,
        rows=all(part.rows for part in parts),
        unrateable=sum(part.unrateable for part in parts),
    )
    rest = Findings()
    labels = _built(together, None, rest)
    kinds = {finding.kind for finding in told.warnings}
    findings.extend(told.warnings)
    findings.extend(finding for finding in rest.warnings if finding.kind not in kinds)
    return replace(labels, warnings=tuple(findings.warnings))


def _look_at(part: Read, findings: Findings) -> None:
    rows, categories = label_tables.graded(part, findings)
    if not np.isnan(rows.grades).all():
        Labels.from_rows(rows, categories=categories, path=part.path, findings=findings)


def _built(read: Read, path: str | None, findings: Findings) -> Labels:
    rows, categories = label_tables.graded(read, findings)
    given = int((~np.isnan(rows.grades)).sum())
    if len(categories) > max(_MOST_TEXTS, _MOST_DIFFERENT * given):
        raise DataError([errors.labels.free_text(path, list(read.judges.names), len(categories), given)])
    labels = Labels.from_rows(
        rows,
        categories=categories,
        has_queries=read.has_queries,
        has_judges=read.has_judges,
        path=path,
        findings=findings,
    )
    return replace(labels, levels=label_tables.levels_of(read), notes=read.notes)


def _together(columns: Sequence[Numbered]) -> Numbered:
    """Several columns of names, one below the other."""
    numbers: dict[str, int] = {}
    parts = []
    for column in columns:
        place = np.array([numbers.setdefault(name, len(numbers)) for name in column.names], dtype=np.int64)
        parts.append(place[column.at] if len(place) else column.at)
    return Numbered(list(numbers), np.concatenate(parts))


def _read(source: Any, asked: _Asked, findings: Findings) -> Read:
    """The labels of one file, table or dictionary, as they are written."""
    if isinstance(source, Judgments):
        return _of_judgments(source)
    file = as_source(source)
    if file is not None:
        return replace(_of_file(file, asked, findings), name=_judge(file))
    if isinstance(source, Mapping):
        if source and all(isinstance(column, list | tuple | np.ndarray) for column in source.values()):
            return _of_raw(_of_columns(source), asked, "labels", findings)
        return _nested(source, asked, None, "labels")
    from cranfield.formats import memory

    table = memory.as_table(source, "judgments")
    if len(table.names) == 4 and list(table.names) == [f"column {at}" for at in range(1, 5)]:
        table = replace(table, names=["query", "document", "judge", "grade"])
    return _of_raw(_of_table(table), asked, "labels", findings)


def _of_raw(raw: Raw, asked: _Asked, name: str, findings: Findings) -> Read:
    return label_tables.read(raw, asked.columns, asked.judges, name, findings, asked.layout)


def _of_columns(given: Mapping[Any, Any]) -> Raw:
    """A dictionary of columns, as data frames are made of."""
    columns = [list(column) for column in given.values()]
    if len({len(column) for column in columns}) > 1:
        raise DataError([errors.labels.unknown_labels(None, "columns have different lengths")])
    return Raw(list(map(str, given)), columns, range(1, len(columns[0]) + 1), "row", None)


def _judge(file: Source) -> str:
    """The judge whose labels a file holds, by its name: `ada.qrels.gz` is ada's."""
    ending = PurePath(file.name).suffix
    return file.name.removesuffix(ending) if ending.lower() in _OF_LABELS else file.name


def _of_file(file: Source, asked: _Asked, findings: Findings) -> Read:
    if not file.head.strip():
        raise DataError([errors.files.nothing_read(file.path, "labels")])
    try:
        return _in_format(_format(file, asked.format, asked.columns), file, asked, findings)
    except DataError as error:
        if any(finding.kind == "swapped-arguments" for finding in error.findings):
            raise errors.labels.no_labels(error) from None
        raise


def _in_format(chosen: str, file: Source, asked: _Asked, findings: Findings) -> Read:
    columns = asked.columns
    if chosen in ("parquet", "arrow"):
        from cranfield.formats import arrow

        return _of_raw(_of_table(arrow.file_table(file)), asked, file.name, findings)
    if chosen == "jsonl":
        lines, records = _lines(file, findings)
        if len(records) == 1 and "query_doc_pairs" in records[0]:  # a book of Quepid on one line
            return _nested(records[0], asked, file.path, file.name)
        raw = replace(_of_records(records, file.path), lines=lines, unit="line")
        return _of_raw(raw, asked, file.name, findings)
    if chosen == "json":
        value = json_of(file)
        if isinstance(value, dict):
            return _nested(value, asked, file.path, file.name)
        return _of_raw(_of_records(value, file.path), asked, file.name, findings)
    if chosen in _PLAIN:
        return _of_raw(_of_text(file, columns, findings), asked, file.name, findings)
    _must_be_table(asked, file.path)
    return _of_trec(file, columns, findings)


def _nested(value: Mapping[Any, Any], asked: _Asked, path: str | None, name: str) -> Read:
    _must_be_table(asked, path)
    return nested_labels.read(value, asked.columns, path, name)


def _must_be_table(asked: _Asked, path: str | None) -> None:
    if asked.layout not in (None, "labels"):
        raise errors.labels.layout_of_no_table(path, str(asked.layout))


def _format(file: Source, format: str | None, columns: Columns) -> str:
    if format is not None:
        return format_of(file, format, columns, "judgments")
    if file.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")) or file.head.lstrip()[:1] in (b"{", b"["):
        return sniff(file, columns).format
    first = next((line for line in file.head.decode(errors="replace").split("\n") if line.strip()), "")
    delimiter = delimiter_of(first)
    fields = first.split(delimiter) if delimiter else []
    if delimiter and not first.startswith("#") and not any(is_score(field.strip()) for field in fields):
        return "csv"
    return sniff(file, columns, "judgments").format


def _of_trec(file: Source, columns: Columns, findings: Findings) -> Read:
    rows = list(reader("trec").judgment_rows(file, replace(columns, groups="judge"), findings))
    return _of_rows(rows, file.path, file.name)


def _of_judgments(judgments: Judgments) -> Read:
    if judgments.groups is not None:
        raise UsageError("These judgments have one row for several grades; give the labels as they were read.")
    counts = [
        end - start for start, end in zip(judgments.starts[:-1].tolist(), judgments.starts[1:].tolist(), strict=True)
    ]
    queries = [query for query, count in zip(judgments.queries, counts, strict=True) for _ in range(count)]
    name = judgments.path or "judgments"
    count = len(queries)
    return Read(
        range(1, count + 1),
        numbered(queries),
        numbered(list(judgments.documents)),
        numbered(list(judgments.extra.get("judge", [name] * count))),
        judgments.grades.tolist(),
        unit="row",
        path=judgments.path,
        name=name,
    )


def _of_rows(rows: Sequence[JudgmentRows], path: str, name: str) -> Read:
    def column(get: Any) -> list[Any]:
        return [value for block in rows for value in get(block)]

    return Read(
        column(lambda block: block.lines),
        numbered(column(lambda block: block.queries)),
        numbered(column(lambda block: block.documents)),
        numbered(column(lambda block: block.extra.get("judge", [name] * len(block.lines)))),
        column(lambda block: block.grades),
        path=path,
        name=name,
    )


def _of_text(file: Source, columns: Columns, findings: Findings) -> Raw:
    rows = text_records(file, delimiter_in(file) or ",", findings)
    first = next(rows, None)
    if first is None:
        findings.stop_if_wrong()
        raise DataError([errors.files.nothing_read(file.path, "labels")])
    names, has_header = first[1], True
    if columns.positions:
        if len(columns.positions) != len(names):
            raise errors.files.wrong_columns(f"{len(columns.positions)} are named, but there are {len(names)}")
        grade = names[columns.positions.index("grade")] if "grade" in columns.positions else ""
        names, has_header = list(columns.positions), not is_score(grade.strip()) if grade.strip() else False
    lines: list[int] = []
    sound: list[list[str]] = []
    for line, row in rows if has_header else chain([first], rows):
        if len(row) == len(names):
            lines.append(line)
            sound.append(row)
        else:
            advice = 'Correct the line; a field that contains a delimiter is written in "quotes".'
            expected = f"the first line has {len(names)}"
            findings.add(errors.files.wrong_column_count(file.path, line, ",".join(row), len(row), expected, advice))
    by_column = [list(column) for column in zip(*sound, strict=True)] or [[] for _ in names]
    return Raw([name.strip() for name in names], by_column, lines, "line", file.path)


def _lines(file: Source, findings: Findings) -> tuple[list[int], list[dict[str, Any]]]:
    lines: list[int] = []
    records: list[dict[str, Any]] = []
    for block in file.blocks():
        numbers, found = json_lines.records_of(block, file.path, findings)
        lines += numbers
        records += found
    return lines, records


def _of_records(value: Any, path: str | None) -> Raw:
    if not isinstance(value, list) or not all(isinstance(record, dict) for record in value):
        raise DataError([errors.labels.unknown_labels(path, f"the file holds a {type(value).__name__}")])
    names = list(dict.fromkeys(name for record in value for name in record))
    return Raw(names, [[record.get(name) for record in value] for name in names], range(1, len(value) + 1), "row", path)


def _of_table(table: Table) -> Raw:
    if not table.names:
        raise DataError([errors.files.nothing_read(table.path, "labels")])
    by_column: list[list[object]] = [[] for _ in table.names]
    for batch in table.batches(range(len(table.names))):
        for values, more in zip(by_column, batch, strict=True):
            values += more
    return Raw(list(map(str, table.names)), by_column, range(1, len(by_column[0]) + 1), "row", table.path)


def _names(judges: str | Sequence[str] | None) -> list[str]:
    if judges is None:
        return []
    parts = judges.split(",") if isinstance(judges, str) else list(judges)
    names = [part.strip() for part in parts]
    if not all(names) or len(set(names)) < len(names):
        raise UsageError("judges names each judge once, and none without a name.")
    return names
