"""What a run may lose: its scores against those of a baseline, with losses counted more than gains."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import counted, shown
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION

MOST = 1e9
"""The largest weight of losses: with more, only losses would be left of all numbers."""
WANG = "Wang, Bennett & Collins-Thompson, SIGIR 2012, doi:10.1145/2348283.2348385"
DINCER_2014 = "Dinçer, Macdonald & Ounis, SIGIR 2014, doi:10.1145/2600428.2609625"
DINCER_2016 = "Dinçer, Macdonald & Ounis, SIGIR 2016, doi:10.1145/2911451.2911511"


@dataclass(frozen=True)
class RunRisk:
    """One run by one measure: its mean, and what it gains and loses."""

    mean: float
    """Arithmetic mean over the queries compared."""
    wins: int
    """Queries on which it is better than the baseline."""
    losses: int
    urisk: float
    trisk: float
    """NaN with fewer than two queries, or where all of them gain or lose the same."""
    zrisk: float
    georisk: float
    """NaN, as is `zrisk`, where a score is negative or lower is better."""


@dataclass(frozen=True, eq=False, repr=False)
class Risk(Answer):
    """How much every run risks against a baseline, under every measure.

    Printing it, or ending a notebook cell with it, shows the table.
    """

    scores: Scores
    baseline: str
    loss_weight: float
    values: dict[str, dict[Measure, RunRisk]]
    contributions: Floats
    """By measure, run and query: what was gained, or lost times 1 + loss_weight; NaN where a query is left out."""
    warnings: tuple[Finding, ...] = ()
    with_queries: bool = False
    """Whether the contribution of every query is shown."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs, the baseline among them."""
        return self.scores.runs

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order of the scores."""
        return self.scores.measures

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers mean, and who proposed them."""
        return tuple(_notes(self))

    def table(self) -> Table:
        """A row per measure and run."""
        rows = [(measure, run) for measure in self.measures for run in self.runs]
        risks = [self.values[run][measure] for measure, run in rows]
        return Table(
            {
                "measure": [str(measure) for measure, _ in rows],
                "run": [run for _, run in rows],
                "mean": [risk.mean for risk in risks],
                "wins": [risk.wins for risk in risks],
                "losses": [risk.losses for risk in risks],
                "URisk": [risk.urisk for risk in risks],
                "TRisk": [risk.trisk for risk in risks],
                "ZRisk": [risk.zrisk for risk in risks],
                "GeoRisk": [risk.georisk for risk in risks],
            },
            notes=self.notes,
        )

    def per_query(self) -> Table:
        """A row per run and query: what each contributes to URisk, under every measure."""
        queries = range(len(self.scores.queries))
        places = [(at, query) for at in range(len(self.runs)) for query in queries]
        return Table(
            {
                "run": [self.runs[at] for at, _ in places],
                "query": [self.scores.queries[query] for _, query in places],
                **{
                    str(measure): [float(self.contributions[row, at, query]) for at, query in places]
                    for row, measure in enumerate(self.measures)
                },
            }
        )

    def tables(self) -> list[Table]:
        """Every query, if asked for, and the risk of every run."""
        return [*([self.per_query()] if self.with_queries else []), self.table()]

    def rows(self) -> Table:
        """A row per run and measure under `all`; with queries, first a row for each and what it adds to URisk."""
        rows: list[dict[str, Cell]] = []
        for row, measure in enumerate(self.measures):
            for at, run in enumerate(self.runs):
                named: dict[str, Cell] = {"run": run, "measure": str(measure)}
                if self.with_queries:
                    contributions = self.contributions[row, at].tolist()
                    pairs = zip(self.scores.queries, contributions, strict=True)
                    rows += [{**named, "query": query, "URisk": value} for query, value in pairs]
                rows.append({**named, "query": "all", **_total(self.values[run][measure])})
        columns = {name: [line.get(name) for line in rows] for name in rows[-1]}
        return Table({**columns, **canonical_column(columns["measure"], self.measures)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield risk --format json` prints."""
        return {
            "cranfield": VERSION,
            "settings": {
                **self.scores.settings.to_dict(),
                "baseline": self.baseline,
                "loss_weight": self.loss_weight,
            },
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
            "runs": [
                {
                    "name": run,
                    "measures": {
                        str(measure): self._measure_dict(row, at) for row, measure in enumerate(self.measures)
                    },
                }
                for at, run in enumerate(self.runs)
            ],
        }

    def _measure_dict(self, row: int, at: int) -> dict[str, Any]:
        risk = asdict(self.values[self.runs[at]][self.measures[row]])
        plain: dict[str, Any] = {
            "canonical": self.measures[row].canonical,
            **{name: finite(value) for name, value in risk.items()},
        }
        if self.with_queries:
            contributions = self.contributions[row, at].tolist()
            plain["per_query"] = dict(zip(self.scores.queries, map(finite, contributions), strict=True))
        return plain


def risk(scores: Scores, baseline: str, *, loss_weight: float = 1.0) -> Risk:
    """Gains and losses of every run against one of them, the baseline.

    `loss_weight`, α in the papers, is how much more a loss weighs than a gain.

    - **URisk** is the mean gain over queries, with losses weighed 1 + α:
      (1/c) (Σ gains - (1 + α) Σ losses).
    - **TRisk** is URisk divided by its standard error; with α = 0 it is the t statistic of paired scores.
    - **GeoRisk** needs no baseline: it compares with what all runs together lead to expect,
      e = (sum of the run's scores) (sum of the query's scores) / (sum of all scores).
      ZRisk is Σ (x - e) / √e over the run's scores x, negative terms weighed 1 + α, and GeoRisk is
      √(mean score · Φ(ZRisk / c)), where Φ is the normal distribution function.

    Compared are queries that count, and have a defined score, for all runs.

    Against `a`, run `b` gains 1/2 on q1 and loses 1/2, twice counted, on q2:

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d2", "d1"], "q2": ["d1"]}, "b": {"q1": ["d1"], "q2": ["d2", "d1"]}}
    >>> scores = cf.evaluate({"q1": ["d1"], "q2": ["d1"]}, runs, "RR")
    >>> cf.risk(scores, "a").values["b"][cf.RR].urisk
    -0.25
    """
    is_number = isinstance(loss_weight, int | float) and not isinstance(loss_weight, bool)
    if not is_number or not 0 <= loss_weight <= MOST:
        raise UsageError(f"loss_weight must be a number from 0 to {MOST:g}, not {shown(loss_weight)}.")
    against = scores.run_position(baseline)
    values: dict[str, dict[Measure, RunRisk]] = {run: {} for run in scores.runs}
    contributions = np.full_like(scores.values, np.nan)
    for row, measure in enumerate(scores.measures):
        settled = scores.settled(measure)
        compared = ~np.isnan(settled).any(axis=0)
        matrix = settled[:, compared]
        gained = weighed(_gains(measure, matrix, matrix[against]), loss_weight)
        contributions[row][:, compared] = gained
        z = _zrisks(measure, matrix, loss_weight)
        for at, run in enumerate(scores.runs):
            values[run][measure] = _of_run(matrix[at], gained[at], z[at])
    return Risk(scores, scores.runs[against], float(loss_weight), values, contributions, scores.warnings)


def weighed(gains: Floats, loss_weight: float) -> Floats:
    """Gains as they are, losses times 1 + loss_weight.

    >>> weighed(np.array([0.5, -0.25, 0]), loss_weight=1)
    array([ 0.5, -0.5,  0. ])
    """
    return np.where(gains < 0, (1 + loss_weight) * gains, gains)


def _of_run(scores: Floats, gained: Floats, zrisk: float) -> RunRisk:
    count = len(scores)
    urisk = _mean(gained)
    return RunRisk(
        mean=_mean(scores),
        wins=int((gained > 0).sum()),
        losses=int((gained < 0).sum()),
        urisk=urisk,
        trisk=urisk / error if (error := _standard_error(gained)) else math.nan,
        zrisk=float(zrisk),
        georisk=math.sqrt(_mean(scores) * _normal(zrisk / count)) if count and not math.isnan(zrisk) else math.nan,
    )


def _total(risk: RunRisk) -> dict[str, Cell]:
    return {
        "URisk": risk.urisk,
        "TRisk": risk.trisk,
        "ZRisk": risk.zrisk,
        "GeoRisk": risk.georisk,
        "mean": risk.mean,
        "wins": risk.wins,
        "losses": risk.losses,
    }


def _gains(measure: Measure, scores: Floats, baseline: Floats) -> Floats:
    better, worse = (baseline, scores) if measure.definition.lower_is_better else (scores, baseline)
    # The same terms summed in another order differ in the last bits: that is neither a win nor a loss.
    return np.where(np.isclose(better, worse, rtol=1e-12, atol=1e-15), 0.0, better - worse)


def _zrisks(measure: Measure, matrix: Floats, loss_weight: float) -> Floats:
    """How far each run stays below or above what its own and each query's sum lead to expect."""
    if measure.definition.lower_is_better or np.any(matrix < 0):
        return np.full(len(matrix), np.nan)
    of_runs, of_queries = _sums(matrix), _sums(matrix.T)
    total = math.fsum(of_runs)
    expected = np.outer(of_runs, of_queries) / (total or 1.0)
    # A query without any score, or a run, says nothing: nothing was expected and nothing came.
    z = np.where(expected == 0, 0.0, (matrix - expected) / np.sqrt(np.where(expected == 0, 1.0, expected)))
    return _sums(weighed(z, loss_weight))


def _sums(rows: Floats) -> Floats:
    """Exact, so that the order of the queries does not matter."""
    return np.array([math.fsum(row) for row in rows])


def _mean(values: Floats) -> float:
    return math.fsum(values) / len(values) if len(values) else math.nan


def _standard_error(values: Floats) -> float:
    count = len(values)
    if count < 2:
        return 0.0
    return math.sqrt(math.fsum((values - _mean(values)) ** 2) / (count - 1) / count)


def _normal(z: float) -> float:
    """How likely a standard normal variable stays below z."""
    return math.erfc(-z / math.sqrt(2)) / 2


def _notes(risk: Risk) -> Iterator[str]:
    weight = f"{1 + risk.loss_weight:g}"
    yield f"Wins, losses, URisk and TRisk are against {risk.baseline}, ZRisk and GeoRisk against all runs together."
    yield f"URisk: mean gain over queries, where losses count {weight} times ({WANG})."
    yield f"TRisk: URisk divided by its standard error; below -2 or above 2 it is significant ({DINCER_2014})."
    yield (
        f"ZRisk: deviation of scores from those expected of run and query, where losses count {weight} times; "
        f"GeoRisk: √(mean · Φ(ZRisk / number of queries)) ({DINCER_2016})."
    )
    for row, measure in enumerate(risk.measures):
        if left_out := int(np.isnan(risk.contributions[row]).any(axis=0).sum()):
            queries = counted(left_out, "query")
            yield f"{measure} leaves out {queries} for which some run does not count, or has no defined score."
        if math.isnan(risk.values[risk.baseline][measure].zrisk):
            yield f"{measure} has no ZRisk and GeoRisk: they need scores of at least 0 for which higher is better."
    yield from legend(risk.measures)
