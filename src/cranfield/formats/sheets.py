"""Sheets that people fill in: what queries and documents say, next to their ids, and an empty column for the grade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from cranfield import errors
from cranfield.data.queries import Queries
from cranfield.errors import Finding, Findings
from cranfield.file_endings import SHEETS
from cranfield.formats.documents import Document, read_documents
from cranfield.formats.label_tables import GRADE
from cranfield.formats.queries import read_queries
from cranfield.formats.writing import form_of, write_bytes, write_text
from cranfield.show.table import Cell, Table

Pairs = Sequence[tuple[str, str]]
"""Queries and documents, side by side."""


@dataclass(frozen=True, eq=False)
class Texts:
    """What queries and documents say, where that is known.

    >>> Texts(read_queries({"q1": "why do tomatoes crack"})).columns([("q1", "d7")])
    {'query': ['q1'], 'query_text': ['why do tomatoes crack'], 'document': ['d7']}
    """

    queries: Queries | None = None
    documents: Mapping[str, Document] | None = None

    def columns(self, pairs: Pairs, *, in_full: bool = True) -> dict[str, list[Cell]]:
        """Ids with what they stand for; titles alone unless everything is wanted, or documents have none."""
        columns: dict[str, list[Cell]] = {"query": [query for query, _ in pairs]}
        if self.queries is not None:
            columns["query_text"] = [self.queries.text(query) for query, _ in pairs]
        columns["document"] = [document for _, document in pairs]
        if self.documents is not None:
            known = [self.documents.get(document, _NOTHING) for _, document in pairs]
            has_titles = any(document.title for document in self.documents.values())
            if has_titles:
                columns["title"] = [document.title for document in known]
            if in_full or not has_titles:
                columns["text"] = [document.text for document in known]
        return columns


_NOTHING = Document("", "")
NO_TEXTS = Texts()


def read_texts(queries: object, documents: object, pairs: Pairs, of: str) -> tuple[Texts, list[Finding]]:
    """What some queries and documents say, and what is missing; `of` is what they belong to."""
    missing: list[Finding] = []
    of_queries = None if queries is None else read_queries(queries)
    if of_queries is not None:
        missing += _without_text("queries", of_queries.path, dict.fromkeys(query for query, _ in pairs), of_queries, of)
    of_documents = None
    if documents is not None:
        names = dict.fromkeys(document for _, document in pairs)
        findings = Findings()
        of_documents = read_documents(documents, names, findings=findings)
        path = str(documents) if isinstance(documents, str | PathLike) else None
        missing += [*findings.warnings, *_without_text("documents", path, names, of_documents, of)]
    return Texts(of_queries, of_documents), missing


def _without_text(what: str, path: str | None, wanted: Mapping[str, None], known: Any, of: str) -> Iterator[Finding]:
    without = [name for name in wanted if name not in known]
    if without and len(without) == len(wanted):
        raise errors.document_texts.texts_never_meet(what, path, without, of)
    if without:
        yield errors.document_texts.texts_missing(what, path, without, len(wanted), of)


def with_grade(table: Table, after: str) -> Table:
    """The same with an empty column for the grade, behind another."""
    columns: dict[str, Sequence[Cell]] = {}
    for name, cells in table.columns.items():
        columns[name] = cells
        if name == after:
            columns[GRADE] = [None] * len(cells)
    return replace(table, columns=columns)


def write_sheet(path: str | PathLike[str], table: Table) -> None:
    """Write a table that people fill in, as CSV, TSV, workbook or JSONL by the end of its name."""
    form = form_of(path, SHEETS, "a sheet")
    if form != "xlsx":
        write_text(path, sheet_text(table, form))
        return
    from cranfield.formats.workbooks import workbook_of

    plain = table.to_dict()
    write_bytes(path, workbook_of(path, list(plain), list(zip(*plain.values(), strict=True))))


def sheet_text(table: Table, form: str) -> str:
    """A table as CSV, TSV or JSONL."""
    text = {"csv": table.csv, "tsv": table.tsv, "jsonl": table.jsonl}[form]()
    # Excel reads CSV as UTF-8 only where a byte order mark says so.
    return text if form != "csv" or text.isascii() else f"\N{ZERO WIDTH NO-BREAK SPACE}{text}"
