"""Figures: curves, differences, scores of every query. For screen and print, in SVG, PDF and PNG.

Nothing here touches matplotlib's global state: a figure belongs to no window, and threads may draw side by side.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.figures import Curve, Grades, HeatMap, Line, Paired, Picture, Points, Spread, style
from cranfield.figures.points import LEVELS
from cranfield.figures.queries import PairedScores, ends
from cranfield.figures.sketch import pooled, steps
from cranfield.phrases import counted
from cranfield.show.table import in_words, printable

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure as MatplotlibFigure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator
except ModuleNotFoundError:
    raise errors.packages.missing("A figure", "matplotlib") from None

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cranfield.comparing.comparison import Comparison
    from cranfield.explaining.explanation import Explanation
    from cranfield.measures import Measure

Size = tuple[float, float]

MANY = 12
"""Runs up to this number have each a look of their own; of more, the best stand out and the others are grey."""
OUTSTANDING = 8
BANDS = 4
"""Up to so many runs have the intervals of their means drawn; more would hide each other."""
PANELS = 12
QUERIES = 60
"""Curves of single queries up to this number are drawn each; of more, where most of them are."""
LABELLED = 40
"""Queries named along an axis."""
RANKED = 15
"""Ranks written next to the points of one query."""
BARS, OUTLINE = 200, 600
"""Differences drawn as a bar each; of more, the outline through so many."""
COLUMNS = 400
"""Columns of a heat map; neighbouring queries are averaged where there are more."""
WRITTEN = 0.42
"""Inches that a cell of a heat map has where its number is written into it."""
POINTS = 300
"""Queries drawn as points next to a box."""


class Figure(MatplotlibFigure):
    """A figure that a notebook shows, although it belongs to no window."""

    def _repr_png_(self) -> bytes:
        written = io.BytesIO()
        self.savefig(written, format="png", dpi=2 * 72)
        return written.getvalue()


def plot(
    picture: Picture, *, size: Size | None = None, title: str | None = None, highlight: Sequence[str] = ()
) -> Figure:
    """The figure of a picture."""
    match picture:
        case Curve():
            return _laid_out(_curve(picture, size, title, highlight))
        case Paired():
            return _laid_out(_paired(picture, size, title))
        case Spread():
            return _laid_out(_spread(picture, size, title, highlight))
        case HeatMap():
            return _laid_out(_heat_map(picture, size, title))
        case Grades():
            return _laid_out(_grades(picture, size, title))
        case _:
            raise TypeError(f"{type(picture).__name__} has no figure")


def html(figure: MatplotlibFigure) -> str:
    """A figure for a page or a notebook: an SVG that grows no wider than its place."""
    from cranfield.figures.images import svg

    drawn = svg(figure)
    return f'<div style="max-width:100%;overflow:auto">{drawn[drawn.index("<svg") :]}</div>'


def _curve(curve: Curve, size: Size | None, title: str | None, highlight: Sequence[str]) -> Figure:
    if curve.query is not None and curve.kind in ("pr", "pr11") and len(curve.lines) == 1:
        line = curve.lines[0]
        assert line.points is not None
        heading = curve.title + _only_run(curve) if title is None else title
        return one_query(line.points, line.y if curve.kind == "pr11" else None, size=size, title=heading)
    if any(line.y_by_query is not None for line in curve.lines):
        return _each_query(curve, size, title)
    return _runs(curve, size, title, highlight)


def _only_run(curve: Curve) -> str:
    """The name of the run, where there is one; a ranking that was typed has none."""
    return f", {style.names(curve.runs)[0]}" if len(curve.runs) == 1 and curve.typed is None else ""


def _runs(curve: Curve, size: Size | None, title: str | None, highlight: Sequence[str]) -> Figure:
    """All runs in one panel, or in one for each measure."""
    shown = style.names(curve.runs)
    strokes = _strokes(curve, highlight)
    entries, labels = _entries(curve, shown, strokes)
    panels = len(curve.measures)
    tall = style.WIDTH * 0.85 if curve.kind == "roc" else style.HEIGHT
    figure, grid, points = _canvas(panels, size, labels, height=tall)
    for axes, measure in zip(grid, curve.measures, strict=True):
        of_measure = [line for line in curve.lines if line.measure == measure]
        for line in sorted(of_measure, key=lambda line: strokes[line.run] is not None):
            _draw(axes, curve, line, strokes[line.run], curve.runs.index(line.run), len(curve.runs))
        _limits(axes, curve, of_measure)
        style.named_axes(axes, points, _x_name(curve), _y_name(curve, measure))
    _headline(figure, curve.title + _only_run(curve) if title is None else title, points)
    if len(labels) > 1 or curve.kind == "roc":
        style.legend(figure, entries, labels, points - 1)
    return figure


def _draw(axes: Axes, curve: Curve, line: Line, stroke: style.Stroke | None, at: int, of: int) -> None:
    if stroke is None:
        axes.plot(line.x, line.y, color=style.FAINT, linewidth=0.9, zorder=1.5)
        return
    if of <= BANDS and not np.isnan(line.low).all():
        axes.fill_between(line.x, line.low, line.high, color=stroke.colour, alpha=0.13, linewidth=0)
    x, y = line.x, line.y
    if curve.query is not None and curve.kind == "pr11" and line.points is not None:
        axes.plot(*line.points.steps, color=stroke.colour, linestyle=stroke.dash, linewidth=1.6, zorder=3)
        axes.plot(x, y, linestyle="none", zorder=3, **_marked(stroke))
        return
    every = max(1, math.ceil(len(x) / 11))
    # Markers of lines that lie close together stand at different places.
    first = min(int(every * at / max(of, 1)), max(len(x) - 1, 0))
    axes.plot(
        x,
        y,
        color=stroke.colour,
        linestyle=stroke.dash,
        linewidth=1.4,
        markevery=(first, every),
        zorder=3,
        **_marked(stroke),
    )


def _marked(stroke: style.Stroke) -> dict[str, Any]:
    thin = stroke.marker in "PX*"
    return {
        "marker": stroke.marker,
        "markersize": 5.5 if thin else 4,
        "markerfacecolor": stroke.colour,
        "markeredgecolor": "white",
        "markeredgewidth": 0.3 if thin else 0.5,
    }


def _strokes(curve: Curve, highlight: Sequence[str]) -> dict[str, style.Stroke | None]:
    """A stroke for every run that stands out, and none for the others."""
    runs = curve.runs
    if len(runs) <= MANY and not highlight:
        return {run: style.stroke(at) for at, run in enumerate(runs)}
    chosen = list(highlight) or _best(curve)
    return {run: style.stroke(chosen.index(run)) if run in chosen else None for run in runs}


def _best(curve: Curve) -> list[str]:
    """The runs that lie highest, in the first panel."""
    first = [line for line in curve.lines if line.measure == curve.measures[0]]
    heights = {line.run: line.area if curve.kind == "roc" else float(np.nanmean(line.y)) for line in first}
    return sorted(heights, key=lambda run: -heights[run])[:OUTSTANDING]


def _entries(
    curve: Curve, shown: Sequence[str], strokes: dict[str, style.Stroke | None]
) -> tuple[list[Line2D | Patch], list[str]]:
    """What stands in the legend: the runs that stand out, best first where they were chosen, and the others as one."""
    areas = {line.run: line.area for line in curve.lines}
    entries: list[Line2D | Patch] = []
    labels: list[str] = []
    named = dict(zip(curve.runs, shown, strict=True))
    order = list(strokes) if None not in strokes.values() else sorted(strokes, key=lambda run: _place(strokes[run]))
    for run in order:
        stroke = strokes[run]
        if stroke is not None:
            entries.append(Line2D([], [], color=stroke.colour, linestyle=stroke.dash, linewidth=1.4, **_marked(stroke)))
            labels.append(named[run] + (f" ({in_words(areas[run], 3)})" if curve.kind == "roc" else ""))
    if len(curve.runs) <= BANDS and not all(np.isnan(line.low).all() for line in curve.lines):
        entries.append(Patch(color=style.PALE, alpha=0.3, linewidth=0))
        labels.append("95% interval")
    others = sum(stroke is None for stroke in strokes.values())
    if others:
        entries.append(Line2D([], [], color=style.FAINT, linewidth=1.5))
        labels.append(f"{others} others")
    return entries, labels


def _place(stroke: style.Stroke | None) -> int:
    return len(style.MARKERS) if stroke is None else style.MARKERS.index(stroke.marker)


def _each_query(curve: Curve, size: Size | None, title: str | None) -> Figure:
    """A panel for each run and measure: every query's curve behind the mean, or where most of them are."""
    lines = curve.lines[:PANELS]
    few = all(len(line.queries) <= QUERIES for line in lines)
    labels = ["mean", "one query"] if few else ["mean", "middle half of the queries", "8 of 10 queries"]
    mean = Line2D([], [], color=style.COLOURS[0], linewidth=2.2)
    single = [Line2D([], [], color=style.PALE, linewidth=0.7)]
    bands = [Patch(color=style.COLOURS[0], alpha=alpha, linewidth=0) for alpha in (0.35, 0.15)]
    figure, grid, points = _canvas(len(lines), size, labels)
    for axes, line, name in zip(grid, lines, style.names([line.run for line in lines]), strict=True):
        assert line.y_by_query is not None
        if few:
            across = np.broadcast_to(line.x, line.y_by_query.shape) if line.x_by_query is None else line.x_by_query
            for x, y in zip(across, line.y_by_query, strict=True):
                axes.plot(x, y, color=style.PALE, linewidth=0.5, alpha=0.6)
        else:
            low, lower, upper, high = np.nanquantile(line.y_by_query, (0.1, 0.25, 0.75, 0.9), axis=0)
            axes.fill_between(line.x, low, high, color=style.COLOURS[0], alpha=0.15, linewidth=0)
            axes.fill_between(line.x, lower, upper, color=style.COLOURS[0], alpha=0.25, linewidth=0)
        axes.plot(line.x, line.y, color=style.COLOURS[0], linewidth=2.2)
        _limits(axes, curve, [line])
        style.named_axes(axes, points, _x_name(curve), _y_name(curve, line.measure), name if len(lines) > 1 else "")
    left_out = f"; {len(curve.lines) - len(lines)} more runs not drawn" if len(curve.lines) > len(lines) else ""
    alone = _only_run(curve) if len(lines) == 1 else ""
    _headline(figure, f"{curve.title}{alone}{left_out}" if title is None else title, points)
    style.legend(figure, [mean, *(single if few else bands)], labels, points - 1)
    return figure


