from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import UsageError
from cranfield.notation import documents, grouped, is_typed, ranking, several, typed


def test_a_digit_is_the_grade_at_its_rank():
    judged = ranking("210")
    assert judged.ranks.tolist() == [1, 2, 3]
    assert judged.grades.tolist() == [2, 1, 0]


def test_a_dash_is_an_unjudged_document_that_takes_its_rank():
    judged = ranking("-2")
    assert judged.ranks.tolist() == [2]
    assert judged.retrieved == 2


def test_what_follows_the_bar_was_judged_but_not_retrieved():
    judged = ranking("1|2 0")
    assert judged.judged.tolist() == [2, 1, 0]
    assert judged.grades.tolist() == [1]
    assert judged.retrieved == 1


def test_x_is_pooled_but_not_judged():
    assert ranking("x1").grades.tolist() == [-1, 1]


def test_longer_fractional_and_negative_grades_stand_in_parentheses():
    assert ranking("(12)(0.5)(-2)|(1.5)").judged.tolist() == [12, 1.5, 0.5, -2]


def test_nothing_retrieved_and_nothing_judged():
    nothing = ranking("")
    assert nothing.retrieved == 0
    assert nothing.judged.size == 0
    assert nothing.max_grade == 0


def test_the_largest_grade_may_be_one_that_was_never_found():
    assert ranking("1|3").max_grade == 3


WRITTEN_ALIKE = {
    "1 0 1 1": (1, 0, 1, 1),
    "1,0,1,1": (1, 0, 1, 1),
    "1, 0; 1\t1\n": (1, 0, 1, 1),
    "Y N Y Y": (1, 0, 1, 1),
    "ynyy": (1, 0, 1, 1),
    "R N R R": (1, 0, 1, 1),
    "yes no yes yes": (1, 0, 1, 1),
    "+ - + +": (1, 0, 1, 1),
    "+−++": (1, 0, 1, 1),
    "[1,0,1,1]": (1, 0, 1, 1),
    "[true, false, true, true]": (1, 0, 1, 1),
    "['Y', 'N', 'Y', 'Y']": (1, 0, 1, 1),
    "(1, 0, 1, 1)": (1, 0, 1, 1),
    "[12, 0.5, null, -1]": (12, 0.5, None, -1),
    "[1. 0. 2.5]": (1, 0, 2.5),
    "(12) 0 0.5": (12, 0, 0.5),
    "1 - ? x": (1, None, None, -1),
    "- - -": (None, None, None),
    "Y - N": (1, None, 0),
}


@pytest.mark.parametrize(("text", "grades"), WRITTEN_ALIKE.items())
def test_people_write_rankings_in_many_ways(text, grades):
    assert typed(text).retrieved == grades


@pytest.mark.parametrize(
    ("text", "missed"),
    {
        "10|+3": (1, 1, 1),
        "1 0 | +12": 12 * (1,),
        "Y N|+2": (1, 1),
        "+ -|+2": (1, 1),
        "+ -|+ + -": (1, 1, 0),
        "10|1 5": (1, 5),
        "10|111": (1, 1, 1),
        "10|2, +2": (2, 1, 1),
        "[3, 0]|[12, 3]": (12, 3),
        "10|": (),
        "10|+0": (),
        "|+15": 15 * (1,),
    }.items(),
)
def test_what_was_lost_stands_after_the_bar_as_grades_or_as_a_number(text, missed):
    assert typed(text).missed == missed


def test_the_number_of_relevant_documents_makes_up_for_those_that_are_not_written():
    assert typed("0101010000", relevant=15) == typed("0101010000|+12")._replace(text="0101010000")
    assert ranking("10|1", relevant=2).judged.tolist() == [1, 1, 0]
    assert typed("210", relevant=4, rel=2).missed == (2, 2, 2)


def test_there_are_no_fewer_relevant_documents_than_are_written():
    with pytest.raises(UsageError) as refused:
        ranking("1011", relevant=2)
    assert str(refused.value) == (
        "'1011' has 3 relevant documents (grade 1 or more), so relevant=2 is too few.\n"
        "It is the number of all relevant documents, retrieved or not."
    )


@pytest.mark.parametrize("relevant", [-1, 1.5, "3", True, 10**9])
def test_the_number_of_relevant_documents_is_a_moderate_whole_number(relevant):
    with pytest.raises(UsageError, match="relevant must be"):
        ranking("10", relevant=relevant)


