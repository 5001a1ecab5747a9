"""How figures look: colours, markers and sizes that survive print, a photocopier and colour-blind eyes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.figures.sketch import cells
from cranfield.show.table import printable, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, which colour-blind readers tell apart, without the yellow that vanishes on white paper."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)))
"""With eleven markers and seven colours, no two of many lines look the same."""
BETTER, WORSE = COLOURS[0], COLOURS[1]
INK, PALE, FAINT = "#222222", "#8C8C8C", "#D9D9D9"
SHADES = "Blues"
"""One hue from light to dark: no colour says good or bad."""

WIDTH, HEIGHT = 5.0, 3.5
"""Inches of a figure with one panel: halved for a column of a paper, its text can still be read."""
NARROW, SMALLEST, LARGEST = 3.3, 8.0, 11.0
"""A figure as wide as a column has text of eight points; a wider one, which may be made smaller, has larger text."""
NAME = 28
"""Characters that a name keeps in a figure."""
HANDLE = 4.6
"""What stands before a name in a legend and next to it, in sizes of its text."""
LINE = 1.4
"""Lines of a legend, in sizes of its text."""
COLUMN = 4.0
"""Inches up to which a figure is as wide as a column of a paper."""
OF_COLUMN, OF_PAGE = 0.25, 0.45
"""How much of a figure's height its legend may take."""
SMALLEST_LEGEND = 6.0
"""Points of the text of a legend that is made smaller before names are left out."""


class Stroke(NamedTuple):
    """How one of several lines looks."""

    colour: str
    marker: str
    dash: Any


def stroke(at: int) -> Stroke:
    """The look of the line at a place."""
    return Stroke(COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)], DASHES[at % len(DASHES)])


def text_size(width: float) -> float:
    """Points of text in a figure of some width.

    >>> text_size(3.3), text_size(5.0), text_size(12)
    (8.0, 11.0, 11.0)
    """
    share = (width - NARROW) / (WIDTH - NARROW)
    return SMALLEST + min(max(share, 0.0), 1.0) * (LARGEST - SMALLEST)


def names(given: Sequence[str], width: int = NAME) -> list[str]:
    """Names as a figure shows them: printable, not too long, and still different from each other.

    >>> names(["bm25", "a" * 40 + "1" + "b" * 40, "a" * 40 + "2" + "b" * 40], 12)
    ['bm25', 'aaa…bbbb #1', 'aaa…bbbb #2']
    """
    short = [shortened(printable(name), width) or "–" for name in given]
    alike = {name for name in short if short.count(name) > 1} if len(set(short)) < len(short) else set()
    seen: dict[str, int] = {}
    shown = []
    for name, whole in zip(short, given, strict=True):
        if name in alike:
            seen[name] = seen.get(name, 0) + 1
            shown.append(f"{shortened(printable(whole), width - 4)} #{seen[name]}")
        else:
            shown.append(name)
    return shown


def plain(*texts: Text) -> None:
    """Let texts be shown as they are: a dollar begins no formula, and a backslash no command."""
    for text in texts:
        text.set_parse_math(False)
        text.set_usetex(False)


def dress(axes: Axes, size: float) -> None:
    """Axes that step back behind the data."""
    axes.set_facecolor("white")
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(PALE)
        axes.spines[side].set_linewidth(0.8)
    axes.tick_params(labelsize=size - 1.5, color=PALE, labelcolor=INK, width=0.8, length=3, which="both")
    axes.grid(visible=True, color=FAINT, linewidth=0.6, linestyle="solid")


def named_axes(axes: Axes, size: float, x: str = "", y: str = "", title: str = "") -> None:
    """What is drawn along both sides, and above."""
    for label in (
        axes.set_xlabel(x, fontsize=size, color=INK),
        axes.set_ylabel(y, fontsize=size, color=INK),
        axes.set_title(title, fontsize=size, color=INK, loc="left"),
    ):
        plain(label)


