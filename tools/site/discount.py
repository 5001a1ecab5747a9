"""What a relevant document adds at each rank: the discount, or the user, of a measure as a picture."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.errors import UsageError
from cranfield.measures import Measure
from cranfield.notation import ranking
from cranfield.show.web_text import NumberAxis, axis

DEPTH = 20
WIDTH, HEIGHT = 620, 250
LEFT, RIGHT, TOP, BOTTOM = 56, 10, 12, 40
RANKS = (1, 5, 10, 15, 20)


@dataclass(frozen=True)
class Gains:
    """What the first relevant document adds to a score at each rank, and what a second one does below one at rank 1."""

    measure: Measure
    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def same(self) -> bool:
        """Whether it does not matter to a document what was found before."""
        return all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(self.first[1:], self.second, strict=True))

    @property
    def words(self) -> str:
        """The picture for those who do not see it."""
        shown = [(rank, self.first[rank - 1]) for rank in (1, 2, 3, 10, 20)]
        alone = ", ".join(f"{value:.3g} at rank {rank}" for rank, value in shown)
        below = ", ".join(f"{self.second[rank - 2]:.3g} at rank {rank}" for rank in (2, 3, 10))
        more = "the same below another at rank 1" if self.same else f"below another at rank 1: {below}"
        return f"A relevant document adds to {self.measure}: {alone}; {more}."


def gains(measure: Measure) -> Gains | None:
    """What a relevant document adds to a measure; nothing where that is no question to ask of it.

    There are two relevant documents and 18 that were judged irrelevant; what is not at its rank was not retrieved.

    >>> from cranfield.measures import RR
    >>> found = gains(RR)
    >>> found.first[:4], found.second[:3]
    ((1.0, 0.5, 0.3333333333333333, 0.25), (0.0, 0.0, 0.0))
    """
    if measure.definition.groups is not None or measure.definition.mean == "sum":
        return None
    try:
        nothing = _score(measure, ())
        first = tuple(_score(measure, (rank,)) - nothing for rank in range(1, DEPTH + 1))
        top = _score(measure, (1,))
        second = tuple(_score(measure, (1, rank)) - top for rank in range(2, DEPTH + 1))
    except UsageError:
        return None
    changes = [*first, *second]
    return Gains(measure, first, second) if all(map(math.isfinite, changes)) and any(changes) else None


def _score(measure: Measure, relevant: Sequence[int]) -> float:
    grades = [int(rank in relevant) for rank in range(1, DEPTH + 1)]
    score = float(measure(ranking(grades, relevant=2)))
    return 0.0 if math.isnan(score) else score


def picture(found: Gains) -> str:
    """The picture as SVG within a page: its colours are the page's, light or dark."""
    scale = axis([*found.first, *found.second], ticks=4, around=0.0)
    lines = [_line("first", found.first, 1, scale)]
    if not found.same:
        lines.append(_line("second", found.second, 2, scale))
    inside = "".join([*_grid(scale), *lines])
    second = "" if found.same else ' <span class="key second">□</span> a second one, below one at rank 1'
    alone = "a relevant document, whatever stands above" if found.same else "the first relevant document"
    caption = f'What it adds at each rank: <span class="key first">●</span> {alone}{second}'
    drawn = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(found.words)}">{inside}</svg>'
    return f'<figure class="discount">{drawn}<figcaption>{caption}.</figcaption></figure>'


def _grid(scale: NumberAxis) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    rows = [
        f'<path class="grid" d="M{LEFT} {_y(tick, scale)}H{right}"/>'
        f'<text x="{LEFT - 8}" y="{_y(tick, scale) + 4}" text-anchor="end">{scale.label(tick)}</text>'
        for tick in scale.ticks
    ]
    columns = [f'<text x="{_x(rank)}" y="{bottom + 18}" text-anchor="middle">{rank}</text>' for rank in RANKS]
    return [*rows, *columns, f'<text x="{(LEFT + right) / 2:g}" y="{HEIGHT - 4}" text-anchor="middle">rank</text>']


def _line(kind: str, values: Sequence[float], start: int, scale: NumberAxis) -> str:
    points = [(_x(rank), _y(value, scale)) for rank, value in enumerate(values, start)]
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    mark = '<circle cx="{x:g}" cy="{y:g}" r="3.5"/>' if kind == "first" else '<path d="M{l:g} {t:g}h7v7h-7z"/>'
    marks = "".join(mark.format(x=x, y=y, l=x - 3.5, t=y - 3.5) for x, y in points)
    return f'<g class="{kind}"><polyline points="{path}"/>{marks}</g>'


def _x(rank: int) -> float:
    return round(LEFT + 10 + (rank - 1) * (WIDTH - LEFT - RIGHT - 20) / (DEPTH - 1), 1)


def _y(value: float, scale: NumberAxis) -> float:
    return round(HEIGHT - BOTTOM - scale.at(value) / 100 * (HEIGHT - TOP - BOTTOM), 1)
