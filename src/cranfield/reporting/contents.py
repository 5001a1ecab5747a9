"""Everything the page shows, as plain values: what it says can be checked without a browser."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from cranfield.comparing.baselines import comparisons_by_baseline
from cranfield.comparing.comparison import Comparison, chosen_pairs
from cranfield.comparing.differences import TestChoices
from cranfield.comparing.sensitivity import MOST_PAIRS, Kind, Variation
from cranfield.comparing.sensitivity_words import sentences
from cranfield.comparing.slices import Slicing, sliced
from cranfield.comparing.verdict_words import sentence
from cranfield.data.queries import Queries
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import counted, listed
from cranfield.reporting.choices import PageChoices
from cranfield.reporting.curves import Panel, curves
from cranfield.reporting.failing import Failing, failing
from cranfield.reporting.file_names import FileNames
from cranfield.reporting.health import Health, health
from cranfield.reporting.latency import LatencyView, latency_view
from cranfield.reporting.method import Method, file_names, method
from cranfield.reporting.slices import Slices, slices
from cranfield.reporting.systems import SystemsView, title_of, view
from cranfield.show.table import shown_p
from cranfield.show.web_text import interval, shown, signed

SCORES = 2_500
"""Up to so many scores of one measure it is checked without being asked for: more take seconds."""

KINDS: dict[Kind, str] = {
    "": "",
    "measure": "measure",
    "ties": "ties",
    "unjudged": "unjudged documents",
    "threshold": "relevance threshold",
    "silent": "queries without results",
    "queries": "queries",
    "scale": "scale",
    "test": "test",
}


class Varied(NamedTuple):
    """One variation, as it is written."""

    kind: str
    name: str
    difference: str
    interval: str
    p: str
    ahead: str
    changes: str
    """What changes: the verdict, the winner, both, or nothing."""


class PairRobustness(NamedTuple):
    """All variations for one run and its baseline."""

    run: str
    baseline: str
    sentence: str
    varied: tuple[Varied, ...]


class Robustness(NamedTuple):
    """Whether conclusions hold under the first measure."""

    pairs: tuple[PairRobustness, ...]
    notes: tuple[str, ...]


def _varied(one: Variation) -> Varied:
    difference = one.difference
    changes = [word for word, is_so in (("verdict", one.changes_verdict), ("winner", one.changes_winner)) if is_so]
    return Varied(
        KINDS[one.kind],
        one.name,
        signed(difference.difference),
        interval(difference.low, difference.high),
        "–" if math.isnan(difference.adjusted) else shown_p(difference.adjusted),
        one.ahead,
        " and ".join(changes),
    )


BASELINES = 20
"""Up to so many systems, each may be chosen as the baseline; of more, only those that were named."""
WITHOUT_LISTS = "Ranked lists and curves are not included: the scores come from a file, or from several evaluations."
NOT_CHECKED = "Whether conclusions hold with other settings was not checked"
MOVERS = 5
"""Queries that gained most and lost most, shown where nothing can be clicked."""


class Mover(NamedTuple):
    """A query that moved, as it is written."""

    query: str
    text: str
    baseline: str
    run: str
    difference: str


@dataclass(frozen=True)
class PageContents:
    """Everything the page shows."""

    title: str
    byline: str
    """Who made the page, and when."""
    note: tuple[tuple[str, ...], ...]
    """What its author says, as paragraphs of lines."""
    results: Scores
    names: FileNames
    choices: TestChoices | None
    """How systems are tested; None where there is one."""
    asked: PageChoices
    baselines: tuple[str, ...]
    """Which systems can be chosen as the baseline, the default first; none where there is one system."""
    runs: tuple[str, ...]
    """What the default baseline is compared with, best first under the first measure."""
    views: Mapping[tuple[str, str | None], SystemsView]
    """By measure and baseline."""
    sentences: Mapping[tuple[str, str, str], str]
    """A sentence about two systems, by measure, baseline and run."""
    movers: tuple[Mover, ...]
    failing: Mapping[str, Failing]
    """The queries with the lowest scores, by measure."""
    health: Health
    method: Method
    texts: tuple[str, ...] | None
    """What each query says, if that is known."""
    members: Mapping[str, Mapping[str, Sequence[str]]]
    """Queries by column and slice."""
    sliced: Mapping[tuple[str, str], tuple[Slices, ...]]
    """By measure and run, compared with the default baseline."""
    robustness: Robustness | None
    latency: LatencyView | None
    """How long the systems took, where a run tells."""
    curves: tuple[Panel, ...]
    absent: tuple[str, ...]
    """What is not shown, and why."""

    @property
    def first(self) -> SystemsView:
        """What is seen before anything is chosen."""
        return next(iter(self.views.values()))

    @property
    def matrix(self) -> list[tuple[str, list[SystemsView]]]:
        """Every system, best first, and the views of all measures with the default baseline."""
        baseline = self.first.baseline
        views = [self.views[str(measure), baseline] for measure in self.results.measures]
        return [(system.run, views) for system in self.first.systems]

    def under(self, measure: Measure) -> list[SystemsView]:
        """The views under one measure, by baseline."""
        return [self.views[str(measure), baseline] for baseline in (self.baselines or (None,))]


def page_contents(
    results: Scores, choices: TestChoices, asked: PageChoices, queries: Queries | None = None
) -> PageContents:
    """What the page shows of results, compared with some baselines; p is corrected for each, or for every pair."""
    baselines = _choosable(results, asked.baseline or results.runs[:1])
    several = len(results.runs) > 1
    compared = comparisons_by_baseline(results, baselines, choices, every_pair=asked.all_pairs) if several else {}
    views = _views(results, compared)
    runs = tuple(system.run for system in next(iter(views.values())).systems if system.compared is not None)
    slicings = _slicings(results, queries, asked.by, compared, choices)
    texts = None if queries is None or queries.texts is None else tuple(map(queries.text, results.queries))
    robustness, unchecked = _robustness(results, compared, asked.sensitivity)
    names = file_names(results, asked)
    return PageContents(
        title=asked.title or title_of(results, baselines[0], names),
        byline=" · ".join(part for part in (asked.author, asked.date) if part),
        note=_paragraphs(asked.note or ""),
        results=results,
        names=names,
        choices=choices if compared else None,
        asked=asked,
        baselines=tuple(compared),
        runs=runs,
        views=views,
        sentences=_sentences(compared),
        movers=_movers(compared, runs, queries),
        failing={str(measure): failing(results, measure, queries) for measure in results.measures},
        health=health(results, names),
        method=method(results, choices if compared else None, asked, names),
        texts=texts,
        members={one.by: {part.name: part.queries for part in one.slices} for one in slicings},
        sliced=_sliced(slicings, compared, results.measures, runs),
        robustness=robustness,
        latency=latency_view(results, next(iter(compared), None), choices.confidence),
        curves=curves(results),
        absent=(*([unchecked] if unchecked else []), *([WITHOUT_LISTS] if results.detail is None else [])),
    )


def _choosable(results: Scores, named: tuple[str, ...]) -> tuple[str, ...]:
    others = results.runs if len(results.runs) <= BASELINES else ()
    return tuple(dict.fromkeys((*named, *others)))


def _views(results: Scores, compared: Mapping[str, Comparison]) -> dict[tuple[str, str | None], SystemsView]:
    by_measure = [(str(measure), results.with_measures([measure])) for measure in results.measures]
    if not compared:
        return {(measure, None): view(only, None) for measure, only in by_measure}
    return {
        (measure, baseline): view(only, comparison)
        for measure, only in by_measure
        for baseline, comparison in compared.items()
    }


def _sentences(compared: Mapping[str, Comparison]) -> dict[tuple[str, str, str], str]:
    return {
        (str(one.measure), baseline, one.run): sentence(comparison, one, 4)
        for baseline, comparison in compared.items()
        for one in comparison.differences
    }


def _movers(compared: Mapping[str, Comparison], runs: tuple[str, ...], known: Queries | None) -> tuple[Mover, ...]:
    if not compared:
        return ()
    comparison = next(iter(compared.values()))
    difference = next(one for one in comparison.differences if one.run == runs[0])
    return tuple(
        Mover(query, known.text(query) if known else "", shown(base), shown(run), signed(run - base))
        for query, run, base in comparison.movers(difference, MOVERS)
    )


def _slicings(
    results: Scores, known: Queries | None, by: Sequence[str], compared: Mapping[str, Comparison], choices: TestChoices
) -> list[Slicing]:
    """By each column, runs compared with the first baseline in slices."""
    if known is None or not compared:
        return []
    chosen = chosen_pairs(results, (next(iter(compared)),))
    return [sliced(results, known, column, chosen, choices) for column in dict.fromkeys(by)]


def _sliced(
    slicings: Sequence[Slicing],
    compared: Mapping[str, Comparison],
    measures: Sequence[Measure],
    runs: Sequence[str],
) -> dict[tuple[str, str], tuple[Slices, ...]]:
    if not slicings:
        return {}
    comparison = next(iter(compared.values()))
    return {
        (str(measure), run): tuple(slices(comparison, slicing, measure, run) for slicing in slicings)
        for measure in measures
        for run in runs
    }


def _robustness(
    results: Scores, compared: Mapping[str, Comparison], wanted: bool | None
) -> tuple[Robustness | None, str]:
    """Whether conclusions hold, or why that is not checked."""
    if not compared:
        return None, ""
    size = len(results.runs) * len(results.queries)
    family = next(iter(compared.values())).family
    if wanted is None and family > MOST_PAIRS:
        return None, f"{NOT_CHECKED}: there are {counted(family, 'comparison')}."
    if wanted is False:
        return None, f"{NOT_CHECKED}."
    if wanted is None and size > SCORES:
        return None, f"{NOT_CHECKED}: it takes long with {counted(size, 'score')}."
    sensitivity = next(iter(compared.values())).sensitivity()
    pairs = [
        PairRobustness(pair.run, pair.baseline, " ".join(sentences(pair)), tuple(map(_varied, pair.variations)))
        for pair in sensitivity.pairs
    ]
    return Robustness(tuple(pairs), sensitivity.notes), ""


def _paragraphs(text: str) -> tuple[tuple[str, ...], ...]:
    """Text as paragraphs, which empty lines part, of lines.

    >>> _paragraphs("Two changes:\\n- titles\\n- synonyms\\n\\n\\nMore next week.")
    (('Two changes:', '- titles', '- synonyms'), ('More next week.',))
    """
    lines = [line.strip() for line in text.splitlines()]
    return tuple(tuple(part) for filled, part in groupby(lines, bool) if filled)


def queries_by_spread(results: Scores) -> list[int]:
    """The queries, those first for which scores of the first measure differ most between systems."""
    values = results.settled(results.measures[0])
    apart = np.nan_to_num(np.nanmax(values, axis=0, initial=-np.inf) - np.nanmin(values, axis=0, initial=np.inf))
    order: list[int] = np.argsort(-apart, kind="stable").tolist()
    return order


def summary_of(results: Scores) -> str:
    """What the page is about, in one line."""
    judgments = results.provenance.judgments.judgments
    return " · ".join(
        [
            counted(len(results.runs), "system"),
            counted(len(results.queries), "query"),
            *([counted(judgments, "judgment")] if judgments else []),
            listed([str(measure) for measure in results.measures], 8),
        ]
    )
