"""`--engine spark`: what a command computes on a cluster."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cranfield import errors
from cranfield.errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from cranfield.choices import BoundsKind
    from cranfield.cli.click_inputs import ClickInputs
    from cranfield.cli.inputs import Inputs
    from cranfield.click_models.click_labels import ClickLabels
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
    with _failures_in_words():
        scores = scores_of_files(session, plan, judged, folders, columns, inputs.duplicates, None)
        if not quiet:
            click.echo(f"note: {scores.how}", err=True)
        return scores.collect()


def labels_on_spark(
    inputs: ClickInputs, logs: Sequence[str], models: Sequence[str], choices: Mapping[str, Any]
) -> ClickLabels:
    """The labels that a click log in Parquet files gives."""
    if "-" in logs:
        raise click.UsageError("--engine spark reads Parquet files and folders, not standard input.")
    if len(logs) > 1:
        raise click.UsageError("--engine spark reads one log: name its folder, or a pattern of its files.")
    if inputs.actions:
        raise click.UsageError("--click-action is about events of OpenSearch UBI; --engine spark reads Parquet.")
    if len(models) != 1:
        raise click.UsageError("--engine spark fits one model: name it, as in --model PBM.")
    _session()
    from cranfield.spark import clicks

    with _failures_in_words():
        return clicks(logs[0], models[0], columns=inputs.named_columns, **choices).collect()


@contextmanager
def _failures_in_words() -> Iterator[None]:
    """What Spark raises as an error like any other."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        raise errors.spark.failed(error) from error


def _session() -> SparkSession:
    """The session of spark-submit or of the address in SPARK_REMOTE, or one on this machine."""
    # Without it, workers on this machine take the first Python on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Frames never pass through pandas here.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise DataError([errors.packages.missing_reader(None, "Spark", "pyspark")]) from None
    building = SparkSession.builder.appName("cranfield")
    if "SPARK_REMOTE" not in os.environ:
        building = building.config("spark.log.level", "ERROR")
        building = building.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    return building.getOrCreate()
