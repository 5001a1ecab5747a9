from __future__ import annotations

import math

import pytest

from cranfield import UsageError
from cranfield.measures import Accuracy, Fallout, SetAP, SetF, SetP, SetR, SetRelP, Utility
from cranfield.notation import ranking


def test_precision_divides_by_what_was_retrieved():
    assert SetP(ranking("1-01|1")) == 0.5


def test_precision_of_nothing_is_undefined():
    assert math.isnan(SetP(ranking("|1")))


def test_recall_divides_by_what_is_relevant():
    assert SetR(ranking("1-01|1")) == pytest.approx(2 / 3)


def test_recall_of_nothing_retrieved_is_zero():
    assert SetR(ranking("|1")) == 0


def test_recall_with_nothing_relevant_is_undefined():
    assert math.isnan(SetR(ranking("00")))


def test_order_does_not_matter():
    for measure in (SetP, SetR, SetF, Accuracy, Fallout):
        assert measure(ranking("1-01|1 0")) == measure(ranking("-110|0 1"))


class TestF:
    def test_it_is_the_harmonic_mean_of_precision_and_recall(self):
        assert SetF(ranking("1-01|1")) == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))

    def test_beta_is_squared_in_the_formula_and_not_by_the_user(self):
        # Precision 1/2, recall 1/5: F2 is 5PR/(4P + R) = 0.2273; what ir_measures calls beta=2 is 3PR/(2P + R).
        judged = ranking("10|1111")
        assert SetF(beta=2)(judged) == pytest.approx(5 * 0.1 / 2.2)
        assert SetF(beta=2**0.5)(judged) == pytest.approx(3 * 0.1 / 1.2)

    def test_nothing_retrieved_is_zero(self):
        assert SetF(ranking("|1")) == 0

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(SetF(ranking("0")))


class TestAccuracy:
    def test_it_counts_relevant_documents_found_and_irrelevant_ones_left_out(self):
        assert Accuracy(ranking("1-0|1 0")) == 2 / 5

    def test_in_a_large_collection_returning_nothing_is_nearly_perfect(self):
        assert Accuracy(docs=1_000_000)(ranking("|1")) == 0.999999

    def test_that_is_why_it_comes_with_a_caution(self):
        assert "Do not choose a system by accuracy" in Accuracy.definition.caution

    def test_a_collection_smaller_than_what_is_known_is_refused(self):
        with pytest.raises(UsageError) as refused:
            Accuracy(docs=2)(ranking("10-"))
        assert str(refused.value) == (
            "docs=2 is smaller than the 3 documents known for one query.\n"
            "Give the number of documents in the whole collection."
        )

    def test_of_nothing_at_all_it_is_undefined(self):
        assert math.isnan(Accuracy(ranking("")))


class TestFallout:
    def test_it_is_the_share_of_irrelevant_documents_that_was_retrieved(self):
        assert Fallout(ranking("1-0|1 0")) == pytest.approx(2 / 3)

    def test_lower_is_better(self):
        assert Fallout.definition.lower_is_better

    def test_with_nothing_irrelevant_it_is_undefined(self):
        assert math.isnan(Fallout(ranking("11")))

    def test_the_collection_may_be_larger_than_what_is_known(self):
        assert Fallout(docs=102)(ranking("1-0|1")) == 2 / 100


def test_relative_precision_divides_by_what_a_set_of_its_size_could_hold():
    assert SetRelP(ranking("10|11")) == 0.5
    assert SetRelP(ranking("1000")) == 1
    assert math.isnan(SetRelP(ranking("|1")))


def test_precision_times_recall_is_of_the_set():
    assert SetAP(ranking("01|1")) == SetAP(ranking("10|1")) == 0.25


class TestUtility:
    def test_a_relevant_document_is_worth_one_and_any_other_costs_one(self):
        assert Utility(ranking("11-0|1")) == 0
        assert Utility(ranking("111-0|1")) == 1

    def test_what_was_left_out_can_have_a_worth_too(self):
        # Retrieved: one relevant. Left out: two relevant, one irrelevant.
        assert Utility(a=0, b=0, c=1)(ranking("1|1 1 0")) == 2
        assert Utility(a=0, b=0, d=1)(ranking("1|1 1 0")) == 1

    def test_documents_nobody_knows_are_left_out_of_a_collection_of_a_given_size(self):
        assert Utility(a=0, b=0, d=1, docs=100)(ranking("1|1 1 0")) == 97

    def test_it_is_defined_for_every_query(self):
        assert Utility(ranking("")) == 0
