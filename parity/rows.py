"""What a comparison gives: a row for each measure that a tool and cranfield share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import cranfield as cf
from parity.data import Data, Diverse

EXACT = 1e-9
FIVE_DECIMALS = 5.000001e-6
"""Half of the last digit of a tool that prints five decimals, and what binary fractions add to it."""


class Row(NamedTuple):
    """One measure of a tool next to ours: how many values were compared, and how far apart they are at most."""

    theirs: str
    ours: str
    values: int
    difference: float
    data: str = "graded"
    tolerance: float = EXACT
    reason: str = ""
    """Why they differ, where they are meant to."""

    @property
    def wrong(self) -> str:
        """What is wrong with the row, if anything."""
        if not self.values:
            return "no value was compared"
        apart = not self.difference <= self.tolerance
        if apart and not self.reason:
            return f"differs by up to {self.difference:.3g}"
        return "is said to differ and does not" if self.reason and not apart else ""


def compared(
    theirs: str,
    ours: str | cf.Measure,
    found: Mapping[str, float],
    data: Data | Diverse,
    *,
    mean: float | None = None,
    tolerance: float = EXACT,
    reason: str = "",
    **settings: Any,
) -> Row:
    """A row from what a tool found for each query, and perhaps its mean; undefined scores of ours count as 0."""
    scores = cf.evaluate(data.qrels, data.run, ours, **settings)
    values = dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True))
    pairs = [(0.0 if math.isnan(values[query]) else values[query], value) for query, value in found.items()]
    if mean is not None:
        pairs.append((scores.mean(scores.measures[0]).value, mean))
    # What is said next to the measure belongs to its name here.
    said = "".join(f", {name}={value}" for name, value in settings.items() if value is not None)
    return Row(theirs, f"{scores.measures[0]}{said}", len(pairs), largest(pairs), data.name, tolerance, reason)


def merged(rows: Sequence[Row]) -> Row:
    """Rows of one kind as one, from the first to the last of them."""
    first, last = rows[0], rows[-1]
    return first._replace(
        theirs=first.theirs if first.theirs == last.theirs else f"{first.theirs} … {last.theirs}",
        ours=first.ours if first.ours == last.ours else f"{first.ours} … {last.ours}",
        values=sum(row.values for row in rows),
        difference=max(row.difference for row in rows),
        data=", ".join(dict.fromkeys(row.data for row in rows)),
    )


def largest(pairs: list[tuple[float, float]]) -> float:
    """The largest absolute difference; infinite where one of a pair is undefined."""
    differences = [abs(one - other) for one, other in pairs]
    return max((math.inf if math.isnan(difference) else difference for difference in differences), default=0.0)
