"""Real judgments and runs, and very many queries, have on a cluster the bits that they have on one machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import cranfield as cf
from cranfield import demo
from cranfield import spark as on_spark
from tests.effort import few_or
from tests.spark.collections import EVERY_MEASURE
from tests.spark.test_evaluation import assert_same

GARDEN = (demo.path("qrels.txt"), demo.path("bm25.run"))
SHARED = {
    "DL19": ("02-dl19-passage/qrels.dl19-passage.txt", "02-dl19-passage/runs/ICT-BERT2.run.gz"),
    "Robust03": ("03-robust03/qrels.robust03.txt.gz", "03-robust03/runs/NLPR03vb10.run.gz"),
}


def in_parquet(judgments: Path, run: Path, folder: Path) -> tuple[str, str]:
    """Both as Parquet, the run in several files of a folder."""
    (folder / "run").mkdir()
    cf.convert(judgments, folder / "judged.parquet")
    cf.convert(run, folder / "whole.parquet")
    table = parquet.read_table(folder / "whole.parquet")
    for at, start in enumerate(range(0, len(table), max(len(table) // 3, 1))):
        parquet.write_table(table.slice(start, max(len(table) // 3, 1)), folder / "run" / f"part-{at}.parquet")
    return str(folder / "judged.parquet"), str(folder / "run")


def has_the_same_bits(spark, judgments: str, run: str, partitions: int) -> None:
    local = cf.evaluate(judgments, run, EVERY_MEASURE)
    by_files = on_spark.evaluate(judgments, run, EVERY_MEASURE)
    assert "files of runs were read where they are" in by_files.how
    assert_same(local, by_files)
    frames = [spark.read.parquet(path) for path in (judgments, run)]
    by_frames = on_spark.evaluate(frames[0], {"run": frames[1].repartition(5)}, EVERY_MEASURE, partitions=partitions)
    assert by_frames.means() == by_files.means()
    assert by_frames.collect().values.tobytes() == local.values.tobytes()


def test_every_measure_of_the_demo_collection(spark, tmp_path):
    has_the_same_bits(spark, *in_parquet(*GARDEN, tmp_path), partitions=3)


@pytest.mark.parametrize("name", few_or(["Robust03"], ["DL19", "Robust03"]))
def test_every_measure_of_real_collections(spark, tmp_path, shared_data, name):
    judgments, run = (shared_data / part for part in SHARED[name])
    has_the_same_bits(spark, *in_parquet(judgments, run, tmp_path), partitions=7)


def test_very_many_queries_of_one_document_never_come_to_the_driver(spark, tmp_path):
    """More than `spark.driver.maxResultSize` of the session lets through."""
    count = few_or(300_000, 10_000_000)
    judged = spark.range(count).selectExpr("cast(id as string) query", "'d' document", "cast(id % 3 as int) grade")
    run = spark.range(count).selectExpr("cast(id as string) query", "if(id % 5 = 0, 'x', 'd') document", "1.0D score")
    there = on_spark.evaluate(judged, run, ["RR", "nDCG@10"])
    numbers = np.arange(count)
    found = (numbers % 3 > 0) & (numbers % 5 > 0)
    assert there.means() == {"RR": found.mean(), "nDCG@10": found.mean()}
    assert there.facts.judgments.judged == count
    best = there.per_query().filter("measure = 'RR' AND value = 1").count()
    assert best == found.sum()


def test_random_users_have_the_bits_that_they_have_on_one_machine(spark, tmp_path):
    users = few_or(20_000, 100_000)
    rng = np.random.default_rng(4)
    names = pa.array([f"u{at:06}" for at in range(users)])
    tables = {
        name: pa.table(
            {
                "query": names.take(pa.array(np.repeat(np.arange(users), depth))),
                "document": [f"i{item}" for row in rng.random((users, 40)).argsort(axis=1)[:, :depth] for item in row],
                value: rng.integers(0, 4, users * depth) if value == "grade" else rng.random(users * depth).round(2),
            }
        )
        for name, depth, value in (("judged", 5, "grade"), ("run", 10, "score"))
    }
    measures = ["nDCG@10", "AP", "ERR", "R@10", "RR"]
    local = cf.evaluate(tables["judged"], tables["run"], measures)
    frames = {name: spark.createDataFrame(table).repartition(3) for name, table in tables.items()}
    there = on_spark.evaluate(frames["judged"], frames["run"], measures)
    assert there.means() == local.means()
    paths = {name: str(tmp_path / f"{name}.parquet") for name in tables}
    for name, table in tables.items():
        parquet.write_table(table, paths[name])
    by_files = on_spark.evaluate(paths["judged"], paths["run"], measures)
    assert by_files.collect().values.tobytes() == local.values.tobytes()
