"""How many queries does a comparison need, and what can those there are show?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from cranfield.arguments import require_not_negative, require_share, require_whole
from cranfield.arrays import Floats
from cranfield.comparing.comparison import chosen_baselines, chosen_pairs, join_results
from cranfield.comparing.differences import on_scale
from cranfield.comparing.paired import deviation as deviation_of
from cranfield.comparing.power import (
    detectable_difference,
    fewest_queries,
    queries_needed,
    simulated_power,
    t_test_power,
)
from cranfield.comparing.significance_tests.pairwise import less
from cranfield.errors import UsageError
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import percent
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import PLACES, Cell, Table, finite
from cranfield.version import VERSION

SAMPLES = 4_000
"""Simulated comparisons: their power is then known to 0.007, and the queries needed to 2 % or so."""
MOST_SIMULATED = 2_000
"""Means of more queries than this are as good as normal, and simulation would tell nothing new."""
MOST_ROWS = 30
"""Of more pairs and measures than this, the queries needed are not simulated."""

ONE_QUERY = "fewer than two queries show no variance"
NO_VARIANCE = "the difference is the same for every query, so there is nothing to plan with"


@dataclass(frozen=True)
class QueryNeed:
    """What queries show of one pair of runs under one measure."""

    measure: Measure | None
    """Nothing where only a deviation was given."""
    run: str
    baseline: str
    queries: int
    """How many there are."""
    deviation: float
    """The standard deviation of the differences between the two, query by query."""
    detectable: float
    """The smallest true difference that this number of queries detects with the wanted power."""
    power: float = math.nan
    """The chance that this number of queries detects the wanted difference."""
    simulated_power: float = math.nan
    """The same where differences are spread as the observed ones are."""
    needed: int | None = None
    """How many queries the wanted difference needs."""
    needed_low: int | None = None
    needed_high: int | None = None
    """The same with the deviation at the ends of its own 95% interval."""
    simulated_needed: int | None = None
    """As many where differences are spread as the observed ones are; None where nothing was simulated."""
    reason: str = ""
    """Why there is nothing to plan with."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        values = asdict(replace(self, measure=None))
        plain = {name: finite(value) if isinstance(value, float) else value for name, value in values.items()}
        names = {"measure": None, "canonical": None} if self.measure is None else name_dict(self.measure)
        return {**plain, **names}


