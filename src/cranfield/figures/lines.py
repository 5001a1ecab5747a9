"""Curves: precision over recall, measures over cutoffs, and what becomes of both on the way down a ranking."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.align import JudgedRanking
from cranfield.arguments import require_whole
from cranfield.arrays import Floats
from cranfield.choices import CurveKind, Duplicates, TieOrder
from cranfield.errors import DataError, Finding, UsageError, did_you_mean
from cranfield.evaluating import aggregate, profiles
from cranfield.evaluating.evaluation import evaluate, must_have_one_grade
from cranfield.evaluating.part import scored
from cranfield.evaluating.score_tables import averaged
from cranfield.evaluating.scores import ScoreDetail, Scores
from cranfield.figures import sketch
from cranfield.figures.picture import WIDTH, Picture
from cranfield.figures.points import LEVELS, Points, points_of
from cranfield.figures.roc import LEVELS as ROC_LEVELS
from cranfield.figures.roc import roc_of
from cranfield.formats.columns import ColumnsGiven
from cranfield.measures import AUC, IPrec, Measure, P, R, nDCG, parse
from cranfield.measures.names import words
from cranfield.phrases import counted
from cranfield.show.table import Cell, Table, in_words

TITLES: dict[CurveKind, str] = {
    "pr11": "Interpolated precision at 11 levels of recall",
    "pr": "Precision and recall at each rank",
    "at-k": "{measure} at each cutoff k",
    "depth": "Precision and recall by depth",
    "roc": "ROC of judged documents, with the area below",
}
DEEPEST = 100
"""The last cutoff of a measure by default."""
EACH = 100
"""Cutoffs are drawn one by one up to here; further down so many that a curve over a logarithm is smooth."""
A_DECADE = 20
AT_ONCE = 16
"""Measures that read a block of queries together: they share its top k, but all of them would fill the memory."""


class Axis(NamedTuple):
    """What is drawn along one side."""

    name: str
    low: float
    high: float
    log: bool = False


@dataclass(frozen=True, eq=False)
class Line:
    """One run's curve: a mean over queries, or one query."""

    run: str
    measure: str
    """What its height is."""
    at: Floats
    """The rank, cutoff or level that each point belongs to."""
    x: Floats
    y: Floats
    low: Floats
    """The 95% interval of each mean; NaN where there is none."""
    high: Floats
    x_by_query: Floats | None = None
    """The same for every query that counts, by query and point, where that was asked for."""
    y_by_query: Floats | None = None
    queries: tuple[str, ...] = ()
    """Which queries those are."""
    points: Points | None = None
    """Of one query, its recall and precision at every rank."""
    area: float = math.nan
    """Under a receiver operating characteristic."""


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Picture):
    """Curves of several runs. Printing it shows a sketch.

    >>> import cranfield as cf
    >>> found = cf.curve({"q1": ["d2", "d4", "x"]}, {"q1": ["d1", "d2", "d3", "d4"]}, "pr", query="q1")
    >>> print(found.table().tsv(places=2), end="")
    run	query	k	recall	precision	interpolated
    run	q1	1	0.00	0.00	0.50
    run	q1	2	0.33	0.50	0.50
    run	q1	3	0.33	0.33	0.50
    run	q1	4	0.67	0.50	0.50
    """

    kind: CurveKind
    lines: tuple[Line, ...]
    query: str | None
    """The one query it is about; None for means."""
    x: Axis
    y: Axis
    notes: tuple[str, ...] = ()
    queries: int = 1
    """Over how many queries the means are."""
    warnings: tuple[Finding, ...] = ()
    typed: str | None = None
    """The rankings that were typed, where it is about those: no sample of queries, so means have no intervals."""

    def of_typed(self, texts: Sequence[str]) -> Curve:
        """The same as a curve of rankings that were typed."""
        nothing = [np.full_like(line.y, np.nan) for line in self.lines]
        lines = tuple(replace(line, low=gap, high=gap) for line, gap in zip(self.lines, nothing, strict=True))
        only = texts[int(self.query) - 1] if self.query is not None else None
        notes = (f"Means over {counted(len(texts), 'ranking')}.", *self.notes[1:]) if only is None else self.notes
        name = f"mean of {counted(len(texts), 'ranking')}" if only is None else f"ranking {sketch.named(only)}"
        return replace(self, lines=lines, notes=notes, typed=name)

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, in the order they were given."""
        return tuple(dict.fromkeys(line.run for line in self.lines))

    @property
    def measures(self) -> tuple[str, ...]:
        """What is drawn upwards; several measures have a panel each."""
        return tuple(dict.fromkeys(line.measure for line in self.lines))

    @property
    def what(self) -> str:
        """What it shows, in words."""
        return TITLES[self.kind].format(measure=" and ".join(self.measures))

    @property
    def title(self) -> str:
        """What it shows, and of what."""
        if self.typed is not None:
            return f"{self.what}, {self.typed}"
        if self.query is not None:
            return f"{self.what}, query {sketch.named(self.query)}"
        return f"{self.what}, mean of {counted(self.queries, 'query')}"

    def table(self) -> Table:
        """A row for each point of each run; with queries, theirs come before the mean."""
        rows = [row for line in self.lines for row in self._rows(line)]
        return Table({name: [row.get(name) for row in rows] for name in dict.fromkeys(rows[-1])}, notes=self.notes)

    @property
    def with_queries(self) -> bool:
        """Whether every query has its curve next to the mean."""
        return any(line.y_by_query is not None for line in self.lines)

    def sketch(self, width: int = WIDTH) -> str:
        """A drawing for a terminal of some width."""
        panels = [
            sketch.lines(
                [(line.run, line.x, line.y) for line in self.lines if line.measure == measure],
                (self.x.name, self.x.low, self.x.high, self.x.log),
                (measure, self.y.low, self.y.high),
                width,
            )
            for measure in self.measures
        ]
        return "\n\n".join([self.title, *panels, *([sketch.wrapped(self.notes, width)] if self.notes else [])])

    def _rows(self, line: Line) -> Iterator[dict[str, Cell]]:
        if line.y_by_query is not None:
            across = np.broadcast_to(line.x, line.y_by_query.shape) if line.x_by_query is None else line.x_by_query
            nothing = np.full_like(line.y, np.nan)
            for query, x, y in zip(line.queries, across, line.y_by_query, strict=True):
                yield from self._of(line, query, x, y, nothing, nothing)
        yield from self._of(line, self.query or "all", line.x, line.y, line.low, line.high)

    def _of(self, line: Line, query: str, x: Floats, y: Floats, low: Floats, high: Floats) -> Iterator[dict[str, Cell]]:
        known: dict[str, Cell] = {"run": line.run, "query": query}
        ranked = self.kind == "pr" and line.points is not None
        best = line.points.interpolated if ranked and line.points is not None else y
        for at, across, up, under, over, right in zip(
            *(part.tolist() for part in (line.at, x, y, low, high, best)), strict=True
        ):
            without = self.query is not None or self.typed is not None
            interval: dict[str, Cell] = {} if without else {"low": under, "high": over}
            match self.kind:
                case "pr11":
                    yield {**known, "recall": across, "precision": up, **interval}
                case "pr":
                    interpolated: dict[str, Cell] = {"interpolated": right} if ranked else {}
                    yield {**known, "k": int(at), "recall": across, "precision": up, **interpolated}
                case "roc":
                    yield {**known, "fallout": across, "recall": up, **interval}
                case _:
                    yield {**known, "measure": line.measure, "k": int(at), "value": up, **interval}


def curve(
    judgments: object,
    runs: object,
    kind: CurveKind = "pr11",
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    query: str | None = None,
    per_query: bool = False,
    k: int | None = None,
    ties: TieOrder | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    group_by: object = None,
    alternatives: object = None,
    only_queries: object = None,
    unjudged_grade: float | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Curve:
    """A curve of one or several runs: the mean over queries, or one query's own.

    `pr11` is interpolated precision at eleven levels of recall, `pr` precision and recall after each rank, `at-k` a
    measure at each cutoff up to k, `depth` precision and recall on the way down, `roc` relevant documents found
    against irrelevant ones met. Judgments, runs and choices are given as to `evaluate`.

    >>> import cranfield as cf
    >>> found = cf.curve({"q1": ["d1", "d3"]}, {"q1": ["d1", "d2", "d3"]}, "at-k", "P", k=3)
    >>> found.lines[0].y
    array([1.        , 0.5       , 0.66666667])
    """
    asked = families(kind, measures)
    scores = evaluate(
        judgments,
        runs,
        [at_least(measure) for measure in asked],
        ties=ties,
        depth=depth,
        judged_only=judged_only,
        rel=rel,
        group_by=group_by,
        alternatives=alternatives,
        only_queries=only_queries,
        unjudged_grade=unjudged_grade,
        columns=columns,
        duplicates=duplicates,
    )
    return curve_of(scores, kind, asked if kind == "at-k" else None, query=query, per_query=per_query, k=k)


def curve_of(
    scores: Scores,
    kind: CurveKind = "pr11",
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    query: str | None = None,
    per_query: bool = False,
    k: int | None = None,
) -> Curve:
    """A curve of runs that were evaluated, with the choices that were made there.

    Where there is one query only, it is that query's.
    """
    asked = families(kind, measures)
    detail = scores.require_detail("A curve")
    judgments = detail.judgments
    if query is None and len(scores.queries) == 1:
        query = scores.queries[0]
    if query is not None and query not in judgments.position:
        raise errors.coverage.not_judged(query, judgments.path, scores.queries)
    must_have_one_grade(judgments, [at_least(measure) for measure in asked])
    drawn = {
        "pr11": _interpolated,
        "pr": _precision_recall,
        "at-k": _at_cutoffs,
        "depth": _at_cutoffs,
        "roc": _characteristic,
    }[kind](
        _CurveRequest(
            scores, detail, kind, asked, query, per_query and query is None, _cutoffs(scores, detail, kind, k)
        )
    )
    if query is not None and all(np.isnan(line.y).all() for line in drawn.lines):
        raise errors.figures.no_curve(query, judgments.path, scores.settings.level)
    return drawn


def families(kind: CurveKind, measures: str | Measure | Iterable[str | Measure] | None = None) -> tuple[Measure, ...]:
    """The measures of a curve, without their cutoffs.

    >>> families("at-k", "ndcg P(rel=2)")
    (nDCG, P(rel=2))
    """
    if kind not in get_args(CurveKind):
        kinds = get_args(CurveKind)
        wrong = f"A curve is {', '.join(kinds[:-1])} or {kinds[-1]}, not {kind!r}."
        raise UsageError(f"{wrong} {did_you_mean(str(kind), kinds)}".strip())
    if kind != "at-k":
        if measures is not None:
            raise UsageError(f"A curve of kind {kind} always shows the same measures; kind at-k draws any measure.")
        return {"pr11": (IPrec,), "pr": (P, R), "depth": (P, R), "roc": (R,)}[kind]
    if measures is None:
        return (nDCG,)
    named = words(measures) if isinstance(measures, str) else [measures] if isinstance(measures, Measure) else measures
    chosen = tuple(dict.fromkeys(_without_cutoff(name) for name in named))
    if not chosen:
        raise UsageError("No measure was asked for. Name at least one, such as nDCG.")
    return chosen


def _without_cutoff(name: str | Measure) -> Measure:
    measure = name if isinstance(name, Measure) else _read(name)
    if measure.definition.at != "cutoff":
        raise UsageError(f"{measure.name} has no cutoff, so it cannot be drawn for each k. nDCG, P, R or AP can be.")
    if measure.at is not None:
        raise UsageError(f"{measure} has a cutoff of its own; write {_alone(measure)}, and it is drawn for each k.")
    return measure


def _read(name: str) -> Measure:
    """A measure whose name may lack the cutoff that it needs."""
    try:
        complete = parse(f"{name}@1")
    except UsageError:
        return parse(name)
    return _alone(complete) if complete.definition.at == "cutoff" else complete


def _alone(measure: Measure) -> Measure:
    return Measure(measure.definition, {name: value for name, value in measure.given.items() if name != "cutoff"})


def at_least(measure: Measure) -> Measure:
    """A measure that is complete: with a cutoff, or level, if it needs one."""
    return measure @ 1 if measure.definition.needs_at else measure


class _CurveRequest(NamedTuple):
    """What a curve is to be of."""

    scores: Scores
    detail: ScoreDetail
    kind: CurveKind
    measures: tuple[Measure, ...]
    query: str | None
    per_query: bool
    cutoffs: tuple[int, ...]


def _interpolated(asked: _CurveRequest) -> Curve:
    measures = _chosen(asked.scores, [IPrec @ level for level in LEVELS])
    levels = np.array(LEVELS)
    lines = [
        _line(asked, at, "precision", measures, levels, points=_points(asked, at))
        for at in range(len(asked.scores.runs))
    ]
    return _curve(asked, lines, Axis("recall", 0, 1))


def _at_cutoffs(asked: _CurveRequest) -> Curve:
    lines = []
    for family in asked.measures:
        measures = _chosen(asked.scores, [family @ cutoff for cutoff in asked.cutoffs])
        cutoffs = np.array(asked.cutoffs, dtype=np.float64)
        name = {"P": "precision", "R": "recall"}[family.name] if asked.kind == "depth" else f"{family}@k"
        lines += [_line(asked, at, name, measures, cutoffs) for at in range(len(asked.scores.runs))]
    log = asked.kind == "depth" or asked.cutoffs[-1] > EACH
    return _curve(asked, lines, Axis("k", 1, asked.cutoffs[-1], log))


def _precision_recall(asked: _CurveRequest) -> Curve:
    runs = range(len(asked.scores.runs))
    if asked.query is not None:
        return _curve(asked, [_saw_tooth(asked, at) for at in runs], Axis("recall", 0, 1))
    precision, recall = (
        _chosen(asked.scores, [family @ cutoff for cutoff in asked.cutoffs]) for family in asked.measures
    )
    cutoffs = np.array(asked.cutoffs, dtype=np.float64)
    lines = []
    for at in runs:
        across, up = (_line(asked, at, "precision", measures, cutoffs) for measures in (recall, precision))
        nothing = np.full_like(up.y, np.nan)
        lines.append(
            Line(
                up.run,
                "precision",
                cutoffs,
                across.y,
                up.y,
                nothing,
                nothing,
                across.y_by_query,
                up.y_by_query,
                up.queries,
            )
        )
    return _curve(asked, lines, Axis("recall", 0, 1))


def _saw_tooth(asked: _CurveRequest, at: int) -> Line:
    points = _points(asked, at)
    assert points is not None
    nothing = np.full(len(points.ranks), np.nan)
    ranks = points.ranks.astype(np.float64)
    precision = np.where(np.isnan(points.recall), np.nan, points.precision)
    return Line(asked.scores.runs[at], "precision", ranks, points.recall, precision, nothing, nothing, points=points)


def _characteristic(asked: _CurveRequest) -> Curve:
    scores, level = asked.scores, asked.scores.settings.level
    lines = []
    left_out: dict[str, int] = {}
    for at, run in enumerate(scores.runs):
        if asked.query is not None:
            judged = _ranking(asked, at, asked.query)
            roc = roc_of(judged, level)
            if not roc.defined[0]:
                raise errors.figures.no_characteristic(level, asked.query)
            across, up = roc.corners
            nothing = np.full_like(up, np.nan)
            area = float(AUC(rel=level)(judged)[0])
            lines.append(Line(run, "recall", across, across, up, nothing, nothing, area=area))
            continue
        values, areas = _characteristics(asked, at)
        in_mean = scores.counted[0, at]
        kept = in_mean & ~np.isnan(areas)
        left_out[run] = int((in_mean & ~kept).sum())
        if not kept.any():
            raise DataError([errors.figures.no_characteristics(asked.detail.judgments.path, level)])
        estimates = [aggregate.interval(column) for column in values[kept].T]
        mean, low, high = (np.array(part) for part in zip(*estimates, strict=True))
        lines.append(
            Line(
                run,
                "recall",
                np.array(ROC_LEVELS),
                np.array(ROC_LEVELS),
                mean,
                np.clip(low, 0, 1),
                np.clip(high, 0, 1),
                y_by_query=values[kept] if asked.per_query else None,
                queries=_named(scores, kept) if asked.per_query else (),
                area=aggregate.interval(areas[kept])[0],
            )
        )
    notes = [
        f"Area below: {', '.join(f'{line.run} {in_words(line.area)}' for line in lines)}.",
        "Judged documents only: the share of relevant ones found before some share of irrelevant ones. Documents that "
        "were not retrieved come last, in no order.",
        *(
            f"{run}: {counted(count, 'query')} left out because relevant or irrelevant documents are missing."
            for run, count in left_out.items()
            if count
        ),
    ]
    return _curve(asked, lines, Axis("fallout", 0, 1), notes)


def _characteristics(asked: _CurveRequest, at: int) -> tuple[Floats, Floats]:
    """Every query's curve, and the area under it; NaN where there is none."""
    scores = asked.scores
    values = np.empty((len(scores.queries), len(ROC_LEVELS)))
    areas = np.empty(len(scores.queries))
    for queries, judged in asked.detail.alignments[at].blocks():
        seen = scores.settings.view(judged)
        assert isinstance(seen, JudgedRanking)
        level = scores.settings.level
        values[queries], areas[queries] = roc_of(seen, level).at(np.array(ROC_LEVELS)), AUC(rel=level)(seen)
    return values, areas


