from __future__ import annotations

import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.align import JudgedRanking
from cranfield.measures import (
    BPM,
    IFT,
    INSQ,
    INST,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    SDCG,
    SET,
    TBG,
    Measure,
    U,
    catalogue,
    cwlAP,
    cwlP,
    cwlRR,
)
from cranfield.notation import ranking
from tests.measures.reference import Case

FAMILY = [Measure(definition) for definition in catalogue().values() if definition.family == "cwl"]
FAMILY = [measure @ 4 if measure.definition.needs_at else measure for measure in FAMILY]
every_model = pytest.mark.parametrize("model", FAMILY, ids=str)
RANKINGS = [ranking(text) for text in ("2-1|1", "", "|2", "0x", "012-21", "2222", "(0.5)-2")]


class TestEveryModel:
    @every_model
    def test_total_gain_is_gain_per_document_times_documents_wherever_all_users_stop_in_time(self, model):
        for judged in RANKINGS:
            utility, total, cost, depth = (
                float(model(expected=what)(judged)) for what in ("utility", "total_utility", "total_cost", "depth")
            )
            if cost == pytest.approx(depth, rel=1e-12):
                assert total == pytest.approx(utility * depth, rel=1e-9)

    @every_model
    def test_a_document_costs_one(self, model):
        assert all(model(expected="cost")(judged) == 1 for judged in RANKINGS)

    @every_model
    def test_no_gain_is_had_where_no_grade_is_above_the_lowest(self, model):
        for text in ("", "|2", "0x-", "000"):
            assert model(ranking(text)) == 0
            assert model(expected="total_utility")(ranking(text)) == 0

    @every_model
    def test_where_no_grade_of_the_collection_gains_anything_there_is_no_gain(self, model):
        assert model(Case((-1, 0), (), max_grade=0.0).judged_ranking()) == 0
        assert model(min_grade=3)(ranking("2")) == 0

    @every_model
    def test_grades_are_gains_on_a_scale_between_two_grades(self, model):
        assert model(min_grade=1, max_grade=3)(ranking("1234")) == pytest.approx(float(model(ranking("0122"))))

    @every_model
    def test_whole_grades_are_relevant_or_not_on_a_scale_of_one_step(self, model):
        assert model(min_grade=1, max_grade=2)(ranking("0123")) == pytest.approx(float(model(ranking("0011"))))

    @every_model
    def test_a_perfect_ranking_gains_one_per_document(self, model):
        if "max_depth" in model.params:
            model = model(max_depth=4)
        assert model(ranking("2222")) == pytest.approx(1)


class TestINST:
    def test_a_user_goes_on_the_less_the_more_was_found(self):
        # After rank 1 the ranks ahead are 1 + 2T = 3 where nothing was found, and 2 where all was.
        assert INST(max_depth=2, expected="depth")(ranking("0")) == pytest.approx(1 + (2 / 3) ** 2)
        assert INST(max_depth=2, expected="depth")(ranking("1")) == pytest.approx(1 + (1 / 2) ** 2)

    def test_a_user_who_wants_more_reads_more(self):
        depths = [float(INST(T=T, expected="depth")(ranking("101"))) for T in (1, 2, 5)]
        assert depths == sorted(depths)
        assert len(set(depths)) == 3

    def test_gain_per_document_weighs_each_rank_by_how_likely_it_is_reached(self):
        assert INST(max_depth=3)(ranking("2-1")) == pytest.approx((1 + 0.5 / 9) / (1 + 1 / 4 + 1 / 9))

    def test_totals_leave_out_those_who_would_go_on_below_the_last_rank(self):
        # Of all users 3/4 stop at rank 1, having gained 1; the others would go on after it.
        assert INST(max_depth=1, expected="total_utility")(ranking("1")) == pytest.approx(3 / 4)
        assert INST(max_depth=1, expected="total_cost")(ranking("1")) == pytest.approx(3 / 4)
        assert INST(max_depth=1, expected="depth")(ranking("1")) == 1

    def test_documents_below_the_last_rank_do_not_count(self):
        assert INST(max_depth=2)(ranking("01111")) == INST(max_depth=2)(ranking("01"))


