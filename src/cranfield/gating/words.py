"""What a gate says: in words, as a table for a terminal or a pull request, and as plain values."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from cranfield.comparing.differences import INTERVALS
from cranfield.evaluating.score_json import judgments_dict
from cranfield.evaluating.scores import Scores
from cranfield.gating.outcomes import Moved, RuleOutcome, Verdict
from cranfield.gating.rules import Broken, CoverageRule, JudgedShare, MeanLimit, NotWorse, Protected, Share
from cranfield.gating.verdict import Gate
from cranfield.phrases import counted
from cranfield.show.measures import legend
from cranfield.show.table import NO_BREAK, Table, finite
from cranfield.version import VERSION

MOST_PLACES = 12
SHOWN = 5
"""Queries that are named before the rest is counted."""
SHOWN_IN_TEXT = 3
ID_WIDTH = 60
KEPT = 100
"""Queries of a rule that plain values hold."""

MARKS: dict[Verdict, str] = {"pass": "✅", "fail": "❌", "inconclusive": "⚠️"}
WORDS: dict[Verdict, str] = {"pass": "pass", "fail": "FAIL", "inconclusive": "inconclusive"}
STYLES = {"pass": "green", "FAIL": "bold red", "inconclusive": "bold yellow"}
"""The colour of each word in a terminal."""


def shown_id(text: str) -> str:
    r"""An id, or whatever else stands in somebody's file, as a line of text can hold it.

    >>> print(shown_id("q12"), shown_id("two\nlines"), shown_id("::error::"))
    q12 'two\nlines' '::error::'
    """
    plain = re.fullmatch(r"[\w.+/@#=-][\w.+/@#=:-]*", text) is not None and text.isprintable()
    cut = text if len(text) <= ID_WIDTH else text[: ID_WIDTH - 1] + "…"
    return cut if plain else repr(cut)


def label(outcome: RuleOutcome) -> str:
    """A rule in a few words, and the slice it is about."""
    return _name(outcome) + ("" if outcome.slice is None else f", {_slice(outcome)}")


def _name(outcome: RuleOutcome) -> str:
    match outcome.rule:
        case NotWorse():
            return f"{outcome.measure} not worse"
        case MeanLimit():
            return f"{outcome.measure} {'sum' if _is_sum(outcome) else 'mean'}"
        case Broken(drop=drop):
            return f"{outcome.measure} broken by > {drop:g}"
        case Protected():
            return f"{outcome.measure} protected"
        case JudgedShare(at=at):
            return f"judged@{at}"
        case _:
            return outcome.rule.kind


def _slice(outcome: RuleOutcome) -> str:
    by = shown_id(outcome.rule.by or "")
    return f"{by} {shown_id(outcome.slice)}" if outcome.slice else f"no {by}"


def headline(gate: Gate) -> str:
    """The verdict, what was compared with what, and the exit code."""
    of = f"{shown_id(gate.run)} against {_baseline(gate)}" if gate.baseline else shown_id(gate.run)
    counts = {verdict: len(gate.of(verdict)) for verdict in ("fail", "inconclusive", "pass")}
    total = len(gate.outcomes)
    if gate.decision == "pass":
        said = "the rule holds" if total == 1 else f"all {total} rules hold"
    elif gate.decision == "fail":
        said = f"{counts['fail']} of {counted(total, 'rule')} {_verb(counts['fail'], 'fails', 'fail')}"
        if counts["inconclusive"]:
            said += f", {counts['inconclusive']} {_verb(counts['inconclusive'], 'is', 'are')} inconclusive"
    else:
        are = f"{_verb(counts['inconclusive'], 'is', 'are')} inconclusive"
        said = f"{counts['inconclusive']} of {counted(total, 'rule')} {are}, which counts as {_counts_as(gate)}"
    return f"{gate.decision.upper()}: {of}, {counted(gate.queries, 'query')}: {said} (exit {gate.exit_code})"


def _baseline(gate: Gate) -> str:
    assert gate.baseline is not None
    name = gate.baseline.runs[0]
    return "its baseline" if name == gate.run else f"the baseline {shown_id(name)}"


def _counts_as(gate: Gate) -> str:
    return {0: "a pass", 1: "a fail"}.get(gate.inconclusive_code, "neither pass nor fail")


def table(gate: Gate) -> Table:
    """A row for each rule, the worst first; under those that did not pass, the reason and the queries responsible."""
    outcomes = gate.worst_first
    verdicts, rules = [WORDS[one.verdict] for one in outcomes], [label(one) for one in outcomes]
    values, limits, intervals = ([part(one) for one in outcomes] for part in (_value, _limit, _interval))
    notes = [_note(one) for one in outcomes]
    numbers = [
        f"{value}, limit {limit}" + (f", interval {interval}" if interval else "")
        for value, limit, interval in zip(values, limits, intervals, strict=True)
    ]
    narrow = Table(
        {"verdict": verdicts, "rule": rules},
        below=tuple(_joined(f"{number}.", note) for number, note in zip(numbers, notes, strict=True)),
        styles=STYLES,
    )
    return Table(
        {"verdict": verdicts, "rule": rules, "value": values, "limit": limits, "interval": intervals},
        notes=tuple(footer(gate)),
        below=tuple(notes),
        right=("value", "limit", "interval"),
        styles=STYLES,
        narrow=narrow,
    )


def footer(gate: Gate) -> list[str]:
    """How the numbers came about, and what else is to be known."""
    said = []
    tested = [one for one in gate.outcomes if isinstance(one.rule, NotWorse)]
    if tested:
        confidences = list(dict.fromkeys(one.confidence for one in tested))
        shown = " or ".join(_percent(confidence) for confidence in confidences)
        made = f"{INTERVALS[gate.rules.interval]}, paired by query"
        said.append(
            f"Not worse: pass where the {shown} interval of the difference ({made}) lies within the limit, "
            "fail where it lies beyond, else inconclusive."
        )
    if gate.decision == "inconclusive":
        said.append("`--inconclusive`, or the same word in the rules, changes what an inconclusive result counts as.")
    return [*said, *gate.notes, *legend(one.measure for one in gate.outcomes if one.measure is not None)]


def sentence(outcome: RuleOutcome) -> str:
    """What was found, what is allowed, and which queries are responsible."""
    about = "" if outcome.slice is None else f"{_slice(outcome)}: "
    return _joined(about + _found(outcome), _responsible(outcome, SHOWN)).replace(NO_BREAK, " ")


def _note(outcome: RuleOutcome) -> str:
    """What a line's numbers do not say: which queries are responsible, and why nothing can be said."""
    if outcome.verdict == "pass" and not isinstance(outcome.rule, Broken):
        return ""
    means = ""
    if isinstance(outcome.rule, NotWorse) and not math.isnan(outcome.baseline):
        means = f"{_means(outcome)}." if not outcome.reason else f"{_means(outcome)}: {outcome.reason}."
    elif outcome.reason:
        means = f"{outcome.reason[:1].upper()}{outcome.reason[1:]}."
    open_ = _open_question(outcome)
    return _joined(means, open_, _detectable(outcome), _responsible(outcome, SHOWN_IN_TEXT), _lost(outcome))


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _found(outcome: RuleOutcome) -> str:
    limit = _limit_number(outcome)
    match outcome.rule:
        case NotWorse():
            return _found_difference(outcome)
        case Broken(drop=drop):
            many = f"{_number(outcome.value, outcome)} of {counted(outcome.queries, 'query')}"
            allowed = f"{limit} {_verb(int(outcome.limit), 'is', 'are')} allowed"
            return f"{many} lost more than {drop:g} {outcome.measure}; {allowed}."
        case Protected(drop=drop, queries=queries):
            many = f"{_number(outcome.value, outcome)} of {len(queries)} protected"
            are = f"{_verb(len(queries), 'query', 'queries')} {_verb(int(outcome.value), 'is', 'are')}"
            by = f" by more than {drop:g}" if drop else ""
            return f"{many} {are} worse{by} in {outcome.measure}."
    if math.isnan(outcome.value):
        return f"{label(outcome)}: no result, because {outcome.reason}."
    match outcome.rule:
        case CoverageRule():
            answered = f"{outcome.queries - len(outcome.moved):,} of {outcome.queries:,} judged queries are answered"
            return f"{answered}, {_number(outcome.value, outcome)}; the rule requires at least {limit}."
        case JudgedShare(at=at):
            share = f"The share of judged documents among the first {at} is {_number(outcome.value, outcome)}"
            return f"{share} ({counted(outcome.queries, 'query')}); the rule requires at least {limit}."
    least = "most" if _is_lower(outcome) else "least"
    value = f"{outcome.measure} is {_number(outcome.value, outcome)} ({counted(outcome.queries, 'query')})"
    return f"{value}; the rule requires at {least} {limit}."


