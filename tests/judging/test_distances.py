"""Alpha of many different grades, which needs no table of them."""

import math
from typing import get_args

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.choices import NamedWeights
from cranfield.errors import UsageError
from cranfield.judging.coding import coded
from cranfield.judging.coefficients import krippendorff_alpha
from cranfield.judging.distances import spread_alpha, weight_table

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


IRRCAC = {
    "radical": [[0.622035527, 0.3453463293, 0.0], [0.4654775162, 0.0741799002], [0.244071054]],
    "ratio": [[0.8163265306, 0.4048979592, 0.0], [0.8163265306, 0.4048979592], [0.8163265306]],
    "circular": [[0.8793852416, 0.2266815969, 0.5739779522], [0.5739779522, 0.2266815969], [0.0]],
    "bipolar": [[0.9230769231, 0.7272727273, 0.0], [0.9, 0.25], [0.6]],
}
"""Above the diagonal: what irrCAC 0.4.4 gives for the grades 0.5, 1, 2 and 4."""


class TestWeights:
    @pytest.mark.parametrize("name", IRRCAC)
    def test_weights_by_grades_are_those_of_irrcac(self, name):
        table = weight_table(name, 4, np.array([0.5, 1, 2, 4]))
        above = np.concatenate(IRRCAC[name])
        assert table[np.triu_indices(4, 1)] == pytest.approx(above, abs=1e-9)
        assert np.array_equal(table, table.T)
        assert (np.diag(table) == 1).all()

    @pytest.mark.parametrize("name", get_args(NamedWeights))
    @pytest.mark.parametrize("grades", [[0], [0, 1], [0, 1, 2, 3], [3, 5, 9], [0, 0.25, 0.5]])
    def test_every_table_is_one_that_may_be_given(self, name, grades):
        table = weight_table(name, len(grades), np.array(grades, dtype=float))
        assert np.array_equal(weight_table(table, len(grades)), table)

    def test_grades_that_follow_each_other_may_begin_anywhere_but_for_ratios(self):
        for name in ("radical", "circular", "bipolar"):
            assert weight_table(name, 4, np.arange(3.0, 7)) == pytest.approx(weight_table(name, 4))
        assert weight_table("ratio", 4, np.arange(3.0, 7)) != pytest.approx(weight_table("ratio", 4))

    def test_a_ratio_of_0_to_anything_is_the_longest(self):
        assert weight_table("ratio", 3, np.arange(3.0)).tolist()[0] == [1, 0, 0]

    def test_ratios_of_negative_grades_are_refused(self):
        with pytest.raises(UsageError, match="at least 0"):
            weight_table("ratio", 3, np.array([-1.0, 0, 1]))
