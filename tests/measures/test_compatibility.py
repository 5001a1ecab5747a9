from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield import UsageError, parse
from cranfield.measures import Compat
from cranfield.notation import ranking


def from_depth(depth, p):
    return sum(p ** (d - 1) / d for d in range(depth, 1001))


def test_a_perfect_ranking_scores_one():
    assert Compat(ranking("321000")) == pytest.approx(1)


def test_a_document_counts_from_the_depth_at_which_both_rankings_hold_it():
    # The 1 is second in the ideal ranking but first here; the 2 is first there but third here.
    shared = from_depth(2, 0.95) + from_depth(3, 0.95)
    assert Compat(ranking("1-2")) == pytest.approx(shared / (from_depth(1, 0.95) + from_depth(2, 0.95)))


def test_only_the_order_of_grades_matters():
    assert Compat(ranking("1-4|2")) == Compat(ranking("1-3|2")) == Compat(ranking("(0.1)-(99)|7"))


def test_the_ideal_ranking_has_equal_grades_in_the_order_of_the_ranking():
    assert Compat(ranking("111|11")) == Compat(ranking("543|2 1"))


def test_among_equal_grades_what_was_not_retrieved_comes_last_in_the_ideal_ranking():
    assert Compat(p=0.5)(ranking("1|1")) == pytest.approx(
        from_depth(1, 0.5) / (from_depth(1, 0.5) + from_depth(2, 0.5))
    )


def test_documents_without_a_positive_grade_are_not_in_the_ideal_ranking():
    assert Compat(ranking("0-x1|00")) == Compat(ranking("---1"))


def test_an_ideal_ranking_that_ends_early_scores_less_unless_it_is_normalised():
    p = 0.9
    weights = sum(p**d for d in range(1000))
    assert Compat(p=p, normalize=False)(ranking("1")) == pytest.approx(from_depth(1, p) / weights)
    assert Compat(p=p, normalize=False)(ranking("1")) == pytest.approx((1 - p) / p * -math.log(1 - p))


def test_the_rankings_are_read_to_rank_1000():
    assert Compat(ranking("-" * 999 + "1")) > 0
    assert Compat(ranking("-" * 1000 + "1")) == 0


@pytest.mark.parametrize("normalize", [True, False])
def test_without_a_document_to_prefer_it_is_undefined(normalize):
    assert np.isnan(Compat(normalize=normalize)(ranking("0x-|0")))


def test_it_is_read_in_the_spelling_of_ir_measures():
    assert parse("Compat(p=0.8)") == parse("compat(p=0.8,normalize=True)") == parse("compatibility(p=0.8)")
    assert str(parse("Compat(normalize=False)")) == "Compat(normalize=False)"


def test_p_is_a_probability():
    with pytest.raises(UsageError, match="p must be between 0 and 1, not 1"):
        Compat(p=1)
