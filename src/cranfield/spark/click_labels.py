"""Click logs in Spark data frames become graded documents, with nothing but a model's few parameters on the driver."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa

from cranfield import errors
from cranfield.arguments import require_whole
from cranfield.arrays import Bools, Floats
from cranfield.choices import GradeMapping
from cranfield.click_models import MODELS, TCM
from cranfield.click_models.agreement import LabelAgreement, agreement
from cranfield.click_models.click_labels import (
    FEWEST_JUDGED,
    LEAST,
    ClickLabels,
    GradeCounts,
    GradedClicks,
    LabelledCounts,
    beta_interval,
    log_in_words,
    mapping_of,
)
from cranfield.click_models.examination import ExaminationModel, LooksAt
from cranfield.click_models.grading import (
    SHARES,
    Grading,
    by_share,
    by_threshold,
    calibrated,
    cross_validated,
    share_ends,
)
from cranfield.click_models.held_out import ModelComparison, describe, model_of
from cranfield.click_models.model import ClickModel, EventCounts, Fitting, Parameter
from cranfield.data.click_log import QueryDocumentPairs
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, Finding, UsageError
from cranfield.formats import read_judgments
from cranfield.formats.clicks import click_roles
from cranfield.formats.ubi import is_ubi
from cranfield.show.table import Table
from cranfield.spark.batches import Batches, Mapper
from cranfield.spark.click_rounds import REPORT, Learnt, RoundReport, attractions_of, maximised_together, stepping
from cranfield.spark.click_tallies import CHUNK, PLACE, Chunk, TallyPlan, packing, tally, tallying, with_prior
from cranfield.spark.evaluation import kept
from cranfield.spark.frames import divided, id_column, is_frame, quoted
from cranfield.spark.gathered_facts import findings_of, other_versions
from cranfield.spark.spark_scores import ddl
from cranfield.version import VERSION

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

IDS = ("impression", "session", "query", "document")
LISTS = ("documents", "clicks")
TAKEN = (*IDS, *LISTS, "position", "clicked")
"""What the columns of a log may be that count here."""
LABELS = pa.schema(
    [
        *((name, pa.string()) for name in ("query", "document")),
        *((name, pa.float64()) for name in ("estimate", "low", "high")),
        *((name, pa.int64()) for name in ("impressions", "clicks")),
        *((name, pa.list_(pa.float64())) for name in ("values", "evidence")),
    ]
)
MOST_FETCHED = 1 << 22
"""Estimates that come to the driver, where grades are given by share."""
BITS = 16
"""By how many binary digits estimates are counted at a time, to find those at some places of their order."""


def clicks(
    log: object,
    model: str,
    *,
    judgments: object = None,
    mapping: GradeMapping | None = None,
    shares: Sequence[float] = SHARES,
    thresholds: Sequence[float] | None = None,
    min_impressions: int = LEAST,
    fitting: Fitting | None = None,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    partitions: int | None = None,
) -> SparkClickLabels:
    """Graded judgments from a click log in a Spark data frame, as `cranfield.clicks` makes them, where the rows are.

    The data frame has a row for each impression (session, query, documents, clicks), or for each result (session,
    query, position, document, clicked) with the position and a session or an impression that it belongs to, since its
    rows have no order. `log` may also be the path of Parquet files. `model` is one of those that need only sums over
    documents and ranks: DCTR, PBM, CM, DCM, SDBN and UBM. All other arguments mean what they mean to
    `cranfield.clicks`. No result depends on `partitions`.

    >>> cranfield.spark.clicks(spark.table("log"), "PBM").judgments()  # doctest: +SKIP
    DataFrame[query: string, document: string, grade: double]
    """
    require_whole(min_impressions, "min_impressions")
    how = fitting or Fitting()
    kind = _kind(model, how)
    human = None if judgments is None else read_judgments(judgments)
    chosen = mapping_of(mapping, thresholds, human)
    if chosen == "quantile":
        share_ends(shares, 1)
    elif chosen == "threshold":
        by_threshold(thresholds or ())
    rows, plan = _read(log, kind, columns, partitions)
    facts = _LogFacts.of(rows, plan)
    learning = _Learning(rows, plan, facts, how, partitions)
    labels = kept(learning.labels())
    frequent = labels.filter(labels["impressions"] >= min_impressions)
    count = frequent.count()
    rows.unpersist()  # what was counted is in the labels now
    if not count:
        most = labels.selectExpr("max(impressions)").collect()[0][0]
        raise DataError([errors.clicks.nothing_left(None, min_impressions, most)])
    grading, agreed = _graded(chosen, frequent, count, shares, thresholds, human, seed)
    settings = {
        "model": kind.name,
        "mapping": chosen,
        "min_impressions": min_impressions,
        "interval": "beta",
        "seed": seed,
        **describe(how),
    }
    warnings = tuple(_warnings(facts, learning.model))
    path = os.fspath(log) if isinstance(log, str | os.PathLike) else None
    words = log_in_words(facts.impressions, facts.clicks, path)
    return SparkClickLabels(learning.model, grading, agreed, settings, words, labels, warnings)


def _kind(model: str, fitting: Fitting) -> type[ClickModel]:
    """The model, if it needs only sums."""
    kind = model_of(model)
    if not kind.says_relevance:
        raise errors.clicks.no_relevance(kind.name, [name for name, other in MODELS.items() if _sums_suffice(other)])
    if not _sums_suffice(kind):
        raise errors.spark.model_needs_impressions(
            kind.name, [one.name for one in MODELS.values() if _sums_suffice(one)]
        )
    if not fitting.stops and kind.name in ("DCM", "SDBN"):
        raise errors.spark.counted_only(kind.name)
    return kind


def _sums_suffice(kind: type[ClickModel]) -> bool:
    if not kind.says_relevance or kind is TCM:
        return False
    return issubclass(kind, ExaminationModel) or kind.counted.__func__ is not ClickModel.counted.__func__  # type: ignore[attr-defined]  # a class method


# What is read


def _read(
    log: object, kind: type[ClickModel], columns: Mapping[str, str] | None, partitions: int | None
) -> tuple[DataFrame, TallyPlan]:
    """Counts as workers make them, with what has to be known about the log."""
    frame = _frame(log)
    if is_ubi(frame.columns):
        raise errors.spark.events_apart()
    roles = {role: name for role, name in click_roles(frame.columns, columns or {}, None).items() if role in TAKEN}
    key = () if "documents" in roles else _key(roles)
    # The name of a column of clicks tells whether it has ranks.
    columns_of = {role: name if role == "clicks" else role for role, name in roles.items()}
    types = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    selected = frame.select(*(_column(name, types[name], role).alias(columns_of[role]) for role, name in roles.items()))
    if key:
        selected = divided(selected, partitions, *key).sortWithinPartitions(*key, "position", "document", "clicked")
    plan = TallyPlan(kind.name, columns_of, key)
    return kept(selected.mapInArrow(tallying(plan), ddl(plan.schema))), plan


def _frame(log: object) -> DataFrame:
    if isinstance(log, str | os.PathLike):
        from pyspark.sql import SparkSession

        from cranfield.spark.files import parquet_files

        session = SparkSession.getActiveSession()
        if session is None:
            raise errors.spark.no_session()
        return session.read.parquet(*parquet_files(log))
    if not is_frame(log):
        raise errors.spark.not_a_frame(log, "A click log")
    return log  # type: ignore[return-value]  # just seen


def _key(roles: Mapping[str, str]) -> tuple[str, ...]:
    """What tells the impression of a result, whose place in it must be known, too."""
    if "position" not in roles or not ({"impression", "session"} & roles.keys()):
        missing = "position" if "position" not in roles else "session"
        raise errors.spark.results_without_order(missing)
    if "impression" in roles:
        return ("impression",)
    return ("session", "query") if "query" in roles else ("session",)


def _column(name: str, type: str, role: str) -> Column:
    return id_column(name, type, role) if role in IDS else quoted(name)


class _LogFacts(NamedTuple):
    """What workers tell of the log together."""

    impressions: int
    clicks: int
    depth: int
    by_place: Mapping[tuple[int, int], Sequence[int]]
    """What was counted at each place."""
    warnings: tuple[Finding, ...]

    @classmethod
    def of(cls, rows: DataFrame, plan: TallyPlan) -> _LogFacts:
        """Everything that is counted, if nothing is wrong."""
        from pyspark.sql import functions as sql

        about = rows.agg(sql.collect_list("about").alias("about"), sql.count("finding").alias("findings")).collect()[0]
        parts = [json.loads(text) for text in about["about"]]
        found: Sequence[Finding] = ()
        if about["findings"]:
            found = findings_of(rows.withColumn("run", sql.lit(0)), lambda run: None)[0]
        if wrong := [finding for finding in found if finding.severity == "error"]:
            raise DataError(wrong)
        if usage := [part["usage"] for part in parts if "usage" in part]:
            raise UsageError(min(usage))
        impressions = sum(part.get("impressions", 0) for part in parts)
        if not impressions:
            raise DataError([errors.files.nothing_read(None, "impressions")])
        sums = [sql.sum(name).alias(name) for name in plan.columns_of_counts]
        places = rows.filter("finding IS NULL AND about IS NULL").groupBy(*PLACE).agg(*sums).collect()
        by_place = {(row["rank"], row["before"]): tuple(row[name] for name in plan.columns_of_counts) for row in places}
        warnings = [_of_the_whole(finding, impressions) for finding in found]
        if (differing := other_versions(parts)) is not None:
            warnings.append(differing)
        depth = max(part.get("depth", 0) for part in parts)
        clicked = sum(counts[1] for counts in by_place.values())
        return cls(impressions, clicked, depth, by_place, tuple(warnings))

    def at(self, index: int, shape: tuple[int, ...]) -> Floats:
        """One of the counts, by place; of a shape without ranks, all together."""
        counts = np.zeros(shape)
        for place, of_place in self.by_place.items():
            counts[place[: len(shape)]] += of_place[index]
        return counts.reshape(-1)


def _of_the_whole(finding: Finding, impressions: int) -> Finding:
    """A warning that counts impressions, of all there are."""
    again = {"shown-twice": errors.clicks.documents_again, "positions-with-gaps": errors.clicks.positions_with_gaps}
    words = again.get(finding.kind)
    return finding if words is None else words(None, finding.count, impressions)


def _warnings(facts: _LogFacts, model: ClickModel) -> Iterator[Finding]:
    yield from facts.warnings
    if facts.impressions < LEAST:
        yield errors.clicks.few_impressions(None, facts.impressions)
    if not model.converged:
        yield errors.clicks.model_not_converged(model.name, model.rounds)


# What is learnt


class _Learning:
    """Learns a model's few parameters on the driver, and those of documents where they are."""

    def __init__(
        self, rows: DataFrame, plan: TallyPlan, facts: _LogFacts, fitting: Fitting, partitions: int | None
    ) -> None:
        self.plan, self.facts, self.fitting = plan, facts, fitting
        self.known = uuid4().hex
        self.chunks = kept(_packed(rows, plan, partitions))
        self.model = self._examination() if issubclass(plan.kind, ExaminationModel) else self._counted()

    def labels(self) -> DataFrame:
        """A row per document: estimate, interval, impressions, clicks, parameters."""
        return self.chunks.mapInArrow(labelling(self.plan, self._of_chunk), ddl(LABELS))

    _of_chunk: Callable[[Any, Chunk], dict[str, Parameter]]

    def _counted(self) -> ClickModel:
        priors: dict[str, tuple[float, float]] = {}
        parameters: dict[str, Parameter] = {}
        for name, by in self.plan.kind.shapes().items():
            shape = (self.facts.depth,) if by == "rank" else ()
            columns = (self.plan.counts.index(f"{name}, {what}") for what in ("won", "tried"))
            counts = EventCounts(*(self.facts.at(at, shape) for at in columns))
            if by == "document":
                priors[name] = self.fitting.prior_of(counts.won, counts.tried, by)
                counts = EventCounts(np.zeros(1), np.zeros(1))
                parameters[name] = counts.parameter(by, with_prior(self.fitting, priors[name]))
            else:
                parameters[name] = counts.parameter(by, self.fitting)
        self._of_chunk = partial(_counted_in, self.plan, self.fitting, priors)
        return self.plan.kind(_NO_PAIRS, parameters, self.fitting)

    def _examination(self) -> ClickModel:
        kind = self.plan.kind
        assert issubclass(kind, ExaminationModel)
        shape = kind.place_shape(self.facts.depth)
        tried = self.facts.at(0, shape)
        cells = self.chunks.select("cells", "size")

        def job(steps: Sequence[Any], since: int) -> RoundReport:
            mapper = stepping(self.known, tuple(steps), since, shape, self.fitting)
            return RoundReport.of(cells.mapInArrow(mapper, ddl(REPORT)).collect())

        learnt = maximised_together(job, tried, self.fitting)
        summing = looks_summing(self.known, learnt, shape, self.fitting)
        looked = RoundReport.of(cells.mapInArrow(summing, ddl(REPORT)).collect())
        prior = self.fitting.prior_of(float(self.facts.clicks), looked.sum("looked"), "document")
        self._of_chunk = partial(_examined_in, self.known, learnt, shape, self.fitting, prior)
        nobody = np.array([learnt.unseen])
        worth = LooksAt(*(np.zeros(1) for _ in range(3))).worth(nobody, prior)
        parameters = {
            "attraction": Parameter("document", nobody, worth),
            "examination": kind.examined(learnt.examination, tried, shape, self.fitting),
        }
        return kind(_NO_PAIRS, parameters, self.fitting, learnt.rounds, learnt.converged)


