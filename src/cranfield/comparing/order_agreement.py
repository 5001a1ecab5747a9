"""Do measures, or judgments, rank runs in the same order?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.comparison import join_results
from cranfield.comparing.differences import on_scale
from cranfield.comparing.orders import (
    Coefficient,
    OrderCorrelation,
    agreement,
    agreement_across,
    kendall_tau_b,
    rank_biased_overlap,
    spearman,
    tau_ap_b,
    weighted_tau,
)
from cranfield.comparing.standardise import z_scores
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import listed, percent, spoken
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

SAMPLES = 500
"""Samples of queries: standard errors are then known to 3%."""
FEW = 5
"""With fewer runs than this, a rank correlation says little."""

COEFFICIENTS: dict[str, tuple[Coefficient, tuple[float, float]]] = {
    "tau": (kendall_tau_b, (-1, 1)),
    "tau_AP": (tau_ap_b, (-1, 1)),
    "weighted tau": (weighted_tau, (-1, 1)),
    "Spearman": (spearman, (-1, 1)),
    "RBO": (rank_biased_overlap, (0, 1)),
}
"""How orders are compared, and between what the values lie."""


@dataclass(frozen=True)
class Orders:
    """Two orders of the same runs."""

    measure: str
    """The measure that both are by; nothing where they are by two."""
    one: str
    other: str
    """What they come from: two measures, or one measure by two sets of judgments."""
    coefficients: dict[str, OrderCorrelation]
    """By name."""
    swapped: tuple[tuple[str, str], ...]
    """Pairs of runs where the first is ahead in the first order, and behind in the other."""
    pairs: int
    """How many pairs of runs there are."""

    @property
    def tau(self) -> OrderCorrelation:
        """Kendall's tau-b."""
        return self.coefficients["tau"]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **({"measure": self.measure} if self.measure else {}),
            "one": self.one,
            "other": self.other,
            "coefficients": {
                name: {
                    "value": finite(coefficient.value),
                    "interval": [finite(coefficient.low), finite(coefficient.high)],
                    "error": finite(coefficient.error),
                    "reason": coefficient.reason,
                }
                for name, coefficient in self.coefficients.items()
            },
            "swapped": [list(pair) for pair in self.swapped],
            "pairs": self.pairs,
            "queries": self.tau.queries,
        }


