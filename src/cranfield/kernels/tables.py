"""Runs and judgments in Arrow tables, without a Python object for any row.

Rows come in pieces: Arrow arrays by role. A run's are cut so that every query is whole, and scanned by threads in turn.
What has no simple type, or is missing somewhere, is irregular, and the plain loops read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import types

from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Ids, Judgments
from cranfield.data.run import JudgedPlaces
from cranfield.errors import DataError
from cranfield.errors.rows import LARGEST_GRADE
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
    remember,
    scattered,
)
from cranfield.kernels.compiled import (
    Gathering,
    IdColumn,
    Judged,
    Numbering,
    rows_side_by_side,
    scan_columns,
    sort_rows_into,
)
from cranfield.kernels.qrels import judgments_of

Piece = Mapping[str, Any]
"""Some rows: an Arrow array for each role."""
Reading = Callable[[], Iterator[Piece]]
"""Reads a table from its start."""
Rows = tuple[IdColumn, IdColumn, Floats, Floats | None]
"""Rows of whole queries: queries, documents, scores, and ranks where there are such."""
Scan = Callable[[Rows], Chunk | None]

ROWS = 1 << 17
"""Rows read at once: enough to make Python's part small."""
FEW = ROWS // 8
"""Fewer rows are put together with those that follow."""
PARTS = 256
"""Parts into which the rows of scattered queries are sorted; one after the other is held in memory as a whole."""


def judgments(read: Reading, path: str | None) -> Judgments | None:
    """The judgments of a table with queries, documents and grades, or None if only the plain loops can read them."""
    gathering = Gathering(largest=LARGEST_GRADE)
    try:
        for piece in _sizeable(read()):
            if not gathering.add(_ids(piece["query"]), _ids(piece["document"]), _numbers(piece["grade"])):
                return None
    except _TROUBLE:
        return None
    together = judgments_of(gathering.together(), path)
    if together is not None:
        ids = together.documents
        assert isinstance(ids, Ids)
        remember(together, Judged(together.queries, ids.text, together.starts, ids.starts, gathering.queries))
    return together


def places(
    read: Reading, judgments: Judgments, *, ties: str, single: bool, threads: int | None = None
) -> JudgedPlaces | None:
    """The places of all judged documents in a table, or None if only the plain loops can say what is there.

    The table has queries, documents, and scores, ranks or both.
    """
    judged = judged_of(judgments)
    if judged is None:
        return None

    def scanned(rows: Rows) -> Chunk | None:
        return scan_columns(judged, *rows, ties=ties, single=single)

    try:
        chunks = _chunks(read, judgments, scanned, threads)
    except _TROUBLE:
        return None
    return by_query(chunks) if chunks else None


class _GapsError(IrregularError):
    """Ranks that are not 1, 2, 3 … within each query, or not as long as some of its rows are elsewhere."""


_TROUBLE = (DataError, IrregularError, pa.ArrowException)
"""Whatever is wrong, the plain loops meet it too and find the words."""


def _chunks(read: Reading, judgments: Judgments, scanned: Scan, threads: int | None) -> list[Chunk]:
    """What all rows give; those of queries that come back are read again, together."""
    returns = Returns(judgments)
    whole = _whole_queries(_sizeable(read()))
    try:
        chunks = each(lambda: next(whole, None), lambda piece: returns.note(scanned(_rows_of(piece))), threads)
    except (MixedUpError, _GapsError):
        return _sorted(read(), None, scanned, threads)
    returning = scattered(chunks, judgments)
    return chunks + _sorted(read(), returning, scanned, threads) if returning else chunks


# Rows


