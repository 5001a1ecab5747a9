from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparing import all_pairs, pairs_with, randomization_test, tukey_hsd
from cranfield.comparing.significance_tests import tukey
from tests.comparing.strategies import tables


@given(tables(st.integers(2, 3), st.integers(1, 4)))
def test_p_is_the_share_of_all_ways_to_hand_out_scores(table):
    tenths = np.rint(10 * table).astype(int)
    handed_out = product(*(list(permutations(query)) for query in tenths.T))
    ranges = [np.ptp(np.sum(scores, axis=0)) for scores in handed_out]
    results = tukey_hsd(table)
    assert len(results) == len(all_pairs(len(table)))
    for (one, two), result in zip(all_pairs(len(table)), results, strict=True):
        apart = abs(int(tenths[one].sum() - tenths[two].sum()))
        assert result.p == pytest.approx(np.mean([value >= apart for value in ranges]), rel=1e-12)


@given(tables(st.just(2), st.integers(1, 12)))
def test_of_two_systems_it_is_the_randomization_test(table):
    assert tukey_hsd(table)[0].p == randomization_test(table[0] - table[1]).p


def test_random_ways_give_nearly_what_all_give(monkeypatch):
    rng = np.random.default_rng(0)
    for systems, queries in ((3, 6), (4, 4), (5, 3)):
        table = rng.random((systems, queries))
        exact = np.array([result.p for result in tukey_hsd(table)])
        with monkeypatch.context() as patch:
            patch.setattr(tukey, "ALL", 0)
            results = tukey_hsd(table, permutations=20_000)
        assert {result.method for result in results} == {"Monte Carlo"}
        error = np.sqrt(exact * (1 - exact) / 20_000)
        assert np.all(np.abs([result.p for result in results] - exact) <= 5 * error + 1e-4)


def test_turning_arrangements_shuffles_as_well_as_shuffling():
    # 99 % of ranges from independent shuffles; 25 queries turn each arrangement 50 times.
    rng = np.random.default_rng(1)
    scores = rng.random((25, 8))
    shuffled = np.sort([np.ptp(rng.permuted(scores, axis=1).sum(axis=0)) for _ in range(20_000)])
    turned = np.sort(tukey._random_ranges(scores, 20_000, rng=2))
    shares = np.arange(200, 20_000, 200)
    between = np.searchsorted(turned, shuffled[shares]) / 20_000
    assert np.abs(between - shares / 20_000).max() < 1.95 * np.sqrt(2 / 20_000)  # Kolmogorov and Smirnov, 0.1 %


def test_of_many_normal_scores_it_is_the_studentized_range():
    from scipy.stats import studentized_range

    rng = np.random.default_rng(8)
    table = rng.normal(0, 1, (6, 400)) + rng.normal(0, 3, 400)
    table[0] += 0.15
    # What system and query leave over is measured by the mean square of a two-way analysis of variance.
    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    freedom = 5 * 399
    error = np.sqrt((rest**2).sum() / freedom / 400)
    for (one, two), result in zip(all_pairs(6), tukey_hsd(table, permutations=40_000), strict=True):
        expected = studentized_range.sf(abs(table[one].mean() - table[two].mean()) / error, 6, freedom)
        assert result.p == pytest.approx(expected, abs=5 * np.sqrt(expected * (1 - expected) / 40_000) + 0.002)


def test_pairs_need_larger_differences_the_more_systems_there_are():
    rng = np.random.default_rng(2)
    table = rng.random((10, 40))
    table[0] += 0.15
    few, many = tukey_hsd(table[:2], permutations=5000)[0], tukey_hsd(table, permutations=5000)[0]
    assert few.p < many.p


def test_harder_queries_do_not_hide_differences():
    rng = np.random.default_rng(3)
    table = rng.normal(0, 0.1, (4, 30))
    harder = table + rng.normal(0, 10, 30)
    expected = [result.p for result in tukey_hsd(table, permutations=2000)]
    assert [result.p for result in tukey_hsd(harder, permutations=2000)] == pytest.approx(expected)


def test_queries_with_an_undefined_score_are_left_out_for_all():
    table = np.random.default_rng(4).random((3, 12))
    with_hole = np.insert(table, 5, [0.5, np.nan, 0.5], axis=1)
    assert tukey_hsd(with_hole, permutations=1000) == tukey_hsd(table, permutations=1000)


def test_a_baselines_pairs_are_measured_by_the_range_of_all_systems():
    table = np.random.default_rng(5).random((5, 20))
    every = dict(zip(all_pairs(5), tukey_hsd(table, permutations=2000), strict=True))
    for (one, two), result in zip(pairs_with(0, 5), tukey_hsd(table, pairs_with(0, 5), permutations=2000), strict=True):
        assert result.p == every[two, one].p


def test_a_seed_gives_the_same_again():
    table = np.random.default_rng(6).random((5, 20))
    first, again, other = ([result.p for result in tukey_hsd(table, permutations=2000, rng=seed)] for seed in (1, 1, 2))
    assert first == again != other


def test_false_alarms_among_all_pairs_are_as_rare_as_promised():
    rng = np.random.default_rng(7)
    alarms = [
        min(result.p for result in tukey_hsd(rng.exponential(1, (5, 12)), permutations=400, rng=seed)) <= 0.05
        for seed in range(400)
    ]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.033)  # three standard errors
