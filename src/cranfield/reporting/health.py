"""What the data are like: coverage, ties, unjudged documents; whatever is surprising comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.data.judgments import Judgments
from cranfield.evaluating.scores import JudgmentFacts, RunFacts, Scores, TieCounts, UnjudgedCounts
from cranfield.phrases import counted
from cranfield.reporting.file_names import FileNames

GRADES = 12
"""Grades that get a bar each; with more there is no histogram."""
NAMED = 20
"""Queries that are named where a run left them out, or where nobody judged them."""


class Fact(NamedTuple):
    """A thing that is so, by name."""

    name: str
    value: str


class OfRun(NamedTuple):
    """What one run's data are like; None where a saved result does not have it."""

    run: str
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


def health(results: Scores, names: FileNames) -> Health:
    """What is known of the data; how grades are spread only where judgments are at hand."""
    judgments = None if results.detail is None else results.detail.judgments
    provenance = results.provenance
    return Health(
        warnings=tuple(names.in_text(str(warning)) for warning in results.warnings),
        judgments=tuple(_facts(provenance.judgments, judgments, names)),
        queries=len(results.queries),
        runs=tuple(
            _of_run(run, about, len(results.queries)) for run, about in zip(results.runs, provenance.runs, strict=True)
        ),
        grades=() if judgments is None else _grades(judgments),
    )


def _facts(about: JudgmentFacts, judgments: Judgments | None, names: FileNames) -> list[Fact]:
    facts = [
        Fact("file", names.of(about.path) if about.path else "in memory"),
        Fact("queries", f"{about.queries or 0:,}"),
        Fact("judgments", f"{about.judgments or 0:,}"),
    ]
    if judgments is not None:
        relevant = np.add.reduceat((judgments.grades >= 1).astype(np.int64), judgments.starts[:-1])
        spread = f"{int(relevant.min()):,} to {int(relevant.max()):,}, on average {relevant.mean():z.1f}"
        facts.append(Fact("relevant per query", spread))
        if without := int((relevant == 0).sum()):
            facts.append(Fact("queries without relevant documents", counted(without, "query")))
    return facts


def _of_run(run: str, about: RunFacts, queries: int) -> OfRun:
    ties, unjudged = about.ties or TieCounts(None, None), about.unjudged or UnjudgedCounts(None, None)
    return OfRun(
        run=run,
        answered=None if about.silent is None else queries - len(about.silent),
        silent=about.silent or (),
        unknown=about.unknown,
        tied=ties.documents,
        tied_queries=ties.queries,
        retrieved=unjudged.retrieved,
        unjudged=unjudged.documents,
        judged_at_10=about.judged_at_10,
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
