from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from cranfield import kernels
from cranfield.comparing import all_pairs, bootstrap_tests, max_t_tests, pairwise, randomization_tests, t_test
from cranfield.comparing.significance_tests import pairwise as module
from cranfield.comparing.significance_tests.pairwise import all_signs, exceeding, random_samples, random_signs
from cranfield.comparing.significance_tests.significance import INFINITE

DRAWN = pytest.mark.parametrize("drawn", [random_signs, random_samples])


@DRAWN
@pytest.mark.parametrize("queries", [1, 63, 64, 65, 200])
def test_numbers_do_not_depend_on_the_size_of_blocks(drawn, queries, monkeypatch):
    whole = np.vstack(list(drawn(queries, 300, 7)))
    monkeypatch.setattr(module, "CELLS", 7 * queries)
    blocks = list(drawn(queries, 300, 7))
    assert len(blocks) == 43
    assert_array_equal(np.vstack(blocks), whole)


@DRAWN
def test_the_same_seed_gives_the_same_numbers_and_another_does_not(drawn):
    one, again, other = (np.vstack(list(drawn(50, 20, seed))) for seed in (1, 1, 2))
    assert_array_equal(one, again)
    assert (one != other).any()


def test_signs_are_fair_and_independent_between_queries():
    signs = np.vstack(list(random_signs(10, 40_000, 0)))
    assert set(np.unique(signs)) == {-1, 1}
    assert np.abs(signs.mean(axis=0)).max() < 5 / np.sqrt(40_000)
    between = signs.T @ signs / 40_000 - np.eye(10)
    assert np.abs(between).max() < 5 / np.sqrt(40_000)


def test_a_sample_has_as_many_queries_as_there_are_each_equally_often():
    counts = np.vstack(list(random_samples(10, 40_000, 0)))
    assert_array_equal(counts.sum(axis=1), 10)
    assert np.abs(counts.mean(axis=0) - 1).max() < 5 / np.sqrt(40_000)


def test_all_signs_are_all_of_them(monkeypatch):
    monkeypatch.setattr(module, "ROWS", 3)
    signs = np.vstack(list(all_signs(4)))
    assert len(np.unique(signs, axis=0)) == len(signs) == 16


def test_each_pair_is_tested_on_the_queries_that_it_shares():
    scores = [[1, 2, 3, np.nan], [0, 2, 1, 4], [np.nan, 1, 3, 4]]
    results = pairwise(scores, all_pairs(3), t_test)
    assert [result.queries for result in results] == [3, 2, 3]
    assert results[0] == t_test([1, 0, 2])


def test_infinite_scores_leave_nothing_to_test_for_their_systems_only():
    scores = np.random.default_rng(0).random((4, 30))
    scores[:2, 3] = np.inf
    for results in (
        pairwise(scores, all_pairs(4), t_test),
        randomization_tests(scores, permutations=100),
        bootstrap_tests(scores, samples=100),
        max_t_tests(scores, permutations=100),
    ):
        assert [result.reason for result in results] == [INFINITE] * 5 + [""]
        assert 0 < results[-1].p <= 1


def test_compiled_and_plain_loops_count_alike(monkeypatch):
    rng = np.random.default_rng(3)
    scores = rng.random((6, 40)).round(1)  # many sums are exactly as far apart as asked
    pairs = all_pairs(6)
    least = rng.random(len(pairs)).round(1)
    found = []
    for choice in ("plain", "compiled" if kernels.are_compiled() else "plain"):
        monkeypatch.setenv(kernels.CHOICE, choice)
        found.append(exceeding(scores, pairs, least, random_signs(40, 3000, 1)).tolist())
    assert found[0] == found[1]
    assert min(found[0]) > 0


def test_rows_that_are_not_there_are_not_read():
    compiled = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
    sums, one = np.zeros((2, 3)), np.zeros(1)
    for first, other in ((2, 0), (-1, 0), (0, 2), (0, -1)):
        with pytest.raises(ValueError, match="no such row"):
            compiled.count_apart(sums, first, np.array([other]), one, np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="distance"):
        compiled.count_apart(sums, 0, np.array([1]), np.zeros(2), np.zeros(1, np.int64))
