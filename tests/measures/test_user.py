from __future__ import annotations

import pytest

from cranfield import ERR, RBP
from cranfield.measures import RBPResidual
from cranfield.notation import ranking
from tests.measures.reference import Case


class TestRBP:
    def test_each_rank_is_reached_with_a_probability_that_falls_by_p(self):
        assert RBP(ranking("1-1")) == pytest.approx(0.2 * (1 + 0.64))
        assert RBP(p=0.5)(ranking("1-1")) == pytest.approx(0.5 * (1 + 0.25))

    def test_a_cutoff_ends_the_sum(self):
        assert (RBP @ 2)(ranking("1-1")) == pytest.approx(0.2)

    def test_graded_gains_are_shares_of_the_collection_s_largest_grade(self):
        assert RBP(gain="graded")(ranking("12|4")) == pytest.approx(0.2 * (1 / 4 + 0.8 * 2 / 4))

    def test_gains_given_for_each_grade_are_shares_of_the_largest(self):
        assert RBP(gain={1: 1, 2: 4, 3: 9})(ranking("13")) == pytest.approx(0.2 * (1 / 9 + 0.8))

    def test_a_gain_for_a_grade_that_no_document_has_can_still_be_the_largest(self):
        assert RBP(gain={1: 1, 2: 4, 3: 9})(ranking("2")) == pytest.approx(0.2 * 4 / 9)

    @pytest.mark.parametrize("text", ["0", "x", "-", "", "|0"])
    def test_where_no_grade_gains_anything_it_is_zero(self, text):
        assert RBP(gain="graded")(ranking(text)) == 0
        assert RBP(ranking(text)) == 0

    def test_a_negative_grade_gains_nothing(self):
        assert RBP(gain="graded")(ranking("x1")) == RBP(ranking("-1")) == pytest.approx(0.2 * 0.8)

    def test_a_higher_level_makes_fewer_documents_relevant(self):
        assert RBP(rel=2)(ranking("12")) == pytest.approx(0.2 * 0.8)

    def test_a_user_looks_at_as_many_documents_whatever_they_are(self):
        assert RBP(expected="depth")(ranking("1-1")) == RBP(expected="depth")(ranking("")) == pytest.approx(5)
        assert RBP(expected="total_cost")(ranking("1-1")) == pytest.approx(5)
        assert RBP(expected="cost")(ranking("1-1")) == 1

    def test_total_gain_is_that_of_all_documents_looked_at(self):
        assert RBP(expected="total_utility")(ranking("1-1")) == pytest.approx(1 + 0.64)


class TestRBPResidual:
    def test_it_is_the_weight_of_unjudged_documents_and_of_all_that_follows(self):
        assert RBPResidual(ranking("1-1")) == pytest.approx(0.2 * 0.8 + 0.8**3)

    def test_irrelevant_documents_are_judged(self):
        assert RBPResidual(ranking("000")) == pytest.approx(0.8**3)

    def test_a_pooled_document_nobody_judged_is_not(self):
        assert RBPResidual(ranking("x")) == 1

    def test_nothing_retrieved_leaves_everything_open(self):
        assert RBPResidual(ranking("|1")) == 1

    def test_it_is_what_perfect_documents_would_add(self):
        judged, perfect = ranking("1-1"), ranking("111")
        unjudged_weight = float(RBP(perfect) - RBP(judged))
        assert RBPResidual(judged) == pytest.approx(unjudged_weight + 0.8**3)


class TestERR:
    def test_a_document_satisfies_with_a_probability_that_grows_with_its_grade(self):
        # With grades up to 2, a 2 satisfies with 3/4 and a 1 with 1/4.
        assert ERR(ranking("2-1|1")) == pytest.approx(3 / 4 + 1 / 3 * 1 / 4 * 1 / 4)

    def test_the_largest_grade_is_the_collection_s_unless_it_is_given(self):
        assert ERR(ranking("1|2")) == pytest.approx(1 / 4)
        assert ERR(max_grade=4)(ranking("1")) == pytest.approx(1 / 16)

    def test_a_grade_above_the_largest_counts_as_the_largest(self):
        assert ERR(max_grade=1)(ranking("3")) == pytest.approx(1 / 2)

    def test_another_gain_satisfies_with_its_share_of_one_more_than_the_largest(self):
        assert ERR(gain="linear")(ranking("-3-2")) == pytest.approx(1 / 2 * 3 / 4 + 1 / 4 * 1 / 4 * 2 / 4)
        assert ERR(gain={1: 1, 2: 4, 3: 9})(ranking("-2")) == pytest.approx(1 / 2 * 4 / 10)
        assert ERR(gain={1: 1, 2: 4, 3: 9}, max_grade=2)(ranking("-3")) == pytest.approx(1 / 2 * 4 / 5)

    def test_the_exponential_gain_is_one_of_those(self):
        assert ERR(gain={1: 1, 2: 3})(ranking("12")) == pytest.approx(ERR(ranking("12")))

    def test_a_cutoff_ends_the_sum(self):
        assert (ERR @ 1)(ranking("02")) == 0

    @pytest.mark.parametrize("text", ["0", "x", "-", "", "|1"])
    def test_where_nothing_satisfies_it_is_zero(self, text):
        assert ERR(ranking(text)) == 0

    def test_a_collection_of_pooled_documents_only_satisfies_nobody(self):
        assert ERR(Case((-1, -2), (), max_grade=-1).judged_ranking()) == 0


def test_a_largest_grade_beyond_what_numpy_counts_satisfies_nobody():
    assert ERR(max_grade=10**33)(ranking("21")) == 0
