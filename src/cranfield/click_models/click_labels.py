"""From a click log to judgments: relevance with its uncertainty, grades, and how far they agree with people's."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

import numpy as np

from cranfield import errors
from cranfield.arguments import require_choice, require_whole
from cranfield.arrays import Bools, Floats, Ints
from cranfield.choices import ClickInterval, GradeMapping, ModelCriterion
from cranfield.click_models import MODELS
from cranfield.click_models.agreement import LabelAgreement, agreement
from cranfield.click_models.grading import SHARES, Grading, by_quantile, by_threshold, calibrated, cross_validated
from cranfield.click_models.held_out import (
    ModelComparison,
    clicked_log,
    compare_click_models,
    describe,
    model_of,
    require_sessions,
)
from cranfield.click_models.model import ClickModel, Fitting
from cranfield.data.click_log import ClickLog, QueryDocumentPairs
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, Finding, UsageError
from cranfield.file_endings import JUDGMENTS
from cranfield.formats import read_judgments
from cranfield.formats.writing import write_judgments
from cranfield.phrases import counted, percent
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

BEST = "best"
LEAST = 10
"""Impressions below which a document is left out unless anything else is said."""
SAMPLES = 200
"""Bootstrap samples of sessions."""
FEWEST_JUDGED = 10
LEVEL = 0.95


class GradeCounts(NamedTuple):
    """Documents that have a grade."""

    grade: float
    documents: int
    least: float | None
    """The lowest of their estimates."""
    most: float | None
    impressions: int
    clicks: int


class LabelledCounts(NamedTuple):
    """How many documents are labelled, and how."""

    grades: Sequence[GradeCounts]
    """The best grade first."""
    queries: int
    left_out: int
    """Documents that were shown too rarely."""
    sure: int
    """Labelled documents whose interval stays within one grade."""

    @property
    def labelled(self) -> int:
        """Documents that have a grade."""
        return sum(of_grade.documents for of_grade in self.grades)

    @property
    def words(self) -> str:
        """How many there are."""
        return f"{counted(self.labelled, 'document')} of {counted(self.queries, 'query')}"


class GradedClicks(Answer):
    """What clicks say of documents, wherever the labels are."""

    model: ClickModel
    comparison: ModelComparison | None
    grading: Grading
    agreement: LabelAgreement | None
    settings: Mapping[str, Any]

    @abstractmethod
    def counts(self) -> LabelledCounts:
        """How many documents have each grade."""

    def table(self) -> Table:
        """A row per grade."""
        rows = [(_whole(of_grade.grade), *of_grade[1:]) for of_grade in self.counts().grades]
        names = ("grade", "documents", "estimate from", "to", "impressions", "clicks")
        return Table(
            {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)},
            notes=self.notes(),
        )

    def verdict(self) -> str:
        """Which model was chosen, what it labels, and how far its grades agree with people's."""
        chosen = [self.comparison.verdict()] if self.comparison else []
        least, counts = self.settings["min_impressions"], self.counts()
        out = counts.left_out
        labelled = (
            f"{self.model.name} labels {counts.words}; {out:,} {'was' if out == 1 else 'were'} shown less than "
            f"{least:,} times and {'is' if out == 1 else 'are'} left out."
            if out
            else f"{self.model.name} labels {'all ' * (counts.labelled > 1)}{counts.words}."
        )
        sure = (
            f"For {percent(counts.sure / counts.labelled)} of documents the 95% interval stays within one grade; the "
            "rest could change grade with other users."
        )
        agreed = [self.agreement.verdict()] if self.agreement else []
        return " ".join([*chosen, labelled, sure, *agreed])

    def notes(self) -> tuple[str, ...]:
        """How the numbers came about."""
        intervals = {
            "beta": "Beta posterior (Jeffreys prior) on the effective number of examinations, other parameters fixed",
            "bootstrap": f"{self.settings.get('samples')} bootstrap samples of sessions, and a Beta posterior "
            "(Jeffreys prior) where a document has no clicks",
        }[self.settings["interval"]]
        return (
            f"Estimates are {self.model.relevance_is} ({self.model.cite}). Intervals: {intervals}.",
            f"Grades are given {self.grading.words()}.",
        )

    def parameters(self) -> Table:
        """What the model has learnt, apart from documents."""
        rows = [row for name, parameter in self.model.parameters.items() for row in _rows(name, *parameter[:2])]
        names = ("parameter", "rank", "last click", "value")
        columns = zip(*rows, strict=True) if rows else [()] * len(names)
        kept = {name: list(column) for name, column in zip(names, columns, strict=True)}
        return Table({name: cells for name, cells in kept.items() if name == "value" or any(cells)})

    def learnt(self) -> dict[str, Any]:
        """The model and its parameters, apart from documents, as plain values."""
        return {
            "name": self.model.name,
            "cite": self.model.cite,
            "relevance_is": self.model.relevance_is,
            "rounds": self.model.rounds,
            "converged": self.model.converged,
            "parameters": {
                name: parameter.values.tolist()
                for name, parameter in self.model.parameters.items()
                if parameter.by != "document"
            },
        }