def _line(
    asked: _CurveRequest, at: int, name: str, measures: Sequence[Measure], places: Floats, points: Points | None = None
) -> Line:
    """One run under measures that go together, at their places."""
    scores = asked.scores
    counted = scores.counted[0, at]
    position = None if asked.query is None else asked.detail.judgments.position[asked.query]
    estimates: list[tuple[float, float, float]] = []
    by_query: list[Floats] = []
    for measure, values in _scored(asked, at, measures):
        if position is not None:
            estimates.append((float(values[position]), math.nan, math.nan))
            continue
        mean = aggregate.mean(measure, values[counted], scores.settings.undefined)
        estimates.append((mean.value, mean.low, mean.high))
        if asked.per_query:
            by_query.append(aggregate.settle(measure, values[counted], scores.settings.undefined))
    y, low, high = (np.array(part) for part in zip(*estimates, strict=True))
    return Line(
        scores.runs[at],
        name,
        places,
        places,
        y,
        low,
        high,
        y_by_query=np.array(by_query).T if asked.per_query else None,
        queries=_named(scores, counted) if asked.per_query else (),
        points=points,
    )


def _scored(asked: _CurveRequest, at: int, measures: Sequence[Measure]) -> Iterator[tuple[Measure, Floats]]:
    """Each measure with its scores by query, some measures at a time."""
    alignment = asked.detail.alignments[at]
    for first in range(0, len(measures), AT_ONCE):
        some = measures[first : first + AT_ONCE]
        yield from zip(some, scored(alignment, some, asked.scores.settings), strict=True)


