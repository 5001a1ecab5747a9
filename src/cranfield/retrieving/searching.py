"""What a system is asked, and what comes back: the same for a service, a database and a function."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from cranfield import errors
from cranfield.data.queries import Queries, Value
from cranfield.requesting.failures import Failure

SIZE = 100
"""How many results are asked for where nothing else is said."""
BUILT_IN = ("query", "query_id", "size")
"""What can be filled in for every query, besides the columns of the query file."""


class SearchQuery(NamedTuple):
    """One query, with everything that can be filled in."""

    query: str
    text: str
    values: Mapping[str, Value]
    """By name: the built-in ones, and the columns of the query file."""


class SearchResult(NamedTuple):
    """What a system returned for one query, best first."""

    documents: Sequence[str]
    scores: Sequence[float] | None = None
    """None where documents come without scores."""
    total: int | None = None
    """How many documents matched, where the system tells."""


class SearchSystem(Protocol):
    """Anything that can be asked for a query."""

    asked: Mapping[str, Any]
    """Where and how it is asked, without anything secret: what a log says of itself."""
    names: Sequence[str]
    """What of a query it uses, by name."""

    def request(self, query: SearchQuery) -> Any:
        """What is sent for a query, as plain values; a hash of it tells whether it was asked before."""

    def search(self, query: SearchQuery) -> SearchResult:
        """The results; raises `Failure` where there are none to be had, which is not the same as none."""

    def close(self) -> None:
        """Leave the system."""


def search_queries(queries: Queries, names: Sequence[str], size: int | None) -> list[SearchQuery]:
    """Every query with what is used of it; one that lacks something is refused before anything is asked."""
    if queries.ids_are_texts:
        queries = replace(queries, texts=queries.ids)
    silent = [query for query in queries.ids if not queries.text(query).strip()]
    if silent:
        raise errors.retrieving.queries_without_text(queries.path, silent)
    own = [name for name in names if name not in BUILT_IN]
    columns = {name: queries.column(name) for name in own}
    return list(_filled(queries, columns, SIZE if size is None else size))


def _filled(queries: Queries, columns: Mapping[str, Mapping[str, Value]], size: int) -> Iterator[SearchQuery]:
    for query in queries.ids:
        values: dict[str, Value] = {"query": queries.text(query), "query_id": query, "size": size}
        for name, column in columns.items():
            if column[query] is None:
                raise errors.retrieving.query_without_value(queries.path, query, name)
            values[name] = column[query]
        yield SearchQuery(query, queries.text(query), values)


def request_hash(request: Any) -> str:
    """A hash of everything that decides about an answer.

    >>> request_hash(["GET", "http://127.0.0.1/?q=tomato"])
    '087bd6eeb9dc518109a497ca'
    """
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:24]


def document_id(value: object) -> str:
    """An id as it stands in a run; raises `Failure` for what can be none.

    >>> document_id(7), document_id("d7")
    ('7', 'd7')
    """
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise Failure("unreadable", f"a result has no id that a run can hold: {str(value)[:60]!r}")
