"""What must hold for every test, and what each says where there is nothing to test."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.comparing import (
    bootstrap_test,
    max_t_tests,
    randomization_test,
    sign_test,
    signed_rank_test,
    t_test,
    tukey_hsd,
)
from cranfield.comparing.significance_tests.significance import (
    INFINITE,
    NO_DIFFERENCE,
    NO_QUERY,
    NO_VARIANCE,
    ONE_QUERY,
    Significance,
    monte_carlo_p,
)
from tests.comparing.strategies import differences


def together(tests):
    """A test of all systems at once, given the differences of two."""
    return lambda values: tests([np.asarray(values, dtype=float), np.zeros(len(values))], permutations=200)[0]


TESTS = {
    "t": t_test,
    "sign": sign_test,
    "Wilcoxon": signed_rank_test,
    "Wilcoxon, Pratt": partial(signed_rank_test, zeros="pratt"),
    "Wilcoxon, normal": partial(signed_rank_test, method="normal approximation"),
    "randomization": partial(randomization_test, permutations=200),
    "bootstrap": partial(bootstrap_test, samples=200),
    "Tukey": together(tukey_hsd),
    "maxT": together(max_t_tests),
}
EVERY = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS.keys())
WITHOUT_CHANCE = ["t", "sign", "Wilcoxon", "Wilcoxon, Pratt", "Wilcoxon, normal"]
NEEDS_VARIANCE = ["t", "bootstrap"]


@EVERY
@given(values=differences())
def test_p_is_above_0_and_at_most_1_or_there_is_a_reason(test, values):
    result = test(values)
    assert 0 < result.p <= 1 or (math.isnan(result.p) and result.reason)
    assert result.queries == len(values)


@EVERY
@given(values=differences())
def test_systems_that_change_places_have_the_same_p(test, values):
    result, changed = test(values), test(-values)
    assert changed.p == pytest.approx(result.p, rel=1e-12, nan_ok=True)
    assert changed.difference == pytest.approx(-result.difference)


@EVERY
@given(values=differences(), factor=st.sampled_from([1e-6, 0.1, 3.0, 1e6]))
def test_the_unit_of_scores_does_not_matter(test, values, factor):
    assume(not np.any((np.abs(values) > 0) & (np.abs(values) < 1e-5)))
    assert test(values * factor).p == pytest.approx(test(values).p, rel=1e-9, nan_ok=True)


@EVERY
@given(values=differences(), at=st.integers(0, 40))
def test_an_undefined_difference_is_left_out(test, values, at):
    assert str(test(np.insert(values, min(at, len(values)), np.nan))) == str(test(values))


@EVERY
@given(values=differences(least=2, most=20))
def test_a_larger_difference_for_every_query_has_no_larger_p(test, values):
    values = values if values.sum() >= 0 else -values
    p, further = test(values).p, test(values + 0.5).p
    assume(not math.isnan(p) and not math.isnan(further))
    assert further <= p * (1 + 1e-9)


@pytest.mark.parametrize("name", WITHOUT_CHANCE)
@given(values=differences(), seed=st.integers(0, 99))
def test_the_order_of_queries_does_not_matter(name, values, seed):
    shuffled = np.random.default_rng(seed).permutation(values)
    assert TESTS[name](shuffled).p == pytest.approx(TESTS[name](values).p, rel=1e-12, nan_ok=True)


@EVERY
@pytest.mark.parametrize("values", [[], [np.nan], [np.nan, np.nan]])
def test_without_a_query_there_is_no_p(test, values):
    result = test(np.array(values))
    assert math.isnan(result.p)
    assert result.reason == NO_QUERY
    assert result.queries == 0


@EVERY
@pytest.mark.parametrize("values", [[0.0], [0, 0], [0, 0, 0, np.nan]])
def test_systems_that_never_differ_have_p_1(test, values):
    result = test(np.array(values))
    assert (result.difference, result.p, result.reason) == (0, 1, NO_DIFFERENCE)


@EVERY
def test_an_infinite_score_leaves_nothing_to_test(test):
    result = test(np.array([np.inf, 1, 2]))
    assert math.isnan(result.p)
    assert result.reason == INFINITE


@pytest.mark.parametrize("name", TESTS)
def test_one_query_proves_nothing(name):
    result = TESTS[name](np.array([0.5]))
    if name in NEEDS_VARIANCE:
        assert math.isnan(result.p)
        assert result.reason == ONE_QUERY
    elif name == "Wilcoxon, normal":
        assert result.p == pytest.approx(math.erfc(math.sqrt(0.5)))
    else:
        assert result.p == 1


@pytest.mark.parametrize("name", TESTS)
def test_two_queries_of_one_direction_prove_little(name):
    p = TESTS[name](np.array([0.5, 0.25])).p
    expected = {"t": 0.2048, "Wilcoxon, normal": 0.1797, "bootstrap": math.nan}.get(name, 0.5)
    assert p == pytest.approx(expected, abs=5e-5, nan_ok=True)


@pytest.mark.parametrize("name", TESTS)
def test_where_all_differences_are_the_same_signs_count_but_there_is_no_variance(name):
    result = TESTS[name](np.array([0.3 - 0.2, 0.2 - 0.1, 0.7 - 0.6, 0.1, 0.9 - 0.8]))
    assert result.difference == pytest.approx(0.1)
    if name in NEEDS_VARIANCE:
        assert math.isnan(result.p)
        assert result.reason == NO_VARIANCE
    elif name == "Wilcoxon, normal":
        assert result.p == pytest.approx(math.erfc(math.sqrt(5 / 2)))
    else:
        assert result.p == 2 / 32


@EVERY
def test_a_p_too_small_for_a_number_is_not_0(test):
    rng = np.random.default_rng(0)
    assert test(1 + rng.normal(0, 1e-3, 3000)).p > 0


def test_the_observed_pattern_counts_as_one_of_them():
    assert monte_carlo_p(0, 999) == 0.001
    assert monte_carlo_p(999, 999) == 1


def test_a_result_says_all_about_itself():
    assert t_test([1, 2, 3]) == Significance(
        2.0, pytest.approx(math.sqrt(12)), pytest.approx(0.0741799), 3, "Student's t"
    )
