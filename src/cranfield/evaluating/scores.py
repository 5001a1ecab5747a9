"""Scores of runs for queries under measures, with what they were measured on and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, Unpack

import numpy as np

from cranfield import errors
from cranfield.align import Alignment
from cranfield.arrays import Bools, Floats
from cranfield.choices import CurveKind, OutputFormat, PaperOrder, Undefined
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import DataError, Finding, UsageError, did_you_mean
from cranfield.evaluating import aggregate
from cranfield.evaluating.aggregate import Mean, Summary
from cranfield.evaluating.profiles import PROFILES, called
from cranfield.evaluating.settings import Settings
from cranfield.measures import Measure
from cranfield.measures.scoring import LARGEST, must_be_moderate
from cranfield.phrases import alike
from cranfield.show.answer import Forms
from cranfield.show.table import PLACES, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.data.request_log import RequestTimes
    from cranfield.evaluating.bounds import TieBounds, UnjudgedBounds
    from cranfield.evaluating.tracking import Page
    from cranfield.evaluating.worst_queries import WorstQueries
    from cranfield.figures.lines import Curve
    from cranfield.figures.picture import Look
    from cranfield.show.paper import PaperTable

T = TypeVar("T")


def constant(value: T) -> Callable[[], T]:
    """A value where one may be that is found only when it is asked for."""
    return partial(_itself, value)


def _itself(value: T) -> T:
    return value


NOTHING = constant(None)
NO_WARNINGS = constant(tuple[Finding, ...]())


@dataclass(frozen=True, eq=False)
class Once(Generic[T]):
    """A value that is found when it is first asked for, and only then."""

    find: Callable[[], T]

    @cached_property
    def _found(self) -> T:
        return self.find()

    def __call__(self) -> T:
        """The value."""
        return self._found


@dataclass(frozen=True, eq=False)
class JudgmentFacts:
    """What the runs were judged by."""

    path: str | None
    queries: int | None
    judgments: int | None
    max_grade: float | None
    find_sha256: Callable[[], str]
    without_relevant: tuple[str, ...] | None = None
    """Queries that no document is relevant to; None where a file does not tell."""
    only_relevant: bool = False
    """Whether they list only relevant documents."""
    chunks: int | None = None
    """Where chunks were judged and documents count: how many."""

    @cached_property
    def sha256(self) -> str:
        """A hash of what was judged. It reads all judgments, so it is found when it is asked for."""
        return self.find_sha256()


class TieCounts(NamedTuple):
    """Documents of a run that share their score with another, and the queries that have such."""

    documents: int | None
    queries: int | None


class UnjudgedCounts(NamedTuple):
    """Documents of a run that nobody judged, of those it retrieved."""

    documents: int | None
    retrieved: int | None


class ScoreSource(NamedTuple):
    """The run from which a baseline took the scores of a measure."""

    run: str
    path: str | None
    sha256: str | None


@dataclass(frozen=True, eq=False)
class RunFacts:
    """What is known of one run; None where a file does not tell."""

    path: str | None = None
    silent: tuple[str, ...] | None = None
    """Judged queries that it returned no document for."""
    unknown: tuple[str, ...] = ()
    """Its queries that nobody judged."""
    ties: TieCounts | None = None
    unjudged: UnjudgedCounts | None = None
    find_sha256: Callable[[], str | None] = NOTHING
    find_judged_at_10: Callable[[], float | None] = NOTHING
    find_times: Callable[[], RequestTimes | None] = NOTHING
    raised: Mapping[str, ScoreSource] = field(default_factory=dict)
    """Of a baseline that was raised: the measures whose scores are another run's."""
    chunks: int | None = None
    """Where chunks were retrieved and documents count: how many, for judged queries."""

    @cached_property
    def sha256(self) -> str | None:
        """A hash of its file. It reads the whole file, so it is found when it is asked for."""
        return self.find_sha256()

    @cached_property
    def times(self) -> RequestTimes | None:
        """How long its queries took, where it was made from a live system."""
        return self.find_times()

    @cached_property
    def judged_at_10(self) -> float | None:
        """The mean share of judged documents among its first ten."""
        return self.find_judged_at_10()


