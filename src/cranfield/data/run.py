"""Run: what a system returned for each query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, Finding, Findings
from cranfield.errors.findings import Severity, about

if TYPE_CHECKING:
    from cranfield.data.request_log import RequestLog

LOG_ENDING = ".requests.jsonl"
"""What follows the name of a run in that of the log of its requests."""


class Chunks(NamedTuple):
    """What a ranking of documents was made of."""

    best: Sequence[str]
    """The chunk that stands for each document."""
    total: int
    """All chunks of the ranking."""
    renamed: int
    """Those whose document has another id."""
    findings: tuple[Finding, ...]
    """What is wrong or surprising about the ranking of chunks."""


class Ranking(NamedTuple):
    """The documents one query got, in the order they were given, with their scores."""

    query: str
    documents: Sequence[str]
    scores: Floats
    lines: Sequence[int]
    ranks: Floats | None = None
    """The rank column, where there is one that is more than the order of the rows and of the scores."""
    unit: str = "line"
    """What `lines` counts: lines of a text, rows of a table, entries of a dictionary."""
    ranked: bool = False
    """Whether only ranks were given: a score is then a rank from 1 on, negated, and the rank is the position."""
    chunks: Chunks | None = None
    """Of documents that were retrieved as chunks: these."""

    def without(self, document: str) -> Ranking:
        """The ranking without one of its documents."""
        return self._only([at for at, name in enumerate(self.documents) if name != document])

    def each_once(self) -> Ranking:
        """Each document once, at its best place: where its score is highest, and of equal scores where it comes first.

        >>> twice = Ranking("q1", ["d1", "d2", "d1"], np.array([1.0, 2.0, 3.0]), [1, 2, 3])
        >>> twice.each_once().documents
        ['d2', 'd1']
        """
        if len(set(self.documents)) == len(self.documents) or np.isnan(self.scores).any():
            return self
        worst_first = np.argsort(-self.scores, kind="stable")[::-1].tolist()
        best = dict(zip(map(self.documents.__getitem__, worst_first), worst_first, strict=True))
        return self._only(sorted(best.values()))

    def _only(self, kept: Sequence[int]) -> Ranking:
        if len(kept) == len(self.documents):
            return self
        return self._replace(
            documents=[self.documents[at] for at in kept],
            scores=_closed_up(self.scores, kept) if self.ranked else self.scores[kept],
            lines=[self.lines[at] for at in kept],
            ranks=None if self.ranks is None else self.ranks[kept],
            chunks=self.chunks and self.chunks._replace(best=[self.chunks.best[at] for at in kept]),
        )


def _closed_up(scores: Floats, kept: Sequence[int]) -> Floats:
    """Ranks, negated, of those that are kept: what comes behind the others moves up, and other gaps stay gaps.

    >>> _closed_up(-np.array([1.0, 1.0, 2.0, 9.0]), [0, 2, 3])
    array([-1., -2., -8.])
    """
    order = np.argsort(-scores, kind="stable")
    places = np.empty(len(scores), dtype=np.int64)
    places[order] = positions(scores)
    # Equal ranks share the first of their places, so that what came later stays behind them.
    ranks, tie = np.unique(-scores, return_inverse=True)
    first = np.full(len(ranks), np.iinfo(np.int64).max)
    np.minimum.at(first, tie, places)
    left_out = np.ones(len(scores))
    left_out[list(kept)] = 0
    before = np.concatenate([[0], np.cumsum(np.bincount(tie, weights=left_out, minlength=len(ranks)))])
    closed: Floats = (before[tie] - first[tie])[list(kept)]
    return closed


class JudgedPlaces(NamedTuple):
    """Where a run puts the judged documents; queries as they stand in the judgments."""

    queries: Ints
    retrieved: Ints
    ties: Ints
    """Documents of each query that share their score with another one."""
    found: Ints
    """How many judged documents each query got: so many of the following belong to it."""
    rows: Ints
    ranks: Ints
    above: Ints
    """Documents with a strictly higher score."""
    tied: Ints
    """Documents with the same score, itself included."""
    unknown: tuple[str, ...]
    """Queries that nobody judged, as they come in the run."""


class AtOnce(Protocol):
    """Finds the places of all judged documents; gives None if only a plain pass can say what is there."""

    def __call__(self, judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        """`ties` says how equal scores are ordered; `single` rounds scores to 32 bits."""


class Firsts(Protocol):
    """Gives the first documents of every query, best first; None if only a plain pass can say what is there."""

    def __call__(self, depth: int, *, ties: str, single: bool) -> dict[str, tuple[str, ...]] | None:
        """`ties` says how equal scores are ordered; `single` rounds scores to 32 bits."""


@dataclass(frozen=True, eq=False)
class Run:
    """A named source of rankings, read again each time it is asked: a file is never held in memory.

    >>> from cranfield import read_run
    >>> run = read_run({"q1": {"d1": 2.5, "d2": 1.0}}, name="bm25")
    >>> [(ranking.query, list(ranking.documents)) for ranking in run.rankings(Findings())]
    [('q1', ['d1', 'd2'])]
    """

    name: str
    read: Callable[[Findings], Iterator[Ranking]]
    """Reads the run from its start."""
    path: str | None = None
    at_once: AtOnce | None = None
    """The same pass by compiled loops, where there are such for this kind of source."""
    firsts: Firsts | None = None
    """Only the first documents of each query, likewise."""
    find_log: Callable[[], RequestLog | None] | None = None
    """What came of asking a system for each query, where the run was made here."""
    system: str | None = None
    """Which of several runs at the path it is, where a column distinguishes them."""

    @cached_property
    def log(self) -> RequestLog | None:
        """Which queries failed, and how long each took; read when it is asked for."""
        return None if self.find_log is None else self.find_log()

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Queries that failed when the run was made, if that is known."""
        return () if self.log is None else self.log.unanswered

    @property
    def called(self) -> str:
        """What messages call it: several runs in memory have nothing but their names."""
        return self.name if self.path is None else self.path if self.system is None else f"{self.path}, {self.system}"

    def rankings(self, findings: Findings) -> Iterator[Ranking]:
        """One pass over the run.

        A query that comes twice replaces what came before: that is how a file whose queries are not grouped is read
        without being held.
        """
        try:
            yield from self.read(_Attributed(findings, self.called))
        except DataError as error:
            raise DataError([about(finding, self.called) for finding in error.findings], more=error.more) from None

    def __repr__(self) -> str:
        return f"Run({self.name!r})"

    def __getitem__(self, query: str) -> dict[str, float]:
        findings, found = Findings(), None
        for ranking in self.rankings(findings):
            if ranking.query == query:
                found = ranking
        if found is None:
            raise KeyError(query)
        findings.extend(check_ranking(found, self.called))
        findings.stop_if_wrong()
        return dict(zip(found.documents, found.scores.tolist(), strict=True))

    def has_rankings_of(self, other: Run) -> bool:
        """Whether both give the same documents and scores for the same queries; read as far as they agree."""
        both = zip_longest(self.rankings(Findings()), other.rankings(Findings()))
        return all(one is not None and two is not None and _alike(one, two) for one, two in both)

    # A run is asked by query; to walk over it is to read it, which `rankings` says plainly.
    __iter__ = None
    __contains__ = None


