from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from cranfield.comparing.paired import (
    all_pairs,
    as_matrix,
    complete,
    defined,
    deviation,
    mean,
    pairs_with,
    without_noise,
)
from cranfield.errors import UsageError


def test_each_two_systems_are_a_pair_once():
    assert list(all_pairs(4)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_one_system_makes_no_pair():
    assert len(all_pairs(1)) == 0


def test_differences_to_a_baseline_are_the_others_less_it():
    assert list(pairs_with(0, 3)) == [(1, 0), (2, 0)]


@pytest.mark.parametrize("baseline", [-1, 3])
def test_a_baseline_is_one_of_the_systems(baseline):
    with pytest.raises(UsageError, match=f"one of the rows 0 to 2, not {baseline}"):
        pairs_with(baseline, 3)


def test_p_values_of_pairs_are_the_same_on_both_sides_of_the_diagonal():
    matrix = as_matrix([0.1, 0.2, 0.3], all_pairs(3), 3)
    assert_array_equal(matrix, matrix.T)
    assert matrix[0, 2] == 0.2
    assert np.isnan(np.diag(matrix)).all()


def test_pairs_that_were_not_compared_have_no_value():
    assert np.isnan(as_matrix([0.1, 0.2], pairs_with(0, 3), 3)[1, 2])


def test_a_query_without_a_score_for_one_system_is_left_out_for_all():
    assert complete([[1, np.nan, 3], [4, 5, 6]]).tolist() == [[1, 3], [4, 6]]


def test_infinite_is_not_undefined():
    assert_array_equal(defined([np.inf, np.nan]), [np.inf])


def test_rounding_makes_no_difference():
    assert without_noise(np.array([0.3 - 0.2 - 0.1, 1e-3])).tolist() == [0, 1e-3]


def test_small_differences_are_differences_if_all_are_small():
    assert without_noise(np.array([1e-15, -2e-15])).tolist() == [1e-15, -2e-15]


def test_the_mean_does_not_depend_on_the_order_of_queries():
    values = np.array([1e16, 1.0, -1e16, 0.5])
    assert mean(values) == mean(values[::-1]) == 0.375


def test_nothing_has_no_mean_and_one_value_no_deviation():
    assert np.isnan(mean(np.array([])))
    assert np.isnan(deviation(np.array([0.5])))


@pytest.mark.parametrize("scores", [[1, 2], [[[1]]], 1])
def test_scores_are_a_table(scores):
    with pytest.raises(UsageError, match="a row per system and a column per query; these have"):
        complete(scores)


def test_differences_are_one_per_query():
    with pytest.raises(UsageError, match="one value per query, along one axis; these have 2 axes"):
        defined([[1, 2]])
