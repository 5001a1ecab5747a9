from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

from cranfield.comparing.significance_tests.student import t_test, two_sided
from tests.comparing.strategies import differences


@given(differences(least=2))
def test_it_is_scipys(values):
    from scipy.stats import ttest_rel

    assume(np.ptp(values) > 1e-3)
    zero = np.zeros_like(values)
    expected = ttest_rel(values, zero)
    result = t_test(values)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9, abs=0)


def test_by_hand():
    # mean 0.1, deviations -0.1 0 0.1, s = 0.1, t = 0.1 / (0.1 / √3); with two degrees of freedom p = 1 - t / √(2 + t²)
    result = t_test([0.0, 0.1, 0.2])
    t = 3**0.5
    assert result.statistic == pytest.approx(t)
    assert result.p == pytest.approx(1 - t / (2 + t * t) ** 0.5)


def test_tails_are_accurate_far_out():
    # The first by mpmath, with 40 digits: betainc(249 / 2, 1 / 2, 0, 249 / (249 + 40²), regularized=True).
    assert two_sided(40, 249) == pytest.approx(2.126753860358728e-110, rel=1e-11, abs=0)
    assert two_sided(1e6, 1) == pytest.approx(2 / (np.pi * 1e6), rel=1e-11, abs=0)
