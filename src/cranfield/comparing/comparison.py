"""Runs beside each other: how far apart they are, whether that is real, and who cannot be told from whom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.choosing import chosen_baselines, chosen_pairs, together
from cranfield.comparing.corrections import Correction
from cranfield.comparing.differences import (
    Difference,
    IntervalKind,
    Plan,
    Test,
    allowed_for,
    differences,
    intervals,
    scaled,
    significances,
)
from cranfield.comparing.groups import better, indistinguishable_groups, letters, tied_for_first
from cranfield.comparing.intervals import Interval
from cranfield.comparing.paired import Pairs, all_pairs, as_matrix
from cranfield.comparing.ranks import RankInterval, rank_intervals
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.comparing.slices import Slicing, sliced
from cranfield.data.queries import Queries
from cranfield.errors import Finding, UsageError
from cranfield.measures import Measure
from cranfield.score_json import judgments_dict, settings_dict
from cranfield.scores import Scores
from cranfield.show.table import Table, finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.comparing.order_agreement import OrderAgreement
    from cranfield.comparing.sensitivity import Sensitivity


LEAST_TO_STANDARDISE = 3
MOST_GROUPS = 500
"""Of more groups of runs that cannot be told apart, none is shown."""


@dataclass(frozen=True)
class Standing:
    """All runs under one measure, best mean first, and what can be said of their order."""

    measure: Measure
    runs: tuple[str, ...]
    means: tuple[Interval, ...]
    first: tuple[str, ...]
    """Runs that none is significantly better than."""
    letters: tuple[str, ...]
    """Runs that share a letter cannot be told apart; none where there would be too many."""
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

    results: Scores
    plan: Plan
    baselines: tuple[str, ...]
    """What runs are compared with; none where every pair is compared."""
    differences: tuple[Difference, ...]
    standings: tuple[Standing, ...]
    queries: Queries | None = None
    """What is known of queries."""
    slicings: tuple[Slicing, ...] = ()
    """The same differences in slices, by each column that was asked for."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order of the results."""
        return self.results.measures

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What to know beside the numbers, of the evaluation and of the comparison."""
        runs, plan = len(self.results.runs), self.plan
        pairs = runs * (runs - 1) // 2 if plan.correction in ("holm", "bonferroni") else 1
        least = min(pairs / (plan.resamples + 1), 1)
        if plan.test not in ("randomization", "bootstrap") or least <= plan.alpha / 2:
            return self.results.warnings
        needed = 10 ** math.ceil(math.log10(10 * pairs / plan.alpha))
        if pairs < 2:
            few = f"{plan.resamples:,} resamples cannot give a p below {least:.2g}; take {needed:,} or more"
            return (*self.results.warnings, Finding("warning", "few-resamples", few))
        few = (
            f"{plan.resamples:,} resamples are too few for {pairs:,} pairs: corrected for so many, a p that comes from "
            f"them is {least:.2g} or more; take {needed:,}, or tukey, which needs no correction"
        )
        return (*self.results.warnings, Finding("warning", "few-resamples", few))

    def of(self, measure: Measure | str) -> tuple[Difference, ...]:
        """The differences under one measure."""
        wanted = self.measures[self.results.position(measure)]
        return tuple(difference for difference in self.differences if difference.measure == wanted)

    def verdict(self, places: int = 4) -> str:
        """What there is to say about the first measure, in words."""
        from cranfield.comparing.words import verdict

        return verdict(self, places)

    def movers(self, difference: Difference, count: int = 5) -> list[tuple[str, float, float]]:
        """The queries that moved most, best gain first: query, the run's score and the baseline's."""
        scores = self.results.settled(difference.measure)
        if self.plan.standardise:
            scores = scaled(difference.measure, scores, self.plan)
        run, baseline = (scores[self.results.run_position(name)] for name in (difference.run, difference.baseline))
        moved = run - baseline
        order = [at for at in np.argsort(-moved, kind="stable").tolist() if not math.isnan(moved[at]) and moved[at]]
        kept = order if len(order) <= 2 * count else order[:count] + order[-count:]
        return [(self.results.queries[at], float(run[at]), float(baseline[at])) for at in kept]

    def table(self) -> Table:
        """A row for every difference."""
        from cranfield.comparing.words import table

        return table(self)

    def sensitivity(self) -> Sensitivity:
        """Whether the conclusion holds with other measures, ties, thresholds, queries and tests."""
        from cranfield.comparing.sensitivity import sensitivity

        return sensitivity(self)

    def agreement(self) -> OrderAgreement:
        """How far each two measures agree about the order of runs."""
        from cranfield.comparing.order_agreement import order_agreement

        return order_agreement(self.results, confidence=self.plan.confidence, seed=self.plan.seed)

    def plot(
        self,
        measures: Measure | str | Sequence[Measure | str] | None = None,
        *,
        size: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Figure:
        """Every difference with its interval, a panel for each measure, or for those named. It needs matplotlib."""
        from cranfield.figures.plots import forest

        named = [measures] if isinstance(measures, Measure | str) else measures
        chosen = None if named is None else [self.measures[self.results.position(name)] for name in named]
        return forest(self, chosen, size=size, title=title)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield compare --format json` prints."""
        return {
            "cranfield": VERSION,
            "plan": {**asdict(self.plan), "baselines": list(self.baselines)},
            "verdict": self.verdict(),
            "judgments": judgments_dict(self.results),
            "settings": settings_dict(self.results),
            "warnings": list(map(str, self.warnings)),
            "differences": [difference.to_dict() for difference in self.differences],
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
            **({"slices": [slicing.to_dict() for slicing in self.slicings]} if self.slicings else {}),
        }

    def __str__(self) -> str:
        from cranfield.comparing.words import text

        return text(self)

    def _repr_html_(self) -> str:
        from cranfield.comparing.words import html

        return html(self)


