"""Intraclass correlations: Shrout and Fleiss' table, and laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.judging.coefficients import intraclass
from cranfield.judging.intraclass import FORMS, mean_squares, moments, value_of

TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout & Fleiss 1979, table 2: six targets, four judges."""

grades = st.integers(2, 4).flatmap(
    lambda judges: st.lists(
        st.lists(st.floats(0, 3, width=16), min_size=judges, max_size=judges), min_size=3, max_size=12
    )
)


def test_shrout_and_fleiss_table_has_their_six_values():
    found = intraclass(np.array(TARGETS).T)
    assert [round(found[form].value, 2) for form in FORMS] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


def test_its_intervals_are_those_the_r_package_psych_prints():
    found = intraclass(np.array(TARGETS).T)
    printed = {
        "ICC(1,1)": (-0.133, 0.723),
        "ICC(2,1)": (0.019, 0.761),
        "ICC(3,1)": (0.342, 0.946),
        "ICC(1,k)": (-0.884, 0.912),
        "ICC(2,k)": (0.071, 0.927),
        "ICC(3,k)": (0.676, 0.986),
    }
    assert {form: (round(one.low, 3), round(one.high, 3)) for form, one in found.items()} == printed


def test_a_kinder_judge_disagrees_unless_only_consistency_counts():
    ada = [0.1, 0.5, 0.9, 0.3]
    found = intraclass([ada, [grade + 1 for grade in ada]])
    assert found["ICC(3,1)"].value == pytest.approx(1)
    assert found["ICC(2,1)"].value < 0.5


def test_only_items_that_every_judge_graded_count():
    labels = np.array(TARGETS, dtype=float).T
    more = np.hstack([labels, [[1.0], [math.nan], [2.0], [3.0]]])
    assert intraclass(more) == intraclass(labels)
    assert intraclass(more)["ICC(2,1)"].items == 6


@given(grades)
def test_the_forms_are_those_of_the_analysis_of_variance(rows):
    table = np.array(rows)
    judges = table.shape[1]
    between = judges * table.mean(axis=1).var(ddof=1)
    within = table.var(axis=1, ddof=1).mean()
    one = intraclass(table.T)["ICC(1,1)"]
    below = between + (judges - 1) * within
    if below > 1e-9:
        assert one.value == pytest.approx((between - within) / below, abs=1e-9)


@given(grades)
def test_limits_enclose_the_value(rows):
    for found in intraclass(np.array(rows).T).values():
        if found.value > 0:  # the interval of model 2 is an approximation that supposes so
            assert found.low - 1e-9 <= found.value <= found.high + 1e-9


@pytest.mark.parametrize(
    ("labels", "reason"),
    [([[1.0], [2.0]], "two items"), ([[1, 1, 1], [1, 1, 1]], "all grades are the same"), ([[1, 2, 3]], "two items")],
)
def test_without_a_value_there_is_a_reason(labels, reason):
    for found in intraclass(labels).values():
        assert math.isnan(found.value)
        assert reason in found.reason


@pytest.mark.parametrize("items", [3, 7, 11])
@pytest.mark.parametrize("middle", [0.1, 4 / 3, 1.7])
def test_a_sample_in_which_all_grades_are_the_same_has_no_correlation(items, middle):
    """What rounding leaves of differences of equal numbers was taken for variance."""
    squares = mean_squares(moments(np.full((5, items), 3.0), middle).sum(axis=0), 5)
    assert all(np.isnan(value_of(form, squares)) for form in FORMS)
