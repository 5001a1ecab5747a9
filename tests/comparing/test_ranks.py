from __future__ import annotations

import numpy as np

from cranfield.comparing import all_pairs, as_matrix, better, max_t_tests, rank_intervals


def ranked(table, seed, permutations=400):
    pairs = all_pairs(len(table))
    results = max_t_tests(table, permutations=permutations, rng=seed)
    differences = as_matrix([result.difference for result in results], pairs, len(table), antisymmetric=True)
    return rank_intervals(better(differences, as_matrix([result.p for result in results], pairs, len(table))))


def test_without_any_verdict_every_rank_is_possible():
    assert rank_intervals(np.zeros((3, 3), dtype=bool)) == [(1, 3)] * 3


def test_with_all_verdicts_there_is_one_rank_each():
    assert rank_intervals(np.triu(np.ones((3, 3), dtype=bool), 1)) == [(1, 1), (2, 2), (3, 3)]


def test_the_observed_rank_is_always_possible():
    rng = np.random.default_rng(0)
    for seed in range(5):
        table = rng.random((6, 30)) + np.linspace(0.3, 0, 6)[:, None]
        observed = np.argsort(np.argsort(-table.mean(axis=1))) + 1
        for rank, (best, worst) in zip(observed, ranked(table, seed), strict=True):
            assert best <= rank <= worst


def test_all_intervals_together_hold_the_true_ranks_as_often_as_promised():
    rng = np.random.default_rng(1)
    true_means = np.array([0.6, 0.6, 0.6, 0.45, 0.45, 0.3, 0.2])
    best = np.array([(true_means > mean).sum() + 1 for mean in true_means])
    worst = np.array([(true_means >= mean).sum() for mean in true_means])
    held, widths = [], []
    for seed in range(300):
        harder = rng.normal(0, 0.2, 40)
        table = true_means[:, None] + harder + rng.normal(0, 0.15, (7, 40)) * rng.choice([0.5, 1, 2], (1, 40))
        intervals = ranked(table, seed)
        held.append(all(low <= b and high >= w for (low, high), b, w in zip(intervals, best, worst, strict=True)))
        widths.append(np.mean([high - low + 1 for low, high in intervals]))
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 300)
    assert np.mean(widths) < 3  # and they say something
