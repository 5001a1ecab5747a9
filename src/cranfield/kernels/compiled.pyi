from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

SLACK: int
ORDERS: tuple[str, ...]

_Chunk = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, list[bytes]]
_Judgments = tuple[tuple[str, ...], bytes, bytes, bytes, bytes]

class Judged:
    def __init__(
        self,
        queries: tuple[str, ...],
        documents: Sequence[str] | bytes,
        starts: Sequence[int],
        document_starts: npt.NDArray[np.int64] | None = None,
    ) -> None: ...

def scan(judged: Judged, buffer: bytearray, end: int, *, ties: str, single: bool) -> _Chunk | None: ...
def cut(buffer: bytearray, end: int) -> int: ...
def gather(buffer: bytearray, end: int, lines: dict[bytes, bytearray]) -> None: ...
def number_in(field: bytes) -> float | None: ...
def judgments_in(buffer: bytearray, end: int, *, fields: int, largest: float) -> _Judgments | None: ...
def judgments_in_dictionary(given: object, *, largest: float, types: frozenset[type]) -> _Judgments | None: ...
def scan_dictionary(
    judged: Judged, run: object, *, ties: str, single: bool, types: frozenset[type]
) -> _Chunk | None: ...