class TestINSQ:
    def test_attention_falls_with_the_square_of_the_rank(self):
        assert INSQ(max_depth=3)(ranking("2-1")) == pytest.approx((1 + 0.5 / 4) / (1 + 4 / 9 + 1 / 4))

    def test_it_is_inst_where_nothing_is_found(self):
        assert INSQ(expected="depth")(ranking("00")) == pytest.approx(float(INST(expected="depth")(ranking("00"))))

    def test_it_does_not_heed_what_is_found(self):
        assert INSQ(expected="depth")(ranking("111")) == INSQ(expected="depth")(ranking("000"))

    def test_what_is_unjudged_bounds_it(self):
        assert INSQ(T=1, max_depth=2)(ranking("1-")) + (4 / 9) / (1 + 4 / 9) == pytest.approx(1)


class TestSDCG:
    def test_it_is_dcg_of_gains_as_a_share_of_that_of_perfect_documents(self):
        judged = ranking("2-1|1")
        perfect = sum(1 / math.log2(rank + 1) for rank in (1, 2, 3))
        assert (SDCG @ 3)(judged) == pytest.approx(float((cf.DCG @ 3)(judged)) / 2 / perfect)

    def test_it_asks_for_more_than_the_judgments_have(self):
        assert (SDCG @ 3)(ranking("1")) < (cf.nDCG @ 3)(ranking("1")) == 1

    def test_all_users_have_stopped_at_the_cutoff(self):
        assert (SDCG(expected="total_cost") @ 5)(ranking("1")) == (SDCG(expected="depth") @ 5)(ranking("1"))


class TestBPM:
    def test_a_user_stops_who_has_enough(self):
        assert (BPM @ 10)(ranking("0101")) == pytest.approx(1 / 2)
        assert (BPM(T=2) @ 10)(ranking("0101")) == pytest.approx(2 / 4)

    def test_or_whose_patience_ends(self):
        assert (BPM(T=2) @ 3)(ranking("0101")) == pytest.approx(1 / 3)
        assert (BPM(expected="depth") @ 7)(ranking("0")) == 7

    def test_enough_is_enough_however_gains_are_rounded(self):
        # In floating point six thirds are less than 2.
        assert (BPM(T=2, expected="depth") @ 10)(ranking("111111|3")) == 6

    def test_a_bad_document_lowers_the_hope_of_a_dynamic_user(self):
        # After two bad documents a hope of 1 has fallen to 0, and nothing is enough.
        assert (BPM(hb=0.5, expected="depth") @ 10)(ranking("0001")) == 4
        assert (BPM(hb=1, expected="depth") @ 10)(ranking("0001")) == 3

    def test_and_a_good_one_raises_it(self):
        static, dynamic = BPM(T=2, expected="depth") @ 10, BPM(T=2, hb=1, expected="depth") @ 10
        assert (static(ranking("1111")), dynamic(ranking("1111"))) == (2, 3)

    def test_patience_changes_as_well(self):
        assert (BPM(T=9, hc=1, expected="depth") @ 4)(ranking("0000")) == 3
        assert (BPM(T=9, hc=1, expected="depth") @ 4)(ranking("1111")) > 4

    def test_where_patience_outlasts_the_last_rank_nobody_is_counted_in_totals(self):
        assert (BPM(max_depth=3, expected="total_cost") @ 5)(ranking("0")) == 0
        assert (BPM(max_depth=3, expected="depth") @ 5)(ranking("0")) == 3

    def test_the_first_of_two_documents_may_end_the_search_too_early(self):
        assert (BPM @ 10)(ranking("0021")) < (BPM @ 10)(ranking("0012"))