def _found_difference(outcome: RuleOutcome) -> str:
    if math.isnan(outcome.value):
        return _joined(f"{outcome.measure} cannot be compared: {outcome.reason}.", _lost(outcome))
    gain = -outcome.value if _is_lower(outcome) else outcome.value
    low, high = (-outcome.high, -outcome.low) if _is_lower(outcome) else (outcome.low, outcome.high)
    by = f"{'better' if gain > 0 else 'worse'} by {_number(abs(gain), outcome)}" if gain else "unchanged"
    found = f"{outcome.measure} is {by} ({_means(outcome)})"
    sure = f"with {_percent(outcome.confidence)} confidence"
    if math.isnan(low) or outcome.reason:
        why = f"; nothing is sure, because {outcome.reason}." if outcome.reason else "."
    elif outcome.verdict == "fail":
        why = f", {sure} by at least {_number(-high, outcome)}; {_allowed(outcome)} is allowed."
    elif outcome.verdict == "pass":
        worst = f"worse by at most {_number(-low, outcome)}" if low < 0 else "not worse at all"
        why = f", {sure} {worst}; {_allowed(outcome)} is allowed."
    else:
        limit = _limit(outcome).lstrip("≤≥ ")
        interval = f"its {_percent(outcome.confidence)} interval, {_interval(outcome)}"
        why = _joined(f"; {interval}, includes the limit, {limit}.", _open_question(outcome))
    return _joined(found + why, _detectable(outcome), _lost(outcome))


