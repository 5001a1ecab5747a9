"""Whether intervals hold the truth where people's judgments of a few queries correct a model's of many."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.validity.populations import Floats
from benchmarks.validity.shares import Share, share
from cranfield.comparing.intervals import t_interval
from cranfield.correcting.prediction_powered import prediction_powered

OTHERS = 300
"""Queries that the model alone judged."""
PEOPLE = (5, 10, 20, 50)
"""Queries that people judged."""
NORMAL = 1.959963984540054
"""The quantile of the normal distribution for 95%."""
Limits = tuple[float, float]
Method = Callable[[Floats, Floats, Floats], Limits]


def model_scores(people: Floats, rng: np.random.Generator) -> Floats:
    """What a model that overrates makes of people's scores: 0.15 more, and noise as large as half their deviation.

    >>> scores = model_scores(np.linspace(0, 1, 1000), np.random.default_rng(0))
    >>> bool(0.7 < np.corrcoef(scores, np.linspace(0, 1, 1000))[0, 1] < 0.95), bool(scores.max() <= 1)
    (True, True)
    """
    noise = rng.normal(0.15, 0.5 * np.std(people), people.shape)
    low, high = min(0.0, float(people.min())), float(max(1.0, people.max()))
    return np.clip(people + noise, low - (low < 0), high)


def ours(people: Floats, model: Floats, others: Floats) -> Limits:
    """The interval of `cranfield correct`."""
    estimate = prediction_powered(people, model, others)
    return estimate.low, estimate.high


def power_tuned(people: Floats, model: Floats, others: Floats) -> Limits:
    """PPI++ with one weight for all queries and normal quantiles, as the package ppi-python computes it."""
    n, count = len(people), len(others)
    everywhere = np.var(np.concatenate([model, others]), ddof=1)
    weight = np.cov(people, model, ddof=0)[0, 1] / ((1 + n / count) * everywhere) if everywhere else 0.0
    weight = min(max(weight, 0.0), 1.0)
    value = weight * others.mean() + np.mean(people - weight * model)
    error = np.sqrt(weight**2 * np.var(others) / count + np.var(people - weight * model) / n)
    return value - NORMAL * error, value + NORMAL * error


def alone(people: Floats, model: Floats, others: Floats) -> Limits:
    """People's judgments without the model."""
    interval = t_interval(people)
    return interval.low, interval.high


METHODS: dict[str, Method] = {"corrected": ours, "PPI++ as published": power_tuned, "people alone": alone}


def covered(rows: Floats, queries: int, trials: int, rng: np.random.Generator) -> dict[str, tuple[Share, float]]:
    """Of draws of the queries, how many intervals hold the mean over all, and how wide they are; rows take turns."""
    held: dict[str, list[bool]] = {name: [] for name in METHODS}
    widths: dict[str, list[float]] = {name: [] for name in METHODS}
    for trial in range(trials):
        row = rows[trial % len(rows)]
        scores = row[rng.integers(0, len(row), queries + OTHERS)]
        model = model_scores(scores, rng)
        for name, method in METHODS.items():
            low, high = method(scores[:queries], model[:queries], model[queries:])
            held[name].append(bool(low - 1e-12 <= row.mean() <= high + 1e-12))
            widths[name].append(high - low)
    return {name: (share(held[name]), float(np.median(widths[name]))) for name in METHODS}
