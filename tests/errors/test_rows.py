import pytest

from cranfield import errors


def test_a_long_line_is_shown_in_part():
    finding = errors.rows.not_utf8("a.run", 1, "x" * 1000)
    assert finding.text is not None
    assert len(finding.text) == 120


MESSAGES = [
    (
        errors.rows.several_grades("a", "q", ["judge"]),
        "a: query 'q' has documents with several grades, one for each judge",
    ),
    (
        errors.rows.judged_twice("a", 7, "q", "d", 1.0, 2),
        "a, line 7: query 'q', document 'd' is judged again as 1, as on line 2",
    ),
    (
        errors.rows.contradiction("a", 7, "q", "d", (0.0, 1.5), 2, unit="row"),
        "a, row 7: query 'q', document 'd' is judged 1.5, but 0 on row 2",
    ),
    (
        errors.rows.duplicate_document("a", 7, "q", "d", 2),
        "a, line 7: query 'q' lists document 'd' again; it is already on line 2",
    ),
    (
        errors.rows.ranks_contradict_scores("a", "q", 2, 5),
        "a, line 5: query 'q': in 2 places the next rank has a higher score; the scores decide",
    ),
    (errors.rows.not_a_number("a", 2, "score", "x"), "a, line 2: the score is 'x'; expected a number"),
    (errors.rows.not_a_number("a", 2, "grade", ""), "a, line 2: the grade is missing; expected a number"),
    (errors.rows.not_a_number("a", 2, "grade", float("nan")), "a, line 2: the grade is NaN; expected a number"),
    (
        errors.rows.bad_id(None, 2, "query", None, unit="row"),
        "row 2: the query id is missing; expected text or a whole number",
    ),
]


@pytest.mark.parametrize(("finding", "message"), MESSAGES)
def test_problems_are_worded_for_the_user(finding, message):
    assert str(finding) == message


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ("1,5", "Write a decimal point, as in 1.5."),
        ("1,2,3", "Correct or remove the line."),
        (",", "Correct or remove the line."),
    ],
)
def test_a_decimal_comma_is_answered_with_the_point(value, advice):
    assert errors.rows.not_a_number("a", 2, "grade", value).advice == advice
