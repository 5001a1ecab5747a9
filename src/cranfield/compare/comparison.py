"""Runs beside each other: how far apart they are, whether that is real, and who cannot be told from whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield import aggregate
from cranfield.compare.bootstrap import bootstrap_tests
from cranfield.compare.corrections import Correction, corrected
from cranfield.compare.effects import cohen_d, hedges_g, superiority, wins_ties_losses
from cranfield.compare.groups import better, indistinguishable_groups, letters, tied_for_first
from cranfield.compare.intervals import Interval, bca_intervals, t_interval
from cranfield.compare.paired import Pairs, all_pairs, as_matrix, defined, deviation, mean
from cranfield.compare.pairwise import pairwise
from cranfield.compare.power import detectable_difference
from cranfield.compare.randomization import randomization_tests
from cranfield.compare.ranks import RankInterval, rank_intervals
from cranfield.compare.sign import sign_test
from cranfield.compare.significance import Significance
from cranfield.compare.student import t_test
from cranfield.compare.tukey import tukey_hsd
from cranfield.compare.wilcoxon import signed_rank_test
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluate import Scores
from cranfield.measures import Measure
from cranfield.results import Results, joined, results_of
from cranfield.table import finite
from cranfield.version import VERSION

Floats = npt.NDArray[np.float64]
Test = Literal["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"]
IntervalKind = Literal["t", "bca"]

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
        """The chance of finding a difference where there is none; 0.1 and not the 0.09999999999999998 of 1 - 0.9."""
        return round(1 - self.confidence, 12)


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
        """Whether the difference is larger than chance would make it."""
        return self.adjusted <= alpha

    @property
    def is_better(self) -> bool:
        """Whether the run has the better mean."""
        return self.difference < 0 if self.measure.definition.lower_is_better else self.difference > 0


@dataclass(frozen=True)
class Standing:
    """All runs under one measure, best mean first, and what can be said of their order."""

    measure: Measure
    runs: tuple[str, ...]
    means: tuple[Interval, ...]
    first: tuple[str, ...]
    """Runs that none is significantly better than."""
    letters: tuple[str, ...]
    """Runs that share a letter cannot be told apart."""
    ranks: tuple[RankInterval, ...]
    better: frozenset[tuple[str, str]]
    """Which run is significantly better than which."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Differences between runs with intervals, tests and effect sizes; shows itself as a verdict and a table.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1, "d2": 0} for at in range(9)}
    >>> old = {query: ["d2", "d1"] for query in judged} | {"q0": ["d1", "d2"]}
    >>> new = {query: ["d1", "d2"] for query in judged}
    >>> print(compare(cf.evaluate(judged, {"old": old, "new": new}, "RR")).verdict())
    new is better than old by 0.4444 RR (95% interval 0.3163 to 0.5726, p = 0.008, 9 queries): better on 8, ...
    """

    results: Results
    plan: Plan
    baselines: tuple[str, ...]
    """What runs are compared with; none where every pair is compared."""
    differences: tuple[Difference, ...]
    standings: tuple[Standing, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order of the results."""
        return self.results.measures

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know beside the numbers, of the evaluation and of the comparison."""
        runs, plan = len(self.results.runs), self.plan
        pairs = runs * (runs - 1) // 2
        drawn = plan.test in ("randomization", "bootstrap") and plan.correction in ("holm", "bonferroni")
        least = min(pairs / (plan.resamples + 1), 1)
        if not drawn or pairs < 2 or least <= plan.alpha / 2:
            return self.results.warnings
        needed = 10 ** math.ceil(math.log10(10 * pairs / plan.alpha))
        return (
            *self.results.warnings,
            f"{plan.resamples:,} resamples are too few for {pairs:,} pairs: corrected for so many, a p that comes from "
            f"them is {least:.2g} or more; take {needed:,}, or tukey, which needs no correction",
        )

    def of(self, measure: Measure | str) -> tuple[Difference, ...]:
        """The differences under one measure."""
        wanted = self.measures[self.results.position(measure)]
        return tuple(difference for difference in self.differences if difference.measure == wanted)

    def verdict(self, places: int = 4) -> str:
        """What there is to say about the first measure, in words."""
        from cranfield.compare.words import verdict

        return verdict(self, places)

    def movers(self, difference: Difference, count: int = 5) -> list[tuple[str, float, float]]:
        """The queries that moved most, best gain first: query, the run's score and the baseline's."""
        scores = self.results.scores(difference.measure)
        run, baseline = (scores[self.results.run_position(name)] for name in (difference.run, difference.baseline))
        moved = run - baseline
        order = [at for at in np.argsort(-moved, kind="stable").tolist() if not math.isnan(moved[at]) and moved[at]]
        kept = order if len(order) <= 2 * count else order[:count] + order[-count:]
        return [(self.results.queries[at], float(run[at]), float(baseline[at])) for at in kept]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield compare --format json` prints."""
        return {
            "cranfield": VERSION,
            "plan": {**asdict(self.plan), "baselines": list(self.baselines)},
            "verdict": self.verdict(),
            "judgments": dict(self.results.judgments),
            "settings": dict(self.results.settings),
            "warnings": list(self.warnings),
            "differences": [_plain(difference) for difference in self.differences],
            "standings": [
                {
                    "measure": str(standing.measure),
                    "tied_for_first": list(standing.first),
                    "runs": [
                        {
                            "run": run,
                            "mean": finite(interval.value),
                            "interval": [finite(interval.low), finite(interval.high)],
                            "group": group,
                            "rank": list(rank),
                        }
                        for run, interval, group, rank in zip(
                            standing.runs, standing.means, standing.letters, standing.ranks, strict=True
                        )
                    ],
                }
                for standing in self.standings
            ],
        }

    def __str__(self) -> str:
        from cranfield.compare.words import text

        return text(self)

    def _repr_html_(self) -> str:
        from cranfield.compare.words import html

        return html(self)


