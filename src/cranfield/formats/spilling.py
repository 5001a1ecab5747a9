"""Parts of data that may be too large to be held: in memory as long as they are small, then in a temporary file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from cranfield import errors

HELD = 1 << 27
"""Bytes that are held in memory."""


class Spill:
    """Bytes that are appended to parts, and read part by part; one temporary file takes what is too much to be held.

    >>> with spill(2) as parts:
    ...     parts.held[0] += b"ab"
    ...     parts.held[1] += b"cd"
    ...     parts.relieve()
    ...     parts.held[0] += b"ef"
    ...     print(parts.take(0), parts.take(1))
    bytearray(b'abef') bytearray(b'cd')
    """

    def __init__(self, parts: int) -> None:
        self.held = [bytearray() for _ in range(parts)]
        """What each part has in memory, to be appended to."""
        self._file: IO[bytes] | None = None
        self._pieces: list[list[tuple[int, int]]] = [[] for _ in range(parts)]

    def relieve(self) -> None:
        """Write what is held to the file, if it is too much."""
        if sum(map(len, self.held)) <= HELD:
            return
        with spilling():
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="cranfield-")  # noqa: SIM115  # closed with the parts
            for part, pieces in zip(self.held, self._pieces, strict=True):
                pieces.append((self._file.tell(), len(part)))
                self._file.write(part)
                part.clear()
            self._file.flush()

    def take(self, part: int) -> bytearray:
        """All bytes of a part, in the order they came; it is empty afterwards."""
        read = bytearray()
        for start, size in self._pieces[part]:
            assert self._file is not None
            self._file.seek(start)
            read += self._file.read(size)
        held, self.held[part] = self.held[part], bytearray()
        return read + held if read else held

    def close(self) -> None:
        """Remove the file."""
        if self._file is not None:
            self._file.close()


@contextmanager
def spilling(why: str = "rows not grouped by query are sorted there") -> Iterator[None]:
    """Turn what writing to a temporary file may raise into words."""
    try:
        yield
    except OSError as error:
        raise errors.files.cannot_spill(tempfile.gettempdir(), error.strerror or str(error), why) from None


@contextmanager
def spill(parts: int) -> Iterator[Spill]:
    """So many parts of data, and the file that they need as long as they are needed."""
    spilled = Spill(parts)
    try:
        yield spilled
    finally:
        spilled.close()