_NO_PAIRS = QueryDocumentPairs((), (), np.empty(0, dtype=np.int64))


def _packed(rows: DataFrame, plan: TallyPlan, partitions: int | None) -> DataFrame:
    """All cells of each document together, in sorted order."""
    from pyspark.sql import functions as sql

    sums = [sql.sum(name).alias(name) for name in plan.columns_of_counts]
    cells = divided(rows.filter("finding IS NULL AND about IS NULL"), partitions, "query", "document")
    together = cells.groupBy("query", "document", *PLACE).agg(*sums)
    order = together.sortWithinPartitions("query", "document", *PLACE)
    return order.mapInArrow(packing, ddl(CHUNK))


def _counted_in(
    plan: TallyPlan, fitting: Fitting, priors: Mapping[str, tuple[float, float]], row: Any, chunk: Chunk
) -> dict[str, Parameter]:
    """The parameters of documents that are counted."""
    return {
        name: tally(chunk, plan, name).parameter("document", with_prior(fitting, prior))
        for name, prior in priors.items()
    }


def _examined_in(
    known: str,
    learnt: Learnt,
    shape: tuple[int, ...],
    fitting: Fitting,
    prior: tuple[float, float],
    row: Any,
    chunk: Chunk,
) -> dict[str, Parameter]:
    """The attractions of documents, and how many looks they are worth."""
    attraction, looks_at = _looks_at(known, learnt, shape, fitting, row)
    return {"attraction": Parameter("document", attraction, looks_at.worth(attraction, prior))}


