"""How soon strategies find what is relevant, replayed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.pooling.simulation import SIMULATED
from tests.effort import examples
from tests.pooling.strategies import judgments, runs, union

GOOD, BAD = [f"g{at}" for at in range(8)], [f"b{at}" for at in range(8)]
RUNS = {"good": {"q1": GOOD}, "bad": {"q1": BAD}}
JUDGMENTS = {"q1": {**dict.fromkeys(GOOD, 1), **dict.fromkeys(BAD, 0)}}


@examples(10)
@given(runs(), judgments())
def test_every_strategy_judges_each_document_once_and_finds_the_same_in_the_end(given, known):
    judged = {(query, name) for query, name in union(given, 100) if name in known[query]}
    relevant = sum(known[query][name] >= 1 for query, name in judged)
    if not relevant:
        return
    found = cf.simulate_pool(given, known)
    for name in SIMULATED:
        assert set(found.order[name]) == judged
        assert len(found.order[name]) == len(judged)
        assert found.found(name)[-1] == found.total == relevant


def test_depth_goes_down_both_runs_alike():
    found = cf.simulate_pool(RUNS, JUDGMENTS, strategies=["depth"])
    assert [document for _, document in found.order["depth"]][:4] == ["b0", "g0", "b1", "g1"]
    assert found.labels_for("depth", 0.5) == 8


@pytest.mark.parametrize("strategy", ["mtf", "mm-ns"])
def test_a_strategy_that_learns_stays_with_the_good_run(strategy):
    found = cf.simulate_pool(RUNS, JUDGMENTS, strategies=[strategy])
    assert found.labels_for(strategy, 1.0) <= 9
    assert found.verdict().startswith(f"{strategy} finds 80% of the 8 relevant documents with ")


def test_labels_are_compared_with_depth_pooling():
    told = cf.simulate_pool(RUNS, JUDGMENTS, strategies=["depth", "mtf"]).verdict()
    assert told.endswith("of 16 labels; depth pooling needs 14.")


def test_documents_without_a_judgment_are_left_out_and_counted():
    found = cf.simulate_pool(RUNS, {"q1": {"g0": 1, "b0": 0}})
    assert found.labels == 2
    assert (
        str(found.warnings[-1]) == "14 of 16 documents of the pool have no judgment and are left out of the simulation"
    )


def test_a_level_says_what_is_relevant():
    graded = {"q1": {"g0": 2, "g1": 1, "b0": 0}}
    assert cf.simulate_pool(RUNS, graded, rel=2).total == 1


def test_it_shows_itself_in_every_form():
    found = cf.simulate_pool(RUNS, JUDGMENTS, strategies=["depth"])
    assert repr(found) == "Simulation(depth: 16 labels, 8 relevant documents)"
    assert "labels for 50%" in str(found)
    assert "<table" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["strategies"]["depth"]["found"][-1] == 8
    last = found.rows().to_dict()
    assert (last["found"][-1], last["share"][-1]) == (8, 1.0)
    assert found.curve().to_dict()["depth"][-1] == 1.0


def test_nothing_relevant_is_nothing_to_find():
    with pytest.raises(DataError, match="there is nothing to find"):
        cf.simulate_pool(RUNS, {"q1": {"g0": 0}})


@pytest.mark.parametrize("strategy", ["comparison", "sample", "mtff"])
def test_only_strategies_that_order_a_pool_are_simulated(strategy):
    with pytest.raises(UsageError, match="There is no strategy"):
        cf.simulate_pool(RUNS, JUDGMENTS, strategies=[strategy])
