import pytest

from cranfield.compat.trec_eval.c_numbers import LONG, atof, atol, is_real, is_whole


@pytest.mark.parametrize(
    ("text", "number"), [("2", 2), ("1.9", 1), (" -1x", -1), ("007", 7), ("", 0), ("x1", 0), ("9" * 5000, LONG - 1)]
)
def test_a_whole_number_counts_as_far_as_it_goes(text, number):
    assert atol(text) == number


def test_a_whole_number_too_small_is_the_smallest():
    assert atol("-" + "9" * 30) == -LONG


@pytest.mark.parametrize(
    ("text", "number"),
    [("12.5", 12.5), (".5x", 0.5), ("1e3", 1000), ("1e", 1), ("0x10", 16), ("-inf", float("-inf")), ("best", 0)],
)
def test_a_real_number_counts_as_far_as_it_goes(text, number):
    assert atof(text) == number


def test_a_hexadecimal_number_too_large_is_infinite():
    assert atof("0x1p99999") == float("inf")
    assert atof("-0x1p99999") == float("-inf")


def test_a_number_is_one_where_nothing_follows_it():
    assert (is_whole("12"), is_whole("12x"), is_whole("1.5")) == (True, False, False)
    assert (is_real("1.5"), is_real("1.5x"), is_real("x")) == (True, False, False)
