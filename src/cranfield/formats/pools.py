"""Lists of what to judge: a pool as `cranfield pool` writes it, or pairs of query and document, perhaps with texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from cranfield import errors
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats import json_lines
from cranfield.formats.columns import DOCUMENT, JUDGED, Roles, has_header, kind_of_header
from cranfield.formats.delimited_text import (
    Batch,
    ColumnBatch,
    delimiter_in,
    fields_of,
    first_line,
    line_batches,
    of_width,
    split_at_blanks,
)
from cranfield.formats.documents import Document
from cranfield.formats.json_text import json_of
from cranfield.formats.rows import Content, Record, named_rows, read_rows
from cranfield.formats.sniff import container
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import Rows
from cranfield.formats.tokens import is_grade, is_score
from cranfield.formats.values import is_missing, writable

ROLES = Roles(
    {
        "query": ("query_id qid q_id topic_id topic question_id", "query question"),
        "document": DOCUMENT,
        "other": ("other second other_document second_document document_2 doc_2",),
        "grade": tuple(JUDGED.names["grade"][:-1]),
        "query_text": ("query_text question_text", "query question"),
        "title": ("title headline",),
        "text": ("text contents content body passage",),
        "url": ("url uri link",),
    }
)
_UNUSED = ("0", "Q0")
"""What TREC writes between query and document."""

Pair = tuple[str, str, str]
"""A query, a document and, where two are compared, the other document; else an empty text."""


@dataclass(frozen=True, eq=False)
class ListedPool:
    """What is to be judged, each pair once and in the order of the list, and what the list says of it."""

    pairs: tuple[Pair, ...]
    grades: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Grades that were filled in."""
    query_texts: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    path: str | None = None


def read_pool(source: object) -> ListedPool:
    """What is to be judged, from a path, `-`, an open file, rows, a table or `{query: [documents]}`.

    >>> read_pool([("q1", "d1"), ("q1", "d2"), ("q1", "d1")]).pairs
    (('q1', 'd1', ''), ('q1', 'd2', ''))
    """
    pairs: dict[Pair, None] = {}
    grades: dict[tuple[str, str], float] = {}
    query_texts: dict[str, str] = {}
    documents: dict[str, Document] = {}
    findings, path = Findings(), None
    for rows in read_rows(source, _Pool(), findings):
        findings.stop_if_wrong()
        path = rows.path
        for pair, grade, query_text, document in _fields(rows, findings):
            pairs[pair] = None
            if not isnan(grade):
                grades[pair[:2]] = grade
            if query_text:
                query_texts.setdefault(pair[0], query_text)
            if document != _NOTHING:
                documents.setdefault(pair[1], document)
    findings.stop_if_wrong()
    if not pairs:
        raise DataError([errors.files.nothing_read(path, _Pool.name)])
    return ListedPool(tuple(pairs), grades, query_texts, documents, path)


def is_pool(path: str) -> bool:
    """Whether a file lists what is to be judged; else it is a run, or its reader reports what is wrong with it."""
    file = as_source(path)
    if file is None or not file.head.strip():
        return False
    match container(file):
        case "parquet" | "arrow":
            from cranfield.formats import arrow

            return _is_header(list(map(str, arrow.file_table(file).names)))
        case "jsonl":
            return _is_header(json_lines.names_of_first(file))
        case "json":
            return _is_json_pool(json_of(file))
        case _:
            return _is_text_pool(file)


def _is_header(names: Sequence[str]) -> bool:
    return has_header(names) and kind_of_header(names) == "judgments"


def _is_json_pool(value: Any) -> bool:
    rows = value.get("documents") if isinstance(value, Mapping) else value
    return (
        isinstance(rows, list) and bool(rows) and isinstance(rows[0], Mapping) and _is_header(list(map(str, rows[0])))
    )


def _is_text_pool(file: Source) -> bool:
    line, delimiter = first_line(file), delimiter_in(file)
    fields = fields_of(line, delimiter) if delimiter else split_at_blanks(line)
    if has_header(fields):
        return _is_header(fields)
    if len(fields) == 3:
        return fields[1] in _UNUSED or not is_score(fields[2])
    return len(fields) == 2 or (len(fields) == 4 and fields[1] in _UNUSED)


