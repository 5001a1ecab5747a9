"""What there is to say about agreement, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cranfield.judging.each import JudgeSummary
from cranfield.judging.estimates import Coefficient
from cranfield.judging.overall import OWN
from cranfield.judging.pairs import JudgePair
from cranfield.phrases import counted, listed, percent

if TYPE_CHECKING:
    from cranfield.judging.answer import Agreement

MOST_NAMES = 6
SKEWED = 0.7
"""Where chance alone agrees this often, kappa falls far below agreement."""
LENIENT = 0.05
"""A judge who differs from the others by this share of the scale is worth a word."""
GWET = "Gwet's AC1"
FIRST = {
    *("agreement", "Fleiss' kappa", GWET, "Brennan-Prediger"),
    *("Cohen's kappa", "mean pairwise kappa", "Scott's pi", "ICC(2,1)"),
}
"""Coefficients to look at first."""


def sentences(agreement: Agreement) -> Iterator[str]:
    """How often judges agree, what that is worth beyond chance, and who is lenient."""
    labels = agreement.labels
    who = listed(list(labels.judges), MOST_NAMES) if labels.has_judges else "The judges"
    alpha = agreement.by_default
    value = _with_interval(alpha, agreement.settings["confidence"])
    if agreement.grades:
        same = agreement["agreement"]
        label = "label" if labels.categories else "grade"
        whose = "labelled by both" if _are_two(agreement) else "with at least two labels"
        yield (
            f"{who} gave the same {label} {same.value:.0%} of the time ({counted(same.items, agreement.item)} {whose});"
            f" {alpha.name} is {value}."
        )
    else:
        yield f"{who}: {alpha.name} is {value} ({counted(alpha.items, agreement.item)} with at least two labels)."
    yield from _paradox(agreement)
    yield from _leanings(agreement)


def is_first(agreement: Agreement, coefficient: Coefficient) -> bool:
    """Whether a coefficient is among those to look at first."""
    name = coefficient.name
    if name == agreement.by_default.name or name in FIRST:
        return True
    asked = f"({OWN})", f"({agreement.settings.get('weights')})"
    if name.endswith(asked) and not name.startswith("Krippendorff"):
        return True
    return name.endswith("(linear)") and name.startswith(("Cohen", "mean", "Gwet"))


def notes(agreement: Agreement, shown: Sequence[Coefficient]) -> Iterator[str]:
    """Where intervals come from, what values are called good, and what is missing."""
    yield from _intervals(agreement, shown)
    yield (
        "Krippendorff asks for an alpha of 0.8, or 0.667 for tentative conclusions; Landis and Koch (1977) call a "
        "kappa above 0.6 substantial. Both are conventions; --run shows whether disagreement changes the ranking of "
        "systems."
    )
    more = len(agreement.coefficients) - len(shown)
    if more:
        yield f"{counted(more, 'more coefficient')} with --all, and with --format tsv, csv or json."
    if agreement.null is not None:
        yield (
            f"p: two-sided test that the coefficient is {agreement.null:g}, by its standard error and Student's t; a "
            "coefficient of 0 is chance."
        )
    yield from agreement.notes
    yield from _reasons(shown, [one.name for one in shown])


def pair_notes(agreement: Agreement, shown: Sequence[JudgePair]) -> Iterator[str]:
    """What the columns about two judges are."""
    yield "kappa: Cohen's; pooled kappa: Scott's pi, the textbook's kappa."
    if not agreement.labels.categories:
        yield (
            "overlap: documents that both call relevant, of those that either does; positive and negative: agreement "
            f"about what is relevant and what is not, grades from {agreement.settings['relevant_from']:g} on being "
            "relevant."
        )
    if len(agreement.pairs) > len(shown):
        yield f"The {len(shown)} of {len(agreement.pairs):,} pairs that agree least; --format tsv has all."
    yield from _reasons([pair.kappa for pair in shown], [f"{pair.one} and {pair.other}" for pair in shown])


def judge_notes(agreement: Agreement, shown: Sequence[JudgeSummary]) -> Iterator[str]:
    """What the columns about each judge are."""
    if not agreement.labels.categories:
        yield (
            f"bias: how much higher than the mean of the others on the same {agreement.item}s; spread: standard "
            "deviation; agreement and kappa with the others, on average."
        )
    if len(shown) < len(agreement.judges):
        yield (
            f"The {len(shown)} of {len(agreement.judges):,} judges who agree least with others; --format tsv has all."
        )


def _with_interval(coefficient: Coefficient, confidence: float) -> str:
    if math.isnan(coefficient.value):
        return f"not defined: {coefficient.reason}"
    if math.isnan(coefficient.low):
        return f"{coefficient.value:z.2f}"
    limits = f"{coefficient.low:z.2f} to {coefficient.high:z.2f}"
    return f"{coefficient.value:z.2f} ({percent(confidence)} interval {limits})"


def _are_two(agreement: Agreement) -> bool:
    return len(agreement.labels.judges) == 2 and agreement.labels.has_judges


def _paradox(agreement: Agreement) -> Iterator[str]:
    """Where nearly all labels are the same, kappa is low although judges agree: both are true, and worth a word."""
    if not agreement.grades:
        return
    kappa = agreement["Cohen's kappa" if _are_two(agreement) else "Fleiss' kappa"]
    most = max(agreement.grades, key=lambda grade: grade.share)
    if math.isnan(kappa.value) or kappa.expected < SKEWED:
        return
    rare = min(agreement.grades, key=lambda grade: math.inf if math.isnan(grade.agreement) else grade.agreement)
    yield (
        f"{most.share:.0%} of the labels are {most.name}, so chance alone would agree {kappa.expected:.0%} of the "
        f"time, and {kappa.name} is {kappa.value:z.2f} where Gwet's AC1 is {agreement[GWET].value:z.2f}: look at the "
        f"agreement about each grade, which is lowest for {rare.name} ({rare.agreement:.0%})."
    )


def _leanings(agreement: Agreement) -> Iterator[str]:
    """Who grades higher or lower than the others, if it is worth a word."""
    scale = agreement.labels.scale
    if agreement.labels.categories or len(scale) < 2 or agreement.settings["level"] is not None:
        return
    wide = scale[-1] - scale[0]
    leaning = [judge for judge in agreement.judges if abs(judge.bias) >= LENIENT * wide]
    if len(agreement.judges) == 2:
        for judge, other in zip(agreement.judges, reversed(agreement.judges), strict=True):
            if judge in leaning and judge.bias > 0:
                yield f"On the same {agreement.item}s, {judge.name} grades {judge.bias:z.2f} higher than {other.name}."
        return
    furthest = sorted(leaning, key=lambda judge: -abs(judge.bias))[:2]
    if furthest:
        clauses = [
            f"{judge.name} grades {abs(judge.bias):z.2f} {'higher' if judge.bias > 0 else 'lower'}"
            for judge in furthest
        ]
        yield f"On the same {agreement.item}s, {listed(clauses)} than the others, on average."


def _intervals(agreement: Agreement, shown: Sequence[Coefficient]) -> Iterator[str]:
    """Where the limits of coefficients come from."""
    method = next((one.method for one in shown if one.method), "")
    settings = agreement.settings
    confidence = percent(settings["confidence"])
    samples = f"{confidence} intervals (BCa) from {settings['samples']:,} random samples of"
    if method == "bootstrap of queries":
        yield f"{samples} queries, because documents of one query are not independent (seed {settings['seed']})."
    elif method and method != "analytic" and agreement.labels.has_queries:
        yield f"{samples} items, as requested (seed {settings['seed']})."
    elif method and method != "analytic":
        yield f"{samples} items, because queries are not known (seed {settings['seed']})."
    elif method:
        yield f"{confidence} intervals from formulas that treat items as independent."


def _reasons(coefficients: Sequence[Coefficient], names: Sequence[str]) -> Iterator[str]:
    """Why some have no value, those with one reason together."""
    by_reason: dict[str, list[str]] = {}
    for coefficient, name in zip(coefficients, names, strict=True):
        if coefficient.reason:
            by_reason.setdefault(coefficient.reason, []).append(name)
    for reason, of in by_reason.items():
        yield f"{listed(of, 4)}: {reason}."
