"""Differences between runs under one measure: how large, how sure, and how they were tested."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal, TypedDict

import numpy as np

from cranfield.arguments import require_choice, require_not_negative, require_share, require_whole
from cranfield.arrays import Floats
from cranfield.choices import Correction, IntervalKind, Test
from cranfield.comparing.corrections import corrected
from cranfield.comparing.effects import cohen_d, wins_ties_losses, without_bias
from cranfield.comparing.intervals import Interval, bca_intervals, t_interval
from cranfield.comparing.paired import SystemPairs, deviation, mean
from cranfield.comparing.power import detectable_difference
from cranfield.comparing.significance_tests.bootstrap import bootstrap_tests
from cranfield.comparing.significance_tests.own import OwnTest, own_name, own_tests
from cranfield.comparing.significance_tests.pairwise import less, pairwise
from cranfield.comparing.significance_tests.randomization import randomization_tests
from cranfield.comparing.significance_tests.sign import sign_test
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.comparing.significance_tests.student import t_test
from cranfield.comparing.significance_tests.tukey import tukey_hsd
from cranfield.comparing.significance_tests.wilcoxon import signed_rank_test
from cranfield.comparing.standardise import z_scores
from cranfield.evaluating import aggregate
from cranfield.measures import Measure
from cranfield.show.measures import name_dict
from cranfield.show.table import finite

Verdict = Literal["better", "worse", "none"]

TESTS: dict[Test, str] = {
    "randomization": "paired randomization test",
    "t": "Student's paired t test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "sign test",
    "bootstrap": "paired bootstrap test",
    "tukey": "randomized Tukey HSD",
}
CORRECTIONS: dict[Correction, str] = {
    "holm": "Holm's correction",
    "holm-sidak": "Holm and Šidák's correction",
    "bonferroni": "Bonferroni's correction",
    "sidak": "Šidák's correction",
    "hochberg": "Hochberg's correction",
    "hommel": "Hommel's correction",
    "benjamini-hochberg": "Benjamini and Hochberg's correction",
    "benjamini-yekutieli": "Benjamini and Yekutieli's correction",
    "none": "no correction",
}
INTERVALS: dict[IntervalKind, str] = {"t": "Student's t", "bca": "BCa bootstrap"}


def correction_for(correction: Correction, comparisons: str) -> str:
    """How p is corrected for several comparisons, in words that follow the name of the test.

    >>> print(correction_for("holm", "all 6 pairs"), correction_for("none", "all 6 pairs"), sep="; ")
    Holm's correction for all 6 pairs; not corrected for multiple comparisons
    """
    is_corrected = correction != "none"
    return f"{CORRECTIONS[correction]} for {comparisons}" if is_corrected else "not corrected for multiple comparisons"


@dataclass(frozen=True)
class TestChoices:
    """How runs are tested: the keywords of `compare` and `report`, and the options of their commands."""

    __test__: ClassVar[bool] = False  # pytest would collect a class of this name

    test: Test | OwnTest = "randomization"
    """One of those that have a name, or a function of two runs' scores that returns p."""
    correction: Correction = "holm"
    """For the number of comparisons under one measure; Tukey's test needs none."""
    interval: IntervalKind = "t"
    confidence: float = 0.95
    tie_margin: float = 0.0
    """Scores that differ by no more than this count as equal."""
    power: float = 0.8
    """Statistical power, for the smallest difference that is detectable."""
    resamples: int = 100_000
    seed: int = 0
    standardise: bool = False
    """Compare how far scores are from their query's mean over all runs, in standard deviations."""

    def __post_init__(self) -> None:
        if not callable(self.test):
            require_choice(self.test, "test", list(TESTS), "or a function of two runs' scores that returns p")
        for name, known in (("correction", CORRECTIONS), ("interval", INTERVALS)):
            require_choice(getattr(self, name), name, list(known))
        for name in ("confidence", "power"):
            require_share(getattr(self, name), name)
        require_not_negative(self.tie_margin, "tie_margin")
        require_whole(self.resamples, "resamples")

    @property
    def alpha(self) -> float:
        """The significance level: the chance of finding a difference where there is none."""
        return alpha_of(self.confidence)

    @property
    def test_name(self) -> str:
        """What the test is called in a sentence."""
        return own_name(self.test) if callable(self.test) else TESTS[self.test]

    def to_dict(self) -> dict[str, Any]:
        """The choices as plain values; a test of one's own by its name."""
        return asdict(replace(self, test="t")) | {"test": self.test_name if callable(self.test) else self.test}


class TestKeywords(TypedDict, total=False):
    """The same as keywords of a function, each with the default of `TestChoices`."""

    test: Test | OwnTest
    correction: Correction
    interval: IntervalKind
    confidence: float
    tie_margin: float
    power: float
    resamples: int
    seed: int


def alpha_of(confidence: float) -> float:
    """The significance level of a confidence level; 0.1 and not the 0.09999999999999998 of 1 - 0.9."""
    return round(1 - confidence, 12)