def _means(outcome: RuleOutcome) -> str:
    means = f"{_number(outcome.baseline, outcome)} → {_number(outcome.mean, outcome)}"
    return f"{means}, {counted(outcome.queries, 'query')}"


def _detectable(outcome: RuleOutcome) -> str:
    if not math.isfinite(outcome.detectable) or _is_surely_worse(outcome):
        return ""
    margin = _number(outcome.detectable, outcome)
    return f"An unchanged system would pass 80% of the time at a margin of {margin}; more queries allow a smaller one."


def _open_question(outcome: RuleOutcome) -> str:
    """Why a rule about a difference is inconclusive, to somebody who knows no statistics."""
    if outcome.verdict != "inconclusive" or not isinstance(outcome.rule, NotWorse) or outcome.reason:
        return ""
    if _is_surely_worse(outcome):
        return "It is worse, but not provably by more than the margin."
    low = -outcome.high if _is_lower(outcome) else outcome.low
    gain = -outcome.value if _is_lower(outcome) else outcome.value
    found = "better" if gain > 0 else "worse" if gain < 0 else "unchanged"
    loss = f"a loss of up to {_number(-low, outcome)} cannot be ruled out, and the rule allows {_allowed(outcome)}"
    return f"The mean is {found} on these queries, but they are too few or vary too much: {loss}."


def _is_surely_worse(outcome: RuleOutcome) -> bool:
    return (-outcome.low if _is_lower(outcome) else outcome.high) < 0


def _lost(outcome: RuleOutcome) -> str:
    """Queries whose score is gone, which a mean over queries that both have does not show."""
    lost = [one for one in outcome.moved if math.isnan(one.score)] if isinstance(outcome.rule, NotWorse) else []
    return f"Score lost: {_listed(lost, SHOWN, outcome)}." if lost else ""


def _allowed(outcome: RuleOutcome) -> str:
    margin = getattr(outcome.rule, "margin", None)
    size = _limit_number(outcome).lstrip("+-")
    return f"{size} ({margin} of the baseline's mean)" if isinstance(margin, Share) else size


def _responsible(outcome: RuleOutcome, most: int) -> str:
    moved = outcome.moved
    if isinstance(outcome.rule, NotWorse):
        moved = tuple(one for one in moved if not math.isnan(one.score))
    if not moved or (outcome.verdict == "pass" and not isinstance(outcome.rule, Broken)):
        return ""
    if isinstance(outcome.rule, CoverageRule):
        return f"No documents for {_listed(moved, most, outcome)}."
    if math.isnan(moved[0].baseline):  # all queries, so there is no telling how many are responsible
        return f"{'Highest' if _is_lower(outcome) else 'Lowest'}: {_listed(moved[:most], most, outcome)}."
    return f"Worse: {_listed(moved, most, outcome)}."


def _listed(moved: Sequence[Moved], most: int, outcome: RuleOutcome) -> str:
    more = f" and {len(moved) - most:,} more" if len(moved) > most else ""
    return (
        ", ".join(f"{shown_id(one.query)}{_scores(one, outcome)}".replace(" ", NO_BREAK) for one in moved[:most]) + more
    )


def _scores(one: Moved, outcome: RuleOutcome) -> str:
    """A query's scores."""
    places = 0 if _is_sum(outcome) else 2
    if math.isnan(one.baseline):
        return "" if math.isnan(one.score) else f" {one.score:z.{places}f}"
    if math.isnan(one.score):
        return f" {one.baseline:z.{places}f} → none"
    return f" {from_to(one.baseline, one.score, places)}"