def one_query(
    points: Points, at_levels: Floats | None = None, *, size: Size | None = None, title: str | None = None
) -> Figure:
    """One query's precision over recall: a point after each rank, and what interpolation makes of it at 11 levels."""
    labels = ["precision after each rank", "after a relevant document"]
    tooth: dict[str, Any] = {
        "color": style.PALE,
        "linewidth": 1.0,
        "marker": "o",
        "markeredgewidth": 1.0,
        "markersize": 4.5,
    }
    eleven: dict[str, Any] = {
        "marker": "D",
        "markersize": 7.5,
        "markerfacecolor": "none",
        "markeredgecolor": style.COLOURS[1],
        "markeredgewidth": 1.5,
    }
    entries = [
        Line2D([], [], markerfacecolor="white", markeredgecolor=style.PALE, **tooth),
        Line2D([], [], linestyle="none", marker="o", color=style.INK, markersize=5),
    ]
    if at_levels is not None:
        labels += ["interpolated: the best from here on", "at 11 levels of recall"]
        entries += [
            Line2D([], [], color=style.COLOURS[0], linewidth=1.8),
            Line2D([], [], linestyle="none", **eleven),
        ]
    figure, (axes,), text = _canvas(1, size, labels)
    few = len(points.ranks) <= 2 * RANKED
    hit = points.relevant
    axes.plot(points.recall, points.precision, color=style.PALE, linewidth=1.0, zorder=2)
    if few:
        misses: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 4.5, "markerfacecolor": "white"}
        axes.plot(points.recall[~hit], points.precision[~hit], markeredgecolor=style.PALE, zorder=2.5, **misses)
    axes.plot(
        points.recall[hit], points.precision[hit], linestyle="none", marker="o", color=style.INK, markersize=5, zorder=3
    )
    if at_levels is not None:
        axes.plot(*points.steps, color=style.COLOURS[0], linewidth=1.8, zorder=2.8)
        axes.plot(np.array(LEVELS), at_levels, linestyle="none", zorder=4, clip_on=False, **eleven)
    if len(points.ranks) <= RANKED:
        for rank, recall, precision in zip(points.ranks, points.recall, points.precision, strict=True):
            axes.annotate(
                str(rank),
                (recall, precision),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=text - 3,
                color=style.INK,
            )
    axes.set_xlim(-0.02, 1.03)
    axes.set_ylim(-0.03, 1.06)
    _tenths(axes)
    style.named_axes(axes, text, "recall", "precision")
    _headline(figure, "Precision and recall at each rank" if title is None else title, text)
    style.legend(figure, entries, labels, text - 1.5)
    return figure


