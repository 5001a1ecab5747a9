"""Means estimated from a few values by people and many by a model, with intervals that hold however wrong the model is.

Pure functions over arrays: a value per query, or per document of a stratum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arguments import require_share
from cranfield.arrays import Floats
from cranfield.errors import UsageError
from cranfield.evaluating.aggregate import exact_sum, t_limit

FEWEST = 3
"""Queries judged by people below which there is nothing to estimate from."""
CONFIDENCE = 0.95
MOST_PLANNED = 1_000_000
"""Queries beyond which nobody plans."""


class CorrectedMean(NamedTuple):
    """A mean, its standard error and its interval."""

    value: float
    low: float
    high: float
    error: float
    freedom: int
    """Degrees of freedom of Student's t."""
    weight: float
    """How much the model's values count, from 0 (not at all) to 1."""

    @property
    def t(self) -> float:
        """The mean in standard errors."""
        return self.value / self.error if self.error else math.copysign(math.inf, self.value) if self.value else 0.0


def prediction_powered(
    people: Floats, model: Floats, model_only: Floats, *, confidence: float = CONFIDENCE
) -> CorrectedMean:
    r"""The mean over all queries of the kind that was sampled, from people's values of some and a model's of all.

    .. math:: \hat\theta = \frac{1}{n} \sum_i \left( Y_i - \lambda_{-i} (f_i - \bar u) \right), \quad
              \lambda_{-i} = \mathrm{clip}_{[0, 1]} \frac{\mathrm{cov}_{-i}(Y, f)}{(1 + n/N) \, \mathrm{var}(f \cup u)}

    Y_i is the value by people and f_i by the model of the n queries that both judged, ū the mean of the model's on the
    N others. The standard error has var(c)/n of the corrected values and λ̄² var(u)/N, and the interval is Student's t
    with n - 2 degrees of freedom. Each weight is found without the query it is used for: found with it, intervals of
    few queries are too narrow. After Angelopoulos and others, Science 382, 2023, doi:10.1126/science.adi6000, with
    weights as in their PPI++, arXiv:2311.01453.

    The n queries have to be a random sample. However wrong the model is, the interval holds; the better the model
    agrees with people, the narrower it is.

    A model that overrates all queries by 0.2 tells how hard the other queries are, and is corrected for the rest:

    >>> people = np.array([0.1, 0.5, 0.4, 0.8, 0.2])
    >>> estimate = prediction_powered(people, people + 0.2, np.array([0.5, 0.9, 0.7, 0.6, 0.8, 0.4, 0.7, 0.6]))
    >>> print(round(estimate.value, 3), round(estimate.weight, 2))
    0.481 0.89
    """
    require_share(confidence, "confidence")
    n, others = len(people), len(model_only)
    _require(n, others)
    spread = _variance(np.concatenate([model, model_only]))
    covariances = _covariances_without_each(people, model)
    weights = np.clip(covariances / ((1 + n / others) * spread), 0, 1) if spread > 0 else np.zeros(n)
    corrected = people - weights * (model - _mean(model_only))
    weight = _mean(weights)
    variance = _variance(corrected) / n + weight**2 * _variance(model_only) / others
    return _estimate(_mean(corrected), variance, n - 2, weight, confidence)


def of_these_queries(
    people: Floats, model: Floats, model_only: Floats, *, confidence: float = CONFIDENCE
) -> CorrectedMean:
    r"""The mean over exactly these queries, had people judged all of them.

    .. math:: \hat\theta = \frac{1}{Q} \sum_Q F + \frac{1}{n} \sum_S (Y - F), \quad
              \left(1 - \frac{n}{Q}\right) \frac{\mathrm{var}(Y - F)}{n}

    The difference estimator of survey sampling (Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 1992). Its
    error shrinks to nothing as people judge more: what other queries would give is not asked.

    >>> estimate = of_these_queries(np.array([0.2, 0.4, 0.6]), np.array([0.3, 0.5, 0.7]), np.array([0.9, 0.5]))
    >>> print(round(estimate.value, 3), round(estimate.error, 6))
    0.48 0.0
    """
    require_share(confidence, "confidence")
    n, others = len(people), len(model_only)
    _require(n, others)
    apart = people - model
    value = (exact_sum(model) + exact_sum(model_only)) / (n + others) + _mean(apart)
    return _estimate(value, (1 - n / (n + others)) * _variance(apart) / n, n - 1, 1.0, confidence)


class StratumSample(NamedTuple):
    """Of the documents of one stratum, those that people labelled."""

    documents: int
    """How many there are."""
    apart: Floats
    """Of each one labelled, what it adds to the score by people's grade, less what it adds by the model's."""


