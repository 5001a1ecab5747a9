"""What each rule says of a run and its baseline: a value, its interval, and the queries responsible."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.comparing.differences import on_scale
from cranfield.comparing.intervals import NO_VALUE, Interval, bca_interval, t_interval
from cranfield.comparing.paired import defined, deviation
from cranfield.comparing.power import detectable_difference
from cranfield.data.queries import Queries
from cranfield.errors import DataError, UsageError
from cranfield.evaluating import aggregate, profiles
from cranfield.evaluating.scores import Scores, joined
from cranfield.gating.rules import (
    Broken,
    CoverageRule,
    JudgedShare,
    MeanLimit,
    NotWorse,
    Protected,
    Rule,
    Rules,
    Share,
)
from cranfield.measures import Measure
from cranfield.show.table import PLACES

Verdict = Literal["pass", "fail", "inconclusive"]

POWER = 0.8
NOTHING_ANSWERED = "the results do not show which queries were answered"

_ROUNDING = 1e-9
"""A number that misses its limit by no more than this reaches it."""


class Moved(NamedTuple):
    """A query that has to do with a rule's outcome."""

    query: str
    score: float
    """NaN where the run has none."""
    baseline: float
    """NaN where there is none, or where the rule does not look at it."""


@dataclass(frozen=True)
class RuleOutcome:
    """What one rule says of all queries, or of a slice of them."""

    rule: Rule
    verdict: Verdict
    measure: Measure | None
    slice: str | None
    """The value of the rule's column that the queries have; nothing where they are all."""
    value: float
    """A difference, a mean, a number of queries or a share, as the rule has it."""
    limit: float
    low: float
    high: float
    """The interval around the value; NaN where there is none."""
    confidence: float
    queries: int
    """How many queries stand behind the value."""
    mean: float
    baseline: float
    """The means of the run and of the baseline over these queries; NaN where the rule does not look at them."""
    moved: tuple[Moved, ...] = ()
    """The queries responsible, the worst first."""
    reason: str = ""
    """Why nothing can be said, or what else is to be known."""
    detectable: float = math.nan
    """The margin that equal systems would pass four times in five, where nothing can be said."""
    places: int = PLACES
    """Decimals shown at least."""

    @property
    def label(self) -> str:
        """The rule in a few words."""
        from cranfield.gating.words import label

        return label(self)

    def sentence(self) -> str:
        """What was found, what is allowed, and which queries are responsible."""
        from cranfield.gating.words import sentence

        return sentence(self)


def side_by_side(old: Scores, new: Scores, *, allow_different_judgments: bool = False) -> Scores:
    """The baseline and the run as one, in this order, if they were judged and measured alike."""
    parts = [
        replace(results, runs=(name,))
        for name, results in (("the baseline", old), ("this run", new))  # both often have the same name
    ]
    try:
        return joined(parts, allow_different_judgments=allow_different_judgments)
    except DataError as error:
        raise DataError([errors.gate.between_run_and_baseline(finding) for finding in error.findings]) from None


def measure_of(name: str, results: Scores) -> Measure:
    """The measure that a rule means: one of the results, as they were measured."""
    known = {label: measure for measure in results.measures for label in (str(measure), measure.canonical)}
    if name in known:
        return known[name]
    wanted = profiles.find(results.settings.profile).parse(name, results.settings.rel)
    if len(wanted) != 1:
        raise UsageError(f"{name!r} names {len(wanted)} measures; give one.")
    if wanted[0].canonical not in known:
        raise errors.gate.not_in_results(str(wanted[0]), list(map(str, results.measures)))
    return known[wanted[0].canonical]


class QuerySlice(NamedTuple):
    """Some queries that are looked at together."""

    value: str | None
    """Their value in the column; nothing where they are all queries, empty where they have none."""
    queries: tuple[str, ...]


def slices(rule: Rule, judged: Sequence[str], known: Queries | None) -> list[QuerySlice]:
    """The judged queries a rule holds for, all together or by what is known of them."""
    if rule.by is None:
        return [QuerySlice(None, tuple(judged))]
    if known is None:
        raise errors.gate.no_queries_file(rule.by)
    if not any(query in known for query in judged):
        raise DataError([errors.queries.queries_never_meet(known.path, judged, list(known))])
    column = known.column(rule.by)
    by_value: dict[str, list[str]] = {}
    for query in judged:
        value = column.get(query)
        by_value.setdefault("" if value is None else str(value), []).append(query)
    for value in rule.only:
        if value not in by_value:
            raise DataError([errors.gate.unknown_slice(known.path, rule.by, value, sorted(filter(None, by_value)))])
    chosen = rule.only or sorted(by_value)
    return [QuerySlice(value, tuple(by_value[value])) for value in chosen]


