from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.comparing import signed_rank_test
from cranfield.comparing.significance_tests.wilcoxon import mean_ranks
from cranfield.errors import UsageError
from tests.comparing.strategies import differences


@given(st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=50, unique_by=abs))
def test_without_ties_it_is_scipys_exact_test(values):
    from scipy.stats import wilcoxon

    values = np.array([value for value in values if value]) / 7
    assume(len(values))
    result, expected = signed_rank_test(values), wilcoxon(values, method="exact")
    assert result.method == "exact"
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9, abs=0)
    total = len(values) * (len(values) + 1) / 2
    assert min(result.statistic, total - result.statistic) == expected.statistic


@pytest.mark.parametrize(("zeros", "scipys"), [("wilcoxon", "wilcox"), ("pratt", "pratt")])
@given(values=differences(least=2))
def test_the_approximation_is_scipys_with_ties_and_zeros(zeros, scipys, values):
    from scipy.stats import wilcoxon

    assume(np.any(values) and not np.any((np.abs(values) > 0) & (np.abs(values) < 1e-3)))
    exact = np.round(values * 1e6)  # SciPy would break ties of 0.1 and 0.3 - 0.2
    expected = wilcoxon(exact, zero_method=scipys, method="approx", correction=False).pvalue
    result = signed_rank_test(values, zeros=zeros, method="normal approximation")
    assert result.p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("zeros", ["wilcoxon", "pratt"])
@given(values=st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_with_ties_it_counts_all_sign_patterns_of_the_mean_ranks(zeros, values):
    from scipy.stats import permutation_test, rankdata

    ranked = np.array(values) if zeros == "pratt" else np.array([value for value in values if value])
    assume(np.any(values) and len(ranked) > 1)
    signed = np.sign(ranked) * rankdata(np.abs(ranked))
    expected = permutation_test(
        (signed, np.zeros_like(signed)),
        lambda x, y, axis: (x - y).sum(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    ).pvalue
    assert signed_rank_test(values, zeros=zeros).p == pytest.approx(expected, rel=1e-12)


def test_more_than_fifty_ranks_are_approximated():
    values = np.arange(1.0, 60.0)
    assert signed_rank_test(values).method == "normal approximation"
    assert signed_rank_test(values, method="exact").p == pytest.approx(2.0**-58, rel=1e-12, abs=0)


def test_zeros_do_not_count_as_ranks():
    assert signed_rank_test(np.append(np.arange(1.0, 51.0), np.zeros(20))).method == "exact"


def test_pratt_ranks_zeros_and_then_leaves_them_out():
    # Ranks 1.5 1.5 are those of zeros; 3 and 4 remain.
    assert signed_rank_test([0, 0, 1, 2], zeros="pratt").statistic == 7
    assert signed_rank_test([0, 0, 1, 2]).statistic == 3


def test_differences_that_only_rounding_makes_unequal_share_a_rank():
    assert mean_ranks(np.array([0.3 - 0.2, 0.2 - 0.1, 0.4])).tolist() == [1.5, 1.5, 3]


def test_an_unknown_way_with_zeros_is_told():
    with pytest.raises(UsageError, match="zeros is wilcoxon or pratt, not 'zsplit'"):
        signed_rank_test([1, 2], zeros="zsplit")
