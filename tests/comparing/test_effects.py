from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.comparing import cohen_d, hedges_g, superiority, t_test, wins_ties_losses
from tests.comparing.strategies import differences


def test_wins_ties_and_losses_are_counted():
    assert wins_ties_losses([0.5, 0.1, 0, -0.2, np.nan]) == (2, 1, 1)


def test_what_differs_by_no_more_than_the_threshold_is_tied():
    assert wins_ties_losses([0.02, 0.01, -0.01, -0.02], threshold=0.01) == (1, 2, 1)


def test_rounding_decides_no_tie():
    assert wins_ties_losses([0.3 - 0.29, 0.03 - 0.02, 0.29 - 0.3], threshold=0.01) == (0, 3, 0)
    assert wins_ties_losses([0.1 + 0.2 - 0.3, 0.5]) == (1, 1, 0)


@given(differences())
def test_every_query_is_won_tied_or_lost(values):
    assert sum(wins_ties_losses(values)) == len(values)


@given(differences())
def test_superiority_of_one_is_inferiority_of_the_other(values):
    assert superiority(values) + superiority(-values) == pytest.approx(1)


def test_superiority_needs_a_query():
    assert math.isnan(superiority([]))


@given(differences(least=2))
def test_d_is_t_without_the_number_of_queries(values):
    result = t_test(values)
    assume(not math.isnan(result.statistic))
    assert cohen_d(values) == pytest.approx(result.statistic / math.sqrt(len(values)))


def test_without_a_difference_there_is_no_effect():
    assert cohen_d([0, 0, 0]) == hedges_g([0, 0, 0]) == 0


@pytest.mark.parametrize("values", [[], [0.5], [0.5, 0.5], [1, np.inf]])
def test_without_variance_an_effect_has_no_size(values):
    assert math.isnan(cohen_d(values))
    assert math.isnan(hedges_g(values))


@pytest.mark.parametrize("queries", [3, 10, 50])
def test_hedges_takes_away_the_bias(queries):
    # J(ν) is close to 1 - 3 / (4ν - 1), as Hedges gives it.
    values = np.random.default_rng(0).normal(0.5, 1, queries)
    factor = hedges_g(values) / cohen_d(values)
    assert factor == pytest.approx(1 - 3 / (4 * (queries - 1) - 1), abs=0.01)


@pytest.mark.parametrize("queries", [3, 4, 10, 250])
def test_the_bias_is_that_of_the_mean_of_scipys_noncentral_t(queries):
    from scipy.stats import nct

    values = np.random.default_rng(0).normal(0.5, 1, queries)
    too_large = nct.mean(queries - 1, 2) / 2
    assert hedges_g(values) == pytest.approx(cohen_d(values) / too_large, rel=1e-9)


def test_superiority_is_numpys_mean_step_with_ties_at_a_half():
    values = np.random.default_rng(1).integers(-2, 3, 50) / 10
    assert superiority(values) == pytest.approx(np.heaviside(values, 0.5).mean())


def test_g_is_right_on_average_where_d_is_too_large():
    rng = np.random.default_rng(1)
    samples = rng.normal(0.5, 1, (20_000, 6))
    d = samples.mean(axis=1) / samples.std(axis=1, ddof=1)
    assert d.mean() > 0.58
    assert np.mean([hedges_g(sample) for sample in samples[:5000]]) == pytest.approx(0.5, abs=0.03)


@given(values=differences(least=3), factor=st.sampled_from([0.01, 2, 1000]))
def test_the_unit_of_scores_does_not_matter(values, factor):
    assume(not np.any((np.abs(values) > 0) & (np.abs(values) < 1e-5)))
    assert cohen_d(values * factor) == pytest.approx(cohen_d(values), rel=1e-6, nan_ok=True)
    assert superiority(values * factor) == superiority(values)
