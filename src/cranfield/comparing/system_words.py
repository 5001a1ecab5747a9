"""Systems of several runs compared, in words and as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cranfield.comparing.differences import correction_for
from cranfield.comparing.verdict_words import by_verdict, claim, lower_is_better, signed
from cranfield.comparing.words import measure_notes
from cranfield.evaluating.score_tables import caption_notes, ranking_words
from cranfield.phrases import counted, listed, percent
from cranfield.show.measures import canonical_column, legend
from cranfield.show.table import Cell, Estimate, PValue, Table, shown_p

if TYPE_CHECKING:
    from cranfield.comparing.systems import SystemComparison, SystemDifference


def verdict(comparison: SystemComparison, places: int) -> str:
    """The answer for the first measure."""
    differences = comparison.of(comparison.measures[0])
    alpha = comparison.alpha
    if len(differences) == 1:
        return " ".join(_of_pair(comparison, differences[0], places))
    measure = differences[0].measure
    if not comparison.baselines:
        significant = [one for one in differences if one.verdict(alpha) != "none"]
        pairs = [f"{one.system if one.is_better else one.baseline} over {_other(one)}" for one in significant]
        better = f" Better: {listed(pairs)}." if pairs else ""
        count = f"{len(significant)} of {len(differences)}"
        return f"{measure}: {count} differences between systems are significant.{better}"
    return " ".join(
        f"Compared with {baseline} on {measure}: "
        + by_verdict(
            *(
                [one.system for one in differences if one.baseline == baseline and one.verdict(alpha) == word]
                for word in ("better", "worse", "none")
            )
        )
        + "."
        for baseline in comparison.baselines
        if any(one.baseline == baseline for one in differences)
    )


def _other(one: SystemDifference) -> str:
    return one.baseline if one.is_better else one.system


def _of_pair(comparison: SystemComparison, one: SystemDifference, places: int) -> Iterator[str]:
    alpha = comparison.alpha
    if math.isnan(one.p):
        yield f"{one.system} and {one.baseline} cannot be compared by {one.measure}: {one.reason}."
        return
    interval = f"{percent(comparison.confidence)} interval {one.low:z.{places}f} to {one.high:z.{places}f}, "
    runs = (
        f"{one.runs} runs each"
        if one.runs == one.baseline_runs
        else f"{counted(one.runs, 'run')} and {counted(one.baseline_runs, 'run')}"
    )
    queries = counted(one.queries, "query")
    evidence = f"{interval if not math.isnan(one.low) else ''}p = {shown_p(one.adjusted)}, {queries}, {runs}"
    yield claim(one.system, one.baseline, one.verdict(alpha), str(one.measure))
    yield f"{signed(one.difference, places)}{lower_is_better(one.measure)} ({evidence})."
    if not math.isnan(one.from_seeds):
        yield f"Seeds account for {percent(one.from_seeds)} of its uncertainty, queries for the rest."
    single = [name for name, count in ((one.system, one.runs), (one.baseline, one.baseline_runs)) if count == 1]
    if single:
        yield f"{single[0]} has one run; the answer is about that run, not about other seeds."


def table(comparison: SystemComparison) -> Table:
    """A row for every difference."""
    differences = comparison.differences
    return Table(
        {
            "measure": [str(one.measure) for one in differences],
            "system": [one.system for one in differences],
            "baseline": [one.baseline for one in differences],
            "runs": [f"{one.runs}, {one.baseline_runs}" for one in differences],
            "mean": [one.mean for one in differences],
            "baseline mean": [one.baseline_mean for one in differences],
            "difference": [Estimate(one.difference, one.low, one.high) for one in differences],
            "p": [PValue(one.adjusted) for one in differences],
            "from seeds": ["" if math.isnan(one.from_seeds) else percent(one.from_seeds) for one in differences],
        },
        notes=tuple(_notes(comparison)),
        optional=("baseline mean", "mean"),
    )


def runs_table(comparison: SystemComparison) -> Table:
    """A row for every system: how much its runs vary."""
    systems = comparison.of_systems
    return Table(
        {
            "measure": [str(one.measure) for one in systems],
            "system": [one.system for one in systems],
            "runs": [len(one.runs) for one in systems],
            "mean": [one.mean for one in systems],
            "lowest": [min(one.means) for one in systems],
            "highest": [max(one.means) for one in systems],
            "sd seeds": [math.sqrt(one.components.seed) for one in systems],
            "sd queries": [math.sqrt(one.components.query) for one in systems],
            "sd residual": [math.sqrt(one.components.residual) for one in systems],
        },
        notes=(
            "lowest, highest: means of single runs. sd: standard deviation of scores between seeds, between queries, "
            "and of the residual (seed by query).",
        ),
        optional=("sd residual",),
    )


def rows(comparison: SystemComparison) -> Table:
    """The differences with everything that is known, for programs."""
    differences = comparison.differences
    rows = [one.to_dict() for one in differences]
    names = [name for name in rows[0] if name not in ("measure", "canonical", "interval")]
    columns: dict[str, list[Cell]] = {
        "measure": [str(one.measure) for one in differences],
        **{name: [row[name] for row in rows] for name in names},
    }
    columns |= {name: [PValue(getattr(one, name)) for one in differences] for name in ("p", "adjusted")}
    columns |= {name: [getattr(one, name) for one in differences] for name in ("low", "high")}
    columns["verdict"] = [one.verdict(comparison.alpha) for one in differences]
    return Table({**columns, **canonical_column(columns["measure"], comparison.measures)})


def _notes(comparison: SystemComparison) -> Iterator[str]:
    family = len(comparison.of(comparison.measures[0]))
    of = (
        f"{counted(family, 'comparison')} with {listed(comparison.baselines, 3)}"
        if comparison.baselines
        else f"all {family} pairs"
    )
    correction = f", {correction_for(comparison.correction, f'{of}, per measure')}" if family > 1 else ""
    yield (
        "p: t test with variance between queries and between seeds (Satterthwaite's degrees of freedom), "
        f"two-sided{correction}."
    )
    settings = comparison.results.settings
    yield (
        f"difference: of the means over runs and queries{ranking_words(settings)}, with its "
        f"{percent(comparison.confidence)} interval for other queries and other seeds. from seeds: their share of that "
        "uncertainty."
    )
    yield from caption_notes(settings)
    for one in comparison.differences:
        if one.reason:
            yield f"{one.system} and {one.baseline} by {one.measure}: {one.reason}."
    for measure in comparison.measures:
        yield from measure_notes(measure)
    yield from legend(comparison.measures)
