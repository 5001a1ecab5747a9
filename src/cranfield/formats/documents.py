"""Documents with titles and texts. A collection may be large: it is passed by, and only what is wanted is kept."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby
from os import PathLike
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats.columns import DOCUMENT, Roles
from cranfield.formats.rows import Content, Record, named_rows, read_rows
from cranfield.formats.source import is_collection
from cranfield.formats.tables import Rows
from cranfield.formats.values import as_id, is_missing, writable

ROLES = Roles(
    {
        "document": (*DOCUMENT[:2], "_id id", "document doc"),
        "title": ("title headline", "name"),
        "text": ("text contents content body passage", "abstract description", "document doc"),
        "url": ("url uri link address",),
    }
)
_UNNAMED: Mapping[int, Sequence[str]] = {
    2: ("document", "text"),
    3: ("document", "title", "text"),
    4: ("document", "url", "title", "text"),  # as MS MARCO writes documents
}


class Document(NamedTuple):
    """A document's title, if it has one, its text, and where it can be seen."""

    title: str
    text: str
    url: str = ""


def read_documents(
    source: object, wanted: Container[str] | None = None, *, findings: Findings | None = None
) -> dict[str, Document]:
    """Titles and texts of documents by their ids, from a path, `-`, an open file, a dictionary, rows or a table.

    Of a large collection only the `wanted` ones are kept. Where a document comes twice, the first counts; `findings`
    are reported if the second is another one.

    >>> read_documents([{"_id": "d1", "title": "Tomatoes", "text": "Water them daily."}])["d1"]
    Document(title='Tomatoes', text='Water them daily.', url='')
    """
    path = str(source) if isinstance(source, str | PathLike) else None
    found: dict[str, Document] = {}
    for known, document in stream_documents(source, wanted):
        if found.setdefault(known, document) != document and findings is not None:
            findings.add(errors.document_texts.document_twice(path, known))
    return found


def stream_documents(source: object, wanted: Container[str] | None = None) -> Iterator[tuple[str, Document]]:
    """The same one after the other, as they are read: a document that comes twice is there twice."""
    if is_collection(source):
        from cranfield.formats.named_collections import documents_of

        yield from documents_of(source, wanted)
        return
    wrong = Findings()
    for rows in read_rows(source, _DocumentRows(), wrong):
        wrong.stop_if_wrong()
        for known, title, text, url in _fields(rows):
            if wanted is None or known in wanted:
                yield known, Document(_text(title), _text(text), _text(url))
    wrong.stop_if_wrong()


class _DocumentRows(Content):
    name = "documents"
    texts = True

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        if ROLES.candidates("document", first) and any(ROLES.candidates(role, first) for role in ("text", "title")):
            return first, True
        names = _UNNAMED.get(len(first))
        if names is None:
            raise DataError([errors.document_texts.no_document_column(path, first)])
        return names, False

    def is_open_ended(self, names: Sequence[str], path: str | None) -> bool:
        return _places(names, path).get("text") == len(names) - 1

    def unnamed(self, width: int) -> Sequence[str] | None:
        return _UNNAMED[width] if width in (2, 3) else None

    def places(self, names: Sequence[str], path: str | None) -> Mapping[str, int]:
        return _places(names, path)

    def of_records(
        self, lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None
    ) -> Iterator[Rows]:
        """Those with the same names together, which nearly all have."""
        first = 0
        for _, same in groupby(records, tuple):
            some = list(same)
            yield named_rows(lines[first : first + len(some)], some, unit, path)
            first += len(some)

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """`{document: text}` or `{document: {"title": …, "text": …}}`."""
        for value in given.values():
            if not isinstance(value, Mapping | str):
                raise self.unreadable(value, path)
        records = [
            {"document_id": name, **(value if isinstance(value, Mapping) else {"text": value})}
            for name, value in given.items()
        ]
        return self.of_records(range(1, len(records) + 1), records, "document", path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        return errors.document_texts.unreadable_documents(given)


def _places(names: Sequence[str], path: str | None) -> dict[str, int]:
    places = ROLES.first_places(names)
    if "document" not in places:
        raise DataError([errors.document_texts.no_document_column(path, names)])
    return places


def _fields(rows: Rows) -> Iterator[tuple[str, Any, Any, Any]]:
    """Of each document its id, its title, its text and its address."""
    places, values = _places(rows.names, rows.path), rows.values
    empty = [None] * len(rows.lines)
    columns = (values[places[role]] if role in places else empty for role in ("document", "title", "text", "url"))
    for line, name, title, text, url in zip(rows.lines, *columns, strict=True):
        known = name if type(name) is str and name else as_id(name)
        if not known:
            shown = None if is_missing(name) else name
            raise DataError([errors.rows.bad_id(rows.path, line, "document", shown, unit=rows.unit)])
        yield known, title, text, url


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(_text(part) for part in value)
    return "" if is_missing(value) else writable(str(value))