@dataclass(frozen=True, eq=False)
class Provenance:
    """What scores were measured on, and how."""

    judgments: JudgmentFacts
    settings: tuple[Settings, ...]
    """The settings under which each measure was evaluated; a profile may have exceptions."""
    runs: tuple[RunFacts, ...]
    """In the order of the runs."""


@dataclass(frozen=True, eq=False)
class ScoreDetail:
    """What an evaluation read, for whoever wants to see documents or score the same rankings differently."""

    judgments: Judgments
    alignments: tuple[Alignment, ...]
    sources: tuple[Run, ...] = ()
    """Where the rankings came from; they can be read again."""


@dataclass(frozen=True, eq=False)
class Scores(Forms):
    """A score for every run, query and measure.

    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.2, "d2": 0.7}}, ["RR", "P@2"])
    >>> scores["RR"]
    array([[0.5]])
    """

    queries: tuple[str, ...]
    """All judged queries, in the order of the judgments."""
    runs: tuple[str, ...]
    """The names of the runs."""
    measures: tuple[Measure, ...]
    values: Floats
    """By measure, run and query; NaN where undefined."""
    counted: Bools
    """Which of them a mean is over; a setting may leave out queries that a run did not answer."""
    undefined: tuple[Undefined, ...]
    """What an undefined score becomes in the mean of each measure."""
    provenance: Provenance
    find_warnings: Callable[[], tuple[Finding, ...]] = NO_WARNINGS
    detail: ScoreDetail | None = None
    """What the evaluation read; None where scores come from a file, or from several evaluations."""

    def __post_init__(self) -> None:
        if (self.values > LARGEST).any() or (self.values < -LARGEST).any():
            for measure, of_measure in zip(self.measures, self.values, strict=True):
                must_be_moderate(measure, of_measure)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Everything surprising about the data, in the order of the line.

        What ties could do to a mean takes two more scorings, so it is found when warnings are asked for.
        """
        return self.find_warnings()

    @property
    def settings(self) -> Settings:
        """The settings of the evaluation: those of its first measure."""
        return self.provenance.settings[0]

    @property
    def canonical(self) -> list[str]:
        """The measures by our own names, whatever they were asked by."""
        return [measure.canonical for measure in self.measures]

    def __getitem__(self, measure: str | Measure) -> Floats:
        """One measure's scores by run and query."""
        scores: Floats = self.values[self.position(measure)]
        return scores

    def settled(self, measure: str | Measure) -> Floats:
        """One measure's scores by run and query as they count in a mean: NaN is left out."""
        at = self.position(measure)
        settled = aggregate.settle(self.measures[at], self.values[at], self.undefined[at])
        return np.where(self.counted[at], settled, np.nan)

    def mean(self, measure: str | Measure, run: str | None = None) -> Mean:
        """One measure's mean over queries for one run; with a single run it need not be named."""
        at, row = self.position(measure), self.run_position(run)
        return aggregate.mean(self.measures[at], self.values[at, row][self.counted[at, row]], self.undefined[at])

    def means(self, run: str | None = None) -> dict[str, float]:
        """The means of one run as plain numbers, by measure; with a single run it need not be named.

        >>> import cranfield as cf
        >>> cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d2", "d1"]}, "RR MAP").means()
        {'RR': 0.5, 'MAP': 0.5}
        """
        return {str(measure): float(self.mean(measure, run)) for measure in self.measures}

    def standard_deviations(self, run: str | None = None) -> dict[str, float]:
        """How far the scores of one run vary from query to query, by measure: the standard deviation of a sample."""
        deviations: dict[str, float] = {}
        for measure in self.measures:
            scores = self.settled(measure)[self.run_position(run)]
            kept = scores[~np.isnan(scores)]
            deviations[str(measure)] = float(np.std(kept, ddof=1)) if len(kept) > 1 else float("nan")
        return deviations

    def __float__(self) -> float:
        """The mean, of one run under one measure."""
        if len(self.measures) != 1:
            raise UsageError(f"There are several measures; name one: {', '.join(map(str, self.measures))}.")
        return float(self.mean(self.measures[0]))

    def position(self, measure: str | Measure) -> int:
        """Where a measure stands among `measures`."""
        canonical, labels = [known.canonical for known in self.measures], [str(known) for known in self.measures]
        name = measure.canonical if isinstance(measure, Measure) else str(measure)
        for names in (canonical, labels):
            if name in names:
                return names.index(name)
        # By its name under the profile, or by one that a tool has for it.
        profile = PROFILES.get(self.settings.profile or "cranfield", PROFILES["cranfield"])
        asked = profile.parse(measure, self.settings.rel)
        if len(asked) != 1:
            raise UsageError(f"{measure!r} names {len(asked)} measures; give one.")
        if asked[0].canonical not in canonical:
            near = did_you_mean(str(measure), labels)
            raise UsageError(f"{measure} was not evaluated; these were: {', '.join(labels)}. {near}".strip())
        return canonical.index(asked[0].canonical)

    def run_position(self, run: str | None = None) -> int:
        """Where a run stands among `runs`; with a single run it need not be named."""
        if run is None and len(self.runs) == 1:
            return 0
        if run is None:
            raise UsageError(f"There are several runs; name one: {', '.join(self.runs)}.")
        if run not in self.runs:
            near = did_you_mean(run, self.runs)
            raise UsageError(f"There is no run {run!r}; there are: {', '.join(self.runs)}. {near}".strip())
        return self.runs.index(run)

    def only(self, queries: Sequence[str]) -> Scores:
        """The same for some of the queries, in their order."""
        if tuple(queries) == self.queries:
            return self
        place = {query: at for at, query in enumerate(self.queries)}
        kept = [place[query] for query in queries]
        values, counted = self.values[:, :, kept], self.counted[:, :, kept]
        return replace(self, queries=tuple(queries), values=values, counted=counted, detail=None)

    def with_measures(self, measures: Sequence[str | Measure]) -> Scores:
        """The same under some of the measures, in their order, each once and called as it was first asked for."""
        asked: dict[int, Measure] = {}
        for name in measures:
            at = self.position(name)
            measure = called(self.measures[at], name, self.settings.profile)
            asked[at] = asked[at].with_spelling_of(measure) if at in asked else measure
        kept = list(asked)
        return replace(
            self,
            measures=tuple(asked.values()),
            values=self.values[kept],
            counted=self.counted[kept],
            undefined=tuple(self.undefined[at] for at in kept),
            provenance=replace(self.provenance, settings=tuple(self.provenance.settings[at] for at in kept)),
        )

    def of_run(self, run: str | None = None) -> Scores:
        """The same for one run; with a single run it need not be named."""
        at = self.run_position(run)
        detail = self.detail
        return replace(
            self,
            runs=(self.runs[at],),
            values=self.values[:, [at]],
            counted=self.counted[:, [at]],
            provenance=replace(self.provenance, runs=(self.provenance.runs[at],)),
            detail=detail and replace(detail, alignments=(detail.alignments[at],), sources=detail.sources[at : at + 1]),
        )

    def require_detail(self, what: str) -> ScoreDetail:
        """What the evaluation read; an error that says what needs it where there is none."""
        if self.detail is None:
            raise errors.results.no_runs(what)
        return self.detail

    def notes(self) -> tuple[Finding, ...]:
        """What was read, also where it changes no score: numbers of judgments and documents, and of ties."""
        facts = self.provenance.judgments
        counts = errors.coverage.judgments_read(facts.path, facts.judgments, facts.queries, facts.max_grade)
        runs = [
            errors.coverage.run_read(run, *known.unjudged)
            for run, known in zip(self.runs, self.provenance.runs, strict=True)
            if known.unjudged is not None
        ]
        ties = {
            run: (known.ties.documents or 0, known.ties.queries or 0)
            for run, known in zip(self.runs, self.provenance.runs, strict=True)
            if known.ties is not None and known.ties.documents
        }
        orders = alike(self.measures, [chosen.ties for chosen in self.provenance.settings])
        return (counts, *runs, *([errors.coverage.tied_documents(ties, orders)] if ties else []))

    def summary(self) -> Summary:
        """Means with intervals and coverage; shows itself as a table."""
        from cranfield.evaluating.score_tables import summary

        return summary(self)

    def per_query(self, measure: str | Measure | None = None) -> Table:
        """A row per query and run with the scores of one measure, or of all."""
        from cranfield.evaluating.score_tables import per_query

        return per_query(self, self.measures if measure is None else (self.measures[self.position(measure)],))

    def worst(
        self,
        n: int | None = 10,
        measure: str | Measure | None = None,
        *,
        queries: object = None,
        failure_threshold: float | None = None,
    ) -> WorstQueries:
        """The n queries with the lowest scores, by default under the first measure; those that fail in every run first.

        A run fails on a query if its score is 0, or not better than `failure_threshold`. `queries`, whatever
        `read_queries` reads, adds their texts.
        """
        from cranfield.evaluating.worst_queries import worst_queries

        return worst_queries(self, n, measure, queries=queries, failure_threshold=failure_threshold)

    def paper_table(
        self,
        places: int | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        order: PaperOrder = "mean",
        percent: bool = False,
    ) -> PaperTable:
        """Means as papers have them, with `latex()` and `markdown()`: the best is bold, the second underlined.

        `caption` takes the place of the first sentence of the caption; `percent` multiplies scores by 100.
        """
        from cranfield.evaluating.score_tables import paper_table
        from cranfield.show.digits import Digits

        digits = Digits(percent=percent)
        usual = digits.usual_places if places is None else places
        return paper_table(self, usual, digits, caption=caption, label=label, order=order)

    def form(self, form: OutputFormat, places: int = PLACES) -> str:
        """Means as `cranfield evaluate` prints them in this form: `scores.latex()`, `scores.csv()` and the like."""
        from cranfield.evaluating.score_tables import Evaluation

        return Evaluation(self).form(form, places)

    def to_dict(self, *, per_query: bool = False, ties: bool = False, unjudged: bool = False) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield evaluate --format json` prints."""
        from cranfield.evaluating.score_json import as_dict

        return as_dict(self, per_query=per_query, ties=ties, unjudged=unjudged)

    def log_to(
        self, tracker: Any, *, step: int | None = None, per_query: bool = False, report: Page | None = None
    ) -> dict[str, float]:
        """Log means, intervals, settings and hashes to MLflow or Weights & Biases, and give back the metrics.

        `tracker` is "mlflow", "wandb", one of these modules, or a run of theirs. Names of metrics are those that
        MLflow takes: `nDCG_at_10` for nDCG@10, `P_rel2_at_5` for P(rel=2)@5; `bm25/nDCG_at_10` where there are several
        runs. `per_query` adds a table with the scores of every query, `report` the page that `report` made.

        >>> scores.log_to("mlflow", report=cf.report(scores))  # doctest: +SKIP
        {'nDCG_at_10': 0.556, 'nDCG_at_10_low': 0.479, 'nDCG_at_10_high': 0.633, 'queries': 70.0}
        """
        from cranfield.evaluating.tracking import log_scores

        return log_scores(self, tracker, step=step, per_query=per_query, report=report)

    def tie_bounds(self) -> dict[str, TieBounds]:
        """Of each run, its scores over all orders of tied documents, by measure and query."""
        from cranfield.evaluating.bounds import tie_bounds

        alignments = self.require_detail("The range over orders of ties").alignments
        bounds = (tie_bounds(alignment, self.measures, self.settings.view) for alignment in alignments)
        return dict(zip(self.runs, bounds, strict=True))

    def unjudged_bounds(self) -> dict[str, UnjudgedBounds]:
        """Of each run, its scores over what its unjudged documents may be, by measure and query."""
        from cranfield.evaluating.bounds import unjudged_bounds

        alignments = self.require_detail("The range over unjudged documents").alignments
        bounds = (unjudged_bounds(alignment, self.measures, self.settings.view) for alignment in alignments)
        return dict(zip(self.runs, bounds, strict=True))

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

        return grades_of(self.require_detail("A picture of the grades").judgments).plot(**look)

    def __repr__(self) -> str:
        runs = "1 run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        queries = "1 query" if len(self.queries) == 1 else f"{len(self.queries):,} queries"
        return f"Scores({runs}, {queries}, {', '.join(map(str, self.measures))})"

    def __str__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    __iter__ = None  # scores are asked by measure: scores["nDCG@10"]


def joined(parts: Sequence[Scores], *, allow_different_judgments: bool = False) -> Scores:
    """All runs of several scores as one, if they were judged and measured alike.

    They keep the measures they share. Where different judgments are allowed, only the queries they share are kept.
    """
    first, *others = parts
    if not others:
        return first
    for other in others:
        _require_alike(first, other, allow_different_judgments)
    shared = [measure for measure in first.measures if all(measure.canonical in part.canonical for part in others)]
    in_all = set(first.queries).intersection(*(other.queries for other in others))
    queries = [query for query in first.queries if query in in_all]
    same = [part.only(queries).with_measures(shared) for part in parts]
    return replace(
        same[0],
        runs=tuple(_named_apart(run for part in same for run in part.runs)),
        values=np.concatenate([part.values for part in same], axis=1),
        counted=np.concatenate([part.counted for part in same], axis=1),
        provenance=replace(same[0].provenance, runs=tuple(facts for part in same for facts in part.provenance.runs)),
        find_warnings=Once(partial(_distinct, same)),
        detail=None,
    )


def _require_alike(first: Scores, other: Scores, allow_different_judgments: bool) -> None:
    path, other_path = (f"the result of {part.runs[0]}" for part in (first, other))
    own, others = set(first.queries), set(other.queries)
    if not own & others:
        raise DataError([errors.results.no_common_query(path, other_path)])
    judgments, other_judgments = first.provenance.judgments, other.provenance.judgments
    # Told before the judgments: these differ because the settings do.
    prepared = ("group_by", "alternatives", *(() if allow_different_judgments else ("only_queries",)))
    if differing := list(_differing_settings(first, other, prepared)):
        raise DataError([errors.results.different_settings(path, other_path, differing)])
    if not allow_different_judgments and judgments.sha256 != other_judgments.sha256:
        only = [query for query in first.queries if query not in others]
        only_other = [query for query in other.queries if query not in own]
        raise DataError([errors.results.different_judgments(path, other_path, only, only_other)])
    rest = [field.name for field in fields(Settings) if field.name not in (*prepared, "only_queries")]
    differing = list(_differing_settings(first, other, rest))
    if not allow_different_judgments and judgments.max_grade != other_judgments.max_grade:
        differing.append(_differing("max_grade", judgments, other_judgments))
    if differing:
        raise DataError([errors.results.different_settings(path, other_path, differing)])
    names, other_names = ([str(measure) for measure in part.measures] for part in (first, other))
    if not set(first.canonical) & set(other.canonical):
        raise DataError([errors.results.no_common_measure(path, other_path, names, other_names)])


def _differing_settings(first: Scores, other: Scores, names: Iterable[str]) -> Iterable[str]:
    """The settings, of some, in which measures that both have differ; without such, those of the first."""
    own, others = (dict(zip(part.canonical, part.provenance.settings, strict=True)) for part in (first, other))
    pairs = [(own[name], others[name]) for name in own if name in others] or [(first.settings, other.settings)]
    return dict.fromkeys(_differing(name, one, two) for name in names for one, two in pairs if one.differs(name, two))


def _differing(name: str, first: object, other: object) -> str:
    here, there = (
        "not set" if value is None else repr(value) for value in (getattr(other, name), getattr(first, name))
    )
    return f"{name} is {here} here and {there} there"


def _named_apart(runs: Iterable[str]) -> Iterator[str]:
    """Runs of one name get a number as well."""
    names = set[str]()
    for run in runs:
        name, number = run, 2
        while name in names:
            name, number = f"{run} {number}", number + 1
        names.add(name)
        yield name


def _distinct(parts: Sequence[Scores]) -> tuple[Finding, ...]:
    """The warnings of all, each once by its words: of a warning from a file nothing else is known."""
    by_words: dict[str, Finding] = {}
    for part in parts:
        for warning in part.warnings:
            by_words.setdefault(str(warning), warning)
    return tuple(by_words.values())