def explanation(explained: Explanation, *, size: Size | None = None, title: str | None = None) -> Figure:
    """The query of an explanation: precision over recall, as the measure saw the ranking."""
    seen = explained.seen
    found = Points(np.array([place.found for place in seen.places], dtype=np.int64), len(seen.relevant))
    if not seen.relevant:
        raise errors.figures.no_curve(explained.query, None, seen.rel)
    names = style.names([explained.query, explained.run or ""])
    of = f"ranking {names[0]}" if explained.run is None else f"query {names[0]}, {names[1]}"
    heading = f"Precision and recall at each rank, {of}: {explained.measure} = {in_words(explained.value)}"
    at_levels = np.array([seen.curve[level] for level in LEVELS])
    return _laid_out(one_query(found, at_levels, size=size, title=heading if title is None else title))


def forest(
    comparison: Comparison,
    measures: Sequence[Measure] | None = None,
    *,
    size: Size | None = None,
    title: str | None = None,
) -> Figure:
    """Differences with their intervals, a panel for each measure; filled where they are more than chance."""
    chosen = tuple(measures or comparison.measures)[:PANELS]
    rows = comparison.of(chosen[0])
    one_baseline = len({found.baseline for found in rows}) == 1
    given = [found.run if one_baseline else f"{found.run} – {found.baseline}" for found in rows]
    labels = style.names(given, style.NAME if one_baseline else 2 * style.NAME)
    alpha = comparison.choices.alpha
    corrected = "" if len(rows) == 1 or comparison.choices.correction == "none" else ", corrected"
    keys = [f"p ≤ {alpha:.2g}{corrected}", f"p > {alpha:.2g}"]
    each = 0.32 if len(rows) <= 30 else 0.2
    wide = min(2.0 + 2.7 * len(chosen), 9.3)
    figure, grid, points = _canvas(len(chosen), size, keys, width=wide, height=1.1 + each * len(rows), in_one_row=True)
    for at, (axes, measure) in enumerate(zip(grid, chosen, strict=True)):
        _intervals(axes, comparison, measure)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        small = points - 1.5 if len(rows) <= 30 else min(points - 1.5, 8)
        style.ticks_of_names(axes, "y", labels if at == 0 else [""] * len(labels), small)
        less = ", less is better" if measure.definition.lower_is_better else ""
        style.named_axes(axes, points, f"difference of {measure}{less}")
    over = f"{comparison.choices.confidence:.0%} intervals over {counted(len(comparison.results.queries), 'query')}"
    compared = f"Differences to {style.names([rows[0].baseline])[0]}" if one_baseline else "Differences"
    _headline(figure, f"{compared}, with {over}" if title is None else title, points)
    entries = [
        Line2D([], [], color=style.COLOURS[0], linewidth=1.4, marker="o", markersize=6, markerfacecolor=fill)
        for fill in (style.COLOURS[0], "white")
    ]
    style.legend(figure, entries, keys, points - 1)
    return _laid_out(figure)


