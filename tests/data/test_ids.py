"""Many ids in one text behave as a tuple of strings."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.ids import Ids

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8)


def packed(texts):
    encoded = [text.encode() for text in texts]
    return Ids(b"".join(encoded), np.array([0, *accumulate(map(len, encoded))], dtype=np.int64))


@given(TEXTS, st.integers(-9, 9) | st.none(), st.integers(-9, 9) | st.none(), st.sampled_from([1, 2, -1]))
def test_slices_are_those_of_a_tuple(texts, first, end, step):
    assert packed(texts)[first:end:step] == tuple(texts)[first:end:step]


@given(TEXTS)
def test_length_members_and_order_are_those_of_a_tuple(texts):
    ids = packed(texts)
    assert len(ids) == len(texts)
    assert tuple(ids) == tuple(texts)
    assert [ids[at] for at in range(-len(texts), len(texts))] == [*texts, *texts]


@pytest.mark.parametrize("at", [2, -3])
def test_there_is_nothing_beyond_the_ends(at):
    with pytest.raises(IndexError):
        packed(["a", "b"])[at]