@dataclass(frozen=True, eq=False)
class Pairing:
    """A run with its baseline, ready to be tested."""

    rules: Rules
    new: Scores
    old: Scores | None
    known: Queries | None
    allow_different_judgments: bool

    def outcomes(self) -> tuple[list[RuleOutcome], list[str], int]:
        """What every rule says, what is to be known about that, and how many queries were compared."""
        together = self._together()
        outcomes: list[RuleOutcome] = []
        notes: list[str] = []
        for rule in self.rules.rules:
            about = together if rule.needs_baseline and together is not None else self.new
            found = slices(rule, about.queries, self.known)
            large = [part for part in found if len(part.queries) >= rule.min_queries]
            if len(large) < len(found):
                notes.append(_left_out(rule, [part for part in found if part not in large]))
            outcomes += (self._outcome(rule, part, about) for part in large)
        if not outcomes:
            raise UsageError("Every slice has fewer queries than min_queries asks for, so no rule is left to test.")
        queries = len(self.new.queries if together is None else together.queries)
        if together is not None and queries < max(len(self.new.queries), len(self.old.queries)):  # type: ignore[union-attr]
            notes.append(f"Compared with the baseline on the {queries:,} queries that both judgments have.")
        return outcomes, list(dict.fromkeys(notes)), queries

    def _together(self) -> Scores | None:
        if self.old is None:
            return None
        for name in self.rules.compared:
            measure = measure_of(name, self.new)
            if measure.canonical not in self.old.canonical:
                raise errors.gate.not_in_baseline(str(measure), self.rules.baseline, list(map(str, self.old.measures)))
        return side_by_side(self.old, self.new, allow_different_judgments=self.allow_different_judgments)

    def _outcome(self, rule: Rule, part: QuerySlice, about: Scores) -> RuleOutcome:
        match rule:
            case NotWorse():
                return self._not_worse(rule, part, about)
            case Broken() | Protected():
                return self._broken(rule, part, about)
            case MeanLimit():
                return self._mean(rule, part)
            case JudgedShare():
                return self._judged(rule, part)
            case CoverageRule():
                return self._coverage(rule, part)
        raise TypeError(rule)

    def _not_worse(self, rule: NotWorse, part: QuerySlice, about: Scores) -> RuleOutcome:
        measure = measure_of(rule.measure, about)
        old, new = about.only(part.queries).settled(measure)
        shared = ~np.isnan(old) & ~np.isnan(new)
        confidence = self.rules.confidence if rule.confidence is None else rule.confidence
        differences = on_scale(measure, new) - on_scale(measure, old)
        found = self._interval(differences, confidence)
        scale = _Scale(measure, old[shared])
        value, low, high = scale.difference(found.value), scale.difference(found.low), scale.difference(found.high)
        margin = rule.margin.of_one * abs(scale.baseline) if isinstance(rule.margin, Share) else rule.margin
        sign = _sign(measure)
        verdict = _not_worse_by(margin, *((low, high) if sign > 0 else (-high, -low)))
        if math.isnan(low) and found.queries and not (np.abs(differences[shared]) > _ROUNDING).any():
            verdict = "pass"  # of one query: nothing has changed
        lost = int((~np.isnan(old) & np.isnan(new)).sum())
        if verdict == "pass" and lost:
            # Over the queries that still have a score, a run that found nothing for the others looks better than it is.
            verdict = "inconclusive"
        detectable = math.nan
        if verdict == "inconclusive" and not lost and found.queries > 1 and np.isfinite(defined(differences)).all():
            spread = deviation(defined(differences))
            smallest = detectable_difference(spread, found.queries, alpha=1 - confidence, power=POWER)
            detectable = abs(scale.difference(-smallest))
        return RuleOutcome(
            rule=rule,
            verdict=verdict,
            measure=measure,
            slice=part.value,
            value=value,
            limit=-sign * margin + 0.0,
            low=low,
            high=high,
            confidence=confidence,
            queries=found.queries,
            mean=_mean(measure, new[shared]),
            baseline=scale.baseline,
            moved=_worse(part.queries, old, new, sign),
            reason=_why(found, lost) if verdict == "inconclusive" else "",
            detectable=detectable,
        )

    def _broken(self, rule: Broken | Protected, part: QuerySlice, about: Scores) -> RuleOutcome:
        measure = measure_of(rule.measure, about)
        names: Sequence[str] = part.queries
        if isinstance(rule, Protected):
            if unknown := [query for query in rule.queries if query not in about.queries]:
                raise DataError([errors.gate.unknown_protected(unknown, about.queries)])
            names = rule.queries
        old, new = about.only(names).settled(measure)
        compared = int((~np.isnan(old)).sum())
        broken = _worse(names, old, new, _sign(measure), rule.drop)
        limit = 0
        if isinstance(rule, Broken):
            most = rule.at_most
            limit = math.floor(most.of_one * compared + _ROUNDING) if isinstance(most, Share) else most
        return RuleOutcome(
            rule=rule,
            verdict="pass" if len(broken) <= limit else "fail",
            measure=measure,
            slice=part.value,
            value=len(broken),
            limit=limit,
            low=math.nan,
            high=math.nan,
            confidence=self.rules.confidence,
            queries=compared,
            mean=math.nan,
            baseline=math.nan,
            moved=broken,
        )

    def _mean(self, rule: MeanLimit, part: QuerySlice) -> RuleOutcome:
        measure = measure_of(rule.measure, self.new)
        sign = _sign(measure)
        limit = rule.at_least if rule.at_most is None else rule.at_most
        if (rule.at_most is None) != (sign > 0):
            found, wanted = ("at_least", "at_most") if rule.at_most is None else ("at_most", "at_least")
            better = "lower" if sign < 0 else "higher"
            message = f"{measure}: {better} is better, so the rule needs {wanted}, not {found}"
            raise errors.gate.wrong_rule(self.rules.path, rule.line, message)
        assert limit is not None
        return self._level(rule, part, measure, limit)

    def _judged(self, rule: JudgedShare, part: QuerySlice) -> RuleOutcome:
        name = f"Judged@{rule.at}"
        known = name in self.new.canonical
        share = self.new.provenance.runs[0].judged_at_10
        if known or rule.at != 10 or part.value is not None or share is None:
            return self._level(rule, part, measure_of(name, self.new), rule.at_least)
        # Every result knows the share of its first ten documents, whether it was asked for or not.
        return RuleOutcome(
            rule=rule,
            verdict="pass" if share >= rule.at_least - _ROUNDING else "fail",
            measure=None,
            slice=None,
            value=share,
            limit=rule.at_least,
            low=math.nan,
            high=math.nan,
            confidence=self.rules.confidence,
            queries=len(part.queries),
            mean=share,
            baseline=math.nan,
        )

    def _level(self, rule: MeanLimit | JudgedShare, part: QuerySlice, measure: Measure, limit: float) -> RuleOutcome:
        """Whether a mean is at least a limit, or at most where less is better."""
        sign = _sign(measure)
        scores = self.new.only(part.queries).settled(measure)[0]
        value = _mean(measure, scores)
        low, high = _interval_of_mean(measure, self._interval(on_scale(measure, scores), self.rules.confidence))
        reached = sign * value >= sign * limit - _rounding(limit)
        old = np.full(len(scores), np.nan)
        if self.old is not None and measure.canonical in self.old.canonical:
            kept = dict(zip(self.old.queries, self.old.settled(measure)[0].tolist(), strict=True))
            old = np.array([kept.get(query, math.nan) for query in part.queries])
        # Those that got worse are responsible; where nothing is known of earlier, those that are worst.
        moved = _worse(part.queries, old, scores, sign) or _worst(part.queries, scores, sign)
        return RuleOutcome(
            rule=rule,
            verdict="inconclusive" if math.isnan(value) else "pass" if reached else "fail",
            measure=measure,
            slice=part.value,
            value=value,
            limit=limit,
            low=low,
            high=high,
            confidence=self.rules.confidence,
            queries=int((~np.isnan(scores)).sum()),
            mean=value,
            baseline=math.nan,
            moved=moved,
            reason=NO_VALUE if math.isnan(value) else "",
        )

    def _coverage(self, rule: CoverageRule, part: QuerySlice) -> RuleOutcome:
        silent = self.new.provenance.runs[0].silent
        left_out = set(silent or ())
        without = [query for query in part.queries if query in left_out]
        value = math.nan if silent is None else 1 - len(without) / len(part.queries)
        reached = value >= rule.at_least - _ROUNDING
        return RuleOutcome(
            rule=rule,
            verdict="inconclusive" if silent is None else "pass" if reached else "fail",
            measure=None,
            slice=part.value,
            value=value,
            limit=rule.at_least,
            low=math.nan,
            high=math.nan,
            confidence=self.rules.confidence,
            queries=len(part.queries),
            mean=math.nan,
            baseline=math.nan,
            moved=tuple(Moved(query, math.nan, math.nan) for query in without),
            reason=NOTHING_ANSWERED if silent is None else "",
        )

    def _interval(self, values: Floats, confidence: float) -> Interval:
        make = bca_interval if self.rules.interval == "bca" else t_interval
        return make(values, confidence=confidence)


