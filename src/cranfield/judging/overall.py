"""Every coefficient of all judges together, with limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.choices import AlphaMetric
from cranfield.judging import chance
from cranfield.judging import coefficients as published
from cranfield.judging.chance import Chance
from cranfield.judging.coding import CodedLabels
from cranfield.judging.coefficients import cohen_parts
from cranfield.judging.counting import (
    Patterns,
    Sums,
    confusions,
    judge_features,
    meetings,
    pair_features,
    patterns_of,
    sums_from,
)
from cranfield.judging.distances import added, alpha_of_sums, on_scale, weight_table
from cranfield.judging.estimates import NO_CHANCE, NO_ITEM, Coefficient, Units, corrected
from cranfield.judging.intraclass import FORMS, Form, Squares, intraclass_of, mean_squares, moments, value_of

MOST_CATEGORIES = 25
"""Of more different grades than this, kappa and its kin say nothing: only distances do."""
MOST_CELLS = 1 << 25
MOST_MEETINGS = 1 << 30
"""Of more labels that meet another of the same item, pairs of judges are not counted."""
MANY_PAIRS = "there are too many pairs of judges for an interval"
MANY_MEETINGS = "there are too many pairs of judges"
OWN = "own weights"
"""What weights are called that were given as a table."""
WEIGHTED: tuple[Literal["linear", "quadratic"], ...] = ("linear", "quadratic")


class OwnWeights(NamedTuple):
    """Weights that were asked for: what coefficients with them are called, and the table."""

    name: str
    table: Floats


class Statistic(NamedTuple):
    """A coefficient with the formula's limits, and the same from sums of samples."""

    analytic: Coefficient
    group: Group | None = None
    """What is summed to get it; nothing where there would be too much to draw samples of."""
    value: Callable[[Any], Floats] | None = None
    """The coefficient, from what the group makes of sums."""


class Group(NamedTuple):
    """What is summed over units for some coefficients."""

    features: Callable[[Units], Any]
    """A row per unit, perhaps sparse."""
    of_sums: Callable[[Floats], Any]
    """Sums of these, as coefficients take them."""


def overall(
    known: CodedLabels, units: Units | None, confidence: float, own: OwnWeights | None, *, has_judges: bool = True
) -> list[Coefficient]:
    """All coefficients; with limits from samples where there are units to draw."""
    return limited(list(_statistics(known, confidence, own, has_judges)), units, confidence)


def limited(statistics: Sequence[Statistic], units: Units | None, confidence: float) -> list[Coefficient]:
    """Coefficients with limits from samples, where there are units to draw, or from formulas."""
    if units is None:
        return [statistic.analytic for statistic in statistics]
    coefficients = [statistic.analytic for statistic in statistics]
    groups = {id(statistic.group): statistic.group for statistic in statistics if statistic.group is not None}
    for group in groups.values():
        places = [at for at, statistic in enumerate(statistics) if statistic.group is group]
        values = [statistics[at].value for at in places]
        resampled, left_out = units.sampled(group.features(units), _together(group, values))
        for column, at in enumerate(places):
            coefficients[at] = units.limited(coefficients[at], resampled[:, column], left_out[:, column], confidence)
    return coefficients


def _together(group: Group, values: Sequence[Callable[[Any], Floats] | None]) -> Callable[[Floats], Floats]:
    def value(samples: Floats) -> Floats:
        sums = group.of_sums(samples)
        return np.stack([one(sums) for one in values if one is not None], axis=-1)

    return value


