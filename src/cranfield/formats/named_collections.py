"""Collections of the package ir_datasets, by name (`ir_datasets:NAME`) or as its objects, wherever a file can be."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from cranfield import errors
from cranfield.errors import CranfieldError, DataError
from cranfield.formats.documents import Document
from cranfield.formats.source import NAMED


def lines_of(collection: Any, wanted: str | None) -> tuple[str, Iterator[bytes]]:
    """What messages call a collection, and its judgments, queries or retrieved documents as JSON lines."""
    path = _path(collection)
    with _fetching(path):
        dataset = _dataset(collection, path)
        match wanted:
            case "judgments":
                _require(dataset, path, "qrels", "judgments")
                records: Iterator[dict[str, Any]] = map(_judgment, dataset.qrels_iter())
            case "queries":
                _require(dataset, path, "queries", "queries")
                records = map(_query, dataset.queries_iter())
            case _:
                _require(dataset, path, "scoreddocs", "runs")
                records = map(_scored, dataset.scoreddocs_iter())
        return path, _encoded(records, path)


def documents_of(collection: Any, wanted: object = None) -> Iterator[tuple[str, Document]]:
    """The documents of a collection, as they come; where some are wanted, these are looked up."""
    path = _path(collection)
    with _fetching(path):
        dataset = _dataset(collection, path)
        _require(dataset, path, "docs", "documents")
        documents: Iterable[Any] = (
            dataset.docs_store().get_many_iter(list(wanted)) if isinstance(wanted, Collection) else dataset.docs_iter()
        )
        for document in documents:
            yield document.doc_id, _document(document)


def _encoded(records: Iterator[dict[str, Any]], path: str) -> Iterator[bytes]:
    with _fetching(path):
        for record in records:
            yield (json.dumps(record, ensure_ascii=False) + "\n").encode()


def _path(collection: Any) -> str:
    """What messages call a collection; one that was made of files, and not registered, has no name."""
    if isinstance(collection, str):
        return collection
    name = getattr(collection, "dataset_id", None)
    return f"{NAMED}{name() if name else 'Dataset'}"


def _dataset(collection: Any, path: str) -> Any:
    if not isinstance(collection, str):
        return collection
    try:
        import ir_datasets
    except ImportError:
        raise DataError([errors.packages.missing_reader(path, "collections by name", "ir_datasets")]) from None
    try:
        return ir_datasets.load(collection.removeprefix(NAMED))
    except KeyError:
        raise DataError([errors.collections.unknown_collection(path, _names())]) from None


def _names() -> list[str]:
    import ir_datasets

    return sorted(ir_datasets.registry)


def _require(dataset: Any, path: str, part: str, what: str) -> None:
    if getattr(dataset, f"has_{part}")():
        return
    own = f"{path.removeprefix(NAMED)}/"
    with_it = [name for name in _names() if name.startswith(own) and _has(name, part)]
    raise DataError([errors.collections.without_part(path, what, [f"{NAMED}{name}" for name in with_it])])


def _has(name: str, part: str) -> bool:
    import ir_datasets

    return bool(getattr(ir_datasets.load(name), f"has_{part}")())


@contextmanager
def _fetching(path: str) -> Iterator[None]:
    """Turn whatever keeps a collection from being read into a finding: no network, no licence, a damaged file."""
    try:
        yield
    except (CranfieldError, GeneratorExit):
        raise
    except Exception as error:
        # ir_datasets, and what it reads with, raise errors of many kinds.
        raise DataError([errors.collections.not_fetched(path, f"{type(error).__name__}: {error}")]) from None


def _judgment(qrel: Any) -> dict[str, Any]:
    record = {"query": qrel.query_id, "document": qrel.doc_id, "grade": qrel.relevance}
    return record | ({"subtopic": qrel.subtopic_id} if hasattr(qrel, "subtopic_id") else {})


def _scored(scored: Any) -> dict[str, Any]:
    return {"query": scored.query_id, "document": scored.doc_id, "score": float(scored.score)}


def _query(query: Any) -> dict[str, Any]:
    """A query with its text and what else is known of it."""
    known = {name: value for name, value in query._asdict().items() if isinstance(value, str | int | float)}
    known.pop("query_id")
    text = query.default_text() if hasattr(query, "default_text") else known.get("text", "")
    others = {name: value for name, value in known.items() if value != text and name != "text"}
    return {"query_id": query.query_id, "text": text, **others}


def _document(document: Any) -> Document:
    title, url = (str(getattr(document, name, "") or "") for name in ("title", "url"))
    own = next((name for name in ("text", "body", "abstract") if isinstance(getattr(document, name, None), str)), None)
    return Document(title, getattr(document, own) if own else document.default_text(), url)
