"""One query's ranking as points: the figures that lecture notes draw by hand."""

import numpy as np
import pytest
from hypothesis import given

from cranfield import P, R, ranking
from cranfield.figures.points import LEVELS, points_of
from cranfield.measures import IPrec
from tests.measures.strategies import cases

NOTES = ranking("0101010000|" + 12 * "1")
"""Fifteen relevant documents, three of them found at ranks 2, 4 and 6."""
SLIDES = ranking("1001101000|" + 6 * "1")
"""Ten relevant documents, four of them found at ranks 1, 4, 5 and 7."""


class TestTheNotes:
    def test_precision_and_recall_after_each_rank(self):
        points = points_of(NOTES, rel=1)
        assert points.precision.tolist() == [0, 1 / 2, 1 / 3, 1 / 2, 2 / 5, 1 / 2, 3 / 7, 3 / 8, 1 / 3, 3 / 10]
        assert points.recall.tolist() == [0, 1 / 15, 1 / 15, 2 / 15, 2 / 15, *[3 / 15] * 5]

    def test_interpolation_looks_to_the_right_for_the_greatest_precision(self):
        recall, precision = points_of(NOTES, rel=1).steps
        assert precision[recall <= 0.2].max() == 0.5
        assert precision[recall > 0.2].tolist() == [0]
        assert recall.tolist() == pytest.approx([0, 1 / 15, 1 / 15, 2 / 15, 2 / 15, 0.2, 0.2, 1])


class TestTheSlides:
    def test_precision_and_recall_after_each_rank(self):
        points = points_of(SLIDES, rel=1)
        assert points.recall.tolist() == [0.1, 0.1, 0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4]
        assert points.precision.tolist() == [1, 1 / 2, 1 / 3, 1 / 2, 3 / 5, 1 / 2, 4 / 7, 1 / 2, 4 / 9, 2 / 5]

    def test_the_steps_go_down_where_recall_is_reached_and_end_at_zero(self):
        recall, precision = points_of(SLIDES, rel=1).steps
        corners = list(zip(recall.tolist(), precision.round(3).tolist(), strict=True))
        assert corners == [
            (0, 1),
            (0.1, 1),
            (0.1, 0.6),
            (0.2, 0.6),
            (0.2, 0.6),
            (0.3, 0.6),
            (0.3, 0.571),
            (0.4, 0.571),
            (0.4, 0),
            (1, 0),
        ]


def test_a_ranking_that_finds_everything_has_steps_up_to_recall_one():
    recall, precision = points_of(ranking("011"), rel=1).steps
    assert recall.tolist() == [0, 0.5, 0.5, 1]
    assert precision.tolist() == pytest.approx([2 / 3] * 4)


def test_without_relevant_documents_recall_is_undefined():
    assert np.isnan(points_of(ranking("00"), rel=1).recall).all()


def test_relevance_begins_at_a_grade():
    assert points_of(ranking("12|2"), rel=2).found.tolist() == [0, 1]


def test_a_ranking_without_documents_has_no_points():
    points = points_of(ranking("|1"), rel=1)
    assert len(points.ranks) == 0
    assert [part.tolist() for part in points.steps] == [[0, 1], [0, 0]]


@given(cases())
def test_points_are_precision_and_recall_at_every_cutoff(case):
    judged = case.judged_ranking()
    points = points_of(judged, rel=1)
    for rank, recall, precision in zip(points.ranks.tolist(), points.recall, points.precision, strict=True):
        assert precision == (P @ rank)(judged)
        assert recall == pytest.approx(float((R @ rank)(judged)), nan_ok=True)


@given(cases())
def test_interpolated_after_a_rank_is_interpolated_at_its_recall(case):
    judged = case.judged_ranking()
    points = points_of(judged, rel=1)
    for recall, best in zip(points.recall, points.interpolated, strict=True) if points.num_rel else ():
        assert best == pytest.approx(float((IPrec @ float(recall))(judged)))


@given(cases())
def test_the_steps_are_interpolated_precision_at_every_level(case):
    judged = case.judged_ranking()
    points = points_of(judged, rel=1)
    recall, precision = points.steps
    for level in LEVELS if points.num_rel else ():
        right = precision[recall >= level - 1e-9].max()
        assert right == pytest.approx(float((IPrec @ level)(judged)))
