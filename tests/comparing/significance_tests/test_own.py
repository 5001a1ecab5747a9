"""A test of one's own: what it is called with, and what it may return."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy import stats

from cranfield.comparing import all_pairs, pairwise, t_test
from cranfield.comparing.significance_tests.own import own_name, own_tests
from cranfield.errors import UsageError

SCORES = np.random.default_rng(0).random((4, 30))
PAIRS = all_pairs(4)


def test_the_functions_of_scipy_give_what_they_give():
    found = own_tests(SCORES, PAIRS, stats.ttest_rel)
    assert [one.p for one in found] == pytest.approx([one.p for one in pairwise(SCORES, PAIRS, t_test)])
    assert [one.p for one in own_tests(SCORES, PAIRS, stats.wilcoxon)] == [
        stats.wilcoxon(SCORES[one], SCORES[two]).pvalue for one, two in PAIRS
    ]


def test_it_gets_the_queries_that_both_have_a_score_for_in_copies():
    scores = SCORES.copy()
    scores[0, 3] = scores[1, 5] = np.nan
    before = scores.copy()

    def spoiling(run, baseline):
        assert len(run) == len(baseline) == 28
        run[:] = 0
        return 0.3

    assert [one.queries for one in own_tests(scores, all_pairs(2), spoiling)] == [28]
    assert np.array_equal(scores, before, equal_nan=True)


def test_where_there_is_nothing_to_test_it_is_not_called():
    def never(run, baseline):
        raise AssertionError

    (equal,) = own_tests([[1, 2], [1, 2]], all_pairs(2), never)
    (undefined,) = own_tests([[1, np.nan], [np.nan, 2]], all_pairs(2), never)
    assert equal.p == 1
    assert np.isnan(undefined.p)
    assert equal.reason
    assert undefined.reason


@pytest.mark.parametrize(
    "p", [0.25, np.float64(0.25), np.float32(0.25), np.array(0.25), stats.ttest_1samp([0, 1, 3], 0)]
)
def test_p_may_be_any_number_or_have_a_name(p):
    assert 0 < own_tests(SCORES[:2], all_pairs(2), lambda run, baseline: p)[0].p < 1


def test_no_p_is_0_and_rounding_above_1_is_1():
    assert own_tests(SCORES[:2], all_pairs(2), lambda run, baseline: 0)[0].p > 0
    assert own_tests(SCORES[:2], all_pairs(2), lambda run, baseline: 1 + 1e-12)[0].p == 1


@pytest.mark.parametrize("p", [np.nan, -0.1, 1.1, np.inf, 5])
def test_what_is_no_probability_is_refused(p):
    with pytest.raises(UsageError, match="p must be a number from 0 to 1"):
        own_tests(SCORES, PAIRS, lambda run, baseline: p, ["a", "b", "c", "d"])


@pytest.mark.parametrize("returned", [None, "0.05", True, (1.5, 0.05), [0.05], np.array([0.05, 0.1]), {}, [[1], 2]])
def test_what_is_no_number_is_refused(returned):
    with pytest.raises(UsageError, match=r"for a and b \(30 queries\); it must return p"):
        own_tests(SCORES, PAIRS, lambda run, baseline: returned, ["a", "b", "c", "d"])


def test_what_it_raises_is_told_with_the_runs():
    def failing(run, baseline):
        raise ZeroDivisionError("float division by zero")

    with pytest.raises(
        UsageError, match=r"own test failing failed for a and b .*ZeroDivisionError: float division"
    ) as error:
        own_tests(SCORES, PAIRS, failing, ["a", "b", "c", "d"])
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_a_function_of_differences_alone_is_told_what_it_is_called_with():
    with pytest.raises(UsageError, match="It is called with two arrays"):
        own_tests(SCORES, PAIRS, lambda differences: 0.5)


@pytest.mark.parametrize("side", ["less", "greater"])
def test_a_one_sided_test_is_refused(side):
    with pytest.raises(UsageError, match="is one-sided"):
        own_tests(SCORES, PAIRS, partial(stats.ttest_rel, alternative=side))


def test_a_two_sided_test_that_draws_random_numbers_is_not_called_one_sided():
    rng = np.random.default_rng(0)
    for _ in range(50):
        own_tests(SCORES, PAIRS, lambda run, baseline: stats.ttest_rel(run, baseline).pvalue * rng.uniform(0.95, 1))


def test_its_name_is_that_of_the_function():
    class Resampling:
        def __call__(self, run, baseline):
            return 1.0

    assert own_name(stats.ttest_rel) == "own test ttest_rel"
    assert own_name(partial(stats.ttest_rel, axis=0)) == "own test ttest_rel"
    assert own_name(Resampling()) == "own test Resampling"
