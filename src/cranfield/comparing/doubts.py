"""What would turn a verdict: the few settings that others would choose differently, tried for every comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.align import remembered
from cranfield.arrays import Floats
from cranfield.comparing.comparison import Comparison, chosen_pairs
from cranfield.comparing.differences import (
    TESTS,
    Difference,
    TestChoices,
    corrected_p,
    differences,
    on_scale,
    pairs_of,
    significances,
)
from cranfield.comparing.sensitivity import (
    Again,
    Pair,
    Variant,
    Variation,
    answered,
    as_compared,
    cheaper,
    family_of,
    marked,
    other_view,
    reversed_ties,
    variation,
)
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.evaluating.scores import Scores

WITHIN = 4
"""A p of Student's t within this factor of the significance level does not tell what another test would find."""
MOST_PAIRS = 5_000
"""Of a larger family, other settings would take longer than the comparison."""


@dataclass(frozen=True)
class Doubts:
    """Settings under which the verdict of a comparison would be another one.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1, "d2": 0} for at in range(9)}
    >>> old, new = {query: ["d2", "d1"] for query in judged}, {query: ["d1", "d2"] for query in judged}
    >>> cf.compare(cf.evaluate(judged, {"old": old, "new": new}, "RR")).doubts
    Doubts(turning=(), tried=("Student's paired t test",), unchecked='')
    """

    turning: tuple[Variation, ...] = ()
    """Every pair with a setting that turns its verdict: a significant difference appears, vanishes or is reversed."""
    tried: tuple[str, ...] = ()
    """The settings that were tried, by name."""
    unchecked: str = ""
    """What could not be tried, and why."""

    def of(self, difference: Difference) -> list[Variation]:
        """What turns the verdict about one pair."""
        names = difference.run, difference.baseline
        return [one for one in self.turning if (one.difference.run, one.difference.baseline) == names]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "tried": list(self.tried),
            "turning": [one.to_dict() for one in self.turning],
            "unchecked": self.unchecked or None,
        }


def doubts(comparison: Comparison) -> Doubts:
    """What turns the verdict under the first measure: unjudged documents, ties, silent queries or the t test.

    Whether a setting may turn it is seen by Student's t for all pairs at once, in no time; only then is it tested as
    chosen. The numbers are those of `sensitivity`.
    """
    if comparison.choices.standardise:
        return Doubts(unchecked="Other settings are not tried on standardised scores.")
    chosen = _pairs_of_verdict(comparison)
    family = family_of(comparison, chosen)
    if len(family) > MOST_PAIRS:
        many = f"{len(family):,}"
        return Doubts(unchecked=f"Other settings are tried for at most {MOST_PAIRS:,} pairs; there are {many}.")
    results = comparison.results
    pairs = len(chosen_pairs(results, comparison.baselines))
    trials = _trials(results, cheaper(comparison.choices, pairs, len(results.queries)))
    return Doubts(
        tuple(one for trial in trials for one in _turning(comparison, trial, chosen, family)),
        tuple(variant.name for variant, _ in trials),
        ""
        if comparison.results.detail is not None
        else "Whether unjudged documents, ties or queries without results would change the verdict was not checked: "
        "that needs the runs, and these scores come from a file or from several evaluations.",
    )


def _pairs_of_verdict(comparison: Comparison) -> list[Pair]:
    """Runs with their baselines; of every pair, those of the best run."""
    pairs = chosen_pairs(comparison.results, comparison.baselines)
    if comparison.baselines:
        return pairs
    best = comparison.results.runs.index(comparison.standings[0].runs[0])
    return [pair for pair in pairs if best in pair]


def _trials(results: Scores, choices: TestChoices) -> list[tuple[Variant, TestChoices]]:
    """What is tried, and how it is tested; what would change no score is left out."""
    *changed, usual = _variants(results)
    tried = [(variant, choices) for variant in changed]
    if choices.test not in ("t", "tukey"):
        tried.append((usual, replace(choices, test="t")))
    return tried