def over_parameter(
    points: Sequence[tuple[float, float, float, float]],
    names: tuple[str, str],
    chosen: float,
    levels: Mapping[str, float],
    *,
    log: bool = False,
    size: Size | None = None,
    title: str = "",
) -> Figure:
    """A measure over a parameter, points of value, mean and interval; the chosen value, and levels to compare with."""
    x, y, low, high = (np.array(part) for part in zip(*points, strict=True))
    labels = ["mean and interval", "chosen", *style.names([*levels])]
    figure, (axes,), text = _canvas(1, size, labels)
    first = style.COLOURS[0]
    axes.fill_between(x, low, high, color=first, alpha=0.15, linewidth=0)
    entries: list[Any] = [*axes.plot(x, y, color=first, linewidth=1.8)]
    at = int(np.flatnonzero(x == chosen)[0])
    entries += axes.plot(x[at], y[at], color=first, marker="o", markersize=7, linestyle="none")
    dashes = ("--", ":", "-.")
    for number, level in enumerate(levels.values()):
        colour, dash = style.COLOURS[1 + number], dashes[number % len(dashes)]
        entries.append(axes.axhline(level, color=colour, linewidth=1.4, linestyle=dash))
    if log:
        axes.set_xscale("log")
        axes.set_xticks(x, [f"{value:g}" for value in x])
        axes.minorticks_off()
    style.named_axes(axes, text, *names)
    _headline(figure, title, text)
    style.legend(figure, entries, labels, text - 1)
    return _laid_out(figure)