def ticks_of_names(axes: Axes, side: str, given: Sequence[str], size: float, rotation: float = 0) -> None:
    """Names along an axis, one for each whole number."""
    axis = axes.xaxis if side == "x" else axes.yaxis
    axis.set_ticks(
        list(range(len(given))),
        labels=list(given),
        fontsize=size,
        rotation=rotation,
        parse_math=False,
        usetex=False,
    )


def extent(text: str) -> float:
    """About how wide a text is, in sizes of its letters; to measure it would need the font, and warn of what it lacks.

    >>> round(extent("better on 40, worse on 27, equal on 3"), 1), extent("検索")
    (19.5, 2.0)
    """
    return sum(_wide(sign) for sign in text)


def _wide(sign: str) -> float:
    if sign in "iljtfr.,:;|'!()[]I/- ":
        return 0.37
    if sign in "mwMW@%":
        return 0.95
    if cells(sign) != 1:
        return cells(sign) / 2
    return 0.68 if sign.isupper() else 0.62


def columns_of(labels: Sequence[str], width: float, size: float) -> int:
    """How many labels of a legend fit side by side, the first ones below each other."""
    room = width * 72 / size - 1
    wide = [extent(label) + HANDLE for label in labels]
    for columns in range(len(labels), 1, -1):
        # Matplotlib makes the first columns longer where they do not come out even.
        rows, longer = divmod(len(labels), columns)
        ends = [0, *accumulate(rows + (at < longer) for at in range(columns))]
        if sum(max(wide[start:end]) for start, end in pairwise(ends)) <= room:
            return -(-len(labels) // (rows + (longer > 0)))  # no more than its rows need
    return 1


def balanced(text: str, room: float) -> list[str]:
    """A text on as few lines as fit: on two, broken after a comma or colon if that can be; a word stays whole.

    >>> balanced("nDCG@10 of hybrid minus bm25: better on 40, worse on 27", 24)
    ['nDCG@10 of hybrid minus bm25:', 'better on 40, worse on 27']
    """
    lines = _lines(text, room)
    words = text.split()
    breaks = [at for at, word in enumerate(words[:-1], 1) if word[-1] in ",:"]
    halves = [(" ".join(words[:at]), " ".join(words[at:])) for at in breaks] if len(lines) == 2 else []
    fitting = [pair for pair in halves if max(map(extent, pair)) <= room]
    if fitting:
        return list(min(fitting, key=lambda pair: max(map(extent, pair))))
    while room > 1 and len(lines) > 1 and len(closer := _lines(text, room - 1)) == len(lines):
        room, lines = room - 1, closer
    return lines


def _lines(text: str, room: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and extent(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str], size: float) -> None:
    """Names below the axes, where they hide nothing."""
    width, height = map(float, figure.get_size_inches())
    share = OF_COLUMN if width <= COLUMN else OF_PAGE
    for smaller in (0.0, 0.5, 1.0, 1.5):
        text = max(size - smaller, SMALLEST_LEGEND)
        columns = columns_of(labels, width, text)
        room = columns * max(1, int(share * height * 72 / (LINE * text)))
        if len(labels) <= room:
            break
    shown = list(labels)
    if len(shown) > room:
        shown = [*shown[: room - 1], f"and {len(labels) - room + 1:,} more"]
    # Given as labels, names that begin with an underscore would be left out.
    drawn = figure.legend(
        handles[: len(shown)],
        ["?"] * len(shown),
        loc="outside lower left",
        ncols=columns,
        fontsize=text,
        frameon=False,
        handlelength=2.4,
        columnspacing=1.2,
        borderaxespad=0.2,
        labelcolor=INK,
    )
    for written, label in zip(drawn.get_texts(), shown, strict=True):
        plain(written)
        written.set_text(label)


def legend_height(labels: Sequence[str], width: float, size: float) -> float:
    """Inches that a legend takes."""
    rows = -(-len(labels) // columns_of(labels, width, size)) if labels else 0
    return rows * LINE * size / 72
