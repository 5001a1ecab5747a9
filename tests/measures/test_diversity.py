"""Diversity: a document counts for each subtopic it is relevant to, and for each less, the more came before."""

from __future__ import annotations

import math
from math import log2

import pytest

import cranfield as cf
from cranfield import UsageError
from cranfield.measures import AP_IA, ERR_IA, NRBP, P_IA, StRecall, alpha_DCG, alpha_nDCG, nERR_IA, nNRBP
from cranfield.notation import grouped

# Documents a to h about the subtopics 1 to 4: a is about two, d about none, and b and c repeat what a said.
REPETITIVE = "1100 1000 1000 0000 0011 0010 0001 0010"
GAINS = [2, 1 / 2, 1 / 4, 0, 2, 1 / 2, 1 / 2, 1 / 4]
IDEAL = [2, 2, 1 / 2, 1 / 2, 1 / 2, 1 / 4, 1 / 4]


def discounted(gains):
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def by_rank(gains):
    return sum(gain / rank for rank, gain in enumerate(gains, 1))


class TestAlphaNDCG:
    def test_a_subtopic_gains_half_as_much_each_time_it_comes_again(self):
        assert (alpha_nDCG @ 8)(grouped(REPETITIVE)) == pytest.approx(discounted(GAINS) / discounted(IDEAL))

    def test_ranking_and_ideal_end_at_the_cutoff(self):
        assert (alpha_nDCG @ 3)(grouped(REPETITIVE)) == pytest.approx(discounted(GAINS[:3]) / discounted(IDEAL[:3]))

    def test_the_order_that_always_gains_most_scores_one(self):
        assert (alpha_nDCG @ 8)(grouped("1100 0011 1000 0010 0001 1000 0010 0000")) == 1

    def test_alpha_is_how_much_is_lost(self):
        # With alpha 0 repetition costs nothing, with alpha 1 it gains nothing.
        assert (alpha_nDCG(alpha=0) @ 2)(grouped("1 1")) == 1
        twice = (alpha_nDCG(alpha=1) @ 2)(grouped("10 10|01"))
        assert twice == pytest.approx(1 / (1 + 1 / log2(3)))

    def test_a_document_never_found_is_in_the_ideal(self):
        assert (alpha_nDCG @ 1)(grouped("10|11")) == 0.5

    def test_an_unjudged_document_gains_nothing_but_takes_its_rank(self):
        assert (alpha_nDCG @ 2)(grouped("-- 10")) == pytest.approx(1 / log2(3))

    def test_unless_unjudged_documents_are_left_out(self):
        assert (alpha_nDCG(judged_only=True) @ 2)(grouped("-- 10")) == 1

    def test_a_document_that_is_only_pooled_leaves_with_them(self):
        assert (alpha_nDCG(judged_only=True) @ 2)(grouped("x- 10")) == 1
        assert (alpha_nDCG(judged_only=True) @ 2)(grouped("x0 10")) < 1

    def test_without_a_relevant_document_it_is_undefined(self):
        assert math.isnan((alpha_nDCG @ 5)(grouped("00 0-|x0")))

    def test_a_grade_counts_from_the_relevance_level_on(self):
        assert (alpha_nDCG(rel=2) @ 2)(grouped("12 21")) == 1
        assert (alpha_nDCG(rel=2) @ 2)(grouped("11 21|02")) < 1

    def test_of_documents_that_gain_alike_the_ideal_takes_the_last_id_first(self):
        # All three gain 2 at first. After c comes b, which is about other subtopics; after a nothing gains 2 again.
        judged = {"q": {"1": ["a", "c"], "2": ["a", "b"], "3": ["b"], "4": ["c"]}}
        found = cf.evaluate(judged, {"last": {"q": ["c", "b", "a"]}, "first": {"q": ["a", "b", "c"]}}, "alpha_nDCG@3")
        first = discounted([2, 3 / 2, 3 / 2]) / discounted([2, 2, 1])
        assert found["alpha_nDCG@3"].ravel().tolist() == [1, pytest.approx(first)]

    def test_a_cutoff_beyond_all_documents_costs_no_memory(self):
        assert (alpha_nDCG @ 10**12)(grouped(REPETITIVE)) == (alpha_nDCG @ 8)(grouped(REPETITIVE))


class TestAlphaDCG:
    def test_it_divides_by_what_documents_would_gain_that_all_serve_every_subtopic(self):
        conceivable = 4 * discounted([1, 1 / 2, 1 / 4])
        assert (alpha_DCG @ 3)(grouped(REPETITIVE)) == pytest.approx(discounted(GAINS[:3]) / conceivable)

    def test_only_such_documents_score_one(self):
        assert (alpha_DCG @ 2)(grouped("11 11")) == 1
        assert (alpha_DCG @ 2)(grouped("11|11")) < 1

    def test_a_subtopic_without_a_relevant_document_does_not_count(self):
        assert (alpha_DCG @ 1)(grouped("10|00")) == 1

    def test_far_down_nothing_is_added(self):
        assert (alpha_DCG @ 10**12)(grouped("1 1")) == pytest.approx((alpha_DCG @ 2000)(grouped("1 1")), rel=1e-12)


