"""Grades that are hardly meant."""

import numpy as np
import pytest

from cranfield import errors
from cranfield.data.outliers import grade_outliers


def test_a_single_10_on_a_scale_from_0_to_3_is_an_outlier() -> None:
    found = grade_outliers([0, 1, 2, 3, 10], [40, 20, 10, 5, 1])
    assert found is not None
    assert (found.values, found.count, found.low, found.high) == ((10.0,), 1, 0.0, 3.0)


def test_a_grade_of_two_billion_is_an_outlier_among_five_and_among_counts() -> None:
    assert grade_outliers([0, 1, 2e9], [2, 2, 1]) is not None
    assert grade_outliers([*range(101), 2e9], [1] * 102) is not None


def test_outliers_lie_below_and_above() -> None:
    found = grade_outliers([-99, 0, 1, 2, 3, 30], [1, 40, 20, 10, 5, 1])
    assert found is not None
    assert (found.values, found.count) == ((-99.0, 30.0), 2)


def test_several_outliers_are_counted_together_where_there_are_many_grades() -> None:
    found = grade_outliers([1, 2, 3, 4, 5, 44, 55], [1000] * 5 + [1, 2])
    assert found is not None
    assert (found.values, found.count) == ((44.0, 55.0), 3)


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ([-2, 0, 1, 2, 3, 4], [858, 11674, 2208, 405, 52, 858]),
        ([0, 1, 2], [500, 30, 2]),
        ([0, 1, 4], [500, 30, 1]),
        ([-1, 0, 1, 2, 3, 4, 6], [912, 7960, 1175, 78, 213, 22, 2]),
        ([0, 1, 10], [500, 30, 20]),
        ([1, 2, 3, 4, 5], [1, 5, 20, 60, 200]),
        (range(11), [90, 5, 3, 1, 1, 1, 1, 1, 1, 1, 1]),
        ([0, 10, 20, 30, 100], [90, 40, 20, 10, 1]),
        ([0, 0.01, 0.1, 1], [90, 40, 20, 1]),
        ([0, 1, 2, 3, 5, 8, 30, 200], [900, 80, 30, 12, 4, 2, 1, 1]),
        ([1], [900]),
        ([0, 1, 100], [1, 1, 1]),
    ],
)
def test_grades_that_were_not_given_counts_and_percentages_are_no_outliers(
    values: list[int], counts: list[int]
) -> None:
    assert grade_outliers(values, counts) is None


@pytest.mark.parametrize("count", [100, 1_000, 10_000])
def test_counts_of_clicks_have_hardly_ever_outliers(count: int) -> None:
    rng = np.random.default_rng(1)
    draws = [np.unique(rng.zipf(2.0, count), return_counts=True) for _ in range(200)]
    assert sum(grade_outliers(*draw) is not None for draw in draws) <= 4


def test_a_warning_about_an_outlier_names_it_and_the_range_of_the_others() -> None:
    told = errors.labels.outlying_grades("labels.csv", [2e9], 1, (0.0, 3.0))
    assert str(told) == (
        "labels.csv: 1 label is 2000000000, far from the others, which go from 0 to 3; it counts as written"
    )
    several = errors.labels.outlying_grades(None, [10, 12], 3, (1.0, 1.0), "grade")
    assert str(several) == "3 grades are 10 or 12, far from the others, which are all 1; they count as written"
