"""Two one-sided tests: whether a difference is within a margin."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_paired

from cranfield.comparing import (
    SystemPairs,
    all_pairs,
    equivalence_test,
    equivalence_tests,
    randomization_tests,
    t_interval,
)
from cranfield.errors import UsageError


@pytest.mark.parametrize("seed", range(20))
def test_p_is_that_of_statsmodels(seed):
    rng = np.random.default_rng(seed)
    queries = int(rng.integers(3, 200))
    run, baseline = rng.beta(2, 2, size=(2, queries))
    margin = float(rng.uniform(0.01, 0.3))
    expected, *_ = ttost_paired(run, baseline, -margin, margin)
    assert equivalence_test(run - baseline, margin).p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_it_is_significant_exactly_where_the_interval_of_twice_the_level_is_within_the_margin(seed):
    differences = np.random.default_rng(seed).normal(0.01, 0.1, size=30)
    interval = t_interval(differences, confidence=0.9)
    edge = max(abs(interval.low), abs(interval.high))
    assert equivalence_test(differences, edge * 0.999).p > 0.05
    assert equivalence_test(differences, edge * 1.001).p < 0.05


@pytest.mark.parametrize("seed", range(10))
def test_by_randomization_it_counts_the_sign_patterns_of_either_side(seed):
    rng = np.random.default_rng(seed)
    table = np.round(rng.normal(0, 0.1, size=(2, 8)), 2)
    (outcome,) = equivalence_tests(table, all_pairs(2), 0.2, randomization_tests)
    differences = table[0] - table[1]
    signs = np.array(list(product([-1, 1], repeat=8)))
    expected = max(
        ((signs @ moved) >= moved.sum() - 1e-9).mean() for moved in (differences + 0.2, -(differences - 0.2))
    )
    assert outcome.p == pytest.approx(expected)
    assert outcome.method == "exact"


def test_a_difference_beyond_the_margin_has_a_p_of_more_than_half():
    assert equivalence_test([0.4, 0.5, 0.6], 0.1).p > 0.5
    assert equivalence_tests([[0.4, 0.5, 0.6], [0, 0, 0]], all_pairs(2), 0.1, randomization_tests)[0].p > 0.5


def test_a_difference_that_is_the_margin_everywhere_is_not_within_it():
    assert equivalence_tests([[0.5] * 9, [0.25] * 9], all_pairs(2), 0.25, randomization_tests)[0].p == 1


def test_equal_scores_are_equivalent_by_randomization_and_untested_by_t():
    equal = np.array([[0.5, 0.25, 1, 0, 0.75, 0.5]] * 2)
    assert equivalence_tests(equal, all_pairs(2), 0.1, randomization_tests)[0].p == 2**-6
    untested = equivalence_test(equal[0] - equal[1], 0.1)
    assert np.isnan(untested.p)
    assert untested.reason


def test_the_difference_is_that_of_the_scores_as_they_are():
    assert equivalence_test([0.1, 0.2, 0.6], 0.2).difference == pytest.approx(0.3)


def test_queries_that_either_has_no_score_for_are_left_out():
    table = np.array([[0.5, np.nan, 0.25, 1], [0.25, 0.5, 0.5, 0.75]])
    pair = SystemPairs(np.array([0]), np.array([1]))
    (outcome,) = equivalence_tests(table, pair, 0.5, randomization_tests)
    assert outcome.queries == 3
    assert outcome == equivalence_tests(table[:, [0, 2, 3]], pair, 0.5, randomization_tests)[0]


@pytest.mark.parametrize("margin", [0, -0.1, np.nan, np.inf, "0.1", True, None])
def test_a_margin_is_a_number_above_0(margin):
    with pytest.raises(UsageError, match="margin must be a number above 0"):
        equivalence_test([0.1, 0.2], margin)