def from_to(before: float, after: float, places: int = 4) -> str:
    """Two numbers, with as many digits as show that they differ.

    >>> from_to(0.5, 0.25), from_to(0.12341, 0.12342)
    ('0.5000 → 0.2500', '0.12341 → 0.12342')
    """
    while before != after and places < MOST_PLACES and round(before, places) == round(after, places):
        places += 1
    return f"{before:z.{places}f} → {after:z.{places}f}"


# Numbers


def _places(outcome: RuleOutcome) -> int:
    """Decimals that show on which side of its limit each number lies."""
    numbers = [number for number in (outcome.value, outcome.low, outcome.high) if math.isfinite(number)]
    for places in range(0 if _is_sum(outcome) else outcome.places, MOST_PLACES):
        limit = round(outcome.limit, places)
        is_whole = _is_share(outcome) or math.isclose(limit, outcome.limit, abs_tol=10.0**-MOST_PLACES)
        if is_whole and all(_side(round(one, places), limit) == _side(one, outcome.limit) for one in numbers):
            return places
    return MOST_PLACES


def _is_share(outcome: RuleOutcome) -> bool:
    """Whether the limit was computed rather than written, so that it may be rounded."""
    return isinstance(getattr(outcome.rule, "margin", None), Share)


def _side(number: float, limit: float) -> int:
    away = number - limit
    return 0 if abs(away) <= 1e-9 * max(1.0, abs(limit)) else 1 if away > 0 else -1


def _is_sum(outcome: RuleOutcome) -> bool:
    return outcome.measure is not None and outcome.measure.definition.mean == "sum"


def _is_count(outcome: RuleOutcome) -> bool:
    return isinstance(outcome.rule, Broken | Protected)


def _is_lower(outcome: RuleOutcome) -> bool:
    return outcome.measure is not None and outcome.measure.definition.lower_is_better


def _number(value: float, outcome: RuleOutcome) -> str:
    if math.isnan(value):
        return "none"
    return f"{value:z.0f}" if _is_count(outcome) else f"{value:z.{_places(outcome)}f}"


def _limit_number(outcome: RuleOutcome) -> str:
    if _is_count(outcome):
        return f"{outcome.limit:z.0f}"
    return f"{outcome.limit:z.{_places(outcome)}f}"


def _value(outcome: RuleOutcome) -> str:
    if math.isnan(outcome.value):
        return "–"
    sign = "+" if isinstance(outcome.rule, NotWorse) and outcome.value >= 0 else ""
    return sign + _number(outcome.value, outcome)


def _limit(outcome: RuleOutcome) -> str:
    if _is_count(outcome):
        return f"≤ {outcome.limit:z.0f}"
    sign = "+" if isinstance(outcome.rule, NotWorse) and _is_lower(outcome) else ""
    return ("≤ " if _is_lower(outcome) else "≥ ") + sign + _limit_number(outcome)


def _interval(outcome: RuleOutcome) -> str:
    if math.isnan(outcome.low):
        return ""
    low, high = _number(outcome.low, outcome), _number(outcome.high, outcome)
    if isinstance(outcome.rule, NotWorse):
        low, high = (number if number.startswith("-") else f"+{number}" for number in (low, high))
    return f"{low} to {high}"


def _percent(share: float) -> str:
    return f"{round(100 * share, 10):g}%"