def _intervals(axes: Axes, comparison: Comparison, measure: Measure) -> None:
    axes.axvline(0, color=style.INK, linewidth=0.8)
    for row, found in enumerate(comparison.of(measure)):
        real = found.is_significant(comparison.choices.alpha)
        if not math.isnan(found.low):
            axes.hlines(row, found.low, found.high, color=style.COLOURS[0], linewidth=1.4, zorder=2)
        axes.plot(
            [found.difference],
            [row],
            marker="o",
            markersize=6,
            color=style.COLOURS[0],
            markerfacecolor=style.COLOURS[0] if real else "white",
            zorder=3,
        )
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))


def _paired(paired: Paired, size: Size | None, title: str | None) -> Figure:
    """A panel for each run against the baseline."""
    pairs = paired.pairs[:PANELS]
    square = paired.kind == "scatter"
    labels = ["better", "worse"] if not square else []
    named = not square and len(pairs) == 1 and len(pairs[0].queries) <= LABELLED
    height = (style.HEIGHT if len(pairs) > 1 or not square else 4.2) + (0.5 if named else 0)
    figure, grid, points = _canvas(len(pairs), size, labels, height=height, square=square)
    low, high = paired.ends
    widest = max((float(np.abs(pair.differences).max(initial=0)) for pair in pairs), default=0) or 1.0
    flip = paired.measure.definition.lower_is_better
    for axes, pair, name in zip(grid, pairs, style.names([pair.run for pair in pairs], 22), strict=True):
        base = style.names([pair.baseline], 22)[0]
        if square:
            _points(axes, pair, low, high, flip)
            style.named_axes(axes, points, base, name)
        else:
            _bars(axes, pair, flip, widest, points, named)
            style.named_axes(
                axes,
                points,
                "" if named else f"{counted(len(pair.queries), 'query')}, sorted",
                f"difference of {paired.measure}" if axes.get_subplotspec().is_first_col() else "",
            )
        if len(pairs) > 1:
            counts = f"{pair.better:,} better, {pair.worse:,} worse, {pair.equal:,} equal"
            above = counts if square else f"{name}\n{counts}"
            heading = axes.set_title(above, fontsize=points - 1.5, color=style.INK, loc="left")
            style.plain(heading)
    left_out = len(paired.pairs) - len(pairs)
    _headline(figure, _paired_title(paired, left_out) if title is None else title, points)
    if labels:
        entries = [Patch(color=colour, linewidth=0) for colour in (style.BETTER, style.WORSE)]
        style.legend(figure, entries, labels, points - 1)
    return figure


def _paired_title(paired: Paired, left_out: int) -> str:
    more = f"; {left_out} more runs not drawn" if left_out else ""
    base = style.names([paired.pairs[0].baseline])[0]
    if len(paired.pairs) > 1:
        return f"{paired.measure} of each query compared with {base}{more}"
    name = style.names([paired.pairs[0].run])[0]
    joined = "against" if paired.kind == "scatter" else "minus"
    return f"{paired.measure} of {name} {joined} {base}: {paired.pairs[0].counts}"


