"""Where trec_eval computes something else than the measure of that name here: each way by its name.

Each function gives a score: from a judged ranking to one number per query, undefined ones already what trec_eval
makes of them. The measures themselves are those of `cranfield.measures`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.arrays import Floats
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError
from cranfield.compat.trec_eval.versions import Version
from cranfield.errors import UsageError
from cranfield.measures import (
    IPrec,
    Measure,
    NumRel,
    NumRelRet,
    NumRet,
    RprecMult,
    RprecMult_avgjg,
    SetP,
    SetR,
    Utility,
)
from cranfield.measures.average import documents_at

Score = Callable[[Any], Floats]
"""From a judged ranking, or one with several grades for a document, to a number for each query."""

MINUS_NAN = np.copysign(np.nan, -1)
"""What 0/0 gives on common processors; it is printed as -nan."""


class Setting(NamedTuple):
    """What a measure needs to know of a call."""

    version: Version
    level: int
    """The grade from which a document is relevant."""
    docs: int = 0
    """The size of the collection, as far as it was given."""


def undefined_is_zero(measure: Measure, setting: Setting) -> Score:
    """The measure as it is, at the level asked for; an undefined score is 0."""
    at_level = _at_level(measure, setting)
    return lambda judged: _filled(at_level(judged))


def interpolated_precision(setting: Setting, level: float) -> Score:
    """Any level goes, not only 0 to 1; and where nothing is retrieved, a level that asks for nothing is 0/0."""

    def score(judged: JudgedRanking) -> Floats:
        # Called as a function: as a measure it takes levels from 0 to 1 only.
        best = IPrec.definition.function(judged, rel=setting.level, levels=setting.version.levels, recall=level)
        wanted = documents_at(level, judged.num_rel(setting.level), setting.version.levels)
        return np.where((judged.retrieved == 0) & (wanted <= 0), MINUS_NAN, _filled(best))

    return score


def mean_interpolated_precision(setting: Setting, levels: Sequence[float]) -> Score:
    """11pt_avg is the mean over whatever levels are given, summed from the highest down."""
    scores = [interpolated_precision(setting, level) for level in reversed(levels)]

    def score(judged: JudgedRanking) -> Floats:
        total = np.zeros_like(judged.retrieved)
        for of_level in scores:
            total = total + of_level(judged)
        return total / len(scores)

    return score


def precision_at_multiple(setting: Setting, multiple: float) -> Score:
    """Any multiple of R goes; one that is not above 0 gives 0."""
    if multiple <= 0:
        return lambda judged: np.zeros_like(judged.retrieved)
    return undefined_is_zero(accepted(RprecMult, multiple=multiple), setting)


def set_f(setting: Setting, values: Sequence[float]) -> Score:
    """F from precision and recall, multiplied in trec_eval's order; its parameter is beta squared."""
    x = values[0]
    precision, recall = (undefined_is_zero(measure, setting) for measure in (SetP, SetR))

    def score(judged: JudgedRanking) -> Floats:
        p, r = precision(judged), recall(judged)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(p > 0, (x + 1) * p * r / (x * p + r), 0.0)

    return score


def utility(setting: Setting, worths: Sequence[float]) -> Score:
    """What is left out counts against the size of the collection as it was given, 0 if it was not."""
    if len(worths) != 4:
        raise TrecEvalError(Exit.CALCULATION, f"utility takes 4 numbers such as 1,-1,0,0, not {len(worths)}")
    a, b, c, d = worths
    of_three = undefined_is_zero(accepted(Utility, a=a, b=b, c=c), setting)
    relevant_retrieved, relevant = (undefined_is_zero(measure, setting) for measure in (NumRelRet, NumRel))

    def score(judged: JudgedRanking) -> Floats:
        left_out = setting.docs + relevant_retrieved(judged) - NumRet(judged) - relevant(judged)
        return of_three(judged) + d * left_out

    return score


def precision_at_multiple_over_judges(setting: Setting, multiple: float) -> Score:
    """As `precision_at_multiple`, averaged over judges."""
    if multiple <= 0:
        return precision_at_multiple(setting, multiple)
    return undefined_is_zero(accepted(RprecMult_avgjg, multiple=multiple), setting)


def relevance_strings(length: float) -> Callable[[JudgedRanking], list[str]]:
    """Grades by rank as a string: `-` not in the pool, `.` in it but not judged, `>` above 9."""

    def texts(judged: JudgedRanking) -> list[str]:
        lengths = np.minimum(judged.retrieved, max(0, int(length))).astype(np.int64)
        return [
            _relevance_string(ranks, grades, count)
            for ranks, grades, count in zip(judged.ranks, judged.grades, lengths.tolist(), strict=True)
        ]

    return texts


def _relevance_string(ranks: Floats, grades: Floats, length: int) -> str:
    letters = ["-"] * length
    inside = ranks <= length
    for rank, grade in zip(ranks[inside].tolist(), grades[inside].tolist(), strict=True):
        letters[int(rank) - 1] = "." if grade < 0 else ">" if grade > 9 else f"{grade:.0f}"
    return "".join(letters)


def _at_level(measure: Measure, setting: Setting) -> Measure:
    return measure(rel=setting.level) if "rel" in measure.definition.parameters else measure


def accepted(measure: Measure, **params: object) -> Measure:
    """The measure with parameters that a call asks for, if it can have them."""
    try:
        return measure(**params)
    except UsageError as error:
        raise TrecEvalError(Exit.INPUT, str(error)) from None


def _filled(scores: Floats, undefined: float = 0.0) -> Floats:
    return np.where(np.isnan(scores), undefined, scores)
