"""What unjudged documents leave possible."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given

import cranfield as cf
from tests.effort import examples
from tests.pooling.strategies import pairs, small

EXACT = [
    "P@3",
    "P(norm=retrieved)@3",
    "RBP(p=0.7)",
    "DCG@4",
    "nDCG@3",
    "nDCG(gain=exponential)@2",
    "P(rel=2)@2",
    "CG@3",
]


LIMITS = ["AP", "RR", "R@3", "Rprec", "Success@2", "AP(rel=2)@3"]


def tried(given_runs, known, measure):
    """The smallest and largest difference over all grades of the holes, each evaluated."""
    holes = [document for _, document in pairs(cf.pool(given_runs, depth=100, judgments=known))]
    found = []
    for grades in product([0, 1, 2], repeat=len(holes)):
        filled = {**known, "q1": {**known["q1"], **dict(zip(holes, grades, strict=True))}}
        values = np.nan_to_num(cf.evaluate(filled, given_runs, measure)[measure])
        found.append(float((values[1] - values[0]).sum() / 2))
    return min(found), max(found)


@pytest.mark.parametrize("measure", EXACT)
@examples(4)
@given(small())
def test_the_range_of_sums_and_of_ndcg_is_what_all_grades_give(measure, collection):
    given_runs, known = collection
    (need,) = cf.labels_needed(given_runs, known, 0.1, measure).needs
    assert (need.run, need.baseline) == ("a", "b")
    assert (need.low, need.high) == pytest.approx(tried(given_runs, known, measure), abs=1e-9)


@pytest.mark.parametrize("measure", LIMITS)
@examples(4)
@given(small())
def test_the_range_of_others_holds_all_that_grades_can_give(measure, collection):
    given_runs, known = collection
    plan = cf.labels_needed(given_runs, known, 0.1, measure)
    low, high = tried(given_runs, known, measure)
    assert not plan.exact
    assert plan.needs[0].low <= low + 1e-9
    assert plan.needs[0].high >= high - 1e-9


def test_of_runs_that_share_no_hole_the_limit_is_reached():
    # d1 may lift a to 1, or d2 lift b; AP is 0 or 1/2 else.
    given_runs = {"b": {"q1": ["d2"]}, "a": {"q1": ["d1"]}}
    (need,) = cf.labels_needed(given_runs, {"q1": {"d9": 0}}, 0.1, "RR").needs
    assert (need.low, need.high) == (-1, 1)
