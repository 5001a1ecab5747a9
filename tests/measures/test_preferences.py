"""Preferences: of two documents, is the better one ranked first?"""

from __future__ import annotations

import math

import pytest

import cranfield as cf
from cranfield.measures import NumPrefs, NumPrefsFulfilled, PrefAvg, PrefAvgR, PrefPair, PrefSimp
from cranfield.notation import grouped


class TestOneJudge:
    def test_a_document_is_preferred_to_each_with_a_lower_grade(self):
        assert NumPrefs(grouped("3 1 1 0")) == 5
        assert NumPrefs(grouped("1 1 1")) == 0

    def test_a_preference_is_fulfilled_where_the_better_document_comes_first(self):
        assert NumPrefsFulfilled(grouped("2 0 1")) == 2
        assert PrefSimp(grouped("2 0 1")) == pytest.approx(2 / 3)

    def test_a_document_that_was_retrieved_comes_before_one_that_was_not(self):
        assert PrefSimp(grouped("1|0")) == 1
        assert PrefSimp(grouped("0|1")) == 0

    def test_between_two_that_were_not_retrieved_none_is_fulfilled(self):
        assert PrefSimp(grouped("|1 0")) == 0

    def test_only_preferences_between_retrieved_documents_may_count(self):
        # 2 before 0 is fulfilled; 1 and 0 were not retrieved together.
        assert PrefSimp(pairs="retrieved")(grouped("2 0|1")) == 1
        assert NumPrefsFulfilled(pairs="retrieved")(grouped("2 0|1")) == 1

    def test_or_those_of_which_at_least_one_document_was_retrieved(self):
        assert PrefSimp(grouped("1|2 0")) == pytest.approx(1 / 3)
        assert PrefSimp(pairs="implied")(grouped("1|2 0")) == 1 / 2

    def test_an_unjudged_document_changes_nothing(self):
        assert PrefSimp(grouped("2 - 0 1")) == PrefSimp(grouped("2 0 1"))

    def test_neither_does_one_that_is_only_pooled(self):
        """A negative grade is none, so nobody prefers anything to it."""
        assert NumPrefs(grouped("1 x 0")) == 1
        assert NumPrefs(grouped("0 x|(-2)")) == 0

    def test_without_a_preference_shares_are_undefined(self):
        for measure in (PrefSimp, PrefPair, PrefAvg):
            assert math.isnan(measure(grouped("1 1|1")))
        assert math.isnan(PrefSimp(pairs="retrieved")(grouped("1|0")))


class TestSeveralJudges:
    def test_each_preference_of_each_judge_counts_once(self):
        # The first has three preferences, two of them fulfilled; the second one, fulfilled.
        assert NumPrefs(grouped("21 00 1-")) == 4
        assert PrefSimp(grouped("21 00 1-")) == 3 / 4

    def test_or_each_judge(self):
        assert PrefAvg(grouped("21 00 1-")) == pytest.approx((2 / 3 + 1) / 2)

    def test_or_each_pair_of_documents(self):
        # The first pair is in the right order for both, the others each for one judge of one.
        assert PrefPair(grouped("21 00 1-")) == pytest.approx((1 + 1 + 0) / 3)
        assert PrefPair(grouped("10 01")) == 1 / 2

    def test_a_judge_without_a_preference_counts_zero(self):
        assert PrefAvg(grouped("11 01")) == 1 / 2

    def test_judges_may_contradict_each_other(self):
        assert NumPrefs(grouped("10 01")) == 2
        assert PrefSimp(grouped("10 01")) == 1 / 2


class TestSubgroups:
    def test_a_preference_follows_from_two_others(self):
        # The first to the second in one subgroup, the second to the third in another.
        chain = "1- 01 -0"
        assert NumPrefs(grouped(chain, owners=[0, 0])) == 3
        assert NumPrefs(grouped(chain, owners=[0, 1])) == 2

    def test_but_not_from_those_of_different_judges(self):
        chain = "1-- 01- -01 --0"
        assert NumPrefs(grouped(chain, owners=[0, 0, 0])) == 6
        assert NumPrefs(grouped(chain, owners=[0, 0, 1])) == 4

    def test_documents_of_different_subgroups_are_not_compared_by_their_grades(self):
        assert NumPrefs(grouped("3- -1", owners=[0, 0])) == 0

    def test_subgroups_of_one_judge_are_one_judge_in_the_mean(self):
        # The first judge has one of two preferences fulfilled, in two subgroups; the second all of one.
        assert PrefAvg(grouped("1-1 0-0 -0- -1-", owners=[0, 0, 1])) == pytest.approx((1 / 2 + 1) / 2)


class TestAsManyIrrelevantDocumentsAsRelevantOnes:
    def test_of_more_irrelevant_documents_the_first_count(self):
        # One relevant document, so one irrelevant one: the first of the ranking.
        assert PrefAvgR(grouped("0 1 0 0")) == 0
        assert PrefAvgR(grouped("1 0 0 0")) == 1

    def test_those_never_retrieved_come_last(self):
        assert PrefAvgR(grouped("1|0 0 0")) == 1

    def test_of_fewer_the_missing_ones_are_ranked_below_all_that_was_retrieved(self):
        # Two relevant documents and one irrelevant: one preference of two fulfilled, and both to a missing one.
        assert PrefAvgR(grouped("1 0 1")) == 3 / 4
        # What was never retrieved is not above the missing ones either.
        assert PrefAvgR(grouped("1|1")) == 2 / 4

    def test_preferences_among_relevant_documents_count_as_they_are(self):
        # Of 2 and 1, of 2 and 0, and of 1 and 0; and of both to a missing one.
        assert PrefAvgR(grouped("1 2 0")) == 4 / 5

    def test_with_retrieved_pairs_only_retrieved_documents_count(self):
        assert PrefAvgR(pairs="retrieved")(grouped("1 0|1 1 1")) == 1
        assert PrefAvgR(grouped("1 0|1 1 1")) == pytest.approx(4 / 16)

    def test_trec_eval_also_counts_pairs_of_irrelevant_documents(self):
        as_printed = PrefAvgR(counting="trec_eval")
        assert as_printed(grouped("1 0 0 0")) == 1 / 4
        assert as_printed(grouped("1 0 1")) == PrefAvgR(grouped("1 0 1"))

    def test_a_judge_without_a_relevant_document_counts_zero_but_leaves_nothing_to_trec_eval(self):
        assert PrefAvgR(grouped("10 00")) == 1 / 2
        assert math.isnan(PrefAvgR(counting="trec_eval")(grouped("10 00")))
        assert math.isnan(PrefAvgR(grouped("0 0")))


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("prefs_num_prefs_poss", "NumPrefs"),
        ("prefs_num_prefs_ful", "NumPrefsFulfilled"),
        ("prefs_num_prefs_ful_ret", "NumPrefsFulfilled(pairs=retrieved)"),
        ("prefs_simp", "PrefSimp"),
        ("prefs_simp_ret", "PrefSimp(pairs=retrieved)"),
        ("prefs_pair_imp", "PrefPair(pairs=implied)"),
        ("prefs_avgjg", "PrefAvg"),
        ("prefs_avgjg_Rnonrel", "PrefAvgR(counting=trec_eval)"),
        ("prefs_avgjg_Rnonrel_ret", "PrefAvgR(pairs=retrieved,counting=trec_eval)"),
    ],
)
def test_the_names_of_trec_eval_are_understood(spelling, name):
    assert cf.parse(spelling).canonical == name