def _looks_at(known: str, learnt: Learnt, shape: tuple[int, ...], fitting: Fitting, row: Any) -> tuple[Floats, LooksAt]:
    """The attractions of a chunk, last that of a document that nobody has seen, and looks at its documents."""
    steps = learnt.steps
    found = attractions_of(known, row, len(steps), shape, fitting)
    found.take(steps, len(steps))
    attraction = np.append(found.latest, learnt.unseen)
    return attraction, LooksAt.of(found.cells, attraction, learnt.examination, len(attraction))


def looks_summing(known: str, learnt: Learnt, shape: tuple[int, ...], fitting: Fitting) -> Mapper:
    """The sum of looks at all documents."""

    def summed_up(batches: Batches) -> Batches:
        report = RoundReport()
        for batch in batches:
            for row in batch.to_pylist():
                report.add("looked", _looks_at(known, learnt, shape, fitting, row)[1].looked)
        yield report.batch()

    return summed_up


def labelling(plan: TallyPlan, of_chunk: Callable[[Any, Chunk], dict[str, Parameter]]) -> Mapper:
    """A row per document."""

    def labelled(batches: Batches) -> Batches:
        for batch in batches:
            for row in batch.to_pylist():
                chunk = Chunk.of(row)
                parameters = of_chunk(row, chunk)
                estimate, worth = plan.kind(_NO_PAIRS, parameters).relevance()
                shown, clicked = (chunk.by_document(at)[:-1].astype(np.int64) for at in range(2))
                low, high = beta_interval(estimate, worth, clicked)
                numbers = (
                    np.stack([getattr(parameter, name)[:-1] for parameter in parameters.values()])
                    for name in ("values", "evidence")
                )
                columns = [row["query"], row["document"], estimate, low, high, shown, clicked, *map(_lists, numbers)]
                yield pa.RecordBatch.from_arrays(
                    [pa.array(column, field.type) for column, field in zip(columns, LABELS, strict=True)], schema=LABELS
                )

    return labelled


