"""Differences between runs under one measure: how large, how sure, and how they were tested."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from cranfield import aggregate
from cranfield.arrays import Floats
from cranfield.comparing.corrections import Correction, corrected
from cranfield.comparing.effects import cohen_d, wins_ties_losses, without_bias
from cranfield.comparing.intervals import Interval, bca_intervals, t_interval
from cranfield.comparing.paired import Pairs, deviation, mean
from cranfield.comparing.power import detectable_difference
from cranfield.comparing.significance_tests.bootstrap import bootstrap_tests
from cranfield.comparing.significance_tests.pairwise import less, pairwise
from cranfield.comparing.significance_tests.randomization import randomization_tests
from cranfield.comparing.significance_tests.sign import sign_test
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.comparing.significance_tests.student import t_test
from cranfield.comparing.significance_tests.tukey import tukey_hsd
from cranfield.comparing.significance_tests.wilcoxon import signed_rank_test
from cranfield.comparing.standardise import z_scores
from cranfield.errors import UsageError, did_you_mean
from cranfield.measures import Measure
from cranfield.show.table import finite

Test = Literal["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"]
IntervalKind = Literal["t", "bca"]
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
    "bonferroni": "Bonferroni's correction",
    "benjamini-hochberg": "Benjamini and Hochberg's correction",
    "none": "no correction",
}
INTERVALS: dict[IntervalKind, str] = {"t": "Student's t", "bca": "BCa bootstrap"}


@dataclass(frozen=True)
class Plan:
    """How runs are compared."""

    test: Test = "randomization"
    correction: Correction = "holm"
    """For the number of comparisons under one measure; Tukey's test needs none."""
    interval: IntervalKind = "t"
    confidence: float = 0.95
    tie: float = 0.0
    """Scores that differ by no more than this count as equal."""
    power: float = 0.8
    """The chance with which a difference is to be found, for the smallest that could be."""
    resamples: int = 100_000
    seed: int = 0
    standardise: bool = False
    """Compare how far scores are from their query's mean over all runs, in standard deviations."""

    def __post_init__(self) -> None:
        for name, known in (("test", TESTS), ("correction", CORRECTIONS), ("interval", INTERVALS)):
            value = getattr(self, name)
            if value not in known:
                raise UsageError(
                    f"{name} is {' or '.join(known)}, not {value!r}. {did_you_mean(str(value), known)}".strip()
                )
        for name in ("confidence", "power"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"{name} lies between 0 and 1; it cannot be {getattr(self, name)!r}.")
        if not self.tie >= 0:
            raise UsageError(f"tie is a difference from 0 on, not {self.tie!r}.")
        if isinstance(self.resamples, bool) or self.resamples != int(self.resamples) or self.resamples < 1:
            raise UsageError(f"resamples is a whole number from 1 on, not {self.resamples!r}.")

    @property
    def alpha(self) -> float:
        """The significance level: the chance of finding a difference where there is none."""
        return alpha_of(self.confidence)


def alpha_of(confidence: float) -> float:
    """The significance level of a confidence level; 0.1 and not the 0.09999999999999998 of 1 - 0.9."""
    return round(1 - confidence, 12)


@dataclass(frozen=True)
class Difference:
    """One run beside another under one measure, over the queries for which both have a score."""

    measure: Measure
    run: str
    baseline: str
    mean: float
    baseline_mean: float
    difference: float
    """The run's mean less the baseline's."""
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
    """The smallest difference that so many queries would have shown with the wanted power."""
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
        return {**numbers, "measure": str(self.measure), "interval": interval}


def on_scale(measure: Measure, scores: Floats) -> Floats:
    """Scores on the scale on which they are averaged: logarithms where the mean is geometric."""
    if measure.definition.mean == "geometric":
        return np.log(np.maximum(scores, aggregate.GEOMETRIC_FLOOR))
    return scores


def scaled(measure: Measure, scores: Floats, plan: Plan) -> Floats:
    """Scores of all runs as the plan compares them: as they are averaged, and perhaps standardised by query."""
    return z_scores(on_scale(measure, scores)) if plan.standardise else on_scale(measure, scores)


def differences(
    measure: Measure,
    runs: Sequence[str],
    scores: Floats,
    chosen: Sequence[tuple[int, int]],
    plan: Plan,
    outcomes: Sequence[Significance] | None = None,
) -> list[Difference]:
    """Chosen pairs of rows, a run and what it is compared with; they are one family.

    What the test says of each pair may be known already.
    """
    said = significances(scores, pairs_of(chosen), plan) if outcomes is None else outcomes
    adjusted = allowed_for([outcome.p for outcome in said], plan)
    around = intervals([less(scores[run], scores[base]) for run, base in chosen], plan)
    return [
        _difference(measure, (runs[pair[0]], runs[pair[1]]), scores[list(pair)], outcome, float(p), interval, plan)
        for pair, outcome, p, interval in zip(chosen, said, adjusted, around, strict=True)
    ]


def pairs_of(chosen: Sequence[tuple[int, int]]) -> Pairs:
    """Chosen pairs of rows as tests take them."""
    first, second = (np.array([pair[side] for pair in chosen], dtype=np.int64) for side in (0, 1))
    return Pairs(first, second)


def significances(scores: Floats, pairs: Pairs, plan: Plan) -> list[Significance]:
    """What the planned test says of each pair of rows."""
    one_by_one: dict[str, Callable[[Floats], Significance]] = {
        "t": t_test,
        "wilcoxon": signed_rank_test,
        "sign": sign_test,
    }
    if plan.test in one_by_one:
        return pairwise(scores, pairs, one_by_one[plan.test])
    if plan.test == "bootstrap":
        return bootstrap_tests(scores, pairs, samples=plan.resamples, rng=plan.seed)
    together = tukey_hsd if plan.test == "tukey" else randomization_tests
    return together(scores, pairs, permutations=plan.resamples, rng=plan.seed)


def allowed_for(p: Sequence[float], plan: Plan) -> Floats:
    """p-values of one family of comparisons, corrected for its size as planned."""
    return corrected(p, "none" if plan.test == "tukey" else plan.correction)


def intervals(rows: Sequence[Floats], plan: Plan) -> list[Interval]:
    """The mean of each row with its interval, as planned."""
    if plan.interval == "bca":
        return bca_intervals(np.array(rows), confidence=plan.confidence, rng=plan.seed)
    return [t_interval(row, confidence=plan.confidence) for row in rows]


def _difference(
    measure: Measure,
    names: tuple[str, str],
    scores: Floats,
    outcome: Significance,
    adjusted: float,
    interval: Interval,
    plan: Plan,
) -> Difference:
    run, base = scores[:, ~np.isnan(scores).any(axis=0)]
    apart = less(run, base)
    counts = wins_ties_losses(-apart if measure.definition.lower_is_better else apart, plan.tie)
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
        detectable=detectable_difference(spread, len(apart), alpha=plan.alpha, power=plan.power)
        if spread > 0
        else math.nan,
        reason=outcome.reason or interval.reason,
    )
