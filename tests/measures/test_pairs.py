from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures import AUC
from cranfield.notation import ranking
from tests.effort import examples
from tests.measures.strategies import cases

of_retrieved = AUC(pairs="retrieved")


class TestAUC:
    def test_it_is_the_share_of_pairs_in_the_right_order(self):
        assert AUC(ranking("1010")) == 0.75

    def test_perfect_and_reversed_rankings_are_its_ends(self):
        assert AUC(ranking("1100")) == 1
        assert AUC(ranking("0011")) == 0

    def test_a_document_not_retrieved_comes_after_all_that_were(self):
        assert AUC(ranking("1|0")) == 1
        assert AUC(ranking("0|1")) == 0

    def test_two_that_were_not_retrieved_are_in_order_half_of_the_time(self):
        assert AUC(ranking("|1 0")) == 0.5
        assert AUC(ranking("1|1 0")) == 0.75

    def test_unjudged_and_pooled_documents_take_no_part(self):
        assert AUC(ranking("-1x0-")) == AUC(ranking("10"))

    def test_below_a_cutoff_documents_count_as_not_retrieved(self):
        assert (AUC @ 2)(ranking("1001")) == AUC(ranking("10|0 1")) == 0.625

    def test_relevance_may_begin_at_a_higher_grade(self):
        assert AUC(rel=2)(ranking("120")) == 0.5

    def test_without_relevant_or_without_irrelevant_documents_it_is_undefined(self):
        assert math.isnan(AUC(ranking("00-")))
        assert math.isnan(AUC(ranking("11-")))
        assert math.isnan(AUC(ranking("--")))

    def test_such_a_query_is_left_out_of_the_mean(self):
        judgments = {"both": {"a": 1, "b": 0}, "relevant only": {"a": 1}}
        scores = cf.evaluate(judgments, {"both": ["b", "a"], "relevant only": ["a"]}, "AUC")
        assert scores.mean("AUC").value == 0

    def test_it_is_the_area_under_the_roc_curve(self):
        judgments = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1, "b": 0, "c": 0}, "q3": {"a": 1}}
        run = {"q1": ["b", "a", "x"], "q2": ["a", "c"], "q3": ["x", "a"]}
        (line,) = cf.curve(judgments, run, "roc").lines
        assert line.area == cf.evaluate(judgments, run, "AUC").mean("AUC").value == 0.5


class TestAUCOfRetrievedDocuments:
    def test_all_that_are_not_relevant_count_as_irrelevant(self):
        assert of_retrieved(ranking("1-x0")) == 1
        assert of_retrieved(ranking("-1x0")) == pytest.approx(2 / 3)

    def test_what_was_not_retrieved_does_not_count(self):
        assert of_retrieved(ranking("10|1 0")) == of_retrieved(ranking("10|1")) == 1

    def test_nothing_below_a_cutoff_counts(self):
        assert (of_retrieved @ 2)(ranking("0110")) == 0

    def test_without_relevant_documents_or_others_retrieved_it_is_undefined(self):
        assert math.isnan(of_retrieved(ranking("0-|1")))
        assert math.isnan(of_retrieved(ranking("|1")))
        assert math.isnan(of_retrieved(ranking("11|0")))

    def test_it_has_a_name_of_its_own(self):
        assert cf.parse("pair_accuracy@10") == cf.parse("PairAccuracy@10") == of_retrieved @ 10
        assert cf.parse("roc_auc") == cf.parse("auc") == AUC


@given(cases())
def test_it_is_what_scikit_learn_gives_for_the_ranks(case):
    from sklearn.metrics import roc_auc_score

    judged = [(grade >= 1, -rank) for rank, grade in enumerate(case.ranked, 1) if grade is not None and grade >= 0]
    judged += [(grade >= 1, -1000) for grade in case.missed if grade >= 0]
    assume(len({relevant for relevant, _ in judged}) == 2)
    expected = roc_auc_score(*zip(*judged, strict=True))
    assert AUC(case.judged_ranking()) == pytest.approx(expected)


@examples(60)
@given(case=cases(grades=(0, 1, 2)), rel=st.sampled_from([1, 2]), cutoff=st.sampled_from([None, 1, 3, 5]))
def test_of_retrieved_documents_it_is_what_ir_measures_calls_accuracy(case, rel, cutoff):
    import ir_measures

    top = [grade is not None and grade >= rel for grade in case.ranked[:cutoff]]
    # Where only relevant documents were retrieved, it divides by 0; where none was, it has no score.
    assume(any(top) and not all(top))
    qrels = {f"d{rank}": grade for rank, grade in enumerate(case.ranked) if grade is not None}
    qrels |= {f"m{number}": grade for number, grade in enumerate(case.missed)}
    run = {f"d{rank}": -float(rank) for rank in range(len(case.ranked))}
    theirs = ir_measures.Accuracy(rel=rel) @ cutoff if cutoff else ir_measures.Accuracy(rel=rel)
    expected = ir_measures.calc_aggregate([theirs], {"q": qrels}, {"q": run})[theirs]
    assert of_retrieved(rel=rel, cutoff=cutoff)(case.judged_ranking()) == pytest.approx(expected)