def _lists(numbers: Floats) -> pa.Array:
    of_each, count = numbers.shape
    starts = np.arange(0, of_each * count + 1, of_each, dtype=np.int32)
    return pa.ListArray.from_arrays(starts, pa.array(np.ascontiguousarray(numbers.T).ravel()))


# Grades


def _graded(
    mapping: GradeMapping,
    labels: DataFrame,
    count: int,
    shares: Sequence[float],
    thresholds: Sequence[float] | None,
    human: Judgments | None,
    seed: int,
) -> tuple[Grading, LabelAgreement | None]:
    """The rule, and how far what it gives agrees with people."""
    judged = None if human is None else _judged(labels, human)
    if mapping == "calibrated":
        assert judged is not None
        made = cross_validated(judged.estimate, judged.grade, judged.query, seed)
        grading = calibrated(judged.estimate, judged.grade)
        return grading, agreement(judged.grade, made, judged.estimate, cross_validated=True)
    if mapping == "threshold":
        grading = by_threshold(thresholds or ())
    else:
        below = _at_places(labels, count, share_ends(shares, count).tolist())
        grading = by_share(shares, np.array([_above(labels, value) for value in below]))
    if judged is None:
        return grading, None
    return grading, agreement(judged.grade, grading.grade(judged.estimate), judged.estimate, cross_validated=False)


