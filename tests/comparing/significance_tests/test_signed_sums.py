from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparing.significance_tests import signed_sums
from cranfield.comparing.significance_tests.signed_sums import exact_tail, lattice_tail, multiples


def by_going_through(sizes: list[int], observed: int) -> float:
    sums = [
        abs(sum(s * size for s, size in zip(signs, sizes, strict=True)))
        for signs in product((-1, 1), repeat=len(sizes))
    ]
    return sum(total >= observed for total in sums) / len(sums)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.data())
def test_whole_numbers_give_the_share_of_all_patterns(sizes, data):
    observed = data.draw(st.integers(0, sum(sizes)))
    assert lattice_tail(np.array(sizes), observed) == by_going_through(sizes, observed)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.sampled_from([1, 0.1, 1 / 3, 1e-7]), st.data())
def test_so_do_their_multiples_whatever_rounding_does_to_them(sizes, step, data):
    observed = data.draw(st.integers(0, sum(sizes)))
    assert exact_tail(np.array(sizes) * step, observed * step) == by_going_through(sizes, observed)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=60), st.data())
def test_numbers_of_one_size_may_be_added_together_or_one_by_one(sizes, data):
    observed = data.draw(st.integers(0, sum(sizes)))
    together = lattice_tail(np.array(sizes), observed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signed_sums, "SPREAD", -1)
        assert lattice_tail(np.array(sizes), observed) == pytest.approx(together, rel=1e-12)


def test_numbers_of_0_change_nothing():
    assert exact_tail(np.array([0, 1.0, 0, 2.0]), 3) == exact_tail(np.array([1.0, 2.0]), 3) == 0.5


def test_no_numbers_reach_nothing_but_0():
    assert exact_tail(np.array([]), 0) == 1


@given(st.lists(st.integers(1, 40), min_size=5, max_size=20), st.data())
def test_halves_and_multiples_agree(sizes, data):
    tenths = np.array(sizes) / 10
    observed = data.draw(st.integers(0, sum(sizes)))
    with pytest.MonkeyPatch.context() as patch:
        halves = exact_tail(tenths, observed / 10)
        patch.setattr(signed_sums, "HALVED", 0)
        assert exact_tail(tenths, observed / 10) == pytest.approx(halves, rel=1e-12)


def test_many_tenths_are_exact():
    # 300 fair coins: 180 heads or tails or more.
    from scipy.stats import binom

    assert exact_tail(np.full(300, 0.1), 6.0) == pytest.approx(2 * binom.sf(179, 300, 0.5), rel=1e-12)


def test_many_numbers_without_a_common_step_would_take_too_long():
    assert exact_tail(np.sqrt(np.arange(2.0, 40.0)), 5) is None


def test_many_numbers_on_a_fine_step_would_take_too_long():
    assert exact_tail(np.arange(1.0, 1000.0), 5) is None


def test_tenths_that_are_rounded_differently_have_one_step():
    step, times = multiples(np.array([0.1, 0.3 - 0.1, 0.7 - 0.4, 0.9 - 0.1]))
    assert step == pytest.approx(0.1)
    assert times.tolist() == [1, 2, 3, 8]


def test_the_common_step_may_be_smaller_than_any_number():
    step, times = multiples(np.array([0.6, 1.5]))
    assert step == pytest.approx(0.3)
    assert times.tolist() == [2, 5]


def test_reciprocals_of_ranks_have_a_step_while_ranks_are_few():
    step, times = multiples(1 / np.arange(1.0, 7.0))
    assert step == pytest.approx(1 / 60)
    assert times.tolist() == [60, 30, 20, 15, 12, 10]


def test_irrational_numbers_have_none():
    assert multiples(np.sqrt([2.0, 3.0, 5.0])) is None
