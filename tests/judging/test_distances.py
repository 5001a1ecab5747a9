"""Alpha of many different grades, which needs no table of them."""

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.judging.coding import coded
from cranfield.judging.coefficients import krippendorff_alpha
from cranfield.judging.distances import spread_alpha

grades = st.lists(
    st.lists(st.one_of(st.none(), st.floats(0, 9, width=16)), min_size=3, max_size=3), min_size=4, max_size=20
)


@pytest.mark.parametrize("metric", ["ordinal", "interval"])
@given(rows=grades)
def test_it_is_the_alpha_of_the_table(metric, rows):
    labels = np.array([[math.nan if grade is None else grade for grade in row] for row in rows], dtype=float).T
    table = krippendorff_alpha(labels, metric=metric)
    assert spread_alpha(coded(labels), metric)[0] == pytest.approx(table.value, nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("metric", ["ordinal", "interval"])
def test_hundreds_of_different_grades_have_the_alpha_of_the_package_krippendorff(metric):
    rng = np.random.default_rng(1)
    truth = rng.random(100)
    labels = np.array([truth + rng.normal(0, 0.2, 100) for _ in range(3)])
    labels[1, :9] = math.nan
    found = krippendorff_alpha(labels, metric=metric)
    theirs = krippendorff.alpha(reliability_data=labels, level_of_measurement=metric)
    assert found.value == pytest.approx(theirs, abs=1e-10)
    assert found.low < found.value < found.high
    sampled = cf.agree(cf.Labels.from_matrix(labels))[found.name]
    assert found.error == pytest.approx(sampled.error, rel=0.2)
