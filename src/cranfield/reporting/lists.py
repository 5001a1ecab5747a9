"""Ranked lists for a look into queries: the first documents of every system, their grades, and what was missed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment
from cranfield.data.judgments import Judgments
from cranfield.data.run import Ranking, Run
from cranfield.errors import Findings
from cranfield.evaluating.scores import Scores
from cranfield.evaluating.settings import Settings
from cranfield.kernels import plain
from cranfield.reporting.embedding import packed

DEPTHS = (15, 10, 5)
"""Shorter lists that are tried then; where even the last take too much room, some queries have none."""
SAMPLE = 50
"""Queries from which the size of all lists is guessed."""
MISSED = 50
"""Relevant documents below the lists that are kept for a query, best grade first."""
UNJUDGED = 0xFFFF
"""In place of a grade's number."""


@dataclass(frozen=True)
class Listed:
    """The documents of one query, by number, and who has them where."""

    documents: tuple[str, ...]
    """Those that any system has among its first, then relevant ones that none has there."""
    grades: tuple[float | None, ...]
    lists: tuple[tuple[int, ...], ...]
    """Of each system: its first documents, best first."""
    deeper: tuple[tuple[int, ...], ...]
    """Of each system: the ranks of the relevant documents that its list does not hold; 0 where it has them nowhere."""
    counts: tuple[int, ...]
    """How many judgments have each grade of the collection."""


@dataclass(frozen=True)
class RankedLists:
    """Ranked lists of some queries."""

    depth: int
    grades: tuple[float, ...]
    """All grades of the collection."""
    relevant: float
    """The grade from which a document is relevant."""
    of: Mapping[int, Listed]
    """By the place of the query among all."""


class Rankings:
    """The first documents of every run and judged query, from which lists of any depth are made."""

    def __init__(self, scores: Scores, depth: int) -> None:
        detail = scores.require_detail("A ranked list")
        self.judgments, self.level, self.depth = detail.judgments, scores.settings.level, depth
        self.firsts = [leading(run, detail.judgments, scores.settings, depth) for run in detail.sources]
        self.places = [_places(alignment) for alignment in detail.alignments]
        self.grades = np.unique(detail.judgments.grades)

    def lists(self, depth: int, queries: Iterable[int]) -> RankedLists:
        """Lists of some depth for some queries."""
        return RankedLists(
            depth, tuple(self.grades.tolist()), self.level, {at: self._listed(at, depth) for at in queries}
        )

    def _listed(self, at: int, depth: int) -> Listed:
        judgments, query = self.judgments, self.judgments.queries[at]
        start, end = int(judgments.starts[at]), int(judgments.starts[at + 1])
        own = judgments.grades[start:end]
        graded = dict(zip(judgments.documents[start:end], own.tolist(), strict=True))
        # A negative grade says that the document was pooled, but not judged.
        given = {name: grade for name, grade in graded.items() if grade >= 0}
        firsts = [first.get(query, ())[:depth] for first in self.firsts]
        held = dict.fromkeys(chain.from_iterable(firsts))
        missed = [name for name, grade in graded.items() if grade >= self.level and name not in held]
        missed.sort(key=graded.__getitem__, reverse=True)
        documents = (*held, *missed[:MISSED])
        number = {name: place for place, name in enumerate(documents)}
        rows = dict(zip(graded, range(start, end), strict=True))
        relevant = {name: rows[name] for name in documents if graded.get(name, -np.inf) >= self.level}
        return Listed(
            documents=documents,
            grades=tuple(map(given.get, documents)),
            lists=tuple(tuple(map(number.__getitem__, first)) for first in firsts),
            deeper=tuple(
                _deeper(relevant, first, places[at]) for first, places in zip(firsts, self.places, strict=True)
            ),
            counts=tuple(np.bincount(np.searchsorted(self.grades, own), minlength=len(self.grades)).tolist()),
        )


def _deeper(relevant: Mapping[str, int], first: Sequence[str], ranks: Mapping[int, int]) -> tuple[int, ...]:
    """The ranks of relevant documents, given with their rows, that are not among the first."""
    held = set(first)
    return tuple(ranks.get(row, 0) for name, row in relevant.items() if name not in held)


