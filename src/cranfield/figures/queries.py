"""Pictures of every query's score: against a baseline's, spread over a run, and all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.choices import PairedKind
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.scores import Scores
from cranfield.figures import sketch
from cranfield.figures.picture import WIDTH, Picture
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.show.table import Cell, Table

MOVERS = 10
"""Queries shown at each end of a sketch."""


@dataclass(frozen=True, eq=False)
class PairedScores:
    """One run's scores next to a baseline's, for the queries that count for both, most gained first."""

    run: str
    baseline: str
    queries: tuple[str, ...]
    scores: Floats
    of_baseline: Floats
    better: int
    """Queries on which the run is better than the baseline."""
    worse: int

    @property
    def differences(self) -> Floats:
        """The run's scores less the baseline's."""
        return self.scores - self.of_baseline

    @property
    def equal(self) -> int:
        """Queries on which both score the same."""
        return len(self.queries) - self.better - self.worse

    @property
    def counts(self) -> str:
        """On how many queries the run is better, worse and equal, in words."""
        return f"better on {self.better:,}, worse on {self.worse:,}, equal on {self.equal:,}"


@dataclass(frozen=True, eq=False, repr=False)
class Paired(Picture):
    """Runs against a baseline, query by query: as sorted differences, or one score against the other.

    >>> import cranfield as cf
    >>> judged = {"q1": ["d1"], "q2": ["d1"], "q3": ["d1"]}
    >>> old, new = {"q1": ["x", "d1"], "q2": ["d1"], "q3": ["d1"]}, {"q1": ["d1"], "q2": ["x", "y", "d1"], "q3": ["d1"]}
    >>> found = paired(cf.evaluate(judged, {"old": old, "new": new}, "RR"))
    >>> print(found.pairs[0].queries, found.pairs[0].differences.round(2), found.pairs[0].counts)
    ('q1', 'q3', 'q2') [ 0.5   0.   -0.67] better on 1, worse on 1, equal on 1
    """

    kind: PairedKind
    measure: Measure
    pairs: tuple[PairedScores, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    def table(self) -> Table:
        """A row for each run and query, most gained first."""
        rows = [
            (pair.run, pair.baseline, str(self.measure), query, score, base, score - base)
            for pair in self.pairs
            for query, score, base in zip(pair.queries, pair.scores.tolist(), pair.of_baseline.tolist(), strict=True)
        ]
        names = ("run", "baseline", "measure", "query", "score", "baseline score", "difference")
        columns: list[list[Cell]] = [list(column) for column in zip(*rows, strict=True)] if rows else [[]] * len(names)
        return Table(dict(zip(names, columns, strict=True)), notes=self.notes)

    def sketch(self, width: int = WIDTH) -> str:
        """A drawing for a terminal of some width."""
        draw = self._bars if self.kind == "differences" else self._dots
        parts = [part for pair in self.pairs for part in draw(pair, width)]
        return "\n\n".join([*parts, *([sketch.wrapped(self.notes, width)] if self.notes else [])])

    def _bars(self, pair: PairedScores, width: int) -> Iterator[str]:
        yield f"{self.measure} of {sketch.named(pair.run)} minus {sketch.named(pair.baseline)}: {pair.counts}"
        moved = [(query, value) for query, value in zip(pair.queries, pair.differences.tolist(), strict=True) if value]
        hidden = len(moved) - 2 * MOVERS
        kept = moved if hidden <= 0 else moved[:MOVERS] + moved[-MOVERS:]
        if not moved:
            return
        rows = sketch.bars([(query, value, f"{value:+z.3f}") for query, value in kept], width).split("\n")
        if hidden > 0:
            rows.insert(MOVERS, f"… {hidden:,} in between")
        yield "\n".join(rows)

    def _dots(self, pair: PairedScores, width: int) -> Iterator[str]:
        run, baseline = sketch.named(pair.run), sketch.named(pair.baseline)
        yield f"{self.measure} of {run} against {baseline}: {pair.counts}"
        low, high = self.ends
        axes = (f"{self.measure} of {baseline}", low, high), (f"{self.measure} of {run}", low, high)
        # A letter is about twice as high as wide.
        yield sketch.dots(pair.of_baseline, pair.scores, *axes, min(width, 3 * sketch.HEIGHT))

    @property
    def ends(self) -> tuple[float, float]:
        """Where axes of scores begin and end."""
        return ends(self.measure, [part for pair in self.pairs for part in (pair.scores, pair.of_baseline)])


@dataclass(frozen=True, eq=False, repr=False)
class Spread(Picture):
    """How every run's scores are spread over queries.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": ["d1"] for at in range(4)}
    >>> found = spread(cf.evaluate(judged, {"bm25": {"q0": ["d1"], "q1": ["d1"], "q2": ["x", "d1"]}}, "RR"))
    >>> print(found)
    RR of 4 queries, by run
    <BLANKLINE>
    bm25  ├───────────────────────█████████████████████████┃████████████████ 0.625
    <BLANKLINE>
    The line goes from the lowest to the highest score, the box holds the middle
    half of the queries, the stroke is the median; the mean is at the end.
    """

    kind: Literal["distribution"]
    measure: Measure
    runs: tuple[str, ...]
    values: tuple[Floats, ...]
    """Of each run, its scores of the queries that count."""
    means: tuple[float, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def queries(self) -> int:
        """The most queries that any run has."""
        return max(map(len, self.values))

    def table(self) -> Table:
        """A row for each run."""
        fives = [_five(values) for values in self.values]
        named = ("least", "lower quartile", "median", "upper quartile", "most")
        return Table(
            {
                "run": list(self.runs),
                "measure": [str(self.measure)] * len(self.runs),
                "queries": list(map(len, self.values)),
                "mean": list(self.means),
                **{name: [five[at] for five in fives] for at, name in enumerate(named)},
            },
            notes=self.notes,
        )

    def sketch(self, width: int = WIDTH) -> str:
        """A drawing for a terminal of some width."""
        low, high = ends(self.measure, self.values)
        rows = [
            (run, _five(values), f"{mean:z.3f}")
            for run, values, mean in zip(self.runs, self.values, self.means, strict=True)
            if len(values)
        ]
        legend = (
            "The line goes from the lowest to the highest score, the box holds the middle half of the queries, the "
            "stroke is the median; the mean is at the end."
        )
        return "\n\n".join(
            [
                f"{self.measure} of {counted(self.queries, 'query')}, by run",
                sketch.boxes(rows, low, high, width),
                sketch.wrapped([legend, *self.notes], width),
            ]
        )


@dataclass(frozen=True, eq=False, repr=False)
class HeatMap(Picture):
    """The score of every run for every query, best runs first, hardest queries first.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": ["d1"] for at in range(4)}
    >>> found = heat_map(cf.evaluate(judged, {"bm25": {"q0": ["d1"], "q1": ["d1"], "q2": ["x", "d1"]}}, "RR"))
    >>> found.queries
    ('q3', 'q2', 'q0', 'q1')
    """

    kind: Literal["heatmap"]
    measure: Measure
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    values: Floats
    """By run and query; NaN where a query does not count."""
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    def table(self) -> Table:
        """A row for each query, a column for each run."""
        cells = {run: list(values) for run, values in zip(self.runs, self.values.tolist(), strict=True)}
        # A run may be called as the first column is.
        return Table({"query" if "query" not in cells else "query id": list(self.queries), **cells}, notes=self.notes)

    def sketch(self, width: int = WIDTH) -> str:
        """A drawing for a terminal of some width."""
        low, high = ends(self.measure, [self.values])
        rows = sketch.shades(list(zip(self.runs, self.values, strict=True)), low, high, width)
        key = f"{sketch.SHADES[0]} is {low:g}, {sketch.SHADES[-1]} is {high:g}."
        return "\n\n".join(
            [
                f"{self.measure} of {counted(len(self.queries), 'query')}, lowest mean first",
                rows,
                sketch.wrapped([key, *self.notes], width),
            ]
        )


def paired(
    results: Scores,
    measure: str | Measure | None = None,
    *,
    run: str | None = None,
    baseline: str | None = None,
    kind: PairedKind = "differences",
) -> Paired:
    """One run, or all others, against a baseline, by default the first, query by query."""
    chosen, values = by_query(results, measure)
    if len(results.runs) < 2:
        raise UsageError(f"There is no run to compare {results.runs[0]} with: name two runs or more.")
    base = 0 if baseline is None else results.run_position(baseline)
    others = [at for at in range(len(results.runs)) if at != base]
    rows = others if run is None else [results.run_position(run)]
    if base in rows:
        raise UsageError(f"{results.runs[base]} cannot be compared with itself; name another run, or another baseline.")
    pairs = tuple(_pair(results, chosen, values, row, base) for row in rows)
    notes = (f"{chosen}: lower is better.",) if chosen.definition.lower_is_better else ()
    return Paired(kind, chosen, pairs, notes)


def spread(results: Scores, measure: str | Measure | None = None) -> Spread:
    """How every run's scores of a measure, by default the first, are spread over queries."""
    chosen, values = by_query(results, measure)
    means = tuple(results.mean(chosen, run).value for run in results.runs)
    return Spread("distribution", chosen, results.runs, tuple(row[~np.isnan(row)] for row in values), means)


