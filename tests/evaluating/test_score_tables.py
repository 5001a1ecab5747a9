"""Scores as tables."""

import math

import cranfield as cf
from cranfield.evaluating.score_tables import Evaluation, bounds_table

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 1.0, "d9": 0.5}, "q2": {"d8": 1.0}}


def scores(*measures):
    return cf.evaluate(QRELS, {"bm25": RUN}, measures)


def test_a_program_gets_a_row_per_number():
    table = Evaluation(scores("RR", "NumRet")).rows()
    assert table.columns["measure"] == ["RR", "NumRet"]
    assert table.columns["query"] == ["all", "all"]
    assert table.columns["value"] == [0.25, 4]
    assert table.columns["queries"] == ["2/2", "2/2"]


def test_queries_come_before_their_mean():
    table = Evaluation(scores("RR"), with_queries=True).rows()
    assert table.columns["query"] == ["q1", "q2", "all"]
    assert table.columns["value"] == [0.5, 0.0, 0.25]


def test_only_queries_that_count_are_listed():
    silent = cf.evaluate(QRELS, {"bm25": {"q1": ["d1"]}}, "RR", average_over="answered")
    assert Evaluation(silent, with_queries=True).rows().columns["query"] == ["q1", "all"]


def test_bounds_are_columns_of_their_own_for_queries_and_means():
    table = Evaluation(scores("RR"), with_queries=True, bounds=("ties", "unjudged")).rows()
    assert table.columns["ties low"] == [0.5, 0.0, 0.25]
    assert table.columns["ties expected"] == [0.75, 0.0, 0.375]
    assert table.columns["ties high"] == [1.0, 0.0, 0.5]
    assert table.columns["unjudged low"] == [0.5, 0.0, 0.25]
    assert table.columns["unjudged high"] == [0.5, 1.0, 0.75]


def test_a_bound_nobody_knows_is_a_dash_for_people_and_nothing_for_programs():
    assert bounds_table(scores("AP"), "unjudged").columns["high"] == ["–"]
    assert math.isnan(Evaluation(scores("AP"), bounds=("unjudged",)).rows().columns["unjudged high"][0])


def test_with_many_ties_a_measure_that_a_better_document_may_harm_has_only_an_expectation():
    tied = {f"d{number}": 1.0 for number in range(9)}
    table = bounds_table(cf.evaluate({"q1": {"d1": 1, "d2": 0, "d3": -1, "d4": 1}}, {"q1": tied}, "infAP"), "ties")
    assert table.columns["low"] == ["–"]
    assert table.columns["expected"][0] > 0
