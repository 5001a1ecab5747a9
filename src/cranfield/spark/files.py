"""Parquet folders: each task reads files and scores them, without a row passing through Spark.

Spark shares out the names of files. A query that is in two files is whole in neither, so its rows are brought together
as those of data frames are; and the judgments alone tell which queries no file has.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield import errors
from cranfield.choices import Duplicates
from cranfield.errors import UsageError
from cranfield.evaluating.evaluation import EvaluationPlan
from cranfield.formats.columns import Kind, parse_columns
from cranfield.formats.remote import is_remote
from cranfield.formats.shards import files_of, shards_of
from cranfield.formats.source import as_source, is_folder, is_pattern
from cranfield.phrases import counted as number_of
from cranfield.spark import batches
from cranfield.spark.evaluation import (
    JudgmentLines,
    finished,
    kept,
    must_need_no_order,
    part_plan,
    scores_of_frames,
)
from cranfield.spark.frames import ColumnsBy, Side, columns_of, judgment_side, run_sides, together
from cranfield.spark.gathered_facts import gather
from cranfield.spark.part import JUDGMENTS, PART, PartPlan
from cranfield.spark.spark_scores import SparkScores, ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST_JUDGMENTS = 5_000_000
"""Rows of judgments that every worker can hold."""
MOST_SCATTERED = 0.2
"""Where a larger share of queries is in several files, all rows are brought together."""


class Folder(NamedTuple):
    """Parquet files that are one table."""

    name: str
    path: str
    """As workers can use it, who are elsewhere."""
    given: str
    """As whoever named it calls it."""
    files: tuple[str, ...]

    def frame(self, session: SparkSession) -> DataFrame:
        """What is in it."""
        return session.read.parquet(*self.files)


def folder_at(given: str | os.PathLike[str], columns: ColumnsBy, kind: Kind) -> Folder:
    """A file, a folder or a pattern; files of other formats are refused."""
    called = os.fspath(given)
    path = called if is_remote(called) else str(Path(called).absolute())
    named = parse_columns(columns.judgments if kind == "judgments" else columns.run)
    if is_folder(path) or is_pattern(path):
        parts = shards_of(path, named, kind, None)
        name, found, sources = parts.name, parts.format, parts.parts
    else:
        source = as_source(path)
        assert source is not None
        name, sources = source.name, (source,)
        found = "parquet" if source.head.startswith(b"PAR1") else "other"
    if found != "parquet":
        raise errors.spark.not_parquet(path)
    # A folder of one file is that file to whoever reads it at once.
    called = called if len(sources) > 1 or kind != "judgments" else called_file(called, path, sources[0].path)
    return Folder(name, path, called, tuple(source.path for source in sources))


def parquet_files(given: str | os.PathLike[str]) -> tuple[str, ...]:
    """The files of a folder or a pattern, or the one that is named."""
    called = os.fspath(given)
    path = called if is_remote(called) else str(Path(called).absolute())
    files = tuple(map(str, files_of(path))) if is_folder(path) or is_pattern(path) else (path,)
    first = as_source(files[0])
    if first is None or not first.head.startswith(b"PAR1"):
        raise errors.spark.not_parquet(called)
    return files


def called_file(called: str, path: str, file: str) -> str:
    """What a file of a folder is called by whoever named the folder."""
    return called + file.removeprefix(path)


def folders_of(given: Sequence[str] | Mapping[str, str], columns: ColumnsBy) -> list[Folder]:
    """The runs at some paths, each under a name of its own."""
    if isinstance(given, Mapping):
        return [folder_at(path, columns, "run")._replace(name=str(name)) for name, path in given.items()]
    folders: dict[str, Folder] = {}
    for path in given:
        folder = folder_at(path, columns, "run")
        name = folder.name if folder.name not in folders else folder.path
        folders[name] = folder._replace(name=name)
    if not folders:
        raise UsageError("No run was given. Name at least one.")
    return list(folders.values())


def scores_of_files(
    session: SparkSession,
    evaluation: EvaluationPlan,
    judgments: Folder,
    runs: Sequence[Folder],
    columns: ColumnsBy,
    duplicates: Duplicates | None,
    partitions: int | None,
) -> SparkScores:
    """Scores of Parquet folders, read file by file where that gives the same."""
    must_need_no_order(evaluation)
    judged = judgment_side(judgments.frame(session), columns.judgments)
    named = {run.name: run.frame(session) for run in runs}
    sides = run_sides(named if len(runs) > 1 else next(iter(named.values())), columns.run)
    if len(runs) == 1 and len(sides) == 1:
        sides = [Side(runs[0].name, sides[0].frame)]
    plan = replace(
        part_plan(evaluation, judged, sides, duplicates),
        judgments_path=judgments.given,
        run_paths=tuple(run.given for run in runs) if len(sides) == len(runs) else (),
    )
    if why := _why_not(evaluation, judged, runs, sides):
        scores = scores_of_frames(plan, judged, sides, partitions)
        return replace(scores, how=f"{scores.how} {why}")
    return _Files(session, plan, judgments, runs, judged, sides, columns, partitions).scores()


def _why_not(evaluation: EvaluationPlan, judged: Side, runs: Sequence[Folder], sides: Sequence[Side]) -> str:
    """Why files cannot be scored one by one; empty where they can."""
    if len(sides) > len(runs):
        return "A column distinguishes runs."
    if any("score" not in side.roles for side in sides):
        return "The run has ranks and no scores."
    if evaluation.groups is not None or evaluation.preparation.groups is not None:
        return "Documents are put together."
    if judged.frame.count() > MOST_JUDGMENTS:
        return f"There are more than {MOST_JUDGMENTS:,} judgments."
    return ""


class _Files:
    """Scores files one by one, and what is left together."""

    def __init__(
        self,
        session: SparkSession,
        plan: PartPlan,
        judgments: Folder,
        runs: Sequence[Folder],
        judged: Side,
        sides: Sequence[Side],
        columns: ColumnsBy,
        partitions: int | None,
    ) -> None:
        self.session, self.plan = session, plan
        self.judgments, self.runs = judgments, runs
        self.judged, self.sides = judged, sides
        self.columns = columns
        self.partitions = partitions
        self.without_judgments = replace(plan, tells_judgments=False)

    def scores(self) -> SparkScores:
        """The scores, and how they were made."""
        from pyspark.sql import functions as sql

        in_files = kept(self._of_files())
        seen = in_files.filter("run >= 0 AND finding IS NULL").groupBy("run", "query").count()
        found = seen.agg(sql.count(sql.lit(1)).alias("all"), sql.count_if(sql.col("count") > 1).alias("scattered"))
        (all_seen, several) = found.collect()[0]
        if several > MOST_SCATTERED * all_seen:
            in_files.unpersist()
            scores = scores_of_frames(self.plan, self.judged, self.sides, self.partitions)
            return replace(scores, how=f"{scores.how} {several:,} of {all_seen:,} queries are in several files.")
        rows = self._with_judgments(in_files, seen)
        if several:
            rows = self._again(rows, seen.filter("count > 1").select("query").distinct())
        rows = kept(rows)
        facts = gather(rows, self.plan)
        files = sum(len(run.files) for run in self.runs)
        again = f" {number_of(several, 'query')} in several of them came together afterwards." if several else ""
        how = f"{number_of(files, 'file')} of runs were read where they are.{again}"
        lines = JudgmentLines(self.plan, self.judged, self.partitions)
        return finished(SparkScores(rows, self.plan, facts, lines, how=how), self.judged, self.sides)

    def _of_files(self) -> DataFrame:
        names = [(number, file) for number, run in enumerate(self.runs) for file in run.files]
        frame = self.session.createDataFrame(names, "run int, path string").repartition(len(names), "path")
        mapper = batches.scoring_files(self.without_judgments, self.judgments.path, self.columns)
        return frame.mapInArrow(mapper, ddl(self.plan.schema))

    def _with_judgments(self, in_files: DataFrame, seen: DataFrame) -> DataFrame:
        """With rows about the judgments, and those of queries that a run does not answer."""
        rows = together(self.judged, {}, self.partitions, in_full_order=False)
        mapper = batches.scoring(self.plan, columns_of(self.judged, []))
        alone = kept(rows.mapInArrow(mapper, ddl(self.plan.schema)))
        silent = alone.filter("run >= 0").join(seen.select("run", "query"), ["run", "query"], "left_anti")
        about = alone.filter(f"run IN ({JUDGMENTS}, {PART})")
        return in_files.unionByName(about).unionByName(silent.select(*in_files.columns))

    def _again(self, rows: DataFrame, queries: DataFrame) -> DataFrame:
        """With the rows of some queries from all files together."""
        judged, *sides = (
            Side(side.name, side.frame.join(queries, "query", "left_semi").select(*side.roles))
            for side in (self.judged, *self.sides)
        )
        again = together(judged, dict(enumerate(sides)), self.partitions, in_full_order=False)
        mapper = batches.scoring(self.without_judgments, columns_of(judged, sides))
        of_runs = again.mapInArrow(mapper, ddl(self.plan.schema))
        whole = rows.filter("run >= 0").join(queries, "query", "left_anti").select(*rows.columns)
        return rows.filter("run < 0").unionByName(whole).unionByName(of_runs)
