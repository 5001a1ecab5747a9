from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from scipy import stats

from cranfield.comparing import bca_interval, bca_intervals, intervals, t_interval
from cranfield.comparing.intervals import INFINITE, NO_VALUE, ONE_VALUE, SAME_VALUE, standard_error_interval
from cranfield.comparing.significance_tests import pairwise
from cranfield.comparing.significance_tests.pairwise import random_samples
from cranfield.errors import UsageError
from cranfield.evaluating import aggregate
from tests.comparing.strategies import differences

EVERY = pytest.mark.parametrize("interval", [t_interval, bca_interval])
SKEWED = np.array([0, 0, 0, 0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.5, 0.9, 1])


def test_the_standard_error_is_that_of_samples_and_never_less_than_of_the_values_alone():
    values = [0.1, 0.4, 0.2, 0.5]
    alone = t_interval(values)
    for samples in ([0.3, 0.3, 0.3], [0.29, 0.3, 0.31]):
        found = standard_error_interval(values, samples)
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    wide = standard_error_interval(values, [0.1, 0.3, 0.5])
    assert wide.high - wide.value == pytest.approx(stats.t.ppf(0.975, 3) * 0.2 * math.sqrt(4 / 3))


def test_equal_values_have_an_interval_where_other_samples_chose_otherwise():
    assert standard_error_interval([0.5, 0.5], [0.5, 0.5]).reason == SAME_VALUE
    assert standard_error_interval([0.5, 0.5], [0.5, 0.4, 0.6]).high > 0.5
    assert standard_error_interval([0.5], [0.5, 0.4]).reason == ONE_VALUE


@EVERY
@pytest.mark.parametrize(
    ("values", "value", "limit", "reason"),
    [
        ([], math.nan, math.nan, NO_VALUE),
        ([np.nan, np.nan], math.nan, math.nan, NO_VALUE),
        ([0.5], 0.5, math.nan, ONE_VALUE),
        ([0.5, np.nan], 0.5, math.nan, ONE_VALUE),
        ([0.1, 0.3 - 0.2, 0.2 - 0.1], 0.1, 0.1, SAME_VALUE),
        ([0, 0], 0, 0, SAME_VALUE),
        ([1, np.inf], math.nan, math.nan, INFINITE),
    ],
)
def test_where_nothing_varies_it_says_so(interval, values, value, limit, reason):
    found = interval(values)
    assert (found.value, found.low, found.high) == pytest.approx((value, limit, limit), nan_ok=True)
    assert found.reason == reason


@given(differences(least=2))
def test_students_is_scipys(values):
    from scipy.stats import ttest_1samp

    assume(np.ptp(values) > 1e-3)
    for confidence in (0.8, 0.95):
        expected = ttest_1samp(values, 0).confidence_interval(confidence)
        found = t_interval(values, confidence=confidence)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


def test_students_is_that_of_an_evaluation():
    found = t_interval(SKEWED)
    assert (found.value, found.low, found.high) == pytest.approx(aggregate.interval(SKEWED), rel=1e-12)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("seed", range(4))
