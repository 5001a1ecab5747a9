"""Click logs on a cluster become the labels that they become on one machine."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import compute, parquet

import cranfield as cf
from cranfield import demo
from cranfield import spark as on_spark
from cranfield.cli import cranfield as main
from cranfield.click_models.model import Fitting
from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.spark import click_labels
from tests.effort import few_or
from tests.spark.click_logs import impressions, results
from tests.spark.test_cluster import killing, python_workers


def by_document(labels: cf.ClickLabels) -> dict[tuple[str, str], tuple[float, ...]]:
    """Everything that is known of each document."""
    names = ("estimate", "low", "high", "impressions", "clicks")
    return {
        (labels.pairs.queries[query], labels.pairs.documents[document]): numbers
        for query, document, *numbers in zip(
            labels.pairs.query.tolist(),
            labels.pairs.document.tolist(),
            *(getattr(labels, name).tolist() for name in names),
            strict=True,
        )
    }


def frame(spark, table: pa.Table):
    """The rows in another order, and in several parts."""
    order = np.random.default_rng(3).permutation(len(table))
    return spark.createDataFrame(table.take(pa.array(order))).repartition(3)


@pytest.mark.parametrize("model", few_or(["SDBN"], ["DCTR", "CM", "DCM"]))
def test_models_that_are_counted_have_the_same_bits_whatever_the_order_of_rows(spark, model):
    log = impressions()
    local = cf.clicks(log.to_pylist(), model)
    there = on_spark.clicks(frame(spark, results(log)), model, partitions=3)
    fetched = there.collect()
    assert by_document(fetched) == by_document(local)
    assert str(there) == str(fetched) == str(local)
    assert fetched.to_dict() == local.to_dict()


def test_models_that_are_learnt_in_rounds_end_where_they_end_on_one_machine(spark, tmp_path):
    log = impressions()
    local = cf.clicks(log.to_pylist(), "UBM", mapping="threshold", thresholds=[0.2, 0.5])
    there = on_spark.clicks(frame(spark, log), "UBM", mapping="threshold", thresholds=[0.2, 0.5], partitions=2)
    fetched = there.collect()
    assert fetched.model.rounds == local.model.rounds
    assert by_document(fetched).keys() == by_document(local).keys()
    for pair, numbers in by_document(local).items():
        assert by_document(fetched)[pair] == pytest.approx(numbers, abs=1e-9)
    assert str(there) == str(local)
    judged = {(row["query"], row["document"]): row["grade"] for row in there.judgments().collect()}
    here = {(row["query"], row["document"]): row["grade"] for row in fetched.to_dict()["labels"]}
    assert judged == here
    there.write(tmp_path / "labels.qrels")
    assert cf.read_judgments(tmp_path / "labels.qrels").queries == tuple(sorted({query for query, _ in here}))


def test_labels_of_a_cluster_are_judgments_for_it(spark):
    log = impressions()
    labels = on_spark.clicks(spark.createDataFrame(log), "DCTR")
    run = [(f"q{at:02}", f"d{at % 8}", 1.0) for at in range(12)]
    there = on_spark.evaluate(
        labels.judgments(), spark.createDataFrame(run, "query string, document string, score double"), "nDCG"
    )
    flat = {query: {document: score} for query, document, score in run}
    assert there.means() == cf.evaluate(labels.collect().judgments, flat, "nDCG").means()
    assert labels.labels().columns == ["query", "document", "grade", "estimate", "low", "high", "impressions", "clicks"]


def test_grades_that_people_gave_calibrate(spark):
    log = impressions()
    people = {f"q{at:02}": {f"d{document}": document // 3 for document in range(8)} for at in range(12)}
    local = cf.clicks(log.to_pylist(), "DCTR", judgments=people, min_impressions=5)
    there = on_spark.clicks(frame(spark, log), "DCTR", judgments=people, min_impressions=5)
    assert there.grading.to_dict() == local.grading.to_dict()
    assert there.verdict().split("agree")[0] == local.verdict().split("agree")[0]


def test_shares_of_very_many_documents_end_at_the_same_estimates(spark, monkeypatch):
    estimates = [0.25, 0.5, 0.5, 0.5, 0.5000001, 1e-9, 2e-9, 0.75, 0.999]
    labels = spark.createDataFrame([(value,) for value in estimates], "estimate double")
    places = [0, 2, 4, 6, 8]
    assert click_labels._at_places(labels, len(estimates), places) == [sorted(estimates)[at] for at in places]
    monkeypatch.setattr(click_labels, "MOST_FETCHED", 0)
    assert click_labels._at_places(labels, len(estimates), places) == [sorted(estimates)[at] for at in places]
    assert click_labels._above(labels, 0.5) == 0.5000001
    assert click_labels._above(labels, 0.999) == float("inf")


def test_a_killed_worker_changes_nothing(spark):
    log = frame(spark, impressions(1000))
    before = on_spark.clicks(log, "PBM", fitting=Fitting(iterations=8), partitions=4).collect()
    killer = killing(python_workers)
    after = on_spark.clicks(log, "PBM", fitting=Fitting(iterations=8), partitions=3).collect()
    killer.join()
    assert by_document(after) == by_document(before)
    assert (
        after.model.parameters["examination"].values.tobytes()
        == before.model.parameters["examination"].values.tobytes()
    )


def test_a_log_in_parquet_is_named_by_its_folder(spark, tmp_path):
    (tmp_path / "log").mkdir()
    log = impressions()
    for at in range(2):
        parquet.write_table(log.slice(at * 200, 200), tmp_path / "log" / f"part-{at}.parquet")
    assert by_document(on_spark.clicks(tmp_path / "log", "DCTR").collect()) == by_document(
        cf.clicks(log.to_pylist(), "DCTR")
    )
    with pytest.raises(UsageError, match="is not Parquet"):
        on_spark.clicks(demo.path("clicks.csv"), "DCTR")


# What is wrong


def test_bad_rows_are_refused_in_the_words_of_one_machine(spark):
    rows = [
        ("s1", "q1", 1, "a", 2),
        ("s1", "q1", 2, "b", 0),
        ("s2", "q1", 0, None, 1),
        ("s3", None, -4, "c", 1),
    ]
    names = ["session", "query", "position", "document", "clicked"]
    with pytest.raises(DataError) as local:
        cf.clicks([dict(zip(names, row, strict=True)) for row in rows], "DCTR")
    types = "session string, query string, position int, document string, clicked int"
    with pytest.raises(DataError) as there:
        on_spark.clicks(spark.createDataFrame(rows, types), "DCTR")
    kinds = [sorted(one.kind for one in error.value.findings) for error in (local, there)]
    assert kinds[0] == kinds[1]
    assert "query 'q1', document 'a': clicked is 2; expected 0 or 1" in str(there.value)


def test_what_is_surprising_is_told_of_the_whole_log(spark):
    twice = results(impressions(30))
    twice = pa.concat_tables([twice, twice.set_column(2, "position", compute.add(twice["position"], 20))])
    ordered = twice.sort_by([("session", "ascending"), ("position", "ascending")])
    local = cf.clicks(ordered.to_pylist(), "DCTR", min_impressions=2)
    there = on_spark.clicks(frame(spark, twice), "DCTR", min_impressions=2, partitions=5)
    assert sorted(map(str, there.warnings)) == sorted(map(str, local.warnings))
    assert there.warnings


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ("session string, query string, document string, clicked int", "there is no position"),
        ("query string, position int, document string, clicked int", "there is no session"),
        ("query_id string, user_query string, query_response_hit_ids array<string>, timestamp string", "UBI"),
        ("session string, query double, documents array<string>, clicks array<int>", "'query' has the type double"),
        ("session string, words string", "these are not the columns of a click log"),
    ],
)
def test_logs_that_cannot_be_read_are_refused_before_anything_runs(spark, types, words):
    with pytest.raises(CranfieldError, match=words):
        on_spark.clicks(spark.createDataFrame([], types), "PBM")


def test_models_that_need_whole_impressions_are_refused_with_those_that_do_not(spark):
    log = spark.createDataFrame(impressions(5))
    for model in ("DBN", "CCM", "TCM"):
        with pytest.raises(UsageError, match=r"Choose one of DCTR, PBM, CM, DCM, SDBN, UBM"):
            on_spark.clicks(log, model)
    with pytest.raises(UsageError, match=r"stops=False\) cannot be fitted on Spark"):
        on_spark.clicks(log, "DCM", fitting=Fitting(stops=False))
    with pytest.raises(CranfieldError, match="GCTR"):
        on_spark.clicks(log, "GCTR")
    with pytest.raises(DataError, match="no document was shown 100 times"):
        on_spark.clicks(log, "DCTR", min_impressions=100)
    with pytest.raises(DataError, match="the input is empty"):
        on_spark.clicks(log.limit(0), "DCTR")


def test_a_data_frame_that_is_read_on_one_machine_is_refused_with_the_call_for_it(spark):
    with pytest.raises(UsageError, match=r"cranfield\.spark\.clicks\(log, model\)"):
        cf.clicks(spark.createDataFrame(impressions(5)))


# The command


def test_the_command_prints_what_it_prints_without_spark(spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parquet.write_table(impressions(), "log.parquet")
    arguments = ["clicks", "log.parquet", "--model", "SDBN", "--format", "json", "--labels", "-o"]
    local, there = (
        CliRunner().invoke(main, [*arguments, f"{engine}.qrels", "--engine", engine], catch_exceptions=False)
        for engine in ("local", "spark")
    )
    assert there.exit_code == 0
    assert there.stdout == local.stdout
    local_lines, lines = ((tmp_path / f"{engine}.qrels").read_text().splitlines() for engine in ("local", "spark"))
    assert lines[:3] == local_lines[:3]  # what the labels are made from
    assert lines[3:] == sorted(local_lines[3:])  # rows of a data frame have no order


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--model", "PBM", "--interval", "bootstrap"], "--interval bootstrap draws sessions"),
        ([], "name it, as in --model PBM"),
        (["--model", "PBM", "--model", "UBM"], "fits one model"),
        (["--model", "PBM", "--click-action", "buy"], "--click-action is about events"),
        (["--model", "PBM", "more.parquet"], "reads one log"),
    ],
)
def test_options_that_need_the_log_here_are_refused(options, words):
    done = CliRunner().invoke(main, ["clicks", "log.parquet", "--engine", "spark", *options])
    assert done.exit_code == 2
    assert words in done.stderr
