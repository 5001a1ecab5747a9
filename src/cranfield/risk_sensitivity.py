"""What a run may lose: its scores against those of a baseline, with losses counted more than gains."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import UsageError
from cranfield.errors.phrases import shown
from cranfield.measures import Measure
from cranfield.scores import Scores
from cranfield.show.table import Table, finite
from cranfield.version import VERSION

MOST = 1e9
"""The largest alpha: with more, only losses would be left of all numbers."""
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
    """NaN, as is `zrisk`, where a score is negative or less of the measure is better."""


@dataclass(frozen=True, eq=False)
class Risk:
    """How much every run risks against a baseline, under every measure.

    Printing it, or ending a notebook cell with it, shows the table.
    """

    scores: Scores
    baseline: str
    alpha: float
    values: dict[str, dict[Measure, RunRisk]]
    contributions: Floats
    """By measure, run and query: what was gained, or lost times 1 + alpha; NaN where a query is left out."""

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
        each = [self.values[run][measure] for measure, run in rows]
        return Table(
            {
                "measure": [str(measure) for measure, _ in rows],
                "run": [run for _, run in rows],
                "mean": [one.mean for one in each],
                "wins": [one.wins for one in each],
                "losses": [one.losses for one in each],
                "URisk": [one.urisk for one in each],
                "TRisk": [one.trisk for one in each],
                "ZRisk": [one.zrisk for one in each],
                "GeoRisk": [one.georisk for one in each],
            },
            notes=(*self.notes, *map(str, self.scores.warnings)),
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

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield risk --format json` prints."""
        return {
            "cranfield": VERSION,
            "settings": {**asdict(self.scores.settings), "baseline": self.baseline, "alpha": self.alpha},
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.scores.warnings],
            "runs": [
                {
                    "name": run,
                    "measures": {
                        str(measure): self._measure_dict(row, at, per_query)
                        for row, measure in enumerate(self.measures)
                    },
                }
                for at, run in enumerate(self.runs)
            ],
        }

    def _measure_dict(self, row: int, at: int, per_query: bool) -> dict[str, Any]:
        one = asdict(self.values[self.runs[at]][self.measures[row]])
        shown: dict[str, Any] = {name: finite(value) for name, value in one.items()}
        if per_query:
            contributions = self.contributions[row, at].tolist()
            shown["per_query"] = dict(zip(self.scores.queries, map(finite, contributions), strict=True))
        return shown

    def __str__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()


def risk(scores: Scores, baseline: str, *, alpha: float = 1.0) -> Risk:
    """Gains and losses of every run against one of them, the baseline.

    - **URisk** is the mean gain over queries, with losses weighed 1 + alpha:
      (1/c) (Σ gains - (1 + alpha) Σ losses).
    - **TRisk** is URisk divided by its standard error; with alpha 0 it is the t statistic of paired scores.
    - **GeoRisk** needs no baseline: it compares with what all runs together lead to expect,
      e = (sum of the run's scores) (sum of the query's scores) / (sum of all scores).
      ZRisk is Σ (x - e) / √e over the run's scores x, negative terms weighed 1 + alpha, and GeoRisk is
      √(mean score · Φ(ZRisk / c)), where Φ is the normal distribution function.

    Compared are queries that count, and have a defined score, for all runs.

    Against `a`, run `b` gains 1/2 on q1 and loses 1/2, twice counted, on q2:

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d2", "d1"], "q2": ["d1"]}, "b": {"q1": ["d1"], "q2": ["d2", "d1"]}}
    >>> scores = cf.evaluate({"q1": ["d1"], "q2": ["d1"]}, runs, "RR")
    >>> cf.risk(scores, "a").values["b"][cf.RR].urisk
    -0.25
    """
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 <= alpha <= MOST:
        raise UsageError(
            f"alpha is how much more a loss weighs than a gain, a number from 0 to {MOST:g}, not {shown(alpha)}."
        )
    against = scores.run_position(baseline)
    values: dict[str, dict[Measure, RunRisk]] = {run: {} for run in scores.runs}
    contributions = np.full_like(scores.values, np.nan)
    for row, measure in enumerate(scores.measures):
        settled = scores.settled(measure)
        compared = ~np.isnan(settled).any(axis=0)
        matrix = settled[:, compared]
        gained = weighed(_gains(measure, matrix, matrix[against]), alpha)
        contributions[row][:, compared] = gained
        z = _zrisks(measure, matrix, alpha)
        for at, run in enumerate(scores.runs):
            values[run][measure] = _of_run(matrix[at], gained[at], z[at])
    return Risk(scores, scores.runs[against], float(alpha), values, contributions)


def weighed(gains: Floats, alpha: float) -> Floats:
    """Gains as they are, losses times 1 + alpha.

    >>> weighed(np.array([0.5, -0.25, 0]), alpha=1)
    array([ 0.5, -0.5,  0. ])
    """
    return np.where(gains < 0, (1 + alpha) * gains, gains)


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


def _gains(measure: Measure, scores: Floats, baseline: Floats) -> Floats:
    better, worse = (baseline, scores) if measure.definition.lower_is_better else (scores, baseline)
    # The same terms summed in another order differ in the last bits: that is neither a win nor a loss.
    return np.where(np.isclose(better, worse, rtol=1e-12, atol=1e-15), 0.0, better - worse)


def _zrisks(measure: Measure, matrix: Floats, alpha: float) -> Floats:
    """How far each run stays below or above what its own and each query's sum lead to expect."""
    if measure.definition.lower_is_better or np.any(matrix < 0):
        return np.full(len(matrix), np.nan)
    of_runs, of_queries = _sums(matrix), _sums(matrix.T)
    total = math.fsum(of_runs)
    expected = np.outer(of_runs, of_queries) / (total or 1.0)
    # A query without any score, or a run, says nothing: nothing was expected and nothing came.
    z = np.where(expected == 0, 0.0, (matrix - expected) / np.sqrt(np.where(expected == 0, 1.0, expected)))
    return _sums(weighed(z, alpha))


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
    weight = f"{1 + risk.alpha:g}"
    yield f"Wins, losses, URisk and TRisk are against {risk.baseline}, ZRisk and GeoRisk against all runs together."
    yield f"URisk: mean gain over queries, a loss counting {weight} times ({WANG})."
    yield f"TRisk: URisk divided by its standard error; below -2 or above 2 it is hardly chance ({DINCER_2014})."
    yield (
        f"ZRisk: how far scores deviate from what run and query lead to expect, downwards counting {weight} times; "
        f"GeoRisk: √(mean · Φ(ZRisk / number of queries)) ({DINCER_2016})."
    )
    for row, measure in enumerate(risk.measures):
        if left_out := int(np.isnan(risk.contributions[row]).any(axis=0).sum()):
            queries = "1 query" if left_out == 1 else f"{left_out} queries"
            yield f"{measure} leaves out {queries} for which some run does not count, or has no defined score."
        if math.isnan(risk.values[risk.baseline][measure].zrisk):
            yield f"{measure} has no ZRisk and GeoRisk: they need scores from 0 on, of which more is better."
