"""Does the conclusion hold? The same comparison, changing one setting at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from cranfield.align import Alignment, remembered
from cranfield.arrays import Floats
from cranfield.choices import Test
from cranfield.comparing import sensitivity_words
from cranfield.comparing.comparison import LEAST_TO_STANDARDISE, Comparison, chosen_pairs
from cranfield.comparing.differences import TESTS, Difference, TestChoices, Verdict, differences, on_scale
from cranfield.comparing.paired import TOLERANCE, all_pairs
from cranfield.comparing.standardise import z_scores
from cranfield.errors import UsageError
from cranfield.evaluating import aggregate
from cranfield.evaluating.scores import ScoreDetail, Scores
from cranfield.measures import Measure
from cranfield.measures.scoring import View, score
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.table import Table

Kind = Literal["", "measure", "ties", "unjudged", "threshold", "silent", "queries", "scale", "test"]
Pair = tuple[int, int]

FEW = 1_000
RESAMPLES = 10_000
"""Random patterns of each variation of more differences than few: a p of 0.05 then varies by 0.002 with the seed."""
OTHER_MEASURES = ("nDCG@10", "nDCG@5", "nDCG@20", "AP", "RR", "P@10", "R@100")
"""Tried where no second measure was asked for."""
MOST_THRESHOLDS = 10
MOST_PAIRS = 200


@dataclass(frozen=True)
class Variation:
    """One difference with one setting changed."""

    kind: Kind
    """What was varied; nothing in the comparison as it is."""
    name: str
    difference: Difference
    verdict: Verdict
    """Whether the run is significantly better than its baseline, or worse, or neither."""
    ahead: str
    """Which of the two has the better mean; empty where both have the same."""
    changes_verdict: bool = False
    changes_winner: bool = False
    """Whether the other run is ahead, significantly or not."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "varied": self.kind,
            "variation": self.name,
            "verdict": self.verdict,
            "ahead": self.ahead,
            "changes_verdict": self.changes_verdict,
            "changes_winner": self.changes_winner,
            **self.difference.to_dict(),
        }


@dataclass(frozen=True)
class Influence:
    """How much the difference of two runs depends on single queries."""

    query: str
    """The query whose removal moves the difference most."""
    low: float
    high: float
    """The difference without any one query: at least and at most this."""
    to_level: int | None
    """The fewest queries whose removal takes the lead from the run ahead; None if no number does."""
    to_doubt: int | None
    """The fewest whose removal makes the difference non-significant; None if it is so anyway, or no number does."""
    queries: int

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "most_influential": self.query,
            "without_one_query": [self.low, self.high],
            "queries_to_level": self.to_level,
            "queries_to_doubt": self.to_doubt,
            "queries": self.queries,
        }


@dataclass(frozen=True)
class PairSensitivity:
    """All variations for one run and its baseline."""

    run: str
    baseline: str
    variations: tuple[Variation, ...]
    """The comparison as it is comes first."""
    influence: Influence | None
    """Nothing where there are fewer than two queries."""

    @property
    def usual(self) -> Variation:
        """The comparison as it is."""
        return self.variations[0]


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Answer):
    """Whether a comparison's conclusion under its first measure holds when settings are changed, one at a time.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> scores = cf.evaluate(demo.path("qrels.txt"), [demo.path("bm25.run"), demo.path("hybrid.run")], "nDCG@10")
    >>> print(cf.compare(scores).sensitivity().verdict())
    nDCG@10: hybrid is better than bm25. This holds in ...
    """

    comparison: Comparison
    """The comparison as it is."""
    pairs: tuple[PairSensitivity, ...]
    notes: tuple[str, ...] = ()
    """What could not be varied, and why."""

    def __repr__(self) -> str:
        measure, variations = self.pairs[0].usual.difference.measure, len(self.pairs[0].variations) - 1
        pairs = counted(len(self.pairs), "pair")
        return f"Sensitivity({f'{pairs} by {measure}, {variations} variations'!r})"

    def verdict(self) -> str:
        """Whether the conclusion holds, in a few sentences for each pair."""
        return sensitivity_words.verdict(self)

    def table(self) -> Table:
        """A row for every variation."""
        return sensitivity_words.table(self)

    def rows(self) -> Table:
        """The same with everything that is known, for programs."""
        return sensitivity_words.rows(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "verdict": self.verdict(),
            "notes": list(self.notes),
            "pairs": [
                {
                    "run": pair.run,
                    "baseline": pair.baseline,
                    "influence": None if pair.influence is None else pair.influence.to_dict(),
                    "variations": [variation.to_dict() for variation in pair.variations],
                }
                for pair in self.pairs
            ],
        }


