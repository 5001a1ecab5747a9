from __future__ import annotations

import math

import pytest

from cranfield import AP, Bpref, evaluate
from cranfield.measures import GMBpref, infAP
from cranfield.notation import ranking


class TestBpref:
    def test_each_relevant_document_loses_for_irrelevant_ones_above_it(self):
        assert Bpref(ranking("1-01|0")) == pytest.approx((1 + 1 / 2) / 2)

    def test_unjudged_documents_do_not_count(self):
        assert Bpref(ranking("---1")) == 1
        assert Bpref(ranking("x1")) == 1

    def test_with_nothing_judged_irrelevant_every_relevant_document_found_counts_fully(self):
        assert Bpref(ranking("11|1")) == pytest.approx(2 / 3)

    def test_no_more_irrelevant_documents_count_than_there_are_relevant_ones(self):
        assert Bpref(ranking("0001")) == 0
        assert Bpref(ranking("01000")) == 0

    def test_fewer_irrelevant_than_relevant_documents_are_the_most_that_can_be_above(self):
        assert Bpref(ranking("101")) == pytest.approx((1 + 0) / 2)

    def test_below_the_level_of_relevance_a_document_is_irrelevant(self):
        assert Bpref(rel=2)(ranking("12")) == 0

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(Bpref(ranking("0-0")))

    def test_nothing_retrieved_is_zero(self):
        assert Bpref(ranking("|1 0")) == 0


class TestInfAP:
    def test_with_complete_judgments_it_is_nearly_average_precision(self):
        assert infAP(ranking("1011|1")) == pytest.approx(AP(ranking("1011|1")), abs=1e-4)

    def test_of_pooled_but_unjudged_documents_as_many_are_relevant_as_of_judged_ones(self):
        # At rank 4: three pooled documents above, one of two judged ones relevant.
        expected = (1 + 1 / 4 + 3 / 4 * (1 + 1e-5) / (2 + 2e-5)) / 3
        assert infAP(ranking("1x01|1")) == pytest.approx(expected)

    def test_a_document_outside_the_pool_is_irrelevant(self):
        assert infAP(ranking("-1")) == pytest.approx(1 / 2)

    def test_moving_up_past_a_pooled_document_may_lower_it(self):
        assert not infAP.monotone

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(infAP(ranking("0x")))

    def test_nothing_retrieved_is_zero(self):
        assert infAP(ranking("|1")) == 0


class TestGMBpref:
    def test_for_one_query_it_is_bpref(self):
        assert GMBpref(ranking("1-01|0")) == Bpref(ranking("1-01|0"))

    def test_its_mean_is_geometric_and_one_zero_does_not_make_it_zero(self):
        scores = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["x"]}, GMBpref)
        assert scores.mean("GMBpref").value == pytest.approx(math.sqrt(1e-5))
