"""Made-up runs and judgments in Arrow tables, sound and otherwise, from a seeded source of chance."""

from __future__ import annotations

from decimal import Decimal
from random import Random

import pyarrow as pa

NAMES = ("q1", "q2", "1", "é", "a-very-long-query", "a-very-long-query-2", "exactly8", "q\x01", "-7")
NUMBERS = (1, 2, -7, 0, 300, 99_999_999, 100_000_000, 10**16 - 1, 10**16, 2**63 - 1, -(2**63))
TEXTS = (
    *(f"d{number}" for number in range(12)),
    *("D0000001", "D00000012", "中", "😀", "\uffee", "é", "12345678", "x" * 33, "x" * 32 + "y", "a b", "10", "-1"),
)
WHOLE = (*range(12), 10, -1, 99_999_999, 100_000_000, 123_456_789_012, 10**16, 2**63 - 1, -(2**63), 12345678)
GRADES = (0, 1, 2, 3, -1, 100)
SCORES = (3.0, 2.0, 1.0, 0.5, 0.1, 0.0, -0.0, -2.5, 7.0, float("inf"), float("-inf"), 1e-40, 1e300)

TEXT_TYPES = (
    *(pa.string(), pa.large_string(), pa.string_view()),
    *(pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string())),
)
NUMBER_TYPES = (pa.int64(), pa.int64(), pa.int32(), pa.uint64(), pa.int8(), pa.dictionary(pa.int32(), pa.int64()))
SCORE_TYPES = (pa.float64(), pa.float64(), pa.float32(), pa.float16(), pa.int64(), pa.int8(), pa.uint64())
RANK_TYPES = (pa.int64(), pa.int32(), pa.uint8(), pa.float64(), pa.float32())
ODD_TYPES = (pa.binary(), pa.decimal128(38, 0), pa.float64(), pa.bool_(), pa.string(), pa.date32(), pa.null())


def random_run_table(rng: Random) -> pa.Table:
    """A run of a few queries: often sound, sometimes scattered, unsorted or tied, sometimes wrong somewhere."""
    dirt = rng.choice((0, 0, 0, 0.02, 0.2))
    queries, documents = _pools(rng)
    rows = []
    for query in rng.choices(queries, k=rng.randint(0, 6)) if rng.random() < 0.3 else rng.sample(queries, 4):
        rows += _ranking(rng, query, documents, dirt)
    if rng.random() < 0.2:
        rng.shuffle(rows)
    columns = list(zip(*rows, strict=True)) or [()] * 4
    named = {
        "qid": _ids(rng, columns[0], dirt),
        "docno": _ids(rng, columns[1], dirt),
        "score": _numbers(rng, columns[2], SCORE_TYPES, dirt),
        "rank": _numbers(rng, columns[3], RANK_TYPES, dirt),
    }
    left_out = rng.choice((None, None, "score", "rank", "rank"))
    return _cut_up(rng, pa.table({name: column for name, column in named.items() if name != left_out}))


def random_judgments_table(rng: Random) -> pa.Table:
    """Judgments of a few queries: often sound, sometimes scattered, sometimes wrong somewhere or judged twice."""
    dirt = rng.choice((0, 0, 0, 0.02, 0.2))
    queries, documents = _pools(rng)
    rows = []
    for query in rng.sample(queries, rng.randint(0, len(queries))):
        chosen = rng.sample(documents, rng.randint(0, len(documents)))
        chosen += chosen[:2] if rng.random() < dirt else []
        rows += [(query, document, rng.choice(GRADES)) for document in chosen]
    if rng.random() < 0.3:
        rng.shuffle(rows)
    columns = list(zip(*rows, strict=True)) or [()] * 3
    named = {
        "qid": _ids(rng, columns[0], dirt),
        "docno": _ids(rng, columns[1], dirt),
        "label": _numbers(rng, columns[2], SCORE_TYPES, dirt),
    }
    if rng.random() < dirt:
        named[rng.choice(("judge", "iteration", "weight", "note"))] = pa.array([1] * len(rows))
    return _cut_up(rng, pa.table(named))


def _pools(rng: Random) -> tuple[tuple[str | int, ...], tuple[str | int, ...]]:
    return rng.choice((NAMES, NUMBERS)), tuple(dict.fromkeys(rng.choice((TEXTS, WHOLE))))