@dataclass(frozen=True, eq=False)
class Variant:
    """What is varied, and the scores that come of it."""

    kind: Kind
    name: str
    measure: Measure
    table: Floats
    """By run and query."""
    baseline_table: Floats | None = None
    """Other scores for the baseline of a pair, where it is treated differently from the run."""
    is_scaled: bool = False
    """Whether the scores are on the scale already on which they are compared."""


def sensitivity(comparison: Comparison) -> Sensitivity:
    """Every variation that the data allow, for every pair that was compared, under the first measure.

    Measures, tests and queries can be varied for all results; ties, unjudged documents, thresholds and queries without
    results only where the runs are at hand, and not for scores from a file.
    """
    if comparison.choices.standardise:
        raise UsageError("Sensitivity cannot be shown for standardised scores; compare without standardising.")
    chosen = chosen_pairs(comparison.results, comparison.baselines)
    family = family_of(comparison, chosen)
    if len(family) > MOST_PAIRS:
        raise UsageError(
            f"There are {len(family):,} pairs; sensitivity is shown for at most {MOST_PAIRS}. Choose a baseline."
        )
    notes: list[str] = []
    by_pair: list[list[Variation]] = [
        [variation("", f"as compared ({one.measure})", one, comparison.choices)]
        for one in comparison.of(comparison.measures[0])
    ]
    choices = cheaper(comparison.choices, len(chosen), len(comparison.results.queries))
    for variant in _variants(comparison, notes):
        for at, one in enumerate(_differences(comparison, variant, family, choices)[: len(chosen)]):
            by_pair[at].append(variation(variant.kind, variant.name, one, choices))
    influences: list[Influence | None] = []
    for at, pair in enumerate(chosen):
        leaving_out, influence = _without_queries(comparison, pair, by_pair[at][0].difference, choices)
        by_pair[at] += leaving_out
        influences.append(influence)
    for other in _tests(comparison):
        varied = _differences(comparison, as_compared(comparison.results), family, replace(choices, test=other))
        for at, one in enumerate(varied[: len(chosen)]):
            by_pair[at].append(variation("test", TESTS[other], one, choices))
    if comparison.choices.test == "tukey":
        notes.append(f"Variations of single pairs use the {TESTS['randomization']}, not Tukey's test.")
    return Sensitivity(
        comparison,
        tuple(
            PairSensitivity(
                of_pair[0].difference.run,
                of_pair[0].difference.baseline,
                (of_pair[0], *(marked(of_pair[0], varied) for varied in of_pair[1:])),
                influence,
            )
            for of_pair, influence in zip(by_pair, influences, strict=True)
        ),
        tuple(notes),
    )


def cheaper(choices: TestChoices, pairs: int, queries: int) -> TestChoices:
    """How variations of so many pairs are tested: of many differences, with fewer random patterns."""
    if pairs * queries <= FEW:
        return choices
    return replace(choices, resamples=min(choices.resamples, RESAMPLES))


def family_of(comparison: Comparison, chosen: list[Pair]) -> list[Pair]:
    """The pairs that p is corrected for, those that are shown first."""
    if not comparison.every_pair:
        return chosen
    shown = {frozenset(pair) for pair in chosen}
    others = [pair for pair in all_pairs(len(comparison.results.runs)) if frozenset(pair) not in shown]
    return [*chosen, *others]


