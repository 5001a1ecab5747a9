"""The documents about which judges differ most."""

import math

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.judging.disagreements import disagreement_rows, disagreement_values, disagreements

GRADES = cf.read_labels([("q", "d1", "a", 0), ("q", "d1", "b", 3), ("q", "d2", "a", 1), ("q", "d2", "b", 2)])


def test_the_widest_range_of_grades_comes_first():
    assert [one.document for one in disagreements(GRADES, 5)] == ["d1", "d2"]
    assert [one.document for one in disagreements(GRADES, 1)] == ["d1"]
    assert disagreements(GRADES, 1)[0].grades == (("a", 0.0), ("b", 3.0))


def test_nothing_is_listed_where_all_agree():
    assert disagreements(cf.read_labels([("q", "d1", "a", 1), ("q", "d1", "b", 1)]), 5) == []


def test_labels_that_are_texts_stand_where_others_have_a_reason():
    texts = cf.read_labels([("q", "d1", "a", "good"), ("q", "d1", "b", "bad"), ("q", "d2", "a", "bad")])
    first, second = disagreement_rows(texts, 5)
    assert (first.statistic, first.reason, second.statistic, second.reason) == ("a", "good", "b", "bad")
    assert math.isnan(first.value)
    assert disagreement_values(texts, 5)[0]["labels"] == [
        {"judge": "a", "grade": "good"},
        {"judge": "b", "grade": "bad"},
    ]


def test_their_number_is_a_whole_one():
    with pytest.raises(UsageError, match="most must be a whole number of at least 1"):
        cf.agree(GRADES, samples=20).disagreements(0)
