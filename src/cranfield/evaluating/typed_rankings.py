"""Rankings that were typed, evaluated as those of files are: each is a query of one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cranfield.data.judgments import Judgments
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.evaluation import evaluation_plan
from cranfield.evaluating.scores import Scores
from cranfield.evaluating.settings import ABOUT_IDS
from cranfield.formats import read_judgments
from cranfield.measures import Measure
from cranfield.notation import Typed, documents
from cranfield.phrases import option, spoken

RUN = "ranking"
"""What the run is called."""
_OF_FILES = ("silent-queries", "without-relevant")
"""Warnings that tell no more than whoever typed the ranking sees."""


def evaluate_rankings(
    rankings: Sequence[Typed], measures: str | Measure | Iterable[str | Measure] | None, **settings: Any
) -> Scores:
    """The scores of typed rankings, which are the queries 1, 2, …; settings are those of `evaluate`.

    >>> from cranfield.notation import typed
    >>> evaluate_rankings([typed("1011"), typed("01")], "AP")["AP"].round(4)
    array([[0.8056, 0.5   ]])
    """
    _require_no_ids(settings)
    plan = evaluation_plan(settings.pop("profile", None), measures, settings)
    require_one_grade(plan.measures)
    scores = plan.scores(*judgments_and_run(rankings))
    return replace(scores, find_warnings=partial(_without_files, scores))


def _require_no_ids(settings: Mapping[str, Any]) -> None:
    """Refuse settings that are about ids of documents and queries."""
    for name in ABOUT_IDS:
        if settings.get(name) is not None:
            setting = spoken(command=f"--{name.replace('_', '-')}", python=name)
            raise UsageError(f"{setting} works with files only, and a ranking was typed.")


def _without_files(scores: Scores) -> tuple[Finding, ...]:
    return tuple(one for one in scores.warnings if one.kind not in _OF_FILES)


def judgments_and_run(rankings: Sequence[Typed]) -> tuple[Judgments, dict[str, dict[str, list[str]]]]:
    """Judgments and a run with a query for each ranking, by number."""
    read = {str(number): documents(ranking) for number, ranking in enumerate(rankings, 1)}
    # A query needs a judgment: where all documents are unjudged, it is one that says so of another document.
    judgments = read_judgments({query: grades or {"-": -1.0} for query, (grades, _) in read.items()})
    return judgments, {RUN: {query: ranked for query, (_, ranked) in read.items()}}


def require_one_grade(measures: Iterable[Measure]) -> None:
    """Refuse measures that read several grades for each document."""
    for measure in measures:
        if measure.definition.groups is not None:
            raise UsageError(
                f"{measure} reads several grades for each document; a ranking that is typed has one.\n"
                "Evaluate it with files that have several."
            )


def require_relevant(rankings: Sequence[Typed], rel: float | None = None) -> None:
    """Refuse to draw rankings without any relevant document."""
    level = 1 if rel is None else rel
    if not any(ranking.relevant(level) for ranking in rankings):
        raise UsageError(
            f"No document is relevant (grade {level:g} or more) in {rankings[0].text!r}, so there is no curve.\n"
            f"{option('relevant')} sets how many there are, retrieved or not."
        )