def _alike(one: Ranking, other: Ranking) -> bool:
    documents = one.query == other.query and list(one.documents) == list(other.documents)
    return documents and np.array_equal(one.scores, other.scores)


def keeping_first(run: Run) -> Run:
    """The run with each document once for a query, at its best place; a warning counts what is left out."""
    # The compiled pass over a whole run declines where a document is listed again; that over first documents does not.
    return replace(run, read=partial(_each_once, run), firsts=None)


def _each_once(run: Run, findings: Findings) -> Iterator[Ranking]:
    left_out: dict[str, int] = {}
    for ranking in run.rankings(findings):
        once = ranking.each_once()
        # A query that comes again, complete, replaces what came before.
        left_out[ranking.query] = len(ranking.documents) - len(once.documents)
        if not left_out[ranking.query]:
            del left_out[ranking.query]
        yield once
    if left_out:
        findings.add(errors.rows.duplicates_left_out(run.called, sum(left_out.values()), list(left_out)))


class _Attributed(Findings):
    """Findings; those that name no file are about one run."""

    def __init__(self, findings: Findings, run: str) -> None:
        super().__init__()
        self._findings, self._run = findings, run

    def add(self, finding: Finding) -> None:
        self._findings.add(about(finding, self._run))

    def stop_if_wrong(self) -> None:
        self._findings.stop_if_wrong()


