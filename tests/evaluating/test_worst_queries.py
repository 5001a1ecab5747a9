"""The queries with the lowest scores, and those on which every run fails."""

import json

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.evaluating.worst_queries import worst_queries

JUDGED = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}, "q4": {"d1": 1}}
OLD = {"q1": ["d1"], "q2": ["x"], "q3": ["x", "d1"], "q4": ["x"]}
NEW = {"q1": ["d1"], "q2": ["x"], "q3": ["d1"], "q4": ["x", "x2", "x3", "d1"]}


def scores(measures="RR", judged=JUDGED, **runs):
    return cf.evaluate(judged, runs or {"old": OLD, "new": NEW}, measures)


def ids(worst):
    return [row.query for row in worst.worst]


def test_the_lowest_mean_over_runs_comes_first():
    assert ids(scores().worst()) == ["q2", "q4", "q3", "q1"]
    assert [row.mean for row in scores().worst().worst] == [0.0, 0.125, 0.75, 1.0]


def test_as_many_as_are_asked_for():
    assert ids(scores().worst(2)) == ["q2", "q4"]
    assert ids(worst_queries(scores(), None)) == ["q2", "q4", "q3", "q1"]


def test_a_query_fails_in_every_run_where_none_scores_above_0():
    worst = scores().worst()
    assert worst.failing == ("q2",)
    assert [row.fails_in for row in worst.worst] == [2, 1, 0, 0]
    assert worst.verdict() == "1 of 4 queries fails in every run (RR is 0)."


def test_what_a_failure_is_can_be_said():
    worst = scores().worst(failure_threshold=0.5)
    assert worst.failing == ("q2", "q4")
    assert worst.verdict() == "2 of 4 queries fail in every run (RR is 0.5 or less)."


def test_queries_that_fail_in_every_run_come_before_lower_means():
    runs = {
        "a": {"q1": ["x", "x2", "d1"], "q2": ["x"], "q3": ["d1"], "q4": ["d1"]},
        "b": {"q1": ["x", "x2", "d1"], "q2": ["x", "d1"], "q3": ["d1"], "q4": ["d1"]},
    }
    worst = scores(**runs).worst(2, failure_threshold=1 / 3)
    assert ids(worst) == ["q1", "q2"]
    assert [row.mean for row in worst.worst] == [pytest.approx(1 / 3), 0.25]


def test_where_nothing_fails_it_is_said():
    assert scores(one={query: ["d1"] for query in JUDGED}).worst().verdict() == "No query fails in one (RR is 0)."


def test_a_query_that_nothing_is_relevant_to_is_no_failure_of_a_run():
    worst = scores(judged=JUDGED | {"q0": {"d1": 0}}).worst()
    assert "q0" not in ids(worst)
    assert (worst.queries, worst.without_relevant) == (4, 1)
    assert "1 query without a relevant document is not listed." in worst.table().notes


def test_where_less_is_better_the_highest_score_is_the_worst_and_nothing_fails_unasked():
    worst = scores("SL").worst()
    assert ids(worst) == ["q4", "q3", "q1"]
    assert worst.verdict() == ""
    assert worst.failing == ()
    assert worst.undefined == 1
    assert "1 query for which SL is undefined in every run is not listed." in worst.table().notes
    assert scores("SL").worst(failure_threshold=3).failing == ("q4",)
    assert scores("SL").worst(failure_threshold=3).verdict() == "1 of 3 queries fails in every run (SL is 3 or more)."


def test_a_run_without_a_score_counts_neither_way():
    answered = cf.evaluate(JUDGED, {"old": {"q2": ["x"]}, "new": NEW}, "RR", average_over="answered")
    row = answered.worst(1).worst[0]
    assert (row.query, row.fails_in, row.scored) == ("q2", 2, 2)
    assert answered.worst().worst[1]._replace(scores=()) == ("q4", "", 0.25, (), 0)


def test_a_measure_can_be_named():
    both = scores(["RR", "P@1"])
    assert str(both.worst().measure) == "RR"
    assert both.worst(measure="P@1").failing == ("q2", "q4")


def test_texts_of_queries_are_shown():
    worst = scores().worst(1, queries={"q2": "why do tomatoes crack"})
    assert worst.table().columns["text"] == ["why do tomatoes crack"]
    assert worst.rows().columns["text"] == ["why do tomatoes crack"] * 2
    assert worst.to_dict()["queries"][0]["text"] == "why do tomatoes crack"
    assert "text" not in scores().worst(1).table().columns


def test_a_table_has_a_column_for_each_run():
    table = scores().worst(2).table()
    assert table.columns["old"] == [0.0, 0.0]
    assert table.columns["new"] == [0.0, 0.25]
    assert table.columns["fails in"] == ["every run", "1 of 2 runs"]
    assert table.notes == (
        "2 of 4 queries, lowest mean RR over the runs first; those that fail in every run come before others.",
    )


def test_of_many_runs_it_has_the_mean_and_the_best():
    runs = {f"run {at}": OLD for at in range(6)} | {"best": NEW}
    table = scores(**runs).worst(2).table()
    assert list(table.columns) == ["query", "mean", "best", "best run", "fails in"]
    assert table.columns["best"] == [0.0, 0.25]
    assert table.columns["best run"] == ["", "best"]
    assert table.columns["fails in"] == ["every run", "6 of 7 runs"]


def test_of_one_run_it_has_the_score_alone():
    assert list(scores(one=OLD).worst().table().columns) == ["query", "one"]


def test_a_run_may_have_the_name_of_a_column():
    assert list(scores(mean=OLD, query=NEW).worst().table().columns) == [
        "query",
        "run mean",
        "run query",
        "mean",
        "fails in",
    ]


def test_programs_get_a_row_for_each_query_and_run():
    rows = scores().worst(2).rows()
    assert rows.columns["query"] == ["q2", "q2", "q4", "q4"]
    assert rows.columns["run"] == ["old", "new", "old", "new"]
    assert rows.columns["value"] == [0.0, 0.0, 0.0, 0.25]
    assert rows.columns["fails_in"] == [2, 2, 1, 1]
    plain = json.loads(json.dumps(scores().worst(1).to_dict()))
    assert plain["fail_in_every_run"] == ["q2"]
    assert plain["queries"] == [
        {"query": "q2", "mean": 0.0, "fails_in": 2, "fails_in_every_run": True, "scores": {"old": 0.0, "new": 0.0}}
    ]


def test_it_is_short_where_it_is_not_printed():
    assert repr(scores().worst(2)) == "WorstQueries(2 of 4 queries by RR, 1 query failing in every run)"


@pytest.mark.parametrize("n", [0, -1, 1.5, "3", True])
def test_a_number_of_queries_is_a_whole_number(n):
    with pytest.raises(UsageError, match="n must be a whole number of at least 1"):
        scores().worst(n)


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), "low", True])
def test_a_threshold_is_a_number(threshold):
    with pytest.raises(UsageError, match="failure_threshold must be a number"):
        scores().worst(failure_threshold=threshold)