class TestERRIA:
    def test_a_rank_weighs_its_reciprocal(self):
        assert (ERR_IA @ 3)(grouped(REPETITIVE)) == pytest.approx(by_rank(GAINS[:3]) / (4 * by_rank([1, 1 / 2, 1 / 4])))
        assert (nERR_IA @ 8)(grouped(REPETITIVE)) == pytest.approx(by_rank(GAINS) / by_rank(IDEAL))

    def test_for_one_subtopic_it_is_proportional_to_expected_reciprocal_rank(self):
        # ERR with a chance of one half to be satisfied: 1/2 + 1/4 · 1/3 of 1/2 + 1/4 · 1/2 + 1/8 · 1/3.
        assert (ERR_IA @ 3)(grouped("1 0 1")) == pytest.approx((1 / 2 + 1 / 12) / (1 / 2 + 1 / 8 + 1 / 24))


class TestNRBP:
    def test_patience_weighs_the_ranks(self):
        gained = sum(gain / 2**i for i, gain in enumerate(GAINS))
        assert NRBP(grouped(REPETITIVE)) == pytest.approx(3 / 4 * gained / 4)

    def test_documents_without_end_that_serve_every_subtopic_score_one(self):
        assert NRBP(grouped("11 " * 60)) == pytest.approx(1)

    def test_its_ideal_is_that_of_alpha_ndcg(self):
        gained, ideal = (sum(gain / 2**i for i, gain in enumerate(gains)) for gains in (GAINS, IDEAL))
        assert nNRBP(grouped(REPETITIVE)) == pytest.approx(gained / ideal)

    def test_patience_may_be_another(self):
        assert NRBP(beta=0.8)(grouped("0 1")) == pytest.approx((1 - 0.5 * 0.8) * 0.8)


def test_average_precision_is_averaged_over_subtopics():
    # 1 and 1/2 · (1/2 + 2/3): the second subtopic has its documents at ranks 2 and 3.
    assert AP_IA(grouped("10 01 01")) == pytest.approx((1 + (1 / 2 + 2 / 3) / 2) / 2)
    assert AP_IA(grouped("10|01")) == 0.5


def test_precision_is_averaged_over_subtopics():
    assert (P_IA @ 2)(grouped("10 11 11")) == 0.75
    assert (P_IA @ 4)(grouped("11")) == 0.25


def test_subtopic_recall_counts_each_subtopic_once():
    assert StRecall(grouped("100 110|001")) == pytest.approx(2 / 3)
    assert (StRecall @ 1)(grouped("100 110|001")) == pytest.approx(1 / 3)


@pytest.mark.parametrize("measure", [AP_IA, P_IA @ 5, StRecall, alpha_DCG @ 5, ERR_IA @ 5, NRBP, nNRBP], ids=str)
def test_where_no_subtopic_has_a_relevant_document_all_are_undefined(measure):
    assert math.isnan(measure(grouped("00 x-|0-")))


@pytest.mark.parametrize("name", ["alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"])
@pytest.mark.parametrize("alpha", [-0.1, 1.1, 2])
def test_alpha_is_a_probability(name, alpha):
    cutoff = "" if "NRBP" in name else "@5"
    with pytest.raises(UsageError) as refused:
        cf.parse(f"{name}(alpha={alpha}){cutoff}")
    assert str(refused.value) == f"alpha is a probability, from 0 to 1, not {alpha:g}."


@pytest.mark.parametrize("beta", [1, 1.5])
def test_patience_is_a_probability_below_one(beta):
    with pytest.raises(UsageError) as refused:
        cf.parse(f"NRBP(beta={beta})")
    assert str(refused.value) == f"beta is a probability, between 0 and 1, not {beta:g}."


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("alpha-nDCG@20", "alpha_nDCG@20"),
        ("α-nDCG@20", "alpha_nDCG@20"),
        ("α_nDCG@20", "alpha_nDCG@20"),
        ("α_DCG@20", "alpha_DCG@20"),
        ("alpha_nDCG(alpha=0.9)@20", "alpha_nDCG(alpha=0.9)@20"),
        ("ERR-IA@5", "ERR_IA@5"),
        ("nERR-IA@5", "nERR_IA@5"),
        ("MAP-IA", "AP_IA"),
        ("P-IA@10", "P_IA@10"),
        ("strec@10", "StRecall@10"),
        ("NRBP(beta=0.8)", "NRBP(beta=0.8)"),
    ],
)
def test_the_names_of_ndeval_and_ir_measures_are_understood(spelling, name):
    assert cf.parse(spelling).canonical == name