def _chosen(scores: Scores, measures: Sequence[Measure]) -> list[Measure]:
    """Measures with what the evaluation chose for all: its profile's parameters, its level of relevance."""
    return profiles.find(scores.settings.profile).parse(measures, scores.settings.rel)


def _points(asked: _CurveRequest, at: int) -> Points | None:
    if asked.query is None:
        return None
    return points_of(_ranking(asked, at, asked.query), asked.scores.settings.level)


def _ranking(asked: _CurveRequest, at: int, query: str) -> JudgedRanking:
    """One query's judged ranking, as the measures see it."""
    position = asked.detail.judgments.position[query]
    for queries, judged in asked.detail.alignments[at].blocks():
        places = np.flatnonzero(queries == position)
        if len(places):
            seen = asked.scores.settings.view(judged.at(int(places[0])))
            assert isinstance(seen, JudgedRanking)
            return seen
    raise AssertionError(f"{query!r} is judged, so a block has it")


def _cutoffs(scores: Scores, detail: ScoreDetail, kind: CurveKind, k: int | None) -> tuple[int, ...]:
    """Every cutoff down to the deepest document, or to k."""
    if k is not None:
        k = require_whole(k, "k, the last cutoff,")
    retrieved = max((int(alignment.retrieved.max(initial=1)) for alignment in detail.alignments), default=1)
    there = min(retrieved, scores.settings.depth or retrieved)
    deepest = int(k) if k is not None else min(there, DEEPEST) if kind == "at-k" else there
    return cutoffs(max(deepest, 1))


