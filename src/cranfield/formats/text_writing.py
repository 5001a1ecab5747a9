"""Queries and documents as files, with their texts and whatever else is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, cast

from cranfield import errors
from cranfield.data.queries import Queries
from cranfield.errors import Findings
from cranfield.file_endings import TableForm
from cranfield.formats import queries as query_files
from cranfield.formats.documents import Document
from cranfield.formats.table_writing import Part, json_text, json_value, on_one_line, write_table

TABLE = "a .csv or .jsonl file"
AT_ONCE = 1000
"""Documents that are written together."""


def write_queries(stream: IO[bytes], form: str, queries: Queries, path: str) -> None:
    """A row for each query, with its id, its text and all other columns; for BEIR these are its metadata."""
    texts = {} if queries.texts is None else {"text": list(queries.texts)}
    columns: Part = {
        "query_id": list(queries.ids),
        **texts,
        **{name: list(values) for name, values in queries.columns.items()},
    }
    names = list(columns)
    expected = {"query": 0, **({"text": 1} if texts else {})}
    if query_files.ROLES.first_places(names) != expected or len(names) != 1 + len(texts) + len(queries.columns):
        raise errors.conversion.not_held(path, "a file of queries", f"columns of the names {', '.join(names)}", TABLE)
    if form == "beir":
        _write(stream, _beir_queries(queries, path))
    else:
        write_texts(stream, cast(TableForm, form), [columns], path)


def _beir_queries(queries: Queries, path: str) -> Iterator[str]:
    for name in queries.columns:
        if name in ("_id", "text"):
            raise errors.conversion.not_held(path, "BEIR", f"a column of the name {name!r}", TABLE)
    for at, query in enumerate(queries.ids):
        more = {name: json_value(values[at]) for name, values in queries.columns.items() if values[at] is not None}
        record = {"_id": query, "text": queries.text(query), **({"metadata": more} if more else {})}
        yield f"{json_text(record)}\n"


class LaterFieldError(Exception):
    """A document has a title or an address where the first ones had none: the table has no column for it."""


def write_documents(
    stream: IO[bytes],
    form: str,
    documents: Iterable[tuple[str, Document]],
    path: str,
    findings: Findings,
    *,
    all_fields: bool = False,
) -> int:
    """A row for each document, as they come, and how many there are; of one that comes twice the first counts.

    A table has columns for what the first documents have, or for all there may be.
    """
    once = _Once(documents, findings)
    if form == "beir":
        _write(stream, map(_beir_document, once))
    else:
        write_texts(stream, cast(TableForm, form), _document_parts(once, all_fields=all_fields), path)
    return len(once.known)


class _Once:
    """Documents, each of them once."""

    def __init__(self, documents: Iterable[tuple[str, Document]], findings: Findings) -> None:
        self.documents, self.findings = documents, findings
        self.known: dict[str, int] = {}
        """A hash of each: all of them may be more than memory holds."""

    def __iter__(self) -> Iterator[tuple[str, Document]]:
        for name, document in self.documents:
            before = self.known.get(name)
            if before is None:
                self.known[name] = hash(document)
                yield name, document
            elif before != hash(document):
                self.findings.add(errors.document_texts.document_twice(None, name))


def _beir_document(named: tuple[str, Document]) -> str:
    name, document = named
    record = {"_id": name, "title": document.title, "text": document.text}
    return json_text(record | ({"url": document.url} if document.url else {})) + "\n"


def _document_parts(documents: Iterable[tuple[str, Document]], *, all_fields: bool) -> Iterator[Part]:
    rest = iter(documents)
    fields: Sequence[str] = ()
    while some := list(islice(rest, AT_ONCE)):
        if not fields:
            fields = [
                name
                for name in Document._fields
                if name == "text" or all_fields or any(getattr(document, name) for _, document in some)
            ]
        if any(getattr(document, name) for name in Document._fields if name not in fields for _, document in some):
            raise LaterFieldError
        of_fields = {name: [getattr(document, name) for _, document in some] for name in fields}
        yield {"document": [name for name, _ in some], **of_fields}


def write_texts(stream: IO[bytes], form: TableForm, parts: Iterable[Part], path: str) -> None:
    """Write a table of texts, whose TSV has a line for each row and whose CSV is read as it stands."""
    write_table(stream, form, map(on_one_line, parts) if form == "tsv" else parts, path, as_formulas=True)


def _write(stream: IO[bytes], texts: Iterable[str]) -> None:
    for text in texts:
        stream.write(text.encode())
