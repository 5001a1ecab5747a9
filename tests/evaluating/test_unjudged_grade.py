"""A grade for unjudged documents: the same bits as judgments to which every document of the run was added by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import UsageError
from cranfield.evaluating.saved_scores import load, save
from tests.effort import examples

MEASURES = (
    "nDCG nDCG@3 nDCG(gain=exponential)@5 DCG@4 ERR@5 RBP P(rel=2)@3 P@3 RR RR(rel=3)@2 Success@2 AP(rel=2) R(rel=2)@3 "
    "Rprec(rel=2) Bpref(rel=2) Q F(rel=2)@3 SetF(rel=2) IPrec(rel=2)@0.5 NumRel(rel=2) NumRet NumRelRet"
)
ABOUT_JUDGING = "Judged@3 Unjudged@3 RBPResidual"
documents = st.sampled_from([f"d{at}" for at in range(12)])
judgments_of = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(documents, st.sampled_from([-1, 0, 1, 2, 3]), min_size=1),
    min_size=1,
)
runs_of = st.dictionaries(
    st.sampled_from(["q1", "q2"]),
    st.dictionaries(documents, st.sampled_from([0.5, 1.0, 2.0, 3.0]), min_size=1),
    min_size=1,
)


def judged_by_hand(judgments, run, grade):
    """Judgments with the grade for every document that the run retrieved and nobody judged."""
    return {
        query: {
            **grades,
            **{name: grade for name in run.get(query, ()) if grades.get(name, -1) < 0},
        }
        for query, grades in judgments.items()
    }


@examples(60)
@given(
    judgments_of,
    runs_of,
    st.sampled_from([0, 0.5, 1]),
    st.sampled_from([None, 1, 3]),
    st.sampled_from(["document", "given", "average"]),
)
def test_scores_are_those_of_judgments_that_were_completed_by_hand(judgments, run, grade, depth, ties):
    judgments, run = {"q1": {"d99": 3}} | judgments, {"q1": {"d98": 1.0}} | run
    judgments["q3"] = {"d99": 3}  # the largest grade, whatever else was drawn
    choices = {"depth": depth, "ties": ties}
    graded = cf.evaluate(judgments, run, MEASURES, unjudged_grade=grade, **choices)
    by_hand = cf.evaluate(judged_by_hand(judgments, run, grade), run, MEASURES, **choices)
    if ties == "average":  # fewer formulas are exact then
        assert np.allclose(graded.values, by_hand.values, atol=0.05, equal_nan=True)
    else:
        assert np.array_equal(graded.values, by_hand.values, equal_nan=True)


def test_what_was_judged_is_told_as_it_is():
    judgments, run = {"q1": {"a": 2, "b": 0}}, {"q1": ["x", "a", "y", "b"]}
    plain, graded = (
        cf.evaluate(judgments, run, f"nDCG@3 {ABOUT_JUDGING}", unjudged_grade=grade) for grade in (None, 1)
    )
    assert np.array_equal(plain.values[1:], graded.values[1:])
    assert plain.provenance.runs[0].unjudged == graded.provenance.runs[0].unjudged


def test_bounds_are_those_of_documents_without_a_grade():
    judgments, run = {"q1": {"a": 2, "b": 0}}, {"q1": ["x", "a", "y", "b"]}
    plain, graded = (
        cf.evaluate(judgments, run, "P@3 DCG", unjudged_grade=grade).unjudged_bounds() for grade in (None, 1)
    )
    assert np.array_equal(plain["run"].low, graded["run"].low)
    assert np.array_equal(plain["run"].high, graded["run"].high)


def test_elasticsearch_s_rating_of_unknown_documents_gives_the_same_dcg():
    # `_rank_eval` with `unknown_doc_rating: 1` adds (2^1 - 1) / log2(rank + 1) for each unrated hit.
    scores = cf.evaluate({"q1": {"a": 3, "b": 0}}, {"q1": ["x", "a", "b"]}, "DCG(gain=exponential)@3", unjudged_grade=1)
    assert float(scores) == pytest.approx(1 / np.log2(2) + 7 / np.log2(3))


@pytest.mark.parametrize(
    ("measure", "choices", "message"),
    [
        ("AP", {"unjudged_grade": 1}, "AP depends on how many documents are relevant"),
        ("R(rel=2)@5", {"unjudged_grade": 2}, "relevant from grade 2"),
        ("P@5", {"unjudged_grade": 1, "judged_only": True}, "choose one"),
        ("StRecall@5", {"unjudged_grade": 0}, "reads several grades"),
        ("P@5", {"unjudged_grade": 4}, "above the largest grade of the judgments, 3"),
        ("P@5", {"unjudged_grade": -1}, "at least 0"),
        ("P@5", {"unjudged_grade": "1"}, "at least 0"),
        ("P@5", {"unjudged_grade": float("nan")}, "at least 0"),
        ("P@5", {"unjudged_grade": True}, "at least 0"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(measure, choices, message):
    with pytest.raises(UsageError) as error:
        cf.evaluate({"q1": {"a": 3}}, {"q1": ["a"]}, measure, **choices)
    assert message in str(error.value)


def test_saved_results_keep_it_and_its_exceptions(tmp_path):
    scores = cf.evaluate({"q1": {"a": 3}}, {"q1": ["b", "a"]}, "P@2 Judged@2", unjudged_grade=1)
    save(scores, tmp_path / "scores.json")
    loaded = load(tmp_path / "scores.json")
    assert loaded.provenance.settings == scores.provenance.settings
    assert [one.unjudged_grade for one in loaded.provenance.settings] == [1, None]


def test_the_table_and_the_explanation_say_so():
    judgments, run = {"q1": {"a": 3}}, {"q1": ["b", "a"]}
    assert "unjudged documents with grade 1" in str(cf.evaluate(judgments, run, "nDCG@2", unjudged_grade=1))
    explained = cf.explain(judgments, run, "nDCG@2", "q1", unjudged_grade=1)
    assert explained.value == pytest.approx((1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3)))
    assert explained.working.result == pytest.approx(explained.value)
    assert "count as judged, with grade 1" in str(explained)
    assert explained.to_dict()["settings"]["unjudged_grade"] == 1


def test_comparisons_vary_it_as_they_vary_unjudged_documents():
    judgments = {f"q{at}": {"a": 3, "b": 0} for at in range(12)}
    runs = {"x": {f"q{at}": ["c", "a"] for at in range(12)}, "y": {f"q{at}": ["a", "b", "c"] for at in range(12)}}
    comparison = cf.compare(cf.evaluate(judgments, runs, "nDCG@3", unjudged_grade=1))
    names = [one.name for one in comparison.sensitivity().pairs[0].variations]
    assert "unjudged documents removed" in names
    assert {"nDCG@10", "P@10", "RR"} <= set(names)
    assert not {"AP", "R@100"} & set(names)  # each run would change what they divide by


@pytest.mark.parametrize(("grade", "words"), [(None, "count as not relevant"), (1, "count with grade 1")])
def test_the_verdict_of_saved_results_says_what_unjudged_documents_count_as(tmp_path, grade, words):
    judgments = {f"q{at}": {"a": 3, "b": 0} for at in range(12)}
    runs = {name: {f"q{at}": ["c", "d", "e", "a"] for at in range(12)} for name in "xy"}
    save(cf.evaluate(judgments, runs, "P@10", unjudged_grade=grade), tmp_path / "scores.json")
    assert f"; the others {words}, so treat with care" in cf.compare(load(tmp_path / "scores.json")).verdict()


@pytest.mark.parametrize(("grade", "panels"), [(0, 2), (1, 1)])
def test_the_report_draws_no_recall_of_documents_that_each_run_would_add(grade, panels):
    scores = cf.evaluate({"q1": {"a": 3}}, {"q1": ["b", "a"]}, "P@2", unjudged_grade=grade)
    assert len(cf.report(scores).contents.curves) == panels
