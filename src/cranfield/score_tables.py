"""Scores as tables: a row per run for people, a row per number for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import aggregate
from cranfield.aggregate import Summary
from cranfield.choices import BoundsKind
from cranfield.errors import Finding
from cranfield.measures import Measure
from cranfield.scores import Scores
from cranfield.settings import Settings
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table

if TYPE_CHECKING:
    from cranfield.bounds import TieBounds, UnjudgedBounds

    Bounds = Mapping[str, TieBounds | UnjudgedBounds]
    """Of each run, how far its scores could move."""

Row = dict[str, Cell]

CAPTIONS: Mapping[BoundsKind, str] = {
    "ties": "over all orders of tied documents",
    "unjudged": "if every unjudged document is irrelevant, and if each has the best grade",
}


def summary(scores: Scores) -> Summary:
    """Means with intervals and coverage."""
    return Summary(
        means={run: {measure: scores.mean(measure, run) for measure in scores.measures} for run in scores.runs},
        coverage={run: coverage(scores, at) for at, run in enumerate(scores.runs)},
        notes=tuple(_notes(scores)),
        warnings=scores.warnings,
    )


def coverage(scores: Scores, at: int) -> str:
    """Judged queries that a run returned documents for, of those there are."""
    silent = scores.provenance.runs[at].silent
    if silent is None:
        return "–"
    return f"{len(scores.queries) - len(set(silent).intersection(scores.queries))}/{len(scores.queries)}"


def per_query(scores: Scores, measures: Sequence[Measure]) -> Table:
    """A row per query and run with its scores."""
    counted = {measure: scores.counted[scores.position(measure)] for measure in measures}
    places = list(zip(*np.nonzero(np.any(list(counted.values()), axis=0)), strict=True))
    return Table(
        {
            "run": [scores.runs[at] for at, _ in places],
            "query": [scores.queries[query] for _, query in places],
            **{
                str(measure): [
                    measure.cell(float(scores[measure][at, query])) if counted[measure][at, query] else None
                    for at, query in places
                ]
                for measure in measures
            },
        }
    )


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """Scores as `cranfield evaluate` shows them: means and, where asked for, queries and how far means could move."""

    scores: Scores
    with_queries: bool = False
    """Whether the scores of every query are shown."""
    bounds: tuple[BoundsKind, ...] = ()
    """Whether it is shown how far ties, or unjudged documents, could move each mean."""
    with_warnings: bool = True

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Everything surprising about the data."""
        return self.scores.warnings if self.with_warnings else ()

    def quiet(self) -> Evaluation:
        """The same without warnings."""
        return replace(self, with_warnings=False)

    def tables(self) -> list[Table]:
        """Queries if asked for, means, and how far ties and unjudged documents could move them."""
        queries = [self.scores.per_query()] if self.with_queries else []
        bounds = [bounds_table(self.scores, kind) for kind in self.bounds]
        return [*queries, self.scores.summary().table(), *bounds]

    def rows(self) -> Table:
        """A row per run, measure and query, means under `all`."""
        bounds = {str(kind): bounds_of(self.scores, kind) for kind in self.bounds}
        rows: list[Row] = []
        for at in range(len(self.scores.runs)):
            for row in range(len(self.scores.measures)):
                if self.with_queries:
                    rows += _query_rows(self.scores, at, row, bounds)
                rows.append(_mean_row(self.scores, at, row, bounds))
        return Table({name: [line.get(name) for line in rows] for name in rows[-1]})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield evaluate --format json` prints."""
        plain = self.scores.to_dict(
            per_query=self.with_queries, ties="ties" in self.bounds, unjudged="unjudged" in self.bounds
        )
        return plain | {"warnings": [str(warning) for warning in self.warnings]}


def bounds_table(scores: Scores, kind: BoundsKind) -> Table:
    """A row per run and measure: its mean, and the smallest and largest it could be."""
    bounds = bounds_of(scores, kind)
    rows: list[Row] = []
    for at, run in enumerate(scores.runs):
        for row, measure in enumerate(scores.measures):
            known: Row = {"run": run, "measure": str(measure), "mean": scores.mean(measure, run).value}
            could_be = mean_bounds(scores, at, row, bounds[run])
            rows.append({**known, **{name: _or_dash(value) for name, value in could_be.items()}})
    return Table(
        {name: [line[name] for line in rows] for name in rows[0]},
        notes=(f"Smallest and largest {CAPTIONS[kind]}; – where no such bound is known.",),
    )


def bounds_of(scores: Scores, kind: BoundsKind) -> Bounds:
    """How far ties, or unjudged documents, could move each query's score."""
    return scores.tie_bounds() if kind == "ties" else scores.unjudged_bounds()


def _mean_row(scores: Scores, at: int, row: int, bounds: Mapping[str, Bounds]) -> Row:
    run, measure = scores.runs[at], scores.measures[row]
    mean = scores.mean(measure, run)
    return {
        "run": run,
        "measure": str(measure),
        "query": "all",
        "value": measure.cell(mean.value),
        "low": mean.low,
        "high": mean.high,
        "queries": coverage(scores, at),
        **{
            f"{kind} {name}": value
            for kind, by_run in bounds.items()
            for name, value in mean_bounds(scores, at, row, by_run[run]).items()
        },
    }


def _query_rows(scores: Scores, at: int, row: int, bounds: Mapping[str, Bounds]) -> list[Row]:
    run, measure = scores.runs[at], scores.measures[row]
    return [
        {
            "run": run,
            "measure": str(measure),
            "query": scores.queries[query],
            "value": measure.cell(float(scores.values[row, at, query])),
            **{
                f"{kind} {name}": float(values[row, query])
                for kind, by_run in bounds.items()
                for name, values in by_run[run].named.items()
            },
        }
        for query in scores.counted[row, at].nonzero()[0].tolist()
    ]


def _or_dash(value: float) -> Cell:
    return "–" if math.isnan(value) else value


def mean_bounds(scores: Scores, at: int, row: int, bounds: TieBounds | UnjudgedBounds) -> dict[str, float]:
    """Means of per-query bounds for one run and measure; NaN where a query's bound is not known."""
    counted = scores.counted[row, at]
    unknown = bounds.unknown[row][counted].any()
    return {
        name: math.nan
        if unknown and name != "expected"
        else aggregate.mean(scores.measures[row], values[row][counted], scores.undefined[row]).value
        for name, values in bounds.named.items()
    }


def alike(measures: Sequence[Measure], by_measure: Sequence[str]) -> dict[str, str]:
    """What holds for measures, and for which ones; for none by name where the same holds for all."""
    if len(set(by_measure)) == 1:
        return {by_measure[0]: ""}
    of: dict[str, list[str]] = {}
    for measure, what in zip(measures, by_measure, strict=True):
        of.setdefault(what, []).append(str(measure))
    return {what: ", ".join(names) for what, names in of.items()}


def averaged(settings: Settings, judged: int) -> str:
    """What means are means of, in words."""
    all_judged = f"all {judged:,} judged queries" if judged > 1 else "the one judged query"
    over = all_judged if settings.average_over == "judged" else "the judged queries each run answered"
    over += " that have a relevant document" if settings.without_relevant == "drop" else ""
    depth = f", of the first {settings.depth:,} documents" if settings.depth else ""
    condensed = ", without unjudged documents" if settings.judged_only else ""
    orders = ", over all orders of equal scores" if settings.ties == "average" else ""
    return f"Means over {over}{depth}{condensed}{orders}"


def _notes(scores: Scores) -> Iterator[str]:
    """What the means are means of."""
    interval = ", each with its 95% interval" if len(scores.queries) > 1 else ""
    means = [averaged(settings, len(scores.queries)) + interval for settings in scores.provenance.settings]
    for words, of in alike(scores.measures, means).items():
        yield f"{words} ({of})." if of else f"{words}."
    for row, measure in enumerate(scores.measures):
        left_out = {
            run: int(scores.counted[row, at].sum()) - scores.mean(measure, run).queries
            for at, run in enumerate(scores.runs)
        }
        if any(left_out.values()):
            counts = ", ".join(f"{run} {count}" for run, count in left_out.items() if count)
            yield f"{measure} leaves out queries for which it is undefined: {counts}."
