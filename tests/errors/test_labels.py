import pytest

from cranfield import errors
from cranfield.errors import labels


def test_a_judge_who_contradicts_himself_is_shown_with_both_grades():
    finding = labels.contradicting_labels("a.csv", 7, ("q1", "d1"), "ada", ("1", "2"), 3, unit="row")
    assert str(finding) == "a.csv, row 7: ada gives query 'q1', document 'd1' the grade 2, but 1 on row 3"


def test_a_label_of_no_query_is_about_an_item():
    assert "ada labels item 'd1' again" in labels.labelled_twice(None, 7, "", "d1", "ada", unit="row").message


@pytest.mark.parametrize(("count", "words"), [(1, "1 label is negative"), (1200, "1,200 labels are negative")])
def test_negative_labels_are_counted(count, words):
    finding = labels.negative_labels("a.csv", count)
    assert finding.message.startswith(words)
    assert finding.count == count


def test_grades_far_from_all_others_are_shown_with_the_range_of_those():
    finding = labels.outlying_grades(None, [99.0], 1, (0.0, 3.0))
    assert finding.message.startswith("1 label is 99, far from the others, which go from 0 to 3;")
    assert "which are all 1;" in labels.outlying_grades(None, [99.0], 1, (1.0, 1.0)).message


def test_more_outlying_grades_than_three_are_shown_in_part():
    finding = labels.outlying_grades(None, [96.0, 97.0, 98.0, 99.0], 4, (0.0, 3.0), "grade")
    assert finding.message.startswith("4 grades are 96 or 97 or 98, …,")


def test_judges_without_a_common_document_come_with_the_spelling_that_would_match():
    error = labels.judges_never_meet("a.csv", ["ada", "ben"], ["D1"], ["d1"])
    assert isinstance(error, errors.DataError)
    assert "ada labelled D1; ben d1" in str(error)
    assert "ignoring case" in str(error)


def test_an_unknown_judge_is_answered_with_the_nearest():
    error = labels.unknown_judge("bem", ["ada", "ben"])
    assert str(error) == "there is no judge 'bem'. The judges are ada, ben. Did you mean ben?"


def test_columns_of_clicks_are_sent_to_the_command_for_clicks():
    assert "cranfield clicks LOG" in labels.judges_not_told(None, ["clicked", "x"]).advice
    assert "cranfield clicks LOG" not in labels.judges_not_told(None, ["x", "y"]).advice


def test_a_run_where_labels_were_expected_is_told_so():
    error = labels.no_labels(errors.DataError([errors.files.swapped_arguments("a.run", "run")]))
    assert str(error).startswith("a.run: this is a run, where labels were expected")


def test_other_problems_are_left_as_they_are():
    before = errors.DataError([errors.files.is_directory("a")], more=True)
    after = labels.no_labels(before)
    assert (after.findings, after.more) == (before.findings, True)


@pytest.mark.parametrize(("reaches", "words"), [(True, "every label reaches"), (False, "no label reaches")])
def test_a_level_with_all_grades_on_one_side_is_a_warning(reaches, words):
    finding = labels.one_side_of_level(None, 1.0, [2.0, 3.0], reaches=reaches)
    assert finding.message.startswith(f"{words} the level 1: grades go from 2 to 3")
    assert finding.severity == "warning"
