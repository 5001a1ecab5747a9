"""JSON as other tools write it, in the shape that judgments and runs have here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats.columns import Kind
from cranfield.formats.query_records import kind_of_lists, lists_in
from cranfield.formats.search_responses import ratings_in, responses_in

if TYPE_CHECKING:
    from cranfield.formats.query_order import QueryOrder

_MTEB = "mteb_model_meta"


def kind_of_shape(value: object) -> Kind | None:
    """Whether a value in another tool's shape holds judgments or a run; None where its shape is our own."""
    if ratings_in(value) is not None or _is_book(value):
        return "judgments"
    if _is_mteb(value):
        return "run"
    return kind_of_lists(value) or (None if responses_in(value) is None else "run")


def name_of_shape(value: object) -> str | None:
    """What a value in another tool's shape is; None where its shape is our own."""
    if ratings_in(value) is not None:
        return "_rank_eval request"
    if _is_book(value):
        return "Quepid book"
    if _is_mteb(value):
        return "MTEB predictions"
    if kind_of_lists(value):
        return "a record per query"
    responses = responses_in(value)
    if responses is None:
        return None
    if responses.grades is not None:
        return "_rank_eval response"
    names = dict.fromkeys(answer.engine.name for answer in responses.answers if answer.engine)
    return " and ".join(names) or "responses"


def plain_run(
    value: Any, findings: Findings, name: str | None = None, path: str | None = None, order: QueryOrder | None = None
) -> Any:
    """Rankings in a shape that is read here; what has one already stays as it is."""
    if _is_mteb(value):
        return _predictions(value, path)
    with _in_file(path):
        if (lists := lists_in(value, "run")) is not None:
            return lists
    responses = responses_in(value, name, path)
    if responses is not None:
        return responses.run(findings, order)
    if ratings_in(value) is not None:
        raise DataError([errors.search_responses.no_results(path)])
    return value


def plain_judgments(value: Any, findings: Findings, name: str | None = None, path: str | None = None) -> Any:
    """Judgments in a shape that is read here; what has one already stays as it is."""
    if (ratings := ratings_in(value)) is not None:
        return ratings
    if _is_book(value):
        return _of_book(value, path)
    with _in_file(path):
        if (lists := lists_in(value, "judgments")) is not None:
            return lists
    responses = responses_in(value, name, path)
    return value if responses is None else responses.judgments(findings)


@contextmanager
def _in_file(path: str | None) -> Iterator[None]:
    """Name the file in findings about what it holds."""
    try:
        yield
    except DataError as error:
        raise DataError([replace(finding, path=path) for finding in error.findings]) from None


def _is_mteb(value: object) -> bool:
    return isinstance(value, Mapping) and _MTEB in value


def _predictions(value: Mapping[str, Any], path: str | None) -> Any:
    """The predictions of the only subset and split of an MTEB task."""
    sets = {
        f"{subset}/{split}": predictions
        for subset, splits in value.items()
        if subset != _MTEB and isinstance(splits, Mapping)
        for split, predictions in splits.items()
    }
    if len(sets) != 1:
        raise DataError([errors.query_records.several_sets(path, list(sets))])
    return next(iter(sets.values()))


def _is_book(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("query_doc_pairs"), list)


def _of_book(value: Mapping[str, Any], path: str | None) -> Any:
    """The grades of a Quepid book that one person rated, as rows; several ratings of a pair have to be merged first."""
    from cranfield.formats import nested_labels

    rows = [
        (query, document, grade)
        for query, document, _, grade in nested_labels.book_rows(value["query_doc_pairs"], path)
    ]
    seen = set[tuple[str, str]]()
    for query, document, _ in rows:
        if (query, document) in seen:
            raise DataError([errors.query_records.several_ratings(path, query, document)])
        seen.add((query, document))
    return [{"query": query, "document": document, "grade": grade} for query, document, grade in rows]