class _Pool(Content):
    name = "pairs of query and document"
    texts = True

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        if has_header(first):
            return first, True
        return self._in_order(first, path), False

    def unnamed(self, width: int) -> Sequence[str] | None:
        return {2: ("query", "document"), 3: ("query", "document", "other")}.get(width)

    def _in_order(self, first: Sequence[str], path: str | None) -> Sequence[str]:
        if len(first) == 3 and first[1] in _UNUSED:
            return ("query", "_", "document")
        names = self.unnamed(len(first))
        if names is None or any(map(is_grade, first[2:])):
            raise DataError([errors.assessing.no_pairs(path, first)])
        return names

    def at_blanks(self, file: Source, findings: Findings) -> Iterator[ColumnBatch]:
        width = 0
        for batch in line_batches(file, findings):
            rows = [split_at_blanks(line) for line in batch.texts]
            width = width or len(rows[0])
            sound = of_width(Batch(batch.lines, rows), width, file.path, None, findings)
            if sound.rows:
                yield ColumnBatch(sound.lines, list(zip(*sound.rows, strict=True)))

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """A pool as `cranfield pool` writes it as JSON, or `{query: [documents]}`."""
        if isinstance(records := given.get("documents"), list) and "cranfield" in given:
            for record in records:
                if not isinstance(record, Mapping):
                    raise self.unreadable(record, path)
            yield named_rows(range(1, len(records) + 1), records, "entry", path)
            return
        rows: list[tuple[Any, Any]] = []
        for query, documents in given.items():
            if isinstance(documents, str | bytes) or not isinstance(documents, Sequence):
                raise self.unreadable(documents, path)
            rows += [(query, document) for document in documents]
        columns = {"query": [query for query, _ in rows], "document": [document for _, document in rows]}
        yield Rows(range(1, len(rows) + 1), columns, "entry", path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        if path is None:
            return errors.files.unreadable_object(given, self.name)
        return DataError([errors.assessing.no_pair(path, given)])


_NOTHING = Document("", "")


def require_no_grades(path: str | PathLike[str]) -> None:
    """Refuse to write a list of what to judge over one that somebody has filled in."""
    if not Path(path).is_file():
        return
    try:
        grades = len(read_pool(path).grades)
    except CranfieldError:
        grades = _grades_at_line_ends(fspath(path))
    if grades:
        raise errors.pooling.sheet_with_grades(fspath(path), grades)


def _grades_at_line_ends(path: str) -> int:
    """How many TREC lines somebody has added a grade to, perhaps not to all."""
    file = as_source(path)
    try:
        if file is None or container(file) != "text":
            return 0
        lines = [split_at_blanks(line) for batch in line_batches(file, Findings()) for line in batch.texts]
    except CranfieldError:
        return 0
    return sum(len(line) == 4 and line[1] in _UNUSED and is_grade(line[3]) for line in lines)


def _fields(rows: Rows, findings: Findings) -> Iterator[tuple[Pair, float, str, Document]]:
    """Of each row the pair, the grade or NaN, the text of the query and the document."""
    places = ROLES.first_places(rows.names)
    for role in ("query", "document"):
        if role not in places:
            raise DataError([errors.files.missing_column(rows.path, role, rows.names)])
    checked = rows.checked(findings)
    columns = {role: rows.values[at] for role, at in places.items()}
    ids = {role: checked.ids(columns[role], role) for role in ("query", "document", "other") if role in columns}
    grades = checked.grades(columns["grade"]) if "grade" in columns else [float("nan")] * len(rows.lines)
    findings.stop_if_wrong()
    for at in range(len(rows.lines)):
        texts = {
            role: _text(columns[role][at]) if role in columns else "" for role in ("query_text", "title", "text", "url")
        }
        pair = (ids["query"][at], ids["document"][at], ids["other"][at] if "other" in ids else "")
        yield pair, grades[at], texts["query_text"], Document(texts["title"], texts["text"], texts["url"])


def _text(value: object) -> str:
    return "" if is_missing(value) else writable(str(value))
