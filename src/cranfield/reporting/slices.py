"""The difference of two systems in slices of the queries, worst first."""

from __future__ import annotations

import math
from typing import NamedTuple

from cranfield.comparing import slice_words
from cranfield.comparing.comparison import Comparison
from cranfield.comparing.differences import Difference
from cranfield.comparing.slices import Slicing
from cranfield.measures import Measure
from cranfield.reporting.systems import DrawnInterval, drawn, word_of
from cranfield.show.table import shown_p
from cranfield.show.web_text import NumberAxis, axis, interval, shown, signed


class SlicePart(NamedTuple):
    """Two systems on some of the queries, as it is written."""

    name: str
    number: int
    """Its place among the slices of its column."""
    queries: int
    baseline: str
    run: str
    difference: str
    interval: str
    p: str
    word: str
    drawn: DrawnInterval
    wins: int
    ties: int
    losses: int


class Slices(NamedTuple):
    """Two systems in all slices by one column."""

    by: str
    parts: tuple[SlicePart, ...]
    scale: NumberAxis
    depends: str
    """Whether the difference depends on the slice, in words."""
    notes: tuple[str, ...]


def slices(comparison: Comparison, slicing: Slicing, measure: Measure, run: str) -> Slices:
    """A run compared with its baseline in every slice, where it loses most first."""
    found = [
        (part.name, number, len(part.queries), one)
        for number, part in enumerate(slicing.slices)
        for one in part.differences
        if one.measure == measure and one.run == run
    ]
    scale = axis([end for *_, one in found for end in (one.low, one.high, one.difference)], around=0.0)
    sign = -1 if measure.definition.lower_is_better else 1
    found.sort(key=lambda row: sign * row[3].difference if not math.isnan(row[3].difference) else math.inf)
    (depends,) = (one for one in slicing.interactions if one.measure == measure and one.run == run)
    return Slices(
        slicing.by,
        tuple(_part(*row, scale, comparison.choices.alpha) for row in found),
        scale,
        slice_words.dependence(
            slicing, depends, f"The difference between {run} and {depends.baseline}", comparison.choices.alpha
        ),
        tuple(slice_words.notes(comparison, slicing)),
    )


def _part(name: str, number: int, queries: int, one: Difference, scale: NumberAxis, alpha: float) -> SlicePart:
    return SlicePart(
        name,
        number,
        queries,
        shown(one.baseline_mean),
        shown(one.mean),
        signed(one.difference),
        interval(one.low, one.high),
        "–" if math.isnan(one.adjusted) else shown_p(one.adjusted),
        word_of(one, alpha),
        drawn(scale, one.difference, one.low, one.high),
        one.wins,
        one.ties,
        one.losses,
    )
