"""Documents with titles and texts. A collection may be large: it is passed by, and only what is wanted is kept."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats import json_lines
from cranfield.formats.columns import Columns, folded
from cranfield.formats.json_text import json_of
from cranfield.formats.records import delimiter_in, require_distinct, text_records, wrong_width
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source, must_be_text
from cranfield.formats.values import as_id, is_missing, writable

# Names in an earlier group win over later ones.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "document": ("document_id doc_id docid docno pid passage_id item_id", "_id id", "document doc"),
    "title": ("title headline", "name"),
    "text": ("text contents content body passage", "abstract description", "document doc"),
}
_GROUPS = {role: [{folded(name) for name in group.split()} for group in groups] for role, groups in _NAMES.items()}
_WITHOUT_HEADER: Mapping[int, Mapping[str, int]] = {
    2: {"document": 0, "text": 1},
    3: {"document": 0, "title": 1, "text": 2},
    4: {"document": 0, "title": 2, "text": 3},  # as MS MARCO writes documents, with their address second
}

Fields = tuple[Any, Any, Any]
"""Of one document: id, title, text."""


class Document(NamedTuple):
    """A document's title, if it has one, and its text."""

    title: str
    text: str


def read_documents(
    source: object, wanted: Container[str] | None = None, *, findings: Findings | None = None
) -> dict[str, Document]:
    """Titles and texts of documents by their ids, from a path, `-`, an open file, a dictionary, rows or a table.

    Of a large collection only the `wanted` ones are kept. Where a document comes twice, the first counts; `findings`
    are told if the second is another one.

    >>> read_documents([{"_id": "d1", "title": "Tomatoes", "text": "Water them daily."}])["d1"]
    Document(title='Tomatoes', text='Water them daily.')
    """
    file = as_source(source)
    path = None if file is None else file.path
    rows = _of_value(source, None) if file is None else _of_file(file)
    found: dict[str, Document] = {}
    for number, (name, title, text) in enumerate(rows, 1):
        known = name if type(name) is str and name else _id(name, number, path)
        if wanted is None or known in wanted:
            document = Document(_text(title), _text(text))
            if found.setdefault(known, document) != document and findings is not None:
                findings.add(errors.documents.document_twice(path, known))
    return found


def _id(name: object, number: int, path: str | None) -> str:
    if text := as_id(name):
        return text
    raise DataError([errors.rows.bad_id(path, number, "document", None if is_missing(name) else name, unit="document")])


def _of_file(file: Source) -> Iterator[Fields]:
    if not file.head.strip():
        raise DataError([errors.files.nothing_read(file.path, "documents")])
    if file.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        from cranfield.formats import arrow

        return _of_table(arrow.file_table(file))
    must_be_text(file)
    if file.head.lstrip()[:1] in (b"{", b"["):
        return _of_lines(file) if sniff(file, Columns()).format == "jsonl" else _of_value(json_of(file), file.path)
    return _of_text(file)


def _of_lines(file: Source) -> Iterator[Fields]:
    findings = Findings()
    for block in file.blocks():
        _, records = json_lines.records_of(block, file.path, findings)
        findings.stop_if_wrong()
        yield from _of_records(records, file.path)


def _of_text(file: Source) -> Iterator[Fields]:
    findings = Findings()
    delimiter = delimiter_in(file) or ","
    rows = text_records(file, delimiter, findings)
    first = next(rows, None)
    findings.stop_if_wrong()
    if first is None:
        raise DataError([errors.files.nothing_read(file.path, "documents")])
    header = first[1]
    named = _candidate("document", header) is not None and _candidate("text", header) is not None
    if named:
        require_distinct(header, file.path)
    places = _places(header, file.path) if named else _WITHOUT_HEADER.get(len(header))
    if places is None:
        raise DataError([errors.documents.no_document_column(file.path, header)])
    document, title, text = places["document"], places.get("title"), places.get("text")
    last = len(header) - 1
    open_ended = delimiter == "\t" and text == last
    for line, row in rows if named else chain([first], rows):
        if len(row) > last + 1 and open_ended:  # a text may have tabs of its own
            row = [*row[:last], "\t".join(row[last:])]
        if len(row) == last + 1:
            yield row[document], None if title is None else row[title], None if text is None else row[text]
        else:
            findings.add(wrong_width(file.path, line, row, len(header), delimiter))
    findings.stop_if_wrong()


def _of_value(given: Any, path: str | None) -> Iterator[Fields]:
    if isinstance(given, Mapping):
        return _of_mapping(given, path)
    if hasattr(given, "columns") or hasattr(given, "__arrow_c_stream__") or hasattr(given, "collect_schema"):
        from cranfield.formats import memory

        return _of_table(memory.as_table(given, "judgments", path))
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise errors.documents.unreadable_documents(given)
    rows = list(given)
    if all(isinstance(row, Mapping) for row in rows):
        return _of_records(rows, path)
    if all(isinstance(row, tuple | list) and len(row) in (2, 3) for row in rows):
        return (_fields(row, _WITHOUT_HEADER[len(row)]) for row in rows)
    raise errors.documents.unreadable_documents(rows[0])


def _of_mapping(given: Mapping[Any, Any], path: str | None) -> Iterator[Fields]:
    """`{document: text}` or `{document: {"title": …, "text": …}}`."""
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _of_records([{"document_id": name, **value}], path)
        elif isinstance(value, str):
            yield name, None, value
        else:
            raise errors.documents.unreadable_documents(value)


def _of_records(records: Sequence[Mapping[Any, Any]], path: str | None) -> Iterator[Fields]:
    known: dict[tuple[str, ...], dict[str, int]] = {}  # nearly all records have the same names
    for record in records:
        names = tuple(map(str, record))
        if names not in known:
            known[names] = _places(names, path)
        yield _fields(list(record.values()), known[names])


def _of_table(table: Any) -> Iterator[Fields]:
    places = _places([str(name) for name in table.names], table.path)
    for batch in table.batches(list(places.values())):
        columns = dict(zip(places, batch, strict=True))
        empty: list[Any] = [None] * len(batch[0])
        yield from zip(columns["document"], columns.get("title", empty), columns.get("text", empty), strict=True)


def _places(header: Sequence[str], path: str | None) -> dict[str, int]:
    places: dict[str, int] = {}
    for role in _NAMES:
        at = _candidate(role, header, set(places.values()))
        if at is not None:
            places[role] = at
    if "document" not in places:
        raise DataError([errors.documents.no_document_column(path, header)])
    return places


def _candidate(role: str, names: Sequence[str], taken: Container[int] = ()) -> int | None:
    for group in _GROUPS[role]:
        for at, name in enumerate(names):
            if at not in taken and folded(name) in group:
                return at
    return None


def _fields(row: Sequence[Any], places: Mapping[str, int]) -> Fields:
    document, title, text = (
        row[places[role]] if role in places and places[role] < len(row) else None
        for role in ("document", "title", "text")
    )
    return document, title, text


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(_text(part) for part in value)
    return "" if is_missing(value) else writable(str(value))
