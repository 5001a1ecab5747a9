"""Assertions for tests: a run is not worse than a baseline, a mean is not below a number.

>>> import cranfield as cf
>>> judged = {f"q{at}": {"d1": 1} for at in range(9)}
>>> old, new = {query: ["d1"] for query in judged}, {query: ["x", "d1"] for query in judged}
>>> assert_at_least(cf.evaluate(judged, new, "RR"), 0.5, measure="RR").verdict
'pass'
>>> assert_not_worse(cf.evaluate(judged, new, "RR"), cf.evaluate(judged, old, "RR"), measure="RR", margin=0.1)
Traceback (most recent call last):
AssertionError: RR is worse by 0.5000 (1.0000 → 0.5000, 9 queries), with 95% confidence by at least 0.5000; ...
"""

from __future__ import annotations

import os
from typing import Literal, TypedDict

from cranfield.choices import IntervalKind
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluating.scores import Scores
from cranfield.gating import RuleOutcome, gate
from cranfield.measures import Measure

ScoresOrPath = Scores | str | os.PathLike[str]
"""Scores as `evaluate` or `load` gives them, or the path of their file."""

_CHOICES = ("pass", "fail", "skip")


class NotWorseChoices(TypedDict, total=False):
    """How `assert_not_worse` compares; the pytest plugin takes the same words."""

    measure: str | Measure
    margin: float | str
    confidence: float
    interval: IntervalKind
    inconclusive: Literal["pass", "fail", "skip"]
    run: str | None
    baseline_run: str | None
    allow_different_judgments: bool


def assert_not_worse(
    new: ScoresOrPath,
    baseline: ScoresOrPath,
    *,
    measure: str | Measure,
    margin: float | str,
    confidence: float = 0.95,
    interval: IntervalKind = "t",
    inconclusive: Literal["pass", "fail", "skip"] = "pass",
    run: str | None = None,
    baseline_run: str | None = None,
    allow_different_judgments: bool = False,
) -> RuleOutcome:
    """Fail where the mean of a measure is surely worse than the baseline's by more than a margin.

    The margin is in units of the measure, or a share of the baseline's mean such as "2%". Where the queries are too
    few to tell, the test passes, fails or is skipped, as `inconclusive` says. What was found is given back.
    """
    __tracebackhide__ = True
    if inconclusive not in _CHOICES:
        near = did_you_mean(str(inconclusive), _CHOICES)
        raise UsageError(f"inconclusive is pass, fail or skip, not {inconclusive!r}. {near}".strip())
    rules = {
        "not_worse": {"measure": str(measure), "margin": margin},
        "confidence": confidence,
        "interval": interval,
    }
    held = gate(
        new,
        baseline,
        rules,
        run=run,
        baseline_run=baseline_run,
        allow_different_judgments=allow_different_judgments,
    )
    outcome = held.outcomes[0]
    if outcome.verdict == "inconclusive" and inconclusive == "skip":
        from unittest import SkipTest

        raise SkipTest(f"Inconclusive: {outcome.sentence()}")
    if outcome.verdict == "fail" or (outcome.verdict == "inconclusive" and inconclusive == "fail"):
        prefix = "Inconclusive: " if outcome.verdict == "inconclusive" else ""
        raise AssertionError(prefix + outcome.sentence())
    return outcome


def assert_at_least(new: ScoresOrPath, value: float, *, measure: str | Measure, run: str | None = None) -> RuleOutcome:
    """Fail where the mean of a measure is below a number, or above it where less is better."""
    __tracebackhide__ = True
    from cranfield.gating.outcomes import measure_of
    from cranfield.gating.verdict import as_scores

    results = as_scores(new)
    lower = measure_of(str(measure), results).definition.lower_is_better
    rules = {"mean": {"measure": str(measure), "at_most" if lower else "at_least": value}}
    outcome = gate(results, None, rules, run=run).outcomes[0]
    if outcome.verdict != "pass":
        raise AssertionError(outcome.sentence())
    return outcome