REFUSED = {
    "2y1": (2, 1, "'y' at position 2 and '2' before it are two ways of writing grades."),
    "+ 1": (3, 1, "'1' at position 3 and '+' before it are two ways of writing grades."),
    "1|a": (3, 1, "'a' at position 3 is not a grade."),
    "1 0 z 1": (5, 1, "'z' at position 5 is not a grade."),
    "(2": (1, 1, "'(' at position 1 is not a grade."),
    "()": (1, 1, "'(' at position 1 is not a grade."),
    "0.5": (2, 1, "'.' at position 2 is not a grade."),
    "[[1,0],[0,1]]": (2, 1, "'[' at position 2 is not a grade."),
    "1||1": (3, 1, "there is more than one |."),
    "1,,0": (2, 2, "there is nothing between two commas."),
    "1 12 0": (3, 2, "'12' at position 3 could be one document or 2."),
    "1 -1 0": (3, 2, "'-1' at position 3 could be one document or 2."),
    "0101010000|15": (12, 2, "'15' after | could be a number of documents or their grades."),
    "[1, 1e400]": (5, 5, "the number at position 5 is too large."),
    "1|+10000000": (3, 9, "the number at position 3 is too large."),
}


@pytest.mark.parametrize(("text", "place"), REFUSED.items())
def test_anything_else_is_refused_with_its_place(text, place):
    position, length, found = place
    with pytest.raises(UsageError) as refused:
        ranking(text)
    first, shown, mark, advice = str(refused.value).split("\n")
    assert first == f"{text!r} cannot be read as a ranking: {found}"
    assert shown == f"    {text}"
    assert mark == "    " + (position - 1) * " " + length * "^"
    assert advice


def test_a_number_after_the_bar_is_refused_with_what_it_may_mean():
    with pytest.raises(UsageError, match=r"write \|\+15; .* write \|1 5\. How many are relevant in all is relevant=15"):
        ranking("0101010000|15")


def test_of_a_long_ranking_the_part_around_the_place_is_shown():
    with pytest.raises(UsageError) as refused:
        ranking(300 * "1" + "z" + 300 * "0")
    _, shown, mark, _ = str(refused.value).split("\n")
    assert len(shown) < 80
    assert shown[mark.index("^")] == "z"


class TestLists:
    @pytest.mark.parametrize(
        "grades", [[1, 0, 1], (1, 0, 1), np.array([1, 0, 1]), [True, False, True], ["1", "0", "1"]]
    )
    def test_a_list_holds_a_grade_for_each_rank(self, grades):
        assert ranking(grades).grades.tolist() == [1, 0, 1]

    def test_none_and_nan_are_unjudged(self):
        assert typed([2, None, math.nan, 0]).retrieved == (2, None, None, 0)

    def test_a_judged_ranking_is_itself_and_may_be_told_how_many_are_relevant(self):
        judged = ranking("1-0|2")
        assert ranking(judged) is judged
        assert ranking(judged, relevant=4).judged.tolist() == [2, 1, 1, 1, 0]

    @pytest.mark.parametrize("wrong", [3, {"d1": 1}, {1, 0}, b"10", [1, "z"], [1, [0]], [10**400], object])
    def test_anything_else_is_refused_in_words(self, wrong):
        with pytest.raises(UsageError, match="was found where a ranking belongs"):
            ranking(wrong)

    def test_a_list_may_hold_rankings(self):
        assert [one.retrieved for one in several(["10", [0, 1], ranking("2-")])] == [(1, 0), (0, 1), (2, None)]
        assert [one.retrieved for one in several(np.array([[1, 0], [0, 1]]))] == [(1, 0), (0, 1)]

    def test_single_signs_in_a_list_are_one_ranking(self):
        assert [one.retrieved for one in several(["Y", "N", "Y"])] == [(1, 0, 1)]


class TestIsTyped:
    @pytest.mark.parametrize("text", [*WRITTEN_ALIKE, "1 0 z", "[1, 0, z]", "10|+3"])
    def test_a_ranking_looks_like_one(self, text):
        assert is_typed(text)

    @pytest.mark.parametrize("name", ["qrels.txt", "runs/1.run", "bm25", "2024.run", "no-such.csv", "run"])
    def test_a_file_does_not(self, name):
        assert not is_typed(name)


class TestTop:
    def test_it_ends_the_ranking_at_a_rank(self):
        top = ranking("2-1|1").top(2)
        assert top.retrieved == 2
        assert top.grades.tolist() == [2, -math.inf]
        assert top.ranks.tolist() == [1, math.inf]

    def test_it_leaves_the_judgments_as_they_are(self):
        assert ranking("2-1|1").top(1).judged.tolist() == [2, 1, 1]

    def test_beyond_the_end_it_changes_nothing(self):
        assert ranking("21").top(10).retrieved == 2

    def test_without_a_cutoff_it_is_the_ranking_itself(self):
        judged = ranking("21")
        assert judged.top(None) is judged


class TestCondensed:
    def test_unjudged_documents_leave_and_the_others_close_up(self):
        condensed = ranking("-2-1").condensed()
        assert condensed.ranks.tolist() == [1, 2]
        assert condensed.retrieved == 2

    def test_pooled_but_unjudged_documents_leave_too(self):
        condensed = ranking("x1").condensed()
        assert condensed.ranks[np.isfinite(condensed.ranks)].tolist() == [1]
        assert condensed.retrieved == 1