@dataclass(frozen=True, eq=False)
class ClickLabels(GradedClicks):
    """Graded documents, made from clicks. Printing it shows how they came about.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> labels = cf.clicks(demo.path("clicks.csv"), "PBM")
    >>> labels
    ClickLabels(PBM; 434 documents of 44 queries, grades 0 to 3; 253 left out)
    >>> labels.judgments
    Judgments(44 queries, 434 judgments, grades 0 to 3)
    """

    model: ClickModel
    comparison: ModelComparison | None
    pairs: QueryDocumentPairs
    chosen: Ints
    """The pairs that are labelled, those of one query side by side."""
    estimate: Floats
    """Relevance as the model has it, of every pair, and so on."""
    low: Floats
    high: Floats
    impressions: Ints
    clicks: Ints
    grading: Grading
    agreement: LabelAgreement | None
    settings: Mapping[str, Any]
    log: str
    """What the labels were made from, in words."""
    warnings: tuple[Finding, ...] = ()
    with_labels: bool = False
    """Whether tables show every label; rows always have all."""
    with_left_out: bool = False
    """Whether documents that were shown too rarely are listed."""
    with_parameters: bool = False
    """Whether the parameters of the model are shown."""

    @property
    def grades(self) -> Floats:
        """The grade of each labelled pair."""
        return self.grading.grade(self.estimate[self.chosen])

    @property
    def left_out(self) -> Ints:
        """Pairs that were shown too rarely to be labelled."""
        return np.setdiff1d(np.arange(len(self.pairs)), self.chosen)

    @property
    def judgments(self) -> Judgments:
        """The grades as judgments, for `evaluate` and everything else."""
        query = self.pairs.query[self.chosen]
        codes, starts = np.unique(query, return_index=True)
        return Judgments(
            tuple(self.pairs.queries[code] for code in codes.tolist()),
            np.append(starts, len(query)).astype(np.int64),
            tuple(self.pairs.documents[code] for code in self.pairs.document[self.chosen].tolist()),
            self.grades,
        )

    def labels(self) -> Table:
        """A row per labelled document, the most relevant of each query first."""
        order = np.lexsort((-self.estimate[self.chosen], self.pairs.query[self.chosen]))
        rows = self.chosen[order]
        return Table(
            {
                **self._ids(rows),
                "grade": [_whole(grade) for grade in self.grades[order]],
                "estimate": [
                    Estimate(*values)
                    for values in zip(
                        self.estimate[rows].tolist(), self.low[rows].tolist(), self.high[rows].tolist(), strict=True
                    )
                ],
                "impressions": self.impressions[rows].tolist(),
                "clicks": self.clicks[rows].tolist(),
            }
        )

    def left_out_table(self) -> Table:
        """A row per document that was shown too rarely to be labelled."""
        rows = self.left_out
        return Table(
            {
                **self._ids(rows),
                "impressions": self.impressions[rows].tolist(),
                "clicks": self.clicks[rows].tolist(),
            }
        )

    def counts(self) -> LabelledCounts:
        """How many documents have each grade."""
        grades, estimates = self.grades, self.estimate[self.chosen]
        impressions, clicks = self.impressions[self.chosen], self.clicks[self.chosen]
        rows = []
        for grade in sorted(self.grading.grades, reverse=True):
            own = grades == grade
            values = estimates[own]
            rows.append(
                GradeCounts(
                    grade,
                    int(own.sum()),
                    float(values.min()) if len(values) else None,
                    float(values.max()) if len(values) else None,
                    int(impressions[own].sum()),
                    int(clicks[own].sum()),
                )
            )
        low, high = (self.grading.grade(values[self.chosen]) for values in (self.low, self.high))
        queries = len(np.unique(self.pairs.query[self.chosen]))
        return LabelledCounts(rows, queries, len(self.left_out), int((low == high).sum()))

    def tables(self) -> list[Table]:
        """Which model, which grades, how far they agree; and whatever else was asked for."""
        return [
            *([self.comparison.table()] if self.comparison is not None else []),
            self.table(),
            *([self.agreement.table()] if self.agreement is not None else []),
            *([self.labels()] if self.with_labels else []),
            *([self.left_out_table()] if self.with_left_out else []),
            *([self.parameters()] if self.with_parameters else []),
        ]

    def rows(self) -> Table:
        """A row per label; with left-out documents or parameters, a column `part` tells what each row is."""
        parts = {
            "label": self.labels(),
            **({"left out": self.left_out_table()} if self.with_left_out else {}),
            **({"parameter": self.parameters()} if self.with_parameters else {}),
        }
        return _stacked(parts) if len(parts) > 1 else parts["label"]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield clicks --format json` prints."""
        names = {"estimate low": "low", "estimate high": "high"}
        labels = [
            {names.get(name, name): value for name, value in record.items()} for record in _records(self.labels())
        ]
        return {
            "cranfield": VERSION,
            "settings": dict(self.settings),
            "log": self.log,
            "verdict": self.verdict(),
            "notes": list(self.notes()),
            "warnings": [str(warning) for warning in self.warnings],
            "model": self.learnt(),
            "grading": self.grading.to_dict(),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "agreement": None if self.agreement is None else self.agreement.to_dict(),
            "labelled": len(self.chosen),
            "left_out": len(self.left_out),
            "labels": labels,
            **({"left_out_documents": _records(self.left_out_table())} if self.with_left_out else {}),
            **({"parameters": _records(self.parameters())} if self.with_parameters else {}),
        }

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write judgments that `evaluate` reads: TREC, CSV, TSV or JSONL, by the name of the file.

        What they were made from, by which model and rule, stands in comments of a TREC file, and in columns of the
        others, with estimate, interval, impressions and clicks.
        """
        if format is not None:
            require_choice(format, "format", JUDGMENTS)
        write_judgments(path, self.judgments, self.comments(), self._with_origin(), format)

    def comments(self) -> list[str]:
        """What a file of these judgments says of itself."""
        return [f"cranfield {VERSION} clicks: {self.log}", *self._made(), *self._parameters_in_words()]

    def _with_origin(self) -> Table:
        """Every label with the model and the rule that it comes from."""
        model, rule = self._made()
        plain = self.labels().to_dict()
        names = {"estimate low": "low", "estimate high": "high"}
        columns: dict[str, list[Cell]] = {names.get(name, name): list(cells) for name, cells in plain.items()}
        count = len(columns["query"])
        return Table({**columns, "model": [model] * count, "rule": [rule] * count})

    def _made(self) -> tuple[str, str]:
        least = self.settings["min_impressions"]
        return (
            f"{self.model.name}, {self.model.relevance_is}, at least {least} impressions",
            f"grades {self.grading.words()}",
        )

    def _parameters_in_words(self) -> Iterator[str]:
        for name, parameter in self.model.parameters.items():
            if parameter.by in ("rank", "all"):
                values = " ".join(f"{value:z.4f}" for value in parameter.values.tolist())
                yield f"{name}{' by rank' if parameter.by == 'rank' else ''}: {values}"

    def _ids(self, rows: Ints) -> dict[str, list[str]]:
        return {
            "query": [self.pairs.queries[code] for code in self.pairs.query[rows].tolist()],
            "document": [self.pairs.documents[code] for code in self.pairs.document[rows].tolist()],
        }

    def __repr__(self) -> str:
        grades = self.grades
        return (
            f"ClickLabels({self.model.name}; {self.counts().words}, grades {grades.min():g} to {grades.max():g}; "
            f"{len(self.left_out):,} left out)"
        )


def clicks(
    log: object,
    model: str | Sequence[str] = BEST,
    *,
    judgments: object = None,
    mapping: GradeMapping | None = None,
    shares: Sequence[float] = SHARES,
    thresholds: Sequence[float] | None = None,
    min_impressions: int = LEAST,
    interval: ClickInterval = "beta",
    samples: int = SAMPLES,
    fitting: Fitting | None = None,
    held_out: float | None = None,
    by: ModelCriterion = "log-likelihood",
    seed: int = 0,
) -> ClickLabels:
    """Graded judgments from a click log, given as to `read_clicks`.

    `model` is the name of a click model, or `best`: the one that predicts clicks of sessions it has not seen best, of
    those that tell documents apart, or of several that are named. Its estimate of each document's relevance, with an
    interval, becomes a grade by `mapping`: `quantile`, so that grades have the given `shares` of the documents;
    `threshold`, from the estimates given as `thresholds` on; or `calibrated`, as people graded, which is what happens
    where `judgments` are given.
    Documents that were shown for a query less than `min_impressions` times are left out rather than judged 0.

    Intervals are of a Beta posterior, or with `bootstrap` over samples of sessions; to each the model is
    fitted again.
    """
    clicked = clicked_log(log)
    require_whole(min_impressions, "min_impressions")
    require_choice(interval, "interval", get_args(ClickInterval))
    how = fitting or Fitting()
    human = None if judgments is None else read_judgments(judgments)
    chosen_mapping = mapping_of(mapping, thresholds, human)
    kind, comparison, warnings = _kind(model, clicked, how, held_out, by, seed)
    fitted = kind.fit(clicked, how)
    evidence = _evidence(fitted, clicked, how, samples if interval == "bootstrap" else None, seed)
    chosen = np.flatnonzero(evidence.impressions >= min_impressions)
    if not len(chosen):
        raise DataError([errors.clicks.nothing_left(clicked.path, min_impressions, int(evidence.impressions.max()))])
    grading, agreed = _graded(
        chosen_mapping,
        evidence.estimate[chosen],
        shares,
        thresholds,
        _judged(clicked.pairs, chosen, human),
        clicked.pairs.query[chosen],
        seed,
    )
    settings = {
        "model": kind.name,
        "mapping": chosen_mapping,
        "min_impressions": min_impressions,
        "interval": interval,
        **({"samples": samples} if interval == "bootstrap" else {}),
        "seed": seed,
        **describe(how),
    }
    return ClickLabels(
        fitted,
        comparison,
        clicked.pairs,
        chosen,
        *evidence,
        grading,
        agreed,
        settings,
        log_in_words(len(clicked), int(clicked.clicked.sum()), clicked.path),
        (*clicked.warnings, *warnings, *_doubts(fitted, clicked)),
    )


class _Evidence(NamedTuple):
    """What a model and a log say of every pair of query and document."""

    estimate: Floats
    low: Floats
    high: Floats
    impressions: Ints
    clicks: Ints


def _evidence(fitted: ClickModel, log: ClickLog, fitting: Fitting, samples: int | None, seed: int) -> _Evidence:
    """Estimates with intervals of a Beta posterior, or over samples of sessions."""
    estimate, worth = fitted.relevance()
    code = log.pairs.of(log)
    shown = np.bincount(code, minlength=len(log.pairs))
    clicked = np.bincount(code, log.clicked, len(log.pairs)).astype(np.int64)
    low, high = beta_interval(estimate, worth, clicked)
    if samples is not None:
        # No sample has a click on what was never clicked, so samples do not tell how often it might be.
        ends = zip(_bootstrap(type(fitted), log, fitting, samples, seed), (low, high), strict=True)
        low, high = (np.where(clicked > 0, drawn, beta) for drawn, beta in ends)
    return _Evidence(estimate, low, high, shown, clicked)


def _doubts(fitted: ClickModel, log: ClickLog) -> Iterator[Finding]:
    if len(log) < LEAST:
        yield errors.clicks.few_impressions(log.path, len(log))
    if not fitted.converged:
        yield errors.clicks.model_not_converged(fitted.name, fitted.rounds)


def log_in_words(impressions: int, clicks: int, path: str | None) -> str:
    """What labels are made from."""
    counts = f"{counted(impressions, 'impression')}, {counted(clicks, 'click')}"
    return f"{counts}, {path}" if path else counts


def _kind(
    model: str | Sequence[str], log: ClickLog, fitting: Fitting, held_out: float | None, by: ModelCriterion, seed: int
) -> tuple[type[ClickModel], ModelComparison | None, list[Finding]]:
    """The model that labels, how it was chosen, and what is to be said about that."""
    asked = [model] if isinstance(model, str) or not isinstance(model, Sequence) else model
    names = list(dict.fromkeys(BEST if str(each).casefold() == BEST else model_of(each).name for each in asked))
    name = names[0] if len(names) == 1 else BEST
    comparison, warnings = None, list[Finding]()
    if name == BEST:
        named = None if BEST in names else names
        compared = compare_click_models(log, named, fitting=fitting, held_out=held_out, by=by, seed=seed)
        comparison = replace(compared, warnings=())  # those of the log are reported once
        name, warnings = _best(comparison)
    kind = model_of(name)
    if not kind.says_relevance:
        raise errors.clicks.no_relevance(kind.name, [name for name, other in MODELS.items() if other.says_relevance])
    require_sessions([kind], log)
    return kind, comparison, warnings


def _best(comparison: ModelComparison) -> tuple[str, list[Finding]]:
    """The best model that tells documents apart, and what to say if another is better."""
    able = [score.name for score in comparison.models if MODELS[score.name].says_relevance]
    if not able:
        raise errors.clicks.no_relevance(
            comparison.best, [name for name, model in MODELS.items() if model.says_relevance]
        )
    if comparison.best in able:
        return able[0], []
    return able[0], [errors.clicks.rank_alone(comparison.best, able[0])]


def mapping_of(
    mapping: GradeMapping | None, thresholds: Sequence[float] | None, human: Judgments | None
) -> GradeMapping:
    """How estimates become grades, by what was given."""
    if mapping is None:
        return "threshold" if thresholds is not None else "quantile" if human is None else "calibrated"
    require_choice(mapping, "mapping", get_args(GradeMapping))
    if mapping == "calibrated" and human is None:
        raise UsageError("The mapping calibrated needs judgments: --judgments qrels.txt (in Python: judgments=).")
    if mapping == "threshold" and thresholds is None:
        raise UsageError("The mapping threshold needs thresholds: --thresholds 0.2,0.5 (in Python: thresholds=).")
    return mapping


def _judged(pairs: QueryDocumentPairs, chosen: Ints, human: Judgments | None) -> tuple[Bools, Floats]:
    """Which of the labelled pairs people have judged, and their grades there."""
    grades = np.full(len(chosen), np.nan)
    if human is not None:
        for at, (query, document) in enumerate(
            zip(pairs.query[chosen].tolist(), pairs.document[chosen].tolist(), strict=True)
        ):
            row = human.rows_of(pairs.queries[query]).get(pairs.documents[document])
            if row is not None and human.grades[row] >= 0:  # negative means pooled, but not judged
                grades[at] = human.grades[row]
    known = ~np.isnan(grades)
    if human is not None and (known.sum() < FEWEST_JUDGED or len(np.unique(pairs.query[chosen][known])) < 2):
        raise DataError([errors.clicks.few_judged(int(known.sum()))])
    return known, grades


def _graded(
    mapping: GradeMapping,
    estimates: Floats,
    shares: Sequence[float],
    thresholds: Sequence[float] | None,
    people: tuple[Bools, Floats],
    query: Ints,
    seed: int,
) -> tuple[Grading, LabelAgreement | None]:
    """The rule, and how far what it gives agrees with people: what they judged, and their grades of it."""
    judged, grades = people
    known, given = estimates[judged], grades[judged]
    if mapping == "calibrated":
        made = cross_validated(known, given, query[judged], seed)
        return calibrated(known, given), agreement(given, made, known, cross_validated=True)
    grading = by_quantile(estimates, shares) if mapping == "quantile" else by_threshold(thresholds or ())
    if not judged.any():
        return grading, None
    return grading, agreement(given, grading.grade(known), known, cross_validated=False)


def beta_interval(estimate: Floats, worth: Floats, clicks: Ints) -> tuple[Floats, Floats]:
    """The middle 95% of a Beta distribution after so many looks, with Jeffreys' half a success and half a failure.

    What was never clicked may never be: there the interval begins at 0 (Brown, Cai & DasGupta, Statistical Science 16,
    2001). The estimate, whose own prior is another one, always lies within.
    """
    from scipy.special import betaincinv

    tail = (1 - LEVEL) / 2
    parameters = estimate * worth + 0.5, (1 - estimate) * worth + 0.5
    low, high = betaincinv(*parameters, tail), betaincinv(*parameters, 1 - tail)
    return np.where(clicks > 0, np.minimum(low, estimate), 0.0), np.maximum(high, estimate)


def _bootstrap(
    kind: type[ClickModel], log: ClickLog, fitting: Fitting, samples: int, seed: int
) -> tuple[Floats, Floats]:
    """The middle 95% of estimates from sessions drawn with replacement."""
    require_whole(samples, "samples", 20)
    rng = np.random.default_rng(seed)
    sessions, member = np.unique(log.session, return_inverse=True)
    block = log.pairs.block(log, in_sessions=kind.needs_sessions)
    drawn = np.empty((samples, len(log.pairs)))
    for number in range(samples):
        times = np.bincount(rng.integers(0, len(sessions), len(sessions)), minlength=len(sessions))
        drawn[number] = kind.fit_block(
            log.pairs, block.weighted(times[member].astype(np.float64)), fitting
        ).relevance()[0]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return low, high


def _rows(name: str, by: str, values: Floats) -> Iterator[tuple[str, str, str, float]]:
    """A parameter that is not of documents, value by value."""
    if by == "all":
        yield name, "", "", float(values[0])
    elif by == "rank":
        for rank, value in enumerate(values.tolist(), 1):
            yield name, str(rank), "", value
    elif by == "rank and last click":
        for rank, of_rank in enumerate(values.tolist(), 1):
            for last, value in enumerate(of_rank[:rank]):
                yield name, str(rank), str(last) if last else "none", value


def _whole(grade: float) -> int | float:
    return int(grade) if float(grade).is_integer() else float(grade)


def _stacked(parts: Mapping[str, Table]) -> Table:
    """Tables below each other, with empty cells where one lacks a column of another."""
    names = list(dict.fromkeys(name for table in parts.values() for name in table.columns))
    columns: dict[str, list[Cell]] = {
        "part": [part for part, table in parts.items() for _ in table.rows],
        **{
            name: [
                cell
                for table in parts.values()
                for cell in table.columns.get(name, [None] * len(next(iter(table.columns.values()))))
            ]
            for name in names
        },
    }
    return Table(columns)


def _records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table as plain values."""
    columns = table.to_dict()
    return [
        {name: finite(value) for name, value in zip(columns, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
