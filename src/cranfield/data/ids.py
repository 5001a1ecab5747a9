"""Ids of which there are many, each made a string only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

from cranfield.arrays import Ints


class Ids(Sequence[str]):
    """A sequence of ids that stand one after the other in one UTF-8 text.

    >>> import numpy as np
    >>> ids = Ids(b"d1d22d3", np.array([0, 2, 5, 7]))
    >>> ids[1], ids[1:], len(ids)
    ('d22', ('d22', 'd3'), 3)
    """

    def __init__(self, text: bytes | bytearray, starts: Ints) -> None:
        self.text = text
        self.starts = starts
        """Where each id begins in the text; one more entry marks the end."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            first, end, step = at.indices(len(self))
            return self._between(first, end) if step == 1 else tuple(self)[at]
        place = range(len(self))[at]
        return self.text[self.starts[place] : self.starts[place + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self._between(0, len(self)))

    def _between(self, first: int, end: int) -> tuple[str, ...]:
        if first >= end:
            return ()
        part = self.text[self.starts[first] : self.starts[end]]
        starts = (self.starts[first : end + 1] - self.starts[first]).tolist()
        places = pairwise(starts)
        if part.isascii():  # a character for each byte
            text = part.decode()
            return tuple([text[start:stop] for start, stop in places])
        return tuple([part[start:stop].decode() for start, stop in places])
