"""Spark data frames of judgments and runs become scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield import errors
from cranfield.choices import AverageOver, Duplicates, Keep, Precision, TieRule, Undefined
from cranfield.errors import DataError
from cranfield.evaluating.evaluation import EvaluationPlan, evaluation_plan, has_unusual
from cranfield.evaluating.profiles import Profile
from cranfield.formats.columns import ColumnsGiven
from cranfield.measures import Measure
from cranfield.phrases import counted as number_of
from cranfield.spark import batches
from cranfield.spark.frames import (
    ColumnsBy,
    Side,
    columns_of,
    is_frame,
    judgment_side,
    run_sides,
    together,
)
from cranfield.spark.gathered_facts import gather, stop_if_wrong
from cranfield.spark.looking_again import SecondLook
from cranfield.spark.part import JUDGMENTS, PartPlan
from cranfield.spark.spark_scores import SparkScores, Told, ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


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
    partitions: int | None = None,
) -> SparkScores:
    """Scores of runs in Spark data frames, to the last bit those of `cranfield.evaluate`, computed where the rows are.

    `runs` is a data frame with a row for each query and retrieved document, `{name: data frame}`, or one data frame
    with a column such as `system` that distinguishes runs. Judgments and runs may also be paths of Parquet files,
    folders or patterns, which workers then read by themselves. All other arguments mean what they mean to
    `cranfield.evaluate`. `partitions` is the number of parts that the queries are divided into, by default
    what Spark finds suitable, beginning with `spark.sql.shuffle.partitions`; no result depends on it.

    >>> cranfield.spark.evaluate(spark.table("judged"), spark.table("retrieved"), "nDCG@10")  # doctest: +SKIP
    SparkScores(1 run, 1,000,000 queries, nDCG@10)
    """
    settings = {
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
    evaluation = evaluation_plan(profile, measures, settings)
    must_need_no_order(evaluation)
    if isinstance(judgments, str | os.PathLike):
        return _of_paths(evaluation, judgments, runs, ColumnsBy.of(columns), duplicates, partitions)
    if not is_frame(judgments):
        raise errors.spark.not_a_frame(judgments, "Judgments")
    judged: DataFrame = judgments  # type: ignore[assignment]  # just seen
    by = ColumnsBy.of(columns)
    side, sides = judgment_side(judged, by.judgments), run_sides(runs, by.run)
    return scores_of_frames(part_plan(evaluation, side, sides, duplicates), side, sides, partitions)


def _of_paths(
    evaluation: EvaluationPlan,
    judgments: str | os.PathLike[str],
    runs: object,
    columns: ColumnsBy,
    duplicates: Duplicates | None,
    partitions: int | None,
) -> SparkScores:
    from pyspark.sql import SparkSession

    from cranfield.spark.files import folder_at, folders_of, scores_of_files

    session = SparkSession.getActiveSession()
    if session is None:
        raise errors.spark.no_session()
    several = runs if isinstance(runs, list | tuple | Mapping) else [runs]
    for one in several.values() if isinstance(several, Mapping) else several:
        if not isinstance(one, str | os.PathLike):
            raise errors.spark.not_a_frame(one, "A run of judgments in a folder")
    folders = folders_of(several, columns)  # type: ignore[arg-type]  # just seen
    judged = folder_at(judgments, columns, "judgments")
    return scores_of_files(session, evaluation, judged, folders, columns, duplicates, partitions)


def must_need_no_order(evaluation: EvaluationPlan) -> None:
    """Refuse what depends on the order of rows, which data frames do not have."""
    for measure, settings in zip(evaluation.measures, evaluation.settings, strict=True):
        if settings.ties == "given":
            raise errors.spark.no_order(str(measure))


def scores_of_frames(plan: PartPlan, judgments: Side, runs: Sequence[Side], partitions: int | None) -> SparkScores:
    """Scores of data frames, which are brought into the order of queries first."""
    in_full_order = plan.evaluation.groups is not None or any("score" not in run.roles for run in runs)
    rows = together(judgments, dict(enumerate(runs)), partitions, in_full_order=in_full_order)
    scored = kept(rows.mapInArrow(batches.scoring(plan, columns_of(judgments, runs)), ddl(plan.schema)))
    lines = JudgmentLines(plan, judgments, partitions)
    into = "" if partitions is None else f" into {number_of(partitions, 'partition')}"
    how = f"All rows were sorted by query{into}."
    return finished(SparkScores(scored, plan, gather(scored, plan), lines, how=how), judgments, runs)


def part_plan(
    evaluation: EvaluationPlan, judgments: Side, runs: Sequence[Side], duplicates: Duplicates | None
) -> PartPlan:
    """What every part has to know of all others: the largest grade, and whether any is unusual."""
    from pyspark.sql import functions as sql

    grade = sql.col("grade") if "grade" in judgments.roles else sql.lit(1.0)
    given = sql.when(~sql.isnan(grade), grade)
    found = judgments.frame.agg(
        sql.count(sql.lit(1)).alias("rows"), sql.max(given).alias("highest"), sql.min(given).alias("lowest")
    ).collect()[0]
    if not found["rows"]:
        raise DataError([errors.files.nothing_read(None, "judgments")])
    if found["highest"] is None:
        raise DataError([errors.rows.no_grades_yet(None, found["rows"])])
    highest, lowest = found["highest"] + 0.0, found["lowest"]
    for settings in evaluation.settings:
        if settings.unjudged_grade is not None and settings.unjudged_grade > highest:
            raise errors.coverage.graded_above_all(settings.unjudged_grade, highest)
    return PartPlan(evaluation, tuple(run.name for run in runs), highest, duplicates, has_unusual(lowest, highest))


def kept(rows: DataFrame) -> DataFrame:
    """Rows that are read several times, and made once where the cluster can keep them."""
    from pyspark.errors import PySparkException

    try:
        with _few_partitions(rows.sparkSession):
            return rows.persist()
    except PySparkException:  # some services keep nothing between two questions
        return rows


@contextmanager
def _few_partitions(session: SparkSession) -> Iterator[None]:
    """Lets Spark put small partitions together in what is kept too, where hundreds of empty ones would take minutes."""
    setting = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
    before = session.conf.get(setting, "false")
    session.conf.set(setting, "true")
    try:
        yield
    finally:
        session.conf.set(setting, before or "false")


class JudgmentLines:
    """All judgments as they count, in sorted order, as texts."""

    def __init__(self, plan: PartPlan, judgments: Side, partitions: int | None) -> None:
        self.plan, self.judgments, self.partitions = plan, judgments, partitions

    def __call__(self) -> DataFrame:
        """The texts, which one after the other are all lines."""
        rows = together(self.judgments, {}, self.partitions, in_full_order=True)
        lines = rows.mapInArrow(batches.judgment_lines(self.plan, self.judgments.roles), ddl(batches.LINES))
        return lines.orderBy("line").mapInArrow(batches.texts, ddl(batches.LINES))


def finished(scores: SparkScores, judgments: Side, runs: Sequence[Side]) -> SparkScores:
    """Scores of sound data, with what only a second look at some rows tells."""
    plan, facts = scores.plan, scores.facts
    stop_if_wrong(facts, plan)
    again = SecondLook(scores, judgments, runs)
    missing = again.missing_queries()
    preparation = plan.evaluation.preparation
    chunks = [facts.chunks(number) for number in range(JUDGMENTS, len(runs))]
    if preparation.groups is not None and preparation.groups.must_apply and not any(one and one[1] for one in chunks):
        raise DataError([preparation.groups.ungrouped()])
    never_met = {number: found for number in range(len(runs)) if (found := again.never_met(number)) is not None}
    if wrong := [found for found in never_met.values() if found.severity == "error"]:
        raise DataError(wrong[:1])
    return replace(scores, told=Told(missing, again.equal_runs(), never_met, again.other_ids()))
