from __future__ import annotations

import numpy as np

from cranfield.comparing import all_pairs, bootstrap_tests, max_t_tests, pairwise, randomization_tests, t_test
from cranfield.comparing.significance_tests.significance import INFINITE


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