def variation(kind: Kind, name: str, one: Difference, choices: TestChoices) -> Variation:
    """A difference under a setting, with what it says."""
    ahead = "" if not one.difference or math.isnan(one.difference) else one.run if one.is_better else one.baseline
    return Variation(kind, name, one, one.verdict(choices.alpha), ahead)


def marked(usual: Variation, varied: Variation) -> Variation:
    """The variation, marked where it changes what the comparison as it is concludes."""
    both_ahead = bool(usual.ahead and varied.ahead)
    return replace(
        varied,
        changes_verdict=varied.verdict != usual.verdict,
        changes_winner=both_ahead and varied.ahead != usual.ahead,
    )


def _differences(
    comparison: Comparison, variant: Variant, chosen: Sequence[Pair], choices: TestChoices
) -> list[Difference]:
    """Every pair under a variant, corrected for the number of pairs."""
    runs, measure = comparison.results.runs, variant.measure
    table = variant.table if variant.is_scaled else on_scale(measure, variant.table)
    if variant.baseline_table is None:
        return differences(measure, runs, table, chosen, choices)
    if choices.test == "tukey":  # a test of all systems together, which are not all treated alike
        choices = replace(choices, test="randomization")
    together = np.concatenate([table, on_scale(measure, variant.baseline_table)])
    return differences(measure, [*runs, *runs], together, [(run, base + len(runs)) for run, base in chosen], choices)


def as_compared(results: Scores) -> Variant:
    """Nothing varied."""
    measure = results.measures[0]
    return Variant("", str(measure), measure, results.settled(measure))


def _tests(comparison: Comparison) -> list[Test]:
    """The tests that were not chosen; Tukey's is of all systems together and no test of a pair."""
    return [test for test in get_args(Test) if test not in (comparison.choices.test, "tukey")]


def _variants(comparison: Comparison, notes: list[str]) -> Iterator[Variant]:
    results = comparison.results
    if len(results.runs) >= LEAST_TO_STANDARDISE:
        usual = comparison.measures[0]
        scale = z_scores(on_scale(usual, results.settled(usual)))
        yield Variant("scale", "scores standardised by query", usual, scale, is_scaled=True)
    for measure in comparison.measures[1:]:
        yield Variant("measure", str(measure), measure, results.settled(measure))
    if results.detail is None:
        notes.append(
            "Ties, unjudged documents, thresholds and queries without results are not varied: that needs the runs, and "
            "these scores come from a file or from several evaluations."
        )
        return
    again = Again(results, results.detail)
    if len(comparison.measures) == 1 and again.judgments.groups is None:
        for measure in again.other_measures():
            yield Variant("measure", str(measure), measure, again.table(measure))
    yield from _other_ties(again, notes)
    if again.judgments.only_relevant:
        notes.append("Unjudged documents are not removed: the judgments list only relevant documents.")
    yield from other_view(again)
    yield from _thresholds(again, comparison, notes)
    yield from answered(again)


class Again:
    """Runs that can be scored again with other settings, without being read again."""

    def __init__(self, scores: Scores, detail: ScoreDetail) -> None:
        self.measure, self.settings, self.counts = scores.measures[0], scores.settings, scores.counted[0]
        self.detail, self.judgments, self.alignments = detail, detail.judgments, detail.alignments

    def table(
        self, measure: Measure, view: View | None = None, changed: Callable[[Alignment], Alignment] | None = None
    ) -> Floats:
        """A measure by run and query as it counts in a mean."""
        seen = self.settings.view if view is None else view
        is_average = self.settings.ties == "average" and changed is None
        return self.counted(measure, _scored(self.detail, measure, seen, changed, is_average))

    def counted(self, measure: Measure, table: Floats) -> Floats:
        """Scores as they count in a mean: undefined ones settled, queries left out that do not count."""
        return np.where(self.counts, aggregate.settle(measure, table, self.settings.undefined), np.nan)

    def other_measures(self) -> list[Measure]:
        """Some that differ from the one that was asked for."""
        from cranfield.evaluating import profiles

        asked = profiles.find(self.settings.profile).parse(OTHER_MEASURES, self.settings.rel)
        return [measure for measure in asked if measure != self.measure and not self.settings.adds_relevant(measure)]


