"""Labels as values: what they hold, and what becomes of them."""

import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

ROWS = [("q1", "d1", "ada", 2), ("q1", "d1", "ben", 1), ("q2", "d1", "ada", 0), ("q1", "d2", "ben", 3)]


def test_documents_of_a_query_stand_side_by_side():
    labels = cf.read_labels(ROWS)
    assert labels.documents == ("d1", "d2", "d1")
    assert labels.of_query.tolist() == [0, 0, 1]
    assert len(labels) == 4
    assert labels.scale == (0, 1, 2, 3)


def test_one_judge_s_grades_become_judgments():
    labels = cf.read_labels(ROWS)
    judgments = labels.judgments(labels.grades[0], "ada")
    assert {query: judgments[query] for query in judgments} == {"q1": {"d1": 2}, "q2": {"d1": 0}}


def test_a_level_makes_grades_binary_and_leaves_gaps():
    binary = cf.read_labels(ROWS).binary(2).grades
    assert np.array_equal(binary, [[1, math.nan, 0], [0, 1, math.nan]], equal_nan=True)


def test_an_unknown_judge_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"there is no judge 'bne'. The judges are ada, ben. Did you mean ben\?"):
        cf.read_labels(ROWS).only(["bne"])


def test_a_judge_with_two_grades_for_a_document_stops_the_work():
    with pytest.raises(DataError, match=r"row 2: ada gives query 'q1', document 'd1' the grade 1, but 2 on row 1"):
        cf.read_labels([("q1", "d1", "ada", 2), ("q1", "d1", "ada", 1)])


def test_the_same_label_again_is_a_warning():
    labels = cf.read_labels([*ROWS, ROWS[0], ROWS[1]])
    assert len(labels) == 4
    (warning,) = labels.warnings
    assert (warning.kind, warning.count) == ("labelled-twice", 2)


def test_negative_grades_are_labels_with_a_warning():
    labels = cf.read_labels([("q1", "d1", "ada", -2), ("q1", "d1", "ben", 1)])
    assert "negative" in str(labels.warnings[0])
    assert labels.grades.tolist() == [[-2], [1]]


def test_labels_tell_what_they_are():
    assert repr(cf.Labels.from_matrix([[math.nan]])) == "Labels(1 judge, 1 item, 0 labels, no grades)"
    texts = cf.read_labels([("q1", "d1", "ada", "good"), ("q1", "d1", "ben", "bad")])
    assert repr(texts) == "Labels(2 judges, 1 query, 1 document, 2 labels, 2 categories)"


@pytest.mark.parametrize(
    ("grades", "judges"), [([1, 2], None), ([[1, 2]], ["ada", "ben"]), ([[1], [2]], ["ada", "ada"])]
)
def test_a_matrix_has_a_row_for_each_judge(grades, judges):
    with pytest.raises(UsageError):
        cf.Labels.from_matrix(grades, judges)


def test_labels_hold_what_was_labelled_only():
    labels = cf.read_labels(ROWS)
    assert labels.of_judge.tolist() == [0, 1, 1, 0]
    assert labels.of_item.tolist() == [0, 0, 1, 2]
    assert labels.values.tolist() == [2, 1, 3, 0]
    assert labels.counts.tolist() == [2, 1, 1]
    assert np.array_equal(labels.of("ben"), [1, 3, math.nan], equal_nan=True)


def test_a_table_of_all_judges_and_documents_that_would_not_fit_is_refused():
    many = cf.Labels(
        tuple(map(str, range(20_000))), *(np.zeros(1, dtype=np.int64),) * 2, np.zeros(1), documents=("d",) * 20_000
    )
    with pytest.raises(UsageError, match=r"20,000 judges and 20,000 documents would not fit into memory; use of_judge"):
        many.grades  # noqa: B018  # the error is what is looked at


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_id_with_a_nul_character_is_refused_with_its_place(place):
    row = ["q1", "d9", "cleo", 1]
    row[place] = "a\0b"
    what = ("query", "document", "judge")[place]
    with pytest.raises(DataError, match=rf"row 5: the {what} id 'a\\x00b' contains a NUL character"):
        cf.read_labels([*ROWS, tuple(row)])


def test_a_grade_far_from_all_others_is_a_warning():
    rows = [("q1", f"d{at}", judge, at % 4) for at in range(20) for judge in ("ada", "ben")]
    assert cf.read_labels(rows).warnings == ()
    labels = cf.read_labels([*rows, ("q1", "d99", "ada", 10)])
    assert [str(warning) for warning in labels.warnings] == [
        "1 label is 10, far from the others, which go from 0 to 3; it counts as written"
    ]