def compare(
    results: Scores | Results | Iterable[Scores | Results],
    *,
    baseline: str | Sequence[str] | None = None,
    all_pairs: bool = False,
    test: Test = "randomization",
    correction: Correction = "holm",
    interval: IntervalKind = "t",
    confidence: float = 0.95,
    tie: float = 0.0,
    power: float = 0.8,
    resamples: int = 100_000,
    seed: int = 0,
    allow_different_judgments: bool = False,
) -> Comparison:
    """Runs beside a baseline, by default the first, or beside several, or every two of them.

    Paired by query over all judged queries, those that a run did not answer among them. Takes scores as `evaluate`
    gives them, results that were kept, or several of both.
    """
    plan = Plan(test, correction, interval, confidence, tie, power, resamples, seed)
    given = [results] if isinstance(results, Scores | Results) else list(results)
    kept = [results_of(part) if isinstance(part, Scores) else part for part in given]
    if not kept:
        raise UsageError("Nothing to compare. Give the scores of two runs or more.")
    together = joined(kept, allow_different_judgments=allow_different_judgments)
    if len(together.runs) < 2:
        raise UsageError(f"Nothing to compare: there is one run, {together.runs[0]}. Give two or more.")
    if all_pairs and baseline is not None:
        raise UsageError("Every pair is compared, or runs with a baseline; choose one.")
    baselines = _baselines(together, baseline, all_pairs)
    chosen = _chosen_pairs(together, baselines)
    compared = [_compared(together, at, baselines, chosen, plan) for at in range(len(together.measures))]
    return Comparison(
        together,
        plan,
        baselines,
        tuple(difference for differences, _ in compared for difference in differences),
        tuple(standing for _, standing in compared),
    )


def _baselines(results: Results, baseline: str | Sequence[str] | None, every_pair: bool) -> tuple[str, ...]:
    if every_pair:
        return ()
    wanted = [results.runs[0]] if baseline is None else [baseline] if isinstance(baseline, str) else list(baseline)
    if not wanted:
        raise UsageError("No baseline was given. Name at least one, or compare every pair.")
    return tuple(results.runs[results.run_position(name)] for name in dict.fromkeys(wanted))


def _chosen_pairs(results: Results, baselines: tuple[str, ...]) -> list[tuple[int, int]]:
    """Rows of a run and of what it is compared with; every two once where there is no baseline."""
    systems = range(len(results.runs))
    if not baselines:
        return [(two, one) for one in systems for two in systems if one < two]
    rows = [results.run_position(name) for name in baselines]
    # A baseline beside another one is one comparison, whichever way round.
    return [(run, row) for at, row in enumerate(rows) for run in systems if run != row and run not in rows[:at]]


