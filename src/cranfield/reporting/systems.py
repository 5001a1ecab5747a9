"""The systems under one measure, compared with one baseline: a row for each, and a drawing of their differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from cranfield.comparing import words
from cranfield.comparing.comparison import Comparison
from cranfield.comparing.differences import Difference
from cranfield.comparing.verdict_words import verdict_sentences
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import counted, listed
from cranfield.reporting.file_names import FileNames
from cranfield.show.table import PLACES, Cell, Estimate, PValue, Table, shown_p
from cranfield.show.web_text import NumberAxis, axis, interval, shown, signed


class DrawnInterval(NamedTuple):
    """A number and the ends of its interval, in percent of the drawing."""

    low: float
    at: float
    high: float


class Compared(NamedTuple):
    """One system compared with the baseline, as it is written."""

    difference: str
    interval: str
    p: str
    effect: str
    wins: int
    ties: int
    losses: int
    word: str
    """`better`, `worse`, or `not significant`."""
    drawn: DrawnInterval


class System(NamedTuple):
    """One system under one measure, as it is written."""

    run: str
    number: int
    """Its place among all."""
    mean: str
    interval: str
    rank: str
    """The ranks that the tests allow; empty, as are groups, unless p is corrected for every pair."""
    group: str
    is_first: bool
    compared: Compared | None
    """None of the baseline itself, and where there is nothing to compare."""
    drawn: DrawnInterval
    order: Mapping[str, float]
    """What the table is sorted by, by column."""


@dataclass(frozen=True)
class SystemsView:
    """The systems under one measure, compared with one baseline."""

    measure: Measure
    baseline: str | None
    sentences: tuple[str, ...]
    """The verdict: first in plain words, then what it rests on."""
    systems: tuple[System, ...]
    means: NumberAxis
    differences: NumberAxis | None
    corrected: str
    """How p is corrected, and for which comparisons."""
    notes: tuple[str, ...]
    copies: Mapping[str, str]
    """The table as CSV, Markdown and LaTeX."""

    @property
    def verdict(self) -> str:
        """The verdict in one piece."""
        return " ".join(self.sentences)


def view(results: Scores, comparison: Comparison | None) -> SystemsView:
    """The systems under one measure, the only one of the results, best first; of one system alone, its mean."""
    (measure,) = results.measures
    if comparison is None:
        return _alone(results, measure)
    only = _only(comparison, results)
    (baseline,) = only.baselines
    (standing,) = only.standings
    differences = {difference.run: difference for difference in only.differences}
    intervals = [end for one in only.differences for end in (one.low, one.high, one.difference)]
    scale = axis(intervals, around=0.0)
    means = _means(results, measure)
    systems = []
    for at, run in enumerate(standing.runs):
        mean, found = results.mean(measure, run), differences.get(run)
        systems.append(
            System(
                run=run,
                number=results.run_position(run),
                mean=shown(measure.cell(mean.value)),
                interval=interval(mean.low, mean.high),
                rank=words.shown_rank(standing.ranks[at]) if standing.ranks else "",
                group=standing.letters[at] if standing.letters else "",
                is_first=run in standing.first,
                compared=None if found is None else _compared(found, scale, comparison.choices.alpha),
                drawn=drawn(means, mean.value, mean.low, mean.high),
                order=_order(at, mean.value, found),
            )
        )
    return SystemsView(
        measure=measure,
        baseline=baseline,
        sentences=verdict_sentences(only, PLACES),
        systems=tuple(systems),
        means=means,
        differences=scale,
        corrected=words.corrected_for(only),
        notes=(*words.notes(only), *map(str, comparison.warnings[len(comparison.results.warnings) :])),
        copies=_copies(_table(results, only), only.paper_table().latex()),
    )


def _only(comparison: Comparison, results: Scores) -> Comparison:
    """The comparison under one of its measures, that of the results."""
    (measure,) = results.measures
    at = comparison.measures.index(measure)
    return replace(
        comparison, results=results, differences=comparison.of(measure), standings=(comparison.standings[at],)
    )


def _alone(results: Scores, measure: Measure) -> SystemsView:
    (run,) = results.runs
    mean, means = results.mean(measure, run), _means(results, measure)
    interval_ = f" (95% interval {mean.low:z.4f} to {mean.high:z.4f})" if not math.isnan(mean.low) else ""
    queries = counted(mean.queries, "query")
    row = System(
        run=run,
        number=0,
        mean=shown(measure.cell(mean.value)),
        interval=interval(mean.low, mean.high),
        rank="",
        group="",
        is_first=False,
        compared=None,
        drawn=drawn(means, mean.value, mean.low, mean.high),
        order={"mean": mean.value},
    )
    table = Table({"run": [run], str(measure): [Estimate(mean.value, mean.low, mean.high)]})
    return SystemsView(
        measure=measure,
        baseline=None,
        sentences=(f"{run} has {measure} {shown(mean.value)}{interval_} over {queries}.",),
        systems=(row,),
        means=means,
        differences=None,
        corrected="",
        notes=(),
        copies=_copies(table, table.latex()),
    )


def _means(results: Scores, measure: Measure) -> NumberAxis:
    ends = [results.mean(measure, run) for run in results.runs]
    return axis([value for mean in ends for value in (mean.low, mean.high, mean.value)])


def _compared(found: Difference, scale: NumberAxis, alpha: float) -> Compared:
    return Compared(
        signed(found.difference),
        interval(found.low, found.high),
        shown_p(found.adjusted) if not math.isnan(found.adjusted) else "–",
        signed(found.g, 2),
        found.wins,
        found.ties,
        found.losses,
        word_of(found, alpha),
        drawn(scale, found.difference, found.low, found.high),
    )


def word_of(found: Difference, alpha: float) -> str:
    """What a difference is called: `better`, `worse` or `not significant`."""
    verdict = found.verdict(alpha)
    return "not significant" if verdict == "none" else verdict


def drawn(scale: NumberAxis, value: float, low: float, high: float) -> DrawnInterval:
    """Where a number and its interval stand; without an interval, the number alone, and 0 where it is undefined."""
    ends = (value, value, value) if math.isnan(low) else (low, value, high)
    return DrawnInterval(*(0.0 if math.isnan(end) else scale.at(end) for end in ends))


def _order(at: int, mean: float, found: Difference | None) -> dict[str, float]:
    if found is None:
        return {"rank": at, "mean": mean, "difference": 0.0, "p": 2.0, "effect": 0.0, "wins": -1.0}
    return {
        "rank": at,
        "mean": mean,
        "difference": found.difference,
        "p": found.adjusted,
        "effect": found.g,
        "wins": found.wins,
    }


def _table(results: Scores, comparison: Comparison) -> Table:
    """The rows as a table that is copied."""
    (standing,) = comparison.standings
    measure = standing.measure
    differences = {difference.run: difference for difference in comparison.differences}
    means = [results.mean(measure, run) for run in standing.runs]
    compared = [differences.get(run) for run in standing.runs]
    nothing = math.nan

    def of(name: str) -> list[Cell]:
        return [None if one is None else getattr(one, name) for one in compared]

    alpha = comparison.choices.alpha
    columns: dict[str, list[Cell]] = {
        "run": list(standing.runs),
        str(measure): [Estimate(mean.value, mean.low, mean.high) for mean in means],
        f"difference to {comparison.baselines[0]}": [
            Estimate(nothing, nothing, nothing) if one is None else Estimate(one.difference, one.low, one.high)
            for one in compared
        ],
        "p": [None if one is None else PValue(one.adjusted) for one in compared],
        "verdict": ["baseline" if one is None else word_of(one, alpha) for one in compared],
        "effect": of("g"),
        "better": of("wins"),
        "equal": of("ties"),
        "worse": of("losses"),
    }
    if standing.ranks:
        columns["group"] = list(standing.letters)
        columns["rank"] = [words.shown_rank(rank) for rank in standing.ranks]
    notes = (f"p: {comparison.choices.test_name}, two-sided, {words.corrected_for(comparison)}.",)
    return Table(columns, notes=notes)


def _copies(table: Table, latex: str) -> dict[str, str]:
    return {"CSV": table.csv(), "Markdown": table.markdown(), "LaTeX": latex}


def title_of(results: Scores, baseline: str, names: FileNames) -> str:
    """What the page is called: up to four systems by name, of more the one that the others are compared with."""
    judged = results.provenance.judgments.path
    others = [run for run in results.runs if run != baseline]
    systems = listed(results.runs) if len(others) < 4 else f"{len(others)} systems compared with {baseline}"
    return f"{systems} on {names.of(judged)}" if judged else systems