class TestNERR:
    """Gains of 1/2, 0 and 1, and nothing below."""

    judged = ranking("1-2")

    def test_each_document_satisfies_with_its_gain(self):
        # Half of the users stop at rank 1; the others find nothing at rank 2 and all at rank 3.
        assert (NERR8 @ 20)(self.judged) == pytest.approx((1 / 2 + 1 / 2) / (1 + 1 / 2 + 1 / 2))
        assert (NERR8(expected="total_utility") @ 20)(self.judged) == pytest.approx(1)

    def test_whoever_is_not_satisfied_stops_at_the_cutoff(self):
        assert (NERR8(expected="depth") @ 20)(ranking("0")) == 20
        assert (NERR8 @ 2)(self.judged) == pytest.approx(1 / 2 / (1 + 1 / 2))

    def test_attention_may_fall_with_the_rank_besides(self):
        assert (NERR9 @ 20)(self.judged) == pytest.approx((1 / 2 + 1 / 6) / (1 + 1 / 4 + 1 / 6))
        assert (NERR9(expected="depth") @ 4)(ranking("0")) == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4)

    def test_or_as_in_rbp(self):
        assert NERR10(p=0.5)(self.judged) == pytest.approx((1 / 2 + 1 / 8) / (1 + 1 / 4 + 1 / 8))
        assert NERR10(p=0.8, expected="depth")(ranking("0")) == pytest.approx(1 / (1 - 0.8))

    def test_or_as_in_insq(self):
        assert NERR11(max_depth=3)(self.judged) == pytest.approx((1 / 2 + 1 / 8) / (1 + 2 / 9 + 1 / 8))
        assert NERR11(expected="depth")(ranking("0")) == pytest.approx(float(INSQ(expected="depth")(ranking("0"))))

    @pytest.mark.parametrize("model", [NERR8 @ 9, NERR9 @ 9, NERR10, NERR11], ids=str)
    def test_a_perfect_first_document_ends_the_search(self, model):
        assert model(ranking("2-1")) == pytest.approx(1)
        assert model(expected="depth")(ranking("2-1")) == pytest.approx(1)


class TestPrecisionReciprocalRankAndAveragePrecision:
    @pytest.mark.parametrize("text", ["1-01", "0110", "-", "", "|1", "x1"])
    def test_with_gains_of_0_and_1_they_are_what_they_are_called_after(self, text):
        judged = ranking(text)
        assert (cwlP @ 3)(judged) == pytest.approx(float((cf.P @ 3)(judged)))
        assert cwlRR(judged) == pytest.approx(float(cf.RR(judged)))
        assert cwlAP(judged) == pytest.approx(np.nan_to_num(cf.AP(norm="retrieved")(judged)))

    def test_precision_s_total_gain_is_the_gain_of_k_documents(self):
        assert (cwlP(expected="total_utility") @ 3)(ranking("2-12")) == 1.5
        assert (cwlP(expected="depth") @ 3)(ranking("2-12")) == 3

    def test_reciprocal_rank_is_of_the_first_gain_however_small(self):
        assert cwlRR(ranking("-12")) == pytest.approx(0.5 / 2)

    def test_who_finds_nothing_reads_to_the_end_and_counts_in_no_total(self):
        assert cwlRR(expected="depth")(ranking("0")) == 1000
        assert cwlRR(max_depth=7, expected="depth")(ranking("0")) == 7
        assert cwlRR(expected="total_cost")(ranking("0")) == 0

    def test_a_first_gain_below_the_last_rank_is_not_found(self):
        assert cwlRR(max_depth=2)(ranking("--1")) == 0

    def test_average_precision_s_user_goes_on_as_long_as_there_is_something_to_come(self):
        # 1/1 and 1/3 are to come at rank 1, and 1/3 at ranks 2 and 3.
        assert cwlAP(expected="depth")(ranking("101")) == pytest.approx(1 + 1 / 4 + 1 / 4)
        assert cwlAP(expected="total_utility")(ranking("101")) == pytest.approx(1 + 1 / 4)

    def test_where_nothing_is_to_come_one_document_is_looked_at(self):
        assert cwlAP(expected="depth")(ranking("00")) == cwlAP(expected="total_cost")(ranking("00")) == 1


