from typing import Annotated

import pytest

from cranfield.measures.ranges import COUNT, LARGEST_COUNT, Count, Decay, Depth, Fraction, Probability, range_of


@pytest.mark.parametrize(
    ("kind", "inside", "outside"),
    [
        (Count, [1, LARGEST_COUNT], [0, 1.5, LARGEST_COUNT + 1]),
        (Depth, [1, 10**6], [0, 10**6 + 1]),
        (Probability, [0.5], [0, 1]),
        (Fraction, [0, 1], [-0.1, 1.1]),
        (Decay, [1e-9, 1], [0, 1.1]),
    ],
)
def test_a_range_has_ends(kind, inside, outside):
    found = range_of(kind)
    assert [found.wrong(value) for value in inside] == [""] * len(inside)
    assert all(found.wrong(value) for value in outside)


def test_a_count_too_large_is_told_the_largest():
    assert COUNT.wrong(0) == "a whole number of at least 1"
    assert COUNT.wrong(LARGEST_COUNT + 1) == "a whole number of at least 1 and below 2^63"


def test_a_range_is_found_wherever_it_is_declared():
    assert range_of(Count | None) is COUNT
    assert range_of(Annotated[int, "a note", COUNT]) is COUNT
    assert range_of(int) is None
    assert range_of(int | None) is None