class TestIdeal:
    def test_it_has_all_judged_grades_highest_first(self):
        ideal = ranking("0-1|2").ideal
        assert ideal.grades.tolist() == [2, 1, 0]
        assert ideal.ranks.tolist() == [1, 2, 3]
        assert ideal.retrieved == 3

    def test_of_what_was_retrieved_it_leaves_out_the_rest(self):
        assert ranking("0-1|2").ideal_retrieved.grades.tolist() == [1, 0]

    def test_after_regrading_it_is_sorted_by_the_new_grades(self):
        regraded = ranking("12|0").regraded({1: 5, 2: 3})
        assert regraded.grades.tolist() == [5, 3]
        assert regraded.ideal.grades.tolist() == [5, 3, 0]

    def test_regrading_by_a_function_leaves_padding_alone(self):
        padded = ranking("12").top(1).regraded(lambda grades: grades * 10)
        assert padded.grades.tolist() == [10, -math.inf]


class TestGrouped:
    def test_a_word_is_a_document_and_a_letter_its_grade_by_one_group(self):
        judged = grouped("10 01")
        assert judged.ranks.tolist() == [1, 2]
        assert judged.grades.tolist() == [[1, 0], [0, 1]]
        assert judged.owners.tolist() == [0, 1]

    def test_a_dash_is_a_group_that_says_nothing(self):
        assert grouped("1- x2").grades.tolist() == [[1, -1], [-math.inf, 2]]

    def test_a_document_of_dashes_is_unjudged_and_takes_its_rank(self):
        judged = grouped("-- 10")
        assert judged.ranks.tolist() == [2]
        assert judged.retrieved == 2
        assert grouped("- 10").ranks.tolist() == [2]

    def test_what_follows_the_bar_was_judged_but_not_retrieved(self):
        judged = grouped("10|01 11")
        assert judged.ranks.tolist() == [1, math.inf, math.inf]
        assert judged.retrieved == 1

    def test_longer_grades_stand_in_parentheses(self):
        judged = grouped("(0.5)(12) 0(-2)")
        assert judged.grades.tolist() == [[0.5, 0], [12, -2]]
        assert judged.max_grade == 12

    def test_several_groups_may_belong_to_one_judge(self):
        assert grouped("101 010", owners=[0, 0, 1]).owners.tolist() == [0, 0, 1]

    def test_documents_come_by_id_as_they_are_written(self):
        assert grouped("10 01|11").places.tolist() == [0, 1, 2]

    def test_nothing_retrieved_and_nothing_judged(self):
        nothing = grouped("")
        assert nothing.grades.shape == (0, 0)
        assert nothing.retrieved == nothing.max_grade == 0

    @pytest.mark.parametrize("text", ["10 1", "1 01", "10|1"])
    def test_documents_have_grades_by_the_same_groups(self, text):
        with pytest.raises(UsageError) as refused:
            grouped(text)
        assert str(refused.value) == f"{text!r} is not a ranking: each document has a grade, or '-', for each group."

    def test_every_group_has_an_owner(self):
        with pytest.raises(UsageError) as refused:
            grouped("10 01", owners=[0])
        assert str(refused.value) == "owners names 1 judge for 2 groups."

    def test_anything_else_is_refused_and_shown(self):
        with pytest.raises(UsageError, match="'z' at position 2 is not a grade"):
            grouped("1z 01")


class TestDocuments:
    def test_grades_and_ranking_can_be_evaluated(self):
        import cranfield as cf

        grades, ranked = documents("1001101000|" + 6 * "1")
        scores = cf.evaluate({"q": grades}, {"q": ranked}, "AP")
        assert scores["AP"] == cf.AP(ranking("1001101000|" + 6 * "1"))

    def test_unjudged_documents_have_a_rank_and_no_grade(self):
        assert documents("-x|(1.5)") == ({"d2": -1.0, "m1": 1.5}, ["d1", "d2"])


@given(st.text(st.sampled_from("0123456789 ,;|+-−?.()[]xXyYnNrR'\"eE\n\tnulltruefals☃")))
def test_whatever_is_typed_is_read_or_refused_in_words(text):
    try:
        read = typed(text)
    except UsageError:
        return
    assert all(grade is None or math.isfinite(grade) for grade in (*read.retrieved, *read.missed))
    assert ranking(read).retrieved == len(read.retrieved)


@given(st.lists(st.none() | st.integers(0, 9)), st.lists(st.integers(0, 9)))
def test_a_ranking_is_the_same_with_and_without_blanks_and_as_a_list(grades, missed):
    signs = ["-" if grade is None else str(grade) for grade in grades]
    lost = "|" + " ".join(map(str, missed)) if len(missed) != 1 else f"|({missed[0]})"
    assert typed("".join(signs) + lost)[1:] == typed(" ".join(signs) + lost)[1:]
    assert typed("".join(signs)).retrieved == typed(grades).retrieved
