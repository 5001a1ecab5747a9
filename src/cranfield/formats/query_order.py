"""Which queries saved responses answer, where only their order tells: a query file, a list, or the request itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats import json_lines
from cranfield.formats.queries import read_queries
from cranfield.formats.sniff import container
from cranfield.formats.source import Source, as_source


@dataclass
class QueryOrder:
    """Queries in the order in which they were asked."""

    ids: tuple[str, ...]
    texts: tuple[str, ...] | None
    """What each query says, if that is known."""
    path: str | None
    is_used: bool = False
    """Whether anything was read that may need it."""

    def of(self, texts: Sequence[str | None], path: str | None) -> list[str]:
        """The ids of responses: by the texts that they repeat, or else by their order."""
        known = dict(zip(self.texts or (), self.ids, strict=False))
        if self.texts and len(known) == len(self.texts) and all(text in known for text in texts):
            return [known[text] for text in texts if text is not None]
        if len(self.ids) != len(texts):
            raise DataError([errors.search_responses.other_count(path, len(texts), self.path, len(self.ids))])
        return list(self.ids)


def query_order(given: object) -> QueryOrder:
    """The order that a query file, a list of ids, or the request to `_msearch` gives.

    >>> query_order(["q2", "q1"]).ids
    ('q2', 'q1')
    """
    if isinstance(given, QueryOrder):
        return given
    if isinstance(given, list | tuple) and given and all(isinstance(one, str | int) for one in given):
        return QueryOrder(tuple(map(str, given)), None, None)
    file = as_source(given, "queries")
    if file is not None and container(file) == "jsonl":
        bodies = _bodies(file)
        if bodies is not None:
            texts = tuple(_text_in(body, at, file.path) for at, body in enumerate(bodies, start=1))
            return QueryOrder(texts, texts, file.path)
    queries = read_queries(given if file is None else file)
    return QueryOrder(queries.ids, queries.texts, queries.path)


def _bodies(file: Source) -> Sequence[Mapping[str, Any]] | None:
    """The searches of a request to `_msearch`: a line that says where to search, then one that says what for."""
    findings = Findings()
    records = [record for _, some in json_lines.batches(file, findings) for record in some]
    headers, bodies = records[::2], records[1::2]
    is_request = bool(bodies) and all("query" in body for body in bodies) and not any("query" in one for one in headers)
    if not is_request:
        return None
    findings.stop_if_wrong()
    if len(headers) != len(bodies):
        raise DataError([errors.search_responses.half_request(file.path)])
    return bodies


def _text_in(body: Mapping[str, Any], at: int, path: str) -> str:
    """What a search is for: the only text that its clauses look for."""
    texts = dict.fromkeys(_texts(body["query"]))
    if len(texts) != 1:
        raise DataError([errors.search_responses.no_text_in_request(path, at, list(texts))])
    return next(iter(texts))


_CLAUSES = ("match", "match_phrase", "match_phrase_prefix", "match_bool_prefix", "neural", "semantic", "text_expansion")
_QUERY = ("query", "query_text", "model_text")


def _texts(clause: Any) -> Iterator[str]:
    if isinstance(clause, list):
        for one in clause:
            yield from _texts(one)
    if not isinstance(clause, Mapping):
        return
    for name, inner in clause.items():
        if name in _QUERY and isinstance(inner, str):
            yield inner
        elif name in _CLAUSES and isinstance(inner, Mapping):
            for field in inner.values():
                yield from [field] if isinstance(field, str) else _texts(field)
        elif name != "filter":
            yield from _texts(inner)
