"""Everything the page shows, as plain values: what it says can be checked without a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from cranfield.compare.beside import beside
from cranfield.compare.comparison import Comparison
from cranfield.compare.differences import Plan
from cranfield.judgments import Judgments
from cranfield.measures import Measure
from cranfield.report.page.health import Health, health
from cranfield.report.page.method import Method, method
from cranfield.report.page.systems import View, pair_sentence, title_of, view
from cranfield.report.page.words import shown, signed
from cranfield.results import Results

BASELINES = 20
"""Up to so many systems, each may be chosen as the baseline; of more, only those that were named."""
MOVERS = 5
"""Queries that gained most and lost most, shown where nothing can be clicked."""


class Pair(NamedTuple):
    """Two systems under one measure."""

    sentence: str


class Mover(NamedTuple):
    """A query that moved, as it is written."""

    query: str
    baseline: str
    run: str
    difference: str


@dataclass(frozen=True)
class Contents:
    """Everything the page shows."""

    title: str
    results: Results
    plan: Plan | None
    baselines: tuple[str, ...]
    """Which systems can be chosen as the baseline, the default first; none where there is one system."""
    runs: tuple[str, ...]
    """What the default baseline is compared with, best first under the first measure."""
    views: Mapping[tuple[str, str | None], View]
    """By measure and baseline."""
    pairs: Mapping[tuple[str, str, str], Pair]
    """By measure, baseline and run."""
    movers: tuple[Mover, ...]
    health: Health
    method: Method

    @property
    def first(self) -> View:
        """What is seen before anything is chosen."""
        return next(iter(self.views.values()))

    @property
    def matrix(self) -> list[tuple[str, list[View]]]:
        """Every system, best first, and the views of all measures beside the default baseline."""
        baseline = self.first.baseline
        views = [self.views[str(measure), baseline] for measure in self.results.measures]
        return [(system.run, views) for system in self.first.systems]


def contents(
    results: Results,
    plan: Plan,
    *,
    baselines: tuple[str, ...],
    judgments: Judgments | None = None,
    title: str | None = None,
    asked: Mapping[str, Any] | None = None,
) -> Contents:
    """What the page shows of results, beside some baselines."""
    compared = beside(results, _choosable(results, baselines), plan) if len(results.runs) > 1 else {}
    views = _views(results, compared)
    runs = tuple(system.run for system in next(iter(views.values())).systems if system.beside is not None)
    return Contents(
        title=title or title_of(results),
        results=results,
        plan=plan if compared else None,
        baselines=tuple(compared),
        runs=runs,
        views=views,
        pairs=_pairs(compared),
        movers=_movers(compared, runs),
        health=health(results, judgments),
        method=method(results, plan if compared else None, asked or {}),
    )


def _choosable(results: Results, named: tuple[str, ...]) -> tuple[str, ...]:
    others = results.runs if len(results.runs) <= BASELINES else ()
    return tuple(dict.fromkeys((*named, *others)))


def _views(results: Results, compared: Mapping[str, Comparison]) -> dict[tuple[str, str | None], View]:
    if not compared:
        return {(str(measure), None): view(results, measure, None) for measure in results.measures}
    return {
        (str(measure), baseline): view(results, measure, comparison)
        for measure in results.measures
        for baseline, comparison in compared.items()
    }


def _pairs(compared: Mapping[str, Comparison]) -> dict[tuple[str, str, str], Pair]:
    found: dict[tuple[str, str, str], Pair] = {}
    for baseline, comparison in compared.items():
        for one in comparison.differences:
            found[str(one.measure), baseline, one.run] = Pair(pair_sentence(comparison, one))
    return found


def _movers(compared: Mapping[str, Comparison], runs: tuple[str, ...]) -> tuple[Mover, ...]:
    if not compared:
        return ()
    comparison = next(iter(compared.values()))
    difference = next(one for one in comparison.differences if one.run == runs[0])
    return tuple(
        Mover(query, shown(base), shown(run), signed(run - base))
        for query, run, base in comparison.movers(difference, MOVERS)
    )


def of_measure(contents: Contents, measure: Measure) -> list[View]:
    """The views under one measure, by baseline."""
    return [shown_ for (name, _), shown_ in contents.views.items() if name == str(measure)]
