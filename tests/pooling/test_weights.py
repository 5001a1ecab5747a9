"""Weights of documents, against plain loops over their formulas."""

import pytest
from hypothesis import given

from cranfield.formats import read_runs
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.weights import by_depth, by_rank_bias, by_reciprocal_rank
from tests.pooling.strategies import runs


def by_hand(given, query, depth, weight):
    """What every run adds for the rank it gives a document."""
    total = {}
    for run in given.values():
        for position, document in enumerate(run.get(query, [])[:depth]):
            total[document] = total.get(document, 0) + weight(position + 1)
    return total


@given(runs())
def test_fusion_adds_a_reciprocal_for_every_run(given):
    found = by_reciprocal_rank(candidates_of(read_runs(given), 5), "q1")
    assert dict(found) == pytest.approx(by_hand(given, "q1", 5, lambda rank: 1 / (60 + rank)))


@given(runs())
def test_rank_biased_weights_are_those_of_rank_biased_precision(given):
    found = by_rank_bias(candidates_of(read_runs(given), 5), "q1", p=0.8)
    assert dict(found) == pytest.approx(by_hand(given, "q1", 5, lambda rank: 0.2 * 0.8 ** (rank - 1)))


@given(runs())
def test_depth_looks_at_the_best_rank_only(given):
    found = by_depth(candidates_of(read_runs(given), 5), "q1")
    best = {}
    for run in given.values():
        for position, document in enumerate(run["q1"][:5]):
            best[document] = min(position + 1, best.get(document, 99))
    assert {document: round(1 / weight) for document, weight in found.items()} == best