def positions(scores: Floats) -> Ints:
    """Where the documents of a ranking by ranks alone stand, best first; of equal ranks, each takes the next place.

    >>> positions(-np.array([9.0, 2.0, 2.0, 3.0]))
    array([2, 3, 4, 9])
    """
    counted = np.arange(len(scores))
    ranks = np.clip(np.sort(-scores), 0, errors.ranks.LARGEST_RANK).astype(np.int64)
    places: Ints = np.maximum.accumulate(ranks - counted) + counted
    return places


def check_ranking(ranking: Ranking, path: str | None, *, must_be_whole: bool = False) -> Iterator[Finding]:
    """What is wrong or surprising in one ranking: documents listed twice, scores or ranks that cannot be.

    A gap in ranks is surprising, and wrong where all documents down to a rank must be known.

    >>> twice = Ranking("q1", ["d1", "d2", "d1"], np.array([3.0, 2.0, 1.0]), [1, 2, 3])
    >>> print(*check_ranking(twice, "bm25.run"))
    bm25.run, line 3: query 'q1' lists document 'd1' again; it is already on line 1
    """
    if ranking.chunks is not None:
        yield from ranking.chunks.findings
        return
    if len(set(ranking.documents)) < len(ranking.documents):
        yield from _duplicates(ranking, path)
    if np.isnan(ranking.scores).any():
        yield from _missing_scores(ranking, path)
    elif ranking.ranked:
        yield from _odd_ranks(ranking, path, "error" if must_be_whole else "warning")
    elif ranking.ranks is not None:
        yield from _contradicting_ranks(ranking, ranking.ranks, path)


def _duplicates(ranking: Ranking, path: str | None) -> Iterator[Finding]:
    first_lines: dict[str, int] = {}
    for document, line in zip(ranking.documents, ranking.lines, strict=True):
        first = first_lines.setdefault(document, line)
        if first != line:
            yield errors.rows.duplicate_document(path, line, ranking.query, document, first, unit=ranking.unit)


def _missing_scores(ranking: Ranking, path: str | None) -> Iterator[Finding]:
    for position in np.flatnonzero(np.isnan(ranking.scores)).tolist():
        yield errors.rows.not_a_number(path, ranking.lines[position], "score", float("nan"), unit=ranking.unit)


def _odd_ranks(ranking: Ranking, path: str | None, gap: Severity) -> Iterator[Finding]:
    """Ranks that no list has, and those that a whole list would not have: repeated ones and gaps."""
    order = np.argsort(-ranking.scores, kind="stable")
    ranks = -ranking.scores[order]
    wrong = (ranks != np.floor(ranks)) | (ranks < 1) | (ranks > errors.ranks.LARGEST_RANK)
    for at in order[wrong].tolist():
        yield errors.ranks.impossible_rank(path, ranking.lines[at], float(-ranking.scores[at]), unit=ranking.unit)
    if wrong.any():
        return
    if (repeated := np.flatnonzero(ranks[1:] == ranks[:-1])).size:
        line = ranking.lines[int(order[repeated[0] + 1])]
        yield errors.ranks.repeated_rank(path, line, ranking.query, int(ranks[repeated[0]]), unit=ranking.unit)
    places = np.concatenate([[0], positions(ranking.scores)])
    if (gaps := np.flatnonzero(np.diff(places) > 1)).size:
        first = int(gaps[0])
        line, missing = ranking.lines[int(order[first])], (int(places[first]) + 1, int(places[first + 1]) - 1)
        yield errors.ranks.gap_in_ranks(path, line, ranking.query, missing, gap, unit=ranking.unit)


def _contradicting_ranks(ranking: Ranking, ranks: Floats, path: str | None) -> Iterator[Finding]:
    # By rank, and by score within a rank, scores must never rise.
    by_rank = np.lexsort((-ranking.scores, ranks))
    scores = ranking.scores[by_rank]
    rises = np.flatnonzero(scores[1:] > scores[:-1])
    if rises.size:
        line = ranking.lines[int(by_rank[rises[0] + 1])]
        yield errors.rows.ranks_contradict_scores(path, ranking.query, int(rises.size), line, unit=ranking.unit)
