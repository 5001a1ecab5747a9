from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparing import all_pairs, corrected, max_t_tests, randomization_test
from cranfield.comparing.significance_tests import pairwise
from tests.comparing.strategies import tables


def by_going_through(table):
    """Step-down maxT from its definition, over all sign patterns."""
    pairs = [(one, two) for one, two in all_pairs(len(table)) if np.any(np.abs(table[one] - table[two]) > 1e-9)]
    differences = np.array([table[one] - table[two] for one, two in pairs]).reshape(-1, table.shape[1])
    measure = np.sqrt((differences**2).sum(axis=1))
    observed = np.abs(differences.sum(axis=1)) / measure
    patterns = np.array(list(product((-1, 1), repeat=table.shape[1])))
    statistics = np.abs(patterns @ differences.T) / measure
    p = {}
    reached = 0.0
    for at in np.argsort(-observed, kind="stable"):
        rest = observed <= observed[at] + 1e-9
        share = (statistics[:, rest].max(axis=1) >= observed[at] - 1e-9).mean()
        reached = max(reached, share)
        p[pairs[at]] = reached
    return p


@given(tables(st.integers(2, 5), st.integers(1, 6)))
def test_it_is_what_its_definition_says(table):
    expected = by_going_through(table)
    for pair, result in zip(all_pairs(len(table)), max_t_tests(table), strict=True):
        assert result.p == pytest.approx(expected.get(pair, 1.0), rel=1e-9)


def test_the_most_significant_pair_has_scipys_p_of_the_largest_statistic():
    from scipy.stats import permutation_test

    table = np.random.default_rng(5).random((4, 9))
    table[0] += 0.3
    differences = np.array([table[one] - table[two] for one, two in all_pairs(4)])
    scaled = differences / np.sqrt((differences**2).sum(axis=1, keepdims=True))
    # SciPy exchanges the two values of a pair: here 1 and -1 for the first query, 2 and -2 for the second and so on.
    numbers = np.arange(1.0, 10)

    def largest(one, _, axis):
        return np.abs(np.moveaxis(np.sign(one), axis, -1) @ scaled.T).max(axis=-1)

    expected = permutation_test(
        (numbers, -numbers),
        largest,
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
        alternative="greater",
    )
    found = max_t_tests(table)
    assert max(np.abs(differences.sum(axis=1)) * scaled[:, 0] / differences[:, 0]) == pytest.approx(expected.statistic)
    assert min(result.p for result in found) == pytest.approx(expected.pvalue, rel=1e-12)


@given(tables(st.just(2), st.integers(1, 12)))
def test_of_two_systems_it_is_the_randomization_test(table):
    assert max_t_tests(table)[0].p == randomization_test(table[0] - table[1]).p


@given(tables(st.integers(3, 5), st.integers(3, 9)))
def test_no_p_is_smaller_than_that_of_the_pair_alone(table):
    for (one, two), result in zip(all_pairs(len(table)), max_t_tests(table), strict=True):
        assert result.p >= randomization_test(table[one] - table[two]).p - 1e-12


def test_random_patterns_give_nearly_what_all_give():
    table = np.random.default_rng(0).random((5, 14))
    exact = np.array([result.p for result in max_t_tests(table)])
    results = max_t_tests(table, permutations=10_000)
    assert {result.method for result in results} == {"Monte Carlo"}
    assert np.abs([result.p for result in results] - exact).max() < 0.025


def test_it_finds_more_than_holms_correction_where_systems_are_alike():
    rng = np.random.default_rng(1)
    base = rng.random(50)
    table = base + rng.normal(0, 0.02, (12, 50))
    table[0] += 0.035 + rng.normal(0, 0.1, 50)
    p = np.array([result.p for result in max_t_tests(table, permutations=20_000)])
    alone = [randomization_test(table[one] - table[two], permutations=20_000).p for one, two in all_pairs(12)]
    assert (p <= corrected(alone, "holm") + 1e-3).all()
    assert p.sum() < corrected(alone, "holm").sum()


def test_p_does_not_depend_on_the_size_of_blocks(monkeypatch):
    table = np.random.default_rng(2).random((6, 40))
    before = [result.p for result in max_t_tests(table, permutations=3000)]
    monkeypatch.setattr(pairwise, "CELLS", 40 * 11)
    assert [result.p for result in max_t_tests(table, permutations=3000)] == before


def test_equal_systems_have_p_1_and_are_no_trouble_to_others():
    table = np.random.default_rng(3).random((3, 30))
    doubled = np.vstack([table, table[2]])
    results = dict(zip(all_pairs(4), max_t_tests(doubled, permutations=2000), strict=True))
    assert results[2, 3].reason == "the systems score the same for every query"
    assert results[0, 1].p == max_t_tests(table, permutations=2000)[0].p


def test_without_a_query_for_all_systems_there_is_no_p():
    results = max_t_tests([[1, np.nan], [np.nan, 2], [3, 4]])
    assert [result.reason for result in results] == ["no query has a defined score for both systems"] * 3


def test_false_alarms_among_all_pairs_are_rare_though_some_systems_differ():
    rng = np.random.default_rng(4)
    worse, alarms = np.repeat([0.0, 0.5], 4), []
    for seed in range(300):
        table = worse[:, None] + rng.normal(0, 0.3, 30) + rng.normal(0, np.repeat([0.1, 0.4], 4)[:, None], (8, 30))
        found = dict(zip(all_pairs(8), max_t_tests(table, permutations=300, rng=seed), strict=True))
        alarms.append(any(found[pair].p <= 0.05 for pair in found if worse[pair[0]] == worse[pair[1]]))
    assert np.mean(alarms) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
