"""Judgments: a grade for a query and a document."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.judgments import Ids, fingerprint
from cranfield.formats.source import file_hash

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8)


def packed(texts):
    encoded = [text.encode() for text in texts]
    return Ids(b"".join(encoded), np.array([0, *accumulate(map(len, encoded))], dtype=np.int64))


@given(TEXTS, st.integers(-9, 9) | st.none(), st.integers(-9, 9) | st.none(), st.sampled_from([1, 2, -1]))
def test_slices_are_those_of_a_tuple(texts, first, end, step):
    assert packed(texts)[first:end:step] == tuple(texts)[first:end:step]


@given(TEXTS)
def test_length_members_and_order_are_those_of_a_tuple(texts):
    ids = packed(texts)
    assert len(ids) == len(texts)
    assert tuple(ids) == tuple(texts)
    assert [ids[at] for at in range(-len(texts), len(texts))] == [*texts, *texts]


@pytest.mark.parametrize("at", [2, -3])
def test_there_is_nothing_beyond_the_ends(at):
    with pytest.raises(IndexError):
        packed(["a", "b"])[at]


@pytest.fixture
def judgments():
    return cf.read_judgments({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})


def test_they_are_asked_by_query(judgments):
    assert judgments["q1"] == {"d1": 2, "d2": 0}
    with pytest.raises(KeyError):
        judgments["q9"]


def test_walking_over_them_gives_the_queries(judgments):
    assert list(judgments) == ["q1", "q2"]
    assert "q1" in judgments
    assert "q9" not in judgments


def test_they_say_how_many_they_are(judgments):
    assert len(judgments) == 3
    assert repr(judgments) == "Judgments(2 queries, 3 judgments, grades 0 to 2)"


def test_the_rows_of_a_query_stand_side_by_side_whatever_the_order_they_came_in():
    mixed = cf.read_judgments([("q1", "a", 1), ("q2", "b", 2), ("q1", "c", 0)])
    assert mixed.documents == ("a", "c", "b")
    assert mixed.starts.tolist() == [0, 2, 3]


def test_a_pair_judged_twice_alike_is_a_warning():
    (warning,) = cf.read_judgments([("q", "d", 1), ("q", "d", 1)]).warnings
    assert warning.kind == "judged-twice"


def test_a_pair_judged_differently_stops_the_work():
    with pytest.raises(cf.DataError, match="grade"):
        cf.read_judgments([("q", "d", 1), ("q", "d", 2)])


def test_several_judges_may_differ_until_one_grade_is_needed():
    rows = [
        {"query": "q", "document": "d", "grade": grade, "judge": judge} for judge, grade in (("ada", 1), ("ben", 0))
    ]
    judgments = cf.read_judgments(rows)
    assert judgments.extra["judge"] == ("ada", "ben")
    with pytest.raises(cf.DataError, match="several grades"):
        cf.evaluate(judgments, {"q": ["d"]}, "RR")


class TestGrouped:
    given = cf.read_judgments(
        [("q1", "s1", "a", 1), ("q1", "s2", "a", 0), ("q1", "s2", "b", 2), ("q2", "s1", "a", 1)],
        columns="query,subtopic,document,grade",
    )
    grouped = given.grouped("subtopic")

    def test_a_document_has_one_row_last_id_first_with_its_largest_grade(self):
        assert self.grouped.documents == ("b", "a", "a")
        assert self.grouped.grades.tolist() == [2, 1, 1]
        assert self.grouped["q1"] == {"b": 2, "a": 1}

    def test_all_its_grades_are_in_groups(self):
        groups = self.grouped.groups
        assert groups.kind == "subtopic"
        assert groups.starts.tolist() == [0, 3, 4]
        assert groups.rows.tolist() == [1, 1, 0, 2]
        assert groups.numbers.tolist() == [0, 1, 1, 0]
        assert groups.grades.tolist() == [1, 0, 2, 1]
        assert groups.owners == ((0, 1), (0,))

    def test_they_say_by_what_they_are_grouped(self):
        assert repr(self.grouped) == "Judgments(2 queries, 4 judgments by subtopic, grades 0 to 2)"
        assert len(self.grouped) == len(self.given) == 4

    def test_what_was_given_is_left_as_it_was(self):
        assert self.given.groups is None
        assert self.given.documents == ("a", "a", "b", "a")

    def test_grouping_twice_is_grouping_once(self):
        assert self.grouped.grouped("subtopic") is self.grouped
        assert cf.read_judgments(self.grouped, groups="subtopic") is self.grouped

    def test_subtopics_are_no_judges(self):
        with pytest.raises(cf.UsageError) as refused:
            self.grouped.grouped("judge")
        assert str(refused.value) == (
            "These judgments have grades by subtopic, but grades by judge are wanted.\n"
            "Read them again with groups='judge'."
        )

    def test_a_query_with_negative_grades_only_has_the_largest_of_them(self):
        rows = [("q", "s1", "a", -2), ("q", "s2", "a", -1)]
        assert cf.read_judgments(rows, columns="query,subtopic,document,grade", groups="subtopic")["q"] == {"a": -1}

    @pytest.mark.parametrize(
        ("kind", "where"),
        [
            ("subtopic", "for one subtopic"),
            ("judge", "by one judge"),
            ("preference", "by one judge in one subgroup"),
        ],
    )
    def test_two_grades_by_one_group_are_refused(self, kind, where):
        told_apart = {"subtopic": "judge", "judge": "subtopic", "preference": "subtopic"}[kind]
        rows = [{"query": "q", "document": "d", "grade": grade, told_apart: grade} for grade in (0, 1)]
        with pytest.raises(cf.DataError) as refused:
            cf.read_judgments(rows, groups=kind)
        assert str(refused.value) == f"query 'q' has several grades of document 'd' {where}\nMerge them into one."

    def test_the_same_grade_twice_by_one_group_is_one(self):
        rows = [
            {"query": "q", "document": "d", "grade": 1, "subtopic": "s", "judge": judge} for judge in ("ada", "ben")
        ]
        assert len(cf.read_judgments(rows, groups="subtopic")) == 1

    @pytest.mark.parametrize("kind", ["subtopic", "judge"])
    def test_one_group_only_looks_like_a_mistake(self, kind):
        (warning,) = cf.read_judgments({"q1": {"a": 1}, "q2": {"b": 0}}, groups=kind).warnings
        assert warning.kind == f"one-{kind}"
        assert str(warning) == f"every query has one {kind} only"
        assert warning.advice == (
            f"Each {kind} is named in the second column of a TREC file, or in a column '{kind}'; judgments that were "
            f"read before they are evaluated need read_judgments(..., groups='{kind}')."
        )

    def test_some_queries_may_well_have_one(self):
        assert self.grouped.warnings == ()

    def test_one_judge_may_have_all_preferences(self):
        assert cf.read_judgments({"q1": {"a": 1}}, groups="preference").warnings == ()


class TestPreferences:
    def read(self, *graded):
        """Judge, subgroup, document and grade of one query."""
        names = ("judge", "subgroup", "document", "grade")
        rows = [{"query": "q", **dict(zip(names, row, strict=True))} for row in graded]
        return cf.read_judgments(rows, groups="preference").groups

    def test_subgroups_belong_to_their_judge(self):
        groups = self.read(("ada", 1, "a", 1), ("ben", 1, "a", 1), ("ada", 2, "a", 0), ("ada", 1, "b", 0))
        assert groups.owners == ((0, 1, 0),)
        assert groups.numbers.tolist() == [0, 1, 2, 0]

    def test_without_a_judge_there_is_one(self):
        rows = [{"query": "q", "subgroup": group, "document": "d", "grade": 1} for group in (1, 2)]
        assert cf.read_judgments(rows, groups="preference").groups.owners == ((0, 0),)

    def test_without_subgroups_each_judge_has_one(self):
        rows = [{"query": "q", "judge": judge, "document": "d", "grade": 1} for judge in ("ada", "ben")]
        assert cf.read_judgments(rows, groups="preference").groups.owners == ((0, 1),)

    def test_a_judge_who_prefers_two_documents_to_each_other_is_refused(self):
        with pytest.raises(cf.DataError) as refused:
            self.read(("ada", 1, "a", 2), ("ada", 1, "b", 1), ("ada", 2, "a", 1), ("ada", 2, "b", 2))
        assert str(refused.value) == (
            "query 'q': judge 'ada' prefers document 'a' to 'b' and, elsewhere, the reverse\n"
            "Correct one of the two, or give them to different judges."
        )

    def test_so_is_one_who_does_so_by_way_of_others(self):
        circle = [("ada", 1, "a", 2), ("ada", 1, "b", 1), ("ada", 2, "b", 2), ("ada", 2, "c", 1)]
        with pytest.raises(cf.DataError, match="the reverse"):
            self.read(*circle, ("ada", 3, "c", 2), ("ada", 3, "a", 1))
        self.read(*circle, ("ben", 3, "c", 2), ("ben", 3, "a", 1))  # two judges may disagree

    def test_equal_in_one_place_and_preferred_in_another_is_no_contradiction(self):
        self.read(("ada", 1, "a", 1), ("ada", 1, "b", 1), ("ada", 2, "a", 2), ("ada", 2, "b", 1))

    def test_thousands_of_comparisons_are_checked_at_once(self):
        rows = [("ada", n, f"d{n + side}", 1 - side) for n in range(3000) for side in (0, 1)]
        assert len(self.read(*rows).owners[0]) == 3000


JUDGMENTS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}, "q3": {"d9": 0}}


def test_judgments_are_known_by_what_they_say():
    one = fingerprint(cf.read_judgments(JUDGMENTS))
    assert one == fingerprint(
        cf.read_judgments([(q, d, g) for q, of in reversed(JUDGMENTS.items()) for d, g in of.items()])
    )
    assert one != fingerprint(cf.read_judgments({**JUDGMENTS, "q3": {"d9": 0.5}}))
    assert one != fingerprint(cf.read_judgments({**JUDGMENTS, "q4": {"d9": 0}}))
    rows = [("q1", 1, "d1", 1), ("q1", 2, "d1", 0)]
    grouped = [
        cf.read_judgments(given, columns="query,subtopic,document,grade", groups="subtopic")
        for given in (rows, rows[:1])
    ]
    assert fingerprint(grouped[0]) != fingerprint(grouped[1])


def test_what_is_no_file_has_no_hash(tmp_path):
    assert file_hash(None) is None
    assert file_hash("-") is None
    assert file_hash(str(tmp_path)) is None
