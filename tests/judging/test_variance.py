"""Variances of coefficients, by hand: two judges of four items, who differ about the second."""

import math

import numpy as np
import pytest

from cranfield.judging import variance
from cranfield.judging.coding import coded
from cranfield.judging.counting import patterns_of

PATTERNS = patterns_of(coded([[0, 0, 1, 1], [0, 1, 1, 1]]))
SAME = np.eye(2)
APART = 1 - SAME


def test_where_chance_is_fixed_only_the_agreement_of_items_varies():
    # Beyond a chance of 1/2, items add 1, -1, 1 and 1 to the coefficient of 1/2.
    squares = 3 * (1 - 0.5) ** 2 + (-1 - 0.5) ** 2
    assert variance.linearised(PATTERNS, SAME, "brennan-prediger") == pytest.approx(squares / (4 * 3))


@pytest.mark.parametrize("kind", ["fleiss", "gwet", "brennan-prediger", "conger"])
def test_judges_who_always_agree_leave_no_doubt(kind):
    agreeing = patterns_of(coded([[0, 0, 1, 1], [0, 0, 1, 1]]))
    assert variance.linearised(agreeing, SAME, kind) == pytest.approx(0, abs=1e-12)
    assert variance.of_alpha(agreeing, APART) == pytest.approx(0, abs=1e-12)


def test_cohen_s_kappa_of_independent_judges_varies_as_one_over_the_items():
    assert variance.of_cohen(np.array([[1.0, 1.0], [1.0, 1.0]]), SAME) == pytest.approx(1 / 4)
    assert variance.of_cohen(np.array([[25.0, 25.0], [25.0, 25.0]]), SAME) == pytest.approx(1 / 100)


def test_cohen_s_kappa_of_judges_who_always_agree_does_not_vary():
    assert variance.of_cohen(np.array([[3.0, 0.0], [0.0, 5.0]]), SAME) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("kind", ["fleiss", "gwet", "brennan-prediger", "conger"])
def test_ten_times_the_items_have_about_a_tenth_of_the_variance(kind):
    more = patterns_of(coded([[0, 0, 1, 1] * 10, [0, 1, 1, 1] * 10]))
    few, many = (variance.linearised(patterns, SAME, kind) for patterns in (PATTERNS, more))
    assert many == pytest.approx(few * (4 * 3 * 10) / (40 * 39))


def test_too_few_items_show_no_variance():
    one = patterns_of(coded([[0], [1]]))
    two = patterns_of(coded([[0, 1], [1, 1]]))
    assert math.isnan(variance.of_alpha(one, APART))
    assert math.isnan(variance.of_ordinal_alpha(two, np.array([0.0, 1.0])))
    assert variance.of_ordinal_alpha(PATTERNS, np.array([0.0, 1.0])) > 0
