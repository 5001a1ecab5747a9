from __future__ import annotations

import math
from math import log2

import pytest

from cranfield import DCG, nDCG
from cranfield.measures import CG, Rndcg, nDCGrel
from cranfield.notation import ranking


def test_cumulated_gain_is_the_sum_of_grades():
    assert CG(ranking("2-1|1")) == 3
    assert (CG @ 1)(ranking("2-1|1")) == 2


class TestDCG:
    def test_each_grade_is_divided_by_the_logarithm_of_its_rank_plus_one(self):
        assert DCG(ranking("2-1")) == pytest.approx(2 + 1 / log2(4))

    def test_exponential_gains_are_two_to_the_grade_less_one(self):
        assert DCG(gain="exponential")(ranking("32")) == pytest.approx(7 + 3 / log2(3))

    def test_gains_may_be_given_by_grade(self):
        assert DCG(gain={1: 1, 2: 10})(ranking("210")) == pytest.approx(10 + 1 / log2(3))

    def test_a_grade_that_is_not_named_gains_itself(self):
        assert DCG(gain={1: 5})(ranking("31")) == pytest.approx(3 + 5 / log2(3))

    def test_jarvelin_and_kekalainen_discount_from_the_rank_of_their_base_on(self):
        assert DCG(discount="jk")(ranking("1111")) == pytest.approx(1 + 1 + 1 / log2(3) + 1 / 2)
        assert DCG(discount="jk", base=3)(ranking("1111")) == pytest.approx(1 + 1 + 1 + math.log(3) / math.log(4))

    def test_a_negative_grade_gains_nothing_and_costs_nothing(self):
        assert DCG(ranking("x1")) == DCG(gain="linear")(ranking("-1")) == pytest.approx(1 / log2(3))
        assert DCG(gain="exponential")(ranking("x1")) == pytest.approx(1 / log2(3))

    def test_fractional_grades_are_gains_too(self):
        assert DCG(ranking("(0.5)(1.5)")) == pytest.approx(0.5 + 1.5 / log2(3))


class TestNDCG:
    def test_a_perfect_ranking_scores_one(self):
        assert nDCG(ranking("210")) == 1

    def test_a_judged_document_never_found_counts_against_the_run(self):
        assert nDCG(ranking("2|1")) < nDCG(ranking("21"))

    def test_an_unjudged_document_earns_nothing_but_takes_its_rank(self):
        assert nDCG(ranking("-2")) == pytest.approx(1 / log2(3))

    def test_the_ideal_is_cut_where_the_ranking_is(self):
        assert (nDCG @ 1)(ranking("1|2")) == 0.5
        assert (nDCG @ 2)(ranking("21|1")) == 1

    def test_a_cutoff_beyond_the_ranking_still_reaches_into_the_ideal(self):
        assert (nDCG @ 10)(ranking("2|2")) == pytest.approx(2 / (2 + 2 / log2(3)))

    def test_the_ideal_may_be_the_best_order_of_what_was_retrieved(self):
        assert nDCG(ideal="retrieved")(ranking("2|1")) == 1
        assert nDCG(ideal="retrieved")(ranking("12")) == nDCG(ranking("12"))

    @pytest.mark.parametrize("text", ["000", "|0", "---", "", "x0"])
    def test_with_nothing_to_gain_it_is_undefined(self, text):
        assert math.isnan(nDCG(ranking(text)))

    def test_nothing_retrieved_is_zero(self):
        assert nDCG(ranking("|2")) == 0

    def test_a_gain_of_zero_for_a_grade_makes_it_irrelevant(self):
        assert nDCG(gain={1: 0})(ranking("1102")) == pytest.approx(1 / log2(5))

    def test_where_a_lower_grade_gains_more_the_ideal_is_sorted_by_gain(self):
        upside_down = nDCG(gain={1: 2, 2: 1})
        assert upside_down(ranking("12")) == 1
        assert upside_down(ranking("21")) == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))
        assert not upside_down.monotone

    def test_gains_between_0_and_1_work(self):
        # trec_eval compares them as whole numbers and prints 0 for these.
        assert nDCG(gain={1: 0.3, 2: 0.6})(ranking("12")) == pytest.approx(
            (0.3 + 0.6 / log2(3)) / (0.6 + 0.3 / log2(3))
        )

    def test_the_base_of_the_logarithm_cancels_but_the_rank_it_begins_at_does_not(self):
        judged = ranking("0213")
        assert nDCG(discount="jk", base=2)(judged) != pytest.approx(nDCG(discount="jk", base=3)(judged))
        assert nDCG(discount="jk")(judged) != pytest.approx(nDCG(judged))


class TestNDCGrel:
    def test_it_is_the_mean_of_ndcg_at_each_document_with_a_gain(self):
        judged = ranking("02-1")
        assert nDCGrel(judged) == pytest.approx(((nDCG @ 2)(judged) + (nDCG @ 4)(judged)) / 2)

    def test_a_document_never_found_counts_with_the_whole_ranking(self):
        judged = ranking("2-|1")
        assert nDCGrel(judged) == pytest.approx((1 + nDCG(judged)) / 2)

    def test_no_gain_anywhere_is_undefined(self):
        assert math.isnan(nDCGrel(ranking("0-")))


class TestRndcg:
    def test_it_is_the_mean_of_ndcg_where_the_ideal_gain_falls(self):
        # Ideal: 2 2 1 and then nothing, so after ranks 2 and 3.
        judged = ranking("21-|2")
        assert Rndcg(judged) == pytest.approx(((nDCG @ 2)(judged) + (nDCG @ 3)(judged)) / 2)

    def test_a_ranking_two_ranks_longer_than_the_ideal_gain_counts_at_its_end_too(self):
        judged = ranking("01-")
        assert Rndcg(judged) == pytest.approx(((nDCG @ 1)(judged) + nDCG(judged)) / 2)

    def test_one_rank_longer_is_not_enough(self):
        assert Rndcg(ranking("01")) == 0

    def test_no_gain_anywhere_is_undefined(self):
        assert math.isnan(Rndcg(ranking("0--")))
