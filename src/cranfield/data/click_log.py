"""ClickLog: what people were shown, rank by rank, and what they clicked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import Finding, UsageError
from cranfield.kernels import are_compiled
from cranfield.phrases import counted

Codes = npt.NDArray[np.int32]

CHUNK = 1 << 16
"""Impressions that are computed together; with more, the arrays of one rank leave the processor's cache."""


@dataclass(frozen=True, eq=False)
class ClickLog:
    """Impressions: a ranked list that somebody was shown, with the clicks on it. Ids are kept once, and coded.

    >>> import cranfield as cf
    >>> log = cf.read_clicks([{"session": "s1", "query": "q1", "documents": ["d1", "d2"], "clicks": [0, 1]}])
    >>> log
    ClickLog(1 impression of 1 query in 1 session, 2 results shown, 1 clicked)
    """

    sessions: Sequence[str]
    queries: Sequence[str]
    documents: Sequence[str]
    starts: Ints
    """Where each impression's results begin; one more entry marks the end."""
    session: Codes
    """Which session each impression belongs to."""
    query: Codes
    """Which query each impression answers."""
    document: Codes
    """The results of all impressions, best rank first."""
    clicked: Bools
    """Whether each result was clicked."""
    propensity: Floats | None = None
    """The probability with which each result was shown, or looked at, where the log tells it."""
    path: str | None = None
    warnings: tuple[Finding, ...] = ()
    actions: tuple[str, ...] = ()
    """What events of OpenSearch UBI are called that count as no click."""

    def __len__(self) -> int:
        """How many impressions there are."""
        return len(self.query)

    def __repr__(self) -> str:
        asked, people = len(np.unique(self.query)), len(np.unique(self.session))
        return (
            f"ClickLog({counted(len(self), 'impression')} of {counted(asked, 'query')} in "
            f"{counted(people, 'session')}, {counted(len(self.document), 'result')} shown, "
            f"{int(self.clicked.sum()):,} clicked)"
        )

    @cached_property
    def lengths(self) -> Ints:
        """How many results each impression has."""
        return np.diff(self.starts)

    @property
    def depth(self) -> int:
        """The results of the longest impression."""
        return int(self.lengths.max(initial=0))

    @cached_property
    def pairs(self) -> QueryDocumentPairs:
        """Every query with every document that was shown for it."""
        return QueryDocumentPairs(self.queries, self.documents, self._paired[0])

    @cached_property
    def block(self) -> ImpressionBlock:
        """All impressions as arrays by rank, each of several that are alike once, with how many they are."""
        return self.pairs.block(self).merged()

    @cached_property
    def session_block(self) -> ImpressionBlock:
        """The same, with what the other queries of a session tell of each."""
        return self.pairs.block(self, in_sessions=True).merged()

    @cached_property
    def has_further_queries(self) -> bool:
        """Whether there is a session with several queries."""
        return len(np.unique(self.session)) < len(self)

    @cached_property
    def final(self) -> Bools:
        """Which impressions are the last of their session."""
        _, from_end = np.unique(self.session[::-1], return_index=True)
        final = np.zeros(len(self), dtype=np.bool_)
        final[len(self) - 1 - from_end] = True
        return final

    @cached_property
    def repeated(self) -> Bools:
        """Which results an earlier query of their session showed as well."""
        session = np.repeat(self.session.astype(np.int64), self.lengths)
        impression = np.repeat(np.arange(len(self)), self.lengths)
        _, first, member = np.unique(
            session * max(len(self.documents), 1) + self.document, return_index=True, return_inverse=True
        )
        repeated: Bools = impression[first][member] < impression
        return repeated

    def select(self, impressions: Ints | Bools) -> ClickLog:
        """Some of the impressions, under the same codes."""
        chosen = np.flatnonzero(impressions) if impressions.dtype == np.bool_ else impressions
        lengths = self.lengths[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.repeat(self.starts[chosen] - starts[:-1], lengths) + np.arange(starts[-1])
        return replace(
            self,
            starts=starts,
            session=self.session[chosen],
            query=self.query[chosen],
            document=self.document[rows],
            clicked=self.clicked[rows],
            propensity=None if self.propensity is None else self.propensity[rows],
        )

    def folds(self, count: int, seed: int = 0) -> Ints:
        """A part for each impression, from 0 on; all impressions of a session are in one part.

        >>> import cranfield as cf
        >>> rows = [{"session": s, "query": "q", "documents": ["d"], "clicks": []} for s in "aabbccdd"]
        >>> folds = cf.read_clicks(rows).folds(2)
        >>> bool((folds[::2] == folds[1::2]).all())
        True
        """
        found, position = np.unique(self.session, return_inverse=True)
        if not 2 <= count <= len(found):
            raise UsageError(
                f"{count} parts of {counted(len(found), 'session')} are not possible; a session is never on both "
                "sides." + (f"\nChoose a number of parts from 2 to {len(found)}." if len(found) > 1 else "")
            )
        part = np.random.default_rng(seed).permutation(len(found)) % count
        folds: Ints = part[position]
        return folds

    def with_clicks(self, clicked: Bools) -> ClickLog:
        """The same impressions with other clicks."""
        return replace(self, clicked=clicked)

    @cached_property
    def _paired(self) -> tuple[Ints, Codes]:
        """The keys of all pairs, and the pair of each result."""
        keys = np.repeat(self.query.astype(np.int64) * max(len(self.documents), 1), self.lengths)
        keys += self.document
        return distinct(keys)


@dataclass(frozen=True, eq=False)
class QueryDocumentPairs:
    """Queries with documents, in the order of their codes: what relevance is a property of."""

    queries: Sequence[str]
    documents: Sequence[str]
    keys: Ints
    """query · documents + document, ascending."""

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def query(self) -> Ints:
        """The query of each pair."""
        return self.keys // max(len(self.documents), 1)

    @cached_property
    def document(self) -> Ints:
        """The document of each pair."""
        return self.keys % max(len(self.documents), 1)

    def position(self, query: str, document: str) -> int:
        """Where a pair stands; a pair that is not among them stands behind the last."""
        places = self._query_codes.get(query, -1), self._document_codes.get(document, -1)
        found = self._find(np.array([places[0]]), np.array([places[1]]))
        return int(found[0])

    def of(self, log: ClickLog) -> Codes:
        """The pair of each result of a log; one that is not among these stands behind the last."""
        if log.queries is self.queries and log.documents is self.documents:
            if log.pairs is self:
                return log._paired[1]
            return self._find(np.repeat(log.query.astype(np.int64), log.lengths), log.document)
        queries = np.array([self._query_codes.get(query, -1) for query in log.queries], dtype=np.int64)
        documents = np.array([self._document_codes.get(document, -1) for document in log.documents], dtype=np.int64)
        return self._find(np.repeat(queries[log.query], log.lengths), documents[log.document])

    def asked(self, log: ClickLog) -> Bools:
        """Which impressions of a log answer a query that is among these."""
        seen = {self.queries[code] for code in np.unique(self.query).tolist()}
        known = np.array([query in seen for query in log.queries], dtype=np.bool_)
        found: Bools = known[log.query]
        return found

    def block(self, log: ClickLog, *, in_sessions: bool = False) -> ImpressionBlock:
        """The impressions of a log as arrays by rank; with `in_sessions`, also what queries of a session tell."""
        shown = np.arange(log.depth) < log.lengths[:, None]

        def by_rank(values: npt.NDArray[Any], filler: int) -> npt.NDArray[Any]:
            side_by_side = np.full(shown.shape, filler, dtype=values.dtype)
            side_by_side[shown] = values
            return np.ascontiguousarray(side_by_side.T)

        pair, click = by_rank(self.of(log), len(self)), by_rank(log.clicked, 0)
        there, weight = np.ascontiguousarray(shown.T), np.ones(len(log))
        if not in_sessions:
            return ImpressionBlock(pair, click, there, weight)
        return ImpressionBlock(pair, click, there, weight, by_rank(log.repeated, 0), log.final)

    def _find(self, query: npt.NDArray[np.integer], document: npt.NDArray[np.integer]) -> Codes:
        wanted = query.astype(np.int64) * max(len(self.documents), 1) + document
        place = np.searchsorted(self.keys, wanted)
        there = place < len(self.keys)
        there[there] = self.keys[place[there]] == wanted[there]
        found = np.where(there & (query >= 0) & (document >= 0), place, len(self.keys))
        return found.astype(np.int32)

    @cached_property
    def _query_codes(self) -> dict[str, int]:
        return {query: code for code, query in enumerate(self.queries)}

    @cached_property
    def _document_codes(self) -> dict[str, int]:
        return {document: code for code, document in enumerate(self.documents)}


@dataclass(frozen=True, eq=False)
class ImpressionBlock:
    """Impressions side by side, a row per rank and a column per impression; shorter ones are padded."""

    pair: Codes
    """The pair shown; behind the last pair where nothing is shown or the pair is not known."""
    click: Bools
    shown: Bools
    weight: Floats
    """How many impressions each column stands for."""
    repeated: Bools | None = None
    """Whether an earlier query of the session showed each result; None where sessions do not matter."""
    final: Bools | None = None
    """Whether each impression is the last of its session; likewise."""
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    """What a model computed of it that does not depend on weights; the same with other weights has it, too."""

    @property
    def depth(self) -> int:
        """Ranks."""
        return self.pair.shape[0]

    @property
    def count(self) -> int:
        """Columns."""
        return self.pair.shape[1]

    @cached_property
    def last(self) -> Ints:
        """The rank, from 0, of the lowest click; -1 where there is none."""
        return _last(self.click)

    @cached_property
    def first(self) -> Ints:
        """The rank, from 0, of the highest click; behind the last rank where there is none."""
        found: Ints = np.where(self.click.any(axis=0), self.click.argmax(axis=0), self.depth)
        return found

    @cached_property
    def ranks(self) -> Ints:
        """The ranks, from 0, as a column that goes with every impression."""
        return np.arange(self.depth)[:, None]

    @cached_property
    def before(self) -> Ints:
        """For every rank the rank of the nearest click above it; -1 where there is none."""
        above = np.full((self.depth, self.count), -1, dtype=np.int64)
        for rank in range(1, self.depth):
            above[rank] = np.where(self.click[rank - 1], rank - 1, above[rank - 1])
        return above

    def merged(self) -> ImpressionBlock:
        """Each of several impressions that are alike once, with their weights added up."""
        rng = np.random.default_rng(0)
        factors = rng.integers(1, 1 << 62, size=(self.depth, 1), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        hashed = np.zeros(self.count, dtype=np.uint64)
        for rank in range(self.depth):
            sign = self.pair[rank].astype(np.uint64) * np.uint64(4) + self.shown[rank] * np.uint64(2) + self.click[rank]
            if self.repeated is not None:
                sign = sign * np.uint64(2) + self.repeated[rank]
            mixed = (sign + np.uint64(1)) * factors[rank]
            hashed += mixed ^ (mixed >> np.uint64(29))
        if self.final is not None:
            hashed += self.final * np.uint64(0x9E3779B97F4A7C15)
        _, representative, member = np.unique(hashed, return_index=True, return_inverse=True)
        alike = representative[member]
        others = np.flatnonzero(alike != np.arange(self.count))
        # Two that differ have the same hash about once in ten million logs; then nothing is merged.
        for rank in range(self.depth):
            for values in (self.pair, self.shown, self.click, self.repeated):
                if values is not None and not np.array_equal(values[rank, alike[others]], values[rank, others]):
                    return self
        if self.final is not None and not np.array_equal(self.final[alike[others]], self.final[others]):
            return self
        weight = summed(member, self.weight, len(representative))
        return replace(self._columns(representative), weight=weight)

    def chunks(self) -> Iterator[ImpressionBlock]:
        """The same, some impressions at a time."""
        if self.count <= CHUNK:
            yield self
            return
        for start in range(0, self.count, CHUNK):
            yield self._columns(slice(start, start + CHUNK))

    def weighted(self, weight: Floats) -> ImpressionBlock:
        """The same with other weights."""
        return replace(self, weight=weight)

    def _columns(self, chosen: slice | npt.NDArray[np.integer]) -> ImpressionBlock:
        def columns(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
            if isinstance(chosen, slice):
                return np.ascontiguousarray(values[:, chosen])
            return np.take(values, chosen, axis=1)

        return ImpressionBlock(
            columns(self.pair),
            columns(self.click),
            columns(self.shown),
            self.weight[chosen],
            None if self.repeated is None else columns(self.repeated),
            None if self.final is None else self.final[chosen],
        )


def distinct(keys: Ints) -> tuple[Ints, Codes]:
    """Numbers without repetition, ascending, and where among them each stands.

    >>> [found.tolist() for found in distinct(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    if not are_compiled():
        found, place = np.unique(keys, return_inverse=True)
        return found, place.astype(np.int32)
    from cranfield.kernels.compiled import number_keys

    numbers, met = number_keys(keys)
    in_order = np.frombuffer(met, dtype=np.int64)
    order = np.argsort(in_order)
    places: Codes = np.empty(len(order), dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    where: Codes = places[np.frombuffer(numbers, dtype=np.int32)]
    return in_order[order], where


def summed(codes: npt.NDArray[np.integer], values: npt.NDArray[Any], count: int) -> Floats:
    """Values added up by what they belong to."""
    totals: npt.NDArray[Any] = np.bincount(codes.ravel(), values.ravel(), count)
    return totals


def _last(click: Bools) -> Ints:
    depth = click.shape[0]
    found: Ints = np.where(click.any(axis=0), depth - 1 - click[::-1].argmax(axis=0), -1)
    return found
