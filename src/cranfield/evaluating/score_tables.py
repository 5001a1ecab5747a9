"""Scores as tables: a row per run for people, a row per number for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.choices import BoundsKind, PaperOrder
from cranfield.errors import Finding
from cranfield.evaluating import aggregate
from cranfield.evaluating.aggregate import Mean, Summary
from cranfield.evaluating.scores import Provenance, Scores
from cranfield.evaluating.settings import Settings, source_of
from cranfield.measures import Measure
from cranfield.phrases import alike, counted
from cranfield.show.answer import Answer
from cranfield.show.digits import Digits, percent_note
from cranfield.show.measures import canonical_column, legend
from cranfield.show.table import PLACES, Cell, Table, stacked

if TYPE_CHECKING:
    from cranfield.evaluating.bounds import TieBounds, UnjudgedBounds
    from cranfield.evaluating.worst_queries import WorstQueries
    from cranfield.show.paper import PaperTable

    Bounds = Mapping[str, TieBounds | UnjudgedBounds]
    """Of each run, how far its scores could move."""

Row = dict[str, Cell]

CAPTIONS: Mapping[BoundsKind, str] = {
    "ties": "over all orders of tied documents",
    "unjudged": "if every unjudged document is irrelevant, and if each has the best grade",
}


def summary(scores: Scores, digits: Digits | None = None) -> Summary:
    """Means with intervals and coverage."""
    means = {run: {measure: scores.mean(measure, run) for measure in scores.measures} for run in scores.runs}
    counted = {run: scores.counted[:, at].sum(axis=1).tolist() for at, run in enumerate(scores.runs)}
    answered = {run: coverage(scores, at) for at, run in enumerate(scores.runs)}
    return summary_of(
        Evaluated(len(scores.queries), scores.measures, scores.provenance, means, counted, answered),
        scores.warnings,
        digits,
    )


@dataclass(frozen=True)
class Evaluated:
    """What means are means of."""

    judged: int
    """How many queries are judged."""
    measures: tuple[Measure, ...]
    provenance: Provenance
    means: dict[str, dict[Measure, Mean]]
    counted: Mapping[str, Sequence[int]]
    """Of each run and measure: the queries that the mean is over, whether or not their score is defined."""
    coverage: dict[str, str]

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(self.means)

    @property
    def settings(self) -> Settings:
        """Those of the first measure."""
        return self.provenance.settings[0]


def summary_of(evaluated: Evaluated, warnings: tuple[Finding, ...], digits: Digits | None = None) -> Summary:
    """Means with all there is to say about them."""
    shown = digits or Digits()
    return Summary(
        means=evaluated.means,
        coverage=evaluated.coverage,
        notes=(*_notes(evaluated), *percent_note(shown, evaluated.measures), *legend(evaluated.measures)),
        warnings=warnings,
        digits=shown,
    )


def paper_table(
    scores: Scores,
    places: int,
    digits: Digits,
    *,
    caption: str | None = None,
    label: str | None = None,
    order: PaperOrder = "mean",
) -> PaperTable:
    """Means of every run under every measure as papers have them, by the mean of the first measure."""
    from cranfield.show.paper import PaperCell, PaperTable, as_sentence, paper_caption, places_by_number

    first, runs = scores.measures[0], list(scores.runs)
    if order == "mean":
        sign = 1 if first.definition.lower_is_better else -1
        means = {run: scores.mean(first, run).value for run in runs}
        runs.sort(key=lambda run: math.inf if math.isnan(means[run]) else sign * means[run])
    columns = {}
    for measure in scores.measures:
        values = [measure.cell(scores.mean(measure, run).value) for run in runs]
        numbers = [str(value) if isinstance(value, int) else digits.text(measure, value, places) for value in values]
        is_sum = measure.definition.mean == "sum"  # more retrieved documents are no better
        ranked = places_by_number([] if is_sum else numbers, lower_is_better=measure.definition.lower_is_better)
        ranked = ranked or [0] * len(numbers)
        columns[str(measure)] = [PaperCell(number, place) for number, place in zip(numbers, ranked, strict=True)]
    about = as_sentence(caption or averaged(scores.settings, len(scores.queries)))
    sentences = [*caption_notes(scores.settings), *paper_caption(scores.measures, len(runs), digits)]
    return PaperTable(tuple(runs), columns, " ".join([about, *sentences]), label or "tab:results")


def coverage(scores: Scores, at: int) -> str:
    """Judged queries that a run returned documents for, of those there are."""
    silent = scores.provenance.runs[at].silent
    if silent is None:
        return "–"
    counted = len(set(silent).intersection(scores.queries)) if silent else 0
    return f"{len(scores.queries) - counted}/{len(scores.queries)}"


def per_query(scores: Scores, measures: Sequence[Measure], digits: Digits | None = None) -> Table:
    """A row per query and run with its scores."""
    shown = digits or Digits()
    counted = {measure: scores.counted[scores.position(measure)] for measure in measures}
    places = list(zip(*np.nonzero(np.any(list(counted.values()), axis=0)), strict=True))
    return Table(
        {
            "run": [scores.runs[at] for at, _ in places],
            "query": [scores.queries[query] for _, query in places],
            **{
                str(measure): [
                    shown.cell(measure, measure.cell(float(scores[measure][at, query])))
                    if counted[measure][at, query]
                    else None
                    for at, query in places
                ]
                for measure in measures
            },
        }
    )


@dataclass(frozen=True, eq=False)
class Evaluation(Answer):
    """Scores as `cranfield evaluate` shows them: means and, where asked for, queries and how far means could move."""

    scores: Scores
    with_queries: bool = False
    """Whether the scores of every query are shown."""
    bounds: tuple[BoundsKind, ...] = ()
    """Whether it is shown how far ties, or unjudged documents, could move each mean."""
    with_worst: WorstQueries | None = None
    """The queries with the lowest scores, to be shown too."""
    digits: Digits = field(default_factory=Digits)
    """The decimals of measures, and whether scores are shown in percent."""
    paper: Mapping[str, Any] = field(default_factory=dict)
    """What `paper_table` is called with where the scores are shown as LaTeX."""
    with_warnings: bool = True

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Everything surprising about the data."""
        return self.scores.warnings if self.with_warnings else ()

    def quiet(self) -> Evaluation:
        """The same without warnings."""
        return replace(self, with_warnings=False)

    def verdict(self) -> str:
        """How many queries fail in every run, if that is asked for."""
        return "" if self.with_worst is None else self.with_worst.verdict()

    def tables(self) -> list[Table]:
        """Queries if asked for, means, how far ties and unjudged documents could move them, and the worst queries."""
        return [part for part in self.sections() if isinstance(part, Table)]

    def sections(self) -> list[str | Table]:
        """The tables, what there is to say of the worst queries above theirs, and warnings."""
        worst = [] if self.with_worst is None else [self.with_worst.table()]
        means = summary(self.scores, self.digits).table()
        return [*self._queries(), means, *self._bounds(), *self.sentences(), *worst, *self.warning_lines()]

    def _queries(self) -> list[Table]:
        return [per_query(self.scores, self.scores.measures, self.digits)] if self.with_queries else []

    def _bounds(self) -> list[Table]:
        return [bounds_table(self.scores, kind, self.digits) for kind in self.bounds]

    def latex(self, places: int = PLACES) -> str:
        """The means as papers have them, and tables of whatever else was asked for; needs the package booktabs."""
        paper = paper_table(self.scores, places, self.digits, **self.paper)
        worst = [] if self.with_worst is None else [self.with_worst.table()]
        before, after = (
            [table.latex(places) for table in tables] for tables in (self._queries(), self._bounds() + worst)
        )
        return "\n".join([*before, paper.latex(), *after])

    def rows(self) -> Table:
        """A row per run, measure and query, means under `all`; with worst queries, `kind` says which row is what."""
        scores = self._score_rows()
        return scores if self.with_worst is None else stacked({"score": scores, "worst": self.with_worst.rows()})

    def _score_rows(self) -> Table:
        bounds = {str(kind): bounds_of(self.scores, kind) for kind in self.bounds}
        rows: list[Row] = []
        for at in range(len(self.scores.runs)):
            for row in range(len(self.scores.measures)):
                if self.with_queries:
                    rows += self._shown(row, _query_rows(self.scores, at, row, bounds))
                rows += self._shown(row, [_mean_row(self.scores, at, row, bounds)])
        columns = {name: [line.get(name) for line in rows] for name in rows[-1]}
        return Table({**columns, **canonical_column(columns["measure"], self.scores.measures)})

    def _shown(self, row: int, rows: list[Row]) -> list[Row]:
        """Rows of one measure with its own decimals."""
        measure = self.scores.measures[row]
        return [
            {name: self.digits.cell(measure, cell) if isinstance(cell, float) else cell for name, cell in line.items()}
            for line in rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield evaluate --format json` prints."""
        plain = self.scores.to_dict(
            per_query=self.with_queries, ties="ties" in self.bounds, unjudged="unjudged" in self.bounds
        )
        worst = {} if self.with_worst is None else {"worst": self.with_worst.to_dict()}
        return plain | {"warnings": [str(warning) for warning in self.warnings]} | worst


def bounds_table(scores: Scores, kind: BoundsKind, digits: Digits | None = None) -> Table:
    """A row per run and measure: its mean, and the smallest and largest it could be."""
    bounds, shown = bounds_of(scores, kind), digits or Digits()
    rows: list[Row] = []
    for at, run in enumerate(scores.runs):
        for row, measure in enumerate(scores.measures):
            mean = shown.cell(measure, scores.mean(measure, run).value)
            known: Row = {"run": run, "measure": str(measure), "mean": mean}
            could_be = mean_bounds(scores, at, row, bounds[run])
            rows.append({**known, **{name: _or_dash(shown.cell(measure, value)) for name, value in could_be.items()}})
    return Table(
        {name: [line[name] for line in rows] for name in rows[0]},
        notes=(f"Smallest and largest {CAPTIONS[kind]}; – where no such bound is known.",),
    )


def bounds_of(scores: Scores, kind: BoundsKind) -> Bounds:
    """How far ties, or unjudged documents, could move each query's score."""
    return scores.tie_bounds() if kind == "ties" else scores.unjudged_bounds()


def _mean_row(scores: Scores, at: int, row: int, bounds: Mapping[str, Bounds]) -> Row:
    run, measure = scores.runs[at], scores.measures[row]
    mean = scores.mean(measure, run)
    return {
        "run": run,
        "measure": str(measure),
        "query": "all",
        "value": measure.cell(mean.value),
        "low": mean.low,
        "high": mean.high,
        "queries": coverage(scores, at),
        **{
            f"{kind} {name}": value
            for kind, by_run in bounds.items()
            for name, value in mean_bounds(scores, at, row, by_run[run]).items()
        },
    }


def _query_rows(scores: Scores, at: int, row: int, bounds: Mapping[str, Bounds]) -> list[Row]:
    run, measure = scores.runs[at], scores.measures[row]
    return [
        {
            "run": run,
            "measure": str(measure),
            "query": scores.queries[query],
            "value": measure.cell(float(scores.values[row, at, query])),
            **{
                f"{kind} {name}": float(values[row, query])
                for kind, by_run in bounds.items()
                for name, values in by_run[run].named.items()
            },
        }
        for query in scores.counted[row, at].nonzero()[0].tolist()
    ]


def _or_dash(value: float) -> Cell:
    return "–" if math.isnan(value) else value


def mean_bounds(scores: Scores, at: int, row: int, bounds: TieBounds | UnjudgedBounds) -> dict[str, float]:
    """Means of per-query bounds for one run and measure; NaN where a query's bound is not known."""
    counted = scores.counted[row, at]
    unknown = bounds.unknown[row][counted].any()
    return {
        name: math.nan
        if unknown and name != "expected"
        else aggregate.mean(scores.measures[row], values[row][counted], scores.undefined[row]).value
        for name, values in bounds.named.items()
    }


def averaged(settings: Settings, judged: int) -> str:
    """What means are means of, in words."""
    all_judged = f"all {judged:,} judged queries" if judged > 1 else "the one judged query"
    over = all_judged if settings.average_over == "judged" else "the judged queries each run answered"
    over += " that have a relevant document" if settings.without_relevant == "drop" else ""
    return f"Means over {over}{ranking_words(settings)}"


def ranking_words(settings: Settings) -> str:
    """What of each ranking is scored, and how, after other words; empty where it is all of it as it is."""
    depth = f", of the first {settings.depth:,} documents" if settings.depth else ""
    condensed = ", without unjudged documents" if settings.judged_only else ""
    grade = settings.unjudged_grade
    graded = "" if grade is None else f", unjudged documents with grade {grade:g}"
    orders = ", over all orders of equal scores" if settings.ties == "average" else ""
    return f"{depth}{condensed}{graded}{orders}"


def _notes(evaluated: Evaluated) -> Iterator[str]:
    """What the means are means of."""
    interval = ", each with its 95% interval" if evaluated.judged > 1 else ""
    means = [averaged(settings, evaluated.judged) + interval for settings in evaluated.provenance.settings]
    for words, of in alike(evaluated.measures, means).items():
        yield f"{words} ({of})." if of else f"{words}."
    yield from data_notes(evaluated)
    for row, measure in enumerate(evaluated.measures):
        left_out = {
            run: evaluated.counted[run][row] - of_run[measure].queries for run, of_run in evaluated.means.items()
        }
        if any(left_out.values()):
            counts = ", ".join(f"{run} {count}" for run, count in left_out.items() if count)
            yield f"{measure} leaves out queries for which it is undefined: {counts}."


def data_notes(scores: Scores | Evaluated) -> Iterator[str]:
    """What was evaluated, where it is not simply what the files have."""
    yield from _grouping_note(scores)
    yield from _selection_note(scores.settings)
    yield from _only_relevant_note(scores)


def caption_notes(settings: Settings) -> Iterator[str]:
    """The same as a caption has it: which documents and queries count."""
    if settings.group_by is not None:
        yield "Chunks count as their documents."
    if settings.alternatives is not None:
        yield "Alternatives count once."
    yield from _selection_note(settings)


def _selection_note(settings: Settings) -> Iterator[str]:
    if (label := settings.only_queries) is not None:
        yield f"Only the queries of {source_of(label) or 'the list'} are evaluated."


def _grouping_note(scores: Scores | Evaluated) -> Iterator[str]:
    """How many chunks became how many documents."""
    settings, facts = scores.settings, scores.provenance
    label = settings.group_by or settings.alternatives
    if label is None:
        return
    source = source_of(label) or "mapping"
    what, part, whole = f"Chunks count as their documents ({source})", "chunk", "document"
    if settings.group_by is None:
        what, part, whole = f"Alternatives count once ({source})", "document", "document that counts"
    counts = [("judgments", facts.judgments.chunks, facts.judgments.judgments)]
    counts += [
        (run, known.chunks, known.unjudged and known.unjudged.retrieved)
        for run, known in zip(scores.runs, facts.runs, strict=True)
    ]
    parts = [
        f"{name} {counted(before, part)}, {counted(after, whole)}"
        for name, before, after in counts
        if before is not None and after is not None
    ]
    more = f"; and {counted(len(parts) - MOST_RUNS, 'more run')}" if len(parts) > MOST_RUNS else ""
    yield f"{what}: {'; '.join(parts[:MOST_RUNS])}{more}." if parts else f"{what}."


MOST_RUNS = 6
"""So many counts of chunks are shown, those of the judgments among them."""


def _only_relevant_note(scores: Scores | Evaluated) -> Iterator[str]:
    """What unjudged documents count as, where only relevant ones were listed and runs returned others."""
    facts = scores.provenance
    is_unjudged = any(run.unjudged is None or run.unjudged.documents for run in facts.runs)
    if facts.judgments.only_relevant and is_unjudged and scores.settings.unjudged_grade is None:
        yield "The judgments list only relevant documents; unjudged documents count as not relevant."
