"""What a comparison of systems of several runs says."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cranfield.comparing.differences import CORRECTIONS
from cranfield.comparing.systems import SystemComparison, SystemDifference
from cranfield.comparing.words import listed
from cranfield.show.table import Cell, Estimate, PValue, Table, shown_p


def verdict(comparison: SystemComparison, places: int) -> str:
    """What there is to say about the first measure."""
    found = comparison.of(comparison.measures[0])
    alpha = comparison.alpha
    if len(found) == 1:
        return " ".join(_of_pair(comparison, found[0], alpha, places))
    real = [one for one in found if one.verdict(alpha) != "none"]
    if not comparison.baselines:
        shown = [f"{one.system if one.is_better else one.baseline} over {_other(one)}" for one in real]
        told = f" Better: {listed(shown)}." if shown else ""
        return f"By {found[0].measure}, {len(real)} of {len(found)} differences between systems can be shown.{told}"
    parts = []
    for baseline in comparison.baselines:
        of_baseline = [one for one in found if one.baseline == baseline]
        words = {
            "better": [one.system for one in of_baseline if one.verdict(alpha) == "better"],
            "worse": [one.system for one in of_baseline if one.verdict(alpha) == "worse"],
            "not to be told from it": [one.system for one in of_baseline if one.verdict(alpha) == "none"],
        }
        said = [
            f"{listed(names)} {'is' if len(names) == 1 else 'are'} {word}" for word, names in words.items() if names
        ]
        if said:
            parts.append(f"By {found[0].measure}, beside {baseline}: {'; '.join(said)}.")
    return " ".join(parts)


def _other(one: SystemDifference) -> str:
    return one.baseline if one.is_better else one.system


def _of_pair(comparison: SystemComparison, one: SystemDifference, alpha: float, places: int) -> Iterator[str]:
    if math.isnan(one.p):
        yield f"{one.system} and {one.baseline} cannot be compared by {one.measure}: {one.reason}."
        return
    shown = one.verdict(alpha) != "none"
    low, high = (-one.high, -one.low) if shown and one.difference < 0 else (one.low, one.high)
    interval = f"{comparison.confidence:.0%} interval {low:z.{places}f} to {high:z.{places}f}, "
    runs = (
        f"{one.runs} runs each"
        if one.runs == one.baseline_runs
        else f"{_runs(one.runs)} and {_runs(one.baseline_runs)}"
    )
    queries = "1 query" if one.queries == 1 else f"{one.queries:,} queries"
    evidence = f"{interval if not math.isnan(one.low) else ''}p = {shown_p(one.adjusted)}, {queries}, {runs}"
    if shown:
        size = f"{abs(one.difference):z.{places}f} {one.measure}"
        yield f"{one.system} is {one.verdict(alpha)} than {one.baseline} by {size} ({evidence})."
    else:
        yield (
            f"No difference between {one.system} and {one.baseline} can be shown: "
            f"{one.difference:+z.{places}f} {one.measure} ({evidence})."
        )
    if not math.isnan(one.from_seeds):
        yield f"Seeds account for {one.from_seeds:.0%} of what is uncertain about it, queries for the rest."
    single = [name for name, count in ((one.system, one.runs), (one.baseline, one.baseline_runs)) if count == 1]
    if single:
        yield f"{single[0]} has one run: if it has seeds too, this speaks of that run only."


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"


def table(comparison: SystemComparison, *, quiet: bool = False) -> Table:
    """A row for every difference; without warnings if they are not wanted."""
    found = comparison.differences
    return Table(
        {
            "measure": [str(one.measure) for one in found],
            "system": [one.system for one in found],
            "baseline": [one.baseline for one in found],
            "runs": [f"{one.runs}, {one.baseline_runs}" for one in found],
            "mean": [one.mean for one in found],
            "of baseline": [one.baseline_mean for one in found],
            "difference": [Estimate(one.difference, one.low, one.high) for one in found],
            "p": [PValue(one.adjusted) for one in found],
            "from seeds": ["" if math.isnan(one.from_seeds) else f"{one.from_seeds:.0%}" for one in found],
        },
        notes=(*_notes(comparison), *(() if quiet else map(str, comparison.results.warnings))),
        optional=("of baseline", "mean"),
    )


def runs_table(comparison: SystemComparison) -> Table:
    """A row for every system: how much its runs vary."""
    found = comparison.of_systems
    return Table(
        {
            "measure": [str(one.measure) for one in found],
            "system": [one.system for one in found],
            "runs": [len(one.runs) for one in found],
            "mean": [one.mean for one in found],
            "lowest": [min(one.means) for one in found],
            "highest": [max(one.means) for one in found],
            "of seeds": [math.sqrt(one.components.seed) for one in found],
            "of queries": [math.sqrt(one.components.query) for one in found],
            "of the rest": [math.sqrt(one.components.residual) for one in found],
        },
        notes=(
            "lowest, highest: the means of single runs. of seeds, of queries, of the rest: standard deviations of what "
            "makes one run's score for one query, the rest being which seed suits which query, and noise.",
        ),
        optional=("of the rest",),
    )


def long_table(comparison: SystemComparison) -> Table:
    """The differences with everything that is known, for programs."""
    found = comparison.differences
    rows = [one.to_dict() for one in found]
    names = ["measure", *(name for name in rows[0] if name not in ("measure", "interval"))]
    columns: dict[str, list[Cell]] = {name: [row[name] for row in rows] for name in names}
    columns |= {name: [PValue(getattr(one, name)) for one in found] for name in ("p", "adjusted")}
    columns |= {name: [getattr(one, name) for one in found] for name in ("low", "high")}
    return Table({**columns, "verdict": [one.verdict(comparison.alpha) for one in found]})


def _notes(comparison: SystemComparison) -> Iterator[str]:
    family = len(comparison.of(comparison.measures[0]))
    of = (
        f"{family} comparisons with {listed(comparison.baselines, 3)}"
        if comparison.baselines
        else f"all {family} pairs"
    )
    number = f", {CORRECTIONS[comparison.correction]} for {of}, per measure" if family > 1 else ""
    yield f"p: t test with errors of queries and of seeds (Satterthwaite's degrees of freedom), two-sided{number}."
    yield (
        f"difference: of the means over runs and queries, with its {comparison.confidence:.0%} interval, had other "
        "queries and other seeds been drawn. from seeds: their share of that uncertainty."
    )
    for one in comparison.differences:
        if one.reason:
            yield f"{one.system} and {one.baseline} by {one.measure}: {one.reason}."
    for measure in comparison.measures:
        if measure.definition.mean == "geometric":
            yield f"{measure} is compared by logarithms, on which its mean is taken."
        if measure.definition.lower_is_better:
            yield f"Of {measure}, less is better."
