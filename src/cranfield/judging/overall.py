"""Every coefficient of all judges together, with limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.judging import agreement as published
from cranfield.judging import chance
from cranfield.judging.agreement import cohen_parts
from cranfield.judging.chance import Chance, Metric
from cranfield.judging.coding import Coded
from cranfield.judging.coefficient import Coefficient, corrected
from cranfield.judging.counting import Patterns, Sums, confusions, features, patterns_of, sums_from
from cranfield.judging.intraclass import FORMS, mean_squares, moments, value_of
from cranfield.judging.units import Units
from cranfield.judging.weights import weight_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MOST_CELLS = 1 << 25
MANY_PAIRS = "there are too many pairs of judges for an interval"
WEIGHTED: tuple[Literal["linear", "quadratic"], ...] = ("linear", "quadratic")


class Statistic(NamedTuple):
    """A coefficient with the formula's limits, and the same from sums of samples."""

    analytic: Coefficient
    of_samples: Callable[[Floats], Floats] | None
    features: Floats | None
    """What each pattern adds to the sums; nothing where there would be too many to draw samples of."""


def overall(known: Coded, units: Units | None, confidence: float, own: Floats | None) -> list[Coefficient]:
    """All coefficients; with limits from samples where there are units to draw."""
    found: list[Coefficient] = []
    last: Floats | None = None
    drawn: tuple[Floats, Floats] = np.empty(0), np.empty(0)
    for statistic in _statistics(known, units.patterns if units else patterns_of(known), confidence, own):
        if units is None or statistic.features is None or statistic.of_samples is None:
            found.append(statistic.analytic)
            continue
        if statistic.features is not last:
            last = statistic.features
            drawn = units.resampled(last), units.left_out(last)
        of_samples, left_out = (statistic.of_samples(sums) for sums in drawn)
        found.append(units.limited(statistic.analytic, of_samples, left_out, confidence))
    return found


def _statistics(known: Coded, patterns: Patterns, confidence: float, own: Floats | None) -> Iterator[Statistic]:
    judges, size = len(known.codes), known.size
    added = features(patterns)
    ordered = not any(isinstance(category, str) for category in known.categories)

    def sums(samples: Floats) -> Sums:
        return sums_from(samples, judges, size)

    def statistic(analytic: Coefficient, value: Callable[[Sums], Floats]) -> Statistic:
        return Statistic(analytic, lambda samples: value(sums(samples)), added)

    identity = np.eye(size)
    yield statistic(published.percent_agreement(known, confidence=confidence), lambda s: chance.observed(s, identity))
    for metric in _metrics(known, ordered):
        yield statistic(
            published.krippendorff_alpha(known, metric=metric, confidence=confidence), _alpha(known.values, metric)
        )
    yield from _of_pairs(known, patterns, confidence, own, ordered)
    kinds: tuple[tuple[Chance, Callable[..., Coefficient]], ...] = (
        ("fleiss", published.fleiss_kappa),
        ("conger", published.conger_kappa),
        ("gwet", published.gwet_ac),
        ("brennan-prediger", published.brennan_prediger),
    )
    for kind, function in kinds:
        for name, weights in _weights(size, ordered, own):
            analytic = function(known, weights=None if not name else weights, confidence=confidence)
            yield statistic(_called(analytic, name), _beyond(weights, kind))
    if ordered:
        yield from _intraclass(known, patterns, confidence)


def _metrics(known: Coded, ordered: bool) -> tuple[Metric, ...]:
    if not ordered:
        return ("nominal",)
    return ("nominal", "ordinal", "interval") if (known.values < 0).any() else chance.METRICS


def _weights(size: int, ordered: bool, own: Floats | None) -> Iterator[tuple[str, Floats]]:
    yield "", np.eye(size)
    if ordered and size > 2:
        yield from ((name, weight_table(name, size)) for name in WEIGHTED)
    if own is not None:
        yield "own weights", own


def _called(found: Coefficient, weights: str) -> Coefficient:
    return replace(found, name=f"{found.name} ({weights})") if weights else found