def _sizeable(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The same rows in pieces that are worth the trouble."""
    few: list[Piece] = []
    rows = 0
    for piece in pieces:
        few.append(piece)
        rows += len(piece["query"])
        if rows >= FEW:
            yield _joined(few)
            few, rows = [], 0
    if rows:
        yield _joined(few)


def _whole_queries(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The same rows, cut where queries end; one that comes back after others is in several pieces all the same."""
    begun: list[Piece] = []
    query = None
    for piece in pieces:
        queries = _ids(piece["query"])
        first, last = queries.edges()
        if queries[0] != query:
            first = 0
        elif first == len(queries):
            begun.append(piece)
            continue
        if begun:
            yield _joined([*begun, *([_part(piece, 0, first)] if first else [])])
        if first < last:
            yield _part(piece, first, last)
        begun, query = [_part(piece, last, len(queries))], queries[len(queries) - 1]
    if begun:
        yield _joined(begun)


def _sorted(pieces: Iterable[Piece], queries: Sequence[str] | None, scanned: Scan, threads: int | None) -> list[Chunk]:
    """What all queries give, or some of them, wherever in the table their rows are."""
    from cranfield.formats.spilling import spill

    numbering = numbering_of([query.encode() for query in queries or ()])
    has_scores = has_ranks = False
    with spill(PARTS) as parts:
        for piece in pieces:
            has_scores, has_ranks = "score" in piece, "score" in piece and "rank" in piece
            values = _numbers(piece["score" if has_scores else "rank"])
            ranks = _numbers(piece["rank"]) if has_ranks else None
            ids = _ids(piece["query"]), _ids(piece["document"])
            if not sort_rows_into(parts.held, numbering, *ids, values, ranks, add_new=queries is None):
                raise IrregularError
            parts.relieve()

        def rows_of(at: int, part: bytearray) -> Rows:
            ids, documents, *held = rows_side_by_side(part, numbering, at, PARTS, has_ranks=has_ranks)
            values, ranks = (None if one is None else np.frombuffer(one, dtype=np.float64) for one in held)
            assert values is not None
            return (ids, documents, values, ranks) if has_scores else (ids, documents, _negated(values, ids), None)

        whole = (rows_of(at, part) for at in range(PARTS) if (part := parts.take(at)))
        chunks = each(lambda: next(whole, None), scanned, threads)
    return in_run_order(chunks, numbering)


def _numbers_of(numbering: Numbering, ids: IdColumn, *, add_new: bool) -> Ints:
    numbers = numbering.numbers_of(ids, add_new=add_new)
    if numbers is None:
        raise IrregularError
    return np.frombuffer(numbers, dtype=np.int64)


def _part(piece: Piece, start: int, end: int) -> Piece:
    return {role: array.slice(start, end - start) for role, array in piece.items()}


def _joined(pieces: Sequence[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    return {role: pa.concat_arrays([_decoded(piece[role]) for piece in pieces]) for role in pieces[0]}


def _decoded(array: Any) -> Any:
    """Texts themselves rather than their numbers, which in every piece may be others."""
    return array.dictionary_decode() if types.is_dictionary(array.type) else array


# Values


def _ids(array: Any) -> IdColumn:
    if types.is_dictionary(array.type) and types.is_integer(array.type.value_type):
        array = array.dictionary_decode()
    try:
        if types.is_integer(array.type):
            return IdColumn(_whole_numbers(array))
        if types.is_dictionary(array.type):
            return IdColumn(_whole_numbers(array.indices), *_texts(array.dictionary))
        return IdColumn(None, *_texts(array))
    except ValueError:  # the table is damaged
        raise IrregularError from None


def _texts(array: Any) -> tuple[Ints, npt.NDArray[np.uint8]]:
    """Where texts begin, and their bytes."""
    if types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    if array.null_count or array.type not in _WIDTHS:
        raise IrregularError
    if not len(array):
        return np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    _, starts, text = array.buffers()
    own = np.frombuffer(starts, dtype=_WIDTHS[array.type])[array.offset : array.offset + len(array) + 1]
    return own.astype(np.int64, copy=False), np.frombuffer(text or b"", dtype=np.uint8)


def _whole_numbers(array: Any) -> Ints:
    numbers = _values(array)
    if numbers.dtype.kind == "f" or (numbers.dtype == np.uint64 and (numbers > np.iinfo(np.int64).max).any()):
        raise IrregularError
    return numbers.astype(np.int64, copy=False)


def _numbers(array: Any) -> Floats:
    return _values(array).astype(np.float64, copy=False)


def _values(array: Any) -> npt.NDArray[Any]:
    """Numbers where they are; pyarrow's own way there imports pandas, which takes longer than to read a large file."""
    if array.null_count or array.type not in _NUMBERS:
        raise IrregularError
    buffer = array.buffers()[1]
    return np.frombuffer(buffer or b"", dtype=_NUMBERS[array.type])[array.offset : array.offset + len(array)]


_KINDS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64"
_NUMBERS = {pa.from_numpy_dtype(kind): np.dtype(kind) for kind in _KINDS.split()}
_WIDTHS: dict[Any, np.dtype[Any]] = {pa.string(): np.dtype(np.int32), pa.large_string(): np.dtype(np.int64)}


def _are_counted(ranks: Floats, numbers: Ints) -> bool:
    """Whether ranks are 1, 2, 3 … within each query, in any order."""
    begins = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
    sizes = np.diff(np.append(begins, len(ranks)))
    counted = np.arange(1, len(ranks) + 1) - np.repeat(begins, sizes)
    if (ranks == counted).all():
        return True
    in_order = np.lexsort((ranks, np.repeat(begins, sizes)))
    return bool((ranks[in_order] == counted).all())


def _rows_of(piece: Piece) -> Rows:
    """Rows with scores, and the ranks to compare them with; without scores the ranks are the positions."""
    queries, documents = _ids(piece["query"]), _ids(piece["document"])
    if "score" in piece:
        return queries, documents, _numbers(piece["score"]), _numbers(piece["rank"]) if "rank" in piece else None
    return queries, documents, _negated(_numbers(piece["rank"]), queries), None


def _negated(ranks: Floats, queries: IdColumn) -> Floats:
    """Ranks as scores.

    The loops take positions from the order: of ranks that are not 1, 2, 3 … within each query they know nothing.
    """
    if not _are_counted(ranks, _numbers_of(Numbering(), queries, add_new=True)):
        raise _GapsError
    return -ranks
