"""Runs and measures become scores."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cranfield import errors, formats, kernels
from cranfield.align import Alignment
from cranfield.arrays import Bools, Floats
from cranfield.choices import AverageOver, Duplicates, Keep, Precision, TieRule, Undefined
from cranfield.data.judgments import GroupKind, Judgments, fingerprint
from cranfield.data.outliers import LARGEST_USUAL, grade_outliers
from cranfield.data.run import Run
from cranfield.errors import Finding, UsageError
from cranfield.evaluating import aggregate, profiles
from cranfield.evaluating.part import counted, have_relevant, score_run, tied_ends
from cranfield.evaluating.preparing import Preparation, preparation_from
from cranfield.evaluating.profiles import Profile
from cranfield.evaluating.scores import (
    JudgmentFacts,
    Once,
    Provenance,
    RunFacts,
    ScoreDetail,
    Scores,
    TieCounts,
    UnjudgedCounts,
    constant,
)
from cranfield.evaluating.settings import ABOUT_IDS, Settings, checked
from cranfield.formats.columns import ColumnsGiven
from cranfield.formats.source import file_hash
from cranfield.measures import Judged, Measure
from cranfield.measures.scoring import score
from cranfield.phrases import alike
from cranfield.show.table import finite, number

if TYPE_CHECKING:
    from cranfield.data.request_log import RequestTimes


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
    group_by: object = None,
    alternatives: object = None,
    only_queries: object = None,
    unjudged_grade: float | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
    run_queries: object = None,
) -> Scores:
    """Scores of one or several runs, under every measure, for every judged query.

    Judgments and runs may be paths, file objects, `{query: {document: value}}`, tables, or `Judgments` and
    `Run`; several runs are a list, or a mapping from name to run. A `profile` makes the choices that are left open
    as another tool does. `columns` names columns of tables that are called by unusual names, such as
    `{"query": "customer", "grade": "stars", "score": "points"}`; a grade is about
    judgments, a score or rank about runs. A document that a run lists twice for a query is an error, and with
    `duplicates="first"` a warning: its best place counts. `run_queries` are the queries that responses answer which
    do not say so, in their order: a query file, a list of ids, or the request that was sent to `_msearch`.

    `group_by` counts documents where chunks were judged or retrieved: a separator (`"#"` for `d7#3`), a pattern with a
    group, or a mapping from chunks to documents, in a file or `{chunk: document}`. `alternatives` are documents that
    answer a query alike, and the first one retrieved counts: a table of query, document and answer, or
    `{query: [[documents], …]}`. `only_queries` evaluates some of the judged queries: a file or a list of ids.
    `unjudged_grade` scores each run as if every document that it retrieved and nobody judged had been given that grade.

    >>> import cranfield as cf
    >>> systems = {"a": {"q1": ["d1"]}, "b": {"q1": ["d2", "d1"]}}
    >>> print(cf.evaluate({"q1": {"d1": 1}}, systems, "RR").summary())
    run   queries       RR
    ──────────────────────
    a     1/1       1.0000
    b     1/1       0.5000
    Means over the one judged query.
    The judgments list only relevant documents; unjudged documents count as not relevant.
    """
    overrides = {
        "average_over": average_over,
        "without_relevant": without_relevant,
        "ties": ties,
        "precision": precision,
        "identical": identical,
        "depth": depth,
        "judged_only": judged_only,
        "rel": rel,
        "undefined": undefined,
        "group_by": group_by,
        "alternatives": alternatives,
        "only_queries": only_queries,
        "unjudged_grade": unjudged_grade,
    }
    plan = evaluation_plan(profile, measures, overrides)
    return plan.scores(judgments, runs, columns, duplicates, run_queries)


@dataclass(frozen=True)
class EvaluationPlan:
    """What is to be evaluated, and how; everything about it was checked before anything is read."""

    profile: Profile
    measures: tuple[Measure, ...]
    settings: tuple[Settings, ...]
    """Of each measure."""
    groups: GroupKind | None
    """Why documents may have several grades: what the measures read."""
    preparation: Preparation = field(default_factory=Preparation)
    """Which ids count as one document, and which queries count."""

    def scores(
        self,
        judgments: object,
        runs: object,
        columns: ColumnsGiven = None,
        duplicates: Duplicates | None = None,
        run_queries: object = None,
    ) -> Scores:
        """The scores of runs against judgments."""
        read, sources = formats.read_inputs(
            judgments, runs, columns=columns, duplicates=duplicates, groups=self.groups, run_queries=run_queries
        )
        if read.path is not None or not isinstance(judgments, Judgments):
            formats.must_not_be_swapped(read, sources)
        return self.prepared_scores(self.preparation.judgments(read), tuple(map(self.preparation.run, sources)))

    def prepared_scores(self, judged: Judgments, sources: tuple[Run, ...]) -> Scores:
        """The scores of runs, where judgments and runs are as they count."""
        must_have_one_grade(judged, self.measures)
        for settings in self.settings:
            if settings.unjudged_grade is not None and settings.unjudged_grade > judged.max_grade:
                raise errors.coverage.graded_above_all(settings.unjudged_grade, judged.max_grade)
        _refuse_failures(judged, sources, self.settings)
        alignments, values = zip(*_each(sources, judged, self.measures, self.settings), strict=True)
        self.preparation.require_effect([judged.chunks, *(alignment.chunks for alignment in alignments)])
        on_profile = self.profile.findings(self.measures)
        detail = ScoreDetail(judged, alignments, tuple(sources))
        return scores_from(detail, self.measures, np.stack(values, axis=1), self.settings, on_profile)


def _refuse_failures(judgments: Judgments, runs: Iterable[Run], settings: Iterable[Settings]) -> None:
    """Refuse to count a query as 0 that failed when a run was made: nobody knows what the system returns."""
    if all(chosen.average_over == "answered" for chosen in settings):
        return
    for run in runs:
        if failed := [one for one in run.unanswered if one in judgments.position]:
            raise errors.retrieving.unanswered(run.called, failed, run.log.path if run.log else None)


def evaluation_plan(
    profile: str | Profile | None,
    measures: str | Measure | Iterable[str | Measure] | None,
    overrides: Mapping[str, Any],
) -> EvaluationPlan:
    """An evaluation under a profile and settings given explicitly; None means not given."""
    chosen = profiles.find(profile)
    chosen_values = {name: value for name, value in overrides.items() if value is not None}
    preparation, labels = preparation_from(
        {name: chosen_values.pop(name) for name in ABOUT_IDS if name in chosen_values}
    )
    given = checked({**chosen_values, **labels})
    named = tuple(chosen.parse(measures, given.get("rel")))
    if not named:
        raise UsageError("No measure was asked for. Name at least one, such as nDCG@10.")
    settings = tuple(chosen.settings_for(measure, given) for measure in named)
    for pair in zip(named, settings, strict=True):
        _require_gradable(*pair)
    return EvaluationPlan(chosen, named, settings, groups_of(named), preparation)


def _require_gradable(measure: Measure, settings: Settings) -> None:
    """Refuse a grade for unjudged documents where it makes no sense."""
    grade = settings.unjudged_grade
    if grade is None:
        return
    if settings.judged_only:
        raise errors.coverage.graded_and_removed()
    if measure.definition.groups is not None:
        raise errors.coverage.graded_in_groups(str(measure))
    if settings.adds_relevant(measure):
        raise errors.coverage.graded_as_relevant(str(measure), grade, measure.params["rel"])


def _each(
    runs: Sequence[Run], judgments: Judgments, measures: Sequence[Measure], settings: Sequence[Settings]
) -> list[tuple[Alignment, Floats]]:
    """Alignment and scores of every run; several at a time where the loops let go of the interpreter."""
    scored_run = partial(score_run, judgments=judgments, measures=measures, settings=settings)
    if len(runs) == 1 or not kernels.are_compiled():
        return list(map(scored_run, runs))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(len(runs), kernels.cores())) as workers:
        return list(workers.map(scored_run, runs))


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


def scores_from(
    detail: ScoreDetail,
    measures: tuple[Measure, ...],
    values: Floats,
    settings: tuple[Settings, ...],
    on_profile: Sequence[Finding] = (),
) -> Scores:
    """Scores by measure, run and query, with what there is to know of judgments and runs."""
    judgments = detail.judgments
    without = _names(judgments, ~have_relevant(judgments, settings[0].level))
    facts = tuple(_run_facts(*pair) for pair in zip_longest(detail.alignments, detail.sources))
    scores = Scores(
        queries=judgments.queries,
        runs=tuple(alignment.run for alignment in detail.alignments),
        measures=measures,
        values=values,
        counted=_counted(detail, settings),
        undefined=tuple(
            chosen.undefined or measure.definition.undefined for measure, chosen in zip(measures, settings, strict=True)
        ),
        provenance=Provenance(
            JudgmentFacts(
                path=judgments.path,
                queries=len(judgments.queries),
                judgments=len(judgments),
                max_grade=judgments.max_grade,
                find_sha256=partial(fingerprint, judgments),
                without_relevant=without,
                only_relevant=judgments.only_relevant,
                chunks=judgments.chunks and judgments.chunks.chunks,
            ),
            settings,
            facts,
        ),
        find_warnings=constant((*on_profile, *_warnings(detail, facts, measures, settings, without))),
        detail=detail,
    )
    if not any(of_run.ties and of_run.ties.documents for of_run in facts):
        return scores
    return replace(scores, find_warnings=Once(partial(_with_ties, scores, detail)))


def _with_ties(scores: Scores, detail: ScoreDetail) -> tuple[Finding, ...]:
    return (*scores.warnings, *_moved_by_ties(scores, detail))


def _counted(detail: ScoreDetail, settings: Sequence[Settings]) -> Bools:
    """Which queries means are over, by measure and run."""
    return np.array([[counted(alignment, chosen) for alignment in detail.alignments] for chosen in settings])


def _run_facts(alignment: Alignment, source: Run | None) -> RunFacts:
    retrieved = int(alignment.retrieved.sum())
    return RunFacts(
        path=alignment.path,
        silent=_names(alignment.judgments, alignment.retrieved == 0),
        unknown=alignment.unknown,
        ties=TieCounts(*_tie_counts(alignment)),
        unjudged=UnjudgedCounts(retrieved - int(np.count_nonzero(alignment.grades >= 0)), retrieved),
        find_sha256=partial(file_hash, alignment.path),
        find_judged_at_10=partial(judged_share, alignment, 10),
        find_times=partial(_times, source),
        chunks=alignment.chunks and alignment.chunks.chunks,
    )


def _times(run: Run | None) -> RequestTimes | None:
    return None if run is None or run.log is None else run.log.times


def _tie_counts(alignment: Alignment) -> tuple[int, int]:
    """Documents that share their score, and queries that have such."""
    return int(alignment.ties.sum()), int(np.count_nonzero(alignment.ties))


def judged_share(alignment: Alignment, depth: int) -> float | None:
    """The mean share of judged documents among the first of a run."""
    return finite(aggregate.mean(Judged @ depth, score(alignment, [Judged @ depth])[0]).value)


def _warnings(
    detail: ScoreDetail,
    facts: Sequence[RunFacts],
    measures: Sequence[Measure],
    settings: Sequence[Settings],
    without: Sequence[str],
) -> Iterator[Finding]:
    """Everything surprising about the data, in the order of the line."""
    judgments, alignments = detail.judgments, detail.alignments
    yield from judgments.warnings
    grades = judgments.grades
    if has_unusual(grades.min(initial=0.0), grades.max(initial=0.0)):  # else there is no need to sort millions of them
        yield from outlying_grades(judgments.path, *np.unique(grades, return_counts=True))
    if without:
        judged = len(judgments.queries)
        yield errors.coverage.without_relevant(judgments.path, without, judged, settings[0].level)
    if len(alignments) > 1:
        yield from formats.repeated_files(detail.sources)
        yield from errors.findings.of_runs(_same_rankings(detail))
    of_runs = [_of_run(*known, measures, settings) for known in zip(alignments, facts, strict=True)]
    of_runs += [_other_document_ids(*pair) for pair in zip(detail.sources, alignments, strict=False)]
    yield from errors.findings.of_runs(chain.from_iterable(of_runs))


def _moved_by_ties(scores: Scores, detail: ScoreDetail) -> Iterator[Finding]:
    """The runs with a mean that would show other digits if tied documents came in another order."""
    ranges = {
        alignment.run: could_be
        for alignment in detail.alignments
        if alignment.ties.any() and (could_be := _tied_mean(scores, alignment))
    }
    if ranges:
        orders = [chosen.ties for chosen in scores.provenance.settings]
        yield errors.coverage.tied_scores(ranges, alike(scores.measures, orders))


def _tied_mean(scores: Scores, alignment: Alignment) -> str:
    """The first measure whose mean ties could move, and between what; empty where there is none."""
    for rows, ends in tied_ends(alignment, scores.measures, scores.provenance.settings):
        for place, at in enumerate(rows):
            if could_be := _other_means(scores, at, scores.runs.index(alignment.run), ends[:, place]):
                return f"{scores.measures[at]} {could_be}"
    return ""


def _other_means(scores: Scores, at: int, row: int, ends: Floats) -> str:
    """The range of a mean from one order of ties to the other; empty where it shows the same digits in all."""
    if np.array_equal(ends[0], ends[1], equal_nan=True):
        return ""
    counted = scores.counted[at, row]
    return range_of_means(
        aggregate.mean(scores.measures[at], of_queries[counted], scores.undefined[at]).value
        for of_queries in (scores.values[at, row], *ends)
    )


def range_of_means(means: Iterable[float]) -> str:
    """The range of a mean under other orders of ties; empty where all show the same digits."""
    low, middle, high = sorted(means)
    return "" if number(low) == number(middle) == number(high) else f"{number(low)} to {number(high)}"


def _same_rankings(detail: ScoreDetail) -> Iterator[Finding]:
    """Runs of several names with the same content; one file that was given twice is found by its path."""
    known: dict[object, tuple[Run, Alignment]] = {}
    for run, alignment in zip(detail.sources, detail.alignments, strict=False):
        if _file(run) in known:
            continue
        for other, placed in known.values():
            # Few runs place judged documents alike, so that few have to be read again.
            if placed.places_like(alignment) and run.has_rankings_of(other):
                yield errors.coverage.same_rankings(run.name, other.name)
                break
        known[_file(run)] = run, alignment


def _file(run: Run) -> object:
    return id(run) if run.path is None else (os.path.realpath(run.path), run.system)


def has_unusual(lowest: float, highest: float) -> bool:
    """Whether some grade is beyond those of common scales."""
    return bool(lowest < -LARGEST_USUAL or highest > LARGEST_USUAL)


def outlying_grades(path: str | None, grades: npt.ArrayLike, counts: npt.ArrayLike) -> Iterator[Finding]:
    """Grades far from all others, of which one decides how much every other grade gains."""
    if outliers := grade_outliers(grades, counts):
        yield errors.labels.outlying_grades(
            path, outliers.values, outliers.count, (outliers.low, outliers.high), "grade"
        )


def _of_run(
    alignment: Alignment, facts: RunFacts, measures: Sequence[Measure], settings: Sequence[Settings]
) -> Iterator[Finding]:
    """What is surprising about one run: its file, and the queries that only it, or only the judgments, have."""
    yield from alignment.warnings
    judged = len(alignment.judgments.queries)
    yield from queries_of_one_side(
        alignment.run, facts.silent or (), alignment.unknown, judged, alike(measures, _averaged_over(settings))
    )


def _averaged_over(settings: Iterable[Settings]) -> list[AverageOver]:
    return [chosen.average_over for chosen in settings]


def queries_of_one_side(
    run: str, silent: Sequence[str], unknown: Sequence[str], judged: int, averaged_over: Mapping[str, str]
) -> Iterator[Finding]:
    """The queries that only a run, or only the judgments, have."""
    if silent:
        yield errors.coverage.silent_queries(run, silent, judged, averaged_over)
    if unknown:
        yield errors.coverage.unknown_queries(run, unknown, silent)


MOST_JUDGED = 0.75
"""Where more of the first ten documents are judged, or more relevant documents found, ids are taken to be right."""
SAMPLED_QUERIES = 20
SAMPLED_DOCUMENTS = 2000
"""How much of a run is read again to find out why few of its documents are judged."""


def _other_document_ids(run: Run, alignment: Alignment) -> Iterator[Finding]:
    """Ids of documents that match judged ones in another spelling, where suspiciously few are judged."""
    judgments, (relevant, grades) = alignment.judgments, (alignment.grades >= 1, alignment.judgments.grades)
    shown = int(np.minimum(alignment.retrieved, 10).sum())
    judged = int(np.count_nonzero(alignment.ranks <= 10))
    if few_are_judged(judged, shown, int(np.count_nonzero(relevant)), int(np.count_nonzero(grades >= 1))):
        sampled = _sampled_documents(run, judgments, set(alignment.unknown))
        yield from errors.coverage.other_document_ids(alignment.run, sampled, " of the first queries")


def few_are_judged(judged: int, shown: int, found: int, relevant: int) -> bool:
    """Whether so few of the first documents are judged, and of the relevant ones found, that ids may not match."""
    return judged < MOST_JUDGED * shown and found < MOST_JUDGED * relevant


def _sampled_documents(
    run: Run, judgments: Judgments, unknown: Collection[str]
) -> Iterator[tuple[Collection[str], Collection[str]]]:
    """Judged and retrieved documents of the first judged queries of a run."""
    queries = documents = 0
    for ranking in run.rankings(errors.Findings()):
        # Of few queries, and usually the first: to make all of a million known would take longer. Some may have been
        # left out before, and are not unknown.
        if ranking.query not in unknown and ranking.query in judgments.queries:
            yield judgments.documents_at(judgments.queries.index(ranking.query)), ranking.documents
            queries, documents = queries + 1, documents + len(ranking.documents)
        if queries >= SAMPLED_QUERIES or documents >= SAMPLED_DOCUMENTS:
            return


def _names(judgments: Judgments, chosen: Bools) -> tuple[str, ...]:
    return tuple(judgments.queries[at] for at in np.flatnonzero(chosen)) if chosen.any() else ()
