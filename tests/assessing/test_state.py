import numpy as np
import pytest

from cranfield.assessing.events import Event, Judge
from cranfield.assessing.project import new_project
from cranfield.assessing.state import APART, State, draws
from tests.assessing.conftest import garden

BOSS, ADA, BEN, MODEL = Judge(1, "boss", "manager"), Judge(2, "ada"), Judge(3, "ben"), Judge(4, "robot", "model")


class History:
    """Events one after the other, applied to a state."""

    def __init__(self, **settings):
        self.contents = settings.pop("contents", None) or garden()
        self.state = State(new_project("garden", **settings), self.contents.items, [BOSS, ADA, BEN, MODEL])
        self.seq = 0

    def add(self, judge, item, kind="label", grade=None, **more):
        self.seq += 1
        self.state.apply(Event(self.seq, "2026-11-18T10:00:00Z", str(self.seq), judge, item, kind, grade, **more))
        return self.seq


@pytest.fixture
def history():
    return History()


def test_a_label_counts_once_however_often_it_changes(history):
    for grade in (0.0, 3.0, 1.0):
        history.add(2, 7, grade=grade)
    assert history.state.labels(7) == [(2, 1.0)]
    assert history.state.counts[7] == 1


@pytest.mark.parametrize("kind", ["skip", "cannot", "later", "clear"])
def test_what_is_no_label_takes_no_place(history, kind):
    history.add(2, 7, grade=1.0)
    history.add(2, 7, kind)
    assert history.state.counts[7] == 0
    assert history.state.labels(7) == []
    assert history.state.merged(7) is None


@pytest.mark.parametrize(
    ("kind", "asked_again"), [("skip", False), ("cannot", False), ("later", True), ("clear", True)]
)
def test_who_skips_is_not_asked_again(history, kind, asked_again):
    history.add(2, 7, kind)
    assert history.state.by_judge[2].handled[7] != asked_again


def test_a_model_takes_no_place(history):
    history.add(4, 7, grade=3.0)
    assert history.state.counts[7] == 0
    assert history.state.merged(7) is None
    assert history.state.current(7, 4) == (1, "label", 3.0)


def test_an_item_counts_with_the_lower_median(history):
    history.add(2, 7, grade=3.0)
    history.add(3, 7, grade=1.0)
    assert history.state.merged(7) == 1.0


def test_what_was_decided_on_counts_until_it_is_cleared(history):
    history.add(2, 7, grade=3.0)
    history.add(1, 7, "adjudicate", 0.0)
    assert history.state.merged(7) == 0.0
    history.add(1, 7, "clear")
    assert history.state.merged(7) == 3.0


def test_what_was_imported_counts_and_gold_does_not():
    contents = garden(judgments={"q1": {"d1": 2}}, gold={"q1": {"d2": 3}})
    history = History(contents=contents)
    names = {contents.items.documents[contents.items.of_document[at]]: at + 1 for at in range(14)}
    assert history.state.merged(names["d1"]) == 2.0
    assert history.state.merged(names["d2"]) is None
    assert list(history.state.graded()) == [names["d1"]]


def test_only_labels_of_what_was_drawn_by_chance_are_a_sample(history):
    history.add(2, 7, grade=1.0, more={"chosen": "influence"})
    history.add(2, 8, grade=1.0, more={"chosen": "random", "probability": 0.1})
    assert (history.state.is_random(7), history.state.is_random(8)) == (False, True)


def test_the_trail_goes_back_any_number_of_steps_over_each_item_once(history):
    for item in (5, 6, 7, 5):
        history.add(2, item, grade=1.0)
    history.add(3, 9, grade=1.0)
    of = history.state.by_judge[2]
    assert list(of.trail()) == [5, 7, 6]
    assert list(of.trail(before=3)) == [6]
    assert list(of.trail(before=1)) == []


def test_an_item_is_shown_again_long_after_it_was_labelled():
    history = History(repeats=1.0)
    for item in range(1, APART + 1):
        assert history.state.by_judge[2].due() is None
        history.add(2, item, grade=1.0)
    history.add(2, 60, grade=1.0)
    assert history.state.by_judge[2].due() == 1
    history.add(2, 1, "repeat", 3.0)
    assert history.state.by_judge[2].repeats[1].grade == 3.0
    assert history.state.current(1, 2).grade == 1.0
    assert history.state.by_judge[2].due() is None


def test_about_the_share_that_was_asked_for_is_shown_again_and_others_to_others():
    history = History(repeats=0.25)
    drawn = [{item for item in range(1, 85) if history.state.is_repeatable(judge, item)} for judge in (2, 3)]
    assert all(10 <= len(items) <= 33 for items in drawn)
    assert drawn[0] != drawn[1]


def test_a_judge_who_was_reopened_is_asked_again(history):
    history.add(2, 7, "cannot")
    history.add(2, 7, "reopened")
    assert not history.state.by_judge[2].handled[7]


def test_draws_are_even_and_their_own_by_name():
    drawn = draws(3, "shared", 20_000)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert np.allclose(np.histogram(drawn, bins=10, range=(0, 1))[0], 2000, atol=250)
    assert abs(np.corrcoef(drawn, draws(3, "order", 20_000))[0, 1]) < 0.03
    assert abs(np.corrcoef(drawn, draws(4, "shared", 20_000))[0, 1]) < 0.03
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.03
