"""Expectation-maximization whose documents are on workers: of each round only sums over all of them come together.

Workers hold no state that could be lost. Each job is told of every step since the beginning, a few numbers each:
whoever did the earlier ones goes on from there, and a new worker does them again. Sums are exact, so that no number
depends on how documents are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from cranfield.arrays import Floats
from cranfield.click_models.examination import Cells, examination_of, expected_looks, first_examination
from cranfield.click_models.model import Course, EventCounts, Fitting, stretched_by
from cranfield.data.click_log import summed
from cranfield.spark.batches import Batches, Mapper
from cranfield.spark.click_tallies import Chunk, with_prior
from cranfield.spark.exact_sums import rounded, whole_sum

REPORT = pa.schema([("what", pa.string()), ("place", pa.int32()), ("sum", pa.string()), ("most", pa.float64())])
MOST_REMEMBERED = 1 << 28
"""Bytes that a worker remembers between two jobs; what is beyond it is computed again."""


class Expect(NamedTuple):
    """Add up what these examinations lead to expect."""

    examination: Floats


class Improve(NamedTuple):
    """Take the attractions that follow from that, with this prior."""

    prior: tuple[float, float]


class GoOn(NamedTuple):
    """Begin the next round there, or where the last three are heading."""

    stretch: float | None


Step = Expect | Improve | GoOn


@dataclass
class RoundReport:
    """Exact sums over documents, and the largest distance."""

    sums: dict[tuple[str, int], int] = field(default_factory=dict)
    most: float = 0.0

    def add(self, what: str, numbers: Floats, place: int = 0) -> None:
        """Add numbers to a sum."""
        self.sums[what, place] = self.sums.get((what, place), 0) + whole_sum(numbers)

    def join(self, other: RoundReport) -> None:
        """Add those of other documents."""
        for key, whole in other.sums.items():
            self.sums[key] = self.sums.get(key, 0) + whole
        self.most = max(self.most, other.most)

    def sum(self, what: str, place: int = 0) -> float:
        """A sum, rounded once."""
        return rounded(self.sums.get((what, place), 0))

    def batch(self) -> pa.RecordBatch:
        """The same as rows."""
        rows = [(what, place, f"{whole:x}", None) for (what, place), whole in self.sums.items()]
        columns = zip(*rows, ("most", 0, None, self.most), strict=True)
        return pa.RecordBatch.from_arrays(
            [pa.array(list(column), each.type) for column, each in zip(columns, REPORT, strict=True)], schema=REPORT
        )

    @classmethod
    def of(cls, rows: Sequence[Any]) -> RoundReport:
        """That of all workers."""
        report = cls()
        for row in rows:
            if row["what"] == "most":
                report.most = max(report.most, row["most"])
            else:
                report.join(cls({(row["what"], row["place"]): int(row["sum"], 16)}))
        return report


class Attractions:
    """The attractions of some documents, from step to step."""

    def __init__(self, cells: Cells, count: int, places: int, fitting: Fitting) -> None:
        self.cells, self.count, self.fitting = cells, count, fitting
        self.values = np.full(count, fitting.start)
        self.before: Floats | None = None
        self.better = self.values
        self.steps = 0
        self.order = np.argsort(cells.place, kind="stable")
        self.ends = np.searchsorted(cells.place[self.order], np.arange(places + 1))

    @property
    def bytes(self) -> int:
        """How much is remembered."""
        return 8 * (4 * self.count + 5 * len(self.cells.pair))

    @property
    def latest(self) -> Floats:
        """The attractions after the last improvement."""
        return self.better

    def take(self, steps: Sequence[Step], since: int) -> RoundReport:
        """Do the steps that are not done yet, and report those since one of them."""
        report = RoundReport()
        for at in range(self.steps, len(steps)):
            self._take(steps[at], report if at >= since else None)
        self.steps = len(steps)
        return report

    def _take(self, step: Step, report: RoundReport | None) -> None:
        match step:
            case Expect(examination):
                won, tried, looked = expected_looks(self.cells, self.values, examination, unseen=self.fitting.unseen)
                self.tally = EventCounts(*(summed(self.cells.pair, numbers, self.count) for numbers in (won, tried)))
                if report is not None:
                    report.add("won", self.tally.won)
                    report.add("tried", self.tally.tried)
                    for place, numbers in self._by_place(looked):
                        report.add("looked", numbers, place)
            case Improve(prior):
                self.better = with_prior(self.fitting, prior).mean(*self.tally, "document")
                if report is not None:
                    report.most = max(report.most, float(np.abs(self.better - self.values).max(initial=0.0)))
                    if self.before is not None:
                        course = Course.of(self.before, self.values, self.better)
                        report.add("steps", course.step**2)
                        report.add("bends", course.bend**2)
            case GoOn(stretch):
                if stretch is None or self.before is None:
                    self.values, self.before = self.better, self.values
                else:
                    self.values = Course.of(self.before, self.values, self.better).after(stretch)
                    self.before = None

    def _by_place(self, numbers: Floats) -> Iterator[tuple[int, Floats]]:
        ordered = numbers[self.order]
        for place, (start, end) in enumerate(zip(self.ends[:-1], self.ends[1:], strict=True)):
            if end > start:
                yield place, ordered[start:end]


_REMEMBERED: dict[tuple[str, bytes], Attractions] = {}


def stepping(known: str, steps: Sequence[Step], since: int, shape: tuple[int, ...], fitting: Fitting) -> Mapper:
    """What the documents of a task report of the last steps."""

    def stepped(batches: Batches) -> Batches:
        report = RoundReport()
        for batch in batches:
            for row in batch.to_pylist():
                report.join(attractions_of(known, row, since, shape, fitting).take(steps, since))
        yield report.batch()

    return stepped


def attractions_of(known: str, row: Any, since: int, shape: tuple[int, ...], fitting: Fitting) -> Attractions:
    """The attractions of a chunk as far as this worker has them, or as they were at the beginning."""
    for key in [key for key in _REMEMBERED if key[0] != known]:
        del _REMEMBERED[key]
    key = known, blake2b(row["cells"], digest_size=16).digest()
    found = _REMEMBERED.get(key)
    # A task that is done twice finds itself further on than it was.
    if found is None or found.steps > since:
        chunk = Chunk.of(row)
        found = Attractions(chunk.cells(shape), chunk.size, int(np.prod(shape)), fitting)
        others = sum(each.bytes for other, each in _REMEMBERED.items() if other != key)
        if others + found.bytes <= MOST_REMEMBERED:
            _REMEMBERED[key] = found
    return found


class Learnt(NamedTuple):
    """Where the rounds ended."""

    steps: tuple[Step, ...]
    """All steps; the attractions of the last improvement are those of the model."""
    examination: Floats
    rounds: int
    unseen: float
    """The attraction of a document that nobody has seen."""
    converged: bool = True


Job = Callable[[Sequence[Step], int], RoundReport]
"""Has workers do all steps, and report those since one of them."""


def maximised_together(job: Job, tried: Floats, fitting: Fitting) -> Learnt:
    """The rounds of `maximised`, with attractions on workers.

    A round takes two jobs, since what comes of all documents decides about each. Every other round, which does not look
    where rounds are heading, goes together with the beginning of the next.
    """
    places = np.arange(0)
    # A document that nobody has seen takes part in what decides about the rounds, as in `maximised`.
    nobody = Attractions(Cells(places, places, np.empty(0), np.empty(0)), 1, 0, fitting)
    values, before = first_examination(len(tried), fitting), None
    steps: list[Step] = [Expect(values)]

    def done() -> RoundReport:
        report = job(steps, since)
        report.join(nobody.take(steps, since))
        return report

    since = 0
    report = done()
    for round in range(1, fitting.iterations + 1):
        looked = np.array([report.sum("looked", place) for place in range(len(tried))])
        better = examination_of(EventCounts(looked, tried), fitting)
        prior = fitting.prior_of(report.sum("won"), report.sum("tried"), "document")
        heads = before is not None and fitting.tolerance > 0
        since = len(steps)
        steps.append(Improve(prior))
        if not heads and round < fitting.iterations:
            steps += [GoOn(None), Expect(better)]
        report = done()
        if max(report.most, float(np.abs(better - values).max())) <= fitting.tolerance:
            return Learnt(tuple(steps), better, round, unseen=float(nobody.latest[0]))
        if round == fitting.iterations:
            break
        if heads:
            assert before is not None
            course = Course.of(before, values, better)
            report.add("steps", course.step**2)
            report.add("bends", course.bend**2)
            stretch = stretched_by(report.sum("steps"), report.sum("bends"))
            values, before = course.after(stretch), None
            since = len(steps)
            steps += [GoOn(stretch), Expect(values)]
            report = done()
        else:
            values, before = better, values
    unseen = float(nobody.latest[0])
    return Learnt(tuple(steps), better, fitting.iterations, unseen, converged=fitting.tolerance == 0)
