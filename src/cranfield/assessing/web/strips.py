"""The picture of a comparison: how the range of what a difference could be narrows with every label."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cranfield.show.web_text import axis, signed

if TYPE_CHECKING:
    from cranfield.assessing.effect_summary import PairEffect


class Tick(NamedTuple):
    """A number next to the picture, and its height in percent from above."""

    label: str
    y: float


class Strip(NamedTuple):
    """A range that narrows from left to right, and next to it the interval over queries; all places in percent."""

    run: str
    baseline: str
    measure: str
    state: str
    ticks: tuple[Tick, ...]
    zero: float
    band: str
    """Corners of the range over labels, as SVG has them."""
    now: float
    """Where the labels so far end; what lies to the right is expected."""
    difference: float
    interval: tuple[float, float] | None
    """Upper end and height."""
    labels: int
    expected: int | None
    """Labels after which it should be decided."""
    words: str


def strip_of(pair: PairEffect, labels: int, documents: int) -> Strip | None:
    """The picture of one pair of runs; nothing where its range is not known."""
    if pair.low is None or pair.high is None:
        return None
    history = [*pair.history, (labels, pair.low, pair.high)]
    ends = [value for _, low, high in history for value in (low, high)]
    interval = (pair.interval_low, pair.interval_high)
    scale = axis([*ends, *(end for end in interval if end is not None)], ticks=4, around=0.0)

    def y(value: float) -> float:
        return round(100 - scale.at(value), 2)

    expected = None if not pair.more_labels else min(labels + pair.more_labels, max(documents, labels))
    last = max(expected or labels, history[-1][0], 1)

    def x(count: int) -> float:
        return round(100 * count / last, 2)

    lower = [f"{x(count)},{y(low)}" for count, low, _ in history]
    upper = [f"{x(count)},{y(high)}" for count, _, high in reversed(history)]
    return Strip(
        pair.run,
        pair.baseline,
        pair.measure,
        pair.state,
        tuple(Tick(scale.label(tick), y(tick)) for tick in scale.ticks),
        y(0.0),
        " ".join([*lower, *upper]),
        x(labels),
        y(pair.best_difference),
        None
        if pair.interval_low is None or pair.interval_high is None
        else (y(pair.interval_high), max(1.0, round(y(pair.interval_low) - y(pair.interval_high), 2))),
        labels,
        expected,
        _words(pair),
    )


def _words(pair: PairEffect) -> str:
    """The picture for those who cannot see it."""
    assert pair.low is not None
    assert pair.high is not None
    possible = _range(pair.low, pair.high)
    text = f"With the labels so far, the difference of {pair.run} to {pair.baseline} is {possible}."
    if pair.interval_low is not None and pair.interval_high is not None:
        text += f" 95% interval over queries: {_range(pair.interval_low, pair.interval_high)}."
    return text


def _range(low: float, high: float) -> str:
    return f"{signed(low, 3)} to {signed(high, 3)}"
