from __future__ import annotations

import math
from math import log2

import pytest

from cranfield.measures import G, binG
from cranfield.notation import ranking


class TestBinG:
    def test_a_relevant_document_is_discounted_by_others_above_it_judged_or_not(self):
        assert binG(ranking("0-1")) == pytest.approx(1 / log2(4))

    def test_relevant_documents_above_cost_nothing(self):
        assert binG(ranking("111")) == 1

    def test_nothing_relevant_is_undefined(self):
        assert math.isnan(binG(ranking("0-")))


class TestG:
    def test_a_perfect_ranking_scores_one(self):
        assert G(ranking("3210")) == pytest.approx(1)

    def test_with_one_grade_only_it_is_binary(self):
        assert G(ranking("0-1-1|1")) == pytest.approx(float(binG(ranking("0-1-1|1"))))

    def test_a_lesser_document_first_leaves_a_shortfall(self):
        # At rank 1 the ideal has gained 2 and this 1; at rank 2 both have 3.
        assert G(ranking("12")) == pytest.approx((1 / log2(3) + 2 / log2(2)) / 3)

    def test_a_rank_costs_one_at_least(self):
        assert G(gain={1: 0.5})(ranking("1")) == pytest.approx(1 / log2(2.5))

    def test_a_better_document_moved_up_may_harm(self):
        gains = {1: 9, 2: 10}
        assert G(gain=gains)(ranking("-21")) < G(gain=gains)(ranking("-12"))

    def test_no_gain_anywhere_is_undefined(self):
        assert math.isnan(G(ranking("0-")))
