"""Labels that were given elsewhere, taken into a project: what a page without a server saved, or a table of labels."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import TypeGuard

from cranfield import errors
from cranfield.assessing.events import Judge
from cranfield.assessing.offline import Imported, import_labels
from cranfield.assessing.opening import Opened, ProjectInputs, names_pool, names_store, open_project
from cranfield.assessing.refusals import Refused, Stale
from cranfield.assessing.service import Service
from cranfield.assessing.submission import Submission
from cranfield.data.labels import Labels
from cranfield.errors import CranfieldError, DataError
from cranfield.formats.labels import read_labels
from cranfield.formats.sniff import container
from cranfield.formats.source import as_source

SAVED_BY_PAGE = b'"cranfield"'


def import_file(service: Service, path: str | os.PathLike[str]) -> list[Imported]:
    """Take in the labels of a file, judge by judge; a label that is known already counts once.

    A table of labels has a column each for query, document, judge and grade, or a column for each judge, as
    `cranfield agree` reads it. Judges who are not in the project yet are added to it.
    """
    file = as_source(os.fspath(path))
    assert file is not None  # a path is always one
    if container(file) in ("json", "jsonl") and SAVED_BY_PAGE in file.head:
        return [import_labels(service, path)]
    labels = read_labels(os.fspath(path))
    if not (labels.has_queries and labels.has_judges) or labels.categories:
        raise DataError([errors.judging_projects.no_label_table(os.fspath(path))])
    items = _items(service)
    return [_imported(service, judge, labels, items) for judge in labels.judges]


def open_labelled(
    path: str | os.PathLike[str], store: str | os.PathLike[str] | None, inputs: ProjectInputs, *, through_server: bool
) -> Opened:
    """The store of everything that a table of labels is about; a new one has these labels."""
    labels = read_labels(os.fspath(path))
    queries = (labels.queries[query] for query in labels.of_query.tolist())
    pairs = list(zip(queries, labels.documents, strict=True))
    opened = open_project(pairs, store, inputs, through_server=through_server)
    if opened.is_new:
        try:
            import_file(Service(opened.store), path)
        except BaseException:
            opened.store.close()
            raise
    return opened


def holds_labels(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a path names a table of labels, each with its judge, rather than of what is to be judged."""
    if not isinstance(source, str | os.PathLike) or names_store(source) or not names_pool(source):
        return False
    try:
        labels = read_labels(os.fspath(source))
    except CranfieldError:
        return False
    return labels.has_queries and labels.has_judges and not labels.categories


def _imported(service: Service, name: str, labels: Labels, items: Mapping[tuple[str, str], int]) -> Imported:
    known = service.judge_named(name)
    judge = known if known is not None else service.add_judge(name)[0]
    if judge.kind != "person":
        raise DataError([errors.judging_projects.labels_of_no_person(labels.path or "", name)])
    new = repeated = stale = elsewhere = 0
    for document, query, grade in zip(
        labels.documents, labels.of_query.tolist(), labels.of(name).tolist(), strict=True
    ):
        if grade != grade:
            continue
        item = items.get((labels.queries[query], document))
        if item is None:
            elsewhere += 1
            continue
        try:
            receipt = service.record(judge.number, _submission(judge, item, grade))
        except Stale as error:
            is_same = error.current is not None and (error.current.kind, error.current.grade) == ("label", grade)
            repeated, stale = repeated + is_same, stale + (not is_same)
        except Refused as error:
            where = f"query {labels.queries[query]!r}, document {document!r}, judge {name!r}"
            raise DataError([errors.judging_projects.wrong_table_label(labels.path or "", where, str(error))]) from None
        else:
            new, repeated = new + (not receipt.repeated), repeated + receipt.repeated
    return Imported(labels.path or "", judge.name, new, repeated, stale, elsewhere)


def _submission(judge: Judge, item: int, grade: float) -> Submission:
    """A label with a key made of what it says: the same file twice is one file."""
    key = hashlib.sha256(f"{judge.number} {item} {grade!r}".encode()).hexdigest()[:32]
    return Submission(key, item, "label", grade, how="import")


def _items(service: Service) -> dict[tuple[str, str], int]:
    """The items by query and document."""
    items = service.items
    if items.other is not None:
        raise DataError([errors.judging_projects.table_for_preferences(service.store.where)])
    names = zip(items.of_query.tolist(), items.of_document.tolist(), strict=True)
    return {(items.queries[query], items.documents[document]): at for at, (query, document) in enumerate(names, 1)}
