"""Grades that are measurements rather than categories: hardly any two are the same, so distances count."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from cranfield.judging import agreement as published
from cranfield.judging.coding import Coded
from cranfield.judging.coefficient import NO_CHANCE, NO_ITEM, Coefficient
from cranfield.judging.intraclass import FORMS, mean_squares, value_of
from cranfield.judging.overall import grade_moments
from cranfield.judging.spread import added, alpha_of_sums, on_scale
from cranfield.judging.units import Units

Floats = npt.NDArray[np.float64]

MOST_CATEGORIES = 25
"""Of more different grades than this, kappa and its kin say nothing: only distances do."""


def measured(known: Coded, units: Units | None, confidence: float) -> list[Coefficient]:
    """Krippendorff's alpha by ranks and by differences, and the intraclass correlations."""
    return [*_alphas(known, units, confidence), *_correlations(known, units, confidence)]


def _alphas(known: Coded, units: Units | None, confidence: float) -> Iterator[Coefficient]:
    items = int(((known.codes >= 0).sum(axis=0) > 1).sum())
    for metric in ("ordinal", "interval"):
        scale = on_scale(known, metric)
        codes = known.codes if units is None else units.patterns.codes
        rows = added(np.where(codes >= 0, scale[np.maximum(codes, 0)], np.nan))
        total = rows.sum(axis=0) if units is None else units.patterns.times @ rows
        value = float(alpha_of_sums(total))
        reason = "" if not math.isnan(value) else NO_ITEM if not items else NO_CHANCE
        found = Coefficient(f"Krippendorff's alpha ({metric})", value, items=items, reason=reason)
        if units is not None:
            samples, left_out = (alpha_of_sums(part) for part in (units.resampled(rows), units.left_out(rows)))
            found = units.limited(found, samples, left_out, confidence)
        yield found


def _correlations(known: Coded, units: Units | None, confidence: float) -> Iterator[Coefficient]:
    judges = len(known.codes)
    grades = np.where(known.codes >= 0, known.values[np.maximum(known.codes, 0)], np.nan)
    found = published.intraclass(grades, confidence=confidence)
    if units is None:
        yield from found.values()
        return
    rows = grade_moments(units.patterns, known.values)
    samples, left_out = (mean_squares(part, judges) for part in (units.resampled(rows), units.left_out(rows)))
    for form in FORMS:
        values = value_of(form, samples), value_of(form, left_out)
        yield units.limited(found[form], *values, confidence)