@remembered
def _variants(results: Scores) -> tuple[Variant, ...]:
    """Settings that change scores, and last the scores as they are, for another test."""
    usual = as_compared(results)
    changed: list[Variant] = []
    if (detail := results.detail) is not None:
        again = Again(results, detail)
        variants = [*other_view(again), *answered(again)]
        if again.settings.ties != "average" and any((one.tied > 1).any() for one in detail.alignments):
            variants += reversed_ties(again)
        changed = [one for one in variants if not np.array_equal(one.table, usual.table, equal_nan=True)]
        # A profile may have measures that read a run differently; then the rankings at hand are not this measure's.
        if changed and not np.array_equal(again.table(again.measure), usual.table, equal_nan=True):
            changed = []
    return *changed, replace(usual, kind="test", name=TESTS["t"])


def _turning(
    comparison: Comparison, trial: tuple[Variant, TestChoices], chosen: Sequence[Pair], family: Sequence[Pair]
) -> Iterator[Variation]:
    variant, choices = trial
    runs, scores = comparison.results.runs, _scores(variant)
    by_names = {(one.run, one.baseline): one for one in comparison.of(comparison.measures[0])}
    usual = [by_names[runs[run], runs[base]] for run, base in chosen]
    if not _may_turn(usual, scores, family, choices):
        return
    outcomes = _outcomes(comparison, variant, choices, family)
    adjusted = corrected_p([outcome.p for outcome in outcomes], choices).tolist()
    varied = differences(variant.measure, runs, scores, chosen, choices, outcomes[: len(chosen)])
    for before, after, p in zip(usual, varied, adjusted, strict=False):
        other = variation(variant.kind, variant.name, replace(after, adjusted=p), choices)
        changed = marked(variation("", "", before, choices), other)
        if changed.changes_verdict and not math.isnan(before.p):
            yield changed


def _outcomes(
    comparison: Comparison, variant: Variant, choices: TestChoices, family: Sequence[Pair]
) -> Sequence[Significance]:
    """The outcome of the test for each pair of the family, under a variant."""
    # A test of one's own may depend on which run comes first, and need not be hashable.
    if not comparison.other_baselines or callable(choices.test):
        return significances(_scores(variant), pairs_of(family), choices, comparison.results.runs)
    elsewhere = chosen_pairs(comparison.results, comparison.other_baselines)
    pairs = sorted({(min(pair), max(pair)) for pair in (*family, *elsewhere)})
    tested = _tested(comparison.results, variant, choices, tuple(pairs))
    return [tested[min(pair), max(pair)] for pair in family]


@remembered
def _tested(
    results: Scores, variant: Variant, choices: TestChoices, pairs: tuple[Pair, ...]
) -> dict[Pair, Significance]:
    """The outcome for each pair of all baselines; whoever compares with another one asks again."""
    outcomes = significances(_scores(variant), pairs_of(pairs), choices, results.runs)
    return dict(zip(pairs, outcomes, strict=True))


def _scores(variant: Variant) -> Floats:
    return on_scale(variant.measure, variant.table)


def _may_turn(usual: Sequence[Difference], scores: Floats, family: Sequence[Pair], choices: TestChoices) -> bool:
    """Whether Student's t finds another verdict about one of the first pairs, or comes near to that."""
    student = replace(choices, test="t", correction="bonferroni" if choices.test == "tukey" else choices.correction)
    means, p = _student(scores, family)
    adjusted = corrected_p(p.tolist(), student).tolist()
    within = 1 if choices.test == "t" else WITHIN
    for one, mean, corrected in zip(usual, means.tolist(), adjusted, strict=False):
        verdict = replace(one, difference=mean, adjusted=corrected).verdict(choices.alpha)
        is_near = not (corrected <= choices.alpha / within or corrected >= choices.alpha * within)
        if is_near or verdict != one.verdict(choices.alpha):
            return True
    return False


def _student(scores: Floats, family: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Mean difference and p of Student's t for many pairs at once; p is NaN where there is no variance."""
    from scipy.special import stdtr

    pairs = pairs_of(family)
    apart = scores[pairs.first] - scores[pairs.second]
    known = np.isfinite(apart)
    count = known.sum(axis=1)
    apart = np.where(known, apart, 0.0)
    with np.errstate(all="ignore"):
        means = apart.sum(axis=1) / count
        squares = np.where(known, (apart - means[:, None]) ** 2, 0.0).sum(axis=1)
        t = means / np.sqrt(squares / (count - 1) / count)
        p = np.clip(2 * stdtr(count - 1, -np.abs(t)), 0, 1)
    return means, np.where(means == 0, 1.0, p)
