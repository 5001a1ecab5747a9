"""A baseline that only rises: where a run that passed is no worse, its scores become the baseline's."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield.errors import Finding, UsageError
from cranfield.evaluating import aggregate
from cranfield.evaluating.scores import Scores, ScoreSource
from cranfield.gating.outcomes import side_by_side
from cranfield.gating.verdict import Gate
from cranfield.gating.words import from_to
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table, finite

Fate = Literal["raised", "equal", "kept"]


class RatchetStep(NamedTuple):
    """What became of one measure."""

    measure: str
    fate: Fate
    """raised: the run is better; equal: it is as good, and the baseline follows it; kept: the run is worse."""
    before: float
    after: float
    run: float
    """What the run has."""
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Ratchet(Answer):
    """The baseline after a run was compared with it; shows itself as the gate, and what became of each measure."""

    gate: Gate
    results: Scores
    steps: tuple[RatchetStep, ...]
    refused: str = ""
    """Why nothing can move at all."""
    changed: bool = False
    """Whether the results differ from what they were."""
    warnings: tuple[Finding, ...] = ()

    @property
    def state(self) -> str:
        """What became of the baseline, in a sentence."""
        name = self.gate.rules.baseline
        baseline = "Baseline" if name is None else f"Baseline {name}"
        if self.refused:
            return f"{baseline}: unchanged, because {self.refused}."
        return f"{baseline}: {'updated' if self.changed else 'unchanged'}."

    def verdict(self) -> str:
        """The verdict of the gate, and what became of the baseline."""
        return f"{self.gate.verdict()}. {self.state}"

    def tables(self) -> list[Table]:
        """A row for each rule, and one for each measure of the baseline."""
        return [*self.gate.tables(), *([self.table()] if self.steps else [])]

    def table(self) -> Table:
        """What became of each measure."""
        return Table(
            {
                "measure": [step.measure for step in self.steps],
                "baseline": [_change(step) for step in self.steps],
                "run": [step.run for step in self.steps],
                "": [_reason(step) for step in self.steps],
            }
        )

    def rows(self) -> Table:
        """A row for each rule, and with the rule `baseline` one for each measure of the baseline."""
        rules = self.gate.rows()
        verdicts: dict[Fate, str] = {"raised": "raised", "equal": "equal", "kept": "unchanged"}
        steps: dict[str, list[Cell]] = {
            "verdict": [verdicts[step.fate] for step in self.steps],
            "rule": ["baseline"] * len(self.steps),
            "measure": [step.measure for step in self.steps],
            "value": [step.run for step in self.steps],
            "limit": [step.before for step in self.steps],
        }
        empty: list[Cell] = [None] * len(self.steps)
        return Table({name: [*cells, *steps.get(name, empty)] for name, cells in rules.columns.items()})

    def to_dict(self) -> dict[str, Any]:
        """What the gate says and what moved, as plain values."""
        return {
            **self.gate.to_dict(),
            "warnings": [str(warning) for warning in self.warnings],
            "update": {
                "changed": self.changed,
                "refused": self.refused,
                "measures": [
                    {
                        name: finite(value) if isinstance(value, float) else value
                        for name, value in step._asdict().items()
                    }
                    for step in self.steps
                ],
            },
        }


def ratcheted(gate: Gate) -> Ratchet:
    """The baseline with the run's scores, measure by measure, where that lowers no mean; only if the run passed.

    A baseline may so hold scores of several runs; it then says which measure comes from which.
    """
    old, new = gate.baseline, gate.results
    if old is None:
        raise UsageError("None of the rules compares with a baseline, so there is no baseline to update.")
    if gate.decision != "pass":
        refused = f"the verdict is {gate.decision}; only a run that passes raises it"
        return Ratchet(gate, old, (), refused, warnings=gate.warnings)
    if old.provenance.judgments.sha256 != new.provenance.judgments.sha256:
        refused = "the run was judged by other judgments; write it again with gate init --force"
        return Ratchet(gate, old, (), refused, warnings=gate.warnings)
    together = side_by_side(old, new)
    steps = [
        _step(together, measure) if measure.canonical in together.canonical else _unknown(old, measure)
        for measure in old.measures
    ]
    taken = [step.measure for step in steps if step.fate != "kept"]
    results = _with_scores(old, new, taken)
    changed = not (
        np.array_equal(results.values, old.values, equal_nan=True) and np.array_equal(results.counted, old.counted)
    )
    return Ratchet(gate, results if changed else old, tuple(steps), changed=changed, warnings=gate.warnings)


def _step(together: Scores, measure: Measure) -> RatchetStep:
    before, run = (together.mean(measure, name).value for name in together.runs)
    old, new = together.settled(measure)
    sign = -1 if measure.definition.lower_is_better else 1
    shared = ~np.isnan(old) & ~np.isnan(new)
    lost = int((~np.isnan(old) & np.isnan(new)).sum())
    means = [aggregate.mean(measure, scores[shared], "skip").value for scores in (old, new)]
    if lost:
        return RatchetStep(str(measure), "kept", before, before, run, f"{counted(lost, 'query')} lost their score")
    if math.isnan(means[1]) or sign * means[1] < sign * means[0] or sign * run < sign * before:
        return RatchetStep(str(measure), "kept", before, before, run)
    return RatchetStep(str(measure), "raised" if run != before else "equal", before, run, run)


def _unknown(old: Scores, measure: Measure) -> RatchetStep:
    before = old.mean(measure, old.runs[0]).value
    return RatchetStep(str(measure), "kept", before, before, math.nan, "the run was not measured by it")


def _with_scores(old: Scores, new: Scores, taken: list[str]) -> Scores:
    """The old results with the new scores of some measures."""
    place = {query: at for at, query in enumerate(new.queries)}
    order = [place[query] for query in old.queries]
    values, counted = old.values.copy(), old.counted.copy()
    for at, measure in enumerate(old.measures):
        if str(measure) in taken:
            row = new.position(measure)
            values[at], counted[at] = new.values[row][:, order], new.counted[row][:, order]
    if len(taken) == len(old.measures):
        settings = tuple(new.provenance.settings[new.position(measure)] for measure in old.measures)
        provenance = replace(new.provenance, settings=settings)
        return replace(
            old,
            runs=new.runs,
            values=values,
            counted=counted,
            provenance=provenance,
            find_warnings=new.find_warnings,
            detail=None,
        )
    (about,) = old.provenance.runs
    names = [measure.canonical for measure in old.measures if str(measure) in taken]
    raised = {**about.raised, **dict.fromkeys(names, _source(new))}
    provenance = replace(old.provenance, runs=(replace(about, raised=raised),))
    return replace(old, values=values, counted=counted, provenance=provenance, detail=None)


def _source(new: Scores) -> ScoreSource:
    (about,) = new.provenance.runs
    return ScoreSource(new.runs[0], about.path, about.sha256)


def _change(step: RatchetStep) -> str:
    return from_to(step.before, step.after) if step.fate == "raised" else f"{step.before:z.4f}"


def _reason(step: RatchetStep) -> str:
    if step.reason:
        return f"unchanged: {step.reason}"
    return {"raised": "better", "equal": "equal", "kept": "unchanged: the run is worse"}[step.fate]