def _bars(axes: Axes, pair: PairedScores, flip: bool, widest: float, points: float, named: bool) -> None:
    values = pair.differences
    gains = -values if flip else values
    places = np.arange(len(values))
    if len(values) <= BARS:
        for kept, colour in ((gains > 0, style.BETTER), (gains < 0, style.WORSE)):
            axes.bar(places[kept], values[kept], width=0.8, color=colour, linewidth=0)
    else:
        # One outline through some of them: thousands of bars would be a large file, and look the same.
        some = np.unique(np.linspace(0, len(values) - 1, OUTLINE).round().astype(int))
        for kept, colour in ((gains > 0, style.BETTER), (gains < 0, style.WORSE)):
            axes.fill_between(places[some], np.where(kept, values, 0.0)[some], color=colour, linewidth=0)
    axes.axhline(0, color=style.INK, linewidth=0.8)
    axes.set_xlim(-0.8, max(len(values) - 0.2, 0.2))
    axes.set_ylim(-1.05 * widest, 1.05 * widest)
    axes.grid(visible=False, axis="x")
    if named:
        style.ticks_of_names(axes, "x", style.names(pair.queries, 14), min(points - 2.5, 8), 90)
    else:
        axes.xaxis.set_major_locator(NullLocator())


def _points(axes: Axes, pair: PairedScores, low: float, high: float, flip: bool) -> None:
    places, counts = np.unique(np.stack([pair.of_baseline, pair.scores]), axis=1, return_counts=True)
    gains = (places[1] - places[0]) * (-1 if flip else 1)
    axes.plot([low, high], [low, high], color=style.PALE, linewidth=0.9, zorder=1.5)
    few = len(pair.queries) <= 1000
    areas = (36 if len(pair.queries) <= 100 else 16 if few else 6) * counts.astype(np.float64) ** 0.7
    for kept, colour, marker in (
        (gains > 0, style.BETTER, "^"),
        (gains < 0, style.WORSE, "v"),
        (gains == 0, style.PALE, "o"),
    ):
        axes.scatter(
            places[0][kept],
            places[1][kept],
            s=np.minimum(areas[kept], 500),
            color=colour,
            marker=marker,
            alpha=0.65 if few else 0.35,
            linewidth=0,
            zorder=3,
            rasterized=not few,
        )
    room = 0.04 * (high - low)
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(low - room, high + room)


def _spread(spread: Spread, size: Size | None, title: str | None, highlight: Sequence[str]) -> Figure:
    """A box for each run, the best at the top."""
    flip = 1 if spread.measure.definition.lower_is_better else -1
    order = sorted(range(len(spread.runs)), key=lambda at: flip * spread.means[at])[::-1]
    height = 1.1 + 0.34 * len(order) if len(order) <= 30 else 1.1 + 0.2 * len(order)
    figure, (axes,), points = _canvas(1, size, ["mean"], height=height)
    labels = style.names([spread.runs[at] for at in order])
    for row, at in enumerate(order):
        values = spread.values[at]
        if not len(values):
            continue
        colour = style.COLOURS[1] if spread.runs[at] in highlight else style.COLOURS[0]
        least, lower, median, upper, most = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
        axes.hlines(row, least, most, color=colour, linewidth=1.0, zorder=2)
        axes.barh(row, upper - lower, left=lower, height=0.6, color=colour, alpha=0.25, linewidth=0, zorder=2)
        if len(values) <= POINTS:
            # Not by chance: the same figure every time.
            aside = (np.arange(len(values)) * 0.618034 % 1 - 0.5) * 0.5
            axes.scatter(values, row + aside, s=6, color=colour, alpha=0.45, linewidth=0, zorder=2.5)
        axes.vlines(median, row - 0.3, row + 0.3, color=colour, linewidth=2.2, zorder=3)
        axes.plot(
            [spread.means[at]],
            [row],
            marker="D",
            markersize=5.5,
            color=style.INK,
            markeredgecolor="white",
            markeredgewidth=0.7,
            zorder=4,
        )
    low, high = ends(spread.measure, spread.values)
    room = 0.02 * (high - low)
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(-0.6, len(order) - 0.4)
    style.ticks_of_names(axes, "y", labels, points - 1.5 if len(order) <= 30 else min(points - 1.5, 8))
    axes.grid(visible=False, axis="y")
    style.named_axes(axes, points, str(spread.measure))
    _headline(figure, f"{spread.measure} of {counted(spread.queries, 'query')}" if title is None else title, points)
    entries = [
        Line2D([], [], linestyle="none", marker="D", color=style.INK, markersize=5.5),
        Line2D([], [], color=style.COLOURS[0], linewidth=2.2),
        Patch(color=style.COLOURS[0], alpha=0.25, linewidth=0),
        Line2D([], [], color=style.COLOURS[0], linewidth=1.0),
    ]
    style.legend(figure, entries, ["mean", "median", "middle half", "lowest to highest"], points - 1.5)
    return figure