class _Scale:
    """From differences of what is averaged to differences of what `evaluate` prints."""

    def __init__(self, measure: Measure, old: Floats) -> None:
        self.kind = measure.definition.mean
        self.queries = len(old)
        self.baseline = _mean(measure, old)

    def difference(self, value: float) -> float:
        """A difference of means; of a geometric mean by the factor it changed by, of a sum by the sum."""
        if self.kind == "geometric":
            return self.baseline * math.expm1(value)
        return value * self.queries if self.kind == "sum" else value


def _not_worse_by(margin: float, low: float, high: float) -> Verdict:
    """Sure to be no worse than by the margin; sure to be worse; or neither. Gains are positive."""
    rounding = _rounding(margin)
    if low >= -margin - rounding:
        return "pass"
    return "fail" if high < -margin - rounding else "inconclusive"


def _why(found: Interval, lost: int) -> str:
    """Why nothing can be said, beyond what the interval shows."""
    if lost:
        return "1 query has no score any more" if lost == 1 else f"{lost:,} queries have no score any more"
    return found.reason if math.isnan(found.low) else ""


def _rounding(limit: float) -> float:
    return _ROUNDING * max(1.0, abs(limit))


def _sign(measure: Measure) -> int:
    return -1 if measure.definition.lower_is_better else 1


