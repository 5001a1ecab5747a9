"""Grades from estimates, and their agreement, beside what other libraries compute."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from cranfield.click_models.agreement import agreement, auc, spearman
from cranfield.click_models.grading import by_quantile, by_threshold, calibrated, isotonic
from cranfield.errors import UsageError

shares = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(shares, st.randoms(use_true_random=False))
def test_a_rising_function_is_scipys(x, random):
    places = np.array(sorted(set(x)))
    y = np.array([random.randint(0, 3) for _ in places], dtype=float)
    assert isotonic(places, y)[1] == pytest.approx(isotonic_regression(y).x)


def test_equal_estimates_share_their_mean_grade():
    places, means = isotonic(np.array([1.0, 1, 2]), np.array([0.0, 2, 3]))
    assert (places.tolist(), means.tolist()) == ([1, 2], [1, 3])


@given(shares)
def test_a_higher_estimate_never_has_a_lower_grade(estimates):
    values = np.sort(np.array(estimates))
    judged = np.arange(len(values)) % 3 * 1.0
    for grading in (by_quantile(values), by_threshold([0.3, 0.6]), calibrated(values, judged)):
        assert (np.diff(grading.grade(values)) >= 0).all()


def test_shares_are_those_asked_for():
    estimates = np.linspace(0, 1, 200)
    grades = by_quantile(estimates).grade(estimates)
    assert np.bincount(grades.astype(int)).tolist() == [100, 50, 30, 20]


def test_equal_estimates_at_the_bottom_never_have_a_high_grade():
    estimates = np.array([0.1] * 8 + [0.3, 0.4])
    assert by_quantile(estimates).grade(estimates).tolist() == [0] * 8 + [2, 3]
    for count in (1, 2, 10):
        assert by_quantile(np.full(count, 0.1)).grade(np.full(count, 0.1)).tolist() == [0] * count


@pytest.mark.parametrize("wrong", ["abc", [float("nan"), 1], [0.5, None], 0.5, [float("inf"), 1], []])
def test_shares_and_thresholds_are_numbers(wrong):
    with pytest.raises(UsageError, match="shares are two or more numbers above 0"):
        by_quantile(np.array([0.1, 0.2]), wrong)
    with pytest.raises(UsageError, match="thresholds are rising numbers"):
        by_threshold(wrong)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=40))
def test_kappas_are_scikit_learns(pairs):
    one, two = np.array(pairs, dtype=float).T
    found = agreement(one, two, two, cross_validated=False)
    for weights, kappa in (("linear", found.linear), ("quadratic", found.kappa)):
        if len(set(one) | set(two)) > 1:
            assert kappa == pytest.approx(cohen_kappa_score(one, two, weights=weights), abs=1e-10)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=3, max_size=40))
def test_auc_and_spearman_are_those_of_other_libraries(pairs):
    estimates, grades = np.array(pairs, dtype=float).T
    relevant = grades >= 1
    if relevant.any() and not relevant.all():
        assert auc(estimates, relevant) == pytest.approx(roc_auc_score(relevant, estimates))
    else:
        assert np.isnan(auc(estimates, relevant))
    if len(set(estimates)) > 1 and len(set(grades)) > 1:
        assert spearman(estimates, grades) == pytest.approx(spearmanr(estimates, grades).statistic)
    else:
        assert np.isnan(spearman(estimates, grades))


def test_agreement_counts_grades_beside_each_other():
    found = agreement(np.array([0.0, 1, 2]), np.array([0.0, 2, 2]), np.array([0.1, 0.5, 0.9]), cross_validated=False)
    assert found.pairs == 3
    assert found.confusion.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert found.spearman == pytest.approx(1)
    assert "on 3 documents that have both" in found.verdict()