def _heat_map(heat: HeatMap, size: Size | None, title: str | None) -> Figure:
    """Runs down, queries across, darker for more."""
    runs, queries = len(heat.runs), len(heat.queries)
    values = pooled(heat.values, COLUMNS)
    names = style.names(heat.runs)
    longest = max(map(style.extent, names))
    wide = 7.0 if queries > 24 or longest > 12 else style.WIDTH
    row = 0.32 if runs <= 30 else 0.19
    named = queries <= LABELLED
    figure, (axes,), points = _canvas(1, size, [], width=wide, height=1.2 + row * runs + (0.5 if named else 0))
    low, high = ends(heat.measure, [heat.values])
    colours = mpl.colormaps[style.SHADES].with_extremes(bad="#F3E3C3")
    image = axes.imshow(
        np.ma.masked_invalid(values), cmap=colours, vmin=low, vmax=high, aspect="auto", interpolation="nearest"
    )
    axes.grid(visible=False)
    axes.tick_params(length=0)
    style.ticks_of_names(axes, "y", names, points - 1.5 if runs <= 30 else min(points - 1.5, 8))
    if named:
        labels = style.names(heat.queries, 14)
        upright = sum(map(len, labels)) > 40
        style.ticks_of_names(axes, "x", labels, min(points - 2, 9), 90 if upright else 0)
    else:
        axes.xaxis.set_major_locator(NullLocator())
    across = (float(figure.get_size_inches()[0]) - longest * points / 72 - 1.0) / queries
    if runs <= 30 and across > WRITTEN:
        for at in range(runs):
            for query in range(queries):
                value = float(heat.values[at, query])
                dark = (value - low) / (high - low) > 0.55
                axes.text(
                    query,
                    at,
                    "" if math.isnan(value) else f"{value:z.2f}",
                    ha="center",
                    va="center",
                    fontsize=points - 2.5,
                    color="white" if dark else style.INK,
                )
    each = f", a column for about {queries / COLUMNS:z.0f} of them" if queries > COLUMNS else ""
    below = "query, lowest mean first" if named else f"{counted(queries, 'query')}, lowest mean first{each}"
    style.named_axes(axes, points, below)
    bar = figure.colorbar(image, ax=axes, pad=0.015, aspect=12 if runs < 12 else 25)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=points - 2, color=style.PALE, labelcolor=style.INK)
    bar.set_label(str(heat.measure), fontsize=points - 1, color=style.INK)
    _headline(figure, f"{heat.measure} of every run for every query" if title is None else title, points)
    return figure


def _grades(grades: Grades, size: Size | None, title: str | None) -> Figure:
    figure, (axes,), points = _canvas(1, size, [])
    counts = grades.counts.astype(np.float64)
    places = np.arange(len(counts))
    axes.bar(places, counts, width=0.7, color=style.COLOURS[0], linewidth=0)
    total = float(counts.sum())
    if len(counts) <= 12:
        small = points - 2 if len(counts) <= 6 else points - 4
        for place, count in zip(places.tolist(), counts.tolist(), strict=True):
            axes.annotate(
                f"{count:z,.0f}\n{count / total:.1%}",
                (place, count),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=small,
                color=style.INK,
            )
    axes.set_ylim(0, 1.18 * float(counts.max()))
    axes.set_xlim(-0.7, len(counts) - 0.3)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:z,.0f}"))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    upright = sum(map(len, grades.names)) > 45
    style.ticks_of_names(axes, "x", grades.names, points - 1.5 if len(counts) <= 12 else 7, 90 if upright else 0)
    axes.grid(visible=False, axis="x")
    style.named_axes(axes, points, "grade", "judgments")
    _headline(figure, grades.notes[0] if title is None else title, points)
    return figure


