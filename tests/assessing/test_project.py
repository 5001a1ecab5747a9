import json

import pytest

from cranfield.assessing.project import GradeWord, Project, new_project, parse_grades
from cranfield.errors import UsageError


def test_a_project_survives_json():
    project = new_project("garden", guidelines="# Be fair", grades=parse_grades("0=no,0.5=half,1=yes"), labels=3)
    assert Project.from_dict(json.loads(json.dumps(project.to_dict()))) == project


def test_two_projects_have_different_ids():
    assert new_project("a").id != new_project("a").id
    assert len(new_project("a").id) == 8


def test_the_hash_changes_with_every_setting_that_judges_see():
    project = new_project("garden")
    assert project.with_changes(guidelines="Be fair.").hash != project.hash
    assert project.with_changes(guidelines="").hash == project.hash


def test_grades_are_sorted_and_keep_their_words():
    assert parse_grades("1=relevant, 0=not relevant") == (GradeWord(0.0, "not relevant"), GradeWord(1.0, "relevant"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0=no,0=yes", "each grade comes once"),
        ("no,yes", "a grade is a number"),
        ("", "a grade is a number"),
        ("1", "a scale has 2 to 10 grades"),
        ("0,1,2,3,4,5,6,7,8,9,10", "a scale has 2 to 10 grades"),
        ("0,nan", "a grade is a finite number"),
        ("0,inf", "a grade is a finite number"),
    ],
)
def test_grades_that_make_no_scale_are_refused(text, reason):
    with pytest.raises(UsageError, match=reason):
        parse_grades(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"labels": 0}, "labels must be a whole number of at least 1, not 0"),
        ({"shared": 1.5}, "shared must be a share from 0 to 1, not 1.5"),
        ({"repeats": float("nan")}, "repeats must be a share from 0 to 1, not NaN"),
        ({"strategy": "decided"}, "Did you mean decide"),
        ({"link": "https://example.org"}, "link must contain {document}"),
        ({"task": "grade"}, "Did you mean grades"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        new_project("garden", **settings)


def test_preferences_have_three_grades_of_their_own():
    project = new_project("garden", task="preferences")
    assert [project.word(grade) for grade in project.scale] == ["second is better", "equal", "first is better"]
