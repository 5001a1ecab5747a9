"""Python objects: dictionaries, rows, and tables of any library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from cranfield import errors, kernels
from cranfield.data.judgments import GROUPED_BY, GroupKind, JudgmentRows, Judgments
from cranfield.data.run import AtOnce, JudgedPlaces, Ranking
from cranfield.errors import DataError, Findings
from cranfield.formats import arrow, grouping, retrieved_objects, tables
from cranfield.formats.arrow import ArrowTable, stream_table
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.foreign_json import refuse_foreign
from cranfield.formats.query_records import lists_in
from cranfield.formats.search_responses import SearchResponses, ratings_in, responses_in
from cranfield.formats.tables import ColumnTable
from cranfield.formats.values import Checked
from cranfield.phrases import kind_of

Held = Mapping[Any, Any] | ColumnTable | SearchResponses


def as_table(given: Any, kind: Kind, path: str | None = None) -> ColumnTable:
    """A table of any library, or rows: tuples, named tuples, data classes or dictionaries."""
    if isinstance(given, ColumnTable):
        return given
    if type(given).__module__.split(".")[0] == "pyspark":
        raise errors.files.spark_frame(given)
    if hasattr(given, "collect_schema") and hasattr(given, "collect"):
        given = _computed(given)
    if hasattr(given, "scanner"):  # of a pyarrow.dataset.Dataset
        if hasattr(given, "files"):
            return arrow.dataset_table(given)
        given = given.scanner()
    if hasattr(given, "to_reader") and not hasattr(given, "__arrow_c_stream__"):
        given = given.to_reader()
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        table = _streamed(given)
        if table is not None:
            return table
    if _is_frame(given):
        return _frame_table(given)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise errors.files.unreadable_object(given, kind)
    return _records_table(list(given), kind, path)


def _computed(given: Any) -> Any:
    """The rows of a LazyFrame, which polars plans and computes when asked: some at a time, where it can do that."""
    try:
        frames = chain(given.collect_batches(), [given.head(0).collect()])
    except (AttributeError, ImportError):  # of a polars that has no batches
        return given.collect()
    try:
        return arrow.joined(frames)
    except DataError:  # there is no pyarrow
        return given.collect()


def is_table(given: Any) -> bool:
    """Whether an object is a table of some library, rather than rows."""
    # The names of columns come last: to ask a polars LazyFrame for them is a warning.
    return any(
        hasattr(given, name) for name in ("collect_schema", "__arrow_c_stream__", "__arrow_c_array__", "columns")
    )


def _is_frame(given: Any) -> bool:
    """Whether an object has named columns that become lists, as those of pandas and polars do."""
    names: Any = getattr(given, "columns", ())
    return hasattr(given, "shape") and len(names) > 0 and hasattr(given[names[0]], "to_list")


def _frame_table(frame: Any) -> ColumnTable:
    """A data frame, column by column, where pyarrow is not installed."""
    names = list(frame.columns)

    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        yield [frame[names[at]].to_list() for at in positions]

    return ColumnTable([str(name) for name in names], batches)


def held(given: object, kind: Kind) -> Held:
    """A dictionary as it is, answers of search engines, and whatever else as a table."""
    plain: Any = with_lists(given)
    if isinstance(plain, Mapping | list) or hasattr(plain, "samples"):
        if (lists := lists_in(plain, kind)) is not None:
            return lists
        if (responses := responses_in(plain)) is not None:
            return responses
        if (ratings := ratings_in(plain)) is not None:
            return as_table(ratings, kind)
        refuse_foreign(plain, kind, None)
    return given if isinstance(given, Mapping) else as_table(given, kind)


LIST_COLUMNS = {"retrieved_context_ids", "reference_context_ids"}
"""Columns of ragas, which have a list for each query."""


def with_lists(given: Any) -> Any:
    """The records of a data frame that has a list of documents for each query; all else as it is."""
    if hasattr(given, "collect") or not set(map(str, getattr(given, "columns", ()))) & LIST_COLUMNS:
        return given
    return list(given.to_dicts()) if hasattr(given, "to_dicts") else list(given.to_dict("records"))


def judgments(given: Held, columns: Columns) -> Judgments | None:
    """The judgments, by compiled loops; None where there is anything to tell about them."""
    if isinstance(given, ArrowTable):
        return arrow.judgments_of(given, columns)
    if not isinstance(given, Mapping) or columns.groups or not kernels.are_compiled():
        return None
    from cranfield.kernels import qrels

    return qrels.of_dictionary(given)


def rows(given: Held, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The rows of judgments in a dictionary or in a table."""
    if isinstance(given, SearchResponses):
        given = given.judgments(findings)
    if isinstance(given, Mapping):
        return judgment_rows(given, columns.groups, findings)
    return tables.judgment_rows(given, columns, findings)