def leading(run: Run, judgments: Judgments, settings: Settings, depth: int) -> dict[str, tuple[str, ...]]:
    """The first documents of every judged query, in the order in which they were evaluated."""
    single, order = settings.precision == "single", settings.order
    if run.firsts is not None and settings.identical == "keep":
        at_once = run.firsts(depth, ties=order, single=single)
        if at_once is not None:
            return at_once
    found: dict[str, tuple[str, ...]] = {}
    for ranking in run.rankings(Findings()):
        if ranking.query in judgments.position:
            seen = ranking if settings.identical == "keep" else ranking.without(ranking.query)
            scored = seen.scores.astype(np.float32).astype(np.float64) if single else seen.scores
            found[ranking.query] = (
                _positioned(seen, depth, order, run.name)
                if seen.ranked
                else tuple(plain.first(seen.documents, scored, depth, order))
            )
    return found


def _positioned(ranking: Ranking, depth: int, ties: str, run: str) -> tuple[str, ...]:
    """The first documents of a ranking by ranks alone, with a word at each position for which none is listed."""
    ranks = plain.all_ranks(ranking.documents, ranking.scores, ties, ranked=True).tolist()
    listed = dict(zip(ranks, ranking.documents, strict=True))
    last = min(max(ranks, default=0), depth)
    return tuple(listed.get(rank, f"(not listed: rank {rank} of {run})") for rank in range(1, last + 1))


def _places(alignment: Alignment) -> list[dict[int, int]]:
    """Of each query: the rank of each judged document that was retrieved, by its row in the judgments."""
    rows, ranks, starts = alignment.rows.tolist(), alignment.ranks.tolist(), alignment.starts.tolist()
    return [dict(zip(rows[start:end], ranks[start:end], strict=True)) for start, end in pairwise(starts)]


def fitting(rankings: Rankings, room: int, order: Sequence[int]) -> tuple[RankedLists, str]:
    """The longest lists that take no more than some characters, and their text.

    Where even short lists of all queries take more, only the first of an order of queries have lists.
    """
    sample = order[:: max(1, len(order) // SAMPLE)]
    count = len(order)
    for depth in (rankings.depth, *(depth for depth in DEPTHS if depth < rankings.depth)):
        # More queries deflate to less than as many times a few.
        each = len(packed_lists(rankings.lists(depth, sample))) / max(len(sample), 1) / 1.1
        if each * count <= room:
            lists = rankings.lists(depth, sorted(order))
            text = packed_lists(lists)
            if len(text) <= room:
                return lists, text
    while True:
        count = min(count - 1, int(room / each)) if each else 0
        lists = rankings.lists(depth, sorted(order[:count]))
        text = packed_lists(lists)
        if len(text) <= room or not count:
            return lists, text
        each = max(len(text) / count, each) * 1.02


def packed_lists(lists: RankedLists) -> str:
    """The lists as text for the page; `lists.js` reads them."""
    place: dict[float | None, int] = {grade: number for number, grade in enumerate(lists.grades)}
    place[None] = UNJUDGED
    listed = list(lists.of.values())
    meta = {
        "depth": lists.depth,
        "grades": list(lists.grades),
        "relevant": lists.relevant,
        "documents": [list(one.documents) for one in listed],
    }
    every = chain.from_iterable
    deeper = list(every(every(one.deeper for one in listed)))
    return packed(
        meta,
        {
            "queries": _column(lists.of, np.uint32),
            "grades": _column(map(place.__getitem__, every(one.grades for one in listed)), np.uint16),
            "lengths": _column(map(len, every(one.lists for one in listed)), np.uint16),
            "orders": _column(every(every(one.lists for one in listed)), np.uint16),
            "deeper": _column(deeper, np.uint16 if max(deeper, default=0) < 1 << 16 else np.uint32),
            "counts": _column(every(one.counts for one in listed), np.uint32),
        },
    )


def _column(values: Iterable[int], type_: Any) -> npt.NDArray[Any]:
    return np.fromiter(values, dtype=type_)