@dataclass(frozen=True)
class Difference:
    """One run compared with another under one measure, over the queries for which both have a score."""

    measure: Measure
    run: str
    baseline: str
    mean: float
    baseline_mean: float
    difference: float
    """The run's mean minus the baseline's."""
    low: float
    high: float
    p: float
    adjusted: float
    """p corrected for the number of comparisons under this measure."""
    queries: int
    wins: int
    """Queries on which the run is better."""
    ties: int
    losses: int
    d: float
    """Cohen's d of the paired differences: their mean in standard deviations."""
    g: float
    """The same with Hedges' correction for few queries."""
    superiority: float
    """How often the run is better, a tie counting half."""
    detectable: float
    """The smallest difference that this number of queries detects with the wanted power."""
    reason: str = ""
    """Why there is no p, or no interval."""

    def is_significant(self, alpha: float) -> bool:
        """Whether the corrected p says that there is a difference, and the means say in which direction."""
        return self.adjusted <= alpha and self.difference != 0

    @property
    def is_better(self) -> bool:
        """Whether the run has the better mean."""
        return self.difference < 0 if self.measure.definition.lower_is_better else self.difference > 0

    def verdict(self, alpha: float) -> Verdict:
        """Whether the run is significantly better or worse than its baseline, or neither."""
        if not self.is_significant(alpha):
            return "none"
        return "better" if self.is_better else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; what is undefined is nothing."""
        values = asdict(replace(self, measure=None))  # type: ignore[arg-type]  # named below
        numbers = {name: finite(value) if isinstance(value, float) else value for name, value in values.items()}
        interval = [numbers.pop("low"), numbers.pop("high")]
        return {**numbers, **name_dict(self.measure), "interval": interval}


def on_scale(measure: Measure, scores: Floats) -> Floats:
    """Scores on the scale on which they are averaged: logarithms where the mean is geometric."""
    if measure.definition.mean == "geometric":
        return np.log(np.maximum(scores, aggregate.GEOMETRIC_FLOOR))
    return scores


def scaled(measure: Measure, scores: Floats, choices: TestChoices) -> Floats:
    """Scores of all runs as they are compared: on the scale of their mean, and perhaps standardised by query."""
    return z_scores(on_scale(measure, scores)) if choices.standardise else on_scale(measure, scores)


def differences(
    measure: Measure,
    runs: Sequence[str],
    scores: Floats,
    chosen: Sequence[tuple[int, int]],
    choices: TestChoices,
    outcomes: Sequence[Significance] | None = None,
) -> list[Difference]:
    """Chosen pairs of rows, a run and what it is compared with; they are one family.

    The outcomes of the tests may be known already.
    """
    tested = significances(scores, pairs_of(chosen), choices, runs) if outcomes is None else outcomes
    adjusted = corrected_p([outcome.p for outcome in tested], choices)
    around = intervals([less(scores[run], scores[base]) for run, base in chosen], choices)
    return [
        _difference(measure, (runs[pair[0]], runs[pair[1]]), scores[list(pair)], outcome, float(p), interval, choices)
        for pair, outcome, p, interval in zip(chosen, tested, adjusted, around, strict=True)
    ]


def pairs_of(chosen: Sequence[tuple[int, int]]) -> SystemPairs:
    """Chosen pairs of rows as tests take them."""
    first, second = (np.array([pair[side] for pair in chosen], dtype=np.int64) for side in (0, 1))
    return SystemPairs(first, second)


def significances(
    scores: Floats, pairs: SystemPairs, choices: TestChoices, runs: Sequence[str] = ()
) -> list[Significance]:
    """The outcome of the chosen test for each pair of rows; a test of one's own is told which runs it failed for."""
    if callable(choices.test):
        return own_tests(scores, pairs, choices.test, runs)
    one_by_one: dict[str, Callable[[Floats], Significance]] = {
        "t": t_test,
        "wilcoxon": signed_rank_test,
        "sign": sign_test,
    }
    if choices.test in one_by_one:
        return pairwise(scores, pairs, one_by_one[choices.test])
    if choices.test == "bootstrap":
        return bootstrap_tests(scores, pairs, samples=choices.resamples, rng=choices.seed)
    resampled = tukey_hsd if choices.test == "tukey" else randomization_tests
    return resampled(scores, pairs, permutations=choices.resamples, rng=choices.seed)


def corrected_p(p: Sequence[float], choices: TestChoices) -> Floats:
    """p-values of one family of comparisons, corrected for its size."""
    return corrected(p, "none" if choices.test == "tukey" else choices.correction)


def intervals(rows: Sequence[Floats], choices: TestChoices) -> list[Interval]:
    """The mean of each row with its interval."""
    if choices.interval == "bca":
        return bca_intervals(np.array(rows), confidence=choices.confidence, rng=choices.seed)
    return [t_interval(row, confidence=choices.confidence) for row in rows]


def _difference(
    measure: Measure,
    names: tuple[str, str],
    scores: Floats,
    outcome: Significance,
    adjusted: float,
    interval: Interval,
    choices: TestChoices,
) -> Difference:
    run, base = scores[:, ~np.isnan(scores).any(axis=0)]
    apart = less(run, base)
    counts = wins_ties_losses(-apart if measure.definition.lower_is_better else apart, choices.tie_margin)
    d, spread = (cohen_d(apart), deviation(apart)) if np.isfinite(apart).all() else (math.nan, math.nan)
    return Difference(
        measure=measure,
        run=names[0],
        baseline=names[1],
        mean=mean(run),
        baseline_mean=mean(base),
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        p=outcome.p,
        adjusted=adjusted,
        queries=outcome.queries,
        wins=counts.wins,
        ties=counts.ties,
        losses=counts.losses,
        d=d,
        g=without_bias(d, len(apart)),
        superiority=counts.superiority,
        detectable=detectable_difference(spread, len(apart), alpha=choices.alpha, power=choices.power)
        if spread > 0
        else math.nan,
        reason=outcome.reason or interval.reason,
    )
