"""Judgments are written with everything they have, or refused."""

import io
import json

import pytest

import cranfield as cf
from cranfield.errors import CranfieldError
from cranfield.formats.judgment_writing import ToolChoices, plain_grade, write_graded

PLAIN = {"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}


def written(form, judgments, choices=None):
    stream = io.BytesIO()
    left_out = write_graded(stream, form, cf.read_judgments(judgments), f"out.{form}", choices or ToolChoices())
    return stream.getvalue().decode(), [finding.kind for finding in left_out]


def test_whole_grades_have_no_decimals_and_others_keep_them():
    assert written("trec", {"q1": {"d1": 2.0, "d2": 0.1 + 0.2}}) == ("q1 0 d1 2\nq1 0 d2 0.30000000000000004\n", [])
    assert plain_grade(1e300) == 1e300


def test_ratings_leave_out_what_was_not_judged_and_say_so():
    text, left_out = written("rank_eval", PLAIN, ToolChoices(index="products"))
    assert json.loads(text)["requests"][0]["ratings"] == [{"_index": "products", "_id": "d1", "rating": 2}]
    assert len(left_out) == 1


def test_a_tool_of_whole_grades_refuses_others():
    with pytest.raises(CranfieldError, match="no whole number"):
        written("beir", {"q1": {"d1": 0.5}})


def test_the_body_of_a_request_needs_an_index():
    with pytest.raises(CranfieldError, match="index"):
        written("rank_eval", PLAIN)
