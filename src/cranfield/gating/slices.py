"""The queries a rule holds for: all of them, or those of each value of a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield import errors
from cranfield.data.queries import Queries
from cranfield.errors import DataError
from cranfield.gating.rules import Rule


class QuerySlice(NamedTuple):
    """Some queries that are looked at together."""

    value: str | None
    """Their value in the column; nothing where they are all queries, empty where they have none."""
    queries: tuple[str, ...]


def slices(rule: Rule, judged: Sequence[str], known: Queries | None) -> list[QuerySlice]:
    """The judged queries a rule holds for, all together or by what is known of them."""
    if rule.by is None:
        return [QuerySlice(None, tuple(judged))]
    if known is None:
        raise errors.gate.no_queries_file(rule.by)
    if not any(query in known for query in judged):
        raise DataError([errors.queries.queries_never_meet(known.path, judged, list(known))])
    column = known.column(rule.by)
    by_value: dict[str, list[str]] = {}
    for query in judged:
        value = column.get(query)
        by_value.setdefault("" if value is None else str(value), []).append(query)
    for value in rule.only:
        if value not in by_value:
            raise DataError([errors.gate.unknown_slice(known.path, rule.by, value, sorted(filter(None, by_value)))])
    chosen = rule.only or sorted(by_value)
    return [QuerySlice(value, tuple(by_value[value])) for value in chosen]
