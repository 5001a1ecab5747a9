from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from cranfield.comparing import all_pairs, bootstrap_test, bootstrap_tests
from cranfield.comparing.significance_tests import pairwise
from cranfield.comparing.significance_tests.bootstrap import TOO_FEW


def test_it_counts_samples_whose_shifted_mean_strays_as_far():
    values = np.array([0.1, 0.3, -0.1, 0.2, 0.4])
    shifted = values - values.mean()
    means = [abs(shifted[list(drawn)].mean()) for drawn in product(range(5), repeat=5)]
    exact = np.mean([value >= abs(values.mean()) - 1e-12 for value in means])
    assert bootstrap_test(values).p == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 100_000) ** 0.5)


def test_it_is_scipys_monte_carlo_test_of_the_shifted_differences():
    from scipy.stats import monte_carlo_test

    values = np.random.default_rng(4).exponential(1, 30) - 0.7
    shifted, rng = values - values.mean(), np.random.default_rng(5)
    expected = monte_carlo_test(
        values,
        lambda size: rng.choice(shifted, size),
        lambda sample, axis: np.abs(sample.mean(axis=axis)),
        vectorized=True,
        n_resamples=40_000,
        batch=5_000,
        alternative="greater",
    ).pvalue
    assert 0.01 < expected < 0.5
    assert bootstrap_test(values).p == pytest.approx(expected, abs=5 * np.sqrt(expected * (1e-5 + 2.5e-5)))


def test_fewer_than_five_queries_are_too_few():
    result = bootstrap_test([0.1, 0.2, 0.3, 0.5])
    assert math.isnan(result.p)
    assert result.reason == TOO_FEW == "fewer than 5 queries are too few to draw samples from"


def test_with_many_queries_it_says_what_the_t_test_says():
    from scipy.stats import ttest_1samp

    values = np.random.default_rng(0).normal(0.1, 1, 400)
    assert bootstrap_test(values).p == pytest.approx(ttest_1samp(values, 0).pvalue, abs=0.005)


def test_a_pair_says_the_same_alone_and_in_company_and_in_blocks_of_any_size(monkeypatch):
    scores = np.random.default_rng(2).random((4, 40))
    together = bootstrap_tests(scores, samples=2000, rng=1)
    monkeypatch.setattr(pairwise, "CELLS", 40 * 13)
    for (one, two), result in zip(all_pairs(4), together, strict=True):
        assert bootstrap_test(scores[one] - scores[two], samples=2000, rng=1).p == result.p


def test_another_seed_draws_other_samples():
    values = np.random.default_rng(0).normal(0.2, 1, 30)
    assert bootstrap_test(values, samples=2000, rng=0).p != bootstrap_test(values, samples=2000, rng=1).p