def _verb(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


# For programs, pull requests and notebooks


def rows(gate: Gate) -> Table:
    """A row for each rule with everything that is known of it, for programs."""
    outcomes = gate.outcomes
    return Table(
        {
            "verdict": [one.verdict for one in outcomes],
            "rule": [one.rule.kind for one in outcomes],
            "measure": ["" if one.measure is None else str(one.measure) for one in outcomes],
            "by": [one.rule.by or "" for one in outcomes],
            "slice": [one.slice or "" for one in outcomes],
            "value": [_plain(one.value, one) for one in outcomes],
            "limit": [_plain(one.limit, one) for one in outcomes],
            "low": [one.low for one in outcomes],
            "high": [one.high for one in outcomes],
            "queries": [one.queries for one in outcomes],
            "responsible": [" ".join(shown_id(moved.query) for moved in _shown(one)) for one in outcomes],
        }
    )


def _shown(outcome: RuleOutcome) -> tuple[Moved, ...]:
    return outcome.moved[:SHOWN] if _responsible(outcome, SHOWN) or _lost(outcome) else ()


def _plain(value: float, outcome: RuleOutcome) -> float:
    return int(value) if _is_count(outcome) and math.isfinite(value) else value


def as_dict(gate: Gate) -> dict[str, Any]:
    """Everything as plain values."""
    baseline = gate.baseline
    return {
        "cranfield": VERSION,
        "verdict": gate.decision,
        "exit_code": gate.exit_code,
        "message": headline(gate),
        "inconclusive": gate.rules.inconclusive,
        "run": _about(gate.results),
        "baseline": None if baseline is None else _about(baseline),
        "judgments": judgments_dict(gate.results),
        "queries": gate.queries,
        "rule_file": gate.rules.path,
        "confidence": gate.rules.confidence,
        "interval": gate.rules.interval,
        "rules": [_outcome_dict(outcome) for outcome in gate.outcomes],
        "notes": list(gate.notes),
        "warnings": [str(warning) for warning in gate.warnings],
    }


def _about(results: Scores) -> dict[str, Any]:
    (about,) = results.provenance.runs
    return {"name": results.runs[0], "path": about.path, "sha256": about.sha256}


def _outcome_dict(outcome: RuleOutcome) -> dict[str, Any]:
    has_interval = not math.isnan(outcome.low)
    moved = outcome.moved if outcome.rule.needs_baseline or outcome.verdict != "pass" else ()
    return {
        "verdict": outcome.verdict,
        "rule": outcome.rule.kind,
        "line": outcome.rule.line,
        "measure": None if outcome.measure is None else str(outcome.measure),
        "canonical": None if outcome.measure is None else outcome.measure.canonical,
        "by": outcome.rule.by,
        "slice": outcome.slice,
        "value": finite(_plain(outcome.value, outcome)),
        "limit": finite(_plain(outcome.limit, outcome)),
        "interval": [finite(outcome.low), finite(outcome.high)] if has_interval else None,
        "confidence": outcome.confidence,
        "mean": finite(outcome.mean),
        "baseline": finite(outcome.baseline),
        "queries": outcome.queries,
        "message": sentence(outcome),
        "responsible": [
            {"query": one.query, "score": finite(one.score), "baseline": finite(one.baseline)} for one in moved[:KEPT]
        ],
        "responsible_count": len(moved),
        "detectable": finite(outcome.detectable),
        "reason": outcome.reason,
    }


def markdown(gate: Gate) -> str:
    """The verdict and a table for a pull request; nothing that stands in somebody's file can be taken for Markdown."""
    line = headline(gate)
    word = gate.decision.upper()
    rows = [
        [
            f"{MARKS[one.verdict]} {WORDS[one.verdict]}",
            marked_up(label(one)),
            _value(one),
            _limit(one),
            _interval(one),
            _queries_markdown(one),
        ]
        for one in gate.worst_first
    ]
    head = [["verdict", "rule", "value", "limit", "interval", "queries"], ["---", "---", "---:", "---:", "---:", "---"]]
    table = "".join(f"| {' | '.join(row)} |\n" for row in [*head, *rows])
    warnings = [f"warning: {warning}" for warning in gate.warnings]
    said = "".join(f"\n{marked_up(part)}\n" for part in [*footer(gate), *warnings])
    return f"### {MARKS[gate.decision]} {word}{marked_up(line.removeprefix(word))}\n\n{table}{said}"


def marked_up(text: str) -> str:
    """Text as Markdown shows it, whatever it holds.

    >>> marked_up("nDCG@10 of a|b *c* <d> @e")
    'nDCG@10 of a&#124;b &#42;c&#42; &#60;d> &#64;e'
    """
    # The number of a sign is never read as markup. An @ within a word mentions nobody; the other signs that stay mean
    # nothing within a line.
    return re.sub(r"(?<!\w)@|[^\w\s.,;:/()+=≥≤→–%'>@-]|_|[^\S ]", lambda sign: f"&#{ord(sign[0])};", text)


def code(text: str) -> str:
    """An id as Markdown shows it: as code, in which nothing is a link or a mention."""
    shown = shown_id(text)
    return f"`{shown}`" if re.fullmatch(r"[\w.-]+", shown) else f"<code>{marked_up(shown)}</code>"


def _queries_markdown(outcome: RuleOutcome) -> str:
    if not _responsible(outcome, SHOWN) and not _lost(outcome):
        return ""
    named = ", ".join(code(one.query) + _scores(one, outcome) for one in outcome.moved[:SHOWN])
    is_all = not isinstance(outcome.rule, CoverageRule) and math.isnan(outcome.moved[0].baseline)
    more = len(outcome.moved) - SHOWN
    return named + (f" and {more:,} more" if more > 0 and not is_all else "")
