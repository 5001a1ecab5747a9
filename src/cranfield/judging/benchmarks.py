"""How good agreement is in the words of others: levels of a scale, each with the probability that it is reached."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cranfield.choices import BenchmarkScale
from cranfield.judging.estimates import Coefficient, Row
from cranfield.show.table import Cell, Table, finite

SCALES: dict[BenchmarkScale, dict[str, float]] = {
    "landis-koch": {
        "almost perfect": 0.8,
        "substantial": 0.6,
        "moderate": 0.4,
        "fair": 0.2,
        "slight": 0.0,
        "poor": -1.0,
    },
    "fleiss": {"excellent": 0.75, "fair to good": 0.4, "poor": -1.0},
    "altman": {"very good": 0.8, "good": 0.6, "moderate": 0.4, "fair": 0.2, "poor": -1.0},
}
"""Levels from the best on, and from which value each is reached."""
AUTHORS: dict[BenchmarkScale, str] = {
    "landis-koch": "Landis and Koch (1977)",
    "fleiss": "Fleiss (1981)",
    "altman": "Altman (1991)",
}
NO_ERROR = "no standard error"


class Benchmark(NamedTuple):
    """One coefficient on a scale."""

    coefficient: Coefficient
    probabilities: dict[str, float]
    """How likely the true coefficient reaches each level or a better one, the best first; NaN without an error."""
    level: str
    """The best level that is reached with enough probability; empty where there is no error."""

    def rows(self) -> Iterator[Row]:
        """A row for each level, and one that names the level to report."""
        name, items = self.coefficient.name, self.coefficient.items
        for level, probability in self.probabilities.items():
            reason = "" if self.level else NO_ERROR
            yield Row("benchmark", name, level, "cumulative probability", probability, items=items, reason=reason)
        if self.level:
            yield Row("benchmark", name, self.level, "level", self.probabilities[self.level], items=items)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "name": self.coefficient.name,
            "value": finite(self.coefficient.value),
            "error": finite(self.coefficient.error),
            "probabilities": {level: finite(value) for level, value in self.probabilities.items()},
            "level": self.level or None,
        }


def benchmark(coefficient: Coefficient, scale: BenchmarkScale, confidence: float = 0.95) -> Benchmark:
    r"""How likely the true coefficient reaches each level of a scale, and the best level that it surely reaches.

    .. math:: P(\kappa \ge a) = \frac{\Phi((\hat\kappa - a) / s) - \Phi((\hat\kappa - 1) / s)}
              {\Phi((\hat\kappa + 1) / s) - \Phi((\hat\kappa - 1) / s)}

    An estimate with a large error s may lie in a level by chance. So the level to report is the best one that is
    reached with a probability of `confidence` (Gwet, Handbook of Inter-Rater Reliability, 4th edition, 2014).

    An estimate of 0.67 would be called good by Altman; with an error of 0.15 only moderate is sure:

    >>> found = benchmark(Coefficient("kappa", 0.67, error=0.15), "altman")
    >>> print(found.level, {level: round(value, 3) for level, value in found.probabilities.items()})
    moderate {'very good': 0.182, 'good': 0.675, 'moderate': 0.964, 'fair': 0.999, 'poor': 1.0}
    """
    value, error = coefficient.value, coefficient.error
    if math.isnan(value) or math.isnan(error):
        return Benchmark(coefficient, dict.fromkeys(SCALES[scale], math.nan), "")
    reached = {level: _probability(value, error, least) for level, least in SCALES[scale].items()}
    return Benchmark(coefficient, reached, next(level for level, p in reached.items() if p >= confidence))


def _probability(value: float, error: float, least: float) -> float:
    """That a coefficient between -1 and 1 is at least so large."""
    from scipy.special import ndtr

    if least == -1:
        return 1.0
    if not error:
        return float(value >= least)
    below, above, up_to_one = (float(ndtr((value - end) / error)) for end in (-1.0, least, 1.0))
    return min(max((above - up_to_one) / (below - up_to_one), 0.0), 1.0)


def benchmark_table(benchmarks: Sequence[Benchmark], scale: BenchmarkScale, confidence: float) -> Table:
    """A row for every coefficient: the level to report, and how likely each level is reached."""
    columns: dict[str, list[Cell]] = {
        "coefficient": [one.coefficient.name for one in benchmarks],
        "value": [one.coefficient.value for one in benchmarks],
        "level": [one.level or "–" for one in benchmarks],
        **{level: [one.probabilities[level] for one in benchmarks] for level in SCALES[scale]},
    }
    limits = ", ".join(f"{level} from {least:g}" for level, least in SCALES[scale].items() if least > -1)
    notes = [
        f"Levels of {AUTHORS[scale]}: {limits}. Each with the probability that the true coefficient reaches it or a "
        f"better one, by a normal distribution; level: the best one with a probability of {confidence:g} or more.",
    ]
    if without := [one.coefficient.name for one in benchmarks if not one.level]:
        notes.append(f"{', '.join(without)}: {NO_ERROR}.")
    return Table(columns, notes=tuple(notes), optional=tuple(reversed(list(SCALES[scale])[1:])))
