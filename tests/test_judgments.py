"""Judgments: a grade for a query and a document."""

import pytest

import cranfield as cf


@pytest.fixture
def judgments():
    return cf.read_judgments({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})


def test_they_are_asked_by_query(judgments):
    assert judgments["q1"] == {"d1": 2, "d2": 0}
    with pytest.raises(KeyError):
        judgments["q9"]


def test_walking_over_them_gives_the_queries(judgments):
    assert list(judgments) == ["q1", "q2"]
    assert "q1" in judgments
    assert "q9" not in judgments


def test_they_say_how_many_they_are(judgments):
    assert len(judgments) == 3
    assert repr(judgments) == "Judgments(2 queries, 3 judgments, grades 0 to 2)"


def test_the_rows_of_a_query_stand_side_by_side_whatever_the_order_they_came_in():
    mixed = cf.read_judgments([("q1", "a", 1), ("q2", "b", 2), ("q1", "c", 0)])
    assert mixed.documents == ("a", "c", "b")
    assert mixed.starts.tolist() == [0, 2, 3]


def test_a_pair_judged_twice_alike_is_a_warning():
    (warning,) = cf.read_judgments([("q", "d", 1), ("q", "d", 1)]).warnings
    assert warning.kind == "judged-twice"


def test_a_pair_judged_differently_stops_the_work():
    with pytest.raises(cf.DataError, match="grade"):
        cf.read_judgments([("q", "d", 1), ("q", "d", 2)])


def test_several_judges_may_differ_until_one_grade_is_needed():
    rows = [
        {"query": "q", "document": "d", "grade": grade, "judge": judge} for judge, grade in (("ada", 1), ("ben", 0))
    ]
    judgments = cf.read_judgments(rows)
    assert judgments.extra["judge"] == ("ada", "ben")
    with pytest.raises(cf.DataError, match="several grades"):
        cf.evaluate(judgments, {"q": ["d"]}, "RR")
