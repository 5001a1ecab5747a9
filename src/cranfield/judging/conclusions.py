"""What the labels of each judge say of the same runs: whether who judges decides which system is better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.comparing.order_agreement import Orders, order_agreement
from cranfield.data.labels import Labels
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.evaluating.evaluation import evaluate
from cranfield.evaluating.scores import Scores
from cranfield.judging.estimates import Row, rows_table
from cranfield.judging.merging import median
from cranfield.phrases import counted, listed
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite

MEASURES = ("nDCG@10", "AP")
MERGED = "median"
MOST_JUDGES = 6
"""Of more judges, each is compared with the median only."""


@dataclass(frozen=True)
class Flip:
    """Two runs that change places when somebody else judges."""

    measure: str
    run: str
    other: str
    differences: dict[str, float]
    """By judge, how much better the first run is."""


@dataclass(frozen=True, eq=False)
class Conclusions(Answer):
    """Means of runs by each judge's labels, how far the orders agree, and which comparisons flip."""

    judges: tuple[str, ...]
    """Whose labels: every judge's, and the median of them."""
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    scores: dict[str, Scores]
    """By judge."""
    orders: tuple[Orders, ...]
    flips: tuple[Flip, ...]
    documents: int
    """Documents that every judge labelled: only these count, so that only opinions differ."""
    of_documents: int
    queries: int

    def verdict(self) -> str:
        """Which comparisons of runs depend on the judge."""
        return " ".join(_sentences(self))

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What is surprising in the runs."""
        alignments = self.scores[MERGED].require_detail("An evaluation by judge").alignments
        return tuple(finding for alignment in alignments for finding in alignment.warnings)

    def means_table(self) -> Table:
        """A row for every measure and run, a column for every judge."""
        rows = [(measure, run) for measure in self.measures for run in self.runs]
        columns: dict[str, list[Cell]] = {
            "measure": [measure for measure, _ in rows],
            "run": [run for _, run in rows],
        }
        for judge in self.judges:
            columns[judge] = [self.scores[judge].mean(measure, run).value for measure, run in rows]
        note = (
            f"Means by the labels of each judge, on the {counted(self.documents, 'document')} of "
            f"{counted(self.queries, 'query')} that all judges labelled (of {self.of_documents:,}), and by the lower "
            f"{MERGED} of their grades."
        )
        return Table(columns, notes=(note,))

    def orders_table(self) -> Table:
        """A row for every measure and two judges: how far they order runs alike."""
        names = ("tau", "tau_AP")
        return Table(
            {
                "measure": [one.measure for one in self.orders],
                "judges": [f"{one.one} and {one.other}" for one in self.orders],
                **{name: [_estimate(one, name) for one in self.orders] for name in names},
                "flips": [f"{len(one.swapped)} of {one.pairs}" for one in self.orders],
            },
            notes=("tau: Kendall's tau-b of the orders; tau_AP counts the top more.", *self._reasons()),
        )

    def flips_table(self) -> Table:
        """A row for every two runs that change places, with the difference by each judge."""
        columns: dict[str, list[Cell]] = {
            "measure": [flip.measure for flip in self.flips],
            "runs": [f"{flip.run} - {flip.other}" for flip in self.flips],
        }
        for judge in self.judges:
            columns[judge] = [flip.differences[judge] for flip in self.flips]
        return Table(columns, notes=("Differences of means. `cranfield compare` tests whether they are significant.",))

    def tables(self) -> list[Table]:
        """Means, how far orders agree, and what flips."""
        return [
            self.means_table(),
            *([self.orders_table()] if self.orders else []),
            *([self.flips_table()] if self.flips else []),
        ]

    def rows(self) -> Table:
        """A row for every number."""
        return rows_table(self.numbers())

    def numbers(self) -> Iterator[Row]:
        """Means, agreement of orders, and differences that flip."""
        for judge in self.judges:
            for measure in self.measures:
                for run in self.runs:
                    value = self.scores[judge].mean(measure, run).value
                    yield Row("mean", judge, run, measure, value, items=self.queries)
        for orders in self.orders:
            for name in ("tau", "tau_AP"):
                tau = orders.coefficients[name]
                names = orders.one, orders.other, f"{name} of {orders.measure}"
                yield Row("order", *names, tau.value, tau.low, tau.high, self.queries, tau.reason)
        for flip in self.flips:
            for judge, difference in flip.differences.items():
                yield Row("flip", judge, f"{flip.run} - {flip.other}", flip.measure, difference, items=self.queries)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "verdict": self.verdict(),
            "judges": list(self.judges),
            "documents": self.documents,
            "queries": self.queries,
            "means": {
                judge: {
                    measure: {run: finite(self.scores[judge].mean(measure, run).value) for run in self.runs}
                    for measure in self.measures
                }
                for judge in self.judges
            },
            "orders": [one.to_dict() for one in self.orders],
            "flips": [
                {"measure": flip.measure, "run": flip.run, "other": flip.other, "differences": flip.differences}
                for flip in self.flips
            ],
        }

    def _reasons(self) -> Iterator[str]:
        yield from dict.fromkeys(f"{one.measure}: {one.tau.reason}." for one in self.orders if one.tau.reason)


def conclusions(
    labels: Labels, runs: Sequence[Run], measures: Any, level: float | None, confidence: float, seed: int
) -> Conclusions:
    """The same runs, evaluated by the labels of each judge."""
    if labels.categories:
        raise errors.labels.texts_without_order("An evaluation")
    if not labels.has_queries:
        raise errors.labels.without_documents("An evaluation")
    shared = labels.counts == len(labels.judges)
    if not shared.any():
        raise errors.labels.runs_without_common(labels.judges)
    whose = {judge: np.where(shared, labels.of(judge), np.nan) for judge in labels.judges} | {
        MERGED: np.where(shared, median(labels)[0], np.nan)
    }
    asked = MEASURES if measures is None else measures
    scores = {
        judge: evaluate(labels.judgments(grades, judge), runs, asked, rel=level) for judge, grades in whose.items()
    }
    first = scores[MERGED]
    judges, names = tuple(whose), tuple(map(str, first.measures))
    return Conclusions(
        judges,
        first.runs,
        names,
        scores,
        tuple(_orders(labels.judges, scores, confidence, seed)) if len(first.runs) > 1 else (),
        tuple(_flips(judges, scores, names)),
        int(shared.sum()),
        labels.items,
        len(first.queries),
    )


def _orders(judges: tuple[str, ...], scores: dict[str, Scores], confidence: float, seed: int) -> Iterator[Orders]:
    from dataclasses import replace

    several = list(combinations(judges, 2)) if len(judges) <= MOST_JUDGES else [(judge, MERGED) for judge in judges]
    for one, other in several:
        agreement = order_agreement(scores[one], scores[other], confidence=confidence, seed=seed)
        yield from (replace(orders, one=one, other=other) for orders in agreement.orders)


def _flips(judges: tuple[str, ...], scores: dict[str, Scores], measures: tuple[str, ...]) -> Iterator[Flip]:
    runs = scores[judges[0]].runs
    for measure in measures:
        means = {judge: [scores[judge].mean(measure, run).value for run in runs] for judge in judges}
        for a, b in combinations(range(len(runs)), 2):
            differences = {judge: means[judge][a] - means[judge][b] for judge in judges}
            signs = {math.copysign(1, value) for value in differences.values() if abs(value) > 1e-12}
            if len(signs) > 1:
                yield Flip(measure, runs[a], runs[b], differences)


def _sentences(conclusions: Conclusions) -> Iterator[str]:
    runs = len(conclusions.runs)
    pairs = runs * (runs - 1) // 2
    if not pairs:
        yield "With one run there is no order that labels could change."
        return
    for measure in conclusions.measures:
        flips = [f"{flip.run} and {flip.other}" for flip in conclusions.flips if flip.measure == measure]
        if flips:
            depend = "depends" if len(flips) == 1 else "depend"
            comparisons = counted(pairs, "comparison")
            yield f"{measure}: {len(flips)} of {comparisons} {depend} on the judge ({listed(flips, 3)})."
        else:
            yield f"{measure}: the {runs} runs have the same order by every judge."


def _estimate(orders: Orders, name: str) -> Estimate:
    tau = orders.coefficients[name]
    return Estimate(tau.value, tau.low, tau.high)
