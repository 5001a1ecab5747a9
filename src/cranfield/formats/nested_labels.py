"""Labels below names: {query: {document: {judge: grade}}} in any order of levels, and books of Quepid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cranfield import errors
from cranfield.errors import DataError
from cranfield.formats.columns import Columns
from cranfield.formats.label_tables import Read
from cranfield.formats.numbered_columns import numbered
from cranfield.phrases import kind_of

LEVELS = (("judge", "query", "document"), ("query", "judge", "document"), ("query", "document", "judge"))
"""What the levels are, where the judges are the first, the second or the third."""


def read(given: Mapping[Any, Any], columns: Columns, path: str | None, name: str) -> Read:
    """Labels of a dictionary."""
    if isinstance(given.get("query_doc_pairs"), list):
        return _of_book(given["query_doc_pairs"], path, name)
    depth = _depth(given)
    if depth == 2:
        pairs = [(query, document, name, grade) for query, document, grade in _leaves(given, 2)]
        return _read(pairs, path, name)
    if depth != 3:
        raise DataError([errors.labels.unknown_labels(path, f"names are nested {depth} deep")])
    leaves = list(_leaves(given, 3))
    levels = columns.positions or _levels(leaves, path)
    if sorted(levels) != ["document", "judge", "query"]:
        raise errors.files.wrong_columns("of nested names say which level is query, document and judge")
    at = {role: levels.index(role) for role in levels}
    rows = [(leaf[at["query"]], leaf[at["document"]], leaf[at["judge"]], leaf[3]) for leaf in leaves]
    return _read(rows, path, name)


def _levels(leaves: list[tuple[Any, ...]], path: str | None) -> tuple[str, ...]:
    """Judges are few: their level has at most half as many names as either of the others."""
    counts = [len({leaf[level] for leaf in leaves}) for level in range(3)]
    fewest, next_fewest = sorted(counts)[:2]
    if 2 * fewest > next_fewest or fewest < 2:
        raise DataError([errors.labels.nesting_not_told(path, counts)])
    return LEVELS[counts.index(fewest)]


def _of_book(pairs: list[Any], path: str | None, name: str) -> Read:
    rows = book_rows(pairs, path)
    return replace(_read(rows, path, name), unrateable=sum(grade is None for *_, grade in rows))


def book_rows(pairs: list[Any], path: str | None) -> list[tuple[Any, ...]]:
    """Query, document, judge and grade of a book of Quepid: pairs of a query and a document with judgements.

    The grade is None where somebody could not rate, or put it off.
    """
    rows: list[tuple[Any, ...]] = []
    for at, pair in enumerate(pairs, 1):
        judgements = pair.get("judgements", pair.get("judgments")) if isinstance(pair, Mapping) else None
        if judgements is None or "query_text" not in pair or "doc_id" not in pair:
            raise DataError(
                [errors.labels.unknown_labels(path, f"pair {at} of the book has no query_text, doc_id, judgements")]
            )
        if not isinstance(judgements, list) or not all(isinstance(judged, Mapping) for judged in judgements):
            raise DataError(
                [errors.labels.unknown_labels(path, f"the judgements of pair {at} of the book are no list of them")]
            )
        for judged in judgements:
            nothing = bool(judged.get("unrateable") or judged.get("judge_later"))
            grade = None if nothing else judged.get("rating")
            judge = judged.get("user_email") or judged.get("rater") or "anonymous"
            rows.append((pair["query_text"], pair["doc_id"], judge, grade))
    return rows


def _read(rows: list[tuple[Any, ...]], path: str | None, name: str) -> Read:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    queries, documents, judges = (numbered([str(value) for value in column]) for column in columns[:3])
    return Read(range(1, len(rows) + 1), queries, documents, judges, columns[3], unit="entry", path=path, name=name)


def _depth(given: Any) -> int:
    depth = 0
    while isinstance(given, Mapping) and given:
        depth += 1
        given = next(iter(given.values()))
    return depth


def _leaves(given: Mapping[Any, Any], depth: int) -> Iterator[tuple[Any, ...]]:
    for name, below in given.items():
        if depth == 1:
            if isinstance(below, Mapping | list):
                raise DataError([errors.labels.unknown_labels(None, f"{name!r} has {kind_of(below)}")])
            yield name, below
        elif not isinstance(below, Mapping):
            raise DataError([errors.labels.unknown_labels(None, f"{name!r} has {kind_of(below)}")])
        else:
            for leaf in _leaves(below, depth - 1):
                yield name, *leaf
