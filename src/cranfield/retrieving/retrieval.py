"""Every query asked once, and a run of the answers: what failed is listed, and never written as an empty result."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal, get_args

from cranfield import errors
from cranfield.arguments import require_choice, require_whole
from cranfield.choices import Duplicates, ScoreOrder
from cranfield.data.request_log import (
    OUTCOMES,
    RequestLog,
    RequestRecord,
    median_and_p95,
    millisecond_places,
)
from cranfield.data.run import LOG_ENDING, Run
from cranfield.errors import Finding
from cranfield.file_endings import RUNS
from cranfield.formats.queries import read_queries
from cranfield.formats.reading import read_run
from cranfield.formats.request_logs import RequestJournal, finish_log, log_path, read_log, remove_file
from cranfield.formats.run_writing import RankedDocuments, write_run
from cranfield.formats.source import is_there, run_name
from cranfield.formats.writing import form_of, require_one_word
from cranfield.phrases import counted
from cranfield.requesting.asking import IN_A_ROW, TRIES, RateLimit, Sleep, answers, may_pass, pause
from cranfield.requesting.failures import FINAL, Failure, FailureKind
from cranfield.retrieving.functions import FunctionSystem, Returned
from cranfield.retrieving.searching import SearchQuery, SearchSystem, request_hash, search_queries
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Rounded, Table, number
from cranfield.version import VERSION

Watch = Callable[[int, int], None]
LEAST_RATE = 0.001
"""Requests a second: one in a quarter of an hour."""
NOT_ASKED: FailureKind = "not asked"
LEFT = "the queries before it failed"
SHOWN = 10
"""Failures that are shown one by one."""
_TOO_LATE = ("timeout", "timed out")


@dataclass(frozen=True)
class RetrievalChoices:
    """How a system is asked, and what is made of its answers."""

    at_once: int = 1
    """Requests at a time."""
    rate: float | None = None
    """Requests a second, at most."""
    tries: int = TRIES
    scores: ScoreOrder | None = None
    """None: as the results show it."""
    duplicates: Duplicates | None = None
    """What is done with a document that a query got twice; None: nothing is written."""
    partial: bool = False
    """Whether a run of the answered queries is written where others failed."""
    restart: bool = False
    """Whether everything is asked again, and files that are there are replaced."""


@dataclass(frozen=True, eq=False, repr=False)
class Retrieval(Answer):
    """What came of asking for every query; shows itself as a sentence and a table of failures.

    >>> import cranfield as cf
    >>> retrieval = cf.retrieve({"q1": "cracked tomatoes", "q2": "frost"}, lambda text: ["d1", "d2"][: len(text) // 8])
    >>> retrieval.run["q1"]
    {'d1': -1.0, 'd2': -2.0}
    >>> retrieval.log.records["q2"].outcome
    'empty'
    """

    name: str
    log: RequestLog
    """Every query of this run."""
    asked: int
    """Queries that were asked now; the others were answered before."""
    seconds: float
    is_partial: bool = False
    """Whether the run may lack queries that failed."""
    rankings: tuple[RankedDocuments, ...] = field(default=(), repr=False)
    path: str | None = None
    """The file of the run, if it was written."""
    stopped: str = ""
    """Why queries were not asked."""
    warnings: tuple[Finding, ...] = ()

    @cached_property
    def run(self) -> Run:
        """The run, to evaluate; one of which queries failed only if that was allowed."""
        self.require_run()
        if self.path is not None:
            return read_run(self.path, name=self.name)
        results = {one.query: list(zip(one.documents, one.scores, strict=True)) for one in self.rankings}
        return replace(read_run(results, name=self.name), find_log=lambda: self.log)

    def require_run(self) -> None:
        """Refuse to take failures for empty results."""
        if self.log.unanswered and not self.is_partial:
            raise errors.retrieving.incomplete(self.log.unanswered)

    @property
    def is_complete(self) -> bool:
        """Whether every query was answered."""
        return not self.log.unanswered

    @property
    def left(self) -> int:
        """Queries that were not asked, because those before them failed."""
        return sum(record.kind == NOT_ASKED for record in self.log.records.values())

    def verdict(self) -> str:
        """What was done and what is left, in words."""
        return " ".join(_sentences(self))

    def tables(self) -> list[Table]:
        """How many queries had which outcome, and the first failures."""
        counts: dict[str, list[Cell]] = {
            "outcome": list(OUTCOMES),
            "queries": [self.log.count(outcome) for outcome in OUTCOMES],
        }
        failures = [record for record in self.log.records.values() if not record.is_answered]
        if not failures:
            return [Table(counts)]
        shown = failures[:SHOWN]
        more = f"The first {SHOWN} of {len(failures):,}." if len(failures) > SHOWN else ""
        notes = ("A failure is not an empty result. The same command asks for these queries again, and for no others.",)
        columns: dict[str, list[Cell]] = {
            "query": [record.query for record in shown],
            "outcome": [record.outcome for record in shown],
            "tries": [record.tries for record in shown],
            "why": [f"{record.kind}: {record.detail}" for record in shown],
        }
        return [Table(counts), Table(columns, notes=(*filter(None, [more]), *notes), elastic="why")]

    def rows(self) -> Table:
        """A row for every query."""
        records = list(self.log.records.values())
        times = [record.milliseconds for record in records]
        return Table(
            {
                "query": [record.query for record in records],
                "outcome": [record.outcome for record in records],
                "hits": [record.hits for record in records],
                "total": [record.total for record in records],
                "milliseconds": [None if time is None else Rounded(time, 1) for time in times],
                "tries": [record.tries for record in records],
                "failure": [record.kind for record in records],
                "detail": [record.detail for record in records],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "run": self.name,
            "path": self.path,
            "asked": dict(self.log.asked),
            "queries": {
                "asked": self.asked,
                "left": self.left,
                **{outcome.replace(" ", "_"): self.log.count(outcome) for outcome in OUTCOMES},
            },
            "failures": dict(Counter(record.kind for record in self.log.records.values() if record.kind)),
            "latency": latency_dict(list(self.log.latencies.values())),
            "seconds": self.seconds,
            "stopped": self.stopped or None,
            "warnings": [str(warning) for warning in self.warnings],
            "records": [
                {name: value for name, value in record._asdict().items() if name not in ("documents", "scores")}
                for record in self.log.records.values()
            ],
        }


def retrieve(
    queries: object,
    function: Callable[[str], Returned],
    *,
    output: str | os.PathLike[str] | None = None,
    name: str | None = None,
    at_once: int = 1,
    rate: float | None = None,
    tries: int = 3,
    scores: ScoreOrder | None = None,
    duplicates: Duplicates | None = None,
    partial: bool = False,
    restart: bool = False,
    columns: Mapping[str, str] | None = None,
    watch: Watch = lambda done, of: None,
) -> Retrieval:
    """A run from a function that gets the text of a query and returns documents, best first.

    It may return ids, pairs of id and score, `{id: score}`, or objects that have both. What it raises is a failure of
    that query, which is listed and never taken for an empty result; what may pass (no connection, no answer in time) is
    tried again. With `output` every answer is saved at once, so that the same call goes on after a crash without asking
    twice. How long each query took is recorded, and `cf.compare` reports it. Functions that may be called from several
    threads are called `at_once` times at a time.

    >>> import cranfield as cf
    >>> words = {"d1": "tomatoes need water", "d2": "frost kills tomatoes"}
    >>> def search(text):
    ...     return [id for id, words in words.items() if set(text.split()) & set(words.split())]
    >>> cf.retrieve({"q1": "frost", "q2": "snow"}, search).run["q1"]
    {'d2': -1.0}
    """
    choices = RetrievalChoices(at_once, rate, tries, scores, duplicates, partial, restart)
    system = FunctionSystem(function)
    return retrieve_from(system, read_queries(queries, columns=columns), choices, output=output, name=name, watch=watch)


def retrieve_from(
    system: SearchSystem,
    queries: Any,
    choices: RetrievalChoices,
    *,
    size: int | None = None,
    output: str | os.PathLike[str] | None = None,
    name: str | None = None,
    watch: Watch = lambda done, of: None,
    sleep: Sleep = time.sleep,
) -> Retrieval:
    """A run from any system; everything about it is checked before the first query is asked."""
    _require_choices(choices)
    questions = search_queries(queries, system.names, size)
    target = None if output is None else os.fspath(output)
    if target is not None:
        form = form_of(target, RUNS, "a run")
        for question in questions if form == "run" else ():
            require_one_word("query", question.query)
    called = name or (run_name(target) if target else "run")
    asker = _Asker(system, choices, sleep)
    return asker.retrieval(questions, target, called, watch)


def latency_dict(milliseconds: Sequence[float]) -> dict[str, Any] | None:
    """Median and 95th percentile, in milliseconds; nothing where nothing was measured."""
    if not milliseconds:
        return None
    median, p95 = median_and_p95(milliseconds)
    return {"queries": len(milliseconds), "median": median, "p95": p95}


def _require_choices(choices: RetrievalChoices) -> None:
    require_whole(choices.at_once, "at_once")
    require_whole(choices.tries, "tries")
    if choices.rate is not None and not LEAST_RATE <= choices.rate < float("inf"):
        raise errors.UsageError(
            f"rate must be a number of requests a second of at least {LEAST_RATE:g}, not {choices.rate:g}."
        )
    if choices.scores is not None:
        require_choice(choices.scores, "scores", get_args(ScoreOrder))
    if choices.duplicates is not None:
        require_choice(choices.duplicates, "duplicates", get_args(Duplicates))


class _Asker:
    """One run in the making."""

    def __init__(self, system: SearchSystem, choices: RetrievalChoices, sleep: Sleep) -> None:
        self.system, self.choices, self.sleep = system, choices, sleep
        self.limit = RateLimit(choices.rate, sleep)
        self.rng = random.Random()
        self.stopped = ""

    def retrieval(self, questions: Sequence[SearchQuery], target: str | None, name: str, watch: Watch) -> Retrieval:
        began = time.monotonic()
        hashes = {one.query: request_hash(self.system.request(one)) for one in questions}
        asked = {**self.system.asked, "at_once": self.choices.at_once, "hash": request_hash(dict(self.system.asked))}
        if target is None:
            records = self._ask(questions, hashes, {}, None, watch)
        else:
            before = self._begun(target, asked, hashes)
            if before is not None and before.is_finished:
                return Retrieval(name, before, 0, time.monotonic() - began, path=target)
            with closing(RequestJournal(log_path(target), asked)) as journal:
                if journal.log.is_finished:  # by another process, just now
                    raise errors.DataError([errors.retrieving.log_in_use(journal.path)])
                # A run and its log always belong together, whatever ends this process.
                remove_file(target)
                asked = dict(journal.log.asked)
                known = {query: one for query, one in journal.log.records.items() if one.is_answered}
                known = {query: one for query, one in known.items() if one.request == hashes.get(query)}
                records = self._ask(questions, hashes, known, journal, watch)
        count = sum(record is not before and record.kind != NOT_ASKED for record, before in records.values())
        log = RequestLog({query: record for query, (record, _) in records.items()}, asked, target and log_path(target))
        return self._written(log, target, name, count, time.monotonic() - began)

    def _written(self, log: RequestLog, target: str | None, name: str, count: int, seconds: float) -> Retrieval:
        """The run of all answers; it is written where none failed, or where that is allowed."""
        is_complete = not log.unanswered
        rankings: tuple[RankedDocuments, ...] = ()
        warnings: tuple[Finding, ...] = ()
        if is_complete or self.choices.partial:
            rankings, warnings = ranked(log, self.choices, target)
            if target is not None and (rankings or is_complete):
                write_run(target, rankings, name)
                if is_complete:
                    finish_log(log)
        path = target if rankings or (is_complete and target) else None
        return Retrieval(name, log, count, seconds, self.choices.partial, rankings, path, self.stopped, warnings)

    def _begun(self, target: str, asked: Mapping[str, Any], hashes: Mapping[str, str]) -> RequestLog | None:
        """What was asked before for this file; refuses to replace what was made of other requests."""
        if self.choices.restart:
            remove_file(log_path(target))
            return None
        before = read_log(log_path(target)) if is_there(log_path(target)) else None
        if before is None or not before.asked:
            if is_there(target):
                raise errors.retrieving.output_exists(target)
            return None
        if before.asked.get("hash") != asked["hash"]:
            raise errors.retrieving.other_requests(log_path(target), str(before.asked.get("source", "")))
        if not before.is_finished:
            return before
        if not is_there(target):
            remove_file(log_path(target))  # somebody removed the run
            return None
        if {query: record.request for query, record in before.records.items()} != dict(hashes):
            raise errors.retrieving.other_queries(target)
        return before

    def _ask(
        self,
        questions: Sequence[SearchQuery],
        hashes: Mapping[str, str],
        known: Mapping[str, RequestRecord],
        journal: RequestJournal | None,
        watch: Watch,
    ) -> dict[str, tuple[RequestRecord, RequestRecord | None]]:
        """A record for each query, in the order of the queries, with what was known of it before."""
        new: dict[str, RequestRecord] = {}
        open_questions = [one for one in questions if one.query not in known]
        is_trec = journal is not None and form_of(journal.path.removesuffix(LOG_ENDING), RUNS, "a run") == "run"
        in_a_row = 0
        asked = answers(
            open_questions, partial(self._asked, hashes), self.choices.at_once, stop=lambda: bool(self.stopped)
        )
        for _, record in asked:
            if journal is not None:
                journal.add(record)
            for document in record.documents if is_trec else ():
                require_one_word("document", document)
            new[record.query] = record
            in_a_row = 0 if record.is_answered else in_a_row + 1
            if record.kind in FINAL or in_a_row >= IN_A_ROW:
                self.stopped = self.stopped or record.detail
            watch(len(new), len(open_questions))
        found = {**known, **new}
        for one in questions:
            if one.query not in found:
                # In the log as well: of these, too, nobody knows what the system returns.
                left = RequestRecord(one.query, hashes[one.query], "failed", 0, kind=NOT_ASKED, detail=LEFT)
                found[one.query] = left
                if journal is not None:
                    journal.add(left)
        return {one.query: (found[one.query], known.get(one.query)) for one in questions}

    def _asked(self, hashes: Mapping[str, str], question: SearchQuery) -> RequestRecord:
        """One query, tried again while that may help."""
        request = hashes[question.query]
        attempt = 0
        while True:
            attempt += 1
            self.limit.wait()
            began = time.monotonic()
            try:
                result = self.system.search(question)
            except Failure as failure:
                if may_pass(failure, attempt, self.choices.tries) and not self.stopped:
                    self.sleep(pause(attempt, failure, self.rng))
                    continue
                outcome: Literal["timed out", "failed"] = "timed out" if failure.kind in _TOO_LATE else "failed"
                return RequestRecord(
                    question.query, request, outcome, attempt, kind=failure.kind, detail=_one_line(failure.detail)
                )
            milliseconds = round(1000 * (time.monotonic() - began), 3)
            documents = tuple(result.documents)
            return RequestRecord(
                question.query,
                request,
                "results" if documents else "empty",
                attempt,
                milliseconds,
                len(documents),
                result.total,
                documents=documents,
                scores=None if result.scores is None else tuple(result.scores),
            )


def ranked(
    log: RequestLog, choices: RetrievalChoices, path: str | None
) -> tuple[tuple[RankedDocuments, ...], tuple[Finding, ...]]:
    """The answered queries with documents, each document once, and scores by which they are ranked as they were."""
    records = [record for record in log.records.values() if record.outcome == "results"]
    records = _without_duplicates(records, choices.duplicates, path)
    order, warnings = _found_order(records, path) if choices.scores is None else (choices.scores, ())
    return tuple(_ranking(record, order) for record in records), warnings


def _ranking(record: RequestRecord, order: ScoreOrder) -> RankedDocuments:
    if order == "order" or record.scores is None:
        return RankedDocuments(record.query, record.documents, [-float(at) for at in range(1, record.hits + 1)])
    sign = -1.0 if order == "lower" else 1.0
    pairs = sorted(zip(record.documents, record.scores, strict=True), key=lambda pair: -sign * pair[1])
    return RankedDocuments(record.query, [one for one, _ in pairs], [sign * score for _, score in pairs])


def _found_order(records: Sequence[RequestRecord], path: str | None) -> tuple[ScoreOrder, tuple[Finding, ...]]:
    """What is best, as all results show it; where they do not, it has to be said."""
    scored = [record for record in records if record.scores is not None]
    if len(scored) < len(records):
        return "order", ()
    rises = {one.query for one in scored if any(before < after for before, after in pairwise(one.scores or ()))}
    falls = {one.query for one in scored if any(before > after for before, after in pairwise(one.scores or ()))}
    if not rises:
        return "higher", ()
    if not falls:
        return "lower", (errors.retrieving.distances(path),)
    raise errors.retrieving.order_unclear(path, [one.query for one in scored if one.query in rises])


def _without_duplicates(
    records: Sequence[RequestRecord], duplicates: Duplicates | None, path: str | None
) -> list[RequestRecord]:
    repeated = [record for record in records if len(set(record.documents)) < len(record.documents)]
    if repeated and duplicates is None:
        first = repeated[0]
        document = next(one for at, one in enumerate(first.documents) if one in first.documents[:at])
        raise errors.retrieving.repeated_document(path, first.query, document, len(repeated))
    return [_firsts(record) for record in records] if repeated else list(records)


def _firsts(record: RequestRecord) -> RequestRecord:
    places = list({document: at for at, document in reversed(list(enumerate(record.documents)))}.values())[::-1]
    places.sort()
    return record._replace(
        documents=tuple(record.documents[at] for at in places),
        scores=None if record.scores is None else tuple(record.scores[at] for at in places),
        hits=len(places),
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]


def _sentences(retrieval: Retrieval) -> Iterator[str]:
    log = retrieval.log
    count = len(log.records)
    answered = log.count("results") + log.count("empty")
    empty = f", {log.count('empty'):,} of them empty" if log.count("empty") else ""
    yield f"{retrieval.name}: {answered:,} of {counted(count, 'query')} answered{empty}."
    if before := count - retrieval.asked - retrieval.left:
        yield f"{before:,} of them were answered before and not asked again."
    if failed := len(log.unanswered) - retrieval.left:
        late = f", {log.count('timed out'):,} of them timed out" if log.count("timed out") else ""
        yield f"{counted(failed, 'query')} failed{late}."
    if retrieval.stopped:
        yield f"Stopped early, {counted(retrieval.left, 'query')} not asked: {retrieval.stopped}."
    if not retrieval.is_complete:
        yield (
            f"The run in {retrieval.path} lacks these queries."
            if retrieval.path
            else "No run was written; the same command asks again for what is missing."
        )
    if latency := latency_dict(list(log.latencies.values())):
        at_once = log.asked.get("at_once", 1)
        median, p95 = (number(latency[name], millisecond_places(latency["median"])) for name in ("median", "p95"))
        yield (
            f"Latency: median {median} ms, 95th percentile {p95} ms"
            f"{f', with {at_once} requests at a time' if at_once != 1 else ''}."
        )
