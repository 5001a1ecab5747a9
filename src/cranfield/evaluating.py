"""Runs and measures become scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from cranfield import aggregate, errors, formats, kernels, profiles
from cranfield.aggregate import Mean, Summary
from cranfield.align import Alignment, align
from cranfield.arrays import Floats
from cranfield.choices import AverageOver, CurveKind, Keep, Precision, TieRule, Undefined
from cranfield.data.judgments import GroupKind, Judgments
from cranfield.data.outliers import LARGEST_USUAL, grade_outliers
from cranfield.data.run import Ranking, Run, repeated_files
from cranfield.errors import UsageError, did_you_mean
from cranfield.measures import Judged, Measure
from cranfield.measures.scoring import View, score
from cranfield.profiles import Profile
from cranfield.settings import Settings, checked
from cranfield.show.table import Table, finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.bounds import TieBounds, UnjudgedBounds
    from cranfield.figures.lines import Curve
    from cranfield.figures.picture import Look

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "R@100", "Judged@10")


@dataclass(frozen=True, eq=False)
class Scores:
    """A score for every run, query and measure.

    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.2, "d2": 0.7}}, ["RR", "P@2"])
    >>> scores["RR"]
    array([[0.5]])
    """

    judgments: Judgments
    alignments: tuple[Alignment, ...]
    measures: tuple[Measure, ...]
    values: Floats
    """By measure, run and query; NaN where undefined."""
    of_measures: tuple[Settings, ...]
    """The settings under which each measure was evaluated; a profile may have exceptions."""
    sources: tuple[Run, ...] = ()
    """Where the rankings came from, to be read anew by whoever wants to see documents."""
    on_profile: tuple[errors.Finding, ...] = ()
    """What the profile's tool computes otherwise, or not at all."""

    @property
    def settings(self) -> Settings:
        """The settings of the evaluation: those of its first measure."""
        return self.of_measures[0]

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(alignment.run for alignment in self.alignments)

    @property
    def queries(self) -> tuple[str, ...]:
        """All judged queries, in the order of the judgments."""
        return self.judgments.queries

    def __getitem__(self, measure: str | Measure) -> Floats:
        """One measure's scores by run and query."""
        scores: Floats = self.values[self.position(measure)]
        return scores

    def summary(self) -> Summary:
        """Means with intervals and coverage; shows itself as a table."""
        return Summary(
            means={run: {measure: self.mean(measure, run) for measure in self.measures} for run in self.runs},
            coverage={run: self.coverage(at) for at, run in enumerate(self.runs)},
            notes=tuple(self._notes()),
            warnings=self.warnings,
        )

    def coverage(self, at: int) -> str:
        """Judged queries that a run returned documents for, of those there are."""
        return f"{int((self.alignments[at].retrieved > 0).sum())}/{len(self.queries)}"

    def mean(self, measure: str | Measure, run: str | None = None) -> Mean:
        """One measure's mean over queries for one run; with a single run it need not be named."""
        position, at = self.position(measure), self.run_position(run)
        chosen = self.values[position, at][self.counted(at, self.measures[position])]
        return aggregate.mean(self.measures[position], chosen, self.of_measures[position].undefined)

    def per_query(self, measure: str | Measure | None = None) -> Table:
        """A row per query and run with the scores of one measure, or of all."""
        chosen = self.measures if measure is None else (self.measures[self.position(measure)],)
        counted = {m: [self.counted(at, m) for at in range(len(self.runs))] for m in chosen}
        places = list(zip(*np.nonzero(np.any(list(counted.values()), axis=0)), strict=True))
        return Table(
            {
                "run": [self.runs[at] for at, _ in places],
                "query": [self.queries[query] for _, query in places],
                **{
                    str(m): [
                        m.cell(float(self[m][at, query])) if counted[m][at][query] else None for at, query in places
                    ]
                    for m in chosen
                },
            }
        )

    def tie_bounds(self) -> dict[str, TieBounds]:
        """Of each run, its scores over all orders of tied documents, by measure and query."""
        from cranfield.bounds import tie_bounds

        return {a.run: tie_bounds(a, self.measures, self.view) for a in self.alignments}

    def unjudged_bounds(self) -> dict[str, UnjudgedBounds]:
        """Of each run, its scores over what its unjudged documents may be, by measure and query."""
        from cranfield.bounds import unjudged_bounds

        return {a.run: unjudged_bounds(a, self.measures, self.view) for a in self.alignments}

    def curve(
        self,
        kind: CurveKind = "pr11",
        measures: str | Measure | Iterable[str | Measure] | None = None,
        *,
        query: str | None = None,
        per_query: bool = False,
        k: int | None = None,
    ) -> Curve:
        """A curve of all runs: its numbers, and how it is drawn; `cranfield.curve` says what kinds there are."""
        from cranfield.figures.lines import curve_of

        return curve_of(self, kind, measures, query=query, per_query=per_query, k=k)

    def plot_precision_recall(
        self, *, interpolated: bool = True, query: str | None = None, per_query: bool = False, **look: Unpack[Look]
    ) -> Figure:
        """Precision over recall, at eleven levels or at each rank, of the mean or of one query."""
        return self.curve("pr11" if interpolated else "pr", query=query, per_query=per_query).plot(**look)

    def plot_at_k(
        self,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        *,
        query: str | None = None,
        per_query: bool = False,
        k: int | None = None,
        **look: Unpack[Look],
    ) -> Figure:
        """Measures, by default nDCG, at each cutoff."""
        return self.curve("at-k", measures, query=query, per_query=per_query, k=k).plot(**look)

    def plot_depth(self, *, query: str | None = None, k: int | None = None, **look: Unpack[Look]) -> Figure:
        """Precision and recall on the way down the ranking."""
        return self.curve("depth", query=query, k=k).plot(**look)

    def plot_roc(self, *, query: str | None = None, per_query: bool = False, **look: Unpack[Look]) -> Figure:
        """Relevant documents found, by irrelevant ones met."""
        return self.curve("roc", query=query, per_query=per_query).plot(**look)

    def plot_differences(
        self,
        run: str | None = None,
        baseline: str | None = None,
        measure: str | Measure | None = None,
        **look: Unpack[Look],
    ) -> Figure:
        """Every query's difference to a baseline, by default the first run, sorted; of one run, or of all."""
        from cranfield.figures.queries import paired

        return paired(self, measure, run=run, baseline=baseline, kind="differences").plot(**look)

    def plot_scatter(
        self,
        run: str | None = None,
        baseline: str | None = None,
        measure: str | Measure | None = None,
        **look: Unpack[Look],
    ) -> Figure:
        """Every query's score against a baseline's, by default the first run's; of one run, or of all."""
        from cranfield.figures.queries import paired

        return paired(self, measure, run=run, baseline=baseline, kind="scatter").plot(**look)

    def plot_distribution(self, measure: str | Measure | None = None, **look: Unpack[Look]) -> Figure:
        """How every run's scores are spread over queries."""
        from cranfield.figures.queries import spread

        return spread(self, measure).plot(**look)

    def plot_heatmap(self, measure: str | Measure | None = None, **look: Unpack[Look]) -> Figure:
        """The score of every run for every query."""
        from cranfield.figures.queries import heat_map

        return heat_map(self, measure).plot(**look)

    def plot_grades(self, **look: Unpack[Look]) -> Figure:
        """How often each grade was given."""
        from cranfield.figures.grades import grades_of

        return grades_of(self.judgments).plot(**look)

    @property
    def view(self) -> View:
        """How much of each ranking the measures saw."""
        return View(self.settings.depth, self.settings.judged_only)

    def _notes(self) -> Iterator[str]:
        """What the means are means of."""
        interval = ", each with its 95% interval" if len(self.queries) > 1 else ""
        means = [averaged(settings, len(self.queries)) + interval for settings in self.of_measures]
        for words, of in self._alike(means).items():
            yield f"{words} ({of})." if of else f"{words}."
        for measure in self.measures:
            left_out = {
                run: int(self.counted(at, measure).sum()) - self.mean(measure, run).queries
                for at, run in enumerate(self.runs)
            }
            if any(left_out.values()):
                counts = ", ".join(f"{run} {count}" for run, count in left_out.items() if count)
                yield f"{measure} leaves out queries for which it is undefined: {counts}."

    @cached_property
    def warnings(self) -> tuple[errors.Finding, ...]:
        """Everything surprising about the data, in the order of the line."""
        found = [*self.on_profile, *self.judgments.warnings, *_outliers(self.judgments)]
        rel = self.settings.level
        if without := self._names(self._num_rel(rel) == 0):
            found.append(errors.coverage.without_relevant(self.judgments.path, without, len(self.queries), rel))
        found.extend(repeated_files(self.sources))
        queries = self._alike([settings.average_over for settings in self.of_measures])
        of_runs = [(*alignment.warnings, *_uncovered(alignment, queries)) for alignment in self.alignments]
        found += errors.findings.of_runs(warning for warnings in of_runs for warning in warnings)
        ties = {a.run: (int(a.ties.sum()), int((a.ties > 0).sum())) for a in self.alignments if a.ties.any()}
        if ties:
            found.append(
                errors.coverage.tied_scores(ties, self._alike([settings.ties for settings in self.of_measures]))
            )
        return tuple(found)

    def to_dict(self, *, per_query: bool = False, ties: bool = False, unjudged: bool = False) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield evaluate --format json` prints."""
        of_ties = self.tie_bounds() if ties else {}
        of_unjudged = self.unjudged_bounds() if unjudged else {}
        return {
            "cranfield": VERSION,
            "settings": {
                **asdict(self.settings),
                **self._exceptions(),
                "judgments": self.judgments.path,
                "max_grade": self.judgments.max_grade,
                "confidence": aggregate.CONFIDENCE,
            },
            "queries": {
                "judged": len(self.queries),
                "evaluated": int(np.any([self.counted(at) for at in range(len(self.runs))], axis=0).sum()),
                "silent": self._names(np.any([a.retrieved == 0 for a in self.alignments], axis=0)),
                "unknown": list(dict.fromkeys(query for a in self.alignments for query in a.unknown)),
                "without_relevant": self._names(self._num_rel(self.settings.level) == 0),
            },
            "warnings": [str(warning) for warning in self.warnings],
            "runs": [
                self._run_dict(at, per_query, of_ties.get(name), of_unjudged.get(name))
                for at, name in enumerate(self.runs)
            ],
        }

    def _run_dict(
        self, at: int, per_query: bool, ties: TieBounds | None, unjudged: UnjudgedBounds | None
    ) -> dict[str, Any]:
        alignment = self.alignments[at]
        unknown = alignment.retrieved.sum() - (alignment.grades >= 0).sum()
        shown: dict[str, Any] = {
            "name": alignment.run,
            "path": alignment.path,
            "queries": {
                "evaluated": int(self.counted(at).sum()),
                "silent": self._names(alignment.retrieved == 0),
                "unknown": list(alignment.unknown),
            },
            "measures": {str(measure): self._measure_dict(measure, at, per_query) for measure in self.measures},
            "ties": {
                "documents": int(alignment.ties.sum()),
                "queries": int((alignment.ties > 0).sum()),
            },
            "unjudged": {
                "documents": int(unknown),
                "retrieved": int(alignment.retrieved.sum()),
                "judged_at_10": finite(aggregate.mean(Judged @ 10, score(alignment, [Judged @ 10])[0]).value),
            },
        }
        if ties is not None:
            shown["ties"]["bounds"] = self._bounds_dict(at, ties)
            shown["ties"]["simulated"] = int(ties.drawn.any(axis=0).sum())
        if unjudged is not None:
            shown["unjudged"]["bounds"] = self._bounds_dict(at, unjudged)
        return shown

    def _measure_dict(self, measure: Measure, at: int, per_query: bool) -> dict[str, Any]:
        mean = self.mean(measure, self.runs[at])
        interval = [mean.low, mean.high] if math.isfinite(mean.low) and math.isfinite(mean.high) else None
        shown: dict[str, Any] = {
            "mean": finite(mean.value),
            "interval": interval,
            "undefined": mean.undefined,
        }
        if per_query:
            counted = self.counted(at, measure)
            scores = self[measure][at][counted].tolist()
            shown["per_query"] = dict(zip(self._names(counted), map(finite, scores), strict=True))
        return shown

    def _bounds_dict(self, at: int, bounds: TieBounds | UnjudgedBounds) -> dict[str, Any]:
        return {
            str(measure): {name: finite(value) for name, value in self.mean_bounds(at, row, bounds).items()}
            for row, measure in enumerate(self.measures)
        }

    def mean_bounds(self, at: int, row: int, bounds: TieBounds | UnjudgedBounds) -> dict[str, float]:
        """Means of per-query bounds for one run and measure; NaN where a query's bound is not known."""
        counted = self.counted(at, self.measures[row])
        unknown = bounds.unknown[row][counted].any()
        return {
            name: math.nan
            if unknown and name != "expected"
            else aggregate.mean(self.measures[row], values[row][counted], self.of_measures[row].undefined).value
            for name, values in bounds.named.items()
        }

    def counted(self, at: int, measure: Measure | None = None) -> npt.NDArray[np.bool_]:
        """Which queries a run's mean of a measure is over; without a measure, of the first."""
        chosen = self.settings if measure is None else self.of_measures[self.measures.index(measure)]
        counted = np.ones(len(self.queries), dtype=np.bool_)
        if chosen.average_over == "answered":
            counted &= self.alignments[at].retrieved > 0
        if chosen.without_relevant == "drop":
            counted &= self._num_rel(chosen.level) > 0
        return counted

    def run_position(self, run: str | None = None) -> int:
        """Where a run stands among `runs`; with a single run it need not be named."""
        if run is None and len(self.runs) == 1:
            return 0
        if run is None:
            raise UsageError(f"There are several runs; name one: {', '.join(self.runs)}.")
        if run not in self.runs:
            raise UsageError(
                f"There is no run {run!r}; there are: {', '.join(self.runs)}. {did_you_mean(run, self.runs)}"
            )
        return self.runs.index(run)

    def _exceptions(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The settings of measures that a profile evaluates otherwise than the first."""
        usual = asdict(self.settings)
        other = {
            str(measure): {name: value for name, value in asdict(settings).items() if value != usual[name]}
            for measure, settings in zip(self.measures, self.of_measures, strict=True)
        }
        exceptions = {measure: differing for measure, differing in other.items() if differing}
        return {"exceptions": exceptions} if exceptions else {}

    def _alike(self, by_measure: Sequence[str]) -> dict[str, str]:
        """What holds for measures, and for which ones; for none by name where the same holds for all."""
        if len(set(by_measure)) == 1:
            return {by_measure[0]: ""}
        of: dict[str, list[str]] = {}
        for measure, what in zip(self.measures, by_measure, strict=True):
            of.setdefault(what, []).append(str(measure))
        return {what: ", ".join(measures) for what, measures in of.items()}

    def _num_rel(self, rel: float) -> Floats:
        relevant = (self.judgments.grades >= rel).astype(np.float64)
        return np.add.reduceat(relevant, self.judgments.starts[:-1])

    def _names(self, chosen: npt.NDArray[np.bool_]) -> list[str]:
        return [self.queries[at] for at in np.flatnonzero(chosen)]

    def position(self, measure: str | Measure) -> int:
        """Where a measure stands among `measures`."""
        place = profiles.position(self.measures, measure, self.settings.profile, self.settings.rel)
        if place is None:
            have = [str(known) for known in self.measures]
            near = did_you_mean(str(measure), have)
            raise UsageError(f"{measure} was not evaluated; these were: {', '.join(have)}. {near}".strip())
        return place

    def __repr__(self) -> str:
        runs = "1 run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        return f"Scores({runs}, {len(self.queries):,} queries, {', '.join(map(str, self.measures))})"

    def __str__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    __iter__ = None  # scores are asked by measure: scores["nDCG@10"]


def evaluate(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    profile: str | Profile | None = None,
    average_over: AverageOver | None = None,
    without_relevant: Keep | None = None,
    ties: TieRule | None = None,
    precision: Precision | None = None,
    identical: Keep | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    undefined: Undefined | None = None,
) -> Scores:
    """Scores of one or several runs, under every measure, for every judged query.

    Judgments and runs may be paths, file objects, `{query: {document: value}}`, tables, or `Judgments` and
    `Run`; several runs are a list, or a mapping from name to run. A `profile` makes the choices that are left open
    as another tool does.

    >>> import cranfield as cf
    >>> systems = {"a": {"q1": ["d1"]}, "b": {"q1": ["d2", "d1"]}}
    >>> print(cf.evaluate({"q1": {"d1": 1}}, systems, "RR").summary())
    run   queries       RR
    ──────────────────────
    a     1/1       1.0000
    b     1/1       0.5000
    Means over the one judged query.
    """
    said = {
        "average_over": average_over,
        "without_relevant": without_relevant,
        "ties": ties,
        "precision": precision,
        "identical": identical,
        "depth": depth,
        "judged_only": judged_only,
        "rel": rel,
        "undefined": undefined,
    }
    return evaluate_as(profiles.find(profile), judgments, runs, measures, said)


def evaluate_as(
    profile: Profile,
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None,
    said: Mapping[str, Any],
) -> Scores:
    """Scores under a profile and what was said beside it; None is nothing said."""
    given = checked({name: value for name, value in said.items() if value is not None})
    chosen = chosen_measures(profile, measures, given.get("rel"))
    settings = [profiles.settings_of(profile, measure, given) for measure in chosen]
    judged = formats.read_judgments(judgments, groups=groups_of(chosen))
    must_have_one_grade(judged, chosen)
    sources = tuple(formats.read_runs(runs))
    if judged.path is not None or not isinstance(judgments, Judgments):
        formats.must_not_be_swapped(judged, sources)
    alignments, values = zip(*_each(sources, judged, chosen, settings), strict=True)
    on_profile = profile.findings(chosen)
    return Scores(judged, alignments, chosen, np.stack(values, axis=1), tuple(settings), sources, on_profile)


def chosen_measures(
    profile: Profile, measures: str | Measure | Iterable[str | Measure] | None, rel: float | None = None
) -> tuple[Measure, ...]:
    """The measures that were asked for, or the profile's own, with what the profile decides for them."""
    asked = (profile.measures or DEFAULT_MEASURES) if measures is None else measures
    chosen = tuple(profile.parse(asked, rel))
    if not chosen:
        raise UsageError("No measure was asked for. Name at least one, such as nDCG@10.")
    return chosen


def _each(
    runs: Sequence[Run], judgments: Judgments, measures: Sequence[Measure], settings: Sequence[Settings]
) -> list[tuple[Alignment, Floats]]:
    """Alignment and scores of every run; several at a time where the loops let go of the interpreter."""

    def scored_run(run: Run) -> tuple[Alignment, Floats]:
        return _score(run, judgments, measures, settings)

    if len(runs) == 1 or not kernels.are_compiled():
        return list(map(scored_run, runs))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(len(runs), kernels.cores())) as workers:
        return list(workers.map(scored_run, runs))


def _score(
    run: Run, judgments: Judgments, measures: Sequence[Measure], settings: Sequence[Settings]
) -> tuple[Alignment, Floats]:
    """The run where the first measure sees it, and all scores; measures that see it otherwise have it aligned anew."""
    values = np.empty((len(measures), len(judgments.queries)))
    alignments: dict[Settings, Alignment] = {}
    for alike in dict.fromkeys(settings):
        rows = [row for row, other in enumerate(settings) if other == alike]
        alignments[alike] = aligned(run, judgments, alike)
        values[rows] = scored(alignments[alike], [measures[row] for row in rows], alike)
    return alignments[settings[0]], values


def aligned(run: Run, judgments: Judgments, settings: Settings) -> Alignment:
    """A run as the settings have it seen."""

    def rankings(findings: errors.Findings) -> Iterator[Ranking]:
        return (ranking.without(ranking.query) for ranking in run.rankings(findings))

    seen = run if settings.identical == "keep" else Run(run.name, rankings, run.path)
    return align(seen, judgments, ties=settings.order, precision=settings.precision)


def scored(alignment: Alignment, measures: Sequence[Measure], settings: Settings) -> Floats:
    """Scores by measure and query as the settings want them."""
    view = View(settings.depth, settings.judged_only)
    if settings.ties == "average":
        from cranfield.bounds import tie_bounds

        return tie_bounds(alignment, measures, view).expected
    return score(alignment, measures, view)


def groups_of(measures: Iterable[Measure]) -> GroupKind | None:
    """Why documents may have several grades: what the measures that read several want."""
    wanted = {kind: measure for measure in measures if (kind := measure.definition.groups)}
    if len(wanted) > 1:
        kinds = " and ".join(f"{measure} reads grades by {kind}" for kind, measure in wanted.items())
        raise UsageError(f"{kinds}; judgments are read in one way only.\nEvaluate them one after the other.")
    return next(iter(wanted), None)


def must_have_one_grade(judgments: Judgments, measures: Iterable[Measure]) -> None:
    """Refuse to choose one of a document's several grades for a measure that reads one."""
    ordinary = [measure for measure in measures if measure.definition.groups is None]
    groups = judgments.groups
    if ordinary and groups and len(groups.grades) > len(judgments.documents):
        raise UsageError(
            f"{ordinary[0]} reads one grade for each document, but these judgments have several.\n"
            "Leave it out, or evaluate it with judgments that have one."
        )


def _outliers(judgments: Judgments) -> Iterator[errors.Finding]:
    """Grades far from all others, of which one decides how much every other grade gains."""
    if np.abs(judgments.grades).max(initial=0.0) <= LARGEST_USUAL:
        return  # no need to sort millions of grades
    if outliers := grade_outliers(*np.unique(judgments.grades, return_counts=True)):
        yield errors.labels.outlying_grades(
            judgments.path, outliers.values, outliers.count, (outliers.low, outliers.high), "grade"
        )


def _uncovered(alignment: Alignment, queries: Mapping[str, str]) -> Iterable[errors.Finding]:
    judged = alignment.judgments.queries
    silent = [judged[at] for at in np.flatnonzero(alignment.retrieved == 0)]
    if silent:
        yield errors.coverage.silent_queries(alignment.run, silent, len(judged), queries)
    if alignment.unknown:
        yield errors.coverage.unknown_queries(alignment.run, alignment.unknown)


def averaged(settings: Settings, judged: int) -> str:
    """What means are means of, in words."""
    all_judged = f"all {judged:,} judged queries" if judged > 1 else "the one judged query"
    over = all_judged if settings.average_over == "judged" else "the judged queries each run answered"
    over += " that have a relevant document" if settings.without_relevant == "drop" else ""
    depth = f", of the first {settings.depth:,} documents" if settings.depth else ""
    condensed = ", without unjudged documents" if settings.judged_only else ""
    orders = ", over all orders of equal scores" if settings.ties == "average" else ""
    return f"Means over {over}{depth}{condensed}{orders}"