@dataclass(frozen=True, eq=False, repr=False)
class OrderAgreement(Answer):
    """How far orders of runs agree; shows itself as a verdict and a table.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> runs = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]
    >>> print(order_agreement(cf.evaluate(demo.path("qrels.txt"), runs, ["nDCG@10", "AP"])).verdict())
    Kendall's tau of 4 runs ranked by nDCG@10 and by AP: 0.67 (95% interval 0.34 to 0.99). They order 1 of 6 pairs ...
    """

    runs: tuple[str, ...]
    orders: tuple[Orders, ...]
    confidence: float
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        sources = dict.fromkeys(name for pair in self.orders for name in (pair.one, pair.other))
        return f"OrderAgreement({f'{len(self.runs)} runs by {listed(list(sources))}'!r})"

    def verdict(self) -> str:
        """The rank correlation, in words; of several, the lowest and the highest."""
        return " ".join(_sentences(self))

    def table(self) -> Table:
        """A row for every two orders."""
        pairs = self.orders
        by_measures = not pairs[0].measure
        columns: dict[str, list[Cell]] = {
            **({} if by_measures else {"measure": [pair.measure for pair in pairs]}),
            **(
                {"ranked by": [pair.one for pair in pairs], "and by": [pair.other for pair in pairs]}
                if by_measures
                else {}
            ),
            **{name: [_estimate(pair.coefficients[name]) for pair in pairs] for name in COEFFICIENTS},
            "swapped": [f"{len(pair.swapped)} of {pair.pairs}" for pair in pairs],
        }
        return Table(columns, notes=tuple(_notes(self)), optional=("weighted tau", "Spearman"))

    def rows(self) -> Table:
        """A row for every coefficient, for programs."""
        rows = [(pair, name, value) for pair in self.orders for name, value in pair.coefficients.items()]
        values = [value for _, _, value in rows]
        return Table(
            {
                **({"measure": [pair.measure for pair, _, _ in rows]} if rows[0][0].measure else {}),
                "one": [pair.one for pair, _, _ in rows],
                "other": [pair.other for pair, _, _ in rows],
                "coefficient": [name for _, name, _ in rows],
                **{part: [getattr(value, part) for value in values] for part in ("value", "low", "high", "error")},
                "runs": [value.systems for value in values],
                "queries": [value.queries for value in values],
                "swapped": [len(pair.swapped) for pair, _, _ in rows],
                "reason": [value.reason for value in values],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "runs": list(self.runs),
            "confidence": self.confidence,
            "notes": list(self.notes),
            "warnings": list(map(str, self.warnings)),
            "orders": [one.to_dict() for one in self.orders],
        }


def order_agreement(
    results: Scores | Iterable[Scores],
    other: Scores | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
    standardise: bool = False,
    among: Sequence[str] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    other_measures: str | Measure | Sequence[str | Measure] | None = None,
) -> OrderAgreement:
    """How far each two measures agree about the order of runs; or, given two results, how far their judgments do.

    With `standardise`, runs are ordered by the means of scores that are standardised by query, as `compare` does it.
    Runs and measures that both results have are compared. Where both have the same queries, samples of queries are
    drawn for both together; where they have none in common, for each separately. `among` names the runs of two results
    that are compared, such as the best ones; by default all.

    `measures` are those to compare by, one or several, by default all that both results have. With `other_measures`, as
    many, the second result is ordered by these: runs ranked by nDCG@10 on one set of judgments, by AP on another.
    """
    if other is None:
        if other_measures is not None:
            raise UsageError("other_measures are those of a second result, and there is none.")
        joint = join_results(results)
        joint = joint if measures is None else joint.with_measures(_as_list(measures))
        if len(joint.measures) < 2:
            raise UsageError(f"There is one measure, {joint.measures[0]}; orders can be compared by two or more.")
        orders = tuple(_by_measures(joint, _CorrelationChoices(agreement, confidence, seed, standardise)))
        return OrderAgreement(joint.runs, orders, confidence, _standardised(standardise), joint.warnings)
    if not isinstance(results, Scores):
        raise UsageError("Orders of two results are compared; give one result and one other.")
    first, second = results, other
    runs = tuple(run for run in first.runs if run in second.runs and (among is None or run in among))
    if len(runs) < 2:
        raise UsageError(
            f"An order needs two runs that both results have; these have {', '.join(runs) or 'none'} in common."
        )
    pairs = list(_measure_pairs(first, second, _as_list(measures), _as_list(other_measures)))
    how = _CorrelationChoices(agreement, confidence, seed, standardise)
    by_judgments, notes = _by_judgments((first, second), runs, pairs, how)
    warnings = {str(warning): warning for part in (first, second) for warning in part.warnings}
    return OrderAgreement(
        runs, tuple(by_judgments), confidence, (*notes, *_standardised(standardise)), tuple(warnings.values())
    )


def _as_list(measures: str | Measure | Sequence[str | Measure] | None) -> list[str | Measure]:
    if measures is None:
        return []
    return [measures] if isinstance(measures, str | Measure) else list(measures)


def _measure_pairs(
    first: Scores, second: Scores, measures: Sequence[str | Measure], others: Sequence[str | Measure]
) -> Iterator[tuple[Measure, Measure]]:
    """Which measure of the first result is compared with which of the second; by default those that both have."""
    shared = [one for one in first.measures if one.canonical in second.canonical]
    if others and len(others) != len(measures):
        raise UsageError("Name as many measures of the second result as of the first.")
    if not (measures or shared):
        names = [", ".join(map(str, part.measures)) for part in (first, second)]
        name = spoken(command="-m and --other-measure", python="measures= and other_measures=")
        raise UsageError(
            f"The two results have no measure in common: {names[0]}; {names[1]}. Evaluate both with the same, or name "
            f"one of each: {name}."
        )
    for one, other in zip(measures or shared, others or measures or shared, strict=True):
        yield first.measures[first.position(one)], second.measures[second.position(other)]


def _standardised(standardise: bool) -> tuple[str, ...]:
    return ("Means are of scores standardised by query.",) if standardise else ()


def _by_measures(results: Scores, how: _CorrelationChoices) -> Iterator[Orders]:
    tables = {measure: how.table(results, measure, results.runs) for measure in results.measures}
    for at, one in enumerate(results.measures):
        for two in results.measures[at + 1 :]:
            yield _orders("", (str(one), str(two)), results.runs, (tables[one], tables[two]), how)


def _by_judgments(
    parts: tuple[Scores, Scores],
    runs: tuple[str, ...],
    pairs: Sequence[tuple[Measure, Measure]],
    how: _CorrelationChoices,
) -> tuple[list[Orders], list[str]]:
    first, second = parts
    in_second = set(second.queries)
    shared = [query for query in first.queries if query in in_second]
    counts = len(first.queries), len(second.queries), len(shared)
    notes = []
    if shared:
        if len(set(counts)) > 1:
            notes.append(f"Compared on the {counts[2]:,} queries that both have, of {counts[0]:,} and {counts[1]:,}.")
        parts = first.only(shared), second.only(shared)
    else:
        how = how._replace(compare=agreement_across)
        notes.append(f"The results have no query in common; they have {counts[0]:,} and {counts[1]:,}.")
    by = _judgments_of(first, second)
    is_one_measure = all(one.canonical == two.canonical for one, two in pairs)
    orders = []
    for one, two in pairs:
        tables = how.table(parts[0], one, runs), how.table(parts[1], two, runs)
        names = by if is_one_measure else (f"{one} on {by[0]}", f"{two} on {by[1]}")
        orders.append(_orders(str(one) if is_one_measure else "", names, runs, tables, how))
    return orders, notes


def _judgments_of(first: Scores, second: Scores) -> tuple[str, str]:
    one, two = (part.provenance.judgments.path for part in (first, second))
    return (one, two) if one and two and one != two else ("the first judgments", "the second judgments")


class _CorrelationChoices(NamedTuple):
    """How two tables of scores are compared."""

    compare: Callable[..., OrderCorrelation]
    confidence: float
    seed: int
    standardise: bool

    def table(self, results: Scores, measure: Measure, runs: Iterable[str]) -> Floats:
        """Scores of some runs, higher being better."""
        all_scores = on_scale(measure, results.settled(measure))
        if self.standardise:
            all_scores = z_scores(all_scores)
        scores = all_scores[[results.run_position(run) for run in runs]]
        return -scores if measure.definition.lower_is_better else scores

    def __call__(
        self, tables: tuple[Floats, Floats], coefficient: Coefficient, bounds: tuple[float, float]
    ) -> OrderCorrelation:
        """One coefficient with its interval."""
        return self.compare(
            *tables, coefficient, confidence=self.confidence, bounds=bounds, samples=SAMPLES, rng=self.seed
        )


def _orders(
    measure: str, names: tuple[str, str], runs: tuple[str, ...], tables: tuple[Floats, Floats], how: _CorrelationChoices
) -> Orders:
    coefficients = {name: how(tables, *coefficient) for name, coefficient in COEFFICIENTS.items()}
    one, two = _means(*tables), _means(*reversed(tables))
    swapped = [
        (runs[a], runs[b]) if one[a] > one[b] else (runs[b], runs[a])
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
        if (one[a] - one[b]) * (two[a] - two[b]) < 0
    ]
    return Orders(measure, *names, coefficients, tuple(swapped), len(runs) * (len(runs) - 1) // 2)


def _means(table: Floats, other: Floats) -> Floats:
    """Means over the queries for which every run has a score, in both tables where these are of the same queries."""
    known = ~np.isnan(table).any(axis=0)
    if table.shape == other.shape:
        known &= ~np.isnan(other).any(axis=0)
    means: Floats = table[:, known].mean(axis=1) if known.any() else np.full(len(table), math.nan)
    return means


def _estimate(coefficient: OrderCorrelation) -> Estimate:
    return Estimate(coefficient.value, coefficient.low, coefficient.high)


def _sentences(agreement: OrderAgreement) -> Iterator[str]:
    known = [pair for pair in agreement.orders if not math.isnan(pair.tau.value)]
    runs = f"{len(agreement.runs)} runs"
    if not known:
        yield f"Orders cannot be compared: {agreement.orders[0].tau.reason}."
        return
    first = known[0]
    if first.measure or len(known) == 1:
        by = f"{first.measure}: " if first.measure else ""
        yield f"{by}Kendall's tau of {runs} ranked by {first.one} and by {first.other}: {_tau(agreement, first)}."
        yield from _swapped(first)
    else:
        order = sorted(known, key=lambda pair: pair.tau.value)
        least, most = order[0], order[-1]
        lowest = f"lowest for {least.one} and {least.other}, {_tau(agreement, least)}"
        highest = f"; highest for {most.one} and {most.other}, {_tau(agreement, most)}"
        yield f"Kendall's tau of {runs}: {lowest}{highest if most.tau.value > least.tau.value else ''}."
    if len(agreement.runs) < FEW:
        yield f"With only {runs} a rank correlation says little."


def _swapped(orders: Orders) -> Iterator[str]:
    if orders.swapped:
        pairs = listed([f"{ahead} before {behind}" for ahead, behind in orders.swapped], 3)
        yield f"They order {len(orders.swapped)} of {orders.pairs} pairs differently ({orders.one}: {pairs})."


def _tau(agreement: OrderAgreement, orders: Orders) -> str:
    tau = orders.tau
    interval = f" ({percent(agreement.confidence)} interval {tau.low:z.2f} to {tau.high:z.2f})"
    return f"{tau.value:z.2f}{interval if not math.isnan(tau.low) else ''}"


def _notes(agreement: OrderAgreement) -> Iterator[str]:
    yield (
        f"Rank correlations of {len(agreement.runs)} runs ordered by their means, with {percent(agreement.confidence)} "
        "intervals for other queries. tau: Kendall's tau-b; tau_AP and weighted tau give more weight to the top; RBO: "
        "rank-biased overlap, p = 0.9, from 0 to 1."
    )
    if agreement.orders[0].measure:
        yield f"Judgments: {agreement.orders[0].one} and {agreement.orders[0].other}."
    yield from agreement.notes
    for pair in agreement.orders:
        if pair.tau.reason:
            yield f"{pair.measure or f'{pair.one} and {pair.other}'}: {pair.tau.reason}."
