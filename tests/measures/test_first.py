from __future__ import annotations

import math

import pytest

from cranfield import RR
from cranfield.measures import SL
from cranfield.notation import ranking


def test_reciprocal_rank_is_one_over_the_rank_of_the_first_relevant_document():
    assert RR(ranking("-011")) == pytest.approx(1 / 3)


def test_search_length_is_that_rank():
    assert SL(ranking("-011")) == 3


def test_only_the_first_counts():
    assert RR(ranking("0100")) == RR(ranking("0111"))


def test_nothing_relevant_found_is_reciprocal_rank_zero_and_no_search_length():
    for text in ("000|1", "|1", "---", "", "x"):
        assert RR(ranking(text)) == 0
        assert math.isnan(SL(ranking(text)))


def test_a_cutoff_hides_what_comes_after_it():
    assert (RR @ 2)(ranking("001")) == 0
    assert (RR @ 3)(ranking("001")) == pytest.approx(1 / 3)
    assert math.isnan((SL @ 2)(ranking("001")))


def test_relevance_may_begin_at_a_higher_grade():
    assert RR(rel=2)(ranking("112")) == pytest.approx(1 / 3)
    assert SL(rel=2)(ranking("112")) == 3


def test_a_search_length_is_better_when_lower_and_left_out_of_the_mean_when_there_is_none():
    assert SL.definition.lower_is_better
    assert SL.definition.undefined == "skip"
