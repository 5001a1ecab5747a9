"""The queries with the lowest scores, and those on which every system fails."""

from __future__ import annotations

from typing import NamedTuple

from cranfield.data.queries import Queries
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.show.table import Cell
from cranfield.show.web_text import shown

SUMS = ("fails in", "mean")


class FailingQuery(NamedTuple):
    """A query with a low score, as it is written."""

    query: str
    number: int
    """Its place among all."""
    text: str
    cells: tuple[str, ...]


class Failing(NamedTuple):
    """The queries with the lowest scores under one measure, as they are written."""

    measure: str
    verdict: str
    """How many fail in every system."""
    columns: tuple[tuple[str, bool], ...]
    """What stands next to each query, and whether that is a number."""
    queries: tuple[FailingQuery, ...]
    notes: tuple[str, ...]
    everywhere: tuple[tuple[str, int], ...]
    """The queries that fail in every system, if more of them fail than are listed; with their places among all."""


def failing(results: Scores, measure: Measure, known: Queries | None) -> Failing:
    """The lowest scores of a measure, those first that fail in every system."""
    worst = results.worst(measure=measure, queries=known)
    table = worst.table()
    # What sums up a query comes before each system's score: on a phone, the last columns are out of sight.
    first = [name for name in SUMS if name in table.columns]
    others = [name for name in table.columns if name not in (*SUMS, "query", "text")]
    columns = {name: table.columns[name] for name in (*first, *others) if name not in SUMS or any(table.columns[name])}
    place = {query: at for at, query in enumerate(results.queries)}
    return Failing(
        str(measure),
        worst.verdict(),
        tuple((name, not all(isinstance(cell, str) for cell in cells)) for name, cells in columns.items()),
        tuple(
            FailingQuery(row.query, place[row.query], row.text, tuple(map(_cell, cells)))
            for row, cells in zip(worst.worst, zip(*columns.values(), strict=True), strict=True)
        ),
        table.notes,
        tuple((query, place[query]) for query in worst.failing) if len(worst.failing) > len(worst.worst) else (),
    )


def _cell(cell: Cell) -> str:
    return cell if isinstance(cell, str) else "–" if not isinstance(cell, int | float) else shown(cell)
