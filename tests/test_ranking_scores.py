"""Scores of rankings that were typed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

import cranfield as cf
from cranfield import UsageError


def test_scores_are_those_of_the_measures():
    texts = ["1011110001", "0100111011", "2-1|1"]
    found = cf.score(texts, "AP nDCG@5 RR")
    for measure in (cf.AP, cf.nDCG @ 5, cf.RR):
        assert found[measure] == pytest.approx([float(measure(text)) for text in texts])
        assert found.mean(measure) == pytest.approx(sum(found[measure]) / 3)


def test_scores_are_those_of_an_evaluation_of_files():
    judged = {"q1": {"d1": 3, "d3": 1, "m1": 2}, "q2": {"d2": 1}}
    run = {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d2"]}
    measures = "AP nDCG ERR RBP Bpref SetF"
    evaluated = cf.evaluate(judged, run, measures)
    found = cf.score(["3-1|2", "-1"], measures)
    for measure in evaluated.measures:
        assert found[measure] == evaluated[measure][0].tolist()


def test_one_ranking_may_be_a_list():
    assert cf.score([1, 0, 1, 1], "AP")["AP"] == cf.score("1011", "AP")["AP"]


def test_nothing_but_unjudged_documents_can_be_scored():
    found = cf.score("---", "AP RR P@3 Judged@3")
    assert math.isnan(found["AP"][0])
    assert [found[name] for name in ("RR", "P@3", "Judged@3")] == [[0], [0], [0]]


def test_a_score_is_explained():
    found = cf.score(["1 0", "3 0 1"], "ERR AP")
    explanation = found.explain("ERR", 1)
    assert explanation.value == found["ERR"][0]
    assert explanation.working.result == pytest.approx(explanation.value)
    assert str(explanation).startswith("ERR = 0.1250 for the ranking 1 0\n")
    assert found.explain().measure == cf.ERR
    with pytest.raises(UsageError, match="ranking must be a number from 1 to 2, not 3"):
        found.explain("AP", 3)


def test_a_curve_is_drawn():
    curve = cf.score(["0101010000|+12", "10"]).curve("pr", ranking=1)
    assert curve.title == "Precision and recall at each rank, ranking 0101010000|+12"
    assert curve.lines[0].y[:3].tolist() == pytest.approx([0, 1 / 2, 1 / 3])
    with pytest.raises(UsageError, match="No document is relevant"):
        cf.score("00").curve()


def test_a_mean_over_rankings_has_no_interval():
    curve = cf.score(["10", "01"]).curve("pr11")
    assert math.isnan(curve.lines[0].low[0])
    assert list(curve.table().columns) == ["run", "query", "recall", "precision"]
    assert curve.notes == ("Means over 2 rankings.",)


def test_many_measures_on_a_narrow_terminal_stand_below_each_other():
    found = cf.score("1 0 1 1 0", [f"P@{k}" for k in range(1, 11)])
    assert max(map(len, found.text(width=40).splitlines()[:-1])) <= 40
    assert found.text(width=40).splitlines()[3].split() == ["P@1", "1.0000"]


def test_two_rankings_that_are_alike_keep_their_columns():
    found = cf.score(["10", "10"], "P@1 P@2 AP")
    assert found.text(width=20).splitlines()[0].split() == ["10", "10", "(2)", "mean"]


@pytest.mark.parametrize("nothing", [[], "", [""]])
def test_an_empty_ranking_is_refused(nothing):
    with pytest.raises(UsageError, match="An empty ranking was given"):
        cf.score(nothing, "AP")


def test_numbers_of_relevant_documents_are_one_or_one_for_each():
    assert cf.score(["10", "01"], "R@1", relevant=[1, 2])["R@1"] == [1, 0]
    with pytest.raises(UsageError, match="relevant= has 3 numbers for 2 rankings"):
        cf.score(["10", "01"], "R@1", relevant=[1, 2, 3])


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30).filter(any))
def test_ndcg_and_average_precision_are_those_of_scikit_learn(grades):
    order = np.arange(len(grades), 0, -1)
    assert cf.score(grades, "nDCG")["nDCG"] == pytest.approx([ndcg_score([grades], [order])])
    relevant = [grade > 0 for grade in grades]
    assert cf.score(grades, "AP")["AP"] == pytest.approx([average_precision_score(relevant, order)])


def test_measures_are_called_as_they_were_spelt():
    found = cf.score(["101", "01"], "map hit_rate@2")
    assert found["AP"] == found["map"]
    assert "map is AP; hit_rate@2 is Success@2." in str(found)
    assert found.rows().columns["canonical"] == ["AP"] * 3 + ["Success@2"] * 3
    assert found.to_dict()["measures"][0] == {"measure": "map", "canonical": "AP"}
