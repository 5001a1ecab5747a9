import pytest

from cranfield.assessing.project import new_project
from cranfield.assessing.refusals import NotOnScale, Refused, TooLong, UnknownItem
from cranfield.assessing.submission import LONGEST_MS, Submission, checked_submission
from tests.assessing.conftest import garden

SENT = Submission("key", 7, "label", 2.0, None, 1500, 0, "key", "")


def check(**changes):
    return checked_submission(SENT._replace(**changes), new_project("garden"), garden().items)


@pytest.mark.parametrize("grade", [1.5, 4, -1, float("nan"), float("inf"), None, "2", True])
def test_a_grade_off_the_scale_is_refused(grade):
    with pytest.raises(NotOnScale, match=r"is not one of this project's grades: 0, 1, 2, 3\."):
        check(grade=grade)


@pytest.mark.parametrize("item", [0, 85, -1, None, "7", 7.0, True, 10**30])
def test_an_item_that_does_not_exist_is_refused(item):
    with pytest.raises(UnknownItem) as refused:
        check(item=item)
    assert refused.value.status == 404


def test_a_note_may_have_two_thousand_characters():
    assert len(check(note="x" * 2000).note) == 2000
    with pytest.raises(TooLong, match="2,001 characters; 2,000 are possible"):
        check(note="x" * 2001)


@pytest.mark.parametrize(
    "changes",
    [
        {"key": ""},
        {"key": "x" * 101},
        {"key": "a\nb"},
        {"key": 7},
        {"kind": "settings"},
        {"kind": "imported"},
        {"how": "telepathy"},
        {"before": "3"},
        {"before": 2**60},
        {"active_ms": "soon"},
        {"active_ms": float("nan")},
        {"note": None},
        {"kind": "skip"},
        {"kind": "passage", "grade": None, "more": {"start": 5, "end": 2}},
        {"kind": "passage", "grade": None, "more": {"start": "0", "end": 2}},
        {"kind": "passage", "grade": None, "more": {}},
    ],
)
def test_what_makes_no_sense_is_refused(changes):
    with pytest.raises(Refused) as refused:
        check(**changes)
    assert refused.value.status == 422


def test_times_are_cut_to_what_is_possible():
    assert check(active_ms=-5).active_ms == 0
    assert check(active_ms=10**15).active_ms == LONGEST_MS
    assert check(away_ms=12.6).away_ms == 13


def test_only_the_place_of_a_passage_is_kept():
    sent = check(kind="passage", grade=None, more={"start": 3, "end": 9, "chosen": "random"})
    assert sent.more == {"start": 3, "end": 9}
    assert check(more={"chosen": "random", "extra": False}).more == {}


def test_text_that_no_database_can_keep_is_mended():
    assert "\0" not in check(note="a\0b").note
    check(note="half \ud800").note.encode()
