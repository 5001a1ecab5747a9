"""What can be wrong with the texts of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.errors.findings import DataError, Finding, UsageError
from cranfield.phrases import examples, short


def no_document_column(path: str | None, names: Sequence[str]) -> Finding:
    """No column has a name that ids of documents have."""
    shown = examples([short(name, 40) for name in names], 10)
    return Finding(
        "error",
        "missing-column",
        f"no column gives the ids of documents; the columns are {shown}",
        "Call it doc_id, docno or id, and the others title and text; or write an id and a text a line, with a tab.",
        path,
    )


def unreadable_documents(value: object) -> UsageError:
    """A Python object that cannot be documents."""
    return UsageError(
        f"cannot read documents from {type(value).__name__}. Give a path, a file object, {{document: text}}, rows of "
        "(document, text), records or a table."
    )


def document_twice(path: str | None, document: str) -> Finding:
    """Two texts for one document."""
    message = f"document {document!r} comes again with another title or text; the first counts"
    return Finding("warning", "document-twice", message, "Keep each document once.", path)


def texts_missing(what: str, path: str | None, missing: Sequence[str], count: int, of: str = "the pool") -> Finding:
    """Queries or documents that a file of texts does not have."""
    have = "has" if len(missing) == 1 else "have"
    return Finding(
        "warning",
        "texts-missing",
        f"{len(missing):,} of {count:,} {what} of {of} {have} no text ({examples(missing)})",
        path=path,
        count=len(missing),
    )


def texts_never_meet(what: str, path: str | None, wanted: Iterable[str], of: str = "the pool") -> DataError:
    """A file of texts that has none of those wanted."""
    ids = list(wanted)
    finding = Finding(
        "error",
        "texts-never-meet",
        f"none of the {len(ids):,} {what} of {of} is in it ({examples(ids)})",
        "Check that runs and texts belong to the same collection, and that ids have one spelling.",
        path,
    )
    return DataError([finding])
