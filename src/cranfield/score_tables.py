"""Scores as tables: a row per run for people, a row per number for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.choices import BoundsKind
from cranfield.errors import Finding
from cranfield.evaluating import Scores
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
            could_be = scores.mean_bounds(at, row, bounds[run])
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
        "queries": scores.coverage(at),
        **{
            f"{kind} {name}": value
            for kind, by_run in bounds.items()
            for name, value in scores.mean_bounds(at, row, by_run[run]).items()
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
        for query in scores.counted(at, measure).nonzero()[0].tolist()
    ]


def _or_dash(value: float) -> Cell:
    return "–" if math.isnan(value) else value
