"""Whether runs are equivalent: differences that are small enough not to matter, shown by two one-sided tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from cranfield.arguments import require_positive
from cranfield.comparing.differences import (
    INTERVALS,
    Difference,
    TestChoices,
    alpha_of,
    corrected_p,
    intervals,
    pairs_of,
    scaled,
    significances,
)
from cranfield.comparing.significance_tests.equivalence import equivalence_tests
from cranfield.comparing.significance_tests.pairwise import less
from cranfield.comparing.words import corrected_for
from cranfield.errors import UsageError
from cranfield.measures import Measure
from cranfield.measures.scoring import LARGEST
from cranfield.phrases import counted, listed, option, percent
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, name_dict
from cranfield.show.table import PValue, Table, finite, shown_p

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison

EquivalenceVerdict = Literal["equivalent", "different", "undecided"]

SYMMETRIC = ("randomization", "t")
"""The tests of means whose p is the same on both sides."""
STYLES = {"equivalent": "green", "different": "red"}


@dataclass(frozen=True)
class Equivalence:
    """One run and another under one measure: is their difference within the margin?"""

    measure: Measure
    run: str
    baseline: str
    difference: float
    """The run's mean minus the baseline's."""
    low: float
    high: float
    """Its interval at 1 minus twice the significance level."""
    p: float
    """That of the less significant of two one-sided tests."""
    adjusted: float
    """p corrected for the number of comparisons under this measure."""
    queries: int
    verdict: EquivalenceVerdict
    """Equivalent; or else different, where the difference is significant; or else undecided."""
    direction: Literal["better", "worse", "none"]
    """Whether the run is significantly better or worse, whether equivalent or not."""
    reason: str = ""
    """Why there is no p, or no interval."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        values = asdict(replace(self, measure=None))  # type: ignore[arg-type]  # named below
        plain = {name: finite(value) if isinstance(value, float) else value for name, value in values.items()}
        interval = [plain.pop("low"), plain.pop("high")]
        return {**plain, **name_dict(self.measure), "interval": interval}


