"""What grade an answer gives, and when it gives none."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.model_judging.endpoint import AnswerToken
from cranfield.model_judging.grades import grade_of, shares_of
from cranfield.requesting.failures import Failure

SCALE = (0.0, 1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ('{"grade": 2}', 2),
        ('{"grade": "2"}', 2),
        ('```json\n{"grade": 0}\n```', 0),
        ('{"reason": "it says so", "grade": 1}', 1),
        ("3", 3),
        ("The passage answers it.\n2", 2),
        (" 2.0 ", 2),
    ],
)
def test_json_or_a_number_alone_on_the_last_line(text, grade):
    assert grade_of(text, "json", SCALE) == grade


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("I think it is a 2.", "unreadable"),
        ("1 or 2", "unreadable"),
        ('{"grade": true}', "unreadable"),
        ('{"grade": null}', "unreadable"),
        ('{"grade": [2]}', "unreadable"),
        ('{"score": 2}', "unreadable"),
        ('{"grade": 2', "unreadable"),
        ("[" * 100_000, "unreadable"),
        ('{"grade": 7}', "out of range"),
        ('{"grade": 1.5}', "out of range"),
        ('{"grade": -1}', "out of range"),
        ('{"grade": NaN}', "out of range"),
        ("9" * 5000, "unreadable"),
    ],
)
def test_anything_else_is_a_failure(text, kind):
    with pytest.raises(Failure) as failure:
        grade_of(text, "json", SCALE)
    assert failure.value.kind == kind


def test_a_final_score_as_umbrela_asks_for_it():
    assert grade_of("M: 2\nT: 1\n##final score: 2", "final score", SCALE) == 2
    with pytest.raises(Failure, match="no grade can be read"):
        grade_of("##final score: 2 ##final score: 3", "final score", SCALE)


@given(st.text())
def test_any_text_gives_a_grade_of_the_scale_or_a_failure(text):
    for form in ("json", "final score"):
        with suppress(Failure):
            assert grade_of(text, form, SCALE) in SCALE


class TestShares:
    def token(self, text, **likely):
        return AnswerToken(text, {name.strip("_"): math.log(share) for name, share in likely.items()})

    def test_are_of_the_last_token_that_is_the_grade(self):
        tokens = [self.token("2", _2=0.5, _1=0.5), self.token(" 2", _2=0.9, _3=0.1)]
        assert shares_of(tokens, 2.0, (0, 1, 2, 3)) == {"2": 0.9, "3": 0.1}

    def test_count_only_grades_of_the_scale(self):
        assert shares_of([self.token("2", _2=0.4, _7=0.4, x=0.2)], 2.0, (0, 1, 2, 3)) == {"2": 1.0}

    @pytest.mark.parametrize("tokens", [[], [AnswerToken("two", {"two": 0.0})], [AnswerToken("2", {})]])
    def test_are_none_where_nothing_is_known(self, tokens):
        assert shares_of(tokens, 2.0, (0, 1, 2, 3)) == {}

    @pytest.mark.parametrize("logarithm", [float("nan"), float("inf"), 1e308, -1e308])
    def test_of_numbers_that_are_no_logarithms_of_shares_there_are_none(self, logarithm):
        assert shares_of([AnswerToken("2", {"2": logarithm})], 2.0, (0, 1, 2, 3)) == {}
