"""`--engine spark`: a command whose scores are computed on a cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield import errors
from cranfield.errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from cranfield.choices import BoundsKind
    from cranfield.cli.inputs import Inputs
    from cranfield.evaluating.evaluation import EvaluationPlan
    from cranfield.evaluating.scores import Scores


def scores_on_spark(
    inputs: Inputs,
    plan: EvaluationPlan,
    judgments: str,
    runs: Sequence[str],
    bounds: Sequence[BoundsKind],
    *,
    quiet: bool,
) -> Scores:
    """The scores of Parquet folders; how the work was divided is told next to the results."""
    if "-" in (judgments, *runs):
        raise click.UsageError("--engine spark reads Parquet files and folders, not standard input.")
    if bounds:
        raise click.UsageError("--bounds needs the rankings here; with --engine spark they stay on the cluster.")
    inputs.require_parquet()
    session = _session()
    from cranfield.spark.files import folder_at, folders_of, scores_of_files
    from cranfield.spark.frames import ColumnsBy

    columns = ColumnsBy(inputs.columns_of("judgments"), inputs.columns_of("run"))
    judged, folders = folder_at(judgments, columns, "judgments"), folders_of(runs, columns)
    scores = scores_of_files(session, plan, judged, folders, columns, inputs.duplicates, None)
    if not quiet:
        click.echo(f"note: {scores.how}", err=True)
    return scores.collect()


def _session() -> SparkSession:
    """The session of spark-submit or of the address in SPARK_REMOTE, or one on this machine."""
    # Without it, workers on this machine take the first Python on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise DataError([errors.packages.missing_reader(None, "Spark", "pyspark")]) from None
    building = SparkSession.builder.appName("cranfield evaluate")
    if "SPARK_REMOTE" not in os.environ:
        building = building.config("spark.log.level", "ERROR")
    return building.getOrCreate()
