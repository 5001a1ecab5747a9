"""From scores of queries to one number with its uncertainty.

Here, and nowhere else, it is decided what an undefined score becomes in a mean and how an interval is made.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from cranfield import kernels
from cranfield.arrays import Floats
from cranfield.choices import Undefined
from cranfield.errors import Finding
from cranfield.measures.definition import Measure
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.digits import Digits
from cranfield.show.measures import canonical_column
from cranfield.show.table import Cell, Estimate, Table, finite

CONFIDENCE = 0.95
LARGE = 2.0**500
"""From here on squares come near the largest number there is."""
GEOMETRIC_FLOOR = 1e-5
"""Smallest score a geometric mean counts, as in trec_eval: one zero must not make the whole mean zero."""


@dataclass(frozen=True)
class Mean:
    """The mean of a measure over queries, its 95% interval, and how many queries stand behind it."""

    value: float
    low: float
    high: float
    queries: int
    undefined: int
    """Queries whose score is undefined, whatever they became."""

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True, repr=False)
class Summary(Answer):
    """Means of every run under every measure.

    `means[run][measure]` is a `Mean`; printing it, or ending a notebook cell with it, shows the table.
    """

    means: dict[str, dict[Measure, Mean]]
    coverage: dict[str, str]
    """Of each run: judged queries it returned documents for, of those there are."""
    notes: tuple[str, ...] = ()
    """What the means are means of."""
    warnings: tuple[Finding, ...] = ()
    digits: Digits = field(default_factory=Digits)
    """The decimals of measures, and whether scores are shown in percent."""

    def table(self) -> Table:
        """One row per run: queries answered of those judged, then each measure with its interval.

        With many measures on a narrow screen it has one row per measure and a column per run.
        """
        narrow: dict[str, list[Cell]] = {
            "": ["queries", *map(str, self._measures)],  # a name that no run has
            **{
                run: [self.coverage[run], *(self._shown(measure, of_run[measure]) for measure in self._measures)]
                for run, of_run in self.means.items()
            },
        }
        return Table(
            {
                "run": list(self.means),
                "queries": list(self.coverage.values()),
                **{
                    str(measure): [self._shown(measure, of_run[measure]) for of_run in self.means.values()]
                    for measure in self._measures
                },
            },
            notes=self.notes,
            narrow=Table(narrow),
        )

    def __repr__(self) -> str:
        return f"Summary({counted(len(self.means), 'run')}, {', '.join(map(str, self._measures))})"

    def rows(self) -> Table:
        """One row per run and measure."""
        pairs = [(run, measure, mean) for run, of_run in self.means.items() for measure, mean in of_run.items()]
        columns: dict[str, list[Cell]] = {
            "run": [run for run, _, _ in pairs],
            "measure": [str(measure) for _, measure, _ in pairs],
            "value": [measure.cell(mean.value) for _, measure, mean in pairs],
            "low": [mean.low for _, _, mean in pairs],
            "high": [mean.high for _, _, mean in pairs],
            "queries": [self.coverage[run] for run, _, _ in pairs],
        }
        return Table({**columns, **canonical_column(columns["measure"], self._measures)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
            "runs": [
                {
                    "name": run,
                    "queries": self.coverage[run],
                    "measures": {
                        str(measure): {
                            "canonical": measure.canonical,
                            **{name: finite(value) for name, value in asdict(mean).items()},
                        }
                        for measure, mean in of_run.items()
                    },
                }
                for run, of_run in self.means.items()
            ],
        }

    def _shown(self, measure: Measure, mean: Mean) -> Estimate:
        return self.digits.estimate(measure, measure.cell(mean.value), mean.low, mean.high)

    @property
    def _measures(self) -> list[Measure]:
        return list(dict.fromkeys(measure for of_run in self.means.values() for measure in of_run))


def mean(measure: Measure, scores: Floats, undefined: Undefined | None = None) -> Mean:
    """The mean of a measure over queries, with a 95% interval from Student's t.

    An undefined score (NaN) counts as 0 or is left out; by default as the measure's definition says.
    Counts are summed and have no interval; a geometric mean has its interval from the logarithms.

    >>> from cranfield import P
    >>> mean(P @ 4, np.array([0.25, 0.5, 0.75, 0.5]))
    Mean(value=0.5, low=0.17519..., high=0.82480..., queries=4, undefined=0)
    """
    return mean_of(measure, HeldSample(averaged(measure, scores, undefined)), int(np.isnan(scores).sum()))


def averaged(measure: Measure, scores: Floats, undefined: Undefined | None = None) -> Floats:
    """The numbers that a mean is over: settled scores, of a geometric mean their logarithms."""
    settled = settle(measure, scores, undefined)
    kept = settled[~np.isnan(settled)]
    return np.log(np.maximum(kept, GEOMETRIC_FLOOR)) if measure.definition.mean == "geometric" else kept


class Sample(Protocol):
    """What a mean has to know of numbers, wherever these are."""

    @property
    def count(self) -> int:
        """How many there are."""

    def total(self) -> float:
        """Their sum, rounded once."""

    def farthest(self, value: float) -> float:
        """How far the one that is farthest from a value is."""

    def squares(self, value: float, unit: float) -> float:
        """The sum of their squared distances to a value, in some unit, rounded once."""


@dataclass(frozen=True, eq=False)
class HeldSample:
    """Numbers in an array."""

    numbers: Floats

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.numbers)

    def total(self) -> float:
        """Their sum, rounded once."""
        return exact_sum(self.numbers)

    def farthest(self, value: float) -> float:
        """How far the one that is farthest from a value is."""
        return float(np.abs(self.numbers - value).max())

    def squares(self, value: float, unit: float) -> float:
        """The sum of their squared distances to a value, in some unit, rounded once."""
        return exact_sum(squared_distances(self.numbers, value, unit))


def squared_distances(numbers: Floats, value: float, unit: float) -> Floats:
    """How far each number is from a value, in some unit, squared."""
    squares: Floats = ((numbers - value) / unit) ** 2
    return squares


def mean_of(measure: Measure, sample: Sample, undefined: int) -> Mean:
    """The mean of a measure from what was settled of its scores, so many of which were undefined."""
    value, low, high = _estimate(measure, sample)
    return Mean(value, low, high, queries=sample.count, undefined=undefined)


def settle(measure: Measure, scores: Floats, undefined: Undefined | None = None) -> Floats:
    """Scores as they count: an undefined one is 0, or stays NaN where it is to be left out."""
    left_out = (undefined or measure.definition.undefined) == "skip"
    return scores if left_out else np.where(np.isnan(scores), 0.0, scores)


def _estimate(measure: Measure, sample: Sample) -> tuple[float, float, float]:
    if measure.definition.mean == "sum":
        return sample.total(), math.nan, math.nan
    if not sample.count:
        return math.nan, math.nan, math.nan
    value, low, high = interval_of(sample)
    if measure.definition.mean == "geometric":
        value, low, high = math.exp(value), math.exp(low), math.exp(high)
    # A mean cannot lie outside the measure's range, so neither does what is said about it.
    low, high = np.clip((low, high), *measure.bounds).tolist()
    return value, low, high


def interval(scores: Floats) -> tuple[float, float, float]:
    """Mean and 95% interval; sums are exact, so the order of the queries does not matter."""
    return interval_of(HeldSample(scores))


def interval_of(sample: Sample) -> tuple[float, float, float]:
    """The same of numbers that may be anywhere."""
    count = sample.count
    value = sample.total() / count
    if count < 2:
        return value, math.nan, math.nan
    unit = unit_of(sample, value)
    spread = math.sqrt(sample.squares(value, unit) / (count - 1)) * unit
    half = t_limit(count - 1, 1 - CONFIDENCE) * spread / math.sqrt(count)
    return value, value - half, value + half


def unit_of(sample: Sample, value: float) -> float:
    """The unit of distances to a value: squares of very large ones would be beyond any number."""
    return LARGE if sample.farthest(value) > LARGE else 1.0


def exact_sum(scores: Floats) -> float:
    """The sum, rounded once.

    >>> exact_sum(np.array([1e16, 1.0, 1.0])), np.sum([1e16, 1.0, 1.0])
    (1.0000000000000002e+16, ...1e+16...)
    """
    held = np.ascontiguousarray(scores)
    total = None
    if kernels.are_compiled():
        from cranfield.kernels.compiled import sum_of

        total = sum_of(held)
    return math.fsum(held.data) if total is None else total


@lru_cache(maxsize=1024)
def t_limit(freedom: float, alpha: float) -> float:
    """What Student's t exceeds, on either side, with some probability; one of 1e-30 or more.

    SciPy has it, but importing SciPy takes longer than everything else a small evaluation does.

    >>> round(t_limit(9, 0.05), 6), round(t_limit(9, 1e-20), 1)
    (2.262157, 430.6)
    """
    root = math.sqrt(-2 * math.log(alpha / 2))
    t = root - (2.30753 + 0.27061 * root) / (1 + 0.99229 * root + 0.04481 * root**2)  # nearly the normal quantile
    t += (t**3 + t) / (4 * freedom)
    for _ in range(100):
        step = (_two_sided(t, freedom) - alpha) / (2 * _density(t, freedom))
        # Few degrees of freedom have long tails: never step past half of the way back to zero.
        t = max(t + step, t / 2)
        if abs(step) < 1e-15 * t:
            break
    return t


def _density(t: float, freedom: float) -> float:
    log = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    return math.exp(log - (freedom + 1) / 2 * math.log1p(t * t / freedom))


def _two_sided(t: float, freedom: float) -> float:
    """How likely |T| exceeds t: the regularised incomplete beta function, by its continued fraction."""
    a, b = freedom / 2, 0.5
    x = freedom / (freedom + t * t)
    if x < (a + 1) / (a + b + 2):
        return _beta_fraction(a, b, x)
    return 1 - _beta_fraction(b, a, t * t / (freedom + t * t))


def _beta_fraction(a: float, b: float, x: float) -> float:
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 500):
        for coefficient in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + coefficient * d)
            c = 1 + coefficient / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return math.exp(log_front) * fraction / a
