from __future__ import annotations

from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from cranfield.choices import Correction
from cranfield.comparing import corrected
from cranfield.errors import UsageError
from tests.comparing.strategies import p_values

CORRECTIONS = get_args(Correction)
EVERY = pytest.mark.parametrize("correction", CORRECTIONS)
NAMES = {
    "holm": "holm",
    "holm-sidak": "holm-sidak",
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "benjamini-hochberg": "fdr_bh",
    "benjamini-yekutieli": "fdr_by",
}


@pytest.mark.parametrize("correction", NAMES)
@given(p=p_values())
def test_they_are_those_of_statsmodels(correction, p):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    known = p[~np.isnan(p)]
    with np.errstate(divide="ignore"):  # theirs warns of the logarithm of 0
        expected = multitest.multipletests(known, method=NAMES[correction])[1] if len(known) else known
    assert_allclose(corrected(p, correction)[~np.isnan(p)], expected, rtol=1e-12)


@given(p=p_values())
def test_benjamini_and_hochbergs_is_scipys(p):
    from scipy.stats import false_discovery_control

    known = p[~np.isnan(p)]
    expected = false_discovery_control(known) if len(known) else known
    assert_allclose(corrected(known, "benjamini-hochberg"), expected, rtol=1e-12)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=6).map(np.array))
def test_holms_is_bonferronis_applied_to_every_subset(p):
    # A test is corrected to the largest Bonferroni p of the subsets of tests that it is in: closed testing.
    everyone = range(len(p))
    subsets = [subset for size in range(1, len(p) + 1) for subset in combinations(everyone, size)]
    expected = [max(min(1, len(s) * p[list(s)].min()) for s in subsets if at in s) for at in everyone]
    assert_allclose(corrected(p, "holm"), expected, rtol=1e-12)


def test_by_hand():
    p = [0.01, 0.04, 0.03, 0.005]
    assert_allclose(corrected(p, "bonferroni"), [0.04, 0.16, 0.12, 0.02])
    assert_allclose(corrected(p, "holm"), [0.03, 0.06, 0.06, 0.02])
    assert_allclose(corrected(p, "benjamini-hochberg"), [0.02, 0.04, 0.04, 0.02])
    assert_array_equal(corrected(p, "none"), p)


@EVERY
@given(p=p_values())
def test_no_p_becomes_smaller_or_larger_than_1(correction, p):
    after = corrected(p, correction)
    known = ~np.isnan(p)
    assert (after[known] >= p[known]).all()
    assert (after[known] <= 1).all()


@EVERY
@given(p=p_values())
def test_the_order_of_p_values_stays(correction, p):
    known = p[~np.isnan(p)]
    order = np.argsort(known)
    assert (np.diff(corrected(known, correction)[order]) >= 0).all()


@EVERY
def test_a_test_without_a_result_does_not_count(correction):
    after = corrected([0.01, np.nan, 0.03], correction)
    assert np.isnan(after[1])
    assert_array_equal(after[[0, 2]], corrected([0.01, 0.03], correction))


@EVERY
def test_a_table_is_one_family(correction):
    table = np.array([[0.01, 0.2], [0.03, 0.5]])
    assert_array_equal(corrected(table, correction).ravel(), corrected(table.ravel(), correction))


@EVERY
def test_nothing_is_changed_in_place_and_nothing_is_needed(correction):
    p = np.array([0.01, 0.02])
    corrected(p, correction)
    assert p.tolist() == [0.01, 0.02]
    assert corrected([], correction).tolist() == []
    assert corrected([0.04], correction).tolist() == [0.04]


def test_an_unknown_correction_is_answered_with_the_nearest():
    with pytest.raises(
        UsageError, match=r"There is no correction 'holms'; there are holm, holm-sidak, bonferroni.*holm"
    ):
        corrected([0.5], "holms")


def test_p_values_are_probabilities():
    with pytest.raises(UsageError, match="p-values are between 0 and 1"):
        corrected([0.5, 1.5])
