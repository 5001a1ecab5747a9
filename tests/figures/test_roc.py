"""Receiver operating characteristics: what scikit-learn gives for the same order."""

import numpy as np
import pytest
from hypothesis import given

from cranfield import ranking
from cranfield.figures.roc import LEVELS, roc_of
from tests.measures.strategies import cases


def sklearn_roc(case):
    """False and true positive rates, where documents never retrieved share the last place."""
    from sklearn.metrics import roc_curve

    judged = [(grade >= 1, -rank) for rank, grade in enumerate(case.ranked, 1) if grade is not None and grade >= 0]
    judged += [(grade >= 1, -1000) for grade in case.missed if grade >= 0]
    relevant, scores = [one for one, _ in judged], [score for _, score in judged]
    across, up, _ = roc_curve(relevant, scores, drop_intermediate=False)
    return across, up


def has_both(case):
    known = [grade for grade in case.judged if grade >= 0]
    return any(grade >= 1 for grade in known) and any(grade < 1 for grade in known)


@given(cases())
def test_corners_are_those_of_scikit_learn(case):
    roc = roc_of(case.judged_ranking(), rel=1)
    if not has_both(case):
        assert not roc.defined[0]
        return
    across, up = sklearn_roc(case)
    own = np.unique(np.stack(roc.corners), axis=1)
    assert pytest.approx(np.unique(np.stack([across, up]), axis=1).T) == own.T


@given(cases())
def test_levels_lie_on_the_curve(case):
    roc = roc_of(case.judged_ranking(), rel=1)
    if not has_both(case):
        return
    across, up = roc.corners
    values = roc.at(np.array(LEVELS))[0]
    assert (np.diff(values) >= -1e-12).all()
    assert values[-1] == 1
    for level, value in zip(LEVELS, values, strict=True):
        reached = across <= level + 1e-9
        # At a level where the curve rises, its top counts; between two corners it is level or, at the end, a slope.
        assert value >= up[reached].max() - 1e-9
        assert value <= up[np.searchsorted(across, level - 1e-9)] + 1e-9 or value <= up[reached].max() + 1e-9


def test_documents_never_retrieved_lie_on_a_straight_line_to_the_end():
    roc = roc_of(ranking("1|0 1"), rel=1)
    assert roc.at(np.array([0, 0.5, 1])).tolist() == [[0.5, 0.75, 1.0]]


def test_unjudged_and_pooled_documents_take_no_part():
    levels = np.array([0, 0.5, 1])
    assert roc_of(ranking("-1x0"), rel=1).at(levels).tolist() == roc_of(ranking("10"), rel=1).at(levels).tolist()


def test_a_level_that_binary_numbers_miss_counts_whole_documents():
    # 0.07 · 100 is a little more than 7.
    roc = roc_of(ranking("0" * 7 + "1" + "0" * 93), rel=1)
    assert roc.at(np.array([0.06, 0.07])).tolist() == [[0.0, 1.0]]
