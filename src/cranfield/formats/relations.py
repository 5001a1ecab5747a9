"""Ids side by side, perhaps with a number: who took which item, what is known of items, which items there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, Findings
from cranfield.formats import arrow, json_lines, memory
from cranfield.formats.columns import Columns, folded
from cranfield.formats.json_text import json_of
from cranfield.formats.records import (
    Batch,
    ColumnBatch,
    column_batches,
    delimiter_in,
    line_batches,
    of_width,
    require_distinct,
    split_at_blanks,
    whole_line,
)
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import Table
from cranfield.formats.tokens import grades
from cranfield.formats.values import Checked

# Names in an earlier group win over later ones: beside a user, a query is what they asked.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "user": (
        "user_id user uid customer_id customer visitor_id member_id",
        "session_id session query_id qid query",
    ),
    "item": (
        "item_id item iid product_id product sku asin movie_id track_id song_id artist_id book_id isbn article_id",
        "docno doc_id docid document_id document doc corpus_id pid",
    ),
    "attribute": ("attribute attribute_id feature genre genres category categories tag topic class",),
    "number": ("weight count rating grade relevance rel value plays", "score"),
}
_GROUPS = {role: [{folded(name) for name in group.split()} for group in groups] for role, groups in _NAMES.items()}


@dataclass(frozen=True)
class Relation:
    """What stands beside what: a role for each column of ids, in the order they have without a header."""

    name: str
    roles: tuple[str, ...]


INTERACTIONS = Relation("interactions", ("user", "item"))
ATTRIBUTES = Relation("attributes", ("item", "attribute"))
ITEMS = Relation("items", ("item",))


class RelationRows(NamedTuple):
    """Some rows: a column of ids for each role, the number with them, 1 where there is none, and where they stand."""

    ids: list[Sequence[str]]
    numbers: Sequence[float]
    lines: Sequence[int]
    unit: str
    path: str | None


def read_relation(given: object, relation: Relation, findings: Findings) -> Iterator[RelationRows]:
    """The rows of a path, `-`, an open file, a dictionary, rows or a table.

    >>> rows = read_relation({"u1": ["i1", "i2"]}, INTERACTIONS, Findings())
    >>> [(list(users), list(items)) for (users, items), *_ in rows]
    [(['u1', 'u1'], ['i1', 'i2'])]
    """
    file = as_source(given)
    if file is None:
        return _of_value(given, relation, None, findings)
    match sniff(file, Columns()).format:
        case "parquet" | "arrow":
            return _of_table(arrow.file_table(file), relation, findings)
        case "json":
            return _of_value(json_of(file), relation, file.path, findings)
        case "jsonl":
            return _of_records(file, relation, findings)
        case _:
            return _of_text(file, relation, findings)


def _of_value(given: Any, relation: Relation, path: str | None, findings: Findings) -> Iterator[RelationRows]:
    if isinstance(given, Judgments):
        given = {query: given[query] for query in given}
    if isinstance(given, Mapping):
        return _of_mapping(given, relation, path, findings)
    is_table = hasattr(given, "columns") or hasattr(given, "__arrow_c_stream__") or hasattr(given, "collect_schema")
    if not is_table and isinstance(given, Iterable) and not isinstance(given, str | bytes):
        given = list(given)
        if relation is ITEMS and given and not isinstance(given[0], Mapping | tuple | list):
            return iter([_checked([given], None, relation, range(1, len(given) + 1), "entry", path, findings)])
    elif not is_table:
        raise errors.recommendation.unreadable_relation(given, relation.name, relation.roles)
    return _of_table(memory.as_table(given, "judgments", path), relation, findings)


def _of_mapping(
    given: Mapping[Any, Any], relation: Relation, path: str | None, findings: Findings
) -> Iterator[RelationRows]:
    """`{user: [items]}`, `{user: {item: number}}`; of items the names alone count."""
    if relation is ITEMS:
        yield _checked([list(given)], None, relation, range(1, len(given) + 1), "entry", path, findings)
        return
    first = 1
    for left, right in given.items():
        if not isinstance(right, Mapping | Sequence | AbstractSet | np.ndarray) or isinstance(right, str | bytes):
            raise errors.recommendation.unreadable_relation(right, relation.name, relation.roles)
        numbers = list(right.values()) if isinstance(right, Mapping) else None
        lines = range(first, first + len(right))
        first += len(right)
        yield _checked([[left] * len(right), list(right)], numbers, relation, lines, "entry", path, findings)


def _of_table(table: Table, relation: Relation, findings: Findings) -> Iterator[RelationRows]:
    # Rows that are tuples have no names but those `as_table` gives them.
    named = not all(name in ("query", "document", "grade") or name.startswith("column ") for name in table.names)
    places = _by_name(table.names, relation) if named else _by_position(["?"] * len(table.names), relation)
    if places is None:
        raise DataError(
            [errors.recommendation.unknown_relation(table.path, relation.name, relation.roles, table.names)]
        )
    first = 1
    for batch in table.batches([place for place in places if place is not None]):
        lines = range(first, first + len(batch[0]))
        first += len(batch[0])
        ids, numbers = batch[: len(relation.roles)], batch[len(relation.roles) :]
        yield _checked(ids, numbers[0] if numbers else None, relation, lines, "row", table.path, findings)


def _of_records(file: Source, relation: Relation, findings: Findings) -> Iterator[RelationRows]:
    names: list[str] | None = None
    for block in file.blocks():
        lines, records = json_lines.records_of(block, file.path, findings)
        if not records:
            continue
        if names is None:
            header = list(records[0])
            places = _by_name(header, relation)
            if places is None:
                raise DataError(
                    [errors.recommendation.unknown_relation(file.path, relation.name, relation.roles, header)]
                )
            names = [header[place] for place in places if place is not None]
        columns = [[record.get(name) for record in records] for name in names]
        numbers = columns[len(relation.roles) :]
        ids: list[Sequence[object]] = [*columns[: len(relation.roles)]]
        yield _checked(ids, numbers[0] if numbers else None, relation, lines, "line", file.path, findings)


def _of_text(file: Source, relation: Relation, findings: Findings) -> Iterator[RelationRows]:
    """Lines split at tabs, commas or semicolons, whichever the first line has, or else at blanks."""
    delimiter = delimiter_in(file)
    batches = _at_blanks(file, relation, findings) if delimiter is None else column_batches(file, delimiter, findings)
    places: list[int | None] | None = None
    for lines, columns in batches:
        if places is None:
            places, is_header = _places([column[0] for column in columns], relation, file.path)
            if is_header:
                lines, columns = lines[1:], [column[1:] for column in columns]
        chosen = [None if place is None else columns[place] for place in places]
        ids = [column for column in chosen[: len(relation.roles)] if column is not None]
        yield _checked(ids, _numbers(chosen[-1]), relation, lines, "line", file.path, findings)
    if places is None:
        findings.stop_if_wrong()
        raise DataError([errors.files.nothing_read(file.path, relation.name)])


def _places(first: Sequence[str], relation: Relation, path: str) -> tuple[list[int | None], bool]:
    """The place of each role and of a number, and whether the first row is a header."""
    by_name = _by_name(first, relation)
    places = by_name or _by_position(first, relation)
    if places is None or (by_name is None and _is_header(first)):
        raise DataError([errors.recommendation.unknown_relation(path, relation.name, relation.roles, first)])
    if by_name:
        require_distinct(first, path)
    return places, by_name is not None


def _at_blanks(file: Source, relation: Relation, findings: Findings) -> Iterator[ColumnBatch]:
    """Lines without a delimiter. An item may be called anything, blanks included."""
    width = 0
    for batch in line_batches(file, findings):
        if relation is ITEMS:
            rows = [[whole_line(line, at, file.path, findings)] for at, line in zip(*batch, strict=True)]
        else:
            rows = [split_at_blanks(line) for line in batch.texts]
        width = width or len(rows[0])
        sound = of_width(Batch(batch.lines, rows), width, file.path, None, findings)
        if sound.rows:
            yield ColumnBatch(sound.lines, list(zip(*sound.rows, strict=True)))


def _numbers(fields: Sequence[str] | None) -> Sequence[object] | None:
    """A column of numbers; as it is where some are none, which is then told."""
    try:
        return None if fields is None else grades(fields).tolist()
    except ValueError:
        return fields


def _by_name(header: Sequence[str], relation: Relation) -> list[int | None] | None:
    """The place of each role and of a number, if there is one; nothing if a role has no name that is known."""
    places: list[int | None] = []
    for role in (*relation.roles, "number"):
        free = [at for at in range(len(header)) if at not in places]
        found = (at for group in _GROUPS[role] for at in free if folded(str(header[at])) in group)
        places.append(next(found, None))
    return places if None not in places[: len(relation.roles)] else None


def _is_header(fields: Sequence[str]) -> bool:
    """Whether some of the fields are names that columns have."""
    known = set().union(*(group for groups in _GROUPS.values() for group in groups))
    return not known.isdisjoint(map(folded, fields))


def _by_position(fields: Sequence[str], relation: Relation) -> list[int | None] | None:
    """The same for a row without names: in the order of the roles, then a number; or as TREC judgments have them."""
    count, roles = len(fields), len(relation.roles)
    if relation is INTERACTIONS and count == 4:
        return [0, 2, 3] if fields[1] in ("0", "Q0") else [0, 1, 2]
    if count == roles:
        return [*range(roles), None]
    return [*range(roles), roles] if count == roles + 1 and relation is not ITEMS else None


def _checked(
    ids: Sequence[Sequence[object]],
    numbers: Sequence[object] | None,
    relation: Relation,
    lines: Sequence[int],
    unit: str,
    path: str | None,
    findings: Findings,
) -> RelationRows:
    checked = Checked(lines, unit, path, findings)
    columns = [checked.ids(column, role) for column, role in zip(ids, relation.roles, strict=True)]
    counted = [1.0] * len(lines) if numbers is None else checked.numbers(numbers, "number")
    _require_lines(columns, relation, checked)
    ids_of_rows = [checked.sound(column) for column in columns]
    return RelationRows(ids_of_rows, checked.sound(counted), checked.sound(lines), unit, path)


def _require_lines(columns: Sequence[Sequence[str]], relation: Relation, checked: Checked) -> None:
    """Refuse ids that go over several lines, as one after a quote that was left open does."""
    for column, role in zip(columns, relation.roles, strict=True):
        if "\n" in (joined := "".join(column)) or "\r" in joined:
            for at, name in enumerate(column):
                if "\n" in name or "\r" in name:
                    wrong = errors.rows.bad_id(checked.path, checked.lines[at], role, name, unit=checked.unit)
                    checked.findings.add(wrong)
