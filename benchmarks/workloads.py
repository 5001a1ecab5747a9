"""Made-up collections of stated shapes, from a fixed seed; no two scores of a query are equal."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Dictionary = dict[Any, dict[Any, float]]

AT_ONCE = 1 << 20
"""Documents that are made together: some queries' worth, so that a hundred million lines need no more memory."""

NEAREST, FARTHEST = 10, 20_000
"""Millionths between the scores of neighbours; the nearest still differ in 32 bits, as trec_eval 9 holds them."""


class Part(NamedTuple):
    """Some queries: a row for each, with what was retrieved, best first, and what was judged."""

    queries: Ints
    retrieved: Ints
    scores: Ints
    """In millionths."""
    judged: Ints
    grades: Ints


@dataclass(frozen=True)
class Workload:
    """So many queries, documents and judgments per query, grades up to the largest."""

    name: str
    queries: int
    depth: int
    judged: int
    largest_grade: int
    documents: int = 7_999_993
    """How many documents there are to choose from: a prime number."""

    def __str__(self) -> str:
        judgments = "1 judgment" if self.judged == 1 else f"{self.judged:,} judgments"
        return f"{self.queries:,} queries × {self.depth:,} documents, {judgments} a query"

    @property
    def lines(self) -> int:
        """How many documents the run holds."""
        return self.queries * self.depth

    def with_queries(self, queries: int) -> Workload:
        """The same with so many queries."""
        return replace(self, queries=queries)

    def parts(self) -> Iterator[Part]:
        """All queries, some at a time; half of the judged documents are retrieved."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        found = min((self.judged + 1) // 2, self.depth)
        at_once = max(AT_ONCE // (self.depth + self.judged), 1)
        for first in range(1, self.queries + 1, at_once):
            queries = np.arange(first, min(first + at_once, self.queries + 1))
            documents = _distinct(rng, len(queries), self.depth + self.judged - found, self.documents)
            retrieved, missed = documents[:, : self.depth], documents[:, self.depth :]
            # Rather the first than the last: a run that is worth evaluating.
            chosen = np.argsort(rng.random(retrieved.shape) * np.arange(1, self.depth + 1), axis=1)[:, :found]
            judged = np.concatenate([np.take_along_axis(retrieved, chosen, axis=1), missed], axis=1)
            # A single judgment of a query is of a relevant document.
            grades = rng.integers(1 if self.judged == 1 else 0, self.largest_grade + 1, judged.shape)
            gaps = rng.integers(NEAREST, FARTHEST, retrieved.shape)
            yield Part(queries, retrieved, 60_000_000 - np.cumsum(gaps, axis=1), judged, grades)

    def write(self, directory: Path) -> tuple[Path, Path]:
        """Judgments and a run as TREC files."""
        qrels, run = directory / f"{self.name}.qrels", directory / f"{self.name}.run"
        with qrels.open("wb") as judgments, run.open("wb") as rankings:
            for part in self.parts():
                query = _digits(np.repeat(part.queries, part.judged.shape[1]))
                judgments.write(_lines(query, b" 0 D", _digits(part.judged, 7), b" ", _digits(part.grades)))
                query = _digits(np.repeat(part.queries, self.depth))
                rank = _digits(np.tile(np.arange(1, self.depth + 1), len(part.queries)))
                whole, decimals = np.divmod(part.scores, 1_000_000)
                score = (_digits(whole), b".", _digits(decimals, 6))
                document = _digits(part.retrieved, 7)
                rankings.write(_lines(query, b" Q0 D", document, b" ", rank, b" ", *score, b" made"))
        return qrels, run

    def write_shuffled(self, directory: Path) -> tuple[Path, Path]:
        """The same files, lines of the run in any order."""
        qrels, run = self.write(directory)
        lines = run.read_bytes().splitlines(keepends=True)
        Random(self.name).shuffle(lines)
        with run.open("wb") as written:
            written.writelines(lines)
        return qrels, run

    def dictionaries(self, *, numbered: bool = False) -> tuple[Dictionary, Dictionary]:
        """Judgments and a run by query and document; their ids are strings, or stay whole numbers."""
        query_id, document_id = (int, int) if numbered else (str, "D{:07d}".format)
        qrels: Dictionary = {}
        run: Dictionary = {}
        for part in self.parts():
            columns = (part.queries, part.retrieved, part.scores / 1_000_000, part.judged, part.grades)
            for query, retrieved, scores, judged, grades in zip(*(column.tolist() for column in columns), strict=True):
                qrels[query_id(query)] = dict(zip(map(document_id, judged), grades, strict=True))
                run[query_id(query)] = dict(zip(map(document_id, retrieved), scores, strict=True))
        return qrels, run

    def write_parquet(self, directory: Path) -> tuple[Path, Path]:
        """Judgments and a run as Parquet files with whole numbers as ids."""
        import pyarrow
        import pyarrow.parquet

        qrels, run = directory / f"{self.name}.qrels.parquet", directory / f"{self.name}.run.parquet"
        parts = list(self.parts())

        def column(values: Sequence[Ints]) -> Ints:
            return np.concatenate([value.ravel() for value in values])

        def users(of: Sequence[Ints]) -> Ints:
            return column([np.repeat(p.queries, some.shape[1]) for p, some in zip(parts, of, strict=True)])

        judged, retrieved = [part.judged for part in parts], [part.retrieved for part in parts]
        grades = {"user_id": users(judged), "item_id": column(judged), "rating": column([p.grades for p in parts])}
        scores = column([part.scores for part in parts]) / 1_000_000
        ranked = {"user_id": users(retrieved), "item_id": column(retrieved), "score": scores}
        for path, columns in ((qrels, grades), (run, ranked)):
            pyarrow.parquet.write_table(pyarrow.table(columns), path)
        return qrels, run

    def write_tables(self, directory: Path, *, scattered: bool) -> tuple[Path, Path]:
        """One judgment a query and a run as Parquet files with texts as ids, whatever their size.

        Rows are grouped by query, or every next row is of another one; the scores of both are the same.
        """
        import pyarrow
        import pyarrow.parquet

        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        first, step = rng.integers(0, self.documents, self.queries), rng.integers(1, self.documents, self.queries)
        found = rng.integers(0, self.depth, self.queries)

        def table(queries: Ints, ranks: Ints) -> Any:
            documents = (first[queries] + ranks * step[queries]) % self.documents
            ids = {"query": queries, "document": documents}
            return {name: pyarrow.array(numbers).cast(pyarrow.string()) for name, numbers in ids.items()}

        def blocks() -> Iterator[tuple[Ints, Ints]]:
            if scattered:
                few = max(AT_ONCE // self.queries, 1)
                for rank in range(0, self.depth, few):
                    ranks = np.arange(rank, min(rank + few, self.depth))
                    yield np.tile(np.arange(self.queries), len(ranks)), np.repeat(ranks, self.queries)
                return
            for query in range(0, self.queries, max(AT_ONCE // self.depth, 1)):
                queries = np.arange(query, min(query + max(AT_ONCE // self.depth, 1), self.queries))
                yield np.repeat(queries, self.depth), np.tile(np.arange(self.depth), len(queries))

        qrels, run = directory / f"{self.name}.qrels.parquet", directory / f"{self.name}.run.parquet"
        every = np.arange(self.queries)
        judged = pyarrow.table({**table(every, found), "grade": np.ones(self.queries, dtype=np.int8)})
        pyarrow.parquet.write_table(judged, qrels)
        writer = None
        for queries, ranks in blocks():
            scores = (2 * self.depth - ranks).astype(np.float32)
            rows = pyarrow.table({**table(queries, ranks), "score": scores})
            writer = writer or pyarrow.parquet.ParquetWriter(run, rows.schema)
            writer.write_table(rows)
        assert writer is not None
        writer.close()
        return qrels, run


PASSAGE = Workload("passage", queries=6980, depth=1000, judged=1, largest_grade=1)
ADHOC = Workload("adhoc", queries=250, depth=1000, judged=1000, largest_grade=2)
SCATTERED = (
    Workload("scattered", queries=3000, depth=1000, judged=100, largest_grade=2),
    Workload("scattered-short", queries=300_000, depth=10, judged=5, largest_grade=2),
)
"""Runs whose lines come in any order."""
DEEP_LEARNING = Workload("deep-learning", queries=50, depth=1000, judged=200, largest_grade=3)
RECOMMENDER = Workload("recommender", queries=1_000_000, depth=10, judged=5, largest_grade=1, documents=99_991)
FEWER_USERS = RECOMMENDER.with_queries(100_000)
"""As dictionaries for every tool: with all users, some would take minutes."""


def _distinct(rng: np.random.Generator, rows: int, count: int, prime: int) -> Ints:
    """In each row so many different numbers below a prime: equal steps around a ring of prime length never meet."""
    first, step = rng.integers(0, prime, (rows, 1)), rng.integers(1, prime, (rows, 1))
    return (first + step * np.arange(count)) % prime


def _digits(numbers: Ints, width: int = 0) -> npt.NDArray[np.uint8]:
    """A row of characters for each number; one without a stated width begins with characters 0, which mean nothing."""
    flat = numbers.ravel().astype(np.uint32)
    most = width or len(str(int(flat.max())))
    places = np.empty((len(flat), most), dtype=np.uint8)
    rest = flat
    for place in reversed(range(most)):
        after = rest // 10
        places[:, place] = rest - after * 10 + ord("0")
        if not width and place < most - 1:
            places[rest == 0, place] = 0
        rest = after
    return places


def _lines(*fields: npt.NDArray[np.uint8] | bytes) -> bytes:
    """A line for each row of the fields; text is the same in each."""
    rows = next(len(field) for field in fields if not isinstance(field, bytes))
    columns = [
        np.broadcast_to(np.frombuffer(field, dtype=np.uint8), (rows, len(field))) if isinstance(field, bytes) else field
        for field in (*fields, b"\n")
    ]
    characters = np.concatenate(columns, axis=1)
    return bytes(characters[characters != 0])