@dataclass(frozen=True, eq=False, repr=False)
class Design(Answer):
    """How many queries a difference needs; shows itself as a verdict and a table.

    >>> print(plan(deviation=0.1, difference=0.05))
    A difference of 0.05 needs 34 queries for a power of 80%, if differences have a standard deviation of 0.1.
    <BLANKLINE>
    deviation   difference   needed
    ───────────────────────────────
       0.1000       0.0500       34
    Two-sided paired t test, alpha 0.05.
    """

    needs: tuple[QueryNeed, ...]
    difference: float | None
    """The wanted difference, if one was named."""
    wanted: float
    """The wanted power."""
    alpha: float
    comparisons: int
    """The number of comparisons that alpha is divided by."""

    def verdict(self) -> str:
        """The answer for the first measure."""
        first = [need for need in self.needs if need.measure == self.needs[0].measure]
        known = [need for need in first if not need.reason]
        if not known:
            return f"Nothing can be planned with these results: {first[0].reason}."
        return " ".join(_sentences(self, known))

    def table(self) -> Table:
        """A row for every pair and measure."""
        return _table(self)

    def rows(self) -> Table:
        """The same with everything that is known, for programs."""
        rows = [need.to_dict() for need in self.needs]
        names = ["measure", *(name for name in rows[0] if name not in ("measure", "canonical"))]
        measures = [need.measure for need in self.needs if need.measure is not None]
        return Table(
            {
                **{name: [row[name] for row in rows] for name in names},
                "difference": [self.difference] * len(rows),
                "wanted_power": [self.wanted] * len(rows),
                "alpha": [self.alpha / self.comparisons] * len(rows),
                **canonical_column([str(measure) for measure in measures], measures),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield plan --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "difference": self.difference,
            "power": self.wanted,
            "alpha": self.alpha,
            "comparisons": self.comparisons,
            "needs": [need.to_dict() for need in self.needs],
        }


def plan(
    results: Scores | Iterable[Scores] | None = None,
    *,
    difference: float | None = None,
    deviation: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    baseline: str | Sequence[str] | None = None,
    all_pairs: bool = False,
    comparisons: int | None = None,
    seed: int = 0,
) -> Design:
    """The smallest difference that queries can show, and how many a wanted difference needs.

    Takes what `compare` takes: two runs or more, from whose differences it is seen how much such differences vary from
    query to query. Before there are any, a `deviation` takes their place; 0.2 to 0.3 is usual for measures from 0 to 1.
    `comparisons` divide alpha; by default they are the pairs there are.

    Queries needed are those of topic set size design with the paired t test (Sakai, Information Retrieval Journal
    19(3), 2016, doi:10.1007/s10791-015-9273-z), and of simulation from the observed differences.
    """
    require_share(alpha, "alpha")
    require_share(power, "power")
    if difference is not None and not require_not_negative(abs(difference), "difference"):
        raise UsageError("No number of queries detects a difference of 0; give the smallest difference that matters.")
    if results is None:
        return _without_runs(difference, deviation, power, alpha, comparisons)
    if deviation is not None:
        raise UsageError("The deviation is estimated from runs; give runs or a deviation, and not both.")
    joint = join_results(results)
    pairs = chosen_pairs(joint, chosen_baselines(joint, baseline, all_pairs))
    count = len(pairs) if comparisons is None else require_whole(comparisons, "comparisons")
    rows = [
        (measure, joint.runs[run], joint.runs[base], _apart(joint, measure, run, base))
        for measure in joint.measures
        for run, base in pairs
    ]
    wanted = None if difference is None else abs(difference)
    simulate = len(rows) <= MOST_ROWS
    needs = [_need(row, wanted, power, alpha / count, seed=seed, simulate=simulate) for row in rows]
    return Design(tuple(needs), wanted, power, alpha, count)


def _without_runs(
    difference: float | None, deviation: float | None, power: float, alpha: float, comparisons: int | None
) -> Design:
    if deviation is None or difference is None:
        raise UsageError("Without runs, give the deviation of differences between queries and the difference wanted.")
    count = 1 if comparisons is None else require_whole(comparisons, "comparisons")
    needed = queries_needed(difference, deviation, alpha=alpha / count, power=power)
    need = QueryNeed(None, "", "", 0, float(deviation), math.nan, needed=needed)
    return Design((need,), abs(difference), power, alpha, count)


def _apart(results: Scores, measure: Measure, run: int, base: int) -> Floats:
    scores = on_scale(measure, results.settled(measure))
    apart = less(scores[run], scores[base])
    return apart[~np.isnan(apart)]


def _need(
    row: tuple[Measure, str, str, Floats],
    wanted: float | None,
    power: float,
    alpha: float,
    *,
    seed: int,
    simulate: bool,
) -> QueryNeed:
    """What queries show of a measure, a run, its baseline and their differences."""
    measure, run, baseline, apart = row
    queries = len(apart)
    spread = deviation_of(apart) if queries > 1 and np.isfinite(apart).all() else math.nan
    if not spread or math.isnan(spread):
        reason = ONE_QUERY if queries < 2 else NO_VARIANCE
        return QueryNeed(measure, run, baseline, queries, spread, math.nan, reason=reason)
    detectable = detectable_difference(spread, queries, alpha=alpha, power=power)
    known = QueryNeed(measure, run, baseline, queries, spread, detectable)
    if wanted is None:
        return known
    needed = queries_needed(wanted, spread, alpha=alpha, power=power)
    low, high = (queries_needed(wanted, limit, alpha=alpha, power=power) for limit in _limits(spread, queries))

    def chance(count: int) -> float:
        return simulated_power(apart, wanted, count, alpha=alpha, samples=SAMPLES, rng=seed)

    return replace(
        known,
        power=t_test_power(wanted, spread, queries, alpha=alpha),
        simulated_power=chance(queries) if queries <= MOST_SIMULATED else math.nan,
        needed=needed,
        needed_low=low,
        needed_high=high,
        simulated_needed=fewest_queries(chance, power) if simulate and needed <= MOST_SIMULATED else None,
    )


def _limits(spread: float, queries: int) -> tuple[float, float]:
    """The 95% interval of a standard deviation, of normal values."""
    from scipy.special import chdtri

    freedom = queries - 1
    low, high = (spread * math.sqrt(freedom / float(chdtri(freedom, tail))) for tail in (0.025, 0.975))
    return low, high


def _sentences(design: Design, known: Sequence[QueryNeed]) -> Iterator[str]:
    power, measure = percent(design.wanted), known[0].measure
    if measure is None:
        yield (
            f"A difference of {design.difference:g} needs {known[0].needed:,} queries for a power of {power}, if "
            f"differences have a standard deviation of {known[0].deviation:g}."
        )
        return
    counts = sorted({need.queries for need in known})
    queries = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    detectable = _range([need.detectable for need in known])
    of = f" between {known[0].run} and {known[0].baseline}" if len(known) == 1 else ""
    yield f"With {queries} queries, a true difference of {detectable} {measure}{of} is detected {power} of the time."
    if design.difference is None:
        return
    numbers = sorted(need.needed for need in known if need.needed is not None)
    if len(known) == 1:
        (need,) = known
        simulated = "" if need.simulated_needed is None else f", and {need.simulated_needed:,} by simulation"
        yield (
            f"For {design.difference:g} the power is {percent(need.power)}; it needs {need.needed:,} queries "
            f"({need.needed_low:,} to {need.needed_high:,}, as the deviation is an estimate{simulated})."
        )
    else:
        half = f", half of them at most {numbers[(len(numbers) - 1) // 2]:,}" if len(numbers) > 2 else ""
        yield f"For {design.difference:g}, pairs need {numbers[0]:,} to {numbers[-1]:,} queries{half}."


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):z.{PLACES}f}", f"{max(values):z.{PLACES}f}"
    return low if low == high else f"{low} to {high}"


