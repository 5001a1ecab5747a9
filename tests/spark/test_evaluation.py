"""Whatever is evaluated on a cluster is exactly what it is on one machine."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import cranfield as cf
from cranfield import spark as on_spark
from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.evaluating.saved_scores import to_dict
from tests.effort import few_or
from tests.spark.collections import EVERY_MEASURE, Collection, collection

MEASURES = ["nDCG@10", "AP", "ERR", "GMAP", "num_ret", "RR"]


def frames(spark, given: Collection):
    """The tables as data frames, rows in another order."""
    rng = np.random.default_rng(7)
    tables = {"": given.judgments, **given.runs}
    shuffled = {name: table.take(pa.array(rng.permutation(len(table)))) for name, table in tables.items()}
    mixed = {name: spark.createDataFrame(table).repartition(3) for name, table in shuffled.items()}
    return mixed.pop(""), mixed


def assert_same(local: cf.Scores, there: on_spark.SparkScores) -> None:
    """The same summary, warnings, coverage and scores, to the last bit."""
    assert str(there.summary()) == str(local.summary())
    assert there.summary().to_dict() == local.summary().to_dict()
    fetched = there.collect()
    assert fetched.values.tobytes() == local.values.tobytes()
    assert to_dict(fetched) == to_dict(local)


def frame(spark, rows, columns: str):
    return spark.createDataFrame(rows, columns)


@pytest.mark.parametrize("partitions", few_or([7], [1, 2, 200]))
def test_every_measure_has_the_same_bits_whatever_the_partitions_and_the_order_of_rows(spark, partitions):
    given = collection(60, runs=2)
    judgments, runs = frames(spark, given)
    there = on_spark.evaluate(judgments, runs, EVERY_MEASURE, partitions=partitions)
    assert_same(cf.evaluate(given.judgments, given.runs, EVERY_MEASURE), there)


def test_scores_by_query_are_a_data_frame(spark):
    judgments = frame(spark, [("q1", "d1", 1), ("q2", "d1", 0)], "query string, document string, grade int")
    run = frame(spark, [("q1", "d2", 2.0), ("q1", "d1", 1.0)], "query string, document string, score double")
    scores = on_spark.evaluate(judgments, run, ["RR", "Rprec"])
    rows = scores.per_query().orderBy("query", "measure").collect()
    assert [tuple(row) for row in rows] == [
        ("run", "q1", "RR", 0.5),
        ("run", "q1", "Rprec", 0.0),
        ("run", "q2", "RR", 0.0),
        ("run", "q2", "Rprec", None),
    ]
    assert repr(scores) == "SparkScores(1 run, 2 queries, RR, Rprec)"
    assert (scores.mean("RR").value, scores.means()["RR"]) == (0.25, 0.25)
    with pytest.raises(UsageError, match=r"collect\(\) fetches them all"):
        scores["RR"]


def test_settings_mean_what_they_mean_on_one_machine(spark):
    given = collection(40)
    judgments, runs = frames(spark, given)
    settings = {
        "ties": "average",
        "average_over": "answered",
        "without_relevant": "drop",
        "depth": 20,
        "group_by": {f"d{at}": f"d{at // 3}" for at in range(100)},
        "only_queries": [f"q{at:06}" for at in range(5, 30)] + ["q9"],
    }
    local = cf.evaluate(given.judgments, given.runs, MEASURES, **settings)
    assert_same(local, on_spark.evaluate(judgments, runs, MEASURES, **settings))


def test_a_result_of_a_cluster_is_saved_and_compared_like_any_other(spark, tmp_path):
    given = collection(20, runs=2)
    judgments, runs = frames(spark, given)
    there = on_spark.evaluate(judgments, {"run1": runs["run1"]}, "AP")
    there.save(tmp_path / "run1.json")
    local = [cf.evaluate(given.judgments, {name: run}, "AP") for name, run in given.runs.items()]
    cf.save(local[0], tmp_path / "local.json")
    assert (tmp_path / "run1.json").read_text() == (tmp_path / "local.json").read_text()
    assert "run2" in str(cf.compare([cf.load(tmp_path / "run1.json"), local[1]]))


def test_ids_of_all_types_and_numbers_of_all_types_meet(spark):
    judgments = frame(
        spark, [(1, "7", Decimal("2.5")), (2, "8", Decimal(1))], "user_id int, item string, rating decimal(4,1)"
    )
    run = frame(spark, [("1", 7, 0.5), ("1", 9, 0.7), ("2", 8, 0.1)], "user_id string, item bigint, score float")
    there = on_spark.evaluate(
        judgments, run, ["RR", "nDCG"], columns="query=user_id,document=item,grade=rating,score=score"
    )
    local = cf.evaluate(
        {"1": {"7": 2.5}, "2": {"8": 1}}, {"run": {"1": {"7": 0.5, "9": 0.7}, "2": {"8": 0.1}}}, ["RR", "nDCG"]
    )
    assert there.means("run") == local.means("run")


def test_ids_that_a_collation_holds_for_equal_stay_two(spark):
    judgments = frame(spark, [("Q1", "d", 1), ("q1", "D", 1)], "query string, document string, grade int")
    run = frame(spark, [("Q1", "D", 1.0), ("q1", "D", 1.0)], "query string, document string, score double")
    folded = [
        one.selectExpr("collate(query, 'UTF8_LCASE') query", "document", other)
        for one, other in ((judgments, "grade"), (run, "score"))
    ]
    assert on_spark.evaluate(*folded, "RR").means() == {"RR": 0.5}


def test_a_column_distinguishes_runs(spark):
    judgments = frame(spark, [("q1", "d1", 1), ("q2", "d1", 1)], "query string, document string, grade int")
    rows = [("b", "q1", "d1", 1.0), ("a", "q2", "d1", 1.0), ("a", "q1", "d2", 1.0)]
    runs = frame(spark, rows, "system string, query string, document string, score double")
    there = on_spark.evaluate(judgments, runs, "RR")
    assert {run: there.means(run)["RR"] for run in there.runs} == {"a": 0.5, "b": 0.5}


def test_runs_with_the_same_rows_are_told(spark):
    given = collection(10)
    judgments, runs = frames(spark, given)
    there = on_spark.evaluate(judgments, {"a": runs["run1"], "b": runs["run1"].repartition(2)}, "AP")
    assert_same(cf.evaluate(given.judgments, {"a": given.run, "b": given.run}, "AP"), there)


RANKS = [("q1", "a", 0), ("q1", "b", 1), ("q2", "b", 0), ("q2", "a", 3)]


def test_ranks_are_positions_and_what_is_odd_about_them_is_told(spark):
    judgments = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    rows = pa.table(dict(zip(("query", "document", "rank"), map(list, zip(*RANKS, strict=True)), strict=True)))
    local = cf.evaluate(judgments, rows, ["RR", "nDCG"])
    flat = [(query, name, grade) for query, of_query in judgments.items() for name, grade in of_query.items()]
    there = on_spark.evaluate(
        frame(spark, flat, "query string, document string, grade int"),
        frame(spark, RANKS, "query string, document string, rank int"),
        ["RR", "nDCG"],
    )
    assert there.means() == local.means()
    assert [warning.kind for warning in there.warnings] == [warning.kind for warning in local.warnings]


# What is wrong

JUDGED = [("q1", "a", 1), ("q2", "b", 1), ("q3", "c", 1)]
BAD = [
    *[("q1", "a", 1.0), ("q1", "a", 0.5)],
    *[("q2", "b", None), ("q2", "c", float("nan"))],
    *[("q3", None, 1.0), (None, "a", 1.0), ("q3", "a\0", 1.0)],
]


def test_bad_rows_are_refused_in_the_words_of_one_machine_without_trying_again(spark):
    table = pa.table(dict(zip(("query", "document", "score"), map(list, zip(*BAD, strict=True)), strict=True)))
    with pytest.raises(DataError) as local:
        cf.evaluate([*JUDGED], table, "AP")
    with pytest.raises(DataError) as there:
        on_spark.evaluate(
            frame(spark, JUDGED, "query string, document string, grade int"), spark.createDataFrame(table), "AP"
        )
    kinds = [sorted(one.kind for one in error.value.findings) for error in (local, there)]
    assert kinds[0] == kinds[1]
    assert {one.advice for one in there.value.findings} == {one.advice for one in local.value.findings}
    told = str(there.value)
    assert "run: query 'q1' lists document 'a' again\n" in told
    assert "run: query 'q2', document 'b': the score is missing; expected a number" in told
    assert "run: query 'q2', document 'c': the score is NaN; expected a number" in told
    assert "run: query 'q3': the document id is missing; expected text or a whole number" in told
    assert "run: the query id is missing; expected text or a whole number" in told
    assert "contains a NUL character" in told


@pytest.mark.parametrize(
    "rows", [[("x1", "a", 1.0)], [(f"q{at}", "x", 1.0) for at in (1, 2, 3)]], ids=["queries", "documents"]
)
def test_ids_that_never_meet_are_refused_in_the_words_of_one_machine(spark, rows):
    table = pa.table(dict(zip(("query", "document", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    with pytest.raises(DataError) as local:
        cf.evaluate([*JUDGED], table, "AP")
    with pytest.raises(DataError) as there:
        on_spark.evaluate(
            frame(spark, JUDGED, "query string, document string, grade int"), spark.createDataFrame(table), "AP"
        )
    assert str(there.value) == str(local.value)


def test_problems_are_counted_and_a_few_are_shown(spark):
    judgments = frame(spark, [(f"q{at}", "a", 1) for at in range(50)], "query string, document string, grade int")
    run = frame(spark, [(f"q{at}", "a", 1.0) for at in range(50)] * 2, "query string, document string, score double")
    with pytest.raises(DataError) as error:
        on_spark.evaluate(judgments, run, "AP")
    assert len(error.value.findings) == 3
    assert "(and 47 more like it)" in str(error.value)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "the input is empty"),
        ([("q1", "a", None)], "the only row has no grade"),
        ([("q1", "a", 1.0), ("q1", "a", 0.0)], "query 'q1', document 'a' is judged"),
        ([("q1", "a", 1e200)], "expected a number of at most 1e+100"),
    ],
)
def test_bad_judgments_are_refused_in_the_words_of_one_machine(spark, rows, words):
    run = frame(spark, [("q1", "a", 1.0)], "query string, document string, score double")
    with pytest.raises(DataError) as error:
        on_spark.evaluate(frame(spark, rows, "query string, document string, grade double"), run, "AP")
    assert words in str(error.value)


def test_an_empty_run_is_refused(spark):
    judgments = frame(spark, JUDGED, "query string, document string, grade int")
    with pytest.raises(DataError, match="the input is empty"):
        on_spark.evaluate(judgments, frame(spark, [], "query string, document string, score double"), "AP")


def test_odd_but_sound_rows_score_as_on_one_machine(spark):
    judged = [
        ("q 1", "ä", 1.5),
        ("q 1", "🌱", -1.0),
        ("q2", "a b", 0.5),
        ("q2", "c", 9000.0),
        *(("q3", f"d{at}", 1.0) for at in range(30)),
    ]
    rows = [
        ("q 1", "🌱", float("inf")),
        ("q 1", "ä", float("-inf")),
        ("q2", "a b", -0.0),
        ("q2", "c", 0.0),
        ("q3", "d1", 1e-320),
    ]
    tables = [
        pa.table(dict(zip(names, map(list, zip(*given, strict=True)), strict=True)))
        for names, given in ((("query", "document", "grade"), judged), (("query", "document", "score"), rows))
    ]
    local = cf.evaluate(*tables, MEASURES)
    assert_same(local, on_spark.evaluate(*map(spark.createDataFrame, tables), MEASURES))


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ("query double, document string, score double", "the column 'query' has the type double"),
        ("query string, document string, score string", "the column 'score' has the type string"),
        ("query string, document string, points double", "score"),
    ],
)
def test_columns_of_other_types_or_names_are_refused_before_anything_runs(spark, types, words):
    judgments = frame(spark, JUDGED, "query string, document string, grade int")
    with pytest.raises(CranfieldError, match=words):
        on_spark.evaluate(judgments, spark.createDataFrame([], types), "AP")


def test_an_order_of_rows_is_refused_as_data_frames_have_none(spark):
    judgments = frame(spark, JUDGED, "query string, document string, grade int")
    with pytest.raises(UsageError, match="the rows of a data frame have no order"):
        on_spark.evaluate(judgments, judgments, "AP", ties="given")


def test_what_is_in_memory_is_no_data_frame(spark):
    with pytest.raises(UsageError, match="Judgments must be a Spark data frame"):
        on_spark.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1}}, "AP")


def test_evaluating_a_data_frame_on_one_machine_names_the_call_for_it(spark):
    judgments = frame(spark, JUDGED, "query string, document string, grade int")
    with pytest.raises(UsageError, match=r"cranfield\.spark\.evaluate"):
        cf.evaluate(judgments, {"q1": {"a": 1.0}}, "AP")


def test_one_query_of_very_many_tied_documents_is_one_among_others(spark):
    count = few_or(200_000, 10_000_000)
    rows = spark.range(count).selectExpr(
        "'q0' query", "concat('d', id) document", "if(id % 100 = 0, id, 1) * 1.0D score"
    )
    small = spark.range(2_000).selectExpr(
        "concat('q', 1 + id % 500) query", "concat('d', id) document", "id * 1.0D score"
    )
    judgments = spark.range(1_000).selectExpr(
        "concat('q', id % 501) query", "concat('d', id * 7) document", "cast(id % 3 as int) grade"
    )
    run = rows.unionAll(small)
    there = on_spark.evaluate(judgments, run, ["nDCG@10", "AP"])
    assert_same(
        cf.evaluate(judgments.orderBy("query").toArrow(), run.orderBy("query").toArrow(), ["nDCG@10", "AP"]), there
    )
