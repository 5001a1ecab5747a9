"""What grade an answer gives, and when it gives none."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.model_judging.grades import grade_of
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