class _Judged(NamedTuple):
    """Documents that people judged, too."""

    query: Any
    estimate: Floats
    grade: Floats


def _judged(labels: DataFrame, human: Judgments) -> _Judged:
    """What people have judged of the labelled documents, in the order of ids."""
    rows = [
        (query, document, float(human.grades[row]))
        for query in human.queries
        for document, row in human.rows_of(query).items()
        if human.grades[row] >= 0  # negative means pooled, but not judged
    ]
    given = labels.sparkSession.createDataFrame(
        rows or [("", "", -1.0)], "query string, document string, people double"
    )
    both = (
        given.filter("people >= 0")
        .join(labels, ["query", "document"])
        .select("query", "document", "estimate", "people")
    )
    found = both.orderBy("query", "document").collect()
    queries = {query: code for code, query in enumerate(dict.fromkeys(row["query"] for row in found))}
    if len(found) < FEWEST_JUDGED or len(queries) < 2:
        raise DataError([errors.clicks.few_judged(len(found))])
    return _Judged(
        np.array([queries[row["query"]] for row in found]),
        np.array([row["estimate"] for row in found]),
        np.array([row["people"] for row in found]),
    )


def _at_places(labels: DataFrame, count: int, places: Sequence[int]) -> list[float]:
    """The estimates at places of their order, from 0."""
    if count > MOST_FETCHED:
        return [_at_place(labels, place) for place in places]
    ordered = np.sort(labels.select("estimate").toArrow()["estimate"].to_numpy())
    return [float(ordered[place]) for place in places]