def compare(
    results: Scores | Iterable[Scores],
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
    standardise: bool = False,
    queries: object = None,
    by: str | Sequence[str] = (),
    allow_different_judgments: bool = False,
) -> Comparison:
    """Runs beside a baseline, by default the first, or beside several, or every two of them.

    Paired by query over all judged queries, those that a run did not answer among them. Takes scores as `evaluate`
    or `load` gives them, or several of both. With `queries`, whatever `read_queries` reads, and `by`, the
    names of its columns, runs are also compared in slices. With `standardise`, scores are taken as distances from
    their query's mean over all runs, in standard deviations: easy and hard queries then weigh the same.
    """
    plan = Plan(test, correction, interval, confidence, tie, power, resamples, seed, standardise)
    joint = together(results, allow_different_judgments=allow_different_judgments)
    if standardise and len(joint.runs) < LEAST_TO_STANDARDISE:
        raise UsageError(
            f"Standardised scores of two runs tell which is better on each query, and no more; give "
            f"{LEAST_TO_STANDARDISE} runs or more, or leave scores as they are."
        )
    baselines = chosen_baselines(joint, baseline, all_pairs)
    chosen = chosen_pairs(joint, baselines)
    columns = [by] if isinstance(by, str) else list(dict.fromkeys(by))
    if columns and queries is None:
        raise UsageError(
            f"To compare by {columns[0]}, something must be known of queries; give --queries, or queries=."
        )
    known = None if queries is None else _known(queries)
    compared = [_compared(joint, measure, chosen, plan) for measure in joint.measures]
    return Comparison(
        joint,
        plan,
        baselines,
        tuple(difference for found, _ in compared for difference in found),
        tuple(of_all for _, of_all in compared),
        known,
        tuple(sliced(joint, known, column, chosen, plan) for column in columns) if known else (),
    )


def _known(queries: object) -> Queries:
    # Most comparisons read no queries, and reading them takes modules of its own.
    from cranfield.formats.queries import read_queries

    return read_queries(queries)


def _compared(
    results: Scores, measure: Measure, chosen: list[tuple[int, int]], plan: Plan
) -> tuple[list[Difference], Standing]:
    scores = scaled(measure, results.settled(measure), plan)
    pairs = all_pairs(len(results.runs))
    outcomes = significances(scores, pairs, plan)
    place = {pair: row for row, pair in enumerate(pairs)}
    of_chosen = [outcomes[place[min(pair), max(pair)]] for pair in chosen]
    found = differences(measure, results.runs, scores, chosen, plan, of_chosen)
    return found, standing(results, measure, scores, outcomes, pairs, plan)


def standing(
    results: Scores, measure: Measure, scores: Floats, tests: list[Significance], pairs: Pairs, plan: Plan
) -> Standing:
    """All runs under one measure, given what the tests say of every pair."""
    systems = len(results.runs)
    sign = -1 if measure.definition.lower_is_better else 1
    means = intervals(list(scores), plan)
    order = sorted(range(systems), key=lambda at: -sign * means[at].value if means[at].queries else math.inf)
    gains = as_matrix([sign * test.difference for test in tests], pairs, systems, antisymmetric=True)
    p = as_matrix(allowed_for([test.p for test in tests], plan), pairs, systems)
    better_than = better(gains[np.ix_(order, order)], p[np.ix_(order, order)], alpha=plan.alpha)
    try:
        found = letters(indistinguishable_groups(better_than, most=MOST_GROUPS), systems)
    except UsageError:  # nobody reads hundreds of letters
        found = [()] * systems
    between = "," if any(len(letter) > 1 for of_run in found for letter in of_run) else ""
    return Standing(
        measure=measure,
        runs=tuple(results.runs[at] for at in order),
        means=tuple(means[at] for at in order),
        first=tuple(results.runs[order[at]] for at in tied_for_first(better_than)),
        letters=tuple(between.join(of_run) for of_run in found),
        ranks=tuple(rank_intervals(better_than)),
        better=frozenset(
            (results.runs[order[one]], results.runs[order[two]]) for one, two in np.argwhere(better_than).tolist()
        ),
    )
