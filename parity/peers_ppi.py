"""Means from a few values by people and many by a model. PPI++ as this package computes it is what `make validity`
simulates next to ours; both are called here on the same values. Where a model is so good, or so poor, that every weight
is 1 or 0, the estimate of `cranfield correct` is the package's own for that weight. Elsewhere it differs by design:
weights leave out the query they are used for, and limits are Student's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate  # type: ignore[import-not-found]  # in its own environment

from benchmarks.validity.corrected import power_tuned
from cranfield.correcting.prediction_powered import CorrectedMean, prediction_powered
from parity.rows import Row, largest

ABSENT = {
    "ppi_quantile_ci, ppi_ols_ci, ppi_logistic_ci, ppi_poisson_ci": "no means over queries",
    "ppi_boot, crossppi, ppi_multiclass_label_shift": "other estimates",
}

Floats = npt.NDArray[np.float64]
Values = tuple[Floats, Floats, Floats]
"""People's values, the model's of the same queries, and the model's of others."""
Pairs = list[tuple[float, float]]


def compare() -> list[Row]:
    """The simulated formula, estimates with every weight at an end, and what ours does differently."""
    useful = list(_draws(1.0))
    return [
        _row("ppi_mean_ci", "PPI++ of make validity", _intervals(useful), "a useful model"),
        _row(
            "ppi_mean_pointestimate(lam=1)", "correct, all weights 1", _estimates(_draws(9.0), 1), "a very good model"
        ),
        _row("ppi_mean_pointestimate(lam=0)", "correct, all weights 0", _estimates(_draws(-1.0), 0), "a wrong model"),
        _row("ppi_mean_ci(lam=1)", "correct, all weights 1: error", _errors(_draws(9.0), 1), "a very good model"),
        _row("ppi_mean_ci(lam=0)", "correct, all weights 0: error", _errors(_draws(-1.0), 0), "a wrong model"),
        _row(
            "ppi_mean_pointestimate",
            "correct",
            [(prediction_powered(*values).value, _estimate(values)) for values in useful],
            "a useful model",
            "weights leave out the query they are used for",
        ),
    ]


def _draws(slope: float) -> Iterator[Values]:
    """Values of people that grow with the model's by a slope, for several numbers of queries."""
    rng = np.random.default_rng(17)
    for people in (5, 10, 20, 50):
        for others in (20, 300):
            model = rng.beta(2, 2, people + others)
            by_people = slope * model + rng.normal(0, 0.05, people + others)
            yield by_people[:people], model[:people], model[people:]


def _intervals(draws: list[Values]) -> Pairs:
    return [
        (ours, float(np.squeeze(theirs)))
        for values in draws
        for ours, theirs in zip(power_tuned(*values), ppi_mean_ci(*values, alpha=0.05), strict=True)
    ]


def _estimates(draws: Iterator[Values], weight: float) -> Pairs:
    return [(_with_weight(values, weight).value, _estimate(values, weight)) for values in draws]


def _errors(draws: Iterator[Values], weight: float) -> Pairs:
    """Standard errors; theirs divides by the number of queries, ours by one less."""
    pairs = []
    for values in draws:
        people, model, others = values
        low, high = (float(np.squeeze(limit)) for limit in ppi_mean_ci(*values, alpha=0.05, lam=weight))
        theirs = ((high - low) / 2 / 1.959963984540054) ** 2
        n, count = len(people), len(others)
        more = np.var(people - weight * model) / n * (n / (n - 1) - 1)
        more += weight**2 * np.var(others) / count * (count / (count - 1) - 1)
        pairs.append((_with_weight(values, weight).error, math.sqrt(theirs + more)))
    return pairs


def _with_weight(values: Values, weight: float) -> CorrectedMean:
    estimate = prediction_powered(*values)
    if estimate.weight != weight:
        raise ValueError(f"The weights of these values are not all {weight}.")
    return estimate


def _estimate(values: Values, weight: float | None = None) -> float:
    return float(np.squeeze(ppi_mean_pointestimate(*values, lam=weight)))


def _row(theirs: str, ours: str, pairs: Pairs, data: str, reason: str = "") -> Row:
    return Row(theirs, ours, len(pairs), largest(pairs), data, reason=reason)