def _compared(
    results: Results, at: int, baselines: tuple[str, ...], chosen: list[tuple[int, int]], plan: Plan
) -> tuple[list[Difference], Standing]:
    measure = results.measures[at]
    scores = on_scale(measure, results.scores(measure))
    systems = len(results.runs)
    pairs = all_pairs(systems)
    tests = _tests(scores, pairs, plan)
    place = {pair: row for row, pair in enumerate(pairs)}
    family = [tests[place[min(pair), max(pair)]] for pair in chosen]
    adjusted = _corrected([outcome.p for outcome in family], plan)
    intervals = _intervals([scores[run] - scores[base] for run, base in chosen], plan)
    differences = [
        _difference(results, measure, scores, pair, outcome, float(p), interval, plan)
        for pair, outcome, p, interval in zip(chosen, family, adjusted, intervals, strict=True)
    ]
    return differences, _standing(results, measure, scores, tests, pairs, plan)


def on_scale(measure: Measure, scores: Floats) -> Floats:
    """Scores on the scale on which they are averaged: logarithms where the mean is geometric."""
    if measure.definition.mean == "geometric":
        return np.log(np.maximum(scores, aggregate.GEOMETRIC_FLOOR))
    return scores


def _tests(scores: Floats, pairs: Pairs, plan: Plan) -> list[Significance]:
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


def _corrected(p: Sequence[float], plan: Plan) -> Floats:
    return corrected(p, "none" if plan.test == "tukey" else plan.correction)


def _intervals(rows: Sequence[Floats], plan: Plan) -> list[Interval]:
    if plan.interval == "bca":
        return bca_intervals(np.array(rows), confidence=plan.confidence, rng=plan.seed)
    return [t_interval(row, confidence=plan.confidence) for row in rows]


def _difference(
    results: Results,
    measure: Measure,
    scores: Floats,
    pair: tuple[int, int],
    outcome: Significance,
    adjusted: float,
    interval: Interval,
    plan: Plan,
) -> Difference:
    run, base = scores[pair[0]], scores[pair[1]]
    shared = ~np.isnan(run) & ~np.isnan(base)
    differences = defined(run - base)
    gains = -differences if measure.definition.lower_is_better else differences
    counts = wins_ties_losses(gains, plan.tie)
    spread = deviation(differences)
    return Difference(
        measure=measure,
        run=results.runs[pair[0]],
        baseline=results.runs[pair[1]],
        mean=mean(run[shared]),
        baseline_mean=mean(base[shared]),
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        p=outcome.p,
        adjusted=adjusted,
        queries=outcome.queries,
        wins=counts.wins,
        ties=counts.ties,
        losses=counts.losses,
        d=cohen_d(differences),
        g=hedges_g(differences),
        superiority=superiority(gains, plan.tie),
        detectable=detectable_difference(spread, len(differences), alpha=plan.alpha, power=plan.power)
        if spread > 0
        else math.nan,
        reason=outcome.reason or interval.reason,
    )


def _standing(
    results: Results, measure: Measure, scores: Floats, tests: list[Significance], pairs: Pairs, plan: Plan
) -> Standing:
    systems = len(results.runs)
    sign = -1 if measure.definition.lower_is_better else 1
    means = _intervals(list(scores), plan)
    order = sorted(range(systems), key=lambda at: -sign * means[at].value if means[at].queries else math.inf)
    gains = as_matrix([sign * test.difference for test in tests], pairs, systems, antisymmetric=True)
    p = as_matrix(_corrected([test.p for test in tests], plan), pairs, systems)
    better_than = better(gains[np.ix_(order, order)], p[np.ix_(order, order)], alpha=plan.alpha)
    groups = indistinguishable_groups(better_than)
    return Standing(
        measure=measure,
        runs=tuple(results.runs[at] for at in order),
        means=tuple(means[at] for at in order),
        first=tuple(results.runs[order[at]] for at in tied_for_first(better_than)),
        letters=tuple("".join(of_run) for of_run in letters(groups, systems)),
        ranks=tuple(rank_intervals(better_than)),
        better=frozenset(
            (results.runs[order[one]], results.runs[order[two]]) for one, two in np.argwhere(better_than).tolist()
        ),
    )


def _plain(difference: Difference) -> dict[str, Any]:
    values = asdict(replace(difference, measure=None))  # type: ignore[arg-type]  # named below
    numbers = {name: finite(value) if isinstance(value, float) else value for name, value in values.items()}
    interval = [numbers.pop("low"), numbers.pop("high")]
    return {**numbers, "measure": str(difference.measure), "interval": interval}
