"""What a tuning says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.comparing.intervals import Interval
from cranfield.phrases import counted, percent, sentences
from cranfield.show.table import in_words, shown_p

if TYPE_CHECKING:
    from cranfield.fusing.tuning import FusionTuning

LEAST = 5e-5
"""What is smaller shows no digit."""


def verdict(tuning: FusionTuning) -> str:
    """Whether fusing helps, by how much on queries that had no part in the choice, and what the search would claim."""
    single = tuning.comparisons[0]
    tried = len(tuning.scores.fusions)
    interval = _range(single.difference, tuning)
    gain = f"{_signed(single.difference.value)} compared with {tuning.best_single}, the best single run ({interval})"
    counts = f", corrected for {counted(tried, 'configuration')}" if tried > 1 else ""
    corrected = f"p = {shown_p(tuning.p)}{counts}"
    chance = (tuning.in_sample_gain - single.difference.value) * tuning.scores.sign
    shown = (
        f"On the queries that chose it, the best configuration shows {_signed(tuning.in_sample_gain)} (uncorrected "
        f"p = {shown_p(tuning.naive_p)}); {in_words(chance)} of that is from choosing among {tried:,}."
        if chance > LEAST and tuning.in_sample_gain * tuning.scores.sign > 0
        else ""
    )
    result = f"{_opening(tuning)}: {tuning.measure} {in_words(tuning.score.value)} out of fold, {gain}; {corrected}."
    return sentences(result, shown)


def _opening(tuning: FusionTuning) -> str:
    if tuning.is_significant:
        return "Fusing helps"
    return "Fusing is worse" if tuning.is_significantly_worse else "No significant gain from fusing"


def stability(tuning: FusionTuning) -> str:
    """How often the final configuration was chosen, and which values of its parameter are as good."""
    share = float(tuning.choices.shares(len(tuning.scores.fusions))[tuning.choices.final])
    chosen = f"{tuning.final} was chosen in {percent(share)} of folds."
    return sentences(_methods_chosen(tuning), chosen, _noise(tuning))


def _methods_chosen(tuning: FusionTuning) -> str:
    """How often each method was chosen, which comes before the choice of its parameters."""
    if len(tuning.families) < 2:
        return ""
    shares = iter(tuning.choices.shares(len(tuning.scores.fusions)).tolist())
    by_method = {family.name: sum(next(shares) for _ in family.fusions) for family in tuning.families}
    final = tuning.final.method.rule.name
    often = sorted(by_method, key=lambda name: (name != final, -by_method[name]))
    first, *others = (f"{name} in {percent(by_method[name])}" for name in often if name == final or by_method[name] > 0)
    shown = ", ".join([f"{first} of folds", *others])
    return f"The method is chosen first, by cross-validation ({shown}), then its parameters."


def deployment(tuning: FusionTuning) -> str:
    """What to type to fuse with the final parameters."""
    return f"To deploy, but not to evaluate on these queries: {tuning.command}"


def files(tuning: FusionTuning) -> list[str]:
    """What each file that was written is for."""
    written = []
    if tuning.path is not None:
        written.append(f"Written to {tuning.path}: the out-of-fold run, which may be evaluated on these queries.")
    if tuning.final_path is not None:
        written.append(
            f"Written to {tuning.final_path}: the run of the final parameters. Do not evaluate it on these queries: "
            "they chose the parameters."
        )
    return [sentences(*written)] if written else []


def _noise(tuning: FusionTuning) -> str:
    """The values around the final one that these queries do not tell from it."""
    curve = tuning.curve
    if len(curve) < 2:
        return ""
    at = next(place for place, point in enumerate(curve) if point.is_final)
    low = high = at
    while low and curve[low - 1].within_noise:
        low -= 1
    while high + 1 < len(curve) and curve[high + 1].within_noise:
        high += 1
    if low == high:
        return ""
    first, last = (f"{curve[end].value:g}" for end in (low, high))
    return f"Any {tuning.parameter} from {first} to {last} is within the noise of these queries."


def _range(interval: Interval, tuning: FusionTuning) -> str:
    if interval.reason:
        return interval.reason
    return f"{percent(tuning.confidence)} interval {in_words(interval.low)} to {in_words(interval.high)}"


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else ''}{in_words(value)}"
