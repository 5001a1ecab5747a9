"""Does a difference depend on the slice?"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from cranfield.comparing import all_pairs, interaction_tests
from cranfield.comparing.interaction import NO_VARIANCE, ONE_EACH, ONE_SLICE
from cranfield.comparing.significance_tests.significance import INFINITE, NO_QUERY
from cranfield.errors import UsageError


def f_statistic(differences, slices):
    groups = [differences[slices == at] for at in np.unique(slices)]
    grand = differences.mean()
    between = sum(len(group) * (group.mean() - grand) ** 2 for group in groups) / (len(groups) - 1)
    within = sum(((group - group.mean()) ** 2).sum() for group in groups) / (len(differences) - len(groups))
    return between / within


def beside_nothing(differences):
    return [differences, np.zeros(len(differences))]


def test_p_is_the_share_of_all_ways_to_hand_out_queries():
    differences, slices = np.array([0.5, 0.1, 0.4, -0.2, 0.0, 0.3]), np.array([0, 0, 0, 1, 1, 2])
    observed = f_statistic(differences, slices)
    ways = [f_statistic(np.array(way), slices) for way in permutations(differences)]
    share = np.mean(np.array(ways) >= observed - 1e-9)
    (found,) = interaction_tests(beside_nothing(differences), slices)
    assert found.statistic == pytest.approx(observed)
    assert found.p == pytest.approx(share, abs=0.02)
    assert (found.queries, found.method) == (6, "Monte Carlo")


def test_with_normal_differences_p_is_that_of_the_analysis_of_variance():
    from scipy.stats import f_oneway

    rng = np.random.default_rng(0)
    slices = np.repeat([0, 1, 2], [40, 30, 50])
    differences = rng.normal(0, 1, 120) + 0.3 * slices
    usual = f_oneway(*(differences[slices == at] for at in range(3)))
    (found,) = interaction_tests(beside_nothing(differences), slices)
    assert found.statistic == pytest.approx(usual.statistic)
    assert found.p == pytest.approx(usual.pvalue, abs=0.01)


def test_without_an_effect_few_are_found():
    rng = np.random.default_rng(1)
    slices = np.repeat([0, 1], 20)
    found = [
        interaction_tests(beside_nothing(rng.normal(0, 1, 40) ** 3), slices, permutations=199)[0].p for _ in range(400)
    ]
    assert 0.02 < np.mean(np.array(found) <= 0.05) < 0.09


def test_each_pair_says_what_it_says_alone():
    rng = np.random.default_rng(2)
    scores, slices = rng.random((4, 30)), rng.integers(0, 3, 30)
    scores[2, 5] = np.nan
    together = interaction_tests(scores, slices, permutations=500)
    for (one, two), found in zip(all_pairs(4), together, strict=True):
        (alone,) = interaction_tests(scores[[one, two]], slices, permutations=500)
        assert (found.p, found.queries) == (alone.p, alone.queries)
        assert found.statistic == pytest.approx(alone.statistic)


def test_names_of_slices_do_not_matter():
    scores = np.random.default_rng(3).random((2, 8))
    by_name = interaction_tests(scores, list("aabbbbcc"), permutations=99)
    assert by_name == interaction_tests(scores, [7, 7, 8, 8, 8, 8, 9, 9], permutations=99)


@pytest.mark.parametrize(
    ("differences", "slices", "p", "reason"),
    [
        ([0.1, 0.2, 0.3], [0, 0, 0], math.nan, ONE_SLICE),
        ([0.1, 0.2, np.nan], [0, 0, 1], math.nan, ONE_SLICE),
        ([0.1, 0.2, 0.3], [0, 1, 2], math.nan, ONE_EACH),
        ([np.nan, np.nan], [0, 1], math.nan, NO_QUERY),
        ([0.1, np.inf, 0.3], [0, 0, 1], math.nan, INFINITE),
        ([0.1, 0.3 - 0.2, 0.1], [0, 0, 1], 1.0, NO_VARIANCE),
    ],
)
def test_where_there_is_nothing_to_hand_out(differences, slices, p, reason):
    (found,) = interaction_tests(beside_nothing(differences), slices)
    assert found.p == pytest.approx(p, nan_ok=True)
    assert found.reason == reason


def test_there_is_a_slice_for_each_query():
    with pytest.raises(UsageError, match="a slice for each query: 3 and not 2"):
        interaction_tests([[1, 2, 3], [0, 0, 0]], [0, 1])
