"""What the data are like: coverage, ties, unjudged documents; whatever is surprising comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.judgments import Judgments
from cranfield.reporting.words import counted
from cranfield.results import Results

GRADES = 12
"""Grades that get a bar each; of more, the histogram would tell nothing."""
NAMED = 20
"""Queries that are named where a run left them out, or where nobody judged them."""


class Fact(NamedTuple):
    """A thing that is so, by name."""

    name: str
    value: str


class OfRun(NamedTuple):
    """What one run's data are like; None where a saved result does not tell."""

    run: str
    path: str
    sha256: str
    answered: int | None
    silent: Sequence[str]
    unknown: Sequence[str]
    tied: int | None
    tied_queries: int | None
    retrieved: int | None
    unjudged: int | None
    judged_at_10: float | None


class Bar(NamedTuple):
    """How many judgments have a grade; `share` is in percent of the most frequent one."""

    grade: str
    judgments: int
    share: float


class Health(NamedTuple):
    """What the data are like."""

    warnings: tuple[str, ...]
    judgments: tuple[Fact, ...]
    queries: int
    runs: tuple[OfRun, ...]
    grades: tuple[Bar, ...]


def health(results: Results, judgments: Judgments | None) -> Health:
    """What is known of the data; how grades are spread only where judgments are at hand."""
    return Health(
        warnings=results.warnings,
        judgments=tuple(_facts(results.judgments, judgments)),
        queries=len(results.queries),
        runs=tuple(_of_run(run, results.about.get(run, {}), len(results.queries)) for run in results.runs),
        grades=() if judgments is None else _grades(judgments),
    )


def _facts(told: Mapping[str, Any], judgments: Judgments | None) -> list[Fact]:
    facts = [
        Fact("file", str(told.get("path") or "in memory")),
        Fact("queries", f"{told.get('queries', 0):,}"),
        Fact("judgments", f"{told.get('judgments', 0):,}"),
        Fact("content (SHA-256)", str(told.get("sha256") or "unknown")),
    ]
    if judgments is not None:
        relevant = np.add.reduceat((judgments.grades >= 1).astype(np.int64), judgments.starts[:-1])
        spread = f"{int(relevant.min()):,} to {int(relevant.max()):,}, on average {relevant.mean():z.1f}"
        facts.insert(3, Fact("relevant a query", spread))
        if without := int((relevant == 0).sum()):
            facts.insert(4, Fact("without relevant", counted(without, "query", "queries")))
    return facts


def _of_run(run: str, about: Mapping[str, Any], queries: int) -> OfRun:
    of_queries, ties, unjudged = (about.get(name, {}) for name in ("queries", "ties", "unjudged"))
    silent = tuple(of_queries.get("silent", ()))
    return OfRun(
        run=run,
        path=str(about.get("path") or "in memory"),
        sha256=str(about.get("sha256") or ""),
        answered=queries - len(silent) if of_queries else None,
        silent=silent,
        unknown=tuple(of_queries.get("unknown", ())),
        tied=ties.get("documents"),
        tied_queries=ties.get("queries"),
        retrieved=unjudged.get("retrieved"),
        unjudged=unjudged.get("documents"),
        judged_at_10=unjudged.get("judged_at_10"),
    )


def _grades(judgments: Judgments) -> tuple[Bar, ...]:
    grades = judgments.grades if judgments.groups is None else judgments.groups.grades
    values, counts = np.unique(grades, return_counts=True)
    if len(values) > GRADES:
        return ()
    return tuple(
        Bar(f"{value:g}", count, round(100 * count / int(counts.max()), 2))
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
    )
