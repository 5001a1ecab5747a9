"""Runs compared: how far apart they are, which differences are significant, and what follows for their order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.comparing.choosing import chosen_baselines, chosen_pairs, together
from cranfield.comparing.corrections import Correction
from cranfield.comparing.differences import (
    Difference,
    IntervalKind,
    Plan,
    Test,
    differences,
    intervals,
    scaled,
)
from cranfield.comparing.groups import indistinguishable_groups, letters, tied_for_first
from cranfield.comparing.intervals import Interval
from cranfield.comparing.ranks import RankInterval, rank_intervals
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
"""Of more groups of runs that do not differ significantly, none is shown."""


@dataclass(frozen=True)
class Standing:
    """All runs under one measure, best mean first, and what the differences say of their order.

    Groups and ranks need every pair: where runs are compared with a baseline only, there are none.
    """

    measure: Measure
    runs: tuple[str, ...]
    means: tuple[Interval, ...]
    better: frozenset[tuple[str, str]]
    """Which run is significantly better than which, of the pairs that were compared."""
    first: tuple[str, ...] = ()
    """Runs that none is significantly better than."""
    letters: tuple[str, ...] = ()
    """Runs that share a letter do not differ significantly; empty where there would be too many letters."""
    ranks: tuple[RankInterval, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; groups and ranks where every pair was compared."""
        rows: list[dict[str, Any]] = [
            {"run": run, "mean": finite(mean.value), "interval": [finite(mean.low), finite(mean.high)]}
            for run, mean in zip(self.runs, self.means, strict=True)
        ]
        for row, group, rank in zip(rows, self.letters, self.ranks, strict=False):
            row |= {"group": group, "rank": list(rank)}
        first = {"tied_for_first": list(self.first)} if self.ranks else {}
        return {"measure": str(self.measure), **first, "runs": rows}


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
    every_pair: bool = False
    """Whether p is corrected for every pair; otherwise for the comparisons with the baselines."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order of the results."""
        return self.results.measures

    @property
    def is_of_pairs(self) -> bool:
        """Whether p is corrected for every pair, as Tukey's test does whatever is compared."""
        return self.every_pair or self.plan.test == "tukey"

    @property
    def family(self) -> int:
        """How many comparisons p is corrected for under each measure: every pair, or those with the baselines."""
        runs = len(self.results.runs)
        return runs * (runs - 1) // 2 if self.is_of_pairs else len(self.of(self.measures[0]))

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What to know beside the numbers, of the evaluation and of the comparison."""
        plan = self.plan
        pairs = self.family if plan.correction in ("holm", "bonferroni") else 1
        least = min(pairs / (plan.resamples + 1), 1)
        if plan.test not in ("randomization", "bootstrap") or least <= plan.alpha / 2:
            return self.results.warnings
        needed = 10 ** math.ceil(math.log10(10 * pairs / plan.alpha))
        if pairs < 2:
            few = f"{plan.resamples:,} resamples cannot give a p below {least:.2g}; take {needed:,} or more"
            return (*self.results.warnings, Finding("warning", "few-resamples", few))
        few = (
            f"{plan.resamples:,} resamples cannot give a corrected p below {least:.2g} for {pairs:,} comparisons; "
            f"take {needed:,}, or tukey, which needs no correction"
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
            "family": {"comparisons": self.family, "of": "pairs" if self.is_of_pairs else "baselines"},
            "verdict": self.verdict(),
            "judgments": judgments_dict(self.results),
            "settings": settings_dict(self.results),
            "warnings": list(map(str, self.warnings)),
            "differences": [
                {**difference.to_dict(), "verdict": difference.verdict(self.plan.alpha)}
                for difference in self.differences
            ],
            "standings": [standing.to_dict() for standing in self.standings],
            **({"slices": self._slices()} if self.slicings else {}),
        }

    def _slices(self) -> list[dict[str, Any]]:
        from cranfield.comparing.slice_words import verdict

        return [{"verdict": verdict(self, one), **one.to_dict(self.plan.alpha)} for one in self.slicings]

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
    """Runs compared with a baseline, by default the first, or with several, or every two of them.

    These comparisons are one family: p is corrected for their number under each measure, and every table, mark and
    sentence is about that corrected p. Groups and ranks of runs follow from every pair, so they need `all_pairs`.
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
    compared = [_compared(joint, measure, chosen, plan, every_pair=not baselines) for measure in joint.measures]
    return Comparison(
        joint,
        plan,
        baselines,
        tuple(difference for found, _ in compared for difference in found),
        tuple(of_all for _, of_all in compared),
        known,
        tuple(sliced(joint, known, column, chosen, plan) for column in columns) if known else (),
        every_pair=not baselines,
    )


def _known(queries: object) -> Queries:
    # Most comparisons read no queries, and reading them takes modules of its own.
    from cranfield.formats.queries import read_queries

    return read_queries(queries)


def _compared(
    results: Scores, measure: Measure, chosen: list[tuple[int, int]], plan: Plan, *, every_pair: bool
) -> tuple[list[Difference], Standing]:
    scores = scaled(measure, results.settled(measure), plan)
    found = differences(measure, results.runs, scores, chosen, plan)
    return found, standing(results, measure, scores, found, plan, every_pair=every_pair)


def standing(
    results: Scores, measure: Measure, scores: Floats, found: Sequence[Difference], plan: Plan, *, every_pair: bool
) -> Standing:
    """All runs under one measure, given the differences of one family; of every pair, with groups and ranks."""
    systems = len(results.runs)
    sign = -1 if measure.definition.lower_is_better else 1
    means = intervals(list(scores), plan)
    order = sorted(range(systems), key=lambda at: -sign * means[at].value if means[at].queries else math.inf)
    runs = tuple(results.runs[at] for at in order)
    significant = [one for one in found if one.is_significant(plan.alpha)]
    better = frozenset((one.run, one.baseline) if one.is_better else (one.baseline, one.run) for one in significant)
    ordered = Standing(measure, runs, tuple(means[at] for at in order), better)
    if not every_pair:
        return ordered
    better_than = np.array([[(one, two) in better for two in runs] for one in runs])
    return replace(
        ordered,
        first=tuple(runs[at] for at in tied_for_first(better_than)),
        letters=_letters(better_than),
        ranks=tuple(rank_intervals(better_than)),
    )


def _letters(better_than: Bools) -> tuple[str, ...]:
    systems = len(better_than)
    try:
        found = letters(indistinguishable_groups(better_than, most=MOST_GROUPS), systems)
    except UsageError:  # nobody reads hundreds of letters
        found = [()] * systems
    between = "," if any(len(letter) > 1 for of_run in found for letter in of_run) else ""
    return tuple(between.join(of_run) for of_run in found)
