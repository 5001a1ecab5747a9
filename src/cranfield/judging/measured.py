"""Grades that are measurements rather than categories: hardly any two are the same, so distances count.

Alpha needs no table of categories then. The squared differences of an item's labels follow from their sum and the sum
of their squares, and ordinal distances are differences of ranks.
"""

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
from cranfield.judging.units import Units

Floats = npt.NDArray[np.float64]

MOST_CATEGORIES = 25
"""Of more different grades than this, kappa and its kin say nothing: only distances do."""


def measured(known: Coded, units: Units | None, confidence: float) -> list[Coefficient]:
    """Krippendorff's alpha by ranks and by differences, and the intraclass correlations."""
    return [*_alphas(known, units, confidence), *_correlations(known, units, confidence)]


def alpha_of_sums(sums: Floats) -> Floats:
    """Alpha from sums over items of: labels, their values, the squares of these, and what an item's labels differ."""
    labels, total, squares, differing = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        met = differing / labels
        would = 2 * (labels * squares - total**2) / (labels * (labels - 1))
        return np.asarray(np.where(would > 0, 1 - met / would, np.nan))


def added(values: Floats) -> Floats:
    """What each item adds to these sums, a row per item; nothing if it has fewer than two labels."""
    known = ~np.isnan(values)
    labels = known.sum(axis=0)
    filled = np.where(known, values, 0)
    total, squares = filled.sum(axis=0), (filled**2).sum(axis=0)
    differing = 2 * (labels * squares - total**2) / np.maximum(labels - 1, 1)
    rows = np.stack([labels, total, squares, differing], axis=1).astype(np.float64)
    rows[labels < 2] = 0
    return rows


def _alphas(known: Coded, units: Units | None, confidence: float) -> Iterator[Coefficient]:
    shared = (known.codes >= 0).sum(axis=0) > 1
    items = int(shared.sum())
    times = np.bincount(known.codes[:, shared][known.codes[:, shared] >= 0], minlength=known.size)
    ranks = np.cumsum(times) - times / 2
    for metric, scale in (("ordinal", ranks), ("interval", known.values)):
        middle = scale - float((scale * times).sum() / max(times.sum(), 1))
        codes = known.codes if units is None else units.patterns.codes
        rows = added(np.where(codes >= 0, middle[np.maximum(codes, 0)], np.nan))
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