class TestTBG:
    def test_half_of_the_users_are_left_after_every_half_life(self):
        assert TBG(halflife=2, max_depth=3)(ranking("001")) == pytest.approx(0.5 / (1 + math.sqrt(0.5) + 0.5))

    def test_nobody_reads_below_the_last_rank(self):
        assert TBG(expected="total_cost")(ranking("1")) == TBG(expected="depth")(ranking("1"))

    def test_it_is_rbp_where_the_ranking_never_ends(self):
        rbp = cf.RBP(p=0.5 ** (1 / 10))
        assert TBG(halflife=10)(ranking("1-01")) == pytest.approx(float(rbp(ranking("1-01"))))


class TestU:
    def test_users_grow_fewer_by_the_same_number_with_each_document(self):
        assert U(L=4)(ranking("0011")) == pytest.approx((2 / 4 + 1 / 4) / (1 + 3 / 4 + 2 / 4 + 1 / 4))

    def test_below_l_there_are_none(self):
        assert U(L=2)(ranking("0011")) == 0
        assert U(L=50, expected="depth")(ranking("1")) == pytest.approx(25.5)

    def test_nor_below_the_last_rank(self):
        assert U(L=4, max_depth=2, expected="depth")(ranking("1")) == pytest.approx(1 + 3 / 4)


class TestIFT:
    def test_a_goal_that_is_met_makes_it_unlikely_to_go_on(self):
        far, near = (float(IFT(rule="goal", T=T, expected="depth", max_depth=2)(ranking("1"))) for T in (2, 1))
        assert far == pytest.approx(2, abs=1e-4)
        assert near == pytest.approx(1 + 0.9 / 1.9)

    def test_so_does_a_rate_that_is_missed(self):
        rate = IFT(rule="rate", A=0.5, b2=1, R2=math.log(9), expected="depth", max_depth=2)
        assert rate(ranking("0")) == pytest.approx(1 + 1 / 4)
        assert rate(ranking("1")) == pytest.approx(1 + 3 / 4)

    def test_both_rules_have_to_let_a_user_go_on(self):
        model, judged = IFT(R1=1, R2=1, expected="depth", max_depth=2), ranking("1")
        goes_on = {rule: float(model(rule=rule)(judged)) - 1 for rule in ("goal", "rate", "both")}
        assert goes_on["both"] == pytest.approx(goes_on["goal"] * goes_on["rate"])

    def test_one_who_does_not_care_goes_on_with_a_chance_of_its_own(self):
        assert IFT(rule="goal", b1=1, R1=0, expected="depth")(ranking("111")) == pytest.approx(2)
        assert IFT(b1=0, expected="depth")(ranking("111")) == 1

    def test_no_rationality_is_too_much(self):
        assert IFT(T=1.5, R1=1e6, R2=1e6)(ranking("1-1")) == pytest.approx(2 / 3)


class TestSET:
    def test_each_further_document_is_worth_less(self):
        assert (SET @ 4)(ranking("0001")) == pytest.approx((2 - math.sqrt(3)) / 2)

    def test_the_first_k_are_worth_k_to_the_power_of_beta(self):
        assert (SET(beta=0.3, expected="total_utility") @ 7)(ranking("1111111")) == pytest.approx(7**0.3)

    def test_ranks_may_count_from_another_one(self):
        assert (SET(offset=1) @ 3)(ranking("1")) == pytest.approx((math.sqrt(2) - 1) / (2 - 1))

    def test_where_nothing_is_lost_it_is_precision(self):
        assert (SET(beta=1) @ 3)(ranking("2-1")) == (cwlP @ 3)(ranking("2-1"))


def test_many_queries_with_few_judged_documents_are_read_a_few_at_a_time():
    queries = 3000
    many = JudgedRanking(
        ranks=np.arange(1.0, queries + 1)[:, None],
        grades=np.ones((queries, 1)),
        retrieved=np.arange(1.0, queries + 1),
        judged=np.ones((queries, 1)),
        max_grade=1.0,
    )
    scores = INST(many)
    assert scores.shape == (queries,)
    assert (np.diff(scores[:1000]) < 0).all()
    assert (scores[1000:] == 0).all()
    assert scores[6] == INST(ranking("------1"))
