"""A pool divided among judges: a sheet for each of them, some documents in several, to measure how far they agree."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heapreplace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import errors
from cranfield.arguments import require_whole
from cranfield.data.judge_names import folded_name, judge_name
from cranfield.errors import Finding, UsageError
from cranfield.file_endings import SHEETS
from cranfield.formats.pools import require_no_grades
from cranfield.formats.sheets import write_sheet
from cranfield.formats.writing import form_of, path_for
from cranfield.phrases import counted, option
from cranfield.pooling.candidates import rng_for
from cranfield.pooling.words import duration
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.pooling.pools import Pool, PoolEntry

OVERLAP = "20%"
"""What several judges label unless somebody says otherwise."""
LEAST_SHARED = 30
"""Documents with labels of several judges from which agreement says something."""


@dataclass(frozen=True, eq=False)
class JudgeSheets(Answer):
    """What each judge labels; shows itself as a verdict and a table, and writes a sheet for each.

    >>> import cranfield as cf
    >>> pool = cf.pool({"a": {"q1": ["d1", "d2"], "q2": ["d3", "d4"]}})
    >>> sheets = pool.for_judges(["anna", "ben"], overlap=2)
    >>> {judge: len(own) for judge, own in sheets.pools.items()}
    {'anna': 3, 'ben': 3}
    """

    pools: Mapping[str, Pool]
    """By judge, the documents to label, in an order of its own."""
    pool: Pool
    """What was divided."""
    shared: frozenset[tuple[str, str]]
    """Queries and documents that several judges label."""
    judges_per_shared: int
    """How many label each of these."""
    seed: int = 0
    path: str | os.PathLike[str] | None = None
    """Where the sheets are written, if that is to be shown."""
    warnings: tuple[Finding, ...] = ()

    def sheet(self, judge: str) -> Table:
        """What a judge labels: ids, texts where they are known, an empty column for the grade, and who judges."""
        plain = replace(self.pools[judge], seconds_per_label=None).sheet()
        return replace(plain, columns={**plain.columns, "judge": [judge] * len(self.pools[judge])})

    def write(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """Write a sheet for each judge (CSV, TSV, a workbook or JSONL), and tell where: pool.csv is pool-anna.csv.

        A sheet that has grades already is not overwritten.
        """
        form_of(path, SHEETS, "a sheet")
        files = self._files(path)
        for file in files.values():
            require_no_grades(file)
        for judge, file in files.items():
            write_sheet(file, self.sheet(judge))
        return tuple(files.values())

    def _files(self, path: str | os.PathLike[str]) -> dict[str, str]:
        files = {judge: path_for(path, judge) for judge in self.pools}
        owners: dict[str, str] = {}
        for judge, file in files.items():
            other = owners.setdefault(file.casefold(), judge)
            if other != judge:
                raise errors.pooling.one_file(other, judge, file)
        return files

    def verdict(self) -> str:
        """How much there is to label, what of it several judges do, and how long that takes."""
        if not self.pool.entries:
            return self.pool.verdict()
        documents, alone = len(self.pool), len(self.pool) - len(self.shared)
        queries = counted(len({entry.query for entry in self.pool}), "query")
        judges = counted(len(self.pools), "judge")
        parts = [
            f"{counted(documents, 'document')} to judge for {queries}, divided among {judges}.",
            self._overlap(alone),
        ]
        each = [len(own) for own in self.pools.values()]
        labels = f"{min(each):,}" if min(each) == max(each) else f"{min(each):,} to {max(each):,}"
        parts.append(f"Each has {labels} labels to give.")
        if seconds := self.pool.seconds_per_label:
            parts.append(f"At {seconds:g} seconds each, that is about {duration(max(each) * seconds)} per judge.")
        return " ".join(parts)

    def _overlap(self, alone: int) -> str:
        if not self.shared:
            return "Each document has one judge, so agreement cannot be measured."
        shared = f"{counted(len(self.shared), 'document')} ({len(self.shared) / len(self.pool):.0%})"
        who = f"all {len(self.pools)}" if self.judges_per_shared == len(self.pools) > 2 else f"{self.judges_per_shared}"
        rest = f", the other {alone:,} to one each" if alone else ""
        return f"{shared} {'goes' if len(self.shared) == 1 else 'go'} to {who} judges{rest}."

    def table(self) -> Table:
        """A row per judge: labels to give, how many of these documents others judge too, and queries."""
        columns: dict[str, Sequence[Cell]] = {
            "judge": list(self.pools),
            "labels": [len(own) for own in self.pools.values()],
            "shared": [sum(_pair(entry) in self.shared for entry in own) for own in self.pools.values()],
            "queries": [len({entry.query for entry in own}) for own in self.pools.values()],
        }
        if seconds := self.pool.seconds_per_label:
            columns["time"] = [duration(len(own) * seconds) if len(own) else "" for own in self.pools.values()]
        if self.path is not None:
            columns["file"] = list(self._files(self.path).values())
        return Table(columns, notes=("shared: documents that other judges label too.",))

    def rows(self) -> Table:
        """The same, for programs: times in seconds."""
        columns = dict(self.table().columns)
        if seconds := self.pool.seconds_per_label:
            columns["time"] = [len(own) * seconds for own in self.pools.values()]
        return Table(columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield pool --judges … --format json` prints."""
        plain = self.rows().to_dict()
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": {**self.pool.settings, "judges_per_shared": self.judges_per_shared, "judges_seed": self.seed},
            "documents": len(self.pool),
            "shared": len(self.shared),
            "judges": [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)],
            "warnings": list(map(str, self.warnings)),
            **({"seconds_per_label": self.pool.seconds_per_label} if self.pool.seconds_per_label else {}),
        }

    @cached_property
    def labels(self) -> int:
        """Labels of all judges together."""
        return sum(map(len, self.pools.values()))

    def __repr__(self) -> str:
        return f"JudgeSheets({counted(len(self.pools), 'judge')}, {self.labels:,} labels, {len(self.shared):,} shared)"


