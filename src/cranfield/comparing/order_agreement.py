"""Do measures, or judgments, put runs into the same order?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.choosing import together
from cranfield.comparing.differences import on_scale
from cranfield.comparing.orders import (
    Agreement,
    Coefficient,
    agreement,
    agreement_across,
    kendall_tau_b,
    rank_biased_overlap,
    spearman,
    tau_ap_b,
    weighted_tau,
)
from cranfield.comparing.words import listed
from cranfield.errors import UsageError
from cranfield.measures import Measure
from cranfield.scores import Scores
from cranfield.show.table import Cell, Estimate, Table, finite, wrapped
from cranfield.version import VERSION

SAMPLES = 500
"""Samples of queries: standard errors are then known to 3 %."""
FEW = 5
"""Of fewer runs than this, an order says little."""

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
    coefficients: dict[str, Agreement]
    """By name."""
    swapped: tuple[tuple[str, str], ...]
    """Pairs of runs of which the first is ahead in the first order, and behind in the other."""
    pairs: int
    """How many pairs of runs there are."""

    @property
    def tau(self) -> Agreement:
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
                    "value": finite(found.value),
                    "interval": [finite(found.low), finite(found.high)],
                    "error": finite(found.error),
                    "reason": found.reason,
                }
                for name, found in self.coefficients.items()
            },
            "swapped": [list(pair) for pair in self.swapped],
            "pairs": self.pairs,
            "queries": self.tau.queries,
        }


@dataclass(frozen=True, eq=False)
class OrderAgreement:
    """How far orders of runs agree; shows itself as a verdict and a table.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> runs = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]
    >>> print(order_agreement(cf.evaluate(demo.path("qrels.txt"), runs, ["nDCG@10", "AP"])).verdict())
    nDCG@10 and AP order 4 runs with tau 0.67 (95% interval 0.34 to 0.99): they differ about 1 of 6 pairs ...
    """

    runs: tuple[str, ...]
    orders: tuple[Orders, ...]
    confidence: float
    notes: tuple[str, ...] = ()

    def verdict(self) -> str:
        """What there is to say, in words."""
        return " ".join(_sentences(self))

    def table(self) -> Table:
        """A row for every two orders."""
        found = self.orders
        by_measures = not found[0].measure
        columns: dict[str, list[Cell]] = {
            **({} if by_measures else {"measure": [one.measure for one in found]}),
            **({"order by": [one.one for one in found], "and by": [one.other for one in found]} if by_measures else {}),
            **{name: [_estimate(one.coefficients[name]) for one in found] for name in COEFFICIENTS},
            "swapped": [f"{len(one.swapped)} of {one.pairs}" for one in found],
        }
        return Table(columns, notes=tuple(_notes(self)), optional=("weighted tau", "Spearman"))

    def long_table(self) -> Table:
        """A row for every coefficient, for programs."""
        rows = [(one, name, found) for one in self.orders for name, found in one.coefficients.items()]
        return Table(
            {
                **({"measure": [one.measure for one, _, _ in rows]} if rows[0][0].measure else {}),
                "one": [one.one for one, _, _ in rows],
                "other": [one.other for one, _, _ in rows],
                "coefficient": [name for _, name, _ in rows],
                **{part: [getattr(found, part) for _, _, found in rows] for part in ("value", "low", "high", "error")},
                "runs": [found.systems for _, _, found in rows],
                "queries": [found.queries for _, _, found in rows],
                "swapped": [len(one.swapped) for one, _, _ in rows],
                "reason": [found.reason for _, _, found in rows],
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
            "orders": [one.to_dict() for one in self.orders],
        }

    def __str__(self) -> str:
        return f"{wrapped(self.verdict())}\n\n{self.table().text()}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(self.verdict())}</p>{self.table().html()}"


def order_agreement(
    results: Scores | Iterable[Scores],
    other: Scores | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> OrderAgreement:
    """How far each two measures agree about the order of runs; or, of two results, how far their judgments do.

    Of two results, the runs and measures count that both have. Where both have the same queries, samples of queries are
    drawn for both together; where they have none in common, for each apart.
    """
    if other is None:
        joint = together(results)
        if len(joint.measures) < 2:
            raise UsageError(f"There is one measure, {joint.measures[0]}; the orders of two or more can be compared.")
        return OrderAgreement(joint.runs, tuple(_by_measures(joint, confidence, seed)), confidence)
    if not isinstance(results, Scores):
        raise UsageError("Two results are put beside each other; give one and one.")
    first, second = results, other
    runs = tuple(run for run in first.runs if run in second.runs)
    if len(runs) < 2:
        raise UsageError(
            f"An order needs two runs that both results have; these have {', '.join(runs) or 'none'} in common."
        )
    measures = [m for m in first.measures if str(m) in map(str, second.measures)]
    if not measures:
        raise UsageError("The two results have no measure in common; evaluate both with the same.")
    found, notes = _by_judgments((first, second), runs, measures, _How(agreement, confidence, seed))
    return OrderAgreement(runs, tuple(found), confidence, tuple(notes))


def _by_measures(results: Scores, confidence: float, seed: int) -> Iterator[Orders]:
    tables = {measure: _table(results, measure, results.runs) for measure in results.measures}
    for at, one in enumerate(results.measures):
        for two in results.measures[at + 1 :]:
            how = _How(agreement, confidence, seed)
            yield _orders("", (str(one), str(two)), results.runs, (tables[one], tables[two]), how)


def _by_judgments(
    parts: tuple[Scores, Scores], runs: tuple[str, ...], measures: list[Measure], how: _How
) -> tuple[list[Orders], list[str]]:
    first, second = parts
    in_second = set(second.queries)
    shared = [query for query in first.queries if query in in_second]
    counts = len(first.queries), len(second.queries), len(shared)
    notes = []
    if shared:
        if len(set(counts)) > 1:
            notes.append(f"Of {counts[0]:,} and {counts[1]:,} queries, the {counts[2]:,} that both have are compared.")
        parts = first.only(shared), second.only(shared)
    else:
        how = how._replace(compare=agreement_across)
        notes.append(f"The results have no query in common: {counts[0]:,} and {counts[1]:,} of their own.")
    found = []
    for measure in measures:
        tables = _table(parts[0], measure, runs), _table(parts[1], measure, runs)
        found.append(_orders(str(measure), _judgments_of(first, second), runs, tables, how))
    return found, notes


def _judgments_of(first: Scores, second: Scores) -> tuple[str, str]:
    one, two = (part.provenance.judgments.path for part in (first, second))
    return (one, two) if one and two and one != two else ("the first judgments", "the second judgments")


class _How(NamedTuple):
    """How two tables of scores are compared."""

    compare: Callable[..., Agreement]
    confidence: float
    seed: int

    def __call__(
        self, tables: tuple[Floats, Floats], coefficient: Coefficient, bounds: tuple[float, float]
    ) -> Agreement:
        """One coefficient with its interval."""
        return self.compare(
            *tables, coefficient, confidence=self.confidence, bounds=bounds, samples=SAMPLES, rng=self.seed
        )


def _orders(
    measure: str, names: tuple[str, str], runs: tuple[str, ...], tables: tuple[Floats, Floats], how: _How
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


def _means(table: Floats, beside: Floats) -> Floats:
    """Means over the queries for which every run has a score, in both tables where these are of the same queries."""
    known = ~np.isnan(table).any(axis=0)
    if table.shape == beside.shape:
        known &= ~np.isnan(beside).any(axis=0)
    means: Floats = table[:, known].mean(axis=1) if known.any() else np.full(len(table), math.nan)
    return means


def _table(results: Scores, measure: Measure, runs: Iterable[str]) -> Floats:
    """Scores of some runs, more being better."""
    scores = on_scale(measure, results.settled(measure))[[results.run_position(run) for run in runs]]
    return -scores if measure.definition.lower_is_better else scores


def _estimate(found: Agreement) -> Estimate:
    return Estimate(found.value, found.low, found.high)


def _sentences(found: OrderAgreement) -> Iterator[str]:
    known = [one for one in found.orders if not math.isnan(one.tau.value)]
    runs = f"{len(found.runs)} runs"
    if not known:
        yield f"Orders cannot be compared: {found.orders[0].tau.reason}."
        return
    first = known[0]
    if first.measure or len(known) == 1:
        by = f"By {first.measure}, " if first.measure else ""
        yield f"{by}{first.one} and {first.other} order {runs} with {_tau(found, first)}{_swapped(first)}."
    else:
        order = sorted(known, key=lambda one: one.tau.value)
        least, most = order[0], order[-1]
        yield f"Orders of {runs} agree least by {least.one} and {least.other}, with {_tau(found, least)}."
        if most.tau.value > least.tau.value:
            yield f"They agree most by {most.one} and {most.other}, with {_tau(found, most)}."
    if len(found.runs) < FEW:
        yield f"Of {runs}, an order says little."


def _swapped(one: Orders) -> str:
    if not one.swapped:
        return ""
    told = listed([f"{ahead} before {behind}" for ahead, behind in one.swapped], 3)
    return f": they differ about {len(one.swapped)} of {one.pairs} pairs ({one.one} has {told})"


def _tau(found: OrderAgreement, one: Orders) -> str:
    interval = f" ({found.confidence:.0%} interval {one.tau.low:z.2f} to {one.tau.high:z.2f})"
    return f"tau {one.tau.value:z.2f}{interval if not math.isnan(one.tau.low) else ''}"


def _notes(found: OrderAgreement) -> Iterator[str]:
    yield (
        f"Orders of {len(found.runs)} runs by their means, and what to expect of as many queries, with "
        f"{found.confidence:.0%} intervals. tau: Kendall's tau-b; tau_AP and weighted tau count the top more; RBO: "
        "rank-biased overlap, p = 0.9, from 0 to 1."
    )
    if found.orders[0].measure:
        yield f"Judged by {found.orders[0].one} and by {found.orders[0].other}."
    yield from found.notes
    for one in found.orders:
        if one.tau.reason:
            yield f"{one.measure or f'{one.one} and {one.other}'}: {one.tau.reason}."
