"""Rules to begin with: what a run has reached, with some room, as a TOML file that explains itself."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from cranfield.gating.rules import BASELINE_FILE, CONFIDENCE, Inconclusive
from cranfield.measures import Measure
from cranfield.scores import Scores
from cranfield.show.table import number

MARGIN = 0.02
"""Of measures that go from 0 to 1."""
RELATIVE_MARGIN = "5%"
"""Of the others."""
DROP, BROKEN = 0.5, 0.05
FLOOR = 0.9
"""The share of today's mean that is always to be kept."""
ROOM_COVERAGE, ROOM_JUDGED = 0.02, 0.1

HEAD = """\
# What a run has to keep so that `cranfield gate QRELS RUN` passes.
# Written by `cranfield gate --init` from {run}. Change whatever does not fit.

# The scores that runs are held against. Keep the file under version control.
# `cranfield gate --update QRELS RUN` raises it where a run that passes is better.
baseline = {baseline}

# How sure a verdict about a mean has to be, and where its interval comes from:
# "t" is Student's t, "bca" the bootstrap.
confidence = {confidence}
interval = "t"

# What the exit code is when the queries are too few to tell:
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
# Queries that get worse by more than `drop` are broken; so many may be, or a share such as "5%".
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


def starting_rules(
    results: Scores,
    *,
    baseline: str = BASELINE_FILE,
    margin: str | float | None = None,
    inconclusive: Inconclusive = "pass",
) -> str:
    """The rule file that `cranfield gate --init` writes: TOML that the run itself passes.

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
    # Looked at otherwise, the first documents are not those that the rule would see.
    if judged is not None and results.settings.depth is None and not results.settings.judged_only:
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
