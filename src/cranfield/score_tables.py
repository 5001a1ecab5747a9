"""Scores as tables: a row per run for people, a row per number for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from cranfield.evaluating import Scores
from cranfield.show.table import Cell, Table

if TYPE_CHECKING:
    from cranfield.bounds import TieBounds, UnjudgedBounds

    Bounds = Mapping[str, TieBounds | UnjudgedBounds]
    """Of each run, how far its scores could move."""

Kind = Literal["ties", "unjudged"]
Row = dict[str, Cell]

CAPTIONS: Mapping[Kind, str] = {
    "ties": "over all orders of tied documents",
    "unjudged": "if every unjudged document were irrelevant, and if each had the best grade",
}


def long_table(scores: Scores, *, per_query: bool = False, ties: bool = False, unjudged: bool = False) -> Table:
    """A row per run, measure and query, means under `all`: what a program or a spreadsheet wants."""
    kinds: list[tuple[Kind, bool]] = [("ties", ties), ("unjudged", unjudged)]
    bounds = {str(kind): bounds_of(scores, kind) for kind, wanted in kinds if wanted}
    rows: list[Row] = []
    for at in range(len(scores.runs)):
        for row in range(len(scores.measures)):
            if per_query:
                rows += _query_rows(scores, at, row, bounds)
            rows.append(_mean_row(scores, at, row, bounds))
    return Table({name: [line.get(name) for line in rows] for name in rows[-1]})


def bounds_table(scores: Scores, kind: Kind) -> Table:
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


def bounds_of(scores: Scores, kind: Kind) -> Bounds:
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
