"""Votes: Condorcet against counting every pair, the Markov chain against solving its equations."""

import itertools

import numpy as np
import pytest

from cranfield.fusing.fusion import fusion_from
from tests.fusing.lists import fused, query_lists, random_lists


def beaten(lists, document, candidates, weights, *, absent):
    """How many candidates a majority of lists ranks below a document, pair by pair."""
    wins = 0
    for other in candidates:
        margin = 0
        for scores, weight in zip(lists, weights, strict=True):
            order = sorted(scores, key=lambda name: (scores[name], name), reverse=True)
            if absent and not {document, other} <= set(order):
                continue
            rank, other_rank = (order.index(name) if name in order else len(order) for name in (document, other))
            margin += weight * ((rank < other_rank) - (rank > other_rank))
        wins += margin > 0
    return wins


@pytest.mark.parametrize("missing", ["last", "absent"])
@pytest.mark.parametrize("weights", [None, [0.5, 0.2, 0.4]])
def test_condorcet_counts_majorities(missing, weights):
    for seed in range(40):
        lists = random_lists(seed, 3, 7, tied=seed % 2 == 1)
        got = fused(fusion_from("condorcet", missing=missing, weights=weights), *lists)
        for document, score in got.items():
            assert int(score) == beaten(lists, document, got, weights or [1, 1, 1], absent=missing == "absent")


def test_a_document_that_beats_all_others_comes_first():
    for seed in range(40):
        lists = random_lists(seed, 3, 7)
        got = fused(fusion_from("condorcet"), *lists)
        winners = [d for d in got if beaten(lists, d, got, [1, 1, 1], absent=False) == len(got) - 1]
        assert winners in ([], [max(got, key=got.get)])


def test_a_circle_of_majorities_is_decided_by_reciprocal_ranks():
    lists = {"a": 3, "b": 2, "c": 1}, {"b": 3, "c": 2, "a": 1}, {"c": 3, "a": 2, "b": 1}
    scores = fused(fusion_from("condorcet"), *lists)
    assert len(set(scores.values())) == 1
    assert int(scores["a"]) == 1


def test_blocks_of_documents_give_what_all_at_once_give(monkeypatch):
    lists = random_lists(3, 3, 12)
    whole = fused(fusion_from("condorcet"), *lists)
    monkeypatch.setattr("cranfield.fusing.votes.BLOCK", 20)
    assert fused(fusion_from("condorcet"), *lists) == whole


def test_borda_shares_what_is_left_between_missing_documents():
    for seed in range(20):
        lists = random_lists(seed, 3, 9)
        points = fused(fusion_from("borda"), *lists)
        candidates = len(points)
        assert sum(points.values()) == pytest.approx(3 * candidates * (candidates + 1) / 2)


def test_the_markov_chain_stands_still_where_its_equations_say():
    for seed in range(10):
        lists = query_lists(*random_lists(seed, 3, 8))
        fusion = fusion_from("mc4")
        ranks = fusion.arrays(lists).ranks
        size = ranks.shape[1]
        moves = np.zeros((size, size))
        for one, other in itertools.permutations(range(size), 2):
            moves[one, other] = (
                (ranks[:, other] < ranks[:, one]).sum() > (ranks[:, other] > ranks[:, one]).sum()
            ) / size
        moves += np.diag(1 - moves.sum(axis=1))
        moves = 0.95 * moves + 0.05 / size
        stationary = np.linalg.lstsq(np.vstack([moves.T - np.eye(size), np.ones(size)]), [0] * size + [1], rcond=None)[
            0
        ]
        assert fusion.scores(lists) == pytest.approx(stationary, abs=1e-9)
