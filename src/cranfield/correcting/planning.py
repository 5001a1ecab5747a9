"""How many queries people have to judge until an interval is narrow enough, with a model's help and without."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from cranfield.arguments import require_positive, require_share
from cranfield.correcting.correction import MeasureValues, require_mean, runs_compared, shared_queries
from cranfield.correcting.prediction_powered import (
    CONFIDENCE,
    fewest,
    of_these_queries,
    prediction_powered,
    spread_of,
    width_alone,
    width_with_model,
)
from cranfield.errors import Finding
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import counted, percent
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION


@dataclass(frozen=True)
class CorrectionNeed:
    """How many queries people have to judge, for the mean of a run or the difference of two."""

    measure: Measure
    run: str
    baseline: str
    """The run it is compared with; empty for a mean."""
    width_now: float
    """How wide the interval is by the queries that people judged so far."""
    needed: int | None
    """Queries that people have to judge, with the model's help; None where a million are not enough."""
    needed_alone: int | None
    """The same by people alone."""
    labels: int | None
    """About how many labels that is, with as many per query as so far; None where it is not known."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **name_dict(self.measure),
            "run": self.run,
            "baseline": self.baseline or None,
            "width_now": finite(self.width_now),
            "needed": self.needed,
            "needed_alone": self.needed_alone,
            "labels": self.labels,
        }


@dataclass(frozen=True, eq=False, repr=False)
class CorrectionPlan(Answer):
    """How many queries people have to judge for a width; shows itself as a verdict and a table."""

    needs: tuple[CorrectionNeed, ...]
    width: float
    people: int
    """Queries that people judged so far."""
    queries: int
    """Queries that the model judged."""
    only_these_queries: bool
    confidence: float
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """The answer for the first difference, or the first mean."""
        return " ".join(_sentences(self))

    def table(self) -> Table:
        """A row per mean and difference."""
        rows = self.needs
        has_differences = any(row.baseline for row in rows)
        columns: dict[str, list[Cell]] = {
            "measure": [str(row.measure) for row in rows],
            "run": [row.run for row in rows],
            **({"baseline": [row.baseline for row in rows]} if has_differences else {}),
            "width now": [row.width_now for row in rows],
            "queries needed": [row.needed for row in rows],
            "labels": [row.labels for row in rows],
            "without model": [row.needed_alone for row in rows],
        }
        return Table(columns, notes=tuple(_notes(self)), optional=("labels",))

    def rows(self) -> Table:
        """The same with plain names, for programs."""
        rows = [need.to_dict() for need in self.needs]
        names: list[Cell] = [str(need.measure) for need in self.needs]
        columns = ("run", "baseline", "width_now", "needed", "labels", "needed_alone")
        return Table(
            {
                "measure": names,
                **{name: [row[name] for row in rows] for name in columns},
                "width": [self.width] * len(rows),
                **canonical_column(names, [need.measure for need in self.needs]),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield correct plan --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "width": self.width,
            "judged": {"people": self.people, "model": self.queries},
            "settings": {"only_these_queries": self.only_these_queries, "confidence": self.confidence},
            "warnings": [str(warning) for warning in self.warnings],
            "needs": [need.to_dict() for need in self.needs],
        }


def plan_correction(
    people: Scores,
    model: Scores,
    *,
    width: float,
    baseline: str | None = None,
    only_these_queries: bool = False,
    confidence: float = CONFIDENCE,
) -> CorrectionPlan:
    """How many queries people have to judge until the intervals of `correct` are no wider than `width`.

    Takes what `correct` takes: scores by people's judgments of some queries, drawn at random, and by a model's labels
    of these and of others. They show how much values vary from query to query, and how much of it the model explains.
    People are taken to judge more of the queries that the model judged; beyond these, other queries without a model.

    >>> import cranfield as cf
    >>> queries = [f"q{at}" for at in range(40)]
    >>> rank = {query: 1 + at * 7 % 4 for at, query in enumerate(queries)}
    >>> run = {query: [f"d{place}" for place in range(1, 6)] for query in queries}
    >>> by_model = {query: {f"d{max(rank[query] - 1, 1)}": 1} for query in queries}
    >>> by_people = {query: {f"d{rank[query]}": 1} for query in queries[:12]}
    >>> plan = plan_correction(cf.evaluate(by_people, run, "RR"), cf.evaluate(by_model, run, "RR"), width=0.2)
    >>> print(plan.needs[0].needed, plan.needs[0].needed_alone)
    36 38
    """
    require_share(confidence, "confidence")
    require_positive(width, "width")
    both, others, warnings = shared_queries(people, model)
    of_people = people.detail.judgments if people.detail else None
    per_query = None if of_people is None else len(of_people.documents) / len(of_people.queries)
    needs = []
    for measure in people.measures:
        require_mean(measure)
        values = MeasureValues(measure, people.only(both), model.only(both), model.only(others))
        for run, base in runs_compared(values.people, baseline):
            y, f, u = values.of(run, base)
            now = (of_these_queries if only_these_queries else prediction_powered)(y, f, u, confidence=confidence)
            how: dict[str, Any] = {"spread": spread_of(y, f, u), "queries": len(y) + len(u), "confidence": confidence}
            needed, alone = (
                _needed(partial(width_of, **how, only_these=only_these_queries), width)
                for width_of in (width_with_model, width_alone)
            )
            needs.append(
                CorrectionNeed(
                    measure,
                    people.runs[run],
                    "" if base is None else people.runs[base],
                    now.high - now.low,
                    needed,
                    alone,
                    None if needed is None or per_query is None else math.ceil(needed * per_query),
                )
            )
    return CorrectionPlan(
        tuple(needs), width, len(both), len(both) + len(others), only_these_queries, confidence, tuple(warnings)
    )


def _needed(width_of: Callable[..., float], width: float) -> int | None:
    return fewest(lambda people: width_of(people=people) <= width)


def _sentences(plan: CorrectionPlan) -> Iterator[str]:
    first = plan.needs[0]
    what = f"{first.measure} of {first.run}" + (f" less {first.baseline}" if first.baseline else "")
    goal = f"a {percent(plan.confidence)} interval of {what} no wider than {plan.width:g}"
    if first.needed is None:
        yield f"Not even a million queries judged by people give {goal}."
    else:
        labels = "" if first.labels is None else f", about {counted(first.labels, 'label')},"
        yield f"For {goal}, people have to judge {counted(first.needed, 'query')}{labels} with the model's help."
        if first.needed > plan.queries:
            yield f"There are only {counted(plan.queries, 'query')} so far: collect more."
    if first.needed_alone is not None:
        yield f"Without the model they have to judge {counted(first.needed_alone, 'query')}."
    yield f"They judged {plan.people:,} so far, which gives a width of {first.width_now:z.4f}."


def _notes(plan: CorrectionPlan) -> Iterator[str]:
    yield (
        "queries needed: judged by people, drawn at random, with the model's labels of the others. without model: the "
        "same by people alone. Both assume that queries vary as those judged so far do."
    )
    yield from legend(list(dict.fromkeys(need.measure for need in plan.needs)))
