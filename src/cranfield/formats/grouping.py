"""Rows of a run as they come → one ranking for each query."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, groupby, repeat
from typing import NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.data.run import Ranking
from cranfield.errors import DataError, Finding, Findings


class RunRows(NamedTuple):
    """Some rows of a run as they were read: parallel columns, with the line each came from."""

    lines: Sequence[int]
    queries: Sequence[str]
    documents: Sequence[str]
    scores: Floats
    ranks: Sequence[bytes | str | float] | Floats | None = None
    """The rank column as it was found, where a score decides and it is only compared."""
    unit: str = "line"
    ranked: bool = False
    """Whether there are only ranks: scores are then the ranks, negated."""

    def part(self, start: int, end: int) -> RunRows:
        """The rows from one to another."""
        return RunRows(
            self.lines[start:end],
            self.queries[start:end],
            self.documents[start:end],
            self.scores[start:end],
            None if self.ranks is None else self.ranks[start:end],
            self.unit,
            self.ranked,
        )


class _Told(Findings):
    """Findings of a second pass over a file: the first has reported them."""

    def add(self, finding: Finding) -> None:
        pass


Pass = Callable[[Findings], Iterator[RunRows]]
"""Reads a run from its start."""


def rankings(read: Pass, path: str | None, findings: Findings) -> Iterator[Ranking]:
    """The rankings of a run, each as soon as its query ends.

    A query that comes back later is incomplete the first time. Such queries are collected in a second pass
    and come again, complete, after all others.
    """
    seen: set[str] = set()
    scattered: dict[str, None] = {}  # in the order they come back
    begun: list[RunRows] = []
    counting = _Counting()
    query = None
    for block, start, end in _stretches(read(findings)):
        if block.queries[start] == query:
            if begun:
                begun.append(block.part(start, end))
            continue
        if begun:
            yield counting.from_one(_ranking(begun, path, findings))
            begun = []
        query = block.queries[start]
        if query in seen:
            scattered[query] = None
        else:
            seen.add(query)
            begun.append(block.part(start, end))
    if begun:
        yield counting.from_one(_ranking(begun, path, findings))
    if not seen:
        findings.stop_if_wrong()
        raise DataError([errors.files.nothing_read(path, "rankings")])
    if scattered:
        yield from map(counting.from_one, _collected(read, scattered, path))
    findings.extend(counting.findings(path))


@dataclass
class _Counting:
    """Whether the ranks of a run count from 0 or from 1, where there are only ranks."""

    starts: dict[str, bool] = field(default_factory=dict)
    """By query: whether its first rank is 0. One that comes again, complete, replaces what came before."""

    def from_one(self, ranking: Ranking) -> Ranking:
        """The ranking with ranks that count from 1."""
        if not ranking.ranked or not len(ranking.scores):
            return ranking
        zero = self.starts[ranking.query] = bool(ranking.scores.max() == 0)
        return ranking._replace(scores=ranking.scores - 1) if zero else ranking

    def findings(self, path: str | None) -> Iterator[Finding]:
        """Ranks from 0 are reported; where some queries have no rank 0, nobody knows where these begin."""
        of_zero = [query for query, zero in self.starts.items() if zero]
        others = [query for query, zero in self.starts.items() if not zero]
        if of_zero and others:
            yield errors.ranks.ranks_from_zero_and_one(path, of_zero[0], others[0])
        elif of_zero:
            yield errors.ranks.ranks_from_zero(path)


def _stretches(rows: Iterable[RunRows]) -> Iterator[tuple[RunRows, int, int]]:
    """Rows of one query that follow each other in one block: the block, where they start and where they end."""
    for block in rows:
        start = 0
        for _, same in groupby(block.queries):
            end = start + len(list(same))
            yield block, start, end
            start = end


def _collected(read: Pass, queries: Iterable[str], path: str | None) -> Iterator[Ranking]:
    """The complete rankings of some queries, wherever in the file their rows are."""
    told = _Told()
    by_query = {query: _Collection() for query in queries}
    unit, ranked = "line", False
    for block in read(told):
        unit, ranked = block.unit, block.ranked
        ranks = repeat(None) if block.ranks is None else block.ranks
        for query, *row in zip(block.queries, block.lines, block.documents, block.scores.tolist(), ranks, strict=False):
            if query in by_query:
                by_query[query].add(*row)
    for query, collection in by_query.items():
        yield _ranking([collection.rows(query, unit, ranked)], path, told)


class _Collection:
    """The rows of one query, gathered as plainly as memory likes."""

    def __init__(self) -> None:
        self.lines = array("q")
        self.documents: list[str] = []
        self.scores = array("d")
        self.ranks: list[bytes | str | float] = []

    def add(self, line: int, document: str, score: float, rank: bytes | str | float | None) -> None:
        self.lines.append(line)
        self.documents.append(document)
        self.scores.append(score)
        if rank is not None:
            self.ranks.append(rank)

    def rows(self, query: str, unit: str, ranked: bool) -> RunRows:
        ranks = self.ranks if len(self.ranks) == len(self.documents) else None
        return RunRows(self.lines, [query], self.documents, np.array(self.scores), ranks, unit, ranked)


def _ranking(parts: Sequence[RunRows], path: str | None, findings: Findings) -> Ranking:
    whole = parts[0] if len(parts) == 1 else _joined(parts)
    ranks = None if whole.ranks is None else _ranks(whole, whole.ranks, path, findings)
    return Ranking(whole.queries[0], whole.documents, whole.scores, whole.lines, ranks, whole.unit, whole.ranked)


def _joined(parts: Sequence[RunRows]) -> RunRows:
    ranks = [part.ranks for part in parts if part.ranks is not None]
    arrays = [own for own in ranks if isinstance(own, np.ndarray)]
    return RunRows(
        list(chain.from_iterable(part.lines for part in parts)),
        parts[0].queries[:1],
        list(chain.from_iterable(part.documents for part in parts)),
        np.concatenate([part.scores for part in parts]),
        np.concatenate(arrays)
        if len(arrays) == len(parts)
        else list(chain.from_iterable(ranks))
        if len(ranks) == len(parts)
        else None,
        parts[0].unit,
        parts[0].ranked,
    )


def _ranks(
    rows: RunRows, found: Sequence[bytes | str | float] | Floats, path: str | None, findings: Findings
) -> Floats | None:
    count = len(found)
    in_order = not bool((rows.scores[1:] > rows.scores[:-1]).any())
    if isinstance(found, np.ndarray):
        ranks = found
    elif in_order and found[0] in (b"0", b"1") and list(found) == _counted(int(found[0]), count):
        return None
    else:
        ranks = _as_numbers(found)
    if not np.isnan(ranks).any():
        counts = in_order and ranks[0] in (0, 1) and bool((ranks == np.arange(ranks[0], ranks[0] + count)).all())
        return None if counts else ranks
    at = next(at for at, rank in enumerate(found) if not _is_number(rank))
    shown = found[at]
    shown = shown.decode(errors="replace") if isinstance(shown, bytes) else shown
    findings.add(errors.rows.rank_not_a_number(path, rows.lines[at], shown, unit=rows.unit))
    return None


def _as_numbers(ranks: Sequence[bytes | str | float]) -> Floats:
    try:
        return np.array([float(rank) for rank in ranks])
    except (TypeError, ValueError):
        return np.array([np.nan])


def _is_number(rank: bytes | str | float | None) -> bool:
    try:
        return rank is not None and float(rank) == float(rank)
    except ValueError:
        return False


def _counted(first: int, count: int) -> list[bytes]:
    return _counting(first, 1 << count.bit_length())[:count]


@cache
def _counting(first: int, count: int) -> list[bytes]:
    return [b"%d" % number for number in range(first, first + count)]
