"""`cranfield correct plan`, as a user calls it."""

import json

import pytest

from cranfield.show.answer import FORMS
from tests.cli.test_correct import RUNS, garden  # noqa: F401  # the fixture


@pytest.mark.parametrize("form", FORMS)
def test_every_format_has_the_queries_needed(cranfield, form):
    shown = cranfield("correct", "plan", "people.txt", "model.txt", *RUNS, "--width", "0.1", "--format", form)
    assert shown.returncode == 0
    assert "needed" in shown.stdout


def test_says_how_many_queries_and_labels_people_have_to_judge(cranfield):
    shown = cranfield("correct", "plan", "people.txt", "model.txt", *RUNS, "--width", "0.1", "--format", "json")
    plan = json.loads(shown.stdout)
    assert f"people have to judge {plan['needs'][0]['needed']} queries" in plan["verdict"]
    assert plan["needs"][0]["needed"] <= plan["needs"][0]["needed_alone"]


@pytest.mark.parametrize("width", ["0", "-0.1", "nan", "wide"])
def test_a_width_that_is_none_is_refused(cranfield, width):
    shown = cranfield("correct", "plan", "people.txt", "model.txt", *RUNS, "--width", width)
    assert shown.returncode == 2
    assert "--width" in shown.stderr


def test_a_width_has_to_be_named(cranfield):
    shown = cranfield("correct", "plan", "people.txt", "model.txt", *RUNS)
    assert shown.returncode == 2
    assert "--width" in shown.stderr