def _statistics(known: CodedLabels, confidence: float, own: OwnWeights | None, has_judges: bool) -> Iterator[Statistic]:
    size = known.size
    counted = Group(lambda units: units.counted, lambda samples: sums_from(samples, size))
    ordered = not any(isinstance(category, str) for category in known.categories)
    weightings = list(_weights(size, ordered, own))
    judged = Group(_judged, lambda samples: _by_judge(samples, size, [weights for _, weights in weightings]))
    identity = np.eye(size)
    yield Statistic(
        published.percent_agreement(known, confidence=confidence), counted, lambda sums: chance.observed(sums, identity)
    )
    for metric in _metrics(known, ordered):
        alpha = published.krippendorff_alpha(known, metric=metric, confidence=confidence)
        yield Statistic(alpha, counted, _alpha(known.values, metric))
    if has_judges:
        yield from _of_pairs(known, confidence, own, ordered)
    kinds: tuple[tuple[Chance, Callable[..., Coefficient]], ...] = (
        ("fleiss", published.fleiss_kappa),
        ("conger", published.conger_kappa),
        ("gwet", published.gwet_ac),
        ("brennan-prediger", published.brennan_prediger),
    )
    for kind, function in kinds:
        if kind == "conger" and not has_judges:
            continue
        for at, (name, weights) in enumerate(weightings):
            analytic = function(known, weights=None if not name else weights, confidence=confidence)
            if kind == "conger":
                yield Statistic(_called(analytic, name), judged, _beyond_judges(weights, at))
            else:
                yield Statistic(_called(analytic, name), counted, _beyond(weights, kind))
    if ordered and has_judges:
        yield from intraclass_statistics(known, confidence)


def _judged(units: Units) -> Any:
    """What each unit adds to sums, followed by how often each judge gives each category."""
    from scipy.sparse import csr_array, hstack

    parts = csr_array(units.counted), csr_array(units.summed(judge_features(units.patterns)))
    return hstack(parts, format="csr")


class _ByJudge(NamedTuple):
    """Sums with those of judges, and what chance alone would give by each of some weights."""

    sums: Sums
    expected: list[Floats]


def _by_judge(samples: Floats, size: int, tables: Sequence[Floats]) -> _ByJudge:
    width = 2 + 2 * size**2 + size
    sums = sums_from(samples[..., :width], size, samples[..., width:])
    return _ByJudge(sums, chance.by_judges(sums, tables))


def _metrics(known: CodedLabels, ordered: bool) -> tuple[AlphaMetric, ...]:
    if not ordered:
        return ("nominal",)
    return ("nominal", "ordinal", "interval") if (known.values < 0).any() else get_args(AlphaMetric)


def _weights(size: int, ordered: bool, own: OwnWeights | None) -> Iterator[tuple[str, Floats]]:
    yield "", np.eye(size)
    if ordered and size > 2:
        yield from ((name, weight_table(name, size)) for name in WEIGHTED)
    if own is not None and not (own.name in WEIGHTED and ordered and size > 2):
        yield own


def _called(coefficient: Coefficient, weights: str) -> Coefficient:
    return replace(coefficient, name=f"{coefficient.name} ({weights})") if weights else coefficient


def _alpha(values: Floats, metric: AlphaMetric) -> Callable[[Sums], Floats]:
    return lambda sums: chance.alpha(sums.coincidences, values, metric)[0]


def _beyond(weights: Floats, kind: Chance) -> Callable[[Sums], Floats]:
    return lambda sums: corrected(chance.observed(sums, weights), chance.expected(sums, weights, kind))


def _beyond_judges(weights: Floats, at: int) -> Callable[[_ByJudge], Floats]:
    return lambda drawn: corrected(chance.observed(drawn.sums, weights), drawn.expected[at])


def _of_pairs(known: CodedLabels, confidence: float, own: OwnWeights | None, ordered: bool) -> Iterator[Statistic]:
    judges, size = known.judges, known.size
    patterns = patterns_of(known)
    if meetings(patterns) > MOST_MEETINGS:
        for name, _ in _weights(size, ordered, own):
            none = Coefficient("mean pairwise kappa", math.nan, items=known.shared, reason=MANY_MEETINGS)
            yield Statistic(_called(none, name))
        return
    kinds = [*((name, weights, False) for name, weights in _weights(size, ordered, own)), ("", np.eye(size), True)]
    names = ["mean pairwise pi" if pooled else "mean pairwise kappa" for _, _, pooled in kinds]
    if judges > 2:
        given = [(name, weights, pooled) for name, (_, weights, pooled) in zip(names, kinds, strict=True)]
        kappas = published.means_of_pairs(known, given)
    else:
        kappas = [_of_two(confusions(patterns)[0], weights, pooled, confidence) for _, weights, pooled in kinds]
    too_many = judges * (judges - 1) // 2 * size**2 * len(patterns.times) > MOST_CELLS
    group = pair_group(judges, size)
    for one, (name, weights, pooled) in zip(kappas, kinds, strict=True):
        if not too_many:
            yield Statistic(_called(one, name), group, _mean_kappa(weights, pooled))
        elif not pooled:
            yield Statistic(replace(_called(one, name), reason=one.reason or MANY_PAIRS))


