from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.comparing import (
    agreement,
    agreement_across,
    kendall_tau_a,
    kendall_tau_b,
    rank_biased_overlap,
    spearman,
    tau_ap,
    tau_ap_b,
    tau_ap_symmetric,
    weighted_tau,
)
from cranfield.comparing import orders as orders_module
from cranfield.comparing.significance_tests import pairwise
from cranfield.errors import UsageError

COEFFICIENTS = [
    kendall_tau_a,
    kendall_tau_b,
    tau_ap,
    tau_ap_symmetric,
    tau_ap_b,
    weighted_tau,
    spearman,
    rank_biased_overlap,
]
EVERY = pytest.mark.parametrize("coefficient", COEFFICIENTS)
WITH_TIES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9)
WITHOUT = st.integers(2, 9).flatmap(lambda count: st.permutations(range(count)))

PUBLISHED = {
    1: (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    ),
    2: (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    ),
    3: (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
    ),
}
"""Scores for which the authors of tau_AP,a and tau_AP,b give coefficients, with ties when rounded to one decimal, in
the tests beside their implementation (github.com/julian-urbano/ircor)."""


@pytest.mark.parametrize(
    ("data", "tau", "ap", "ap_tied", "symmetric", "b_tied", "tau_b_tied"),
    [
        (1, 0.9111, 0.8519, 0.7454, 0.8333, 0.7321, 0.9398),
        (2, 0.2889, 0.2504, 0.2692, 0.2880, 0.297, 0.3765),
        (3, -0.6889, -0.6971, -0.5558, -0.668, -0.7047, -0.6510),
    ],
)
def test_published_values(data, tau, ap, ap_tied, symmetric, b_tied, tau_b_tied):
    x, y = map(np.array, PUBLISHED[data])
    tied_x, tied_y = rounded(x), rounded(y)
    found = [
        kendall_tau_a(x, y),
        tau_ap(x, y),
        tau_ap(x, tied_y),
        tau_ap_b(x, y),
        tau_ap_b(tied_x, tied_y),
        kendall_tau_b(tied_x, tied_y),
    ]
    assert found == pytest.approx([tau, ap, ap_tied, symmetric, b_tied, tau_b_tied], abs=5e-5)
    assert tau_ap_symmetric(x, y) == pytest.approx(symmetric, abs=5e-5)


def rounded(values):
    """To one decimal, halves to the even one, as the published ones are."""
    return np.round(values, 1)


@given(WITH_TIES)
def test_they_are_scipys_with_ties(pairs):
    from scipy import stats

    x, y = np.array(pairs, dtype=float).T
    assume(np.ptp(x) and np.ptp(y))
    assert kendall_tau_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
    assert weighted_tau(x, y) == pytest.approx(stats.weightedtau(x, y).statistic)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)


def test_tau_a_counts_pairs():
    # 0-1 tied, 0-2 and 1-2 agree, of three pairs.
    assert kendall_tau_a([3, 3, 1], [5, 4, 1]) == pytest.approx(2 / 3)


@given(WITHOUT)
def test_ap_correlation_is_its_definition(order):
    truth, estimate = -np.arange(float(len(order))), -np.array(order, dtype=float)
    ranked = np.argsort(-estimate)
    shares = [sum(truth[above] > truth[ranked[at]] for above in ranked[:at]) / at for at in range(1, len(order))]
    assert tau_ap(truth, estimate) == pytest.approx(2 * np.mean(shares) - 1)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=6))
def test_of_ties_in_the_estimate_ap_correlation_takes_the_mean_over_all_orders(groups):
    estimate = np.array(groups, dtype=float)
    truth = np.sqrt(np.arange(len(groups))) % 0.7
    broken = [estimate + 0.01 * np.array(order) for order in permutations(range(len(groups)))]
    assert tau_ap(truth, estimate) == pytest.approx(np.mean([tau_ap(truth, each) for each in broken]))


def test_an_exchange_at_the_top_weighs_more():
    truth, top, bottom = [4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]
    for coefficient in (tau_ap, tau_ap_symmetric, tau_ap_b, weighted_tau, rank_biased_overlap):
        assert coefficient(truth, top) < coefficient(truth, bottom)
    for coefficient in (kendall_tau_a, kendall_tau_b, spearman):
        assert coefficient(truth, top) == coefficient(truth, bottom)