def heat_map(results: Scores, measure: str | Measure | None = None) -> HeatMap:
    """All scores of a measure, by default the first, in one picture."""
    chosen, values = by_query(results, measure)
    sign = -1 if chosen.definition.lower_is_better else 1
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    of_runs, of_queries = (filled.sum(axis=axis) / np.maximum(known.sum(axis=axis), 1) for axis in (1, 0))
    down, across = np.argsort(-sign * of_runs, kind="stable"), np.argsort(sign * of_queries, kind="stable")
    across = across[np.any(known[:, across], axis=0)]
    return HeatMap(
        "heatmap",
        chosen,
        tuple(results.runs[at] for at in down),
        tuple(results.queries[at] for at in across),
        values[np.ix_(down, across)],
        (f"{chosen}: lower is better.",) if sign < 0 else (),
    )


def by_query(results: Scores, measure: str | Measure | None) -> tuple[Measure, Floats]:
    """A measure's scores by run and query as they count in a mean: NaN is left out."""
    chosen = results.measures[0] if measure is None else results.measures[results.position(measure)]
    return chosen, results.settled(chosen)


def ends(measure: Measure, values: Sequence[Floats]) -> tuple[float, float]:
    """Where an axis of scores begins and ends: with the measure's range, or where that is endless with the scores."""
    low, high = measure.bounds
    known = np.concatenate([np.ravel(part) for part in values])
    least, most = (float(end(known, initial=0.0)) for end in (np.nanmin, np.nanmax))
    begin, end = (low if np.isfinite(low) else least), (high if np.isfinite(high) else most)
    return begin, end if end > begin else begin + 1.0


def _pair(results: Scores, measure: Measure, values: Floats, run: int, base: int) -> PairedScores:
    differences = values[run] - values[base]
    order = np.argsort(-differences, kind="stable")
    kept = order[~np.isnan(differences[order])]
    more, less = int((differences > 0).sum()), int((differences < 0).sum())
    better, worse = (less, more) if measure.definition.lower_is_better else (more, less)
    return PairedScores(
        results.runs[run],
        results.runs[base],
        tuple(results.queries[at] for at in kept),
        values[run][kept],
        values[base][kept],
        better,
        worse,
    )


def _five(values: Floats) -> tuple[float, ...]:
    if not len(values):
        return (float("nan"),) * 5
    return tuple(np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist())
