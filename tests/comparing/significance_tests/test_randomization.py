from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparing import all_pairs, pairs_with, randomization_test, randomization_tests
from cranfield.comparing.significance_tests import pairwise, signed_sums
from cranfield.errors import UsageError


@pytest.fixture
def only_chance(monkeypatch):
    """Nothing is found without random patterns."""
    monkeypatch.setattr(signed_sums, "HALVED", -1)
    monkeypatch.setattr(signed_sums, "ADDITIONS", 0)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_p_is_the_share_of_all_sign_patterns(values):
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in product((-1, 1), repeat=len(values))
    ]
    expected = sum(total >= abs(sum(values)) for total in sums) / len(sums)
    assert randomization_test(values).p == expected


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=20))
def test_rounding_of_scores_does_not_move_p(tenths):
    one, two = np.array(tenths).T
    assert randomization_test(one / 10 - two / 10).p == randomization_test(one - two).p
    assert randomization_test(one / 10 / 7 - two / 10 / 7).p == randomization_test(one - two).p


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9))
def test_it_is_scipys_exact_permutation_test(values):
    from scipy.stats import permutation_test

    values = np.round(values, 3)
    expected = permutation_test(
        (values, np.zeros_like(values)),
        # SciPy's tolerance is relative to the observed mean, so rounding may decide between equal sums; whole numbers
        # do not round.
        lambda x, y, axis: np.rint(1000 * (x - y)).sum(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    ).pvalue
    assert randomization_test(values).p == pytest.approx(min(expected, 1), rel=1e-12)


def test_up_to_24_differences_that_are_not_0_p_is_exact():
    rng = np.random.default_rng(0)
    values = rng.normal(0.3, 1, 24)
    assert randomization_test(np.append(values, np.zeros(30))).method == "exact"
    more = randomization_test(np.append(values, 0.1234))
    assert (more.method, more.resamples) == ("Monte Carlo", 100_000)


def test_of_measures_with_few_values_it_is_exact_for_hundreds_of_queries():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 11, 250) / 10 - rng.integers(0, 11, 250) / 10
    result = randomization_test(values)
    assert result.method == "exact"
    assert result.p == randomization_test(np.rint(10 * values)).p


def test_random_patterns_give_nearly_what_all_give(only_chance):
    rng = np.random.default_rng(1)
    for queries in (5, 12, 20):
        values = np.round(rng.normal(0.3, 1, queries), 1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(signed_sums, "HALVED", 24)
            exact = randomization_test(values).p
        result = randomization_test(values)
        assert result.method == "Monte Carlo"
        assert result.p == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 100_000) ** 0.5 + 2e-5)


def test_the_least_p_is_one_of_all_patterns_looked_at():
    result = randomization_test(np.sqrt(np.arange(1.0, 101.0)), permutations=999)
    assert result.p == 1 / 1000


def test_a_seed_gives_the_same_p_again_and_another_seed_another():
    values = np.random.default_rng(0).normal(0.1, 1, 60)
    first, again, other = (randomization_test(values, permutations=5000, rng=seed).p for seed in (3, 3, 4))
    assert first == again != other


def test_a_generator_goes_on():
    values = np.random.default_rng(0).normal(0.1, 1, 60)
    rng = np.random.default_rng(5)
    found = [randomization_test(values, permutations=5000, rng=rng).p for _ in range(4)]
    assert len(set(found)) > 1
    assert found[0] == randomization_test(values, permutations=5000, rng=np.random.default_rng(5)).p


@pytest.fixture
def scores():
    rng = np.random.default_rng(2)
    table = rng.random((6, 60))
    table[0] += 0.1
    table[4] = table[5]
    return table


def test_a_pair_says_the_same_alone_and_in_company(scores):
    together = randomization_tests(scores, permutations=3000, rng=1)
    for (one, two), result in zip(all_pairs(6), together, strict=True):
        alone = randomization_test(scores[one] - scores[two], permutations=3000, rng=1)
        assert alone.p == result.p
        assert alone.difference == pytest.approx(result.difference)


def test_so_it_does_with_undefined_scores_here_and_there(scores):
    scores[1, 3:7] = np.nan
    scores[2, 50] = np.nan
    together = randomization_tests(scores, permutations=3000, rng=1)
    assert {result.queries for result in together} == {60, 59, 56, 55}
    for (one, two), result in zip(all_pairs(6), together, strict=True):
        assert randomization_test(scores[one] - scores[two], permutations=3000, rng=1).p == result.p


def test_a_baseline_is_compared_with_the_others_only(scores):
    every = dict(zip(all_pairs(6), randomization_tests(scores, permutations=3000), strict=True))
    against = dict(zip(pairs_with(2, 6), randomization_tests(scores, pairs_with(2, 6), permutations=3000), strict=True))
    assert len(against) == 5
    for (one, two), result in against.items():
        other = every[min(one, two), max(one, two)]
        assert result.p == other.p
        assert result.difference == pytest.approx(other.difference * (1 if one < two else -1))


def test_p_does_not_depend_on_the_size_of_blocks(scores, monkeypatch):
    before = [result.p for result in randomization_tests(scores, permutations=3000)]
    monkeypatch.setattr(pairwise, "CELLS", 60 * 17)
    assert [result.p for result in randomization_tests(scores, permutations=3000)] == before


def test_equal_systems_among_others_have_p_1(scores):
    result = randomization_tests(scores, permutations=500)[-1]
    assert (result.p, result.reason) == (1, "the systems score the same for every query")


@pytest.mark.parametrize("permutations", [0, -1, 2.5, True])
def test_the_number_of_permutations_is_checked(permutations):
    with pytest.raises(UsageError, match="permutations must be a whole number of at least 1, not"):
        randomization_test([1, 2], permutations=permutations)


def test_false_alarms_are_as_rare_as_promised():
    rng = np.random.default_rng(3)
    rates = [randomization_test(rng.standard_t(3, 12)).p <= 0.05 for _ in range(1500)]
    assert np.mean(rates) == pytest.approx(0.05, abs=0.017)  # three standard errors
