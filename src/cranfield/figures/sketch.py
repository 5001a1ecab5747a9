"""Pictures made of characters, for a terminal: lines, bars, boxes, shades and dots."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cranfield.arrays import Floats
from cranfield.show.table import printable, shortened

MARKS = "abcdefghijklmnopqrstuvwxyz"
"""Letters tell lines apart, whatever colours there are."""
SEVERAL = "*"
HEIGHT = 17
"""Rows of a picture: a tick at every fourth."""
WIDEST = 100
"""A sketch is small: on a very wide terminal it would only be coarse."""
NAME = 24
"""Characters that a name keeps."""
MARKED = 12
"""Points of a line that carry its letter."""
PARTS = " ▏▎▍▌▋▊▉█"
SHADES = "·░▒▓█"


def lines(
    series: Sequence[tuple[str, Floats, Floats]],
    x: tuple[str, float, float, bool],
    y: tuple[str, float, float],
    width: int,
) -> str:
    """Curves by name in one picture: dots from point to point, and here and there the letter of a name.

    A curve alone has its letter at its points; several have theirs where they hide each other least.

    >>> print(lines([("bm25", np.array([0, 1]), np.array([1, 0]))], ("x", 0, 1, False), ("y", 0, 1), 30))
    y
    1.00 ┤a
         │ ··
         │   ·
    ...
    0.00 ┤                       a
         └┬────┬───┬────┬───┬────┬
          0   0.2 0.4  0.6 0.8   1
                     x
    a bm25
    """
    drawn = series[: len(MARKS)]
    canvas = _Canvas(x, y, min(width, WIDEST))
    for _, across, up in drawn:
        canvas.dotted(across, up)
    for at, (_, across, up) in enumerate(drawn):
        if len(drawn) == 1:
            canvas.marked(MARKS[at], canvas.places(across, up))
        else:
            canvas.marked(MARKS[at], canvas.staggered(across, up, at, len(drawn)))
    more = [f"and {len(series) - len(drawn)} more runs that are not drawn"] if len(series) > len(drawn) else []
    names = [f"{mark} {named(name)}" for mark, (name, _, _) in zip(MARKS, drawn, strict=False)]
    several = [f"{SEVERAL} several"] if canvas.has(SEVERAL) else []
    return "\n".join([y[0], *canvas.rows(), *legend([*names, *several, *more], canvas.width)])


def dots(across: Floats, up: Floats, x: tuple[str, float, float], y: tuple[str, float, float], width: int) -> str:
    """Points in one picture, counted where several share a place, with the diagonal between both axes."""
    canvas = _Canvas((*x, False), y, min(width, WIDEST))
    ends = np.array([max(x[1], y[1]), min(x[2], y[2])])
    canvas.dotted(ends, ends)
    canvas.counted(across, up)
    return "\n".join([y[0], *canvas.rows()])


def bars(rows: Sequence[tuple[str, float, str]], width: int) -> str:
    """A bar for each name, from zero to the right, or to the left where a value is negative.

    >>> print(bars([("q1", 0.5, "+0.5"), ("q2", -1.0, "-1.0")], 30))
    q1               │██████ +0.5
    q2  █████████████│       -1.0
    """
    names = [named(name) for name, _, _ in rows]
    name_width, value_width = max(map(cells, names)), max(len(shown) for _, _, shown in rows)
    room = max(min(width, WIDEST) - name_width - value_width - 5, 4)
    lowest, highest = min(0.0, *(value for _, value, _ in rows)), max(0.0, *(value for _, value, _ in rows))
    per = (highest - lowest) / room or 1.0
    left = round(-lowest / per)
    written = []
    for name, (_, value, shown) in zip(names, rows, strict=True):
        # Parts of a cell are filled from the left; to the left of the axis only whole ones meet it.
        side = "█" * round(-value / per) if value < 0 else ""
        bar = "" if value < 0 else _bar(min(value / per, room - left))
        axis = "│" if left else ""
        written.append(f"{padded(name, name_width)}  {side:>{left}}{axis}{bar:<{room - left}} {shown:>{value_width}}")
    return "\n".join(written)


def boxes(rows: Sequence[tuple[str, Sequence[float], str]], low: float, high: float, width: int) -> str:
    """Of each name a line from the least to the most, a box around the middle half, and a stroke at the median.

    >>> print(boxes([("bm25", (0.0, 0.25, 0.5, 0.75, 1.0), "0.50")], 0, 1, 34))
    bm25  ├────█████┃█████────┤ 0.50
    """
    names = [named(name) for name, _, _ in rows]
    name_width, value_width = max(map(cells, names)), max(len(shown) for _, _, shown in rows)
    room = max(min(width, WIDEST) - name_width - value_width - 5, 10)
    written = []
    for name, (_, five, shown) in zip(names, rows, strict=True):
        box = [" "] * room
        least, lower, median, upper, most = (_place(value, low, high, room) for value in five)
        box[least : most + 1] = "─" * (most - least + 1)
        box[least], box[most] = "├", "┤"
        box[lower : upper + 1] = "█" * (upper - lower + 1)
        box[median] = "┃"
        written.append(f"{padded(name, name_width)}  {''.join(box)} {shown:>{value_width}}")
    return "\n".join(written)


def shades(rows: Sequence[tuple[str, Floats]], low: float, high: float, width: int) -> str:
    """A line of shades for each name, darker for more; neighbours are averaged where there is no room for each.

    >>> print(shades([("bm25", np.array([0, 0.3, 0.6, 1.0]))], 0, 1, 40))
    bm25  ·░▒█
    """
    names = [named(name) for name, _ in rows]
    name_width = max(map(cells, names))
    room = max(min(width, WIDEST) - name_width - 2, 10)
    written = []
    for name, (_, values) in zip(names, rows, strict=True):
        shown = pooled(values, room)
        with np.errstate(invalid="ignore"):
            dark = np.clip((shown - low) / ((high - low) or 1), 0, 1) * (len(SHADES) - 1)
        shown_as = ("?" if math.isnan(step) else SHADES[round(step)] for step in dark.tolist())
        written.append(f"{padded(name, name_width)}  {''.join(shown_as)}")
    return "\n".join(written)


def pooled(values: Floats, room: int) -> Floats:
    """Values along the last axis, neighbours averaged so that no more than so many are left.

    >>> pooled(np.array([0.0, 1.0, 2.0, 4.0]), 2)
    array([0.5, 3. ])
    """
    count = values.shape[-1]
    if count <= room:
        return values
    parts = np.array_split(np.arange(count), room)
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    starts = [int(part[0]) for part in parts]
    with np.errstate(invalid="ignore"):
        means: Floats = np.add.reduceat(filled, starts, axis=-1) / np.add.reduceat(known, starts, axis=-1, dtype=float)
    return means


def legend(entries: Sequence[str], width: int) -> list[str]:
    """Names side by side, as many on a line as fit."""
    rows: list[str] = []
    for entry in entries:
        if rows and cells(rows[-1]) + 3 + cells(entry) <= width:
            rows[-1] += "   " + entry
        else:
            rows.append(entry)
    return rows


def named(name: str) -> str:
    """A name that stays on its line, commands no terminal, and leaves room for others."""
    return shortened(printable(name), NAME)


def cells(text: str) -> int:
    """Columns of a terminal that a text takes.

    >>> cells("bm25"), cells("検索")
    (4, 4)
    """
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def padded(name: str, width: int) -> str:
    """A name and as many blanks as it lacks."""
    return name + " " * (width - cells(name))


def wrapped(notes: Sequence[str], width: int) -> str:
    """Lines below a picture."""
    room = min(width, WIDEST)
    return "\n".join(textwrap.fill(printable(note), room, break_on_hyphens=False) for note in notes)


class _Canvas:
    """A picture of characters with an axis on the left and one below."""

    def __init__(self, x: tuple[str, float, float, bool], y: tuple[str, float, float], width: int) -> None:
        self.x, self.y, self.width = x, y, width
        self.labels = [_tick(y[2] + (y[1] - y[2]) * part / 4) for part in range(5)]
        self.margin = max(map(len, self.labels))
        self.columns = max(width - self.margin - 2, 20)
        self.cells = [[" "] * self.columns for _ in range(HEIGHT)]

    def dotted(self, across: Floats, up: Floats) -> None:
        """Straight lines from point to point."""
        for column, row in self.path(across, up):
            self.cells[row][column] = "·"

    def marked(self, mark: str, places: Sequence[tuple[int, int]]) -> None:
        """A letter at some of the places, the first and the last among them."""
        chosen = np.unique(np.linspace(0, len(places) - 1, min(len(places), MARKED)).round().astype(int))
        for at in chosen.tolist() if places else []:
            column, row = places[at]
            self.cells[row][column] = mark if self.cells[row][column] in (" ", "·", mark) else SEVERAL

    def staggered(self, across: Floats, up: Floats, at: int, of: int) -> list[tuple[int, int]]:
        """Places along a curve that are not those of the neighbouring curves."""
        apart = max(2 * of, 8)
        first = at * apart // of
        return [place for place in self.path(across, up) if place[0] % apart == first]

    def path(self, across: Floats, up: Floats) -> list[tuple[int, int]]:
        """All places from point to point."""
        places = self.places(across, up)
        found = dict.fromkeys(places[:1])
        for (column, row), (next_column, next_row) in pairwise(places):
            far = max(abs(next_column - column), abs(next_row - row))
            for step in range(1, far + 1):
                part = step / far
                found[round(column + (next_column - column) * part), round(row + (next_row - row) * part)] = None
        return list(found)

    def counted(self, across: Floats, up: Floats) -> None:
        """How many points share each place: a digit, or # for ten and more."""
        counts: dict[tuple[int, int], int] = {}
        for place in self.places(across, up):
            counts[place] = counts.get(place, 0) + 1
        for (column, row), count in counts.items():
            self.cells[row][column] = str(count) if count < 10 else "#"

    def has(self, mark: str) -> bool:
        """Whether something stands anywhere."""
        return any(mark in row for row in self.cells)

    def rows(self) -> list[str]:
        """The picture line by line, with its axes."""
        drawn = []
        for at, cells in enumerate(self.cells):
            label, edge = (self.labels[at // 4], "┤") if at % 4 == 0 else ("", "│")
            drawn.append(f"{label:>{self.margin}} {edge}{''.join(cells)}".rstrip())
        return [*drawn, *self._below()]

    def _below(self) -> list[str]:
        name, low, high, log = self.x
        ticks = _decades(low, high) if log else steps(low, high)
        axis, labels = ["─"] * self.columns, [" "] * (self.columns + self.margin + 8)
        for tick in ticks:
            column = self._column(tick)
            axis[column] = "┬"
            text = f"{tick:g}"
            start = self.margin + 2 + min(column - len(text) // 2, self.columns - len(text))
            if all(cell == " " for cell in labels[max(start - 1, 0) : start + len(text) + 1]):
                labels[start : start + len(text)] = text
        edge = " " * self.margin
        return [
            f"{edge} └{''.join(axis)}",
            "".join(labels).rstrip(),
            f"{edge}  {name:^{self.columns}}".rstrip(),
        ]

    def places(self, across: Floats, up: Floats) -> list[tuple[int, int]]:
        """Where points stand, by column and row; points without a value stand nowhere."""
        known = ~(np.isnan(across) | np.isnan(up))
        return [
            (self._column(one), HEIGHT - 1 - _place(two, self.y[1], self.y[2], HEIGHT))
            for one, two in zip(across[known].tolist(), up[known].tolist(), strict=True)
        ]

    def _column(self, value: float) -> int:
        _, low, high, log = self.x
        if log:
            value, low, high = (math.log10(number) for number in (value, low, high))
        return _place(value, low, high, self.columns)


def _place(value: float, low: float, high: float, room: int) -> int:
    """Which of so many cells a value falls into."""
    share = (value - low) / (high - low) if high > low else 0.0
    return round(min(max(share, 0.0), 1.0) * (room - 1))


def _decades(low: float, high: float) -> list[float]:
    """1, 10, 100 and so on, and both ends."""
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    return sorted({low, high, *(10.0**power for power in range(first, last + 1))})


def steps(low: float, high: float) -> list[float]:
    """About five round numbers from one end to the other, and the first.

    >>> steps(0, 1), steps(1, 30)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [1.0, 10.0, 20.0, 30.0])
    """
    if not high > low:
        return [low]
    rough = (high - low) / 5
    if not rough:  # the smallest numbers there are have no fifth
        return [low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * part for part in (1, 2, 5, 10) if power * part >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    whole = [round(step * at, 12) for at in range(first, math.floor(high / step + 1e-9) + 1)]
    return sorted({float(low), *whole})


def _tick(value: float) -> str:
    return f"{value:z.2f}" if abs(value) < 100 else f"{value:z.0f}"


def _bar(length: float) -> str:
    whole = int(length + 1e-9)
    part = round((length - whole) * 8)
    return "█" * whole + (PARTS[part] if part else "")
