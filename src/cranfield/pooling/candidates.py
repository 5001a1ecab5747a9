"""What runs put first, query by query: the documents that a pool is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from zlib import crc32

import numpy as np

from cranfield import errors, kernels
from cranfield.arguments import require_whole
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run, check_ranking
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.kernels import plain

Rankings = tuple[tuple[str, ...], ...]
"""Of one query, the first documents of each run, best first."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The first documents of every run, for every query that any of them answered."""

    runs: tuple[str, ...]
    depth: int
    of: Mapping[str, Rankings]
    """By query, in the natural order of ids: q2 before q10."""
    warnings: tuple[Finding, ...] = ()

    @cached_property
    def documents(self) -> Mapping[str, tuple[str, ...]]:
        """Of each query every document once, by id."""
        return {query: tuple(sorted(set().union(*rankings))) for query, rankings in self.of.items()}

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Where each query stands among all."""
        return {query: at for at, query in enumerate(self.of)}

    @property
    def size(self) -> int:
        """How many pairs of query and document there are."""
        return sum(map(len, self.documents.values()))

    def ranks(self, query: str) -> dict[str, tuple[int | None, ...]]:
        """The rank of each document of a query in every run; None where a run does not have it."""
        ranks = [{document: rank for rank, document in enumerate(first, 1)} for first in self.of[query]]
        return {document: tuple(of.get(document) for of in ranks) for document in self.documents[query]}

    def best_ranks(self, query: str) -> dict[str, int]:
        """The smallest rank of each document of a query in any run."""
        best: dict[str, int] = {}
        for first in self.of[query]:
            for rank, document in enumerate(first, 1):
                best[document] = min(rank, best.get(document, rank))
        return best

    def only(self, kept: Mapping[str, frozenset[str] | set[str]]) -> Candidates:
        """Only some documents of each query; ranks close up."""
        return replace(
            self,
            of={
                query: tuple(tuple(document for document in first if document in kept[query]) for first in rankings)
                for query, rankings in self.of.items()
                if kept.get(query)
            },
        )


def candidates_of(runs: Sequence[Run], depth: int) -> Candidates:
    """The first documents of every run; each run is read once, and no more of it is kept."""
    _must_differ(runs)
    read = [_first(run, depth) for run in runs]
    first_of = {run.name: first for run, (first, _) in zip(runs, read, strict=True)}
    _must_meet(runs, first_of)
    queries = sorted({query for first in first_of.values() for query in first}, key=natural)
    warnings = [finding for _, findings in read for finding in findings]
    for run, first in zip(runs, first_of.values(), strict=True):
        failed = set(run.unanswered)
        if failed:
            warnings.append(errors.retrieving.unanswered_in_pool(run.name, run.unanswered))
        if silent := [query for query in queries if not first.get(query) and query not in failed]:
            warnings.append(errors.pooling.not_in_pool(run.name, silent, len(queries)))
    warnings += [
        errors.pooling.same_lists(*pair, depth)
        for pair in combinations(first_of, 2)
        if first_of[pair[0]] == first_of[pair[1]]
    ]
    return Candidates(
        tuple(first_of),
        depth,
        {query: tuple(first.get(query, ()) for first in first_of.values()) for query in queries},
        tuple(warnings),
    )


def _must_differ(runs: Sequence[Run]) -> None:
    """Refuse one file twice: what it finds would count as if two systems had found it."""
    paths = [run.path for run in runs if run.path is not None and run.system is None]
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError(f"{path} is given twice. Give each run once.")


def judged_pairs(judgments: Judgments | None) -> dict[str, dict[str, float]]:
    """By query the grades that somebody gave; a negative one says that nobody did."""
    if judgments is None:
        return {}
    known: dict[str, dict[str, float]] = {}
    for query, start, end in zip(
        judgments.queries, judgments.starts.tolist(), judgments.starts[1:].tolist(), strict=False
    ):
        pairs = zip(judgments.documents[start:end], judgments.grades[start:end].tolist(), strict=True)
        known[query] = {document: grade for document, grade in pairs if grade >= 0}
    return known


def rng_for(seed: int, *names: str) -> np.random.Generator:
    """Random numbers for one query, the same whatever other queries there are."""
    require_whole(seed, "seed", 0)
    return np.random.default_rng([seed, *(crc32(name.encode()) for name in names)])


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which numbers within ids count as numbers, however many digits they have.

    >>> sorted(["q10", "q9", "7", "q010"], key=natural)
    ['7', 'q9', 'q010', 'q10']
    """
    parts = re.findall(r"0*([0-9]+)|([^0-9]+)", name)
    return (*((0, len(digits), digits) if digits else (1, 0, other) for digits, other in parts), (0, 0, name))


def _first(run: Run, depth: int) -> tuple[dict[str, tuple[str, ...]], list[Finding]]:
    if (at_once := _first_at_once(run, depth)) is not None:
        return at_once, []
    of_run = Findings()
    first: dict[str, tuple[str, ...]] = {}
    noticed: dict[str, list[Finding]] = {}
    for ranking in run.rankings(of_run):
        # A query that comes again replaces what came before, and what was to be said about that.
        noticed[ranking.query] = list(check_ranking(ranking, run.called))
        best = plain.first(ranking.documents, ranking.scores, depth, "document", ranked=ranking.ranked)
        first[ranking.query] = tuple(best)
    for findings in noticed.values():
        of_run.extend(findings)
    if not any(first.values()):
        of_run.add(errors.files.nothing_read(run.called, "run"))
    of_run.stop_if_wrong()
    return first, of_run.warnings


def _first_at_once(run: Run, depth: int) -> dict[str, tuple[str, ...]] | None:
    """The same by compiled loops, where nothing is to be reported about the run: a document that comes twice, say."""
    if run.firsts is None or run.at_once is None or not kernels.are_compiled():
        return None
    # The loops that look for judged documents look at all of them, wherever they stand.
    nothing = Judgments(("",), np.array([0, 1]), ("",), np.zeros(1))
    if run.at_once(nothing, ties="document", single=False) is None:
        return None
    return run.firsts(depth, ties="document", single=False) or None


def _must_meet(runs: Sequence[Run], first_of: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Refuse a run that shares no query with any other: they are of different collections, or ids differ."""
    for run in runs:
        others = [other for other in runs if other.name != run.name]
        if others and not any(first_of[run.name].keys() & first_of[other.name].keys() for other in others):
            wrong = list(_never_meet(others[0], run, first_of))
            raise DataError(wrong)


def _never_meet(other: Run, run: Run, first_of: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[Finding]:
    yield errors.ids.runs_never_meet(other.called, run.called, first_of[other.name], first_of[run.name])
