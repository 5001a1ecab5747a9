"""The queries with the lowest scores, and those on which every run fails."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from cranfield.arguments import require_number, require_whole
from cranfield.arrays import Floats
from cranfield.data.queries import Queries
from cranfield.evaluating.scores import Scores
from cranfield.formats.queries import read_queries
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.digits import Digits
from cranfield.show.measures import canonical_column, name_dict
from cranfield.show.table import Cell, Table, finite, shortened

USUAL = 10
"""Queries that are listed unless another number is asked for."""
MOST_RUNS = 6
"""Of more runs, a table shows the mean and the best one instead of a column for each."""
LONGEST_TEXT = 60


class WorstQuery(NamedTuple):
    """A query with a low score, and what every run scores on it."""

    query: str
    text: str
    """What it says; empty where that is not known."""
    mean: float
    """Over the runs that have a score for it."""
    scores: tuple[float, ...]
    """By run; NaN where a run has none."""
    fails_in: int
    """Runs that fail on it."""

    @property
    def scored(self) -> int:
        """Runs that have a score for it."""
        return sum(not math.isnan(score) for score in self.scores)

    @property
    def fails_in_every_run(self) -> bool:
        """Whether no run succeeds."""
        return self.fails_in == self.scored


@dataclass(frozen=True, eq=False)
class WorstQueries(Answer):
    """The queries with the lowest scores under one measure, those on which every run fails first."""

    measure: Measure
    runs: tuple[str, ...]
    queries: int
    """How many queries there are to choose from."""
    worst: tuple[WorstQuery, ...]
    failing: tuple[str, ...]
    """All queries on which every run fails, in the order of the judgments."""
    failure_threshold: float | None
    """A score that is not better than this is a failure; None where nothing says what a failure is."""
    without_relevant: int = 0
    """Queries that are not listed, since no document is relevant to them."""
    undefined: int = 0
    """Queries that are not listed, since no run has a score for them."""
    digits: Digits = field(default_factory=Digits)
    """The decimals of the measure, and whether scores are shown in percent."""

    def verdict(self) -> str:
        """How many queries fail in every run."""
        if self.failure_threshold is None:
            return ""
        where = "in every run" if len(self.runs) > 1 else f"in {self.runs[0]}"
        verb = "fails" if len(self.failing) == 1 else "fail"
        of = f"{len(self.failing):,} of {counted(self.queries, 'query')}" if self.failing else "No query"
        return f"{of} {verb if self.failing else 'fails'} {where} ({self._failure})."

    @property
    def _failure(self) -> str:
        """What a failure is."""
        limit = f"{(self.failure_threshold or 0.0) * self.digits.factor(self.measure):.6g}"
        if self.measure.definition.lower_is_better:
            return f"{self.measure} is {limit} or more"
        return f"{self.measure} is {limit}" if self._is_lowest else f"{self.measure} is {limit} or less"

    @property
    def _is_lowest(self) -> bool:
        return self.failure_threshold == self.measure.bounds[0]

    def table(self) -> Table:
        """A row for every query: each run's score; of many runs the mean and the best."""
        texts = [shortened(row.text, LONGEST_TEXT) for row in self.worst]
        fails = [self._fails(row) for row in self.worst] if self.failure_threshold is not None else []
        return Table(
            {
                "query": [row.query for row in self.worst],
                **({"text": texts} if any(texts) else {}),
                **(self._by_run() if len(self.runs) <= MOST_RUNS else self._best()),
                **({"fails in": fails} if len(self.runs) > 1 and fails else {}),
            },
            notes=tuple(self._notes()),
            elastic="text",
            optional=("text",),
        )

    def _cell(self, score: float) -> Cell:
        return self.digits.cell(self.measure, self.measure.cell(score))

    def _by_run(self) -> dict[str, list[Cell]]:
        taken = {"query", "text", "mean", "fails in"}
        columns: dict[str, list[Cell]] = {
            f"run {run}" if run in taken else run: [self._cell(row.scores[at]) for row in self.worst]
            for at, run in enumerate(self.runs)
        }
        return columns if len(self.runs) == 1 else {**columns, "mean": [self._cell(row.mean) for row in self.worst]}

    def _best(self) -> dict[str, list[Cell]]:
        best = [self._best_run(row) for row in self.worst]
        return {
            "mean": [self._cell(row.mean) for row in self.worst],
            "best": [self._cell(row.scores[at]) for row, at in zip(self.worst, best, strict=True)],
            "best run": [
                "" if row.fails_in_every_run and len(set(row.scores)) == 1 else self.runs[at]
                for row, at in zip(self.worst, best, strict=True)
            ],
        }

    def _best_run(self, row: WorstQuery) -> int:
        scores = np.array(row.scores)
        return int(np.nanargmin(scores) if self.measure.definition.lower_is_better else np.nanargmax(scores))

    def _fails(self, row: WorstQuery) -> str:
        return "every run" if row.fails_in_every_run else f"{row.fails_in} of {row.scored} runs" if row.fails_in else ""

    def _notes(self) -> Iterator[str]:
        side = "highest" if self.measure.definition.lower_is_better else "lowest"
        mean = f"{side} mean {self.measure} over the runs" if len(self.runs) > 1 else f"{side} {self.measure}"
        first = "; those that fail in every run come before others" if len(self.runs) > 1 and self.failing else ""
        yield f"{len(self.worst):,} of {counted(self.queries, 'query')}, {mean} first{first}."
        for count, why in (
            (self.without_relevant, "without a relevant document"),
            (self.undefined, f"for which {self.measure} is undefined in every run"),
        ):
            if count:
                yield f"{counted(count, 'query')} {why} {'is' if count == 1 else 'are'} not listed."

    def rows(self) -> Table:
        """A row for every query and run."""
        pairs = [(row, at) for row in self.worst for at in range(len(self.runs))]
        texts = [row.text for row, _ in pairs]
        return Table(
            {
                "measure": (measure := [str(self.measure)] * len(pairs)),
                "run": [self.runs[at] for _, at in pairs],
                "query": [row.query for row, _ in pairs],
                **({"text": texts} if any(texts) else {}),
                "value": [self._cell(row.scores[at]) for row, at in pairs],
                "fails_in": [row.fails_in for row, _ in pairs],
                "runs": [row.scored for row, _ in pairs],
                **canonical_column(measure, [self.measure]),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **name_dict(self.measure),
            "failure_threshold": self.failure_threshold,
            "of_queries": self.queries,
            "without_relevant": self.without_relevant,
            "undefined": self.undefined,
            "fail_in_every_run": list(self.failing),
            "queries": [
                {
                    "query": row.query,
                    **({"text": row.text} if row.text else {}),
                    "mean": finite(row.mean),
                    "fails_in": row.fails_in,
                    "fails_in_every_run": row.fails_in_every_run,
                    "scores": dict(zip(self.runs, map(finite, row.scores), strict=True)),
                }
                for row in self.worst
            ],
        }

    def __repr__(self) -> str:
        failing = f", {counted(len(self.failing), 'query')} failing in every run" if self.failing else ""
        return f"WorstQueries({len(self.worst)} of {counted(self.queries, 'query')} by {self.measure}{failing})"


def worst_queries(
    scores: Scores,
    n: int | None = USUAL,
    measure: str | Measure | None = None,
    *,
    queries: object = None,
    failure_threshold: float | None = None,
) -> WorstQueries:
    """The n queries with the lowest mean score over runs, or all of them, those on which every run fails first.

    A run fails on a query if its score is not better than the threshold: 0 unless another is given. Where a lower score
    is better there is no failure without a threshold. Queries without a relevant document, which no run can answer, are
    left out; so are those for which no run has a score.
    """
    if n is not None:
        require_whole(n, "n")
    chosen = scores.measures[0 if measure is None else scores.position(measure)]
    sign = -1.0 if chosen.definition.lower_is_better else 1.0
    threshold = _threshold(chosen, failure_threshold)
    known = None if queries is None else read_queries(queries)
    values = scores.settled(chosen)
    unanswerable = set(scores.provenance.judgments.without_relevant or ()).intersection(scores.queries)
    answerable = [at for at, query in enumerate(scores.queries) if query not in unanswerable]
    scored = [at for at in answerable if not np.isnan(values[:, at]).all()]
    rows = [_worst_query(scores.queries[at], values[:, at], sign, threshold, known) for at in scored]
    return WorstQueries(
        chosen,
        scores.runs,
        len(rows),
        tuple(sorted(rows, key=lambda row: (not row.fails_in_every_run, sign * row.mean))[:n]),
        tuple(row.query for row in rows if row.fails_in_every_run),
        threshold,
        len(unanswerable),
        len(answerable) - len(scored),
    )


def _threshold(measure: Measure, given: float | None) -> float | None:
    if given is not None:
        return require_number(given, "failure_threshold")
    return None if measure.definition.lower_is_better else 0.0


def _worst_query(query: str, scores: Floats, sign: float, threshold: float | None, known: Queries | None) -> WorstQuery:
    fails = 0 if threshold is None else int(np.count_nonzero(sign * scores <= sign * threshold))
    text = known.text(query) if known is not None else ""
    return WorstQuery(query, text, float(np.nanmean(scores)), tuple(scores.tolist()), fails)
