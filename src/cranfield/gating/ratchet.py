"""A baseline that only rises: where a run that passed is no worse, its scores become the baseline's."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield import aggregate
from cranfield.errors import UsageError
from cranfield.gating.verdict import Gate, side_by_side
from cranfield.gating.words import from_to
from cranfield.measures import Measure
from cranfield.scores import Scores, ScoreSource
from cranfield.show.table import finite

Fate = Literal["raised", "equal", "kept"]


class Step(NamedTuple):
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
class Ratchet:
    """The baseline after a run was held against it."""

    results: Scores
    steps: tuple[Step, ...]
    refused: str = ""
    """Why nothing can move at all."""
    changed: bool = False
    """Whether the results differ from what they were."""

    def lines(self, name: str) -> list[str]:
        """What moved, in words; `name` is that of the file."""
        if self.refused:
            return [f"Baseline {name}: not touched, because {self.refused}."]
        return [f"Baseline {name}: {'updated' if self.changed else 'as it was'}."] + [
            f"  {_told(step)}" for step in self.steps
        ]

    def to_dict(self) -> dict[str, Any]:
        """What moved, as plain values."""
        return {
            "changed": self.changed,
            "refused": self.refused,
            "measures": [
                {name: finite(value) if isinstance(value, float) else value for name, value in step._asdict().items()}
                for step in self.steps
            ],
        }


def ratcheted(gate: Gate) -> Ratchet:
    """The baseline with the run's scores, measure by measure, where that lowers no mean; only if the run passed.

    A baseline may so hold scores of several runs; it then says which measure comes from which.
    """
    old, new = gate.baseline, gate.results
    if old is None:
        raise UsageError("No rule looks at a baseline, so there is none to raise.")
    if gate.verdict != "pass":
        return Ratchet(old, (), f"the verdict is {gate.verdict}; only a run that passes raises it")
    if old.provenance.judgments.sha256 != new.provenance.judgments.sha256:
        return Ratchet(old, (), "the run was judged by other judgments; write it anew with --init --force")
    together = side_by_side(old, new)
    names = [str(measure) for measure in together.measures]
    steps = [_step(together, measure) if str(measure) in names else _unknown(old, measure) for measure in old.measures]
    taken = [step.measure for step in steps if step.fate != "kept"]
    results = _with_scores(old, new, taken)
    changed = not (
        np.array_equal(results.values, old.values, equal_nan=True) and np.array_equal(results.counted, old.counted)
    )
    return Ratchet(results if changed else old, tuple(steps), changed=changed)


def _step(together: Scores, measure: Measure) -> Step:
    before, run = (together.mean(measure, name).value for name in together.runs)
    old, new = together.settled(measure)
    sign = -1 if measure.definition.lower_is_better else 1
    shared = ~np.isnan(old) & ~np.isnan(new)
    lost = int((~np.isnan(old) & np.isnan(new)).sum())
    means = [aggregate.mean(measure, scores[shared], "skip").value for scores in (old, new)]
    if lost:
        many = "1 query has" if lost == 1 else f"{lost} queries have"
        return Step(str(measure), "kept", before, before, run, f"{many} no score any more")
    if math.isnan(means[1]) or sign * means[1] < sign * means[0] or sign * run < sign * before:
        return Step(str(measure), "kept", before, before, run)
    return Step(str(measure), "raised" if run != before else "equal", before, run, run)


def _unknown(old: Scores, measure: Measure) -> Step:
    before = old.mean(measure, old.runs[0]).value
    return Step(str(measure), "kept", before, before, math.nan, "the run was not measured by it")


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
            warnings=new.warnings,
            detail=None,
        )
    (about,) = old.provenance.runs
    raised = {**about.raised, **dict.fromkeys(taken, _source(new))}
    provenance = replace(old.provenance, runs=(replace(about, raised=raised),))
    return replace(old, values=values, counted=counted, provenance=provenance, detail=None)


def _source(new: Scores) -> ScoreSource:
    (about,) = new.provenance.runs
    return ScoreSource(new.runs[0], about.path, about.sha256)


def _told(step: Step) -> str:
    if step.fate == "raised":
        return f"{step.measure} {from_to(step.before, step.after)}, better"
    if step.fate == "equal":
        return f"{step.measure} stays at {step.before:z.4f}"
    if step.reason:
        return f"{step.measure} stays at {step.before:z.4f}: {step.reason}"
    run = from_to(step.before, step.run).partition(" → ")[2]
    return f"{step.measure} stays at {step.before:z.4f}: the run has {run}, which is worse"
