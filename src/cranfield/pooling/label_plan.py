"""How many labels until the difference between two runs is known closely enough, and when labels no longer help."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arguments import require_positive, require_whole
from cranfield.arrays import Floats
from cranfield.choices import Duplicates
from cranfield.comparing.intervals import t_interval
from cranfield.comparing.paired import deviation
from cranfield.comparing.power import fewest_queries
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.evaluating.aggregate import CONFIDENCE, t_limit
from cranfield.evaluating.evaluation import evaluate
from cranfield.formats import read_inputs
from cranfield.formats.columns import ColumnsGiven
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.choosing import DEEP, DEFAULT_MEASURE, one_measure
from cranfield.pooling.influence import Changes, changes_of, levels_of, worlds_of
from cranfield.pooling.ranges import (
    Open,
    Opener,
    Span,
    is_exact,
    is_sum,
    must_have_range,
    open_ranges,
    summed,
)
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION


@dataclass(frozen=True)
class LabelNeed:
    """What is not known of the difference between two runs: with so few labels, and with so few queries."""

    run: str
    baseline: str
    difference: float
    """The mean difference as things are, unjudged documents being irrelevant."""
    low: float
    high: float
    """What it could be, were every unjudged document of the pool judged."""
    holes: int
    """Unjudged documents of the pool."""
    labels: int
    """How many labels until the range from low to high is no wider than wanted."""
    closing: int
    """How many until nothing is left open."""
    interval_low: float
    interval_high: float
    """The 95% interval over queries, as things are; labels do not narrow it."""
    queries: int
    queries_needed: int | None
    """How many queries until that interval is no wider than wanted; None where none can be estimated."""

    @property
    def open(self) -> float:
        """How wide the range is that unjudged documents leave."""
        return self.high - self.low

    @property
    def interval(self) -> float:
        """How wide the interval over queries is."""
        return self.interval_high - self.interval_low


@dataclass(frozen=True, eq=False)
class LabelPlan(Answer):
    """How many labels every pair of runs needs; shows itself as a verdict and a table.

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d1", "d2"], "q2": ["d1"]}, "b": {"q1": ["d2", "d3"], "q2": ["d1"]}}
    >>> plan = cf.labels_needed(runs, {"q1": {"d2": 1}, "q2": {"d1": 1}}, 0.3, "P@2")
    >>> (need,) = plan.needs
    >>> need.difference, need.low, need.high, need.holes, need.labels
    (0.0, -0.25, 0.25, 2, 1)
    """

    needs: tuple[LabelNeed, ...]
    measure: Measure
    width: float
    depth: int
    exact: bool
    """Whether the ranges are what they are, rather than limits to it."""
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """What more labels can do, and what only more queries can, in words."""
        return " ".join(_sentences(self))

    def table(self) -> Table:
        """A row per pair of runs."""
        of = self.needs
        columns: dict[str, list[Cell]] = {
            "run": [need.run for need in of],
            "baseline": [need.baseline for need in of],
            "difference": [need.difference for need in of],
            "possible range": [_ends(need.low, need.high) for need in of],
            "labels": [need.labels for need in of],
            "to settle": [need.closing for need in of],
            "over queries": [_ends(need.interval_low, need.interval_high) for need in of],
            "queries": [need.queries_needed for need in of],
        }
        return Table(columns, notes=tuple(self._notes()), optional=("to settle", "queries"))

    def rows(self) -> Table:
        """The same with everything that is known, for programs."""
        rows = [{**asdict(need), "open": need.open, "interval": need.interval} for need in self.needs]
        return Table(
            {
                "measure": (measure := [str(self.measure)] * len(rows)),
                **{key: [row[key] for row in rows] for key in rows[0]},
                **canonical_column(measure, [self.measure]),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield pool plan --format json` prints."""
        rows = [{**asdict(need), "open": need.open, "interval": need.interval} for need in self.needs]
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "exact": self.exact,
            "warnings": list(map(str, self.warnings)),
            "pairs": [{key: finite(value) for key, value in row.items()} for row in rows],
        }

    def _notes(self) -> Iterator[str]:
        at_most = "" if self.exact else ", or less than that"
        yield (
            f"possible range: what the mean difference could be, whatever the grades of documents among the first "
            f"{self.depth:,} that are not judged{at_most}; labels: until that is no wider than {self.width:g}, and "
            "to settle it, in the order of `pool --strategy comparison`"
            f"{'' if is_sum(self.measure) else ', if they turn out irrelevant'}."
        )
        yield (
            "over queries: the 95% interval with the present judgments; labels for these queries do not narrow it. "
            f"queries: how many of this kind make it no wider than {self.width:g}."
        )
        yield from legend([self.measure])

    def __repr__(self) -> str:
        return f"LabelPlan({counted(len(self.needs), 'pair')} of runs, {self.measure}, width {self.width:g})"