def _at_place(labels: DataFrame, place: int) -> float:
    """The same for very many: they are counted in ever narrower ranges, and none but those in the last comes here."""
    from pyspark.sql import functions as sql

    within = labels
    for digits in (BITS, 2 * BITS):
        # A power of two changes no digit of a number.
        scaled = sql.floor(sql.col("estimate") * float(1 << digits)).cast("bigint")
        counts = within.groupBy(scaled.alias("range")).count().orderBy("range").collect()
        place, at = _found(counts, place)
        within = within.filter(scaled == at["range"])
    return float(_found(within.groupBy("estimate").count().orderBy("estimate").toLocalIterator(), place)[1]["estimate"])


def _found(counts: Iterable[Any], place: int) -> tuple[int, Any]:
    """In which of several groups in order a place is, and where in it."""
    for row in counts:
        if place < row["count"]:
            return place, row
        place -= row["count"]
    raise AssertionError("fewer estimates than were counted")


def _above(labels: DataFrame, value: float) -> float:
    """The lowest estimate above one; infinite where there is none."""
    from pyspark.sql import functions as sql

    found = labels.filter(sql.col("estimate") > value).agg(sql.min("estimate")).collect()[0][0]
    return float("inf") if found is None else float(found)


@dataclass(frozen=True, eq=False)
class SparkClickLabels(GradedClicks):
    """Graded documents in a data frame, made from clicks. Printing it shows how they came about."""

    model: ClickModel
    """Its parameters of ranks; those of documents are in the data frame."""
    grading: Grading
    agreement: LabelAgreement | None
    settings: Mapping[str, Any]
    log: str
    """What the labels were made from, in words."""
    documents: DataFrame
    """A row per query and document that was shown, with estimate, interval, impressions and clicks."""
    warnings: tuple[Finding, ...] = ()

    @property
    def comparison(self) -> ModelComparison | None:  # type: ignore[override]  # models are not compared here
        """None: one model was named."""
        return None

    def labels(self) -> DataFrame:
        """A row per labelled document: query, document, grade, estimate, low, high, impressions, clicks."""
        frequent = self.documents.filter(self.documents["impressions"] >= self.settings["min_impressions"])
        names = ("estimate", "low", "high", "impressions", "clicks")
        return frequent.select("query", "document", self._grade("estimate").alias("grade"), *names)

    def judgments(self) -> DataFrame:
        """The grades as judgments, for `evaluate`: query, document, grade."""
        return self.labels().select("query", "document", "grade")

    def _grade(self, name: str) -> Column:
        from pyspark.sql import functions as sql

        grade = sql.lit(self.grading.grades[0])
        for value, threshold in zip(self.grading.grades[1:], self.grading.thresholds.tolist(), strict=True):
            grade = sql.when(sql.col(name) >= threshold, value).otherwise(grade)
        return grade.cast("double")

    def counts(self) -> LabelledCounts:
        """How many documents have each grade."""
        return self._counts

    @cached_property
    def _counts(self) -> LabelledCounts:
        from pyspark.sql import functions as sql

        labels = self.labels()
        sure = sql.count_if(self._grade("low") == self._grade("high")).alias("sure")
        found = labels.groupBy("grade").agg(
            sql.count(sql.lit(1)).alias("documents"),
            sql.min("estimate").alias("least"),
            sql.max("estimate").alias("most"),
            *(sql.sum(name).alias(name) for name in ("impressions", "clicks")),
            sure,
        )
        rows = {row["grade"]: row for row in found.collect()}
        names = ("documents", "least", "most", "impressions", "clicks")
        grades = [
            GradeCounts(grade, *(rows[grade][name] for name in names))
            if grade in rows
            else GradeCounts(grade, 0, None, None, 0, 0)
            for grade in sorted(self.grading.grades, reverse=True)
        ]
        queries = labels.select("query").distinct().count()
        kept_count = sum(row["documents"] for row in rows.values())
        return LabelledCounts(
            grades, queries, self.documents.count() - kept_count, sum(row["sure"] for row in rows.values())
        )

    def rows(self) -> Table:
        """A row per grade; `labels()` has a row per document."""
        return self.table()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the labels as plain values."""
        counts = self.counts()
        return {
            "cranfield": VERSION,
            "settings": dict(self.settings),
            "log": self.log,
            "verdict": self.verdict(),
            "notes": list(self.notes()),
            "warnings": [str(warning) for warning in self.warnings],
            "model": self.learnt(),
            "grading": self.grading.to_dict(),
            "agreement": None if self.agreement is None else self.agreement.to_dict(),
            "labelled": counts.labelled,
            "left_out": counts.left_out,
            "grades": [of_grade._asdict() for of_grade in counts.grades],
        }

    def __repr__(self) -> str:
        counts = self.counts()
        return f"SparkClickLabels({self.model.name}; {counts.words}; {counts.left_out:,} left out)"

    def collect(self) -> ClickLabels:
        """All labels on the driver, as `cranfield.clicks` gives them: for `write` and every output format."""
        table = self.documents.toArrow().sort_by([("query", "ascending"), ("document", "ascending")]).combine_chunks()
        ids, codes = [], []
        for name in ("query", "document"):
            values = table[name].to_pylist()
            distinct = sorted(set(values))
            place = {value: at for at, value in enumerate(distinct)}
            ids.append(tuple(distinct))
            codes.append(np.array([place[value] for value in values], dtype=np.int64))
        keys = codes[0] * max(len(ids[1]), 1) + codes[1]
        pairs = QueryDocumentPairs(ids[0], ids[1], keys)
        columns = {name: table[name].to_numpy() for name in ("estimate", "low", "high", "impressions", "clicks")}
        chosen: Bools = columns["impressions"] >= self.settings["min_impressions"]
        return ClickLabels(
            replace(self.model, pairs=pairs, parameters=self._all_parameters(table)),
            None,
            pairs,
            np.flatnonzero(chosen),
            columns["estimate"],
            columns["low"],
            columns["high"],
            columns["impressions"],
            columns["clicks"],
            self.grading,
            self.agreement,
            self.settings,
            self.log,
            self.warnings,
        )

    def _all_parameters(self, table: pa.Table) -> dict[str, Parameter]:
        """The parameters of documents, too."""
        numbers = {
            name: table[name].combine_chunks().flatten().to_numpy().reshape(len(table), -1)
            for name in ("values", "evidence")
        }
        parameters = {}
        at = 0
        for name, parameter in self.model.parameters.items():
            if parameter.by == "document":
                own = (numbers[of][:, at] for of in ("values", "evidence"))
                unseen = (parameter.values, parameter.evidence)
                parameter = Parameter("document", *(np.append(*both) for both in zip(own, unseen, strict=True)))
                at += 1
            parameters[name] = parameter
        return parameters

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write judgments to a file on the driver, as `ClickLabels.write` does."""
        self.collect().write(path, format)
