"""Differences and scores for the laws of a comparison."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

DECIMALS = st.integers(-10, 10).map(lambda tenths: tenths / 10)
"""Differences of measures such as P@10: few values, many ties, and none exact in floating point."""
REALS = st.floats(-1, 1, allow_nan=False).map(lambda value: round(value, 6))


def differences(least: int = 1, most: int = 40):
    return st.one_of(
        st.lists(DECIMALS, min_size=least, max_size=most), st.lists(REALS, min_size=least, max_size=most)
    ).map(np.array)


def p_values():
    return st.lists(st.one_of(st.floats(1e-6, 1), st.just(float("nan"))), max_size=20).map(np.array)


def tables(systems: st.SearchStrategy[int], queries: st.SearchStrategy[int]):
    return st.tuples(systems, queries).flatmap(
        lambda shape: hnp.arrays(np.float64, shape, elements=st.integers(0, 10).map(lambda tenths: tenths / 10))
    )
