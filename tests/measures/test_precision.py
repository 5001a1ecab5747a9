from __future__ import annotations

import math

import pytest

from cranfield import F, P, R, Rprec, Success, parse
from cranfield.errors import UsageError
from cranfield.measures import RelP, RprecMult, SetP
from cranfield.notation import ranking


class TestP:
    def test_it_is_the_share_of_the_first_k_ranks_with_a_relevant_document(self):
        assert (P @ 5)(ranking("1-011")) == 0.6

    def test_a_run_with_fewer_than_k_documents_is_still_divided_by_k(self):
        assert (P @ 10)(ranking("11")) == 0.2

    def test_what_comes_after_k_does_not_count(self):
        assert (P @ 2)(ranking("0011")) == 0

    def test_an_unjudged_document_is_not_relevant_nor_is_a_pooled_one(self):
        assert (P @ 3)(ranking("-x1")) == pytest.approx(1 / 3)

    def test_relevance_may_begin_at_a_higher_grade(self):
        assert P(rel=2, cutoff=3)(ranking("123")) == pytest.approx(2 / 3)

    def test_relevance_may_begin_at_a_fraction(self):
        assert P(rel=0.5, cutoff=2)(ranking("(0.5)(0.4)")) == 0.5

    def test_nothing_retrieved_is_zero(self):
        assert (P @ 5)(ranking("|11")) == 0

    def test_nothing_relevant_is_zero(self):
        assert (P @ 5)(ranking("000")) == 0

    def test_among_judged_documents_only_the_ranks_close_up(self):
        assert P(judged_only=True, cutoff=2)(ranking("-1-1")) == 1

    def test_it_may_be_divided_by_what_was_retrieved(self):
        of_retrieved = P(norm="retrieved") @ 5
        assert of_retrieved(ranking("1-|1")) == 0.5
        assert of_retrieved(ranking("1-0110|1")) == (P @ 5)(ranking("1-0110|1")) == 0.6
        assert of_retrieved(ranking("1-01")) == SetP(ranking("1-01"))

    def test_of_nothing_retrieved_there_is_no_share(self):
        assert math.isnan(P(norm="retrieved", cutoff=5)(ranking("|11")))

    def test_the_divisor_has_its_name(self):
        assert str(P(norm="retrieved", rel=2) @ 5) == "P(rel=2,norm=retrieved)@5"
        assert parse("precision(norm=retrieved)@5") == P(norm="retrieved") @ 5
        with pytest.raises(UsageError, match="norm must be k or retrieved, not min"):
            P(norm="min")


class TestR:
    def test_it_is_the_share_of_all_relevant_documents_found_by_rank_k(self):
        assert (R @ 2)(ranking("101|1")) == pytest.approx(1 / 3)

    def test_with_nothing_relevant_it_is_undefined(self):
        assert math.isnan((R @ 2)(ranking("00")))

    def test_it_cannot_reach_one_when_k_is_smaller_than_what_is_relevant(self):
        assert (R @ 2)(ranking("1111")) == 0.5

    def test_at_a_higher_grade_fewer_documents_are_relevant(self):
        assert R(rel=2, cutoff=1)(ranking("21|1")) == 1


class TestF:
    def test_it_is_the_harmonic_mean_of_precision_and_recall(self):
        assert (F @ 5)(ranking("1-011|1")) == pytest.approx(2 * 0.6 * 0.75 / (0.6 + 0.75))

    def test_beta_2_leans_to_recall(self):
        precision, recall = 1 / 2, 1 / 4
        expected = 5 * precision * recall / (4 * precision + recall)
        assert F(beta=2, cutoff=2)(ranking("10|111")) == pytest.approx(expected)

    def test_nothing_found_is_zero(self):
        assert (F @ 2)(ranking("00|1")) == 0

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan((F @ 2)(ranking("00")))


class TestSuccess:
    @pytest.mark.parametrize(("k", "found"), [(1, 0), (2, 0), (3, 1), (10, 1)])
    def test_it_is_whether_a_relevant_document_is_among_the_first_k(self, k, found):
        assert (Success @ k)(ranking("-01")) == found

    def test_without_a_cutoff_it_looks_everywhere(self):
        assert Success(ranking("-01")) == 1

    def test_nothing_retrieved_is_no_success(self):
        assert Success(ranking("|1")) == 0


class TestRprec:
    def test_it_is_precision_at_the_number_of_relevant_documents(self):
        assert Rprec(ranking("1-1|1")) == pytest.approx(2 / 3)

    def test_what_comes_after_that_rank_does_not_count(self):
        assert Rprec(ranking("0011")) == 0

    def test_a_short_ranking_is_still_divided_by_all_relevant_documents(self):
        assert Rprec(ranking("1|111")) == 0.25

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(Rprec(ranking("0-x")))


class TestRelP:
    def test_with_fewer_relevant_documents_than_ranks_it_is_recall(self):
        assert (RelP @ 5)(ranking("1-0|1")) == (R @ 5)(ranking("1-0|1")) == 0.5

    def test_with_more_it_is_precision(self):
        assert (RelP @ 2)(ranking("1-1|11")) == (P @ 2)(ranking("1-1|11")) == 0.5

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan((RelP @ 5)(ranking("0-")))


class TestRprecMult:
    def test_at_one_it_is_r_precision(self):
        assert (RprecMult @ 1)(ranking("1-1|1")) == Rprec(ranking("1-1|1"))

    def test_a_part_of_a_rank_from_a_tenth_on_is_a_whole_one(self):
        # 0.35 · 3 = 1.05 asks for one rank and 0.4 · 3 = 1.2 for two.
        assert (RprecMult @ 0.35)(ranking("101|1")) == 1
        assert (RprecMult @ 0.4)(ranking("101|1")) == 0.5

    def test_a_short_run_is_divided_by_all_the_ranks(self):
        assert (RprecMult @ 2)(ranking("1|1")) == 0.25

    def test_less_than_a_tenth_of_a_rank_is_undefined(self):
        assert math.isnan((RprecMult @ 0.05)(ranking("1")))
