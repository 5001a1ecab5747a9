"""A run by compiled loops: its chunks scanned on every core, and what they give put together."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate, chain
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from cranfield.arrays import Ints
from cranfield.data.judgments import Ids, Judgments
from cranfield.data.run import JudgedPlaces
from cranfield.kernels import cores
from cranfield.kernels.compiled import IdColumn, Judged, Numbering, Values
from cranfield.kernels.turns import in_turns

Chunk = tuple[Values, Values, Values, Values, Values, Values, Values, Values, list[bytes]]
"""What a scan gives: eight columns of integers, and the ids of queries that nobody judged."""
T = TypeVar("T")

MOST_THREADS = 8
"""Reading is done by one at a time; more would only wait for it."""

MOST_RETURNS = 1 << 14
"""Queries that may come back after others before all are sorted; fewer are collected once all others are done."""


class IrregularError(Exception):
    """There is something that only the plain loops can read."""


def regular(chunk: T | None) -> T:
    """What a scan gives, if it gives anything."""
    if chunk is None:
        raise IrregularError
    return chunk


_known: WeakKeyDictionary[Judgments, Judged | None] = WeakKeyDictionary()
_knowing = threading.Lock()


def judged_of(judgments: Judgments) -> Judged | None:
    """The judgments as the loops read them, made once for all runs; None for those that the loops cannot read."""
    with _knowing:
        if judgments not in _known:
            _known[judgments] = None
            if judgments.several_grades() is None:
                ids = judgments.documents
                documents, places = (ids.text, ids.starts) if isinstance(ids, Ids) else (ids, None)
                starts = np.ascontiguousarray(judgments.starts, dtype=np.int64)
                with suppress(UnicodeEncodeError):  # half a surrogate pair, which no reader lets pass
                    _known[judgments] = Judged(judgments.queries, documents, starts, places)
        return _known[judgments]


def remember(judgments: Judgments, judged: Judged) -> None:
    """Let judgments that the loops have read be known to them."""
    with _knowing:
        _known[judgments] = judged


def each(take: Callable[[], T | None], scanned: Callable[[T], Chunk | None], threads: int | None = None) -> list[Chunk]:
    """What every chunk gives, in their order."""
    return in_turns(take, lambda chunk: regular(scanned(chunk)), threads or min(MOST_THREADS, cores()))


class MixedUpError(Exception):
    """Most queries come back again and again: what each part of them gives is of no use and takes much memory."""


class Returns:
    """Counts queries that come back after others."""

    def __init__(self, judgments: Judgments) -> None:
        self._seen = np.zeros(len(judgments.queries), dtype=np.bool_)
        self._unknown: set[bytes] = set()
        self._returned = 0

    def note(self, chunk: Chunk | None) -> Chunk | None:
        """The same chunk, unless too many of its queries came before."""
        if chunk is not None:
            numbers = _column([chunk], 0)
            known = numbers[numbers >= 0]
            new = known[~self._seen[known]]
            self._seen[new] = True
            before = len(self._unknown)
            self._unknown.update(chunk[-1])
            self._returned += len(numbers) - len(new) - (len(self._unknown) - before)
            if self._returned > MOST_RETURNS:
                raise MixedUpError
        return chunk


def numbering_of(ids: Sequence[bytes]) -> Numbering:
    """Ids with their numbers, as they come."""
    numbering = Numbering()
    numbering.numbers_of(IdColumn(None, np.array([0, *accumulate(map(len, ids))]), b"".join(ids)), add_new=True)
    return numbering


def in_run_order(chunks: list[Chunk], queries: Numbering) -> list[Chunk]:
    """The same chunks, queries that nobody judged as they were numbered."""
    unknown = set(chain.from_iterable(chunk[-1] for chunk in chunks))
    ordered = [id_ for query in queries.names() if (id_ := query.encode()) in unknown] if unknown else []
    return [(*chunk[:-1], [] if at else ordered) for at, chunk in enumerate(chunks)]


def scattered(chunks: Sequence[Chunk], judgments: Judgments) -> list[str]:
    """The queries that come back after others."""
    numbers = _column(chunks, 0)
    times = np.bincount(numbers[numbers >= 0])
    unknown = Counter(chain.from_iterable(chunk[-1] for chunk in chunks))
    known = [judgments.queries[number] for number in np.flatnonzero(times > 1).tolist()]
    return known + [query.decode() for query, times in unknown.items() if times > 1]


def by_query(chunks: Sequence[Chunk]) -> JudgedPlaces:
    """Chunks put together, queries as the judgments have them; where one comes again, the last time counts."""
    queries, retrieved, ties, found, rows, ranks, above, tied = (_column(chunks, at) for at in range(8))
    known = np.flatnonzero(queries >= 0)
    last = np.full(queries.max(initial=-1) + 1, -1)
    last[queries[known]] = known
    last = last[last >= 0]
    if len(last) < len(queries) or (np.diff(last) < 0).any():
        moved_from = (np.cumsum(found) - found)[last]
        moved_to = np.cumsum(found[last]) - found[last]
        order = np.repeat(moved_from - moved_to, found[last]) + np.arange(found[last].sum())
        queries, retrieved, ties, found = (column[last] for column in (queries, retrieved, ties, found))
        rows, ranks, above, tied = (column[order] for column in (rows, ranks, above, tied))
    unknown = dict.fromkeys(chain.from_iterable(chunk[-1] for chunk in chunks))
    names = tuple(query.decode() for query in unknown)
    return JudgedPlaces(queries, retrieved, ties, found, rows, ranks, above, tied, names)


def _column(chunks: Sequence[Chunk], at: int) -> Ints:
    parts = [np.frombuffer(memoryview(chunk[at]), dtype=np.int64) for chunk in chunks]  # type: ignore[arg-type]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype=np.int64), *parts])
