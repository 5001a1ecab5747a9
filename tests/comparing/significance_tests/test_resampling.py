from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from cranfield.comparing.significance_tests import resampling
from cranfield.comparing.significance_tests.resampling import all_signs, random_samples, random_signs

DRAWN = pytest.mark.parametrize("drawn", [random_signs, random_samples])


@DRAWN
@pytest.mark.parametrize("queries", [1, 63, 64, 65, 200])
def test_numbers_do_not_depend_on_the_size_of_blocks(drawn, queries, monkeypatch):
    whole = np.vstack(list(drawn(queries, 300, 7)))
    monkeypatch.setattr(resampling, "CELLS", 7 * queries)
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
    monkeypatch.setattr(resampling, "ROWS", 3)
    signs = np.vstack(list(all_signs(4)))
    assert len(np.unique(signs, axis=0)) == len(signs) == 16
