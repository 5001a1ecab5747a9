"""The expected score over all orders of tied documents: sums by turning, others by formula, against brute force."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import align
from cranfield.bounds import Levels, Ties, _tied_queries, formula_of
from cranfield.measures import catalogue
from cranfield.measures.scoring import View
from tests.test_bounds import MEASURES

SUMS = [m for m in MEASURES if m.definition.additive and not m.params["judged_only"]]
FORMULAS = [m for m in MEASURES if formula_of(m) is not None]

GRADES = st.one_of(st.none(), st.integers(-1, 3))
TIED = st.lists(st.tuples(st.integers(0, 2), GRADES), min_size=2, max_size=6).filter(
    lambda rows: any(grade is not None for _, grade in rows)
)


def scores_of_all_orders(rows, measures):
    """Each measure's score in every order that respects the scores."""
    judged = {f"d{at}": grade for at, (_, grade) in enumerate(rows) if grade is not None} | {"missed": 1}
    orders = [order for order in permutations(range(len(rows))) if _falls([rows[at][0] for at in order])]
    systems = {str(n): {"q": [f"d{at}" for at in order], "anchor": ["x"]} for n, order in enumerate(orders)}
    judgments = {"q": judged, "anchor": {"x": 3}}
    return cf.evaluate(judgments, systems, measures).values[:, :, 0], judgments


def tied_query(rows, judgments):
    run = cf.read_run({"q": {f"d{at}": float(score) for at, (score, _) in enumerate(rows)}, "anchor": ["x"]})
    _, query = next(_tied_queries(align(run, cf.read_judgments(judgments)), SUMS), (None, None))
    return query


def _falls(scores):
    return all(high >= low for high, low in pairwise(scores))


@given(TIED)
def test_turning_each_group_through_its_places_gives_the_expectation_of_every_sum(rows):
    scores, judgments = scores_of_all_orders(rows, SUMS)
    query = tied_query(rows, judgments)
    if query is not None:
        turned = query.scores(query.ties.rotated_places(), SUMS, View())
        expected = scores.mean(axis=1)
        assert query.ties.mean_of_rotated(turned) == pytest.approx(expected, rel=1e-10, abs=1e-10, nan_ok=True)


@given(TIED)
def test_the_formulas_give_the_expectation(rows):
    scores, judgments = scores_of_all_orders(rows, FORMULAS)
    query = tied_query(rows, judgments)
    if query is not None:
        for measure, expected in zip(FORMULAS, scores.mean(axis=1), strict=True):
            found = formula_of(measure)(query._levels(measure), measure.at)
            assert found == pytest.approx(expected, rel=1e-10, abs=1e-12, nan_ok=True), str(measure)


def test_every_family_of_sums_is_covered():
    additive = {name for name, definition in catalogue().items() if definition.additive and definition.groups is None}
    assert {m.name for m in SUMS} == additive - {"NumQ", "NumRet", "NumRel"}
    assert {m.name for m in FORMULAS} == {"AP", "GMAP", "RR", "Success"}


def test_the_orders_are_the_ways_judged_documents_can_stand():
    ties = Ties.of(np.array([0, 0, 3]), np.array([3, 3, 1]))
    assert ties.orders == 6
    assert sorted(map(tuple, ties.all_places())) == sorted(permutations(range(3), 2))
    assert ties.rotated_places().tolist() == [[0, 1], [1, 2], [2, 0]]


def test_levels_count_relevant_documents_from_the_top():
    levels = Levels.of(np.array([0, 0, 3]), np.array([3, 3, 2]), np.array([True, False, True]), 4.0)
    assert levels == ([0, 3], [3, 2], [1, 1], 4.0)


def test_average_precision_that_divides_by_what_a_cutoff_finds_has_no_formula():
    assert formula_of(cf.AP(norm="retrieved") @ 5) is None
    assert formula_of(cf.AP(norm="retrieved")) is not None
    assert formula_of(cf.nDCG) is None
