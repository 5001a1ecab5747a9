"""A TREC run from its bytes to the places of judged documents, in one pass and on every core.

The text is cut into chunks of whole queries. Threads take turns at reading the next chunk, and scan theirs while
others read; results are put together in the order of the file, so that nothing depends on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import BinaryIO

from cranfield.data.judgments import Judgments
from cranfield.data.run import JudgedPlaces
from cranfield.errors import DataError
from cranfield.errors.delimited_text import LONGEST_LINE
from cranfield.kernels.chunks import (
    Chunk,
    IrregularError,
    MixedUpError,
    Returns,
    by_query,
    each,
    in_run_order,
    judged_of,
    numbering_of,
    regular,
    scattered,
)
from cranfield.kernels.compiled import SLACK, cut, first_documents, scan, side_by_side, sort_into

Opening = Callable[[], AbstractContextManager[BinaryIO]]
Text = tuple[bytearray, int]
"""Whole lines: the room they are in, and where they end there."""

CHUNK = 1 << 19
"""Bytes read at once: enough to make Python's part small, and little enough to stay in the processor's cache."""

PARTS = 256
"""Parts into which the lines of scattered queries are sorted; one after the other is held in memory as a whole."""

MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Bytes at the start of a text that tell its encoding; the plain loops take them off, or say what is wrong."""


def places(
    opening: Opening, judgments: Judgments, *, ties: str, single: bool, threads: int | None = None, size: int = CHUNK
) -> JudgedPlaces | None:
    """The places of all judged documents in a TREC run, or None if only the plain loops can say what is there."""
    judged = judged_of(judgments)
    if judged is None:
        return None

    texts: _Texts
    returns = Returns(judgments)

    def scanned(text: Text) -> Chunk | None:
        room, end = text
        return scan(judged, room, end, ties=ties, single=single, tag=texts.tag)

    def noted(text: Text) -> Chunk | None:
        chunk = returns.note(scanned(text))
        texts.rooms.append(text[0])
        return chunk

    try:
        try:
            with opening() as opened:
                texts = _Texts(opened, size)
                chunks = each(texts.take, noted, threads)
        except MixedUpError:
            chunks = _sorted(opening, None, scanned, threads, size)
        else:
            if returning := scattered(chunks, judgments):
                chunks += _sorted(opening, returning, scanned, threads, size)
    except (DataError, IrregularError):
        return None  # whatever is wrong, the plain loops meet it too and find the words
    return by_query(chunks) if chunks else None


def firsts(
    opening: Opening, depth: int, *, ties: str, single: bool, size: int = CHUNK
) -> dict[str, tuple[str, ...]] | None:
    """The first documents of every query of a TREC run, best first, or None if only the plain loops can say."""
    found: dict[str, tuple[str, ...]] = {}
    queries = 0
    try:
        with opening() as opened:
            texts = _Texts(opened, size)
            while (text := texts.take()) is not None:
                lines = regular(first_documents(*text, depth=depth, ties=ties, single=single))
                texts.rooms.append(text[0])
                for query, *documents in (line.split("\t") for line in lines.decode().split("\n")[:-1]):
                    found[query] = tuple(documents)
                    queries += 1
    except (DataError, IrregularError):
        return None
    return found if queries == len(found) else None  # a query that comes back is not complete in either place


@dataclass(eq=False)
class _Texts:
    """Hands out a text in chunks of whole queries."""

    opened: BinaryIO
    size: int
    rooms: list[bytearray] = field(default_factory=list)
    """What chunks stood in that were scanned: there is room for others."""
    begun: bool = False
    tag: bytes | None = None
    """What the first line ends with, and all others should."""
    carried: bytes = b""
    ended: bool = False

    def take(self) -> Text | None:
        """The next chunk; None after the last one."""
        room = self.rooms.pop() if self.rooms else bytearray()
        while True:
            end = len(self.carried)
            if len(room) < end + self.size + SLACK:
                room = bytearray(2 * end + self.size + SLACK)
            room[:end] = self.carried
            end = self._fill(room, end)
            if not self.begun and room.startswith(MARKS):
                raise IrregularError
            if self.ended:
                if end and room[end - 1] != ord("\n"):
                    room[end] = ord("\n")
                    end += 1
                whole = end
            else:
                whole = cut(room, end)
            self.carried = bytes(memoryview(room)[whole:end])
            if len(self.carried) > LONGEST_LINE and b"\n" not in self.carried:
                raise IrregularError
            if whole or self.ended:
                if not self.begun:
                    first = bytes(memoryview(room)[:whole]).lstrip().split(b"\n", 1)[0].split()
                    self.tag = first[-1] if first else None
                self.begun = True
                return (room, whole) if whole else None

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


def _sorted(
    opening: Opening,
    queries: Sequence[str] | None,
    scanned: Callable[[Text], Chunk | None],
    threads: int | None,
    size: int,
) -> list[Chunk]:
    """What all queries give, or some of them, wherever in the file their lines are."""
    from cranfield.formats.spilling import spill

    numbering = numbering_of([query.encode() for query in queries or ()])
    with spill(PARTS) as parts:
        with opening() as opened:
            texts = _Texts(opened, size)
            while (text := texts.take()) is not None:
                if not sort_into(parts.held, numbering, *text, add_new=queries is None):
                    raise IrregularError
                parts.relieve()
                texts.rooms.append(text[0])
        whole = (side_by_side(part) for part in map(parts.take, range(PARTS)) if part)
        chunks = each(lambda: next(whole, None), scanned, threads)
    return in_run_order(chunks, numbering)
