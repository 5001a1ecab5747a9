import pytest

from cranfield.errors.rows import LARGEST_GRADE
from cranfield.formats.tokens import decoded, decoded_alike, grades, is_grade, is_score, scores


def test_ids_are_texts():
    assert decoded([b"q1", "é".encode()]) == ["q1", "é"]
    assert decoded_alike([b"q1", b"q1", b"q2"]) == ["q1", "q1", "q2"]


def test_ids_that_are_no_utf_8_are_refused():
    for decode in (decoded, decoded_alike):
        with pytest.raises(ValueError, match="utf-8"):
            decode([b"caf\xe9"])


@pytest.mark.parametrize("kind", [str, str.encode])
def test_scores_are_numbers_of_a_whole_column(kind):
    assert scores([kind(text) for text in ("1", "-2.5", "1e3", "inf")]).tolist() == [1, -2.5, 1000, float("inf")]
    assert scores([]).tolist() == []


@pytest.mark.parametrize("text", ["x", "", "nan", "1_000", "1,5", "0x1"])
def test_what_is_no_number_is_no_score(text):
    assert not is_score(text)
    assert not is_score(text.encode())
    assert not is_grade(text)
    with pytest.raises(ValueError):  # noqa: PT011  # Python's own, or without words
        scores(["1", text])


def test_an_infinite_score_is_one_and_an_infinite_grade_is_none():
    assert is_score("inf")
    assert not is_grade("inf")
    with pytest.raises(ValueError):  # noqa: PT011  # without words: the caller looks for the line
        grades(["1", "-inf"])


def test_grades_have_a_largest():
    assert is_grade(f"{LARGEST_GRADE:g}")
    assert not is_grade(f"{LARGEST_GRADE * 10:g}")
    assert grades(["-1", f"{LARGEST_GRADE:g}"]).tolist() == [-1, LARGEST_GRADE]