def _canvas(
    panels: int,
    size: Size | None,
    labels: Sequence[str],
    *,
    width: float = style.WIDTH,
    height: float = style.HEIGHT,
    square: bool = False,
    in_one_row: bool = False,
) -> tuple[Figure, list[Any], float]:
    """An empty figure, its panels, and the size of its text."""
    across = panels if in_one_row else {1: 1, 2: 2, 4: 2}.get(panels, 3 if panels <= 9 and panels not in (7, 8) else 4)
    down = -(-panels // across)
    if size is None:
        wide = width if across == 1 or in_one_row else min(3.1 * across, 9.3)
        one = height if panels == 1 or in_one_row else wide / across + 0.3 if square else 2.9
        points = style.text_size(wide if across == 1 else wide / across + 1.2)
        size = wide, one * down + style.legend_height(labels, wide, points - 1) + 0.25
    else:
        points = style.text_size(size[0] if across == 1 else max(size[0] / across + 1.2, 3.3))
    figure = Figure(figsize=size, layout="constrained", facecolor="white", dpi=100)
    grid = figure.subplots(down, across, squeeze=False)
    flat = list(grid.flat)
    for axes in flat[panels:]:
        axes.set_visible(False)
    for axes in flat[:panels]:
        style.dress(axes, points)
    return figure, flat[:panels], points


def _laid_out(figure: Figure) -> Figure:
    """A figure whose room is divided among axes and text: data are inside their axes, and need not be measured."""
    for axes in figure.axes:
        for artist in (*axes.lines, *axes.collections, *axes.patches, *axes.images, *axes.texts):
            artist.set_in_layout(False)
    return figure


def _headline(figure: Figure, title: str, points: float) -> None:
    """What the figure shows, above it and from its left edge, on as many lines as it takes."""
    if not title:
        return
    room = float(figure.get_size_inches()[0]) * 72 / (points - 1) * 0.97
    lines = style.balanced(printable(title), room)
    written = figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=points - 1, color=style.INK)
    style.plain(written)


def _limits(axes: Axes, curve: Curve, lines: Sequence[Line]) -> None:
    if curve.x.log and curve.x.high > curve.x.low:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator(_round_numbers(curve.x.high)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlim(curve.x.low * 0.95, curve.x.high * 1.05)
    elif curve.x.name == "k":
        room = 0.02 * max(curve.x.high - 1, 1)
        axes.set_xlim(1 - room, curve.x.high + room)
        axes.xaxis.set_major_locator(FixedLocator([tick for tick in steps(1, curve.x.high) if tick == int(tick)]))
    else:
        axes.set_xlim(-0.02, 1.02)
        _tenths(axes)
    if curve.kind == "roc":
        axes.plot([0, 1], [0, 1], color=style.PALE, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1.6)
    known = np.concatenate([part for line in lines for part in (line.y, line.high, line.low)])
    if any(line.y_by_query is not None for line in lines):
        known = np.concatenate([known, *(np.ravel(line.y_by_query) for line in lines if line.y_by_query is not None)])
    low, high = (float(end(known, initial=0.0)) for end in (np.nanmin, np.nanmax))
    top = 1.0 if 0.5 < high <= 1 or curve.x.name != "k" else high * 1.08 or 1.0
    axes.set_ylim(low - 0.02 * (top - low) if low == 0 else low * 1.05, top + 0.02 * (top - low))


def _tenths(axes: Axes) -> None:
    fifths = [part / 5 for part in range(6)]
    axes.xaxis.set_major_locator(FixedLocator(fifths))
    axes.yaxis.set_major_locator(FixedLocator(fifths))


def _round_numbers(high: float) -> list[float]:
    """1, 2, 5, 10, 20 and so on; of many, only the powers of ten."""
    factors = (1, 2, 5) if high <= 2000 else (1,)
    numbers = [factor * 10.0**power for power in range(int(math.log10(high)) + 1) for factor in factors]
    return [number for number in numbers if number <= high]


def _x_name(curve: Curve) -> str:
    names = {"k": "documents read" if curve.kind == "depth" else "cutoff k", "fallout": "irrelevant documents met"}
    return names.get(curve.x.name, curve.x.name)


def _y_name(curve: Curve, measure: str) -> str:
    return "relevant documents found" if curve.kind == "roc" else measure
