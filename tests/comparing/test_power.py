from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from cranfield.comparing import (
    detectable_difference,
    fewest_queries,
    queries_needed,
    simulated_power,
    t_test_power,
)
from cranfield.comparing import power as power_module
from cranfield.errors import UsageError


def test_power_is_that_of_statsmodels():
    power = pytest.importorskip("statsmodels.stats.power")
    grid = list(product([2, 5, 50, 250, 10_000], [0.01, 0.1, 0.5, 2, 20], [0.05, 0.001]))
    expected = [power.ttest_power(effect, queries, alpha, alternative="two-sided") for queries, effect, alpha in grid]
    found = [t_test_power(effect, 1, queries, alpha=alpha) for queries, effect, alpha in grid]
    known = ~np.isnan(expected)  # it has no value for tails that are too small
    assert known.sum() > 40
    assert np.array(found)[known] == pytest.approx(np.array(expected)[known], abs=1e-9)
    assert (np.array(found)[~known] > 0.97).all()


def test_it_is_the_share_of_samples_that_show_the_difference():
    from scipy.stats import ttest_1samp

    samples = np.random.default_rng(0).normal(0.4, 1, (20_000, 20))
    found = (ttest_1samp(samples, 0, axis=1).pvalue <= 0.05).mean()
    assert t_test_power(0.4, 1, 20) == pytest.approx(found, abs=0.01)


@pytest.mark.parametrize(
    ("difference", "deviation", "power", "expected"),
    [
        (8, 12, 0.8, 20),  # the example in the manual of MedCalc, after Machin et al., Sample Size Tables, 2009
        (0.2, 1, 0.8, 199),  # Cohen's small, medium and large effect, as G*Power gives them for a matched pair
        (0.5, 1, 0.8, 34),
        (0.8, 1, 0.8, 15),
        (0.5, 1, 0.95, 54),
    ],
)
def test_published_numbers_of_queries(difference, deviation, power, expected):
    assert queries_needed(difference, deviation, power=power) == expected


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9), (0.05, 0.5)])
def test_queries_and_differences_are_those_of_statsmodels(alpha, power):
    solved = pytest.importorskip("statsmodels.stats.power").TTestPower().solve_power
    for queries in (8, 30, 250):
        expected = 0.2 * solved(nobs=queries, alpha=alpha, power=power)
        assert detectable_difference(0.2, queries, alpha=alpha, power=power) == pytest.approx(expected, rel=1e-4)
    for difference in (0.02, 0.05, 0.15):
        expected = solved(effect_size=difference / 0.2, alpha=alpha, power=power)
        assert queries_needed(difference, 0.2, alpha=alpha, power=power) == np.ceil(expected)


@pytest.mark.parametrize("effect", [0.05, 0.3, 1, 4])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_one_query_fewer_would_not_do(effect, power):
    needed = queries_needed(effect, 1, power=power)
    assert t_test_power(effect, 1, needed) >= power
    assert needed == 2 or t_test_power(effect, 1, needed - 1) < power


@pytest.mark.parametrize("queries", [2, 3, 25, 1000])
def test_the_detectable_difference_has_the_wanted_power(queries):
    smallest = detectable_difference(0.2, queries, power=0.9)
    assert t_test_power(smallest, 0.2, queries) == pytest.approx(0.9, abs=1e-9)


def test_four_times_as_many_queries_show_half_the_difference():
    assert detectable_difference(0.2, 400) == pytest.approx(detectable_difference(0.2, 100) / 2, rel=0.02)


def test_where_nothing_varies_anything_shows():
    assert detectable_difference(0, 50) == 0
    assert t_test_power(0.1, 0, 50) == 1
    assert [t_test_power(0, deviation, 50) for deviation in (0, 1)] == pytest.approx([0.05, 0.05])
    assert queries_needed(0.1, 0) == 2


@pytest.mark.parametrize("queries", [0, 1])
def test_fewer_than_two_queries_show_nothing(queries):
    assert math.isnan(t_test_power(0.1, 0.2, queries))
    assert math.isnan(detectable_difference(0.2, queries))


def test_a_difference_in_either_direction_is_as_easy_to_show():
    assert t_test_power(-0.1, 0.3, 40) == t_test_power(0.1, 0.3, 40)
    assert queries_needed(-0.1, 0.3) == queries_needed(0.1, 0.3)


def test_no_queries_show_what_is_not_there():
    with pytest.raises(UsageError, match="No number of queries shows a difference of 0"):
        queries_needed(0, 0.3)
    with pytest.raises(UsageError, match=r"More than 1,000,000,000 queries would be needed"):
        queries_needed(1e-6, 1)


def test_power_is_more_than_chance():
    with pytest.raises(UsageError, match=r"power must be above alpha, 0.05, .* not 0.05"):
        queries_needed(0.1, 0.3, power=0.05)


class TestSimulation:
    def test_with_normal_differences_it_is_the_formula(self):
        from scipy.special import ndtri

        values = ndtri((np.arange(2000) + 0.5) / 2000)
        found = simulated_power(values, 0.4, 25)
        assert found == pytest.approx(t_test_power(0.4, values.std(), 25), abs=0.02)

    def test_it_counts_samples_for_which_scipys_t_test_finds_it(self):
        from scipy.stats import ttest_1samp

        values = np.random.default_rng(2).exponential(1, 40)
        shifted = values - values.mean() + 0.4
        drawn = shifted[np.random.default_rng(3).integers(0, 40, size=(20_000, 30))]
        expected = (ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05).mean()
        assert simulated_power(values, 0.4, 30) == pytest.approx(expected, abs=5 * np.sqrt(0.25 * (1e-4 + 5e-5)))

    def test_the_observed_mean_does_not_matter(self):
        values = np.random.default_rng(0).exponential(1, 50)
        assert simulated_power(values, 0.3, 40) == simulated_power(values + 5, 0.3, 40)

    def test_undefined_differences_are_left_out(self):
        values = np.random.default_rng(0).exponential(1, 50)
        assert simulated_power(np.append(values, np.nan), 0.3, 40) == simulated_power(values, 0.3, 40)
        assert math.isnan(simulated_power([0.5, np.nan], 0.1, 40))

    def test_it_does_not_depend_on_the_size_of_blocks(self, monkeypatch):
        values = np.random.default_rng(0).exponential(1, 50)
        before = simulated_power(values, 0.3, 40, samples=1000)
        monkeypatch.setattr(power_module, "_CELLS", 500)
        assert simulated_power(values, 0.3, 40, samples=1000) == before

    def test_differences_that_do_not_vary_show_nothing(self):
        assert simulated_power([0.5, 0.5, 0.5], 0.1, 10) == 0

    def test_it_finds_how_many_queries_are_needed(self):
        values = np.random.default_rng(0).normal(0, 1, 500)
        needed = fewest_queries(lambda queries: simulated_power(values, 0.5, queries, samples=4000), 0.8)
        assert needed == pytest.approx(queries_needed(0.5, values.std(ddof=1)), abs=4)
