"""Several runs read side by side: the lists of one query after the other, without keeping a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield import errors
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import DataError, Finding, Findings
from cranfield.errors.findings import about
from cranfield.fusing.lists import QueryLists, RankedList, ranked_list

Rankings = list[Ranking | None]
"""What each run returned for one query, as far as it was read."""


@dataclass(eq=False)
class Joining:
    """One pass over several runs: whatever is the same query comes together.

    Each run is read once, all of them in step, so that of runs in the same order only one query is kept at a time.
    Where orders differ, a query waits until all runs have come by it, and one that only some runs answer until the
    others have ended. A query that comes again in a run, complete only then, comes again here.
    """

    runs: Sequence[Run]
    findings: Findings
    depth: int | None = None
    needs_scores: str = ""
    """The name of what reads scores, and not only ranks."""
    answered: list[dict[str, None]] = field(default_factory=list)
    """The queries of each run."""
    shares_documents: bool = False
    _noticed: dict[tuple[int, str], list[Finding]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[QueryLists]:
        self.answered = [{} for _ in self.runs]
        again: dict[str, None] = {}
        for query, rankings in self._in_step(again):
            if (lists := self._lists(query, rankings)) is not None:
                yield lists
        if again:
            for query, rankings in self._complete(again).items():
                if (lists := self._lists(query, rankings)) is not None:
                    yield lists
        for findings in self._noticed.values():
            self.findings.extend(findings)
        self.findings.stop_if_wrong()
        self._must_meet()
        self.findings.extend(self._surprises())

    def _in_step(self, again: dict[str, None]) -> Iterator[tuple[str, Rankings]]:
        """Each query as soon as all runs have come by it; `again` becomes those that come back later."""
        reading = {at: run.rankings(self.findings) for at, run in enumerate(self.runs)}
        waiting: dict[str, Rankings] = {}
        while reading:
            for at in list(reading):
                if (ranking := next(reading[at], None)) is None:
                    del reading[at]
                    for query in [query for query in waiting if _is_complete(waiting[query], reading)]:
                        yield query, waiting.pop(query)
                    continue
                query = ranking.query
                if query in self.answered[at]:
                    again[query] = None
                    waiting.pop(query, None)
                    continue
                self.answered[at][query] = None
                if query in again:
                    continue
                waiting.setdefault(query, [None] * len(self.runs))[at] = ranking
                if _is_complete(waiting[query], reading):
                    yield query, waiting.pop(query)

    def _complete(self, queries: dict[str, None]) -> dict[str, Rankings]:
        """What all runs have of some queries, read again; the last time that a query comes counts."""
        complete: dict[str, Rankings] = {query: [None] * len(self.runs) for query in queries}
        for at, run in enumerate(self.runs):
            for ranking in run.rankings(Findings()):
                if ranking.query in complete:
                    complete[ranking.query][at] = ranking
        return complete

    def _lists(self, query: str, rankings: Rankings) -> QueryLists | None:
        """The lists of a query; None where one of them is wrong, or all are empty."""
        sound = [self._is_sound(at, ranking) for at, ranking in enumerate(rankings)]
        if not all(sound):
            return None
        places: dict[str, int] = {}
        lists = tuple(_ranked_list(ranking, places, self.depth) for ranking in rankings)
        self.shares_documents |= sum(len(ranked.places) for ranked in lists) > len(places)
        return QueryLists([*places], lists, query) if places else None

    def _is_sound(self, at: int, ranking: Ranking | None) -> bool:
        if ranking is None:
            return True
        run = self.runs[at]
        findings = list(check_ranking(ranking, run.called))
        if self.needs_scores and not findings:
            findings += _without_scores(run, ranking, self.needs_scores)
        self._noticed.pop((at, ranking.query), None)
        if findings:
            self._noticed[at, ranking.query] = findings
        return all(finding.severity != "error" for finding in findings)

    def _must_meet(self) -> None:
        """Refuse a run that shares no query with any other: they are of different collections, or ids differ."""
        for at, run in enumerate(self.runs):
            if not self.answered[at]:
                raise DataError([errors.files.nothing_read(run.called, "run")])
        for at, run in enumerate(self.runs):
            others = [other for other in range(len(self.runs)) if other != at]
            if others and not any(self.answered[at].keys() & self.answered[other].keys() for other in others):
                other = self.runs[others[0]]
                found = errors.ids.runs_never_meet(
                    other.called, run.called, self.answered[others[0]], self.answered[at]
                )
                raise DataError([found])

    def _surprises(self) -> Iterator[Finding]:
        queries = dict.fromkeys(query for answered in self.answered for query in answered)
        for run, answered in zip(self.runs, self.answered, strict=True):
            if run.unanswered:
                yield errors.retrieving.unanswered_in_fusion(run.name, run.unanswered)
            if silent := [query for query in queries if query not in answered]:
                yield about(errors.fusing.answers_some(silent, len(queries)), run.name)
        if len(self.runs) > 1 and not self.shares_documents:
            yield errors.fusing.shares_no_document([run.name for run in self.runs])


def _is_complete(rankings: Rankings, reading: dict[int, Iterator[Ranking]]) -> bool:
    return all(ranking is not None or at not in reading for at, ranking in enumerate(rankings))


def _ranked_list(ranking: Ranking | None, places: dict[str, int], depth: int | None) -> RankedList:
    if ranking is None or not len(ranking.documents):
        nothing = np.empty(0)
        return RankedList(np.empty(0, dtype=np.int64), nothing, nothing)
    return ranked_list(ranking.documents, ranking.scores, places, ranked=ranking.ranked, depth=depth)


def _without_scores(run: Run, ranking: Ranking, what: str) -> Iterator[Finding]:
    if ranking.ranked:
        yield errors.fusing.ranks_alone(run.called, what)
        return
    for at in np.flatnonzero(np.isinf(ranking.scores)).tolist():
        yield errors.fusing.endless_score(run.called, ranking.lines[at], float(ranking.scores[at]), what, ranking.unit)