def divided(
    pool: Pool, judges: Sequence[str] | str, overlap: float | str | None, overlap_judges: int | None, seed: int
) -> JudgeSheets:
    """A pool divided among judges, with equal shares; see `Pool.for_judges`."""
    names = _names(judges)
    count = _number_shared(OVERLAP if overlap is None and len(names) > 1 else overlap, len(pool), len(names))
    several = _judges_per_shared(overlap_judges, len(names))
    line = _by_query(pool.entries, seed, "judges")
    # At equal distances: each document is as likely as any other, and every query has its share.
    first = int(rng_for(seed, "overlap").integers(max(len(line), 1)))
    chosen = {(first + at * len(line)) // count for at in range(count)}
    shared = [line[at] for at in sorted(chosen)]
    own = _takes_turns(shared, len(names), several, seed)
    rest = iter([entry for at, entry in enumerate(line) if at not in chosen])
    for entries, more in zip(own, _equal_shares(list(map(len, own)), len(line) - count), strict=True):
        entries += islice(rest, more)
    pools = {
        name: replace(pool, entries=tuple(_by_query(entries, seed, name)))
        for name, entries in zip(names, own, strict=True)
    }
    few = [errors.pooling.small_overlap(count, LEAST_SHARED)] if 0 < count < min(LEAST_SHARED, len(line)) else []
    return JudgeSheets(
        pools, pool, frozenset(map(_pair, shared)), several if count else 1, seed, warnings=(*pool.warnings, *few)
    )


def _names(judges: Sequence[str] | str) -> list[str]:
    listed = judges.split(",") if isinstance(judges, str) else list(judges)
    names = [judge_name(str(name)) for name in listed]
    known: dict[str, str] = {}
    for name in names:
        if folded_name(name) in known:
            raise errors.assessing.judge_twice(name, known[folded_name(name)])
        known[folded_name(name)] = name
    if not names:
        raise UsageError("judges must name at least one judge.")
    return names


def _number_shared(overlap: float | str | None, documents: int, judges: int) -> int:
    """How many documents several judges label: a number, or a share such as `20%` or 0.2."""
    if overlap is None or documents == 0:
        return 0
    text = str(overlap).strip()
    try:
        share = float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise errors.pooling.wrong_overlap(overlap) from None
    if text.isdecimal():
        number = int(text)
        if number > documents:
            raise errors.pooling.more_overlap_than_documents(number, documents)
    elif 0 <= share <= 1:
        number = max(round(share * documents), 1 if share > 0 else 0)
    else:
        raise errors.pooling.wrong_overlap(overlap)
    if number and judges < 2:
        raise UsageError("An overlap needs two or more judges.")
    return number


def _judges_per_shared(wanted: int | None, judges: int) -> int:
    if wanted is None:
        return judges
    if require_whole(wanted, "overlap_judges", 2) > judges:
        raise UsageError(f"{option('overlap_judges', str(wanted))}: there are {judges} judges.")
    return wanted


def _takes_turns(shared: Sequence[PoolEntry], judges: int, several: int, seed: int) -> list[list[PoolEntry]]:
    """By judge, the shared documents that each labels: as many, and with every other judge."""
    own: list[list[PoolEntry]] = [[] for _ in range(judges)]
    rng = rng_for(seed, "turns")
    turns = np.arange(judges)
    for at, entry in enumerate(shared):
        place = at * several % judges
        if place == 0:
            turns = rng.permutation(judges)
        for judge in np.roll(turns, -place)[:several].tolist():
            own[judge].append(entry)
    return own


def _equal_shares(counts: Sequence[int], more: int) -> list[int]:
    """How many more each gets, so that all have as many.

    >>> _equal_shares([2, 3, 3], 5)
    [3, 1, 1]
    """
    shares = [0] * len(counts)
    loads = [(count, at) for at, count in enumerate(counts)]
    heapify(loads)
    for _ in range(more):
        load, at = loads[0]
        shares[at] += 1
        heapreplace(loads, (load + 1, at))
    return shares


def _by_query(entries: Sequence[PoolEntry], seed: int, name: str) -> list[PoolEntry]:
    """Queries in random order, and the documents of each, which stay together, in random order too."""
    by_query: dict[str, list[PoolEntry]] = {}
    for entry in sorted(entries, key=_pair):
        by_query.setdefault(entry.query, []).append(entry)
    rng = rng_for(seed, name, "sheet")
    queries = list(by_query)
    return [
        by_query[queries[query]][document]
        for query in rng.permutation(len(queries)).tolist()
        for document in rng.permutation(len(by_query[queries[query]])).tolist()
    ]


def _pair(entry: PoolEntry) -> tuple[str, str]:
    return entry.query, entry.document
