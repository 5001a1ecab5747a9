import pytest

from cranfield.explaining.places import LEVELS, see

RANKED = [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
GRADES = {"a": 1, "c": 2, "d": 0, "e": 3, "p": -1}


@pytest.fixture
def seen():
    return see(RANKED, GRADES, rel=1, max_grade=3)


def test_recall_and_precision_are_those_down_to_each_rank(seen):
    assert [place.found for place in seen.places] == [1, 1, 2, 2]
    assert [place.precision for place in seen.places] == [1, 1 / 2, 2 / 3, 2 / 4]
    assert [place.recall for place in seen.places] == [1 / 3, 1 / 3, 2 / 3, 2 / 3]


def test_interpolated_precision_is_the_best_from_a_relevant_document_on(seen):
    assert [place.interpolated for place in seen.places] == [1, None, 2 / 3, None]


def test_relevant_documents_that_the_ranking_lacks_come_best_first(seen):
    assert seen.relevant == ("e", "c", "a")
    assert seen.missed == ("e",)


def test_only_graded_documents_are_judged(seen):
    assert [place.judged for place in seen.places] == [True, False, True, True]


def test_a_depth_cuts_the_ranking_before_unjudged_documents_are_left_out():
    cut = see(RANKED, GRADES, rel=1, max_grade=3, depth=3, judged_only=True)
    assert [(place.rank, place.in_run, place.document) for place in cut.places] == [(1, 1, "a"), (2, 3, "c")]
    assert cut.retrieved == 2


def test_gaps_between_ranks_count_as_retrieved():
    gaps = see([(1, "a"), (5, "c")], GRADES, rel=1, max_grade=3)
    assert gaps.retrieved == 5
    assert gaps.places[1].precision == 2 / 5
    assert [place.document for place in gaps.top(4)] == ["a"]


def test_the_curve_has_eleven_levels_of_recall(seen):
    assert list(seen.curve) == list(LEVELS)
    assert (seen.curve[0.0], seen.curve[0.5], seen.curve[1.0]) == (1, pytest.approx(2 / 3), 0)
    assert see(RANKED, {"a": 0}, rel=1, max_grade=1).curve == {}
