"""A TREC run from its bytes to the places of judged documents, in one pass and on every core.

The text is cut into chunks of whole queries. Threads take turns at reading the next chunk, and scan theirs while
others read; results are put together in the order of the file, so that nothing depends on how many threads there are.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import chain
from typing import BinaryIO
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from cranfield.errors import DataError
from cranfield.ids import Ids
from cranfield.judgments import Judgments
from cranfield.kernels import cores
from cranfield.kernels.compiled import SLACK, Judged, cut, gather, scan
from cranfield.run import Places

Ints = npt.NDArray[np.int64]
Chunk = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, list[bytes]]
"""What `scan` gives: eight columns of integers, and the ids of queries that nobody judged."""
Opening = Callable[[], AbstractContextManager[BinaryIO]]

CHUNK = 1 << 19
"""Bytes read at once: enough to make Python's part small, and little enough to stay in the processor's cache."""
MOST_THREADS = 8
"""Reading is done by one at a time; more would only wait for it."""

MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Bytes at the start of a text that tell its encoding; the plain loops take them off, or say what is wrong."""


def places(
    opening: Opening, judgments: Judgments, *, ties: str, single: bool, threads: int | None = None, size: int = CHUNK
) -> Places | None:
    """The places of all judged documents in a TREC run, or None if only the plain loops can say what is there."""
    judged = judged_of(judgments)
    if judged is None:
        return None

    def scanned(room: bytearray, end: int) -> Chunk | None:
        return scan(judged, room, end, ties=ties, single=single)

    try:
        chunks = _each(opening, scanned, threads or min(MOST_THREADS, cores()), size)
        scattered = _scattered(chunks, judgments)
        if scattered:
            chunks += _complete(opening, scattered, scanned, size)
    except (DataError, _IrregularError):
        return None  # whatever is wrong, the plain loops meet it too and find the words
    return by_query(chunks) if chunks else None


class _IrregularError(Exception):
    """The text holds something that only the plain loops can read."""


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
                with suppress(UnicodeEncodeError):  # half a surrogate pair, which no reader lets pass
                    _known[judgments] = Judged(judgments.queries, documents, judgments.starts.tolist(), places)
        return _known[judgments]


class _Chunks:
    """Hands out a text in chunks of whole queries to whoever asks next."""

    def __init__(self, opened: BinaryIO, size: int) -> None:
        self.opened = opened
        self.size = size
        self.turn = threading.Lock()
        self.count = 0
        self.carried = b""
        self.ended = False

    def next_into(self, room: bytearray) -> tuple[int, bytearray, int]:
        """The number of the next chunk, the room it is in, larger if it must, and its end; 0 after the last chunk."""
        with self.turn:
            while True:
                end = len(self.carried)
                if len(room) < end + self.size + SLACK:
                    room = bytearray(2 * end + self.size + SLACK)
                room[:end] = self.carried
                end = self._fill(room, end)
                if not self.count and room.startswith(MARKS):
                    raise _IrregularError
                if self.ended:
                    if end and room[end - 1] != ord("\n"):
                        room[end] = ord("\n")
                        end += 1
                    whole = end
                else:
                    whole = cut(room, end)
                self.carried = bytes(memoryview(room)[whole:end])
                if whole or self.ended:
                    self.count += 1
                    return self.count - 1, room, whole

    def _fill(self, room: bytearray, end: int) -> int:
        """Read up to the end of the room."""
        if self.ended:
            return end
        with memoryview(room) as view:
            while end < len(room) - SLACK:
                read = self.opened.readinto(view[end : len(room) - SLACK])  # type: ignore[attr-defined]
                if not read:
                    self.ended = True
                    break
                end += read
        return end


def _each(opening: Opening, scanned: Callable[[bytearray, int], Chunk | None], threads: int, size: int) -> list[Chunk]:
    """What every chunk gives, in the order of the file."""
    results: dict[int, Chunk] = {}
    failures: list[BaseException] = []

    def work(number: int, room: bytearray, end: int) -> None:
        while end and not failures:
            results[number] = _regular(scanned(room, end))
            number, room, end = chunks.next_into(room)

    def help_out() -> None:
        try:
            work(*chunks.next_into(bytearray()))
        except BaseException as error:  # raised where the work was asked for
            failures.append(error)

    with opening() as opened:
        chunks = _Chunks(opened, size)
        first = chunks.next_into(bytearray())
        others = [] if chunks.ended else [threading.Thread(target=help_out) for _ in range(threads - 1)]
        for other in others:
            other.start()
        try:
            work(*first)
        except BaseException as error:
            failures.append(error)
        for other in others:
            other.join()
        if failures:
            raise failures[0]
    return [results[number] for number in sorted(results)]


def _regular(chunk: Chunk | None) -> Chunk:
    if chunk is None:
        raise _IrregularError
    return chunk


def _scattered(chunks: Sequence[Chunk], judgments: Judgments) -> list[bytes]:
    """The queries that come back after others."""
    numbers, times = np.unique(_column(chunks, 0), return_counts=True)
    unknown = Counter(chain.from_iterable(chunk[-1] for chunk in chunks))
    known = [judgments.queries[number].encode() for number in numbers[(times > 1) & (numbers >= 0)].tolist()]
    return known + [query for query, times in unknown.items() if times > 1]


def _complete(
    opening: Opening, queries: Sequence[bytes], scanned: Callable[[bytearray, int], Chunk | None], size: int
) -> list[Chunk]:
    """What some queries give, wherever in the file their lines are."""
    lines = {query: bytearray() for query in queries}
    with opening() as opened:
        chunks = _Chunks(opened, size)
        _, room, end = chunks.next_into(bytearray())
        while end:
            gather(room, end, lines)
            _, room, end = chunks.next_into(room)
    return [_regular(scanned(own + bytes(SLACK), len(own))) for own in lines.values()]


def by_query(chunks: Sequence[Chunk]) -> Places:
    """Chunks put together, queries as the judgments have them; where one comes again, the last time counts."""
    queries, retrieved, ties, found = (_column(chunks, at) for at in range(4))
    _, from_last = np.unique(queries[::-1], return_index=True)
    last = len(queries) - 1 - from_last
    last = last[queries[last] >= 0]
    moved_from = (np.cumsum(found) - found)[last]
    moved_to = np.cumsum(found[last]) - found[last]
    order = np.repeat(moved_from - moved_to, found[last]) + np.arange(found[last].sum())
    unknown = dict.fromkeys(chain.from_iterable(chunk[-1] for chunk in chunks))
    return Places(
        queries=queries[last],
        retrieved=retrieved[last],
        ties=ties[last],
        found=found[last],
        rows=_column(chunks, 4)[order],
        ranks=_column(chunks, 5)[order],
        above=_column(chunks, 6)[order],
        tied=_column(chunks, 7)[order],
        unknown=tuple(query.decode() for query in unknown),
    )


def _column(chunks: Sequence[Chunk], at: int) -> Ints:
    return np.frombuffer(b"".join(chunk[at] for chunk in chunks), dtype=np.int64)  # type: ignore[misc]