@EVERY
@given(order=WITHOUT)
def test_the_same_order_is_1_and_the_opposite_minus_1(coefficient, order):
    scores = np.array(order, dtype=float)
    assert coefficient(scores, scores**3) == pytest.approx(1)
    if coefficient is rank_biased_overlap:
        assert coefficient(scores, -scores) < 1
    else:
        assert coefficient(scores, -scores) == pytest.approx(-1)


@pytest.mark.parametrize("coefficient", [each for each in COEFFICIENTS if each is not tau_ap])
@given(pairs=WITH_TIES)
def test_neither_order_is_special_but_for_ap_correlation(coefficient, pairs):
    x, y = np.array(pairs, dtype=float).T
    assert coefficient(x, y) == pytest.approx(coefficient(y, x), nan_ok=True)


@EVERY
@given(pairs=WITH_TIES, seed=st.integers(0, 9))
def test_it_does_not_matter_which_system_is_named_first(coefficient, pairs, seed):
    x, y = np.array(pairs, dtype=float).T
    order = np.random.default_rng(seed).permutation(len(x))
    assert coefficient(x[order], y[order]) == pytest.approx(coefficient(x, y), nan_ok=True)


@EVERY
def test_many_orders_at_once_are_each_alone(coefficient):
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 6, (2, 3, 4, 7)) / 10
    found = coefficient(x, y)
    assert found.shape == (3, 4)
    assert found[1, 2] == pytest.approx(float(coefficient(x[1, 2], y[1, 2])), nan_ok=True)


@EVERY
def test_rounding_makes_no_order(coefficient):
    x, exact = np.array([0.3 - 0.2, 0.2 - 0.1, 0.5, 0.4]), np.array([0.1, 0.1, 0.5, 0.4])
    y = np.array([0.1, 0.2, 0.3, 0.4])
    assert coefficient(x, y) == pytest.approx(float(coefficient(exact, y)))


@pytest.mark.parametrize("coefficient", [kendall_tau_b, tau_ap_b, weighted_tau, spearman])
def test_systems_that_are_all_tied_have_no_order(coefficient):
    assert np.isnan(coefficient([1, 1, 1], [1, 2, 3]))


@pytest.mark.parametrize("coefficient", [each for each in COEFFICIENTS if each is not rank_biased_overlap])
def test_one_system_has_no_order(coefficient):
    assert np.isnan(coefficient([1], [1]))


@EVERY
def test_a_system_without_a_score_is_told(coefficient):
    with pytest.raises(UsageError, match="A system without a score has no place in an order"):
        coefficient([1, np.nan], [1, 2])
    with pytest.raises(UsageError, match="Two orders are of the same systems"):
        coefficient([1, 2], [1, 2, 3])


@given(WITH_TIES)
def test_overlap_is_that_of_runs(pairs):
    x, y = np.array(pairs, dtype=float).T
    runs = [{"q": {str(at): score for at, score in enumerate(values)}} for values in (x, y)]
    assert rank_biased_overlap(x, y, p=0.8) == pytest.approx(cf.rbo(*runs, p=0.8).mean("RBO(p=0.8)"))