@remembered
def _scored(
    detail: ScoreDetail,
    measure: Measure,
    view: View,
    changed: Callable[[Alignment], Alignment] | None,
    is_average: bool,
) -> Floats:
    """A measure by run and query under other settings; whoever compares with another baseline asks again."""
    alignments = [changed(one) if changed else one for one in detail.alignments]
    if is_average:
        from cranfield.evaluating.bounds import tie_bounds

        return np.stack([tie_bounds(one, [measure], view).expected[0] for one in alignments])
    return np.stack([score(one, [measure], view)[0] for one in alignments])


def _other_ties(again: Again, notes: list[str]) -> Iterator[Variant]:
    if not any(alignment.ties.any() for alignment in again.alignments):
        return
    from cranfield.evaluating.bounds import tie_bounds

    measure, view = again.measure, again.settings.view
    if again.settings.ties == "average":
        yield Variant("ties", "ties in one order", measure, again.table(measure, changed=_itself))
    yield from reversed_ties(again)
    bounds = [tie_bounds(alignment, [measure], view) for alignment in again.alignments]
    if again.settings.ties != "average":
        expected = again.counted(measure, np.stack([bound.expected[0] for bound in bounds]))
        yield Variant("ties", "ties averaged over all orders", measure, expected)
    if any(bound.unknown.any() for bound in bounds):
        notes.append(f"The largest effect of ties on {measure} is not known.")
        return
    worst, best = (again.counted(measure, np.stack([end[0] for end in ends])) for ends in _ends(measure, bounds))
    yield Variant("ties", "ties in favour of the run", measure, best, worst)
    yield Variant("ties", "ties in favour of the baseline", measure, worst, best)


def _itself(alignment: Alignment) -> Alignment:
    return alignment


def reversed_ties(again: Again) -> Iterator[Variant]:
    """Tied documents the other way round."""
    scores = again.table(again.measure, changed=Alignment.reversed_ties)
    yield Variant("ties", "ties in reverse order", again.measure, scores)


def _ends(measure: Measure, bounds: Sequence[Any]) -> tuple[list[Floats], list[Floats]]:
    low, high = [bound.low for bound in bounds], [bound.high for bound in bounds]
    return (high, low) if measure.definition.lower_is_better else (low, high)


def other_view(again: Again) -> Iterator[Variant]:
    """Unjudged documents removed, or counted where they are removed; not where only relevant ones are judged."""
    view, measure = again.settings.view, again.measure
    if (
        again.judgments.only_relevant
        or measure.params["judged_only"]
        or not any((alignment.grades >= 0).sum() < alignment.retrieved.sum() for alignment in again.alignments)
    ):
        return
    name = "unjudged documents counted" if view.judged_only else "unjudged documents removed"
    yield Variant("unjudged", name, measure, again.table(measure, view._replace(judged_only=not view.judged_only)))


def _thresholds(again: Again, comparison: Comparison, notes: list[str]) -> Iterator[Variant]:
    takes = [measure for measure in comparison.measures if "rel" in measure.definition.parameters]
    if not takes and len(comparison.measures) == 1 and again.judgments.groups is None:
        takes = [measure for measure in again.other_measures() if "rel" in measure.definition.parameters]
    grades = [grade for grade in np.unique(again.judgments.grades).tolist() if grade > 0]
    if not takes or again.judgments.groups is not None:
        notes.append(f"{again.measure} has no relevance threshold to vary.")
        return
    if len(grades) > MOST_THRESHOLDS:
        notes.append(f"Thresholds: the lowest {MOST_THRESHOLDS} of {len(grades)} grades.")
    measure = takes[0]
    if measure != again.measure:
        notes.append(f"{again.measure} has no relevance threshold; that of {measure} is varied.")
    for grade in grades[:MOST_THRESHOLDS]:
        other = measure(rel=int(grade) if grade == int(grade) else grade)
        if other != measure and not again.settings.adds_relevant(other):
            yield Variant("threshold", str(other), other, again.table(other))