def labels_needed(
    runs: object,
    judgments: object,
    width: float,
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    depth: int = DEEP,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> LabelPlan:
    """How many labels until unjudged documents can move the difference of two runs by no more than a width.

    Two things keep a difference from being known. What unjudged documents could be is one: every label narrows the
    range it leaves, to nothing when all are judged. That other queries might have been asked is the other: the 95%
    interval over queries, which labels for the same queries do not narrow. Labels are counted in the order of
    `pool(strategy="comparison")` for the pair. The range is exact for measures that add up what documents give (P@k,
    RBP, DCG), where it narrows by the same whatever a label says, and for nDCG with a cutoff up to 20. For AP, RR, R@k,
    Rprec and Success it is a limit to what is possible. But for sums, labels are counted as if they said irrelevant.
    """
    require_whole(depth, "depth")
    require_positive(width, "width")
    judged, sources = read_inputs(judgments, runs, columns=columns, duplicates=duplicates)
    if len(sources) < 2:
        raise errors.pooling.needs_runs("A difference", sources[0].name)
    chosen = one_measure(measure)
    must_have_range(chosen, levels_of(judged))
    scores = evaluate(judged, sources, chosen)
    known = [_Known(changes, open_ranges(sums, chosen)) for changes, sums in _changes(sources, judged, chosen, depth)]
    values = np.nan_to_num(scores[chosen])
    needs = [
        _need((run, base), scores.runs, known, values[run] - values[base], width)
        for base, run in combinations(range(len(sources)), 2)
    ]
    settings = {**name_dict(chosen), "width": width, "depth": depth, "judgments": judged.path}
    return LabelPlan(tuple(needs), chosen, width, depth, is_exact(chosen), settings, scores.warnings)


class _Known(NamedTuple):
    """One query: what one more label does to its scores, and what its holes leave open."""

    changes: Changes
    ranges: Opener


def _changes(runs: Sequence[Run], judged: Judgments, measure: Measure, depth: int) -> Iterator[tuple[Changes, Changes]]:
    """What one more label does to scores, and to the sums that these are shares of, in every judged query."""
    levels, of = levels_of(judged), summed(measure)
    for world in worlds_of(runs, candidates_of(runs, depth), judged):
        if world.query in judged:
            changes = changes_of(world, measure, levels)
            yield changes, changes if of == measure else changes_of(world, of, levels)


def _need(
    pair: tuple[int, int],
    names: Sequence[str],
    known: Sequence[_Known],
    apart: Floats,
    width: float,
) -> LabelNeed:
    queries = len(apart)
    influences = [of.changes.influence([pair]) for of in known]
    opens, order = [], list[tuple[float, int]]()
    for at, (of, values) in enumerate(zip(known, influences, strict=True)):
        first = np.argsort(-values, kind="stable")
        opens.append(cache(of.ranges(pair, first)))  # on the way to the right number, most queries are asked again
        order += [(-float(value), at) for value in values]
    order.sort()
    whose = np.array([at for _, at in order], dtype=np.int64)
    low, high = _range(opens, np.zeros(len(opens), dtype=np.int64), queries)
    interval = t_interval(apart)
    return LabelNeed(
        run=names[pair[0]],
        baseline=names[pair[1]],
        difference=float(np.mean(apart)),
        low=low,
        high=high,
        holes=len(order),
        labels=_labels(opens, whose, queries, width),
        closing=_labels(opens, whose, queries, 0.0),
        interval_low=interval.low,
        interval_high=interval.high,
        queries=queries,
        queries_needed=_queries(apart, width),
    )


def _range(opens: Sequence[Open], judged: npt.NDArray[np.int64], queries: int) -> Span:
    """The range of the mean difference when some of each query's holes have turned out irrelevant."""
    spans = [of(int(count)) for of, count in zip(opens, judged, strict=True)]
    return Span(math.fsum(span.low for span in spans) / queries, math.fsum(span.high for span in spans) / queries)


def _labels(opens: Sequence[Open], whose: npt.NDArray[np.int64], queries: int, width: float) -> int:
    """The fewest labels after which the range is narrow enough; it never widens on the way."""

    def is_narrow(labels: int) -> bool:
        low, high = _range(opens, np.bincount(whose[:labels], minlength=len(opens)), queries)
        return high - low <= width + 1e-12

    least, most = -1, len(whose)
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if is_narrow(middle) else (middle, most)
    return most


def _queries(apart: Floats, width: float) -> int | None:
    spread = deviation(apart) if len(apart) > 1 else math.nan
    if not spread or math.isnan(spread):
        return None
    return fewest_queries(lambda count: -2 * t_limit(count - 1, 1 - CONFIDENCE) * spread / math.sqrt(count), -width)


def _ends(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{low:z.3f} to {high:z.3f}"


def _sentences(plan: LabelPlan) -> Iterator[str]:
    widest = max(plan.needs, key=lambda need: need.open)
    if not widest.open:
        yield f"Judging more documents cannot change any difference of {plan.measure}."
    else:
        several = ", the widest range of all pairs" if len(plan.needs) > 1 else ""
        limit = "" if plan.exact else " at most"
        yield (
            f"Because of unjudged documents the true difference ({plan.measure}, {widest.run} - {widest.baseline}) "
            f"could lie anywhere from {widest.low:z.4f} to {widest.high:z.4f}{limit}{several}."
        )
        yield _labels_in_words(plan, widest)
    yield from _queries_in_words(plan, widest)


def _labels_in_words(plan: LabelPlan, widest: LabelNeed) -> str:
    settle = f"{widest.closing:,} of {widest.holes:,} settle it"
    if not widest.labels:
        return f"That range is within {plan.width:g} already; {settle}."
    narrows = f"Judging {counted(widest.labels, 'more document')} narrows this range"
    return f"{narrows} from {widest.open:z.4f} to {plan.width:g}; {settle}."


def _queries_in_words(plan: LabelPlan, widest: LabelNeed) -> Iterator[str]:
    if math.isnan(widest.interval):
        yield "With one query there is no interval over queries."
        return
    if not widest.interval:
        yield "All queries have the same difference so far, so there is no interval over queries."
        return
    wide = f"the 95% interval over {counted(widest.queries, 'query')} is {widest.interval:z.4f} wide"
    if widest.interval <= plan.width:
        yield f"These queries are enough: {wide}."
        return
    needed = (
        "" if widest.queries_needed is None else f"; a width of {plan.width:g} needs about {widest.queries_needed:,}"
    )
    yield f"Labels do not narrow the interval over queries: {wide}{needed}."
