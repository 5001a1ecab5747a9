from __future__ import annotations

import numpy as np
import pytest

from cranfield.arguments import as_seed, require_not_negative, require_positive, require_share, require_whole
from cranfield.errors import UsageError


@pytest.mark.parametrize("value", [0, 1, -0.1, float("nan"), "0.5", None, True])
def test_a_share_is_strictly_between_0_and_1(value):
    with pytest.raises(UsageError, match="alpha must be between 0 and 1, not"):
        require_share(value, "alpha")


@pytest.mark.parametrize("value", [np.int64(3), 3, np.uint8(3)])
def test_whole_numbers_come_in_many_types(value):
    assert type(require_whole(value, "samples")) is int


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan"), False])
def test_a_size_is_a_number_from_0_on(value):
    with pytest.raises(UsageError, match="threshold must be a number of at least 0, not"):
        require_not_negative(value, "threshold")


@pytest.mark.parametrize("value", [0, -1, float("inf"), float("nan"), True, "1"])
def test_a_margin_is_a_number_above_0(value):
    with pytest.raises(UsageError, match="margin must be a number above 0, not"):
        require_positive(value, "margin")


def test_a_seed_is_itself_and_a_generator_gives_ever_new_ones():
    rng = np.random.default_rng(0)
    assert as_seed(np.int64(5)) == 5
    assert as_seed(rng) != as_seed(rng)


@pytest.mark.parametrize("rng", [-1, 0.5, "seed", None])
def test_anything_else_is_no_seed(rng):
    with pytest.raises(UsageError, match="rng must be a whole number of at least 0, not"):
        as_seed(rng)
