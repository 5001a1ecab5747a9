"""What a few queries judged by people make of scores by a model's labels: means and differences that can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from cranfield import errors
from cranfield.arguments import require_share
from cranfield.arrays import Floats
from cranfield.choices import Correction
from cranfield.comparing.corrections import corrected as corrected_p
from cranfield.comparing.intervals import t_interval
from cranfield.comparing.significance_tests.student import two_sided
from cranfield.correcting.prediction_powered import (
    CONFIDENCE,
    FEWEST,
    CorrectedMean,
    of_these_queries,
    prediction_powered,
)
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import counted, percent
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, Estimate, PValue, Rounded, Table, finite
from cranfield.version import VERSION

FEW_OTHERS = 5
"""Queries whose score is not the most frequent one, below which an interval cannot be trusted."""
FEW = 20
"""Queries judged by people below which coverage was found to vary with the measure."""


@dataclass(frozen=True)
class CorrectedScore:
    """The mean of a run, or the mean difference of two, under one measure."""

    measure: Measure
    run: str
    baseline: str
    """The run it is compared with; empty for a mean."""
    corrected: CorrectedMean
    people: Estimate
    """From the queries that people judged, without the model."""
    model: Estimate
    """From the model's labels of all queries, as if they were right."""
    bias: float
    """The mean of the model's value less people's, on the queries that both judged."""
    correlation: float
    """Of people's and the model's values of these queries; NaN where either does not vary."""
    worth: float
    """What a query judged by people counts as, with the model's help; NaN where nothing varies."""
    p: float = math.nan
    """Of a difference: how likely one so large would be without any, corrected for the number of comparisons."""

    @property
    def is_difference(self) -> bool:
        """Whether it is a difference of two runs."""
        return bool(self.baseline)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **name_dict(self.measure),
            "run": self.run,
            "baseline": self.baseline or None,
            "value": finite(self.corrected.value),
            "low": finite(self.corrected.low),
            "high": finite(self.corrected.high),
            "standard_error": finite(self.corrected.error),
            "weight": finite(self.corrected.weight),
            "people": dict(zip(("value", "low", "high"), map(finite, self.people), strict=True)),
            "model": dict(zip(("value", "low", "high"), map(finite, self.model), strict=True)),
            "bias": finite(self.bias),
            "correlation": finite(self.correlation),
            "worth": finite(self.worth),
            "p": finite(self.p),
        }


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedScores(Answer):
    """Means and differences by a model's labels, corrected by people's; shows itself as a verdict and a table."""

    scores: tuple[CorrectedScore, ...]
    people: int
    """Queries, or documents, judged by people."""
    others: int
    """Those judged by the model alone."""
    only_these_queries: bool
    confidence: float
    correction: Correction
    unit: Literal["query", "document"] = "query"
    """What people judged a random sample of."""
    warnings: tuple[Finding, ...] = ()

    def of(self, measure: str | Measure, run: str, baseline: str = "") -> CorrectedScore:
        """One mean, or with a baseline one difference."""
        for score in self.scores:
            names = (str(score.measure), score.measure.canonical)
            if str(measure) in names and (score.run, score.baseline) == (run, baseline):
                return score
        what = f"{run} and {baseline}" if baseline else run
        raise UsageError(f"There is no corrected {measure} for {what}.")

    def verdict(self) -> str:
        """The first difference, or the first mean, in words."""
        return " ".join(_sentences(self))

    def table(self) -> Table:
        """A row per mean and difference."""
        rows = self.scores
        columns: dict[str, list[Cell]] = {
            "measure": [str(row.measure) for row in rows],
            "run": [row.run for row in rows],
            **({"baseline": [row.baseline for row in rows]} if self._has_differences else {}),
            "corrected": [Estimate(row.corrected.value, row.corrected.low, row.corrected.high) for row in rows],
            **({"p": [_p(row) for row in rows]} if self._has_differences else {}),
            "people alone": [row.people for row in rows],
            "model alone": [row.model for row in rows],
            "model's bias": [row.bias for row in rows],
            "correlation": [row.correlation for row in rows],
            "worth": [Rounded(row.worth, 1) for row in rows],
        }
        return Table(columns, notes=tuple(_notes(self)), optional=("correlation", "model's bias", "worth"))

    def rows(self) -> Table:
        """The same with plain names, for programs."""
        rows = [row.to_dict() for row in self.scores]
        measures = [row.measure for row in self.scores]
        names: list[Cell] = [str(measure) for measure in measures]
        plain: dict[str, list[Cell]] = {
            "measure": names,
            **{key: [row[key] for row in rows] for key in ("run", "baseline", "value", "low", "high")},
            "p": [_p(row) for row in self.scores],
            **{
                f"{who}_{key}": [row[who][key] for row in rows]
                for who in ("people", "model")
                for key in ("value", "low", "high")
            },
            **{key: [row[key] for row in rows] for key in ("bias", "correlation", "weight", "worth")},
        }
        return Table({**plain, **canonical_column(names, measures)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield correct --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "judged": {"unit": self.unit, "people": self.people, "model_only": self.others},
            "settings": {
                "only_these_queries": self.only_these_queries,
                "confidence": self.confidence,
                "correction": self.correction,
            },
            "warnings": [str(warning) for warning in self.warnings],
            "scores": [score.to_dict() for score in self.scores],
        }

    @property
    def _has_differences(self) -> bool:
        return any(row.is_difference for row in self.scores)


def correct(
    people: Scores,
    model: Scores,
    *,
    baseline: str | None = None,
    only_these_queries: bool = False,
    confidence: float = CONFIDENCE,
    correction: Correction = "holm",
) -> CorrectedScores:
    """Means and differences of runs from a model's labels of many queries, corrected by people's of a few.

    `people` are scores by the judgments of people, for some queries that were **drawn at random**; `model` are scores
    of the same runs by a model's labels, for these queries and others. Both together give an estimate of what people's
    judgments of all queries would give, with an interval that holds however wrong the model is. With
    `only_these_queries` it is about exactly these queries rather than all of their kind. Every run is compared with
    the `baseline`, by default the first. `plan_correction` tells how many queries people have to judge.

    >>> import cranfield as cf
    >>> queries = [f"q{at}" for at in range(40)]
    >>> rank = {query: 1 + at * 7 % 4 for at, query in enumerate(queries)}
    >>> run = {query: [f"d{place}" for place in range(1, 6)] for query in queries}
    >>> by_model = {query: {f"d{max(rank[query] - 1, 1)}": 1} for query in queries}
    >>> by_people = {query: {f"d{rank[query]}": 1} for query in queries[:12]}
    >>> corrected = cf.correct(cf.evaluate(by_people, run, "RR"), cf.evaluate(by_model, run, "RR"))
    >>> print(round(corrected.scores[0].model.value, 2), round(corrected.scores[0].corrected.value, 2))
    0.71 0.52
    """
    require_share(confidence, "confidence")
    both, others, warnings = shared_queries(people, model)
    rows: list[CorrectedScore] = []
    for measure in people.measures:
        require_mean(measure)
        values = MeasureValues(measure, people.only(both), model.only(both), model.only(others))
        of_measure = list(_rows(values, people.runs, baseline, only_these_queries, confidence))
        warnings += _nearly_constant(values, people.runs, baseline)
        rows += with_corrected_p(of_measure, correction)
    return CorrectedScores(
        tuple(rows), len(both), len(others), only_these_queries, confidence, correction, warnings=tuple(warnings)
    )


def _nearly_constant(values: MeasureValues, runs: Sequence[str], baseline: str | None) -> list[Finding]:
    """What to say where nearly all queries have the same score or difference: a few may all have it."""
    constant = [
        runs[run] if other is None else f"{runs[run]} less {runs[other]}"
        for run, other in runs_compared(values.people, baseline)
        if _others(values.of(run, other)[0]) < FEW_OTHERS
    ]
    return [errors.correcting.nearly_constant(str(values.measure), constant)] if constant else []


def _others(scores: Floats) -> int:
    """How many scores are not the most frequent one."""
    return len(scores) - int(np.unique(scores, return_counts=True)[1].max(initial=0))


def shared_queries(people: Scores, model: Scores) -> tuple[list[str], list[str], list[Finding]]:
    """The queries that both judged, those that the model judged alone, and what is surprising about them."""
    _require_same(people, model)
    # That most queries of the runs have no judgments by people is what this is for.
    of_people = people.detail.judgments.warnings if people.detail else ()
    if any(warning.kind == errors.model_judging.ALONE for warning in of_people):
        raise errors.correcting.people_by_model(people.provenance.judgments.path)
    of_model, judged = set(model.queries), set(people.queries)
    both = [query for query in people.queries if query in of_model]
    others = [query for query in model.queries if query not in judged]
    if len(both) < FEWEST:
        raise errors.correcting.too_few_queries(len(both), FEWEST, len(people.queries), len(model.queries))
    if not others:
        raise errors.correcting.nothing_to_correct(len(both))
    warnings = [*of_people, *without_model_alone(model.warnings)]
    if missing := [query for query in people.queries if query not in of_model]:
        warnings.append(errors.correcting.without_model(missing))
    if len(both) < FEW:
        warnings.append(errors.correcting.few_queries(len(both), FEW))
    return both, others, list(dict.fromkeys(warnings))


def without_model_alone(warnings: Iterable[Finding]) -> list[Finding]:
    """Warnings but for the one that a model judged alone: here people correct it."""
    return [warning for warning in warnings if warning.kind != errors.model_judging.ALONE]


def _require_same(people: Scores, model: Scores) -> None:
    if people.runs != model.runs or people.canonical != model.canonical:
        raise UsageError("Scores by people and by the model must be of the same runs and measures, in the same order.")


def require_mean(measure: Measure) -> None:
    """Refuse a measure that is not averaged over queries."""
    if measure.definition.mean != "arithmetic":
        raise UsageError(f"{measure} has no arithmetic mean over queries, so it cannot be corrected.")


@dataclass(frozen=True)
class MeasureValues:
    """One measure: by run, its scores by people and by the model."""

    measure: Measure
    people: Scores
    model: Scores
    others: Scores

    def of(self, run: int, baseline: int | None) -> tuple[Floats, Floats, Floats]:
        """The values of a run, or its differences to another, where both are defined."""
        y, f, u = (
            _of(scores.settled(self.measure), run, baseline) for scores in (self.people, self.model, self.others)
        )
        defined = ~(np.isnan(y) | np.isnan(f))
        return y[defined], f[defined], u[~np.isnan(u)]


def _of(settled: Floats, run: int, baseline: int | None) -> Floats:
    values: Floats = settled[run] if baseline is None else settled[run] - settled[baseline]
    return values


def runs_compared(scores: Scores, baseline: str | None) -> list[tuple[int, int | None]]:
    """Every run with its baseline, by position, and then every run alone."""
    base = 0 if baseline is None else scores.run_position(baseline)
    alone: list[tuple[int, int | None]] = [(run, None) for run in range(len(scores.runs))]
    return [*((run, base) for run in range(len(scores.runs)) if run != base), *alone]


def _rows(
    values: MeasureValues, runs: Sequence[str], baseline: str | None, only_these: bool, confidence: float
) -> Iterator[CorrectedScore]:
    for run, other in runs_compared(values.people, baseline):
        y, f, u = values.of(run, other)
        estimated = (of_these_queries if only_these else prediction_powered)(y, f, u, confidence=confidence)
        alone, by_model = (
            t_interval(y, confidence=confidence),
            t_interval(np.concatenate([f, u]), confidence=confidence),
        )
        spread = float(np.var(y, ddof=1)) / len(y)
        yield CorrectedScore(
            values.measure,
            runs[run],
            "" if other is None else runs[other],
            estimated,
            Estimate(alone.value, alone.low, alone.high),
            Estimate(by_model.value, by_model.low, by_model.high),
            float(np.mean(f - y)),
            _correlation(y, f),
            spread / estimated.error**2 if spread and estimated.error else math.nan,
            math.nan if other is None else two_sided(estimated.t, estimated.freedom),
        )


def with_corrected_p(rows: Sequence[CorrectedScore], correction: Correction) -> list[CorrectedScore]:
    """The rows of one measure, their p-values corrected for the number of differences."""
    p = corrected_p([row.p for row in rows], correction)
    return [replace(row, p=float(value)) for row, value in zip(rows, p, strict=True)]


def _correlation(people: Floats, model: Floats) -> float:
    if not (np.ptp(people) and np.ptp(model)):
        return math.nan
    return float(np.corrcoef(people, model)[0, 1])


def _p(row: CorrectedScore) -> Cell:
    return None if math.isnan(row.p) else PValue(row.p)


def _sentences(answer: CorrectedScores) -> Iterator[str]:
    first = answer.scores[0]
    level = percent(answer.confidence)
    estimate = f"{level} interval {first.corrected.low:z.4f} to {first.corrected.high:z.4f}"
    if first.is_difference:
        yield (
            f"{_compared(first, 1 - answer.confidence)} {first.corrected.value:+z.4f} ({estimate}, p = {first.p:.2g}), "
            f"from {counted(answer.people, answer.unit)} judged by people and {answer.others:,} more by the model."
        )
    else:
        yield (
            f"{first.measure} of {first.run} is {first.corrected.value:z.4f} ({estimate}), from "
            f"{counted(answer.people, answer.unit)} judged by people and {answer.others:,} more by the model."
        )
    yield (
        f"The model's labels alone say {first.model.value:z.4f}, people's alone {first.people.value:z.4f} "
        f"({first.people.low:z.4f} to {first.people.high:z.4f})."
    )
    if not math.isnan(first.worth):
        yield f"With the model's help, each {answer.unit} judged by people counts as {first.worth:z.1f}."


def _compared(row: CorrectedScore, alpha: float) -> str:
    value = -row.corrected.value if row.measure.definition.lower_is_better else row.corrected.value
    if row.p >= alpha or not value:
        return f"No significant difference between {row.run} and {row.baseline} on {row.measure}:"
    return f"{row.run} is {'better' if value > 0 else 'worse'} than {row.baseline} on {row.measure}:"


_METHODS = {
    ("query", False): "all queries of this kind (prediction-powered, leave-one-out weights, Student's t)",
    ("query", True): "exactly these queries (difference estimator)",
    ("document", False): "all queries of this kind (difference estimator of every query, Student's t over queries)",
    ("document", True): "exactly these queries (difference estimator of every query)",
}
_SAMPLE = {
    "query": "The queries judged by people must be a random sample of all queries.",
    "document": "The documents labelled by people must be drawn at random from every stratum.",
}


def _notes(answer: CorrectedScores) -> Iterator[str]:
    yield f"corrected: what people's judgments would give of {_METHODS[answer.unit, answer.only_these_queries]}."
    yield _SAMPLE[answer.unit]
    yield "worth: what one of them counts as, thanks to the model; bias: the model's value less people's."
    differences = sum(row.is_difference and row.measure == answer.scores[0].measure for row in answer.scores)
    if differences > 1:
        yield f"p: {answer.correction} correction for {counted(differences, 'comparison')} per measure."
    yield from legend(list(dict.fromkeys(row.measure for row in answer.scores)))
