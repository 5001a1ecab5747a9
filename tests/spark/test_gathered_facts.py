from __future__ import annotations

from cranfield.spark.gathered_facts import Facts, RunCounts
from cranfield.spark.part import JUDGMENTS, versions


def facts(*parts):
    return Facts(RunCounts(), (RunCounts(),), parts, {})


def test_counts_of_parts_add_up():
    both = facts(
        {"rows": 3, "not_given": 1, "chunks": [5, 2]}, {"rows": 4, "chunks": [1, 0], "run_chunks": {"0": [7, 7]}}
    )
    assert (both.rows, both.not_given, both.chunks(JUDGMENTS), both.chunks(0)) == (7, 1, (6, 2), (7, 7))
    assert facts({"rows": 3}).chunks(JUDGMENTS) is None


def test_grades_of_parts_are_counted_together():
    both = facts({"grades": [[0.0, 9.0], [4, 1]]}, {"grades": [[0.0], [2]]})
    assert both.grade_counts() == ([0.0, 9.0], [6, 1])


def test_one_group_is_told_only_if_all_judged_parts_have_one():
    assert facts({"judged": 2, "one_group": True}, {"versions": {}}).one_group()
    assert not facts({"judged": 2, "one_group": True}, {"judged": 1, "one_group": False}).one_group()
    assert not facts({"versions": {}}).one_group()


def test_workers_with_the_versions_of_the_driver_are_not_told():
    assert facts({"versions": versions()}).other_versions() is None
    assert "Python 2.7 (driver" in str(facts({"versions": {**versions(), "Python": "2.7"}}).other_versions())
