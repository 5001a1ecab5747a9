"""Labels by several judges: a row for each, a column for each judge, a file for each, or nested names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.choices import LabelLayout
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.data.labels import Labels, Numbered
from cranfield.errors import CranfieldError, DataError, Findings, UsageError
from cranfield.formats import label_tables, nested_labels
from cranfield.formats.columns import SKIPPED, Columns, ColumnsGiven, parse_columns
from cranfield.formats.delimited_text import delimiter_in, delimiter_of
from cranfield.formats.json_text import json_of
from cranfield.formats.label_layouts import LAYOUTS
from cranfield.formats.label_tables import Read
from cranfield.formats.numbered_columns import numbered, numbered_text
from cranfield.formats.reading import format_of, reader
from cranfield.formats.rows import Content, rows_of_file, rows_of_lines, rows_of_object
from cranfield.formats.sniff import container, sniff
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import Rows, whole
from cranfield.formats.tokens import is_score
from cranfield.phrases import kind_of
from cranfield.show.table import unguarded

if TYPE_CHECKING:
    from cranfield.formats.judging_store import StoredJudging

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
    which where that is not clear: `labels`, `ratings`, `counts` or `contingency`.

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
    parts = list(_parts(source, _LabelRequest(format, named, wanted, layout), found))
    labels = _joined(parts, found)
    # Columns that were named as judges have been chosen already; elsewhere names choose among judges.
    return labels.only(wanted) if wanted and set(wanted) != set(labels.judges) else labels


@dataclass(frozen=True)
class _LabelRequest:
    """What the user says about a source."""

    format: str | None
    columns: Columns
    judges: Sequence[str]
    layout: LabelLayout | None


def _parts(source: Any, asked: _LabelRequest, findings: Findings) -> Iterator[Read]:
    if isinstance(source, Mapping) and source and all(map(_is_whole, source.values())):
        for judge, part in source.items():
            yield _named(_read(part, asked, findings), str(judge), always=True)
    elif isinstance(source, list | tuple) and source and all(map(_is_whole, source)):
        yield from _of_several([_read(part, asked, findings) for part in source])
    else:
        yield _read(source, asked, findings)


def _of_several(parts: Sequence[Read]) -> Iterator[Read]:
    """Each with its judge: who a column says it is, unless it says the same in all files, or the name of the file."""
    columns = {read.judges.names[0] for read in parts if _tells_judge(read)}
    same = len(columns) == 1 and sum(map(_tells_judge, parts)) > 1
    names = set() if same else columns
    for read in parts:
        name = _free(read.name, names)
        names.add(name)
        yield read if len(parts) == 1 or (_tells_judge(read) and not same) else _named(read, name, always=False)


def _tells_judge(read: Read) -> bool:
    return read.tells_judges and len(read.judges.names) == 1


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


def labels_of_project(store: StoredJudging) -> Labels:
    """The labels of a judging project that is open."""
    from cranfield.formats import judging_store

    findings = Findings()
    return _built(judging_store.label_rows(store), store.path, findings)


def _joined(parts: Sequence[Read], findings: Findings) -> Labels:
    parts = [label_tables.with_points(part, findings) for part in parts]
    if len(parts) == 1:
        return _built(parts[0], parts[0].path, findings)
    if not all(part.has_queries for part in parts):
        raise DataError(
            [errors.labels.unknown_labels(parts[0].path, "one of several files has no queries and documents")]
        )
    findings.stop_if_wrong()
    told = Findings()
    for part in parts:  # each by itself first, so that what is odd is reported with its file
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
    return replace(
        labels, levels=label_tables.levels_of(read), notes=read.notes, decided=_decided(labels, read.decided)
    )


def _decided(labels: Labels, decided: Mapping[tuple[str, str], float]) -> Floats | None:
    """By document the grades that somebody decided on."""
    if not decided:
        return None
    names = zip(labels.of_query.tolist(), labels.documents, strict=True)
    grades = [decided.get((labels.queries[query], document), np.nan) for query, document in names]
    return np.array(grades, dtype=np.float64)


def _together(columns: Sequence[Numbered]) -> Numbered:
    """Several columns of names, one below the other."""
    numbers: dict[str, int] = {}
    parts = []
    for column in columns:
        place = np.array([numbers.setdefault(name, len(numbers)) for name in column.names], dtype=np.int64)
        parts.append(place[column.at] if len(place) else column.at)
    return Numbered(list(numbers), np.concatenate(parts))


def _read(source: Any, asked: _LabelRequest, findings: Findings) -> Read:
    """The labels of one file, table or dictionary, as they are written."""
    if isinstance(source, Judgments):
        return _of_judgments(source)
    file = as_source(source)
    if file is not None:
        return replace(_of_file(file, asked, findings), name=_judge(file))
    if isinstance(source, Mapping) and not _are_columns(source):
        return _nested(source, asked, None, "labels")
    rows = whole(rows_of_object(source, _LabelRows(asked.columns), None))
    return _of_table(rows, asked, None, "labels", findings)


def _are_columns(given: Mapping[Any, Any]) -> bool:
    """Whether a dictionary has columns, as data frames are made of."""
    return bool(given) and all(isinstance(column, list | tuple | np.ndarray) for column in given.values())


class _LabelRows(Content):
    name = "labels"
    texts = True

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        """What the user says about them."""

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        roles = self.columns.positions
        if not roles:
            return [name.strip() for name in first], True
        if len(roles) != len(first):
            raise errors.files.wrong_columns(f"{len(roles)} are named, but there are {len(first)}")
        grade = first[roles.index("grade")].strip() if "grade" in roles else ""
        names = [f"column {at}" if role in SKIPPED else role for at, role in enumerate(roles, 1)]
        return names, bool(grade) and not is_score(grade)

    def unnamed(self, width: int) -> Sequence[str] | None:
        named = {3: ("query", "document", "grade"), 4: ("query", "document", "judge", "grade")}
        return named.get(width) or super().unnamed(width)

    def of_mapping(self, given: Mapping[Any, Any], path: str | None) -> Iterator[Rows]:
        columns = {str(name): list(column) for name, column in given.items()}
        counts = {len(column) for column in columns.values()}
        if len(counts) > 1:
            raise DataError([errors.labels.unknown_labels(path, "columns have different lengths")])
        yield Rows(range(1, min(counts) + 1), columns, "row", path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        if path is None:
            return errors.files.unreadable_object(given, "judgments")
        return DataError([errors.labels.unknown_labels(path, f"the file holds {kind_of(given)}")])


def _of_table(rows: Rows | None, asked: _LabelRequest, path: str | None, name: str, findings: Findings) -> Read:
    if rows is None:
        findings.stop_if_wrong()
        raise DataError([errors.files.nothing_read(path, "labels")])
    return label_tables.read(rows, asked.columns, asked.judges, name, findings, asked.layout)


def _judge(file: Source) -> str:
    """The judge whose labels a file holds, by its name: `ada.qrels.gz` is ada's."""
    ending = PurePath(file.name).suffix
    return file.name.removesuffix(ending) if ending.lower() in _OF_LABELS else file.name


