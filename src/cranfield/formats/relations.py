"""Ids side by side, perhaps with a number: who took which item, what is known of items, which items there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats.columns import Roles
from cranfield.formats.delimited_text import Batch, ColumnBatch, line_batches, of_width, split_at_blanks, whole_line
from cranfield.formats.rows import Content, Record, read_rows
from cranfield.formats.source import Source
from cranfield.formats.tables import Rows
from cranfield.formats.tokens import grades
from cranfield.formats.values import Checked

# Next to a user, a query is what they asked.
ROLES = Roles(
    {
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
)


class Relation(Content):
    """What stands next to what: a role for each column of ids, in the order they have without a header."""

    def __init__(self, name: str, roles: tuple[str, ...], names: Roles = ROLES) -> None:
        self.name = name
        self.roles = roles
        self.names = names
        """What people call the columns."""

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        """Names that are known, or else the roles in their order."""
        if self.places_of(first) is not None:
            return first, True
        names = None if any(map(self.names.known, first)) else self._in_order(first)
        if names is None:
            raise self.unknown(first, path)
        return names, False

    def unnamed(self, width: int) -> Sequence[str] | None:
        """The roles in their order."""
        return self._in_order(["?"] * width) or super().unnamed(width)

    def _in_order(self, fields: Sequence[str]) -> Sequence[str] | None:
        """The names of columns that have none: the roles, then a number; or as TREC judgments have them."""
        count, roles = len(fields), len(self.roles)
        if self is INTERACTIONS and count == 4:
            in_trec = fields[1] in ("0", "Q0")
            return ("user", "_", "item", "weight") if in_trec else ("user", "item", "weight", "_")
        if count == roles:
            return self.roles
        has_number = count == roles + 1 and self is not ITEMS and bool(self.names.names["number"])
        return (*self.roles, "weight") if has_number else None

    def places(self, names: Sequence[str], path: str | None) -> Mapping[str, int]:
        """The columns that have a role."""
        places = self.places_of(names)
        if places is None:
            raise self.unknown(names, path)
        return {names[at]: at for at in places.values()}

    def places_of(self, names: Sequence[str]) -> dict[str, int] | None:
        """The place of each role and of a number, if there is one; nothing if a role has no name that is known."""
        places = self.names.first_places(names, (*self.roles, "number"))
        return places if set(self.roles) <= places.keys() else None

    def at_blanks(self, file: Source, findings: Findings) -> Iterator[ColumnBatch]:
        """Lines without a delimiter. An item may be called anything, blanks included."""
        width = 0
        for batch in line_batches(file, findings):
            if self is ITEMS:
                rows = [[whole_line(line, at, file.path, findings)] for at, line in zip(*batch, strict=True)]
            else:
                rows = [split_at_blanks(line) for line in batch.texts]
            width = width or len(rows[0])
            sound = of_width(Batch(batch.lines, rows), width, file.path, None, findings)
            if sound.rows:
                yield ColumnBatch(sound.lines, list(zip(*sound.rows, strict=True)))

    def of_records(
        self, lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None
    ) -> Iterator[Rows]:
        """The first record has every name that counts."""
        columns = {str(name): [record.get(name) for record in records] for name in records[0]}
        yield Rows(lines, columns, unit, path)

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """`{user: [items]}`, `{user: {item: number}}`; of items the names alone count."""
        if self is ITEMS:
            yield from self.of_values(list(given), path)
            return
        first = 1
        for left, right in given.items():
            if not isinstance(right, Mapping | Sequence | AbstractSet | np.ndarray) or isinstance(right, str | bytes):
                raise self.unreadable(right, path)
            weights = list(right.values()) if isinstance(right, Mapping) else [1.0] * len(right)
            columns = dict(zip((*self.roles, "weight"), ([left] * len(right), list(right), weights), strict=True))
            yield Rows(range(first, first + len(right)), columns, "entry", path)
            first += len(right)

    def of_values(self, given: Sequence[Any], path: str | None) -> Iterator[Rows]:
        """Items may be a list of their ids."""
        if self is not ITEMS:
            return super().of_values(given, path)
        return iter([Rows(range(1, len(given) + 1), {"item": given}, "entry", path)])

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        """That an object holds no such pairs."""
        return errors.recommendation.unreadable_relation(given, self.name, self.roles)

    def unknown(self, names: Sequence[str], path: str | None) -> DataError:
        """That nobody can tell which column is which."""
        return DataError([errors.recommendation.unknown_relation(path, self.name, self.roles, names)])


INTERACTIONS = Relation("interactions", ("user", "item"))
ATTRIBUTES = Relation("attributes", ("item", "attribute"))
ITEMS = Relation("items", ("item",))


def read_relation(given: object, relation: Relation, findings: Findings) -> Iterator[Rows]:
    """The rows of a path, `-`, an open file, a dictionary, rows or a table: ids by role, and a number for each, or 1.

    >>> rows = read_relation({"u1": ["i1", "i2"]}, INTERACTIONS, Findings())
    >>> [(batch.columns["user"], batch.columns["item"]) for batch in rows]
    [(['u1', 'u1'], ['i1', 'i2'])]
    """
    if isinstance(given, Judgments):
        given = {query: given[query] for query in given}
    names: dict[str, str] = {}
    for rows in read_rows(given, relation, findings):
        if not names:
            places = relation.places_of(rows.names)
            if places is None:
                raise relation.unknown(rows.names, rows.path)
            names = {role: rows.names[at] for role, at in places.items()}
        missing = [None] * len(rows.lines)
        values = {role: rows.columns.get(name, missing) for role, name in names.items()}
        yield _checked(rows, values, relation, findings)


def _checked(rows: Rows, values: Mapping[str, Sequence[Any]], relation: Relation, findings: Findings) -> Rows:
    checked = rows.checked(findings)
    ids = {role: checked.ids(values[role], role) for role in relation.roles}
    numbers = checked.numbers(_numbers(values["number"]), "number") if "number" in values else [1.0] * len(rows.lines)
    _require_lines(ids, checked)
    columns = {role: checked.sound(column) for role, column in {**ids, "number": numbers}.items()}
    return Rows(checked.sound(rows.lines), columns, rows.unit, rows.path)


def _numbers(fields: Sequence[Any]) -> Sequence[Any]:
    """A column of numbers, which in a text are texts; as it is where some are none, which is then reported."""
    if not fields or not isinstance(fields[0], str):
        return fields
    try:
        return grades(fields).tolist()
    except (TypeError, ValueError, OverflowError):
        return fields


def _require_lines(columns: Mapping[str, Sequence[str]], checked: Checked) -> None:
    """Refuse ids that go over several lines, as one after a quote that was left open does."""
    for role, column in columns.items():
        if "\n" in (joined := "".join(column)) or "\r" in joined:
            for at, name in enumerate(column):
                if "\n" in name or "\r" in name:
                    wrong = errors.rows.bad_id(checked.path, checked.lines[at], role, name, unit=checked.unit)
                    checked.findings.add(wrong)