def _table(design: Design) -> Table:
    needs = design.needs
    columns: dict[str, list[Cell]] = {}
    if needs[0].measure is not None:
        columns = {
            "measure": [str(need.measure) for need in needs],
            "run": [need.run for need in needs],
            "baseline": [need.baseline for need in needs],
            "queries": [need.queries for need in needs],
            "deviation": [need.deviation for need in needs],
            "detectable": [need.detectable for need in needs],
        }
        if design.difference is not None:
            columns |= {
                f"power for {design.difference:g}": [need.power for need in needs],
                "needed": [need.needed for need in needs],
                "between": [_between(need) for need in needs],
                "simulated": [need.simulated_needed for need in needs],
            }
    else:
        columns = {
            "deviation": [need.deviation for need in needs],
            "difference": [design.difference],
            "needed": [need.needed for need in needs],
        }
    one_baseline = len({need.baseline for need in needs}) == 1
    optional = (
        *(["baseline"] if one_baseline else []),
        "simulated",
        "between",
        f"power for {design.difference or 0:g}",
    )
    return Table(columns, notes=tuple(_notes(design)), optional=optional)


def _between(need: QueryNeed) -> str:
    return "" if need.needed is None else f"{need.needed_low:,}–{need.needed_high:,}"


def _notes(design: Design) -> Iterator[str]:
    each = f", for each of {design.comparisons} comparisons {design.alpha / design.comparisons:.2g}"
    yield f"Two-sided paired t test, alpha {design.alpha:g}{each if design.comparisons > 1 else ''}."
    if design.needs[0].measure is None:
        return
    yield (
        "deviation: standard deviation of the differences between two runs over queries. detectable: the smallest true "
        f"difference that these queries detect {percent(design.wanted)} of the time."
    )
    if design.difference is not None:
        yield (
            "needed: queries of this kind; between: with the deviation at the ends of its 95% interval; simulated: "
            "with differences drawn from the observed ones."
        )
    for reason in dict.fromkeys(need.reason for need in design.needs if need.reason):
        rows = [f"{need.run} and {need.baseline} by {need.measure}" for need in design.needs if need.reason == reason]
        yield f"{', '.join(rows[:3])}{', …' if len(rows) > 3 else ''}: {reason}."
    geometric = [need.measure for need in design.needs if need.measure and need.measure.definition.mean == "geometric"]
    for measure in dict.fromkeys(map(str, geometric)):
        yield f"{measure} is compared on the log scale (geometric mean), and so is the wanted difference."
    yield from legend(need.measure for need in design.needs if need.measure is not None)