def answered(again: Again) -> Iterator[Variant]:
    """Without the queries that one of the two did not answer."""
    answered = np.array([alignment.retrieved > 0 for alignment in again.alignments])
    if again.settings.average_over == "answered" or answered.all():
        return
    table = np.where(answered, again.table(again.measure), np.nan)
    yield Variant("silent", "queries that both answered", again.measure, table)


def _without_queries(
    comparison: Comparison, pair: Pair, usual: Difference, choices: TestChoices
) -> tuple[list[Variation], Influence | None]:
    """The difference without the query, and without the fewest queries, on which it depends most."""
    measure, results = comparison.measures[0], comparison.results
    table = on_scale(measure, results.settled(measure)[list(pair)])
    apart = table[0] - table[1]
    known = np.flatnonzero(~np.isnan(apart))
    if len(known) < 2 or not np.isfinite(apart[known]).all():
        return [], None
    total = apart[known].sum()
    without_one = (total - apart[known]) / (len(known) - 1)
    most = known[np.abs(without_one - total / len(known)).argmax()]
    # Removing the best queries of the run ahead first levels the two with as few as possible.
    order = known[np.argsort(-apart[known] if total >= 0 else apart[known], kind="stable")]
    to_level = _to_level(apart[order])
    factor = usual.adjusted / usual.p if usual.p else 1.0
    single = replace(choices, test="randomization") if choices.test == "tukey" else choices

    def left_out(rows: Sequence[int]) -> Difference:
        others = np.setdiff1d(known, rows)
        names = [results.runs[at] for at in pair]
        (one,) = differences(measure, names, table[:, others], [(0, 1)], single)
        return replace(one, adjusted=min(one.p * factor, 1.0))

    def is_shown(count: int) -> bool:
        one = left_out(order[:count].tolist())
        return one.is_significant(choices.alpha) and one.difference * usual.difference > 0

    to_doubt = None
    if usual.is_significant(choices.alpha) and usual.difference:
        to_doubt = _fewest(is_shown, to_level if to_level is not None else len(known) - 1)
    variations = [variation("queries", f"without {results.queries[most]}", left_out([int(most)]), choices)]
    for count in sorted({count for count in (to_doubt, to_level) if count is not None}):
        ahead = usual.run if usual.is_better else usual.baseline
        name = f"without the {count} best queries of {ahead}" if count > 1 else f"without the best query of {ahead}"
        variations.append(variation("queries", name, left_out(order[:count].tolist()), choices))
    influence = Influence(
        results.queries[most], float(without_one.min()), float(without_one.max()), to_level, to_doubt, len(known)
    )
    return variations, influence


def _to_level(ordered: Floats) -> int | None:
    """How many of the first must be left out for the rest to add up to nothing, or to the other side.

    >>> _to_level(np.array([0.5, 0.2, -0.1, -0.2])), _to_level(np.array([0.2, 0.1]))
    (1, None)
    """
    left = ordered.sum() - np.cumsum(ordered)[:-1]
    direction = np.sign(ordered.sum())
    found = np.flatnonzero(direction * left <= TOLERANCE * np.abs(ordered).sum())
    return int(found[0]) + 1 if direction and len(found) else None


def _fewest(holds: Callable[[int], bool], most: int) -> int | None:
    """The least number from 1 on for which something holds no longer.

    >>> _fewest(lambda count: count < 7, 20), _fewest(lambda count: True, 20)
    (7, None)
    """
    if holds(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high
