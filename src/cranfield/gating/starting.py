"""Rules to begin with: what a run has reached, with some room, as a TOML file that explains itself."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.evaluating.scores import Scores
from cranfield.gating.rules import BASELINE_FILE, CONFIDENCE, Inconclusive
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table, finite, number
from cranfield.version import VERSION

MARGIN = 0.02
"""Of measures that go from 0 to 1."""
RELATIVE_MARGIN = "5%"
"""Of the others."""
DROP, BROKEN = 0.5, 0.05
FLOOR = 0.9
"""The share of today's mean that is always to be kept."""
ROOM_COVERAGE, ROOM_JUDGED = 0.02, 0.1

RECALL_CUTOFFS = (100, 50, 20, 10, 5, 3, 1)
"""Recall is proposed at the largest that lists reach: beyond, it is that of everything returned."""

HEAD = """\
# What a run has to keep so that `cranfield gate QRELS RUN` passes.
# Written by `cranfield gate init` from {run}. Change whatever does not fit.

# The scores that runs are compared with. Keep the file under version control.
# `cranfield gate update QRELS RUN` raises it where a run that passes is better.
baseline = {baseline}

# How sure a verdict about a mean has to be, and where its interval comes from:
# "t" is Student's t, "bca" the bootstrap.
confidence = {confidence}
interval = "t"

# What the exit code is when there are too few queries to decide:
# "pass" (0), "fail" (1), or a number of your own.
inconclusive = {inconclusive}

# A file with a line per query (query_id, ...). Its columns are what rules can go by:
# with `by = "intent"` a rule holds for the queries of each intent apart.
# queries = "queries.tsv"
"""
NOT_WORSE = """
# The mean must not get worse than the baseline's by more than the margin, which is a number or,
# as "2%", a share of the baseline's mean. Pass: it is sure that it did not. Fail: it is sure that
# it did. Else inconclusive.
"""
NOT_WORSE_RULE = """\
[[not_worse]]
measure = {measure}
margin = {margin}
# by = "intent"
"""
MEAN = """
# The mean itself, whatever the baseline.
"""
MEAN_RULE = """\
[[mean]]
measure = {measure}
{side} = {limit}  # it was {mean} in the beginning
"""
BROKEN_RULE = """
# Queries that get worse by more than `drop` are broken; at most this number may be, or a share such as "5%".
[[broken]]
measure = {measure}
drop = {drop}
at_most = {most}
"""
PROTECTED = """
# Queries that must not get worse at all:
# [[protected]]
# measure = {measure}
# queries = [{query}]
"""
COVERAGE = """
# The share of judged queries that get any result; it was {share:z.4f}.
[coverage]
at_least = {limit}
"""
JUDGED = """
# The share of the first documents that are judged; it was {share:z.4f}. Where it falls,
# scores say less and less, and it is time to judge more.
[[judged]]
at = 10
at_least = {limit}
"""


@dataclass(frozen=True, eq=False)
class GateStart(Answer):
    """What `cranfield gate init` wrote: a baseline, and rules where there were none."""

    results: Scores
    """The baseline: one run."""
    baseline: str
    """The path of its file."""
    rules: str
    """The path of the rules."""
    new_rules: int | None = None
    """How many rules were written; None where there were some, which stay."""
    before: Scores | None = None
    """The baseline that was replaced."""
    next_step: str = ""

    def verdict(self) -> str:
        """What was written."""
        run = f"{self.results.runs[0]}, {counted(len(self.results.queries), 'query')}"
        rules = (
            f"The rules in {self.rules} are unchanged."
            if self.new_rules is None
            else f"Wrote {self.rules}: {counted(self.new_rules, 'rule')} with comments."
        )
        return " ".join(part for part in (f"Wrote {self.baseline}: {run}.", rules, self.next_step) if part)

    def quiet(self) -> GateStart:
        """The same without what to do next."""
        return replace(self, next_step="")

    def tables(self) -> list[Table]:
        """A row per measure of the baseline; where one was replaced, what it had."""
        rows = list(baseline_changes(self.results, self.before))
        columns: dict[str, list[Cell]] = {
            "measure": [name for name, *_ in rows],
            "baseline": [after for _, after, *_ in rows],
        }
        if self.before is not None:
            columns |= {"before": [before for *_, before, _ in rows], "": [change for *_, change in rows]}
        return [Table(columns)]

    def rows(self) -> Table:
        """A row per measure."""
        names = ("measure", "baseline", "before", "change")
        return Table(
            dict(zip(names, map(list, zip(*baseline_changes(self.results, self.before), strict=True)), strict=True))
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "baseline": self.baseline,
            "rules": self.rules,
            "new_rules": self.new_rules,
            "run": self.results.runs[0],
            "queries": len(self.results.queries),
            "measures": [
                {"measure": name, "baseline": finite(after), "before": finite(before), "change": change or None}
                for name, after, before, change in baseline_changes(self.results, self.before)
            ],
        }


def baseline_changes(results: Scores, before: Scores | None) -> Iterator[tuple[str, float | None, float | None, str]]:
    """Each measure with its mean, that of the baseline before, and which is better; those that are gone last."""
    old = {} if before is None else {measure.canonical: measure for measure in before.measures}
    for measure in results.measures:
        mean = measure.cell(results.mean(measure, results.runs[0]).value)
        mean_before = _mean_of(before, old.pop(measure.canonical, None))
        yield str(measure), mean, mean_before, "" if mean_before is None else _change(measure, mean_before, mean)
    for measure in old.values():
        yield str(measure), None, _mean_of(before, measure), "removed"


