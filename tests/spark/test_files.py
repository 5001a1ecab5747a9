"""Parquet folders are read by workers, file by file, and give what one machine gives."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

import cranfield as cf
from cranfield import spark as on_spark
from cranfield.cli import cranfield as main
from cranfield.errors import DataError, UsageError
from tests.spark.collections import collection, write_folders
from tests.spark.test_evaluation import MEASURES, assert_same


def test_files_give_the_same_bits_and_queries_in_two_files_come_together(spark, tmp_path):
    paths = write_folders(collection(60, runs=2), tmp_path)
    runs = [paths["run1"], paths["run2"]]
    there = on_spark.evaluate(paths["qrels"], runs, MEASURES)
    assert (
        there.how == "6 files of runs were read where they are. 4 queries in several of them came together afterwards."
    )
    assert_same(cf.evaluate(paths["qrels"], runs, MEASURES), there)


def test_where_most_queries_are_in_several_files_all_rows_come_together(spark, tmp_path):
    given = collection(10)
    mixed = given._replace(
        runs={"run1": given.run.take(pa.array([*range(0, len(given.run), 2), *range(1, len(given.run), 2)]))}
    )
    paths = write_folders(mixed, tmp_path)
    there = on_spark.evaluate(paths["qrels"], {"mine": paths["run1"]}, ["AP"])
    assert there.how.startswith("All rows were sorted by query. ")
    assert there.how.endswith(" queries are in several files.")
    assert there.means() == cf.evaluate(given.judgments, given.run, "AP").means()


def test_a_duplicate_in_a_file_is_refused_and_one_that_two_files_make_too(spark, tmp_path):
    given = collection(30)
    twice = given._replace(runs={"run1": pa.concat_tables([given.run, given.run.slice(0, 1)])})
    paths = write_folders(twice, tmp_path, files=2)
    with pytest.raises(DataError, match=r"lists document .* again"):
        on_spark.evaluate(paths["qrels"], paths["run1"], "AP")


def test_the_command_prints_what_it_prints_without_spark(spark, tmp_path, monkeypatch):
    paths = write_folders(collection(30, runs=2), tmp_path)
    monkeypatch.chdir(tmp_path)
    arguments = ["evaluate", "qrels", "run1", "run2/*.parquet", "-m", "nDCG@10", "-m", "ERR", "--format", "json", "-q"]
    local, there = (
        CliRunner().invoke(main, [*arguments, "--save", f"{engine}.json", "--engine", engine], catch_exceptions=False)
        for engine in ("local", "spark")
    )
    assert there.exit_code == 0
    assert there.stdout == local.stdout
    assert "6 files of runs were read where they are." in there.stderr
    assert (tmp_path / "spark.json").read_text() == (tmp_path / "local.json").read_text()
    assert paths


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bounds", "ties"], "--bounds needs the rankings here"),
        (["--run-format", "trec"], "reads Parquet"),
        (["--run-queries", "x"], "--run-queries is about saved responses"),
    ],
)
def test_options_that_need_the_rankings_here_are_refused(options, words):
    done = CliRunner().invoke(main, ["evaluate", "qrels", "run", "--engine", "spark", *options])
    assert done.exit_code == 2
    assert words in done.stderr


def test_files_of_other_formats_are_refused(spark, tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    with pytest.raises(UsageError, match="is not Parquet"):
        on_spark.evaluate(tmp_path / "qrels.txt", tmp_path / "qrels.txt", "AP")


@pytest.mark.parametrize("judgments", ["one file", "a folder"])
def test_judgments_may_be_one_file_or_a_folder(spark, tmp_path, judgments):
    given = collection(20)
    paths = write_folders(given, tmp_path)
    parquet.write_table(given.judgments, tmp_path / "qrels.parquet")
    judged = str(tmp_path / "qrels.parquet") if judgments == "one file" else paths["qrels"]
    there = on_spark.evaluate(judged, paths["run1"], MEASURES)
    assert there.how.startswith("3 files of runs were read where they are.")
    assert_same(cf.evaluate(judged, paths["run1"], MEASURES), there)


def damaged(path: Path) -> None:
    """Some bytes in the middle of a file are others; it ends as it did."""
    data = bytearray(path.read_bytes())
    data[20:200] = b"\xff" * 180
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["qrels/part-0.parquet", "run1/part-1.parquet"])
def test_a_damaged_file_is_an_error_in_words(spark, tmp_path, name):
    paths = write_folders(collection(30), tmp_path)
    damaged(tmp_path / name)
    done = CliRunner().invoke(main, ["evaluate", paths["qrels"], paths["run1"], "-m", "AP", "--engine", "spark"])
    assert done.exit_code == 3
    assert "Traceback" not in done.output
    assert name in done.stderr


def test_a_part_with_other_columns_is_named(spark, tmp_path):
    given = collection(30)
    paths = write_folders(given, tmp_path)
    odd = given.run.slice(0, 5).rename_columns(["a", "b", "c"])
    parquet.write_table(odd, tmp_path / "run1" / "part-9.parquet")
    with pytest.raises(DataError, match=r"part-9\.parquet"):
        on_spark.evaluate(paths["qrels"], paths["run1"], "AP")
