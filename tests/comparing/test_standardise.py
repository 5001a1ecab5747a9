from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from cranfield.comparing import standardised, z_scores
from cranfield.errors import UsageError
from tests.comparing.strategies import tables


@given(tables(st.integers(2, 6), st.integers(1, 6)))
def test_every_query_has_mean_0_and_deviation_1(table):
    z = z_scores(table)
    assert_allclose(z.mean(axis=0), 0, atol=1e-9)
    varies = np.ptp(table, axis=0) > 0
    assert_allclose(z.std(axis=0, ddof=1), varies.astype(float), atol=1e-9)


def test_they_are_scipys():
    from scipy.stats import zscore

    table = np.random.default_rng(0).random((6, 8))
    assert_allclose(z_scores(table), zscore(table, axis=0, ddof=1))


def test_a_query_that_is_harder_or_counts_in_another_unit_weighs_the_same():
    table = np.random.default_rng(0).random((5, 4))
    assert_allclose(z_scores(table * [1, 2, 10, 0.1] + [0, 1, -3, 7]), z_scores(table))


def test_undefined_scores_stay_so_and_do_not_count():
    table = np.array([[1.0, 2], [2, np.nan], [3, 4]])
    z = z_scores(table)
    assert np.isnan(z[1, 1])
    assert_allclose(z[[0, 2], 1], z_scores(table[[0, 2], 1:])[:, 0])


def test_where_all_score_the_same_that_score_is_0():
    assert z_scores([[0.3 - 0.2], [0.1], [0.2 - 0.1]]).tolist() == [[0], [0], [0]]


def test_one_system_has_nothing_to_compare_with():
    assert np.isnan(z_scores([[0.5, 0.7]])).all()
    assert np.isnan(z_scores([[0.5], [np.nan]])).all()


def test_a_reference_keeps_the_scale():
    reference = np.random.default_rng(0).random((8, 5))
    new = np.random.default_rng(1).random((2, 5))
    expected = (new - reference.mean(axis=0)) / reference.std(axis=0, ddof=1)
    assert_allclose(z_scores(new, reference), expected)
    assert_array_equal(z_scores(new[:1], reference), z_scores(new, reference)[:1])


def test_what_differs_from_a_reference_that_never_does_is_undefined():
    z = z_scores([[0.5], [0.6]], [[0.5], [0.5]])
    assert z[0, 0] == 0
    assert np.isnan(z[1, 0])


def test_a_reference_has_the_same_queries():
    with pytest.raises(UsageError, match="the same queries; these have 3, the others 2"):
        z_scores([[1, 2]], [[1, 2, 3]])


def test_standardised_scores_are_between_0_and_1_in_the_same_order():
    from scipy.stats import norm

    table = np.random.default_rng(0).random((6, 8))
    assert_allclose(standardised(table), norm.cdf(z_scores(table)))
    assert_array_equal(np.argsort(standardised(table), axis=0), np.argsort(table, axis=0))