def _mean(measure: Measure, scores: Floats) -> float:
    return aggregate.mean(measure, scores, "skip").value


def _interval_of_mean(measure: Measure, found: Interval) -> tuple[float, float]:
    """Limits of a mean, in its units and within its range; a sum has none."""
    if measure.definition.mean == "sum" or math.isnan(found.low):
        return math.nan, math.nan
    limits = (found.low, found.high)
    if measure.definition.mean == "geometric":
        limits = math.exp(found.low), math.exp(found.high)
    low, high = np.clip(limits, *measure.bounds).tolist()
    return low, high


def _worse(queries: Sequence[str], old: Floats, new: Floats, sign: int, drop: float = 0.0) -> tuple[Moved, ...]:
    """Queries that got worse by more than a drop, the worst first; one that lost its score comes before all."""
    loss = sign * (old - new)
    lost = ~np.isnan(old) & np.isnan(new)
    loss = np.where(lost, np.inf, loss)
    chosen = np.flatnonzero(loss > drop + _rounding(drop))
    order = chosen[np.argsort(-loss[chosen], kind="stable")]
    return tuple(_moved(queries, old, new, order))


def _worst(queries: Sequence[str], scores: Floats, sign: int) -> tuple[Moved, ...]:
    """Queries by their scores, the worst first."""
    order = np.argsort(np.where(np.isnan(scores), np.inf, sign * scores), kind="stable")
    kept = order[~np.isnan(scores[order])]
    return tuple(_moved(queries, np.full(len(scores), np.nan), scores, kept))


def _moved(queries: Sequence[str], old: Floats, new: Floats, order: npt.NDArray[np.int64]) -> Iterator[Moved]:
    return (Moved(queries[at], float(new[at]), float(old[at])) for at in order.tolist())


def _left_out(rule: Rule, small: Sequence[QuerySlice]) -> str:
    from cranfield.gating.words import shown_id

    names = ", ".join(shown_id(part.value or "") for part in small[:5]) + (", …" if len(small) > 5 else "")
    many = "1 slice has" if len(small) == 1 else f"{len(small)} slices have"
    return f"{many} fewer than {rule.min_queries} queries and {'is' if len(small) == 1 else 'are'} not tested: {names}."
