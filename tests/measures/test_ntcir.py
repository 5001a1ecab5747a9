from __future__ import annotations

import numpy as np
import pytest

from cranfield import AP, ERR, RR, UsageError
from cranfield.measures import NCU, OMeasure, PMeasure, PPlus, Q, nERR
from cranfield.notation import ranking

FOR_ONE_DOCUMENT = [OMeasure, PMeasure, PPlus]
EVERY = [Q, *FOR_ONE_DOCUMENT, NCU, NCU(stop="rank-biased"), nERR]


@pytest.mark.parametrize("measure", EVERY, ids=str)
class TestAllOfThem:
    def test_a_perfect_ranking_scores_one(self, measure):
        assert measure(ranking("3211")) == pytest.approx(1)

    def test_a_ranking_without_a_relevant_document_scores_zero(self, measure):
        assert measure(ranking("0-|2")) == 0

    def test_without_relevant_documents_it_is_undefined(self, measure):
        assert np.isnan(measure(ranking("0-x|0")))

    def test_a_document_with_a_gain_of_nothing_is_not_relevant(self, measure):
        assert measure(gain={1: 0})(ranking("12|1")) == measure(ranking("02|0"))

    def test_gains_may_be_given_for_each_grade(self, measure):
        assert measure(gain={1: 1, 2: 4, 3: 9})(ranking("-231|1")) == measure(gain="linear")(ranking("-491|1"))

    def test_the_condensed_list_closes_up_the_ranks(self, measure):
        assert measure(judged_only=True)(ranking("0-2-1|1")) == measure(ranking("021|1"))


class TestQ:
    def test_each_relevant_document_adds_the_blended_ratio_at_its_rank(self):
        # Rank 2: one relevant document and a gain of 3, where 3 + 2 was possible. Rank 4: two, and 3 + 1 of 3 + 2 + 1.
        assert Q(ranking("-3-1|2")) == pytest.approx(((1 + 3) / (2 + 5) + (2 + 4) / (4 + 6)) / 3)

    def test_with_one_grade_it_is_average_precision_as_long_as_the_ideal_ranking_lasts(self):
        assert Q(ranking("-1-1|11")) == pytest.approx(AP(ranking("-1-1|11")))

    def test_below_all_relevant_documents_it_forgives_more_than_average_precision(self):
        # Average precision is 1/3; the ideal gain has stopped growing, so the ratio is (1 + 1) / (3 + 1).
        assert Q(ranking("--1")) == pytest.approx(2 / 4)

    def test_a_small_beta_makes_it_average_precision(self):
        assert Q(beta=1e-9)(ranking("-3-1|2")) == pytest.approx(AP(ranking("-3-1|2")))

    def test_a_large_beta_looks_at_gains_only(self):
        assert Q(beta=1e6)(ranking("--3")) == pytest.approx(1, rel=1e-5)

    def test_a_cutoff_leaves_room_for_fewer_documents(self):
        # One of three relevant documents in two ranks: half of what two ranks could hold.
        assert (Q @ 2)(ranking("1-1|1")) == pytest.approx(1 / 2)
        assert (Q @ 1)(ranking("3|2 1")) == 1


class TestOMeasure:
    def test_it_is_the_blended_ratio_at_the_first_relevant_document(self):
        assert OMeasure(ranking("-1-3|2")) == pytest.approx((1 + 1) / (2 + 5))

    def test_with_one_relevant_document_of_one_grade_it_is_near_the_reciprocal_rank(self):
        assert OMeasure(ranking("--1")) == pytest.approx(2 / 4)
        assert OMeasure(beta=1e-9)(ranking("--1")) == pytest.approx(RR(ranking("--1")))

    def test_a_cutoff_hides_what_comes_later(self):
        assert (OMeasure @ 1)(ranking("-1")) == 0


class TestPMeasureAndPPlus:
    def test_the_preferred_rank_is_that_of_the_first_among_the_best_documents_found(self):
        # The 3 was never found, so the best are the two documents of grade 2, the first of them at rank 3.
        assert PMeasure(ranking("-1212|3")) == pytest.approx((2 + 3) / (3 + 3 + 2 + 2))

    def test_p_plus_also_asks_what_users_meet_on_the_way(self):
        on_the_way, preferred = (1 + 1) / (2 + 5), (2 + 3) / (3 + 7)
        assert PPlus(ranking("-1212|3")) == pytest.approx((on_the_way + preferred) / 2)

    def test_what_comes_after_the_preferred_rank_does_not_matter(self):
        for measure in (PMeasure, PPlus):
            assert measure(ranking("12-1|1")) == measure(ranking("12--|11"))

    def test_a_relevant_document_found_first_is_all_there_is_to_read(self):
        assert PMeasure(ranking("1")) == PPlus(ranking("1")) == OMeasure(ranking("1")) == 1

    def test_a_cutoff_changes_which_document_is_preferred(self):
        assert (PMeasure @ 1)(ranking("1-2")) == OMeasure(ranking("1-2"))


class TestNCU:
    def test_graded_uniform_users_stop_in_proportion_to_gain(self):
        # Gains 3, 1 and a 2 never found: half of the users stop at rank 2, a sixth at rank 4.
        expected = 3 / 6 * (1 + 3) / (2 + 5) + 1 / 6 * (2 + 4) / (4 + 6)
        assert NCU(ranking("-3-1|2")) == pytest.approx(expected)

    def test_stop_values_may_differ_from_gains(self):
        alike = NCU(stops={1: 1, 2: 1, 3: 1})
        assert alike(ranking("-3-1|2")) == pytest.approx(Q(ranking("-3-1|2")))
        assert alike(utility="precision")(ranking("-3-1|2")) == pytest.approx(AP(ranking("-3-1|2")))

    def test_where_nobody_stops_it_is_undefined(self):
        assert np.isnan(NCU(stops={1: 0})(ranking("1")))

    def test_rank_biased_users_go_on_with_probability_gamma(self):
        # Of three relevant documents, weights 1 : 1/2 : 1/4.
        expected = (1 * 1 / 2 + 1 / 2 * 2 / 4) / (1 + 1 / 2 + 1 / 4)
        assert NCU(stop="rank-biased", utility="precision", gamma=0.5)(ranking("-3-1|2")) == pytest.approx(expected)

    def test_users_who_always_go_on_stop_everywhere_alike(self):
        assert NCU(stop="rank-biased", gamma=1)(ranking("-3-1|2")) == pytest.approx(Q(ranking("-3-1|2")))

    @pytest.mark.parametrize("gamma", [0, 1.5, -1])
    def test_gamma_is_a_probability(self, gamma):
        with pytest.raises(UsageError, match="gamma must be a number above 0 and at most 1"):
            NCU(gamma=gamma)

    def test_stop_values_are_a_mapping(self):
        with pytest.raises(UsageError, match="stops must be linear or exponential or a gain for each grade"):
            NCU(stops=3)


class TestNERR:
    def test_it_is_err_over_that_of_the_ideal_ranking(self):
        assert nERR(ranking("1-2|1")) == pytest.approx(ERR(ranking("1-2|1")) / ERR(ranking("211")))

    def test_a_cutoff_cuts_both(self):
        assert (nERR @ 1)(ranking("1-2|1")) == pytest.approx((1 / 4) / (3 / 4))

    def test_the_ideal_ranking_is_in_order_of_gain(self):
        assert nERR(gain={1: 3, 2: 1})(ranking("12")) == 1
