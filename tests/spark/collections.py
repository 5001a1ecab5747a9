"""Collections that no measure finds easy: ties, silent and unknown queries, unjudged documents, negative grades."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from cranfield.measures import catalogue
from cranfield.measures.definition import Definition


def _named(name: str, definition: Definition) -> str:
    if not definition.needs_at:
        return name
    return f"{name}@0.5" if definition.at == "recall" else f"{name}@10"


EVERY_MEASURE = tuple(
    _named(name, definition) for name, definition in sorted(catalogue().items()) if definition.groups is None
)
"""Those that read one grade for each document."""
BY_SUBTOPIC = tuple(
    _named(name, definition) for name, definition in sorted(catalogue().items()) if definition.groups == "subtopic"
)
"""Those that read one for each subtopic."""


class Collection(NamedTuple):
    """Judgments and runs as tables, in the order of query ids."""

    judgments: pa.Table
    runs: dict[str, pa.Table]

    @property
    def run(self) -> pa.Table:
        """The first run."""
        return next(iter(self.runs.values()))

    def parts(self, size: int) -> list[Collection]:
        """The same cut after so many queries."""
        tables = [self.judgments, *self.runs.values()]
        queries = sorted(set().union(*(table["query"].to_pylist() for table in tables)))
        return [self._of(pa.array(queries[at : at + size])) for at in range(0, len(queries), size)]

    def _of(self, queries: pa.Array) -> Collection:
        return Collection(_of(self.judgments, queries), {name: _of(run, queries) for name, run in self.runs.items()})


def _of(table: pa.Table, queries: pa.Array) -> pa.Table:
    return table.filter(compute.is_in(table["query"], queries))


@cache
def collection(queries: int = 60, *, runs: int = 1, seed: int = 1) -> Collection:
    """Judged queries with a few documents; every tenth is silent, one has nobody relevant, the best grade is rare."""
    rng = np.random.default_rng(seed)
    names = [f"q{number:06}" for number in range(queries)]
    judged = [
        (name, f"d{document}", float(grade))
        for name in names
        for document, grade in zip(
            rng.choice(80, rng.integers(1, 40), replace=False), rng.choice([-1, 0, 0, 1, 2, 3], 40), strict=False
        )
    ]
    # The largest grade is in one query only, and one query has no relevant document.
    judged[len(judged) // 2] = (*judged[len(judged) // 2][:2], 4.0)
    judged = [(name, document, 0.0 if name == names[3] else grade) for name, document, grade in judged]
    tables = {f"run{number}": _run(rng, names, queries) for number in range(1, runs + 1)}
    return Collection(_table(judged, "grade"), tables)


def write_folders(given: Collection, folder: Path, files: int = 3) -> dict[str, str]:
    """Judgments and runs as Parquet folders of so many files, cut wherever it happens; the path of each."""
    paths = {}
    for name, table in {"qrels": given.judgments, **given.runs}.items():
        (folder / name).mkdir()
        ends = [len(table) * at // files for at in range(files + 1)]
        for at in range(files):
            parquet.write_table(table.slice(ends[at], ends[at + 1] - ends[at]), folder / name / f"part-{at}.parquet")
        paths[name] = str(folder / name)
    return paths


@cache
def by_subtopic(queries: int = 20) -> Collection:
    """Documents that are relevant to some of the needs behind each query."""
    rng = np.random.default_rng(2)
    plain = collection(queries)
    rows = [
        (query, document, str(subtopic), float(rng.integers(0, 2)))
        for query, document in zip(*(plain.judgments[name].to_pylist() for name in ("query", "document")), strict=True)
        for subtopic in range(1, 4)
    ]
    names = ("query", "document", "subtopic", "grade")
    judgments = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    return Collection(judgments, plain.runs)


def _run(rng: np.random.Generator, names: list[str], queries: int) -> pa.Table:
    retrieved = [
        (name, f"d{document}", float(score))
        for at, name in enumerate([*names, f"q{queries:06}", "unknown"])
        if at % 10
        for document, score in zip(
            rng.choice(100, rng.integers(1, 60), replace=False), rng.integers(0, 40, 60), strict=False
        )
    ]
    return _table(retrieved, "score")


def _table(rows: list[tuple[str, str, float]], value: str) -> pa.Table:
    queries, documents, values = zip(*rows, strict=True)
    return pa.table({"query": list(queries), "document": list(documents), value: list(values)})