def baseline_sentence(results: Scores, before: Scores | None = None) -> str:
    """A baseline in a line: its run and its means, and what they were."""
    changes = [
        f"{measure} {'' if old is None else f'{number(old)} → '}{'' if new is None else number(new)} {change}".strip()
        for measure, new, old, change in baseline_changes(results, before)
    ]
    return f"{results.runs[0]}, {counted(len(results.queries), 'query')}; {', '.join(changes)}."


def _mean_of(results: Scores | None, measure: Measure | None) -> float | None:
    if results is None or measure is None:
        return None
    return measure.cell(results.mean(measure, results.runs[0]).value)


def _change(measure: Measure, before: float, after: float) -> str:
    gain = before - after if measure.definition.lower_is_better else after - before
    return "better" if gain > 0 else "WORSE" if gain < 0 else "unchanged"


def proposed_measures(depth: int | None = None) -> list[str]:
    """The measures that rules are proposed for where lists have so many documents; without a depth, all that may be.

    >>> proposed_measures(1000), proposed_measures(24)
    (['nDCG@10', 'R@100'], ['nDCG@10', 'R@20'])
    """
    if depth is None:
        return ["nDCG@10", *(f"R@{cutoff}" for cutoff in RECALL_CUTOFFS)]
    return ["nDCG@10", f"R@{next((cutoff for cutoff in RECALL_CUTOFFS if cutoff <= depth), 1)}"]


def typical_depth(results: Scores) -> int:
    """How many documents half of a run's lists have at least; lists without any do not count."""
    (alignment,) = results.require_detail("The depth of lists").alignments
    retrieved = np.sort(alignment.retrieved[alignment.retrieved > 0])
    depth = int(retrieved[len(retrieved) // 2]) if len(retrieved) else 0
    return depth if results.settings.depth is None else min(depth, results.settings.depth)


def starting_rules(
    results: Scores,
    *,
    baseline: str = BASELINE_FILE,
    margin: str | float | None = None,
    inconclusive: Inconclusive = "pass",
) -> str:
    """The rule file that `cranfield gate init` writes: TOML that the run itself passes.

    `margin` is that of every measure; by default 0.02 for measures from 0 to 1, and 5 % of the mean for others.
    """
    return "".join(_parts(results, baseline, margin, inconclusive))


def _parts(results: Scores, baseline: str, margin: str | float | None, inconclusive: Inconclusive) -> Iterator[str]:
    run, first = results.runs[0], results.measures[0]
    yield HEAD.format(
        run=_comment(run),
        baseline=_toml(baseline),
        confidence=CONFIDENCE,
        inconclusive=_toml(inconclusive) if isinstance(inconclusive, str) else inconclusive,
    )
    yield NOT_WORSE
    yield "\n".join(_not_worse(measure, margin) for measure in results.measures)
    levels = [(measure, results.mean(measure, run).value) for measure in results.measures]
    if limits := [_mean(measure, mean) for measure, mean in levels if math.isfinite(mean)]:
        yield MEAN
        yield "\n".join(limits)
    if _from_0_to_1(first):
        most = max(1, math.floor(BROKEN * len(results.queries)))
        yield BROKEN_RULE.format(measure=_toml(str(first)), drop=DROP, most=most)
    yield PROTECTED.format(measure=_toml(str(first)), query=_toml(results.queries[0]))
    about = results.provenance.runs[0]
    if about.silent is not None:
        share = 1 - len(about.silent) / len(results.queries)
        yield COVERAGE.format(share=share, limit=_down(share - ROOM_COVERAGE))
    judged = about.judged_at_10
    # Looked at in another way, the first documents are not those that the rule would see.
    is_usual = results.settings.depth is None and not results.settings.judged_only
    if judged is not None and is_usual and not results.provenance.judgments.only_relevant:
        yield JUDGED.format(share=judged, limit=_down(judged - ROOM_JUDGED))


def _not_worse(measure: Measure, margin: str | float | None) -> str:
    chosen = margin if margin is not None else MARGIN if _from_0_to_1(measure) else RELATIVE_MARGIN
    shown = _toml(chosen) if isinstance(chosen, str) else f"{chosen:g}"
    return NOT_WORSE_RULE.format(measure=_toml(str(measure)), margin=shown)


def _mean(measure: Measure, mean: float) -> str:
    lower = measure.definition.lower_is_better
    side, limit = ("at_most", _ceiling(mean)) if lower else ("at_least", _floor(mean))
    return MEAN_RULE.format(measure=_toml(str(measure)), mean=number(measure.cell(mean)), side=side, limit=limit)


def _from_0_to_1(measure: Measure) -> bool:
    return tuple(measure.bounds) == (0, 1) and not measure.definition.lower_is_better


def _floor(mean: float) -> str:
    return _rounded(mean - (1 - FLOOR) * abs(mean), math.floor)


def _ceiling(mean: float) -> str:
    return _rounded(mean + (1 - FLOOR) * abs(mean), math.ceil)


def _rounded(value: float, to: object) -> str:
    """Two digits that mean something, rounded to the safe side."""
    if not value:
        return "0.0"
    scale = 10.0 ** (1 - math.floor(math.log10(abs(value))))
    rounded = to(value * scale) / scale  # type: ignore[operator]  # math.floor or math.ceil
    return f"{rounded:z.{max(1, math.ceil(math.log10(scale)))}f}"


def _down(share: float) -> str:
    return f"{max(0, math.floor(100 * share + 1e-9)) / 100:z.2f}"


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    """Text that stays on its line."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)
