"""The verdict of a comparison: which run is better in one plain sentence, then the numbers, then what would turn it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cranfield.comparing.differences import TESTS, Difference, Verdict, correction_for
from cranfield.measures import Measure
from cranfield.phrases import counted, listed, percent
from cranfield.show.table import shown_p

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison
    from cranfield.comparing.sensitivity import Kind, Variation

CAREFUL = 0.9
"""With less of the first documents judged, ten of each run at most, a comparison says so."""
MOST_NUMBERS = 5
"""Of more runs, the verdict has no numbers; the table has them."""
MOST_TURNING = 2
"""Of more pairs that one setting turns, the verdict has a number."""

SETTINGS: dict[Kind, str] = {
    "unjudged": "without the unjudged documents",
    "silent": "on the queries that both answered",
    "ties": "with ties in reverse order",
    "test": f"by {TESTS['t']}",
}
"""What turns a verdict, in the middle of a sentence."""
COUNTED = "with unjudged documents as not relevant"


def verdict(comparison: Comparison, places: int) -> str:
    """The answer for the first measure."""
    return " ".join(verdict_sentences(comparison, places))


def verdict_sentences(comparison: Comparison, places: int) -> tuple[str, ...]:
    """The answer for the first measure: first in plain words, then the numbers and what would turn it."""
    compared = comparison.of(comparison.measures[0])
    found = _of_two(comparison, compared[0], places) if len(compared) == 1 else _several(comparison, places)
    return tuple(part for part in (*found, *_unjudged(comparison)) if part)


def sentence(comparison: Comparison, difference: Difference, places: int) -> str:
    """The answer for two runs under one measure; what would turn it is known under the first."""
    return " ".join(_of_two(comparison, difference, places))


def _of_two(comparison: Comparison, difference: Difference, places: int) -> list[str]:
    if math.isnan(difference.p):
        names = f"{difference.run} and {difference.baseline}"
        return [f"{names} cannot be compared by {difference.measure}: {difference.reason}."]
    is_first = difference.measure == comparison.measures[0]
    turning = comparison.doubts.of(difference) if is_first else []
    if (unjudged := _decisive(comparison, turning)) is not None:
        return _cannot_tell(comparison, difference, unjudged, places)
    word = difference.verdict(comparison.choices.alpha)
    answer = claim(difference.run, difference.baseline, word, _scale(comparison, difference.measure))
    if turning:
        answer = f"{answer[:-1]}, but {' and '.join(_but(comparison, one, word, places) for one in turning)}."
    more = [] if word != "none" else [*_detectable(comparison, difference, places)]
    return [answer, f"{_numbers(comparison, difference, places)}.", *more]


def _cannot_tell(comparison: Comparison, difference: Difference, unjudged: Variation, places: int) -> list[str]:
    """The answer where it depends on documents that nobody judged, and these are many."""
    removed, counted_ = "On judged results only", f"With unjudged results {_unjudged_as(comparison)}"
    before, after = (removed, counted_) if comparison.results.settings.judged_only else (counted_, removed)
    word = difference.verdict(comparison.choices.alpha)
    found = f"{difference.run} is {word}" if word != "none" else "there is no significant difference"
    return [
        f"We cannot tell yet whether {difference.run} or {difference.baseline} is better on "
        f"{_scale(comparison, difference.measure)}: {percent(1 - _judged(comparison, difference))} of their "
        f"{_first_results(comparison)} were never judged.",
        f"{after}, {_finding(comparison, unjudged, places)}.",
        f"{before}, {found}: {_numbers(comparison, difference, places)}.",
    ]


def _scale(comparison: Comparison, measure: Measure) -> str:
    return f"{'standardised ' if comparison.choices.standardise else ''}{measure}"


def claim(run: str, baseline: str, word: Verdict, measure: str) -> str:
    """Which of two runs is better, as a sentence.

    >>> claim("new", "old", "better", "RR"), claim("new", "old", "none", "RR")
    ('new is better than old on RR.', 'No significant difference between new and old on RR.')
    """
    if word == "none":
        return f"No significant difference between {run} and {baseline} on {measure}."
    return f"{run} is {word} than {baseline} on {measure}."


def _finding(comparison: Comparison, one: Variation, places: int) -> str:
    """What is found under another setting, with its numbers."""
    found = f"{one.difference.run} is {one.verdict}" if one.verdict != "none" else "there is no significant difference"
    return f"{found} ({_size(comparison, one.difference, places)})"


def _size(comparison: Comparison, difference: Difference, places: int) -> str:
    return f"{_signed(comparison, difference, places)}, p = {shown_p(difference.adjusted)}"


def _signed(comparison: Comparison, difference: Difference, places: int) -> str:
    return comparison.digits.text(difference.measure, difference.difference, places, sign=True)


def signed(value: float, places: int) -> str:
    """A difference with its sign, but for one that is shown as 0."""
    shown = f"{value:z.{places}f}"
    return shown if value < 0 or float(shown) == 0 else f"+{shown}"


def _numbers(comparison: Comparison, difference: Difference, places: int) -> str:
    """The evidence: how large, how sure, on how many queries, by which test."""
    choices, measure = comparison.choices, difference.measure
    unit = " standard deviations" if choices.standardise else ""
    low, high = (comparison.digits.text(measure, end, places) for end in (difference.low, difference.high))
    interval = f"{percent(choices.confidence)} interval {low} to {high}, " if not math.isnan(difference.low) else ""
    corrected = f", {correction(comparison)}" if comparison.family > 1 and choices.test != "tukey" else ""
    evidence = f"p = {shown_p(difference.adjusted)}, {counted(difference.queries, 'query')}, {choices.test_name}"
    counts = f"better on {difference.wins}, worse on {difference.losses}, equal on {difference.ties}"
    size = _signed(comparison, difference, places)
    return f"{size}{unit}{lower_is_better(measure)} ({interval}{evidence}{corrected}); {counts}"


def lower_is_better(measure: Measure) -> str:
    """A word after a difference that is good when it is negative."""
    return ", lower is better" if measure.definition.lower_is_better else ""


def correction(comparison: Comparison) -> str:
    """How p is corrected."""
    return correction_for(comparison.choices.correction, counted(comparison.family, "comparison"))


def _detectable(comparison: Comparison, difference: Difference, places: int) -> Iterator[str]:
    if math.isfinite(difference.detectable):
        size = comparison.digits.text(difference.measure, difference.detectable, places)
        power = percent(comparison.choices.power)
        queries = counted(difference.queries, "query")
        yield f"With {queries}, a true difference of {size} would be detected {power} of the time."


def _decisive(comparison: Comparison, turning: Sequence[Variation]) -> Variation | None:
    """The variation of unjudged documents, where it turns the verdict and many were not judged."""
    for one in turning:
        if one.kind == "unjudged" and _judged(comparison, one.difference) < CAREFUL:
            return one
    return None


def _judged(comparison: Comparison, difference: Difference) -> float:
    """The share of the first documents of two runs that were judged; 1 where nothing is known."""
    known = comparison.judged_shares
    shares = [known[name] for name in (difference.run, difference.baseline) if name in known]
    return sum(shares) / len(shares) if shares else 1.0


def _first_results(comparison: Comparison) -> str:
    depth = comparison.judged_depth
    return f"top {depth} results" if depth > 1 else "first results"


def _but(comparison: Comparison, one: Variation, usual: Verdict, places: int) -> str:
    """How a verdict turns, after what it is."""
    if usual == "none":
        turned = f"{one.difference.run} is {one.verdict}"
    else:
        turned = "not significantly" if one.verdict == "none" else one.verdict
    return f"{turned} {_setting(one)} ({_size(comparison, one.difference, places)})"


def _setting(one: Variation) -> str:
    return COUNTED if one.name == "unjudged documents counted" else SETTINGS[one.kind]


def _several(comparison: Comparison, places: int) -> Iterator[str]:
    measure, alpha = comparison.measures[0], comparison.choices.alpha
    if not comparison.baselines:
        yield _order(comparison, _scale(comparison, measure), places)
    for baseline in comparison.baselines:
        of_baseline = [one for one in comparison.of(measure) if one.baseline == baseline]
        by_word: dict[str, list[str]] = {"better": [], "worse": [], "none": [], "unclear": []}
        for one in of_baseline:
            is_unclear = _decisive(comparison, comparison.doubts.of(one)) is not None
            by_word["unclear" if is_unclear else one.verdict(alpha)].append(one.run)
        if of_baseline:
            on = _scale(comparison, measure)
            yield f"Compared with {baseline} on {on}: {by_verdict(*by_word.values())}."
    if comparison.baselines and len(comparison.of(measure)) <= MOST_NUMBERS:
        yield _all_numbers(comparison, comparison.of(measure), places)
    yield from _turning(comparison, places)


def _order(comparison: Comparison, measure: str, places: int) -> str:
    """Who is best, and who may be."""
    standing = comparison.standings[0]
    best = standing.runs[0]
    mean = comparison.digits.text(standing.measure, standing.means[0].value, places)
    others = [run for run in standing.first if run != best]
    if not others:
        return f"{best} is better than every other run on {measure} ({mean})."
    if len(standing.first) == len(standing.runs):
        return f"{best} has the best mean on {measure} ({mean}); no other run differs significantly from it."
    return f"{best} has the best mean on {measure} ({mean}); no significant difference to {listed(others)}."


def _all_numbers(comparison: Comparison, compared: Sequence[Difference], places: int) -> str:
    several = len(comparison.baselines) > 1
    sizes = [
        f"{one.run}{f' to {one.baseline}' if several else ''} {_signed(comparison, one, places)} "
        f"(p = {shown_p(one.adjusted)})"
        for one in compared
        if not math.isnan(one.p)
    ]
    if not sizes:
        return ""
    test = comparison.choices.test_name
    corrected = f", {correction(comparison)}" if comparison.choices.test != "tukey" else ""
    queries = counted(max(one.queries for one in compared), "query")
    return f"Differences: {', '.join(sizes)}; {queries}, {test}{corrected}."


def _turning(comparison: Comparison, places: int) -> Iterator[str]:
    """What turns the verdicts about several pairs, a sentence for each setting."""
    by_setting: dict[str, list[Variation]] = {}
    for one in comparison.doubts.turning:
        by_setting.setdefault(_setting(one), []).append(one)
    for setting, turned in by_setting.items():
        shares = [_judged(comparison, one.difference) for one in turned]
        why = ""
        if turned[0].kind == "unjudged" and min(shares) < CAREFUL:
            unjudged = percent(1 - sum(shares) / len(shares))
            why = f" ({unjudged} of the {_first_results(comparison)} were never judged)"
        start = f"{setting[:1].upper()}{setting[1:]}{why}"
        if len(turned) > MOST_TURNING:
            others = len(comparison.results.runs) - 1
            pairs = len(comparison.of(comparison.measures[0])) if comparison.baselines else others
            names = listed([_pair(comparison, one.difference) for one in turned])
            yield f"{start}, {len(turned)} of {pairs} verdicts change: {names}."
        else:
            yield f"{start}, {' and '.join(_of_pair(comparison, one, places) for one in turned)}."


def _of_pair(comparison: Comparison, one: Variation, places: int) -> str:
    run, baseline = one.difference.run, one.difference.baseline
    found = f"{run} is {one.verdict} than {baseline}"
    if one.verdict == "none":
        found = f"there is no significant difference between {run} and {baseline}"
    return f"{found} ({_size(comparison, one.difference, places)})"


def _pair(comparison: Comparison, difference: Difference) -> str:
    if len(comparison.baselines) == 1:
        return difference.run
    return f"{difference.run} to {difference.baseline}"


def _unjudged(comparison: Comparison) -> Iterator[str]:
    """A word on runs whose first documents were not judged, where they could have been."""
    results = comparison.results
    if results.provenance.judgments.only_relevant:
        return
    known = comparison.judged_shares
    if not known or min(known.values()) >= CAREFUL:
        return
    if any(one.kind == "unjudged" for one in comparison.doubts.turning):
        return
    shown = ", ".join(f"{run} {percent(share)}" for run, share in list(known.items())[:5])
    care = f"the others count {_unjudged_as(comparison)}, so treat with care"
    if any("unjudged" in name for name in comparison.doubts.tried):
        care = "without the others the verdict is the same"
    yield f"Only a part of the {_first_results(comparison)} was judged ({shown}); {care}."


def _unjudged_as(comparison: Comparison) -> str:
    grade = comparison.results.settings.unjudged_grade
    return "as not relevant" if grade is None else f"with grade {grade:g}"


def by_verdict(better: Sequence[str], worse: Sequence[str], neither: Sequence[str], unclear: Sequence[str] = ()) -> str:
    """Who is better than a baseline, who is worse, who does not differ from it, and of whom nobody can tell.

    >>> by_verdict(["hybrid"], [], ["dense", "title"])
    'hybrid is better; no significant difference for dense and title'
    """
    parts = [
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} {word}"
        for word, names in (("better", better), ("worse", worse))
        if names
    ]
    none = [f"no significant difference for {listed(neither)}"] if neither else []
    return "; ".join([*parts, *none, *([f"we cannot tell yet for {listed(unclear)}"] if unclear else [])])
