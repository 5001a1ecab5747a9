from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings
from cranfield.evaluating.part import aligned, counted, have_relevant
from cranfield.evaluating.settings import Settings

JUDGED = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"b": 2}}


def test_means_are_over_all_judged_queries_unless_settings_say_otherwise():
    judgments, run = cf.read_judgments(JUDGED), cf.read_run({"q1": ["a"], "q2": ["a"]})
    seen = aligned(run, judgments, Settings())
    assert counted(seen, Settings()).tolist() == [True, True, True]
    assert counted(seen, Settings(average_over="answered")).tolist() == [True, True, False]
    assert counted(seen, Settings(without_relevant="drop")).tolist() == [True, False, True]
    assert have_relevant(judgments, 2).tolist() == [False, False, True]


def test_ids_of_a_part_need_not_meet():
    judgments, run = cf.read_judgments(JUDGED), cf.read_run({"x1": ["a"]})
    assert aligned(run, judgments, Settings(), Findings()).unknown == ("x1",)
    with pytest.raises(DataError, match="no query in common"):
        aligned(run, judgments, Settings())