def _of_two(table: Floats, weights: Floats, pooled: bool, confidence: float) -> Coefficient:
    return (published.scott_of if pooled else published.cohen_of)(table, weights, confidence)


def _mean_kappa(weights: Floats, pooled: bool) -> Callable[[Floats], Floats]:
    return lambda drawn: mean_of_defined(corrected(*cohen_parts(drawn, weights, pooled=pooled)))


def pair_group(judges: int, size: int) -> Group:
    """What is summed for every two judges: their tables."""
    pairs = judges * (judges - 1) // 2
    return Group(
        lambda units: units.summed(pair_features(units.patterns)),
        lambda samples: samples.reshape(len(samples), pairs, size, size),
    )


def mean_of_defined(values: Floats) -> Floats:
    """The mean along the last axis of what is defined; NaN where nothing is."""
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    total = np.where(known, values, 0).sum(axis=-1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), math.nan))


def intraclass_statistics(known: CodedLabels, confidence: float) -> Iterator[Statistic]:
    """The intraclass correlations, of items that every judge graded."""
    correlations = intraclass_of(known.complete(), confidence)
    patterns = patterns_of(known)
    group = Group(
        lambda units: units.summed(grade_moments(patterns, known.values)),
        lambda samples: _squares(samples, known.judges),
    )
    for form in FORMS:
        if correlations[form].items < 2 or known.judges < 2:
            yield Statistic(correlations[form])
        else:
            yield Statistic(correlations[form], group, _correlation(form))


def _squares(samples: Floats, judges: int) -> tuple[Squares, npt.NDArray[np.bool_]]:
    """Mean squares of each sample, and whether it has two items."""
    enough = samples[..., 0] > 1
    two = np.eye(1, samples.shape[-1])[0] * 2  # two items, all of whose grades are the same
    return mean_squares(np.where(enough[..., None], samples, two), judges), enough


def _correlation(form: Form) -> Callable[[tuple[Squares, npt.NDArray[np.bool_]]], Floats]:
    return lambda squares: np.where(squares[1], value_of(form, squares[0]), np.nan)


def grade_moments(patterns: Patterns, values: Floats) -> Any:
    """What each pattern adds to sums of grades, sparse where some add nothing because a judge gave none."""
    from scipy.sparse import csr_array

    whole = np.flatnonzero(patterns.labels == patterns.judges)
    at = np.searchsorted(patterns.of_pattern, whole)[:, None] + np.arange(patterns.judges)
    grades = values[patterns.codes[at]].T
    times = patterns.times[whole]
    middle = float((grades @ times).sum() / max(times.sum() * len(grades), 1))
    added = moments(grades, middle)
    if len(whole) == len(patterns.times):
        return added
    places = np.broadcast_to(np.arange(added.shape[1]), added.shape).ravel()
    rows = np.repeat(whole, added.shape[1])
    return csr_array((added.ravel(), (rows, places)), shape=(len(patterns.times), added.shape[1]))


def measured(
    known: CodedLabels, units: Units | None, confidence: float, *, has_judges: bool = True
) -> list[Coefficient]:
    """Krippendorff's alpha by ranks and by differences, and the intraclass correlations."""
    correlations = intraclass_statistics(known, confidence) if has_judges else ()
    return limited([*_alphas(known), *correlations], units, confidence)


def _alphas(known: CodedLabels) -> Iterator[Statistic]:
    patterns = patterns_of(known)
    for metric in ("ordinal", "interval"):
        scale = on_scale(known, metric)
        rows = added(scale[patterns.codes], patterns.of_pattern, len(patterns.times))
        value = float(alpha_of_sums(patterns.times @ rows))
        reason = "" if not math.isnan(value) else NO_ITEM if not known.shared else NO_CHANCE
        coefficient = Coefficient(f"Krippendorff's alpha ({metric})", value, items=known.shared, reason=reason)
        yield Statistic(coefficient, Group(_summed(rows), lambda sums: sums), alpha_of_sums)


def _summed(rows: Floats) -> Callable[[Units], Floats]:
    def features(units: Units) -> Floats:
        summed: Floats = units.summed(rows)
        return summed

    return features