def _of_file(file: Source, asked: _LabelRequest, findings: Findings) -> Read:
    if not file.head.strip() and container(file) != "store":
        raise DataError([errors.files.nothing_read(file.path, "labels")])
    try:
        return _in_format(_format(file, asked.format, asked.columns), file, asked, findings)
    except DataError as error:
        if any(finding.kind == "swapped-arguments" for finding in error.findings):
            raise errors.labels.no_labels(error) from None
        raise


def _in_format(chosen: str, file: Source, asked: _LabelRequest, findings: Findings) -> Read:
    content = _LabelRows(asked.columns)
    match chosen:
        case "store":
            from cranfield.formats import judging_store

            _must_be_table(asked, file.path)
            return judging_store.label_rows(judging_store.read_store(file), file.name)
        case "parquet" | "arrow":
            rows = whole(rows_of_file(file, content, findings))
        case "jsonl":
            rows = whole(rows_of_lines(file, content, findings))
            if rows is not None and len(rows.lines) == 1 and "query_doc_pairs" in rows.columns:
                # A book of Quepid on one line.
                return _nested({name: values[0] for name, values in rows.columns.items()}, asked, file.path, file.name)
        case "json":
            value = json_of(file)
            if isinstance(value, dict):
                return _nested(value, asked, file.path, file.name)
            if not isinstance(value, list) or not all(isinstance(record, dict) for record in value):
                raise content.unreadable(value, file.path)
            rows = whole(rows_of_object(value, content, file.path))
        case _ if chosen in _PLAIN:
            rows = numbered_text(file, content, findings)
            if rows is not None and delimiter_in(file) == ",":
                rows = _without_guards(rows)
        case _:
            _must_be_table(asked, file.path)
            return _of_trec(file, asked.columns, findings)
    return _of_table(rows, asked, file.path, file.name, findings)


def _without_guards(rows: Rows) -> Rows:
    """Texts without the quote by which our own CSV keeps a spreadsheet from reading them as formulas."""
    return rows._replace(
        columns={unguarded(name): _unguarded(numbered(column)) for name, column in rows.columns.items()}
    )


def _unguarded(column: Numbered) -> Numbered:
    # Many texts are joined and searched in a fifth of the time that it takes to look at each.
    if "\n'" not in "\n".join(["", *column.names]):
        return column
    others = numbered([unguarded(text) for text in column.names])
    return Numbered(others.names, others.at[column.at])


def _nested(value: Mapping[Any, Any], asked: _LabelRequest, path: str | None, name: str) -> Read:
    _must_be_table(asked, path)
    return nested_labels.read(value, asked.columns, path, name)


def _must_be_table(asked: _LabelRequest, path: str | None) -> None:
    if asked.layout not in (None, "labels"):
        raise errors.labels.layout_of_no_table(path, str(asked.layout))


def _format(file: Source, format: str | None, columns: Columns) -> str:
    if format is not None:
        return format_of(file, format, columns, "judgments")
    if (form := container(file)) == "store":
        return form
    if form in ("parquet", "arrow") or file.head.lstrip()[:1] in (b"{", b"["):
        return sniff(file, columns).format
    first = next((line for line in file.head.decode(errors="replace").split("\n") if line.strip()), "")
    return "csv" if looks_delimited(first) else sniff(file, columns, "judgments").format


def looks_delimited(first: str) -> bool:
    """Whether the first line of labels is that of a table, whose fields are no numbers, rather than of a TREC file.

    >>> looks_delimited("query,document,ada,ben"), looks_delimited("q1 ada d1 2")
    (True, False)
    """
    delimiter = delimiter_of(first)
    fields = first.split(delimiter) if delimiter else []
    return bool(delimiter) and not first.startswith("#") and not any(is_score(field.strip()) for field in fields)


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


def _names(judges: str | Sequence[str] | None) -> list[str]:
    if judges is None:
        return []
    parts = judges.split(",") if isinstance(judges, str) else list(judges)
    names = [part.strip() for part in parts]
    if not all(names) or len(set(names)) < len(names):
        raise UsageError("judges must name each judge once, without empty names.")
    return names