def _ranking(rng: Random, query: str | int, pool: tuple[str | int, ...], dirt: float) -> list[tuple[object, ...]]:
    again = rng.random() < dirt
    documents = rng.choices(pool, k=6) if again else rng.sample(pool, rng.randint(0, len(pool)))
    scores = [rng.choice(SCORES) if rng.random() < 0.7 else rng.uniform(-9, 9) for _ in documents]
    scores.sort(reverse=True)
    first, same = rng.randint(0, 1), rng.random() < 0.3
    ranked = [(query, document, scores[at], 1 if same else first + at) for at, document in enumerate(documents)]
    if rng.random() < 0.3:
        rng.shuffle(ranked)
    if rng.random() < dirt:
        ranked = [(*row[:3], rng.randint(0, 9)) for row in ranked]
    return ranked


def _ids(rng: Random, values: tuple[object, ...], dirt: float) -> pa.ChunkedArray:
    """A column of ids of some type; a number, if it is not to be an odd one, is always within its range."""
    type_ = rng.choice(TEXT_TYPES if any(isinstance(value, str) for value in values) else NUMBER_TYPES)
    given = list(values)
    for at in range(len(given)):
        if rng.random() < dirt / 4:
            given[at] = rng.choice((None, "" if isinstance(given[at], str) else None))
    if rng.random() < dirt:
        return _odd(rng, given)
    if pa.types.is_dictionary(type_) and rng.random() < 0.5:
        return pa.chunked_array([_numbered_texts(rng, given, type_)])
    return _of_type(given, type_)


def _numbers(rng: Random, values: tuple[object, ...], types: tuple[pa.DataType, ...], dirt: float) -> pa.ChunkedArray:
    given = list(values)
    for at in range(len(given)):
        if rng.random() < dirt / 4:
            given[at] = rng.choice((None, float("nan"), 1e101, float("inf")))
    return _odd(rng, given) if rng.random() < dirt else _of_type(given, rng.choice(types))


def _of_type(values: list[object], type_: pa.DataType) -> pa.ChunkedArray:
    """The values as this type, or as one that can hold them."""
    if pa.types.is_dictionary(type_):
        return pa.chunked_array([pa.array(values, type_.value_type).dictionary_encode()]).cast(type_)
    if pa.types.is_floating(type_):
        return pa.chunked_array([pa.array(values, pa.float64()).cast(type_, safe=False)])
    try:
        return pa.chunked_array([pa.array(values, type_)])
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, ValueError):
        return pa.chunked_array([pa.array(values)])


def _numbered_texts(rng: Random, values: list[object], type_: pa.DataType) -> pa.DictionaryArray:
    """Texts by number; some have two numbers, and some numbers are never used."""
    texts = [*dict.fromkeys(value for value in values if value is not None)] * 2
    texts += [] if pa.types.is_integer(type_.value_type) else ["unused", "unused"]
    rng.shuffle(texts)
    numbers = [
        None if value is None else rng.choice([at for at, text in enumerate(texts) if text == value])
        for value in values
    ]
    return pa.DictionaryArray.from_arrays(pa.array(numbers, type_.index_type), pa.array(texts, type_.value_type))


def _odd(rng: Random, values: list[object]) -> pa.ChunkedArray:
    type_ = rng.choice(ODD_TYPES)
    try:
        if pa.types.is_decimal(type_):
            return pa.chunked_array([pa.array([None if value is None else Decimal(value) for value in values], type_)])
        return pa.chunked_array([pa.array(values).cast(type_, safe=False)])
    except (pa.ArrowException, ArithmeticError, OverflowError, TypeError, ValueError):
        return pa.chunked_array([pa.nulls(len(values), type_)])


def _cut_up(rng: Random, table: pa.Table) -> pa.Table:
    """The same rows in several chunks, some of them parts of longer arrays."""
    parts = []
    while len(table):
        rows = rng.randint(1, len(table))
        parts.append(pa.concat_tables([table.slice(0, rows), table.slice(0, 1)]).combine_chunks().slice(0, rows))
        table = table.slice(rows)
    return pa.concat_tables(parts) if parts else table
