from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

SLACK: int
ORDERS: tuple[str, ...]

class Values:
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

_Chunk = tuple[Values, Values, Values, Values, Values, Values, Values, Values, list[bytes]]
_Judgments = tuple[tuple[str, ...], bytes, bytes, bytes, bytes]

class IdColumn:
    def __init__(
        self,
        numbers: npt.NDArray[np.int64] | None = None,
        starts: npt.NDArray[np.int64] | None = None,
        text: npt.NDArray[np.uint8] | bytes | bytearray | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> bytes: ...
    def edges(self) -> tuple[int, int]: ...

class Numbering:
    def __len__(self) -> int: ...
    def names(self) -> tuple[str, ...]: ...
    def numbers_of(self, column: IdColumn, *, add_new: bool) -> bytearray | None: ...

def numbers_of_fields(data: bytes, delimiter: bytes, columns: list[Numbering]) -> list[bytearray] | None: ...

class Gathering:
    @property
    def queries(self) -> Numbering: ...
    def __init__(self, *, largest: float) -> None: ...
    def add(self, queries: IdColumn, documents: IdColumn, grades: npt.NDArray[np.float64]) -> bool: ...
    def together(self) -> tuple[tuple[str, ...], bytearray, bytearray, bytearray, bytearray] | None: ...

class Judged:
    def __init__(
        self,
        queries: tuple[str, ...],
        documents: Sequence[str] | bytes | bytearray,
        starts: npt.NDArray[np.int64],
        document_starts: npt.NDArray[np.int64] | None = None,
        numbered: Numbering | None = None,
    ) -> None: ...

def scan(
    judged: Judged, buffer: bytearray, end: int, *, ties: str, single: bool, tag: bytes | None = None
) -> _Chunk | None: ...
def scan_columns(
    judged: Judged,
    queries: IdColumn,
    documents: IdColumn,
    scores: npt.NDArray[np.float64],
    ranks: npt.NDArray[np.float64] | None,
    *,
    ties: str,
    single: bool,
) -> _Chunk | None: ...
def first_documents(buffer: bytearray, end: int, *, depth: int, ties: str, single: bool) -> bytes | None: ...
def cut(buffer: bytearray, end: int) -> int: ...
def sort_into(parts: list[bytearray], queries: Numbering, buffer: bytearray, end: int, *, add_new: bool) -> bool: ...
def side_by_side(part: bytes | bytearray) -> tuple[bytearray, int]: ...
def sort_rows_into(
    parts: list[bytearray],
    queries: Numbering,
    ids: IdColumn,
    documents: IdColumn,
    scores: npt.NDArray[np.float64],
    ranks: npt.NDArray[np.float64] | None,
    *,
    add_new: bool,
) -> bool: ...
def rows_side_by_side(
    part: bytes | bytearray, queries: Numbering, first: int, step: int, *, has_ranks: bool
) -> tuple[IdColumn, IdColumn, bytearray, bytearray | None]: ...
def fill_lines(
    lines: npt.NDArray[np.float64],
    flat: npt.NDArray[np.float64] | npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    queries: npt.NDArray[np.int64],
    filler: float,
) -> None: ...
def sum_of(values: npt.NDArray[np.float64]) -> float | None: ...
def count_apart(
    sums: npt.NDArray[np.float64],
    one: int,
    others: npt.NDArray[np.int64],
    least: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
) -> None: ...
def count_same_judge(
    given: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    block: int,
    shares: npt.NDArray[np.float64],
    same: npt.NDArray[np.float64],
    judges: npt.NDArray[np.float64],
) -> None: ...
def number_in(field: bytes) -> float | None: ...
def judgments_in(buffer: bytearray, end: int, *, fields: int, largest: float) -> _Judgments | None: ...
def grouped_judgments_in(
    buffer: bytearray, end: int, *, largest: float
) -> tuple[_Judgments, tuple[bytes, bytes, bytes, bytes, bytes]] | None: ...

PARTS_OF_CLICKS: tuple[str, ...]

class ClickRows:
    def __init__(
        self,
        *,
        sessions: Numbering,
        queries: Numbering,
        impressions: Numbering,
        documents: Numbering,
        places: Mapping[str, int] | None = None,
        names: Mapping[str, bytes] | None = None,
        refused: Sequence[bytes] = (),
        width: int = 0,
        clicks_are_ranks: bool = False,
        least_propensity: float = 0,
        before: int = 0,
    ) -> None: ...
    def read(
        self, buffer: bytearray, end: int, first_line: int, *, delimiter: bytes | None = None
    ) -> tuple[int, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes] | None: ...

NAMES_OF_UBI: tuple[tuple[bytes, ...], ...]

class UbiRecords:
    def __init__(
        self,
        *,
        queries: Numbering,
        texts: Numbering,
        sessions: Numbering,
        documents: Numbering,
        actions: Numbering,
        clicks: Sequence[bytes],
        refused: Sequence[bytes] = (),
    ) -> None: ...
    def read(
        self, buffer: bytearray, end: int, first_line: int
    ) -> (
        tuple[int, int, int, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes] | None
    ): ...

def renumbered(ours: Numbering, theirs: Numbering, numbers: npt.NDArray[np.int32]) -> bytes: ...
def mark_clicked(
    starts: npt.NDArray[np.int64],
    documents: npt.NDArray[np.int32],
    lists: npt.NDArray[np.int32],
    clicks: npt.NDArray[np.int32],
) -> tuple[bytearray, bytearray]: ...

class ChainChunk:
    def __init__(
        self,
        pair: npt.NDArray[np.int32],
        click: npt.NDArray[np.uint8],
        shown: npt.NDArray[np.uint8],
        last: npt.NDArray[np.int32],
        weight: npt.NDArray[np.float64],
        pairs: int,
    ) -> None: ...
    def sums(
        self,
        attraction: npt.NDArray[np.float64],
        satisfaction: npt.NDArray[np.float64] | None,
        goes_on: tuple[float, ...],
        looked: npt.NDArray[np.float64],
        looks: npt.NDArray[np.float64],
        clicks: npt.NDArray[np.float64],
    ) -> list[float] | None: ...

def number_keys(keys: npt.NDArray[np.int64]) -> tuple[bytes, bytes]: ...
def sum_cells(
    attraction: npt.NDArray[np.float64],
    examination: npt.NDArray[np.float64],
    pairs: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    clicks: npt.NDArray[np.float64],
    others: npt.NDArray[np.float64],
    unseen: bool,
    won: npt.NDArray[np.float64],
    tried: npt.NDArray[np.float64],
    looked: npt.NDArray[np.float64],
) -> bool: ...
def comes_again(groups: npt.NDArray[np.int32], codes: npt.NDArray[np.int32], count: int) -> bool: ...
def judgments_in_dictionary(given: object, *, largest: float, types: frozenset[type]) -> _Judgments | None: ...
def scan_dictionary(
    judged: Judged, run: object, *, ties: str, single: bool, types: frozenset[type]
) -> _Chunk | None: ...
def run_columns(data: bytes, lines: int) -> tuple[list[str], list[str], bytearray, bytearray, bytes] | None: ...
def numbers_in(documents: Sequence[str], places: dict[str, int], numbers: npt.NDArray[np.int64]) -> None: ...
def run_lines(query: str, documents: Sequence[str], scores: npt.NDArray[np.float64], tag: str) -> str: ...
def largest_in_rows(values: npt.NDArray[np.float64], largest: npt.NDArray[np.float64]) -> None: ...
def weighted_sums(
    weights: npt.NDArray[np.float64], rows: npt.NDArray[np.float64], sums: npt.NDArray[np.float64]
) -> None: ...