def test_the_bootstraps_is_scipys_from_the_same_samples(confidence, seed, monkeypatch):
    from scipy.stats import bootstrap

    values = np.random.default_rng(seed).exponential(1, 30)
    means = np.concatenate([counts @ values / 30 for counts in random_samples(30, 10_000, seed)])
    expected = bootstrap(
        (values,),
        np.mean,
        n_resamples=0,
        method="BCa",
        confidence_level=confidence,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=means),
    ).confidence_interval
    # SciPy's quantile α is the (1 + (B - 1) α)-th smallest.
    monkeypatch.setattr(intervals, "_quantiles", lambda ordered, shares: np.array([np.quantile(ordered[0], shares[0])]))
    found = bca_interval(values, confidence=confidence, rng=seed)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_the_bootstraps_quantiles_are_order_statistics():
    # Symmetric, so neither biased nor accelerated: of 99 means the 5th and the 95th, (99 + 1) α.
    values = np.array([-1.0, 0, 1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervals, "random_samples", lambda *_: iter([_counts()]))
        found = bca_interval(values, confidence=0.9, samples=99)
    means = np.sort(_counts() @ values / 3)
    assert (found.low, found.high) == pytest.approx((means[4], means[94]))


def _counts():
    """99 samples whose means are symmetric around 0."""
    half = np.array([[at / 50, 1, 2 - at / 50] for at in range(49)])
    return np.vstack([half, [[1, 1, 1]], half[:, ::-1]])


def test_the_bootstraps_follows_skewed_scores_and_stays_in_their_range():
    found, students = bca_interval(SKEWED), t_interval(SKEWED)
    assert found.high - found.value > found.value - found.low
    assert found.low > students.low
    assert 0 <= found.low < found.high <= 1


def test_limits_are_the_last_ones_where_all_samples_lie_on_one_side_of_the_value():
    samples, left_out = np.array([[0.1, 0.2, 0.3]]), np.array([[0.1, 0.1]])
    low, high = intervals.bca_limits(np.array([0.9]), samples, left_out, 0.95, np.array([1e-9]))
    assert (low, high) == (0.3, 0.3)


@given(differences(least=2, most=12))
def test_changing_places_turns_the_interval_around(values):
    found, turned = (bca_interval(each, samples=500) for each in (values, -values))
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=0.1 * np.ptp(values) + 1e-9)


@given(differences(least=2, most=12))
def test_it_holds_the_mean_and_stays_among_the_values(values):
    found = bca_interval(values, samples=500)
    assert values.min() - 1e-9 <= found.low <= found.high <= values.max() + 1e-9
    assert found.low <= found.value + 1e-9
    assert found.high >= found.value - 1e-9


def test_adding_and_multiplying_moves_the_interval_along():
    found, moved = bca_interval(SKEWED), bca_interval(3 * SKEWED + 1)
    assert (moved.low, moved.high) == pytest.approx((3 * found.low + 1, 3 * found.high + 1))


def test_rows_have_the_interval_that_they_have_alone():
    table = np.random.default_rng(0).random((5, 30))
    table[2, 4] = np.nan
    table[3] = 0.5
    together = bca_intervals(table, samples=1000)
    assert [interval.queries for interval in together] == [30, 30, 29, 30, 30]
    for row, interval in zip(table, together, strict=True):
        alone = bca_interval(row, samples=1000)
        assert (alone.low, alone.high) == pytest.approx((interval.low, interval.high), rel=1e-12)


def test_it_does_not_depend_on_the_size_of_blocks(monkeypatch):
    before = bca_interval(SKEWED, samples=1000)
    monkeypatch.setattr(pairwise, "CELLS", 100)
    after = bca_interval(SKEWED, samples=1000)
    assert (after.low, after.high) == pytest.approx((before.low, before.high), rel=1e-12)


def test_a_seed_gives_the_same_again():
    first, again, other = (bca_interval(SKEWED, samples=1000, rng=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_limits_vary_little_from_seed_to_seed():
    values = np.random.default_rng(0).beta(1, 2, 50)
    found = [bca_interval(values, rng=seed) for seed in range(20)]
    half = (found[0].high - found[0].low) / 2
    assert np.std([interval.low for interval in found]) < 0.04 * half
    assert np.std([interval.high for interval in found]) < 0.04 * half


def test_95_of_100_intervals_hold_the_mean():
    rng = np.random.default_rng(1)
    held = {t_interval: 0, bca_interval: 0}
    for _ in range(300):
        values = rng.beta(1, 2, 40)
        for interval in held:
            found = interval(values) if interval is t_interval else interval(values, samples=1000)
            held[interval] += found.low <= 1 / 3 <= found.high
    assert all(count / 300 == pytest.approx(0.95, abs=0.038) for count in held.values())


@pytest.mark.parametrize("confidence", [0, 1, 95, "0.95", True])
def test_confidence_is_a_share(confidence):
    with pytest.raises(UsageError, match="confidence must be between 0 and 1, not"):
        t_interval([1, 2], confidence=confidence)