@dataclass(frozen=True, eq=False, repr=False)
class EquivalenceComparison(Answer):
    """Which runs are equivalent to what they are compared with; shows itself as a verdict and a table.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> scores = cf.evaluate(demo.path("qrels.txt"), [demo.path("bm25.run"), demo.path("dense.run")], "nDCG@10")
    >>> print(cf.compare(scores, equivalence=0.15).equivalence.verdict())
    dense and bm25 are equivalent within ±0.15 on nDCG@10 (difference +0.0234, 90% interval ...
    """

    comparison: Comparison
    margin: float
    equivalences: tuple[Equivalence, ...]
    """By measure and pair, as the differences of the comparison."""

    @property
    def confidence(self) -> float:
        """The confidence of the intervals: 1 minus twice the significance level, as there is a test for each side."""
        return two_sided_confidence(self.comparison.choices)

    def of(self, measure: Measure) -> list[Equivalence]:
        """Those under one measure."""
        return [one for one in self.equivalences if one.measure == measure]

    def verdict(self) -> str:
        """The answer for the first measure."""
        measure = self.comparison.measures[0]
        compared = self.of(measure)
        if len(compared) == 1:
            return self._sentence(compared[0])
        pairs = {
            word: [self._pair(one) for one in compared if one.verdict == word]
            for word in ("equivalent", "different", "undecided")
        }
        shown = "; ".join(f"{word}: {listed(names)}" for word, names in pairs.items() if names)
        return f"Equivalence within {self._margin(measure)} on {measure}: {shown}."

    def _pair(self, one: Equivalence) -> str:
        return one.run if len(self.comparison.baselines) == 1 else f"{one.run} to {one.baseline}"

    def _margin(self, measure: Measure) -> str:
        unit = " standard deviations" if self.comparison.choices.standardise else ""
        return f"±{self.margin * self.comparison.digits.factor(measure):.6g}{unit}"

    def _sentence(self, one: Equivalence) -> str:
        margin, on = self._margin(one.measure), f"on {one.measure}"
        both = f"{one.run} and {one.baseline}"
        if math.isnan(one.p):
            return f"Whether {both} are equivalent within {margin} {on} cannot be tested: {one.reason}."
        numbers = self._numbers(one)
        if one.verdict == "equivalent":
            but = f", although {one.run} is significantly {one.direction}" if one.direction != "none" else ""
            return f"{both} are equivalent within {margin} {on}{but} {numbers}."
        if one.verdict == "different":
            return f"{both} are different {on}, and not equivalent within {margin} {numbers}."
        return (
            f"Undecided whether {both} are equivalent within {margin} {on}: neither a difference nor equivalence is "
            f"significant {numbers}."
        )

    def _numbers(self, one: Equivalence) -> str:
        digits, choices = self.comparison.digits, self.comparison.choices
        difference = digits.text(one.measure, one.difference, sign=True)
        low, high = (digits.text(one.measure, end) for end in (one.low, one.high))
        interval = f", {percent(self.confidence)} interval {low} to {high}" if not math.isnan(one.low) else ""
        return (
            f"(difference {difference}{interval}, p = {shown_p(one.adjusted)}, {counted(one.queries, 'query')}, two "
            f"one-sided tests, {choices.test_name})"
        )

    def table(self) -> Table:
        """A row for every pair and measure."""
        compared, digits = self.equivalences, self.comparison.digits
        return Table(
            {
                "measure": [str(one.measure) for one in compared],
                "run": [one.run for one in compared],
                "baseline": [one.baseline for one in compared],
                "difference": [digits.estimate(one.measure, one.difference, one.low, one.high) for one in compared],
                "margin": [self._margin(one.measure) for one in compared],
                "p": [PValue(one.adjusted) for one in compared],
                "verdict": [one.verdict for one in compared],
            },
            notes=tuple(self._notes()),
            optional=("baseline",) if len(self.comparison.baselines) == 1 else (),
            styles=STYLES,
        )

    def _notes(self) -> Iterator[str]:
        choices = self.comparison.choices
        yield (f"p: the larger of two one-sided tests (TOST; {choices.test_name}), {corrected_for(self.comparison)}.")
        yield (
            f"difference: with its {percent(self.confidence)} interval ({INTERVALS[choices.interval]}), 1 minus twice "
            "the significance level."
        )
        yield (
            "equivalent: p is significant. different: not equivalent, and the difference is significant. undecided: "
            "neither; more queries may tell."
        )
        for reason in dict.fromkeys(one.reason for one in self.equivalences if one.reason):
            pairs = [
                f"{one.run} and {one.baseline} by {one.measure}" for one in self.equivalences if one.reason == reason
            ]
            yield f"{listed(pairs, 3)}: {reason}."

    def rows(self) -> Table:
        """The same for programs, with every digit."""
        compared, digits = self.equivalences, self.comparison.digits
        measures = [str(one.measure) for one in compared]
        return Table(
            {
                "measure": measures,
                "run": [one.run for one in compared],
                "baseline": [one.baseline for one in compared],
                **{
                    name: [digits.cell(one.measure, getattr(one, name)) for one in compared]
                    for name in ("difference", "low", "high")
                },
                "p": [PValue(one.p) for one in compared],
                "adjusted": [PValue(one.adjusted) for one in compared],
                "verdict": [one.verdict for one in compared],
                "queries": [one.queries for one in compared],
                "margin": [self.margin for _ in compared],
                "reason": [one.reason for one in compared],
                **canonical_column(measures, self.comparison.measures),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "margin": self.margin,
            "confidence": self.confidence,
            "verdict": self.verdict(),
            "comparisons": [one.to_dict() for one in self.equivalences],
        }


def two_sided_confidence(choices: TestChoices) -> float:
    """1 minus twice the significance level: 0.9 for 0.05."""
    return alpha_of(2 * choices.alpha)


def require_margin(margin: object, choices: TestChoices) -> float:
    """The margin of equivalence, if it is one, and equivalence can be tested as chosen."""
    value = require_positive(margin, "equivalence")
    if value > LARGEST:
        raise UsageError(f"equivalence must be at most {LARGEST:g}, not {value:g}.")
    if choices.test not in SYMMETRIC:
        raise UsageError(
            f"Equivalence is tested by {option('test', 'randomization')} or {option('test', 't')}, not by "
            f"{choices.test_name}."
        )
    if choices.alpha >= 0.5:
        raise UsageError(f"Equivalence needs a confidence above 0.5, not {choices.confidence:g}.")
    return value


def equivalence_comparison(
    comparison: Comparison, pairs: Sequence[tuple[int, int]], margin: float
) -> EquivalenceComparison:
    """Every difference of a comparison, tested for being within a margin."""
    tested = [one for measure in comparison.measures for one in _under(comparison, measure, pairs, margin)]
    return EquivalenceComparison(comparison, margin, tuple(tested))


def _under(
    comparison: Comparison, measure: Measure, pairs: Sequence[tuple[int, int]], margin: float
) -> list[Equivalence]:
    choices, results = comparison.choices, comparison.results
    scores = scaled(measure, results.settled(measure), choices)
    outcomes = equivalence_tests(
        scores, pairs_of(pairs), margin, lambda table, moved: significances(table, moved, choices)
    )
    adjusted = corrected_p([outcome.p for outcome in outcomes], choices).tolist()
    wide = replace(choices, confidence=two_sided_confidence(choices))
    around = intervals([less(scores[run], scores[base]) for run, base in pairs], wide)
    by_names = {(one.run, one.baseline): one for one in comparison.of(measure)}
    equivalences = []
    for (run, base), outcome, p, interval in zip(pairs, outcomes, adjusted, around, strict=True):
        difference = by_names[results.runs[run], results.runs[base]]
        equivalences.append(
            Equivalence(
                measure,
                difference.run,
                difference.baseline,
                interval.value,
                interval.low,
                interval.high,
                outcome.p,
                p,
                outcome.queries,
                _verdict(p, difference, choices),
                difference.verdict(choices.alpha),
                outcome.reason or interval.reason,
            )
        )
    return equivalences


def _verdict(adjusted: float, difference: Difference, choices: TestChoices) -> EquivalenceVerdict:
    if adjusted <= choices.alpha:
        return "equivalent"
    return "different" if difference.is_significant(choices.alpha) else "undecided"