class TestAgreement:
    def test_its_value_is_that_of_the_means(self):
        one, two = np.random.default_rng(0).random((2, 6, 20))
        found = agreement(one, two, samples=50)
        assert found.value == kendall_tau_b(one.mean(axis=1), two.mean(axis=1))
        assert (found.systems, found.queries) == (6, 20)

    def test_its_error_is_that_of_samples_of_the_same_queries(self):
        one, two = np.random.default_rng(0).random((2, 6, 20))
        counts = np.vstack(list(pairwise.random_samples(20, 300, 5)))
        expected = np.std([kendall_tau_b(one @ each, two @ each) for each in counts], ddof=1)
        found = agreement(one, two, samples=300, rng=5)
        assert found.error == pytest.approx(expected)
        assert found.low == pytest.approx(max(found.value - 1.959964 * expected, -1))

    def test_its_error_is_that_of_scipys_bootstrap(self):
        from scipy.stats import bootstrap

        one, two = np.random.default_rng(6).random((2, 6, 30)) + np.linspace(0, 0.3, 6)[:, None]
        expected = bootstrap(
            (np.arange(30),),
            lambda drawn: kendall_tau_b(one[:, drawn].mean(axis=1), two[:, drawn].mean(axis=1)),
            n_resamples=2000,
            method="percentile",
            vectorized=False,
            rng=np.random.default_rng(7),
        ).standard_error
        assert agreement(one, two).error == pytest.approx(expected, rel=0.1)

    def test_a_table_agrees_with_itself_whatever_the_queries(self):
        one = np.random.default_rng(0).random((6, 20))
        found = agreement(one, one, samples=50)
        assert (found.value, found.low, found.high) == pytest.approx((1, 1, 1))
        assert agreement_across(one, one, samples=50).low < 1

    @EVERY
    def test_any_coefficient_will_do(self, coefficient):
        rng = np.random.default_rng(1)
        one = rng.random((5, 12)) + np.arange(5)[:, None] / 10
        found = agreement(one, one + rng.normal(0, 0.2, (5, 12)), coefficient, samples=60)
        assert found.low <= found.value <= found.high

    def test_queries_with_an_undefined_score_in_either_table_are_left_out(self):
        one, two = np.random.default_rng(2).random((2, 5, 12))
        holed = one.copy()
        holed[3, 4] = np.nan
        kept = np.delete(np.arange(12), 4)
        assert agreement(holed, two, samples=100) == agreement(one[:, kept], two[:, kept], samples=100)

    def test_it_does_not_depend_on_the_size_of_blocks(self, monkeypatch):
        one, two = np.random.default_rng(3).random((2, 5, 12))
        before = agreement(one, two, samples=100)
        monkeypatch.setattr(pairwise, "CELLS", 40)
        monkeypatch.setattr(orders_module, "CELLS", 60)
        assert agreement(one, two, samples=100).error == pytest.approx(before.error)

    @pytest.mark.parametrize(
        ("one", "two", "reason"),
        [
            ([[np.nan], [1]], [[1], [2]], "no query has a defined score for every system"),
            ([[1], [2]], [[1], [2]], "a single query shows no variance"),
            ([[1, 2]], [[1, 2]], "there is no order: too few systems, or all with the same score"),
            ([[1, 1], [1, 1]], [[1, 2], [3, 4]], "there is no order: too few systems, or all with the same score"),
        ],
    )
    def test_where_there_is_no_interval_it_says_so(self, one, two, reason):
        found = agreement(one, two, samples=20)
        assert np.isnan(found.low)
        assert found.reason == reason

    def test_samples_without_an_order_do_not_count_unless_they_are_most(self):
        few = [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]
        assert agreement(few, few, samples=500).low == 1
        fewer = np.zeros((2, 60)) + np.eye(1, 60)
        fewer[1] = 0
        found = agreement(fewer[:, :2], fewer[:, :2], samples=500)
        assert found.low == 1

    def test_tables_fit_each_other(self):
        with pytest.raises(UsageError, match="Both tables have the same systems and queries"):
            agreement([[1, 2], [3, 4]], [[1], [2]])
        with pytest.raises(UsageError, match="Both tables have the same systems; these have 2 and 1"):
            agreement_across([[1, 2], [3, 4]], [[1, 2]])

    def test_intervals_hold_what_as_many_queries_are_expected_to_show(self):
        rng = np.random.default_rng(4)
        held = []
        for _ in range(120):
            means = rng.normal(0, 0.1, 10)

            def sample(means=means):
                one = means[:, None] + rng.normal(0, 0.2, (10, 30))
                return one, 0.5 * one + 0.5 * means[:, None] + rng.normal(0, 0.1, (10, 30))

            expected = np.mean([kendall_tau_b(*(each.mean(axis=1) for each in sample())) for _ in range(60)])
            found = agreement(*sample(), samples=200)
            held.append(found.low <= expected <= found.high)
        assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 120)
