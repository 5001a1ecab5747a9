"""A comparison in slices of the queries, in words and as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cranfield.comparing.differences import Difference, correction_for
from cranfield.comparing.slices import Interaction, Slicing
from cranfield.phrases import counted, listed
from cranfield.show.table import Cell, PValue, Table, shown_p

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison


def verdict(comparison: Comparison, slicing: Slicing) -> str:
    """The answer for one column under the first measure."""
    measure = comparison.measures[0]
    interactions = [one for one in slicing.interactions if one.measure == measure]
    if len(interactions) == 1:
        return " ".join(
            [*_of_pair(comparison, slicing, interactions[0]), _dependence(comparison, slicing, interactions)]
        )
    differences = [one for part in slicing.slices for one in part.differences if one.measure == measure]
    significant = sum(one.is_significant(comparison.choices.alpha) for one in differences)
    return (
        f"By {slicing.by}, {significant} of {len(differences)} differences of {measure} within slices are significant. "
        + _dependence(comparison, slicing, interactions)
    )


def _of_pair(comparison: Comparison, slicing: Slicing, pair: Interaction) -> Iterator[str]:
    better: list[str] = []
    worse: list[str] = []
    neither: list[str] = []
    for part in slicing.slices:
        (difference,) = (one for one in part.differences if one.measure == pair.measure)
        word = difference.verdict(comparison.choices.alpha)
        {"better": better, "worse": worse, "none": neither}[word].append(part.name)
    clauses = [
        f"{pair.run} is {word} than {pair.baseline} on {listed(names)}"
        for word, names in (("better", better), ("worse", worse))
        if names
    ]
    if neither:
        where = "in any slice" if not clauses else f"on {listed(neither)}"
        clauses.append(f"no significant difference {where}")
    yield f"By {slicing.by} ({pair.measure}): {'; '.join(clauses)}."


def _dependence(comparison: Comparison, slicing: Slicing, interactions: list[Interaction]) -> str:
    """Whether slices differ, which is another question than where a difference is significant."""
    significant = [one for one in interactions if one.adjusted <= comparison.choices.alpha]
    if len(interactions) == 1:
        (only,) = interactions
        return dependence(slicing, only, "The difference", comparison.choices.alpha)
    if not significant:
        return f"No pair's difference depends significantly on {slicing.by}."
    pairs = [f"{one.run} and {one.baseline} (p = {shown_p(one.adjusted)})" for one in significant]
    return f"The difference depends on {slicing.by} for {listed(pairs, 3)}."


def dependence(slicing: Slicing, interaction: Interaction, difference: str, alpha: float) -> str:
    """Whether a difference depends on the slice; `difference` is the subject of the sentence."""
    if math.isnan(interaction.p):
        return f"Whether the difference depends on {slicing.by} cannot be tested: {interaction.reason}."
    word = "depends" if interaction.adjusted <= alpha else "does not depend significantly"
    return f"{difference} {word} on {slicing.by} (p = {shown_p(interaction.adjusted)})."


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
    differences, digits = [one for _, _, one in rows], comparison.digits
    columns: dict[str, list[Cell]] = {
        "measure": [str(one.measure) for one in differences],
        slicing.by: [name for name, _, _ in rows],
        "queries": [count for _, count, _ in rows],
    }
    if len(_pairs(comparison)) > 1:
        columns |= {"run": [one.run for one in differences], "baseline": [one.baseline for one in differences]}
    columns |= {
        "mean": [digits.cell(one.measure, one.mean) for one in differences],
        "baseline mean": [digits.cell(one.measure, one.baseline_mean) for one in differences],
        "difference": [digits.estimate(one.measure, one.difference, one.low, one.high) for one in differences],
        "p": [PValue(one.adjusted) for one in differences],
        "better": [one.wins for one in differences],
        "equal": [one.ties for one in differences],
        "worse": [one.losses for one in differences],
    }
    optional = ("equal", "baseline mean", "mean", *(["baseline"] if len(comparison.baselines) == 1 else []))
    return Table(columns, notes=tuple(notes(comparison, slicing)), optional=optional, elastic=slicing.by)


def notes(comparison: Comparison, slicing: Slicing) -> Iterator[str]:
    """How the slices were made and tested."""
    pairs, choices = _pairs(comparison), comparison.choices
    if len(pairs) == 1:
        yield f"{pairs[0][0]} compared with {pairs[0][1]}, in slices by {slicing.by}."
    yield from slicing.notes
    slices = len(slicing.slices)
    of = (
        f"{slicing.family} comparisons ({slices} slices, {len(pairs)} pairs)"
        if len(pairs) > 1
        else counted(slices, "slice")
    )
    if choices.test == "tukey":
        correction = f", which corrects for all pairs of a slice, times {slices} for the number of slices"
        yield f"p: {choices.test_name}{correction if choices.correction != 'none' else ''}."
    else:
        yield f"p: {choices.test_name}, {correction_for(choices.correction, f'{of}, per measure')}."
    by_reason: dict[str, list[str]] = {}
    for part in slicing.slices:
        for reason in dict.fromkeys(one.reason for one in part.differences if one.reason):
            by_reason.setdefault(reason, []).append(part.name)
    for reason, names in by_reason.items():
        yield f"{listed(names)}: {reason}."
    tests = [
        f"{shown_p(one.adjusted)} ({one.measure}{f', {one.run} and {one.baseline}' if len(pairs) > 1 else ''})"
        for one in slicing.interactions
        if not math.isnan(one.p)
    ]
    if tests:
        yield (
            f"Test of whether the difference depends on the slice (slices shuffled): p = {listed(tests)}. Significant "
            "in one slice and not in another is no evidence that slices differ."
        )


class SliceDifference(NamedTuple):
    """A difference, and the slice of queries that it is on."""

    by: str
    slice: str
    depends: float
    """p of the test whether the difference depends on the slice."""
    difference: Difference


def differences_by_slice(comparison: Comparison) -> Iterator[SliceDifference]:
    """Every difference: first over all queries, then in slices."""
    for difference in comparison.differences:
        yield SliceDifference("", "all", math.nan, difference)
    for slicing in comparison.slicings:
        depends = {(one.measure, one.run, one.baseline): one.adjusted for one in slicing.interactions}
        for part in slicing.slices:
            for one in part.differences:
                interaction = depends[one.measure, one.run, one.baseline]
                yield SliceDifference(slicing.by, part.name, interaction, one)


def _pairs(comparison: Comparison) -> list[tuple[str, str]]:
    return [(one.run, one.baseline) for one in comparison.of(comparison.measures[0])]