def cutoffs(deepest: int) -> tuple[int, ...]:
    """All cutoffs up to a hundred, then about twenty for each tenfold, and the deepest.

    >>> cutoffs(3), cutoffs(200)[98:]
    ((1, 2, 3), (99, 100, 112, 126, 141, 158, 178, 200))
    """
    each = range(1, min(deepest, EACH) + 1)
    beyond = int(A_DECADE * math.log10(deepest / EACH)) if deepest > EACH else 0
    further = (round(EACH * 10 ** (step / A_DECADE)) for step in range(1, beyond + 1))
    return tuple(sorted({*each, *further, deepest}))


def _curve(asked: _CurveRequest, lines: list[Line], x: Axis, notes: Sequence[str] = ()) -> Curve:
    scores = asked.scores
    counts = scores.counted[0].sum(axis=1).tolist()
    mean = [averaged(scores.settings, len(scores.queries))] if asked.query is None else []
    heights = np.concatenate([part for line in lines for part in (line.y, line.low, line.high)])
    lowest, highest = (float(end(heights, initial=0.0)) for end in (np.nanmin, np.nanmax))
    return Curve(
        asked.kind,
        tuple(lines),
        asked.query,
        x,
        Axis(" and ".join(dict.fromkeys(line.measure for line in lines)), lowest, 1 if highest <= 1 else highest),
        tuple([f"{words}." for words in mean] + list(notes)),
        max(counts),
    )


def _named(scores: Scores, chosen: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(scores.queries[at] for at in np.flatnonzero(chosen))
