"""Grades that are measurements rather than categories: hardly any two are the same, so distances count."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from cranfield.arrays import Floats
from cranfield.judging.coding import Coded
from cranfield.judging.coefficient import NO_CHANCE, NO_ITEM, Coefficient
from cranfield.judging.counting import patterns_of
from cranfield.judging.overall import Group, Statistic, intraclass_statistics, limited
from cranfield.judging.spread import added, alpha_of_sums, on_scale
from cranfield.judging.units import Units

MOST_CATEGORIES = 25
"""Of more different grades than this, kappa and its kin say nothing: only distances do."""


def measured(known: Coded, units: Units | None, confidence: float, *, has_judges: bool = True) -> list[Coefficient]:
    """Krippendorff's alpha by ranks and by differences, and the intraclass correlations."""
    correlations = intraclass_statistics(known, confidence) if has_judges else ()
    return limited([*_alphas(known), *correlations], units, confidence)


def _alphas(known: Coded) -> Iterator[Statistic]:
    patterns = patterns_of(known)
    for metric in ("ordinal", "interval"):
        scale = on_scale(known, metric)
        rows = added(scale[patterns.codes], patterns.of_pattern, len(patterns.times))
        value = float(alpha_of_sums(patterns.times @ rows))
        reason = "" if not math.isnan(value) else NO_ITEM if not known.shared else NO_CHANCE
        found = Coefficient(f"Krippendorff's alpha ({metric})", value, items=known.shared, reason=reason)
        yield Statistic(found, Group(_summed(rows), lambda sums: sums), alpha_of_sums)


def _summed(rows: Floats) -> Callable[[Units], Floats]:
    def features(units: Units) -> Floats:
        summed: Floats = units.summed(rows)
        return summed

    return features