def run(given: Held, columns: Columns) -> Callable[[Findings], Iterator[Ranking]]:
    """A pass over the rankings in a dictionary or in a table."""
    if isinstance(given, SearchResponses):
        return lambda findings: rankings(given.run(findings, columns.order), None, findings)
    if isinstance(given, Mapping):
        return partial(rankings, given, None)
    return partial(grouping.rankings, partial(tables.run_rows, given, columns), None)


def places(given: Held, columns: Columns) -> AtOnce | None:
    """The compiled pass over the rankings, where there is one for what holds them."""
    if isinstance(given, ArrowTable):
        return arrow.places_of(given, columns)
    if not isinstance(given, Mapping):
        return None

    def scanned(judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        from cranfield.kernels import dictionaries

        return dictionaries.places(given, judgments, ties=ties, single=single)

    return scanned


def judgment_rows(
    given: Mapping[Any, Any], groups: GroupKind | None, findings: Findings, path: str | None = None
) -> Iterator[JudgmentRows]:
    """The judgments of `{query: {document: grade}}` or `{query: [relevant documents]}`.

    Where groups are wanted, either may stand below the name of each group: `{query: {subtopic: {document: grade}}}`.
    """
    nested = any(map(_is_nested, given.values()))
    first = 1
    for query, judged in _entries([given], "judgments", findings, path):
        if nested and groups is None and _is_nested(judged):
            findings.add(errors.rows.nested_grades(path, query))
            continue
        columns = _by_group(query, judged, groups, findings, path) if nested and groups else _graded(judged)
        count = len(columns["document"])
        checked = Checked(range(first, first + count), "entry", path, findings)
        yield checked.judgments({"query": [query] * count, **columns})
        first += count


def rankings(given: Mapping[Any, Any], path: str | None, findings: Findings) -> Iterator[Ranking]:
    """The rankings of `{query: {document: score}}`, of `{query: [documents, best first]}`, or of pairs with scores."""
    if not given:
        raise DataError([errors.files.nothing_read(path, "rankings")])
    yield from rankings_in([given], path, findings)


def rankings_in(parts: Iterable[Mapping[Any, Any]], path: str | None, findings: Findings) -> Iterator[Ranking]:
    """The same of queries that come in several parts."""
    first = 1
    for query, retrieved in _entries(parts, "run", findings, path):
        documents, scores = _scored(retrieved)
        count = len(documents)
        checked = Checked(range(first, first + count), "entry", path, findings)
        numbers = {"rank": range(1, count + 1)} if scores is None else {"score": scores}
        rows = checked.run({"query": [query] * count, "document": documents, **numbers})
        yield Ranking(query, rows.documents, rows.scores, rows.lines, None, "entry", ranked=rows.ranked)
        first += count


def _scored(retrieved: Any) -> tuple[list[object], list[object] | None]:
    """The documents of a query with their scores; without scores, they stand in the order of their ranks."""
    if isinstance(retrieved, Mapping):
        return list(retrieved), list(retrieved.values())
    if len(retrieved) and retrieved_objects.are_objects(retrieved):
        return retrieved_objects.scored(retrieved)
    if len(retrieved) and all(isinstance(one, tuple | list) and len(one) == 2 for one in retrieved):
        return [document for document, _ in retrieved], [score for _, score in retrieved]
    return list(retrieved), None


def _is_nested(judged: object) -> bool:
    """Whether a query has documents by group, rather than grades by document."""
    # Grades are many, and of few types.
    examples = {type(value): value for value in judged.values()} if isinstance(judged, Mapping) else {}
    return any(_is_collection(value, "judgments") for value in examples.values())


def _graded(judged: Any) -> dict[str, list[object]]:
    """The documents of a query, or of a group, with their grades; those of a list are relevant."""
    return {
        "document": list(judged),
        "grade": list(judged.values()) if isinstance(judged, Mapping) else [1.0] * len(judged),
    }


def _by_group(
    query: str, judged: Any, groups: GroupKind, findings: Findings, path: str | None
) -> dict[str, list[object]]:
    """The same for each group, with the group's name."""
    role = GROUPED_BY[groups][0]
    columns: dict[str, list[object]] = {"document": [], "grade": [], role: []}
    for group, graded in judged.items() if isinstance(judged, Mapping) else enumerate(judged):
        if not _is_collection(graded, "judgments"):
            findings.add(errors.rows.no_group(path, query, role, kind_of(graded)))
            break
        for name, values in {**_graded(graded), role: [group] * len(graded)}.items():
            columns[name] += values
    return columns


def _streamed(given: Any) -> ColumnTable | None:
    try:
        return stream_table(given)
    except DataError as error:
        # Without pyarrow, data frames can be read all the same.
        if error.findings[0].kind == "missing-package" and _is_frame(given):
            return None
        raise


def _entries(
    parts: Iterable[Mapping[Any, Any]], kind: Kind, findings: Findings, path: str | None
) -> Iterator[tuple[str, Any]]:
    """Each query with what belongs to it."""
    seen: set[str] = set()
    before = 0
    for given in parts:
        numbers = range(before + 1, before + len(given) + 1)
        queries = Checked(numbers, "query", path, findings).ids(list(given), "query")
        for query, of_query in zip(queries, given.values(), strict=True):
            if query in seen:
                findings.add(errors.rows.duplicate_key(path, query))
            elif not _is_collection(of_query, kind):
                found = f"query {query!r} has {kind_of(of_query)}"
                findings.add(errors.rows.unknown_structure(path, kind, found))
            elif query:
                yield query, of_query
            seen.add(query)
        before += len(given)


def _is_collection(value: object, kind: Kind) -> bool:
    if isinstance(value, AbstractSet):
        return kind == "judgments"  # a set has no order, and a ranking needs one
    return isinstance(value, Mapping | Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _records_table(records: list[Any], kind: Kind, path: str | None) -> ColumnTable:
    if not records:
        raise DataError([errors.files.nothing_read(path, kind)])
    names = _names(records[0], kind)

    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        yield [_column(records, names[at], at) for at in positions]

    return ColumnTable(names, batches, path)


def _names(record: Any, kind: Kind) -> list[str]:
    if isinstance(record, Mapping):
        return [str(name) for name in record]
    if hasattr(record, "_fields"):
        return list(record._fields)
    if is_dataclass(record):
        return [field.name for field in fields(record)]
    if isinstance(record, Sequence) and not isinstance(record, str | bytes):
        named = ["query", "document", "grade" if kind == "judgments" else "score"]
        return named if len(record) == 3 else [f"column {at}" for at in range(1, len(record) + 1)]
    raise errors.files.unreadable_object(record, kind)


def _column(records: Iterable[Any], name: str, at: int) -> list[object]:
    values: list[object] = []
    for record in records:
        if isinstance(record, Mapping):
            values.append(record.get(name))
        elif hasattr(record, name):
            values.append(getattr(record, name))
        else:
            values.append(record[at] if isinstance(record, Sequence) and at < len(record) else None)
    return values
