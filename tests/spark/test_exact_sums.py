import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.spark.exact_sums import rounded, whole_sum

NUMBERS = st.lists(st.floats(-1e100, 1e100), max_size=30)


@given(NUMBERS, NUMBERS)
def test_parts_add_up_to_the_sum_of_all_rounded_once(one, other):
    whole = whole_sum(np.array(one)) + whole_sum(np.array(other))
    assert rounded(whole) == math.fsum([*one, *other])


@given(st.lists(st.floats(-1e-300, 1e-300), min_size=1))
def test_the_smallest_numbers_are_exact_too(numbers):
    assert rounded(whole_sum(np.array(numbers))) == math.fsum(numbers)


def test_nothing_adds_up_to_zero():
    assert rounded(whole_sum(np.empty(0))) == 0.0
