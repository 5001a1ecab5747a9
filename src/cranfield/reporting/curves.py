"""Curves of means: a measure at growing cutoffs, and precision over recall."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cranfield.evaluating import aggregate
from cranfield.evaluating.scores import ScoreDetail, Scores
from cranfield.figures import curve_of
from cranfield.measures import IPrec, Measure, nDCG
from cranfield.measures.scoring import score
from cranfield.show.web_text import axis, shown

CUTOFFS = (1, 2, 3, 5, 10, 20, 30, 50, 100)
"""Each costs a pass over all queries of all systems; `cranfield curve` draws every one."""
WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 44, 120, 12, 40
LABEL = 15
"""Pixels between two names at the end of lines."""
LABELS = 12
"""Up to so many systems, each line has its name at its end."""


class DrawnLine(NamedTuple):
    """One system's curve, drawn."""

    run: str
    points: str
    values: tuple[str, ...]
    label: float
    """How far down its name stands."""


class Panel(NamedTuple):
    """One drawing."""

    title: str
    across: str
    up: str
    xs: tuple[tuple[str, float], ...]
    """Ticks along the bottom: what is written, and where."""
    ys: tuple[tuple[str, float], ...]
    lines: tuple[DrawnLine, ...]
    labelled: bool


def curves(scores: Scores) -> tuple[Panel, ...]:
    """The first measure at growing cutoffs, where it has one, else nDCG; and interpolated precision over recall."""
    detail, first = scores.detail, scores.measures[0]
    if detail is None:
        return ()
    family = first if first.definition.at == "cutoff" else nDCG
    relevant = detail.judgments.grades >= scores.settings.level
    if family.definition.groups is not None or detail.judgments.groups is not None or not relevant.any():
        return ()
    deepest = max(int(alignment.retrieved.max(initial=0)) for alignment in detail.alignments)
    cutoffs = [k for k in CUTOFFS if k <= max(deepest, 10)]
    logs = [math.log10(k) / math.log10(cutoffs[-1]) for k in cutoffs]
    return (
        _panel(
            scores,
            f"{_family(family)}@k",
            "k",
            f"{_family(family)}@k",
            [(str(k), x) for k, x in zip(cutoffs, logs, strict=True)],
            _means(scores, detail, [family @ k for k in cutoffs]),
        ),
        *_over_recall(scores),
    )


def _over_recall(scores: Scores) -> Iterator[Panel]:
    """Interpolated precision, but where unjudged documents would change what recall is of."""
    if scores.settings.adds_relevant(IPrec(rel=scores.settings.level)):
        return
    recall = curve_of(scores, "pr11")
    yield _panel(
        scores,
        "Interpolated precision over recall",
        "recall",
        "precision",
        [(f"{at:z.1f}", at) for at in recall.lines[0].x.tolist()],
        [line.y.tolist() for line in recall.lines],
    )


def _family(measure: Measure) -> str:
    return str(Measure(measure.definition, {name: v for name, v in measure.given.items() if name != "cutoff"}))


def _means(scores: Scores, detail: ScoreDetail, measures: Sequence[Measure]) -> list[list[float]]:
    """Of each run, the mean of each measure over the queries that count."""
    rows = []
    for counted, alignment in zip(scores.counted[0], detail.alignments, strict=True):
        values = score(alignment, measures, scores.settings.view)
        rows.append([aggregate.mean(m, row[counted]).value for m, row in zip(measures, values, strict=True)])
    return rows


def _panel(
    scores: Scores, title: str, across: str, up: str, ticks: list[tuple[str, float]], means: list[list[float]]
) -> Panel:
    scale = axis([value for row in means for value in row], around=0.0)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def y(value: float) -> float:
        return round(TOP + high * (1 - scale.at(value) / 100), 1)

    xs = [round(LEFT + wide * place, 1) for _, place in ticks]
    ends = [y(row[-1]) if not math.isnan(row[-1]) else y(0) for row in means]
    labels = _apart(ends)
    lines = tuple(
        DrawnLine(
            run,
            " ".join(f"{x},{y(value)}" for x, value in zip(xs, row, strict=True) if not math.isnan(value)),
            tuple(map(shown, row)),
            label,
        )
        for run, row, label in zip(scores.runs, means, labels, strict=True)
    )
    return Panel(
        title,
        across,
        up,
        tuple((name, x) for (name, _), x in zip(ticks, xs, strict=True)),
        tuple((scale.label(tick), y(tick)) for tick in scale.ticks),
        lines,
        len(lines) <= LABELS,
    )


def _apart(places: list[float]) -> list[float]:
    """Places for names: near where lines end, one below the other, and none below the drawing if there is room above.

    >>> _apart([100.0, 101.0, 40.0])
    [100.0, 115.0, 40.0]
    >>> _apart([279.0, 280.0])
    [265.0, 280.0]
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for before, at in pairwise(order):
        moved[at] = max(moved[at], moved[before] + LABEL)
    room = float(HEIGHT - BOTTOM)
    for at in reversed(order):
        moved[at] = min(moved[at], room)
        room = moved[at] - LABEL
    if moved and min(moved) < TOP:  # more names than fit: they go on below
        moved = [place + TOP - min(moved) for place in moved]
    return moved
