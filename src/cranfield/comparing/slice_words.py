"""What a comparison says about slices of the queries."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cranfield.comparing.comparison import Comparison
from cranfield.comparing.differences import CORRECTIONS, TESTS, Difference
from cranfield.comparing.slices import Interaction, Slicing
from cranfield.comparing.words import listed
from cranfield.show.table import Cell, Estimate, PValue, Table, shown_p


def verdict(comparison: Comparison, slicing: Slicing) -> str:
    """What there is to say about one column under the first measure."""
    measure = comparison.measures[0]
    interactions = [one for one in slicing.interactions if one.measure == measure]
    if len(interactions) == 1:
        return " ".join(
            [*_of_pair(comparison, slicing, interactions[0]), _dependence(comparison, slicing, interactions)]
        )
    found = [one for part in slicing.slices for one in part.differences if one.measure == measure]
    real = sum(one.is_significant(comparison.plan.alpha) for one in found)
    return (
        f"By {slicing.by}, {real} of {len(found)} differences of {measure} within slices can be shown. "
        + _dependence(comparison, slicing, interactions)
    )


def _of_pair(comparison: Comparison, slicing: Slicing, pair: Interaction) -> Iterator[str]:
    better: list[str] = []
    worse: list[str] = []
    neither: list[str] = []
    for part in slicing.slices:
        (found,) = (one for one in part.differences if one.measure == pair.measure)
        {"better": better, "worse": worse, "none": neither}[found.verdict(comparison.plan.alpha)].append(part.name)
    said = [
        f"{pair.run} is {word} than {pair.baseline} on {listed(names)}"
        for word, names in (("better", better), ("worse", worse))
        if names
    ]
    if neither:
        on = "any slice" if not said else listed(neither)
        said.append(f"no difference can be shown on {on}")
    yield f"By {slicing.by} ({pair.measure}): {'; '.join(said)}."


def _dependence(comparison: Comparison, slicing: Slicing, interactions: list[Interaction]) -> str:
    """Whether slices differ, which is another question than where a difference can be shown."""
    shown = [one for one in interactions if one.adjusted <= comparison.plan.alpha]
    if len(interactions) == 1:
        (only,) = interactions
        if math.isnan(only.p):
            return f"Whether the difference depends on {slicing.by} cannot be tested: {only.reason}."
        word = "depends" if shown else "cannot be shown to depend"
        return f"The difference {word} on {slicing.by} (p = {shown_p(only.adjusted)})."
    if not shown:
        return f"Of no pair can the difference be shown to depend on {slicing.by}."
    pairs = [f"{one.run} and {one.baseline} (p = {shown_p(one.adjusted)})" for one in shown]
    return f"The difference depends on {slicing.by} for {listed(pairs, 3)}."


def table(comparison: Comparison, slicing: Slicing) -> Table:
    """A row for every slice, pair and measure."""
    rows = [
        (part.name, len(part.queries), one)
        for measure in comparison.measures
        for pair in _pairs(comparison)
        for part in slicing.slices
        for one in part.differences
        if one.measure == measure and (one.run, one.baseline) == pair
    ]
    found = [one for _, _, one in rows]
    columns: dict[str, list[Cell]] = {
        "measure": [str(one.measure) for one in found],
        slicing.by: [name for name, _, _ in rows],
        "queries": [count for _, count, _ in rows],
    }
    if len(_pairs(comparison)) > 1:
        columns |= {"run": [one.run for one in found], "baseline": [one.baseline for one in found]}
    columns |= {
        "mean": [one.mean for one in found],
        "of baseline": [one.baseline_mean for one in found],
        "difference": [Estimate(one.difference, one.low, one.high) for one in found],
        "p": [PValue(one.adjusted) for one in found],
        "better": [one.wins for one in found],
        "equal": [one.ties for one in found],
        "worse": [one.losses for one in found],
    }
    optional = ("equal", "of baseline", "mean", *(["baseline"] if len(comparison.baselines) == 1 else []))
    return Table(columns, notes=tuple(notes(comparison, slicing)), optional=optional, elastic=slicing.by)


def notes(comparison: Comparison, slicing: Slicing) -> Iterator[str]:
    """How the slices were made and tested."""
    pairs, plan = _pairs(comparison), comparison.plan
    if len(pairs) == 1:
        yield f"{pairs[0][0]} beside {pairs[0][1]}, in slices by {slicing.by}."
    yield from slicing.notes
    slices = len(slicing.slices)
    of = f"{slicing.family} comparisons ({slices} slices, {len(pairs)} pairs)" if len(pairs) > 1 else f"{slices} slices"
    if plan.test == "tukey":
        allowed = f", which allows for all pairs of a slice, and times {slices} for that many slices"
        yield f"p: {TESTS[plan.test]}{allowed if plan.correction != 'none' else ''}."
    else:
        yield f"p: {TESTS[plan.test]}, with {CORRECTIONS[plan.correction]} for {of} under each measure."
    by_reason: dict[str, list[str]] = {}
    for part in slicing.slices:
        for reason in dict.fromkeys(one.reason for one in part.differences if one.reason):
            by_reason.setdefault(reason, []).append(part.name)
    for reason, names in by_reason.items():
        yield f"{listed(names)}: {reason}."
    told = [
        f"{one.measure}{f' of {one.run} and {one.baseline}' if len(pairs) > 1 else ''} {shown_p(one.adjusted)}"
        for one in slicing.interactions
        if not math.isnan(one.p)
    ]
    if told:
        yield (
            f"Were slices of these sizes drawn at random, their differences would be as far apart with p = "
            f"{listed(told)}. That p is below {plan.alpha:.2g} in one slice and not in another does not show that the "
            "slices differ."
        )


def long_columns(comparison: Comparison) -> Iterator[tuple[str, str, float, Difference]]:
    """Every difference, of all queries and of slices: column, slice, p of the slices being alike, difference."""
    for one in comparison.differences:
        yield "", "all", math.nan, one
    for slicing in comparison.slicings:
        depends = {(one.measure, one.run, one.baseline): one.adjusted for one in slicing.interactions}
        for part in slicing.slices:
            for one in part.differences:
                yield slicing.by, part.name, depends[one.measure, one.run, one.baseline], one


def _pairs(comparison: Comparison) -> list[tuple[str, str]]:
    return [(one.run, one.baseline) for one in comparison.of(comparison.measures[0])]
