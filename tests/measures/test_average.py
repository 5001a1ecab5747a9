from __future__ import annotations

import math

import pytest

from cranfield import AP
from cranfield.measures import GMAP, YAAP, ElevenPoint, IPrec
from cranfield.notation import ranking


class TestAP:
    def test_it_is_the_mean_precision_at_relevant_documents(self):
        assert AP(ranking("101")) == pytest.approx((1 + 2 / 3) / 2)

    def test_a_relevant_document_never_found_counts_zero(self):
        assert AP(ranking("101|1")) == pytest.approx((1 + 2 / 3) / 3)

    def test_an_unjudged_document_takes_its_rank(self):
        assert AP(ranking("-1")) == AP(ranking("01")) == 0.5

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(AP(ranking("000")))

    def test_nothing_retrieved_is_zero(self):
        assert AP(ranking("|1")) == 0

    def test_all_unjudged_is_zero(self):
        assert AP(ranking("---|1")) == 0

    def test_a_cutoff_ends_the_sum_but_not_what_it_is_divided_by(self):
        assert (AP @ 1)(ranking("11")) == 0.5

    def test_a_cutoff_beyond_the_ranking_changes_nothing(self):
        assert (AP @ 100)(ranking("0-1|1")) == AP(ranking("0-1|1"))

    def test_at_a_higher_grade_fewer_documents_are_relevant(self):
        assert AP(rel=2)(ranking("12")) == 0.5

    @pytest.mark.parametrize(("norm", "divisor"), [("relevant", 5), ("retrieved", 2), ("min", 4), ("k", 4)])
    def test_tools_divide_by_different_things(self, norm, divisor):
        # Relevant documents at ranks 1 and 4, and three never found.
        assert AP(norm=norm, cutoff=4)(ranking("1001|111")) == pytest.approx((1 + 2 / 4) / divisor)

    def test_the_smaller_of_k_and_the_relevant_documents_may_be_the_relevant_documents(self):
        assert AP(norm="min", cutoff=10)(ranking("1")) == 1
        assert AP(norm="k", cutoff=10)(ranking("1")) == 0.1

    @pytest.mark.parametrize("norm", ["relevant", "min", "k"])
    def test_nothing_relevant_is_undefined_whatever_it_is_divided_by(self, norm):
        assert math.isnan(AP(norm=norm, cutoff=5)(ranking("00")))

    def test_over_the_relevant_documents_found_finding_none_is_undefined(self):
        assert math.isnan(AP(norm="retrieved")(ranking("00|1")))

    def test_over_the_relevant_documents_found_a_late_find_lowers_it(self):
        top_3 = AP(norm="retrieved", cutoff=3)
        assert top_3(ranking("1-1")) < top_3(ranking("1--1"))
        assert not top_3.monotone


def test_gmap_is_average_precision_for_one_query():
    assert GMAP(ranking("101|1")) == AP(ranking("101|1"))
    assert GMAP.definition.mean == "geometric"


class TestIPrec:
    def test_it_is_the_best_precision_from_a_level_of_recall_on(self):
        assert (IPrec @ 0.5)(ranking("101|1")) == pytest.approx(2 / 3)

    def test_at_level_zero_it_is_the_best_precision_anywhere(self):
        assert (IPrec @ 0)(ranking("0011")) == 0.5

    def test_a_level_never_reached_is_zero(self):
        assert (IPrec @ 1)(ranking("1|1")) == 0

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan((IPrec @ 0.5)(ranking("00")))

    def test_nothing_retrieved_is_zero(self):
        assert (IPrec @ 0)(ranking("|1")) == 0


def after(found, relevant):
    """Some relevant documents, then so many irrelevant ones that precision falls, then all the others."""
    return ranking("1" * found + "0" * 1000 + "1" * (relevant - found))


class TestLevels:
    """Recall 0.6 of 77 relevant documents is 46.2 of them: the tools ask for 47, 47 and 46."""

    def test_exactly_a_level_is_reached_when_recall_is_at_least_that(self):
        assert (IPrec @ 0.6)(after(47, 77)) == 1
        assert (IPrec @ 0.6)(after(46, 77)) < 0.1

    def test_trec_eval_9_adds_nine_tenths_and_drops_the_fraction(self):
        level = IPrec(levels="trec_eval-9", recall=0.6)
        assert level(after(47, 77)) == 1
        assert level(after(46, 77)) < 0.1

    def test_trec_eval_9_asks_for_too_few_when_the_fraction_is_below_a_tenth(self):
        # 0.7 of 29 is 20.3: exactly 21; of 0.25 · 33 = 8.25: 9; but 0.05 · 21 = 1.05 becomes 1.
        assert IPrec(levels="trec_eval-9", recall=0.05)(after(1, 21)) == 1
        assert (IPrec @ 0.05)(after(1, 21)) < 0.1

    def test_trec_eval_10_rounds_and_takes_recall_0_597_for_0_6(self):
        level = IPrec(levels="trec_eval-10", recall=0.6)
        assert level(after(46, 77)) == 1
        assert level(after(45, 77)) < 0.1

    @pytest.mark.parametrize("levels", ["exact", "trec_eval-9", "trec_eval-10"])
    @pytest.mark.parametrize(("recall", "relevant", "wanted"), [(0.1, 30, 3), (0.07, 100, 7), (0.55, 100, 55)])
    def test_a_level_that_is_a_whole_number_of_documents_asks_for_that_number(self, levels, recall, relevant, wanted):
        # In binary 0.07 · 100 and 0.55 · 100 are a little more than 7 and 55.
        level = IPrec(levels=levels, recall=recall)
        assert level(after(wanted, relevant)) == 1
        assert level(after(wanted - 1, relevant)) < 0.1


class TestElevenPoint:
    def test_it_is_the_mean_over_eleven_levels(self):
        levels = [float((IPrec @ (tenth / 10))(ranking("101|1"))) for tenth in range(11)]
        assert ElevenPoint(ranking("101|1")) == pytest.approx(sum(levels) / 11)

    def test_it_passes_its_rule_for_levels_on(self):
        judged = after(46, 77)
        assert ElevenPoint(levels="trec_eval-10")(judged) > ElevenPoint(levels="trec_eval-9")(judged)

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(ElevenPoint(ranking("0")))


class TestYAAP:
    def test_finding_nothing_and_finding_all_first_are_equally_far_from_zero(self):
        assert YAAP(ranking("|111")) == pytest.approx(-math.log(4))
        assert YAAP(ranking("111")) == pytest.approx(math.log(4))

    def test_half_of_what_there_is_to_gain_is_zero(self):
        assert YAAP(ranking("1|1")) == 0

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(YAAP(ranking("0-")))