def _alpha(values: Floats, metric: Metric) -> Callable[[Sums], Floats]:
    return lambda sums: chance.alpha(sums.coincidences, values, metric)[0]


def _beyond(weights: Floats, kind: Chance) -> Callable[[Sums], Floats]:
    return lambda sums: corrected(chance.observed(sums, weights), chance.expected(sums, weights, kind))


def _of_pairs(
    known: Coded, patterns: Patterns, confidence: float, own: Floats | None, ordered: bool
) -> Iterator[Statistic]:
    judges, size = len(known.codes), known.size
    pairs = list(combinations(range(judges), 2))
    tables = confusions(known)
    if len(pairs) * size**2 * patterns.codes.shape[1] > MOST_CELLS:
        for name, weights in _weights(size, ordered, own):
            found = published.mean_of_pairs("mean pairwise kappa", tables, weights, known)
            yield Statistic(replace(_called(found, name), reason=found.reason or MANY_PAIRS), None, None)
        return
    added = np.hstack([pair_features(patterns, a, b) for a, b in pairs])

    def means(weights: Floats, pooled: bool) -> Callable[[Floats], Floats]:
        def value(samples: Floats) -> Floats:
            drawn = samples.reshape(*samples.shape[:-1], len(pairs), size, size)
            return mean_of_defined(corrected(*cohen_parts(drawn, weights, pooled=pooled)))

        return value

    for name, weights in _weights(size, ordered, own):
        if judges == 2:
            found = published.cohen_of(tables[0], weights, confidence)
        else:
            found = published.mean_of_pairs("mean pairwise kappa", tables, weights, known)
        yield Statistic(_called(found, name), means(weights, pooled=False), added)
    if judges == 2:
        pooled = published.scott_of(tables[0], None, confidence)
    else:
        pooled = published.mean_of_pairs("mean pairwise pi", tables, np.eye(size), known, pooled=True)
    yield Statistic(pooled, means(np.eye(size), pooled=True), added)


def pair_features(patterns: Patterns, one: int, two: int) -> Floats:
    """What each pattern adds to the table of two judges: a row per pattern, a column per cell."""
    size = patterns.size
    table = np.zeros((patterns.codes.shape[1], size * size))
    both = np.flatnonzero((patterns.codes[one] >= 0) & (patterns.codes[two] >= 0))
    table[both, patterns.codes[one, both] * size + patterns.codes[two, both]] = 1
    return table


def mean_of_defined(values: Floats) -> Floats:
    """The mean along the last axis of what is defined; NaN where nothing is."""
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    total = np.where(known, values, 0).sum(axis=-1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), math.nan))


def _intraclass(known: Coded, patterns: Patterns, confidence: float) -> Iterator[Statistic]:
    judges = len(known.codes)
    grades = np.where(known.codes >= 0, known.values[np.maximum(known.codes, 0)], np.nan)
    found = published.intraclass(grades, confidence=confidence)
    added = grade_moments(patterns, known.values)

    def of(form: str) -> Callable[[Floats], Floats]:
        def value(samples: Floats) -> Floats:
            enough = samples[..., 0] > 1
            squares = mean_squares(np.where(enough[..., None], samples, 1.0), judges)
            return np.where(enough, value_of(form, squares), np.nan)  # type: ignore[arg-type]  # one of the forms

        return value

    for form in FORMS:
        yield Statistic(found[form], of(form), added)


def grade_moments(patterns: Patterns, values: Floats) -> Floats:
    """What each pattern adds to sums of grades: nothing, where a judge gave none."""
    complete = np.asarray((patterns.codes >= 0).all(axis=0))
    grades = values[patterns.codes[:, complete]]
    times = patterns.times[complete]
    middle = float((grades @ times).sum() / max(times.sum() * len(grades), 1))
    added = np.zeros((complete.size, 1 + len(grades) + len(grades) ** 2))
    added[complete] = moments(grades, middle)
    return added
