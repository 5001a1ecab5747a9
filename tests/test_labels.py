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
