from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

from cranfield.comparing import sign_test
from cranfield.errors import UsageError
from tests.comparing.strategies import differences


@given(differences())
def test_it_is_scipys_binomial_test_without_ties(values):
    from scipy.stats import binomtest

    assume(values.any())
    wins, losses = int((values > 0).sum()), int((values < 0).sum())
    result = sign_test(values)
    assert result.statistic == wins
    assert result.p == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=1e-12, abs=0)


def test_only_directions_count():
    assert sign_test([0.001, 0.9, -0.2]).p == sign_test([0.9, 0.001, -0.002]).p


def test_differences_within_the_threshold_are_ties():
    assert sign_test([0.5, 0.5, 0.5, 0.01, -0.01], threshold=0.01).p == sign_test([0.5, 0.5, 0.5]).p == 0.25


def test_where_all_are_ties_p_is_1():
    result = sign_test([0.01, -0.02, 0.02], threshold=0.05)
    assert (result.statistic, result.p) == (0, 1)


def test_small_p_is_scipys():
    from scipy.stats import binomtest

    values = np.append(np.ones(180), -np.ones(20))
    assert sign_test(values).p == pytest.approx(binomtest(20, 200).pvalue, rel=1e-9, abs=0)


def test_thousands_of_wins_have_a_p_all_the_same():
    assert 0 < sign_test(np.ones(5000)).p < 1e-300


def test_a_threshold_is_not_negative():
    with pytest.raises(UsageError, match="threshold must be a number of at least 0, not -1"):
        sign_test([1, 2], threshold=-1)
