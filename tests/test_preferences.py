"""Counting preferences: judge by judge, by whether their documents were retrieved."""

import numpy as np
import pytest

from cranfield.preferences import count

NO = -np.inf


def counted(grades, retrieved, owners=None):
    array = np.array(grades, dtype=np.float64)
    order = np.arange(array.shape[-1])
    return count(array, order, retrieved, np.array(range(len(array)) if owners is None else owners, dtype=np.int64))


def test_preferences_are_counted_between_two_retrieved_documents_one_and_none():
    # Retrieved are grades 1, 2 and 0; not retrieved are 3 and 0.
    counts = counted([[1, 2, 0, 3, 0]], 3)
    assert counts.possible.tolist() == [[3, 5, 1]]
    assert counts.fulfilled.tolist() == [[2, 2, 0]]


def test_each_judge_is_counted_apart():
    counts = counted([[1, 0], [0, 1], [1, 1]], 2)
    assert counts.possible[:, 0].tolist() == [1, 1, 0]
    assert counts.fulfilled[:, 0].tolist() == [1, 0, 0]


def test_a_document_that_a_group_did_not_grade_has_no_preference_there():
    assert counted([[1, NO, 0]], 3).possible.tolist() == [[1, 0, 0]]


def test_pairs_are_counted_once_whoever_has_a_preference():
    counts = counted([[1, 0, 0], [0, 1, 0], [1, 0, NO]], 2)
    # About the first two documents all three judges, about the others one each; these are implied.
    assert counts.pairs.tolist() == [1, 2, 0]
    assert counts.pairs_fulfilled == pytest.approx([2 / 3, 2 / 3 + 2, 2 / 3 + 2])


class TestWhatFollows:
    def test_a_chain_of_any_length_is_closed(self):
        # Four subgroups of two: 1 before 2, 2 before 3, 3 before 4, 4 before 5.
        chain = np.full((4, 5), NO)
        for link in range(4):
            chain[link, link : link + 2] = [1, 0]
        assert counted(chain, 5, [0] * 4).possible.tolist() == [[10, 0, 0]]

    def test_documents_that_nobody_compared_even_by_way_of_others_stay_apart(self):
        assert counted([[1, 0, NO], [1, NO, 0]], 3, [0, 0]).possible.tolist() == [[2, 0, 0]]

    def test_equal_grades_imply_nothing(self):
        # 1 and 2 are equal in one subgroup, 2 before 3 in another; 1 is not therefore before 3.
        assert counted([[1, 1, NO], [NO, 1, 0]], 3, [0, 0]).possible.tolist() == [[1, 0, 0]]

    def test_other_judges_imply_nothing(self):
        assert counted([[1, 0, NO], [NO, 1, 0]], 3, [0, 1]).possible.tolist() == [[1, 0, 0], [1, 0, 0]]


class TestBalanced:
    """Fulfilled and possible preferences with as many irrelevant documents as relevant ones."""

    def test_by_counting_scope_and_whether_fulfilled(self):
        (balanced,) = counted([[1, 0, 0, 0]], 2).balanced
        assert balanced.shape == (2, 2, 2)

    def test_the_first_irrelevant_documents_are_kept(self):
        defined, _ = counted([[0, 2, 1, 0, 0]], 5).balanced[0]
        # Kept are 0, 2, 1 and the next 0: 2 before 1, and each before the second 0, but not before the first.
        assert defined[0].tolist() == [3, 5]

    def test_missing_ones_stand_below_what_was_retrieved(self):
        defined, as_trec_eval = counted([[1, 1, 1]], 2).balanced[0]
        assert defined[0].tolist() == as_trec_eval[0].tolist() == [6, 9]

    def test_trec_eval_divides_by_all_relevant_documents_even_among_those_retrieved(self):
        defined, as_trec_eval = counted([[1, 1, 1]], 2).balanced[0]
        assert defined[1].tolist() == [4, 4]
        assert as_trec_eval[1].tolist() == [4, 6]


def test_a_query_that_nobody_judged_has_nothing_to_count():
    counts = counted(np.empty((0, 0)), 0)
    assert counts.possible.shape == (0, 3)
    assert counts.pairs.tolist() == [0, 0, 0]
