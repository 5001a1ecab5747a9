from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield import UsageError
from cranfield.notation import documents, grouped, ranking


def test_a_digit_is_the_grade_at_its_rank():
    judged = ranking("210")
    assert judged.ranks.tolist() == [1, 2, 3]
    assert judged.grades.tolist() == [2, 1, 0]


def test_a_dash_is_an_unjudged_document_that_takes_its_rank():
    judged = ranking("-2")
    assert judged.ranks.tolist() == [2]
    assert judged.retrieved == 2


def test_what_follows_the_bar_was_judged_but_not_retrieved():
    judged = ranking("1|20")
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


@pytest.mark.parametrize(
    ("text", "rest"),
    [("2y1", "'y1'"), ("1|a", "'a'"), ("(2", "'(2'"), ("1 1", "' 1'"), ("1||1", "'|1'"), ("()", "'()'")],
)
def test_anything_else_is_refused_and_shown(text, rest):
    with pytest.raises(UsageError) as refused:
        ranking(text)
    assert str(refused.value) == (
        f"{text!r} is not a ranking: {rest} was found where a digit, -, x or (grade) belongs.\n"
        "Write one grade per rank, '-' for unjudged, and after '|' what was never retrieved: '2-1|1'."
    )


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
        with pytest.raises(UsageError, match="'y' was found where a digit, -, x or"):
            grouped("1y 01")


class TestDocuments:
    def test_grades_and_ranking_can_be_evaluated(self):
        import cranfield as cf

        grades, ranked = documents("1001101000|" + 6 * "1")
        scores = cf.evaluate({"q": grades}, {"q": ranked}, "AP")
        assert scores["AP"] == cf.AP(ranking("1001101000|" + 6 * "1"))

    def test_unjudged_documents_have_a_rank_and_no_grade(self):
        assert documents("-x|(1.5)") == ({"d2": -1.0, "m1": 1.5}, ["d1", "d2"])