def corrected_score(model: float, strata: Sequence[StratumSample]) -> tuple[float, float]:
    r"""A query's score by the model's grades, corrected by people's of a stratified sample, and its variance.

    .. math:: \hat M = \sum_d w_d f_d + \sum_h \frac{N_h}{n_h} \sum_{d \in S_h} w_d (y_d - f_d), \quad
              \sum_h N_h^2 \left(1 - \frac{n_h}{N_h}\right) \frac{s_h^2}{n_h}

    Unbiased for every measure that is a sum over documents, whatever the model says. The variance, s² being that of
    w (y - f) among the labelled ones, is of the drawing alone; NaN where a stratum of several has one labelled.

    >>> score, variance = corrected_score(0.5, [StratumSample(4, np.array([0.0, -0.1]))])
    >>> print(round(score, 3), round(variance, 3))
    0.3 0.02
    """
    score, variances = model, 0.0
    for documents, apart in strata:
        n = len(apart)
        score += documents / n * exact_sum(apart)
        if n < documents:
            spread = _variance(apart) if n > 1 else math.nan
            variances += documents**2 * (1 - n / documents) * spread / n
    return score, variances


class QuerySpread(NamedTuple):
    """What decides how wide an interval is, whatever the number of queries that people judge."""

    people: float
    """The variance of people's values."""
    model: float
    """The variance of the model's values."""
    both: float
    """The covariance of the two."""
    apart: float
    """The variance of people's values less the model's."""

    def error_squared(self, people: int, others: int) -> float:
        """The variance of an estimate from so many queries of people, and of the model alone."""
        if not others or self.model <= 0:
            return self.people / people
        weight = min(max(self.both / ((1 + people / others) * self.model), 0.0), 1.0)
        explained = 2 * weight * self.both - weight**2 * self.model
        return max(self.people - explained, 0.0) / people + weight**2 * self.model / others


def spread_of(people: Floats, model: Floats, model_only: Floats) -> QuerySpread:
    """What the queries judged so far tell about how much values vary."""
    _require(len(people), len(model_only))
    of_people, of_model = _variance(people), _variance(np.concatenate([model, model_only]))
    # The variance of the model is of more queries than the covariance, which must not exceed what both allow.
    both = min(_covariance(people, model), math.sqrt(of_people * of_model))
    return QuerySpread(of_people, of_model, both, _variance(people - model))


def width_with_model(
    spread: QuerySpread, people: int, queries: int, *, only_these: bool = False, confidence: float = CONFIDENCE
) -> float:
    """How wide the interval is about to be if people judge so many of the queries, and the model all of them.

    >>> close = QuerySpread(0.09, 0.09, 0.08, 0.02)
    >>> [round(width_with_model(close, people, 200), 3) for people in (10, 50, 200)]
    [0.218, 0.109, 0.084]
    """
    if only_these:
        left = max(1 - people / queries, 0.0)
        return 2 * t_limit(people - 1, 1 - confidence) * math.sqrt(left * spread.apart / people)
    others = max(queries - people, 0)
    freedom = people - 2 if others else people - 1
    return 2 * t_limit(freedom, 1 - confidence) * math.sqrt(spread.error_squared(people, others))


def width_alone(
    spread: QuerySpread, people: int, queries: int, *, only_these: bool = False, confidence: float = CONFIDENCE
) -> float:
    """The same without the model."""
    left = max(1 - people / queries, 0.0) if only_these else 1.0
    return 2 * t_limit(people - 1, 1 - confidence) * math.sqrt(left * spread.people / people)


def fewest(is_enough: Callable[[int], bool], most: int = MOST_PLANNED) -> int | None:
    """The fewest queries that are enough, where more are never worse; None where not even the most are.

    >>> fewest(lambda queries: queries >= 40), fewest(lambda queries: False)
    (40, None)
    """
    if not is_enough(most):
        return None
    least, enough = FEWEST - 1, most
    while enough - least > 1:
        middle = (least + enough) // 2
        least, enough = (least, middle) if is_enough(middle) else (middle, enough)
    return enough


def _estimate(value: float, variance: float, freedom: int, weight: float, confidence: float) -> CorrectedMean:
    error = math.sqrt(variance)
    half = t_limit(freedom, 1 - confidence) * error
    return CorrectedMean(value, value - half, value + half, error, freedom, weight)


def _require(people: int, others: int) -> None:
    if people < FEWEST:
        raise UsageError(f"A correction needs at least {FEWEST} queries judged by people; there are {people}.")
    if not others:
        raise UsageError("The model judged no query that people did not, so there is nothing to correct.")


def _mean(values: Floats) -> float:
    return exact_sum(values) / len(values)


def _variance(values: Floats) -> float:
    return exact_sum((values - _mean(values)) ** 2) / (len(values) - 1) if len(values) > 1 else 0.0


def _covariance(first: Floats, second: Floats) -> float:
    return exact_sum((first - _mean(first)) * (second - _mean(second))) / (len(first) - 1)


def _covariances_without_each(first: Floats, second: Floats) -> Floats:
    """The covariance of all pairs but one, for each that is left out."""
    n = len(first)
    # Centred first: large means would leave few digits of the products.
    a, b = first - _mean(first), second - _mean(second)
    products = exact_sum(a * b) - a * b
    return (products - a * b / (n - 1)) / (n - 2)
