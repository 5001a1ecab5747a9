"""Values as deviations from the means of other runs: -Z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.arrays import Floats
from cranfield.compat.trec_eval.c_numbers import atof
from cranfield.compat.trec_eval.files import Shape, opened, rows_of
from cranfield.compat.trec_eval.versions import NINE

Means = Mapping[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by query and printed name."""

SHAPE = Shape(("query", "measure", "mean", "deviation"), "means of runs have")
MISSING = -1_000_000.0


def read_means(path: str) -> Means:
    """Means and standard deviations of a set of runs; no version takes comments in this file."""
    means: dict[tuple[str, str], tuple[float, float]] = {}
    for rows in rows_of(opened(path), SHAPE, NINE):
        for fields in zip(*rows.columns, strict=True):
            query, name, mean, deviation = (token.decode("latin-1") for token in fields)
            means.setdefault((query, name), (atof(mean), atof(deviation)))
    return means


def as_zscores(values: Floats, queries: Sequence[str], name: str, means: Means) -> Floats:
    """One measure's values as deviations from the mean of each query."""
    return np.array([_zscore(value, means.get((query, name))) for value, query in zip(values, queries, strict=True)])


def _zscore(value: float, mean_and_deviation: tuple[float, float] | None) -> float:
    if mean_and_deviation is None:
        return MISSING
    mean, deviation = mean_and_deviation
    if deviation == 0:
        return 0.0 if value == mean else MISSING
    return (float(value) - mean) / deviation  # as in C, a quotient beyond all numbers is infinite
