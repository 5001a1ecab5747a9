"""What judges differ about."""

from __future__ import annotations

import json

import pytest

from cranfield.assessing.disagreements import disputes
from cranfield.assessing.effect import Effect


@pytest.fixture
def disputed(make_service, sender):
    """Three documents about which two judges differ, one about which they agree, one with a single label."""
    service = make_service("ada", "ben", labels=2, strategy="depth", measure="P@10")
    for judge, grades in ((2, {1: 0, 2: 3, 3: 1, 4: 2, 5: 0}), (3, {1: 1, 2: 0, 3: 1, 4: 0})):
        for item, grade in grades.items():
            service.record(judge, sender(service, judge).label(item, float(grade), note=f"because {judge}"))
    return service


def test_only_documents_with_all_labels_that_differ_are_disputed(disputed):
    assert sorted(one.item for one in disputes(disputed)) == [1, 2, 4]


def test_without_a_comparison_those_come_first_whose_grades_are_furthest_apart(disputed):
    assert [(one.item, one.spread) for one in disputes(disputed)] == [(2, 3), (4, 2), (1, 1)]


def test_those_that_move_the_comparison_come_first(disputed):
    effect = Effect(disputed.project, disputed.items)
    disputed.set_effect(effect)
    effect.update()
    ordered = disputes(disputed, effect)
    moves = effect.moves({one.item: one.ends for one in ordered})
    assert [one.moves for one in ordered] == sorted(moves.values(), reverse=True)
    assert {one.item: one.moves for one in ordered} == moves
    assert max(moves.values()) > 0
    assert min(moves.values()) == 0 or len(set(moves.values())) == 1


def test_each_grade_has_its_judge_and_note(disputed):
    one = disputes(disputed)[0]
    assert [(given.name, given.grade, given.note) for given in one.grades] == [
        ("ada", 3, "because 2"),
        ("ben", 0, "because 3"),
    ]
    assert (one.proposal, one.decided, one.is_near) == (0, None, False)
    assert next(one for one in disputes(disputed) if one.item == 1).is_near


def test_what_was_decided_is_disputed_no_longer(disputed):
    disputed.adjudicate(1, 2, 1, key="a")
    assert [one.item for one in disputes(disputed)] == [4, 1]
    assert [(one.item, one.decided) for one in disputes(disputed, decided=True)] == [(2, 1)]


def test_plain_values_are_json(disputed):
    assert json.loads(json.dumps([one.to_dict() for one in disputes(disputed)]))[0]["item"] == 2
