"""Strategies that learn, step by step as their authors define them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.pooling.adaptive import Arms, MaxMean, MoveToFront, Thompson
from tests.effort import examples
from tests.pooling.strategies import judgments, pairs, runs

RANKINGS = (("a1", "a2", "a3"), ("b1", "a1", "b2"), ("c1", "c2", "b1"))
RELEVANT = {"a1", "c1", "c2", "b2"}


def order(learner, rankings=RANKINGS, relevant=RELEVANT):
    """The documents in the order they have their turn; of equal runs the first is asked."""
    arms = Arms("q1", rankings, learner)
    steps = []
    while arms.is_open:
        steps.append(arms.play(lambda query, document: document in relevant))
    return steps


def test_move_to_front_step_by_step():
    # All priorities are 0. a1 is relevant: stay with a. a2 is not: a falls to -1, b is at the front.
    # b1 is not: b falls to -1, c is at the front, gives c1 and c2, both relevant, and has nothing left (b1 was judged).
    # a and b are at -1: a gives a3, irrelevant, and is empty; b has judged a1 behind it and gives b2.
    assert [step.document for step in order(MoveToFront(3))] == ["a1", "a2", "b1", "c1", "c2", "a3", "b2"]


def test_move_to_front_takes_one_from_a_run_for_each_irrelevant_document():
    learner = MoveToFront(2)
    for relevant in (False, True, False):
        learner.learn(0, relevant=relevant)
    assert learner.values() == [-2, 0]


def test_move_to_front_stays_with_a_run_that_others_have_caught_up_with():
    learner = MoveToFront(2)
    learner.learn(1, relevant=True)
    assert np.argmax(learner.values()) == 1


def test_max_mean_step_by_step():
    # Means are 1/2 each. a1 is relevant: a has Beta(2, 1), 2/3. a2 is not: Beta(1, 2), 1/3; a1 is forgotten.
    # b has 1/2: b1 is not relevant, 1/3. c has 1/2: c1 and c2 are relevant, 2/3, and c has nothing left.
    # a and b have 1/3: a3, irrelevant; then b2.
    steps = order(MaxMean(3))
    assert [step.document for step in steps] == ["a1", "a2", "b1", "c1", "c2", "a3", "b2"]
    assert [step.value for step in steps] == pytest.approx([1 / 2, 2 / 3, 1 / 2, 1 / 2, 2 / 3, 1 / 3, 1 / 3])


def test_only_the_last_outcome_counts_for_max_mean():
    learner = MaxMean(2)
    for relevant in (True, True, True, False):
        learner.learn(0, relevant=relevant)
    learner.learn(1, relevant=False)
    assert learner.values() == pytest.approx([1 / 3, 1 / 3])


def test_thompson_sampling_draws_from_the_posterior():
    learner = Thompson(2, np.random.default_rng(1))
    for _ in range(3):
        learner.learn(0, relevant=True)
    learner.learn(1, relevant=False)
    drawn = np.array([learner.values() for _ in range(4000)])
    # Beta(4, 1) and Beta(1, 2): means 4/5 and 1/3.
    assert drawn.mean(axis=0) == pytest.approx([0.8, 1 / 3], abs=0.015)
    assert drawn.var(axis=0) == pytest.approx([4 / (25 * 6), 2 / (9 * 4)], abs=0.005)


def test_a_document_has_one_turn_whoever_finds_it():
    documents = [step.document for step in order(MoveToFront(3))]
    assert sorted(documents) == sorted({name for ranking in RANKINGS for name in ranking})


@pytest.mark.parametrize("strategy", ["mtf", "mm-ns", "thompson"])
@examples(8)
@given(given_runs=runs(), truth=judgments(most=1), seed=st.integers(0, 3))
def test_labels_asked_for_one_by_one_are_those_of_the_simulation(strategy, given_runs, truth, seed):
    complete = {
        query: {
            document: truth[query].get(document, 0) for run in given_runs.values() for document in run.get(query, [])
        }
        for query in truth
    }
    complete = {query: graded for query, graded in complete.items() if graded}
    if not any(grade for graded in complete.values() for grade in graded.values()):
        return
    simulated = cf.simulate_pool(given_runs, complete, strategies=[strategy], seed=seed)
    known: dict[str, dict[str, float]] = {}
    for expected in simulated.order[strategy]:
        given_so_far = {query: graded for query, graded in known.items() if graded} or None
        (found,) = pairs(cf.pool(given_runs, strategy=strategy, budget=1, judgments=given_so_far, seed=seed))
        assert found == expected
        query, document = found
        known.setdefault(query, {})[document] = complete[query][document]


@pytest.mark.parametrize("strategy", ["mtf", "mm-ns"])
def test_a_run_that_finds_relevant_documents_is_read_further(strategy):
    good, bad = [f"g{at}" for at in range(10)], [f"b{at}" for at in range(10)]
    known = {"q1": {**dict.fromkeys(good[:5], 1), "b0": 0}}
    pool = cf.pool({"good": {"q1": good}, "bad": {"q1": bad}}, strategy=strategy, budget=1, judgments=known)
    assert pool.of("q1") == ("g5",)


def test_a_label_goes_to_the_query_that_promises_most():
    runs_of_two = {"a": {"q1": ["x1", "x2", "x3"], "q2": ["y1", "y2", "y3"]}}
    known = {"q1": {"x1": 0}, "q2": {"y1": 1}}
    pool = cf.pool(runs_of_two, strategy="mm-ns", budget=1, judgments=known)
    assert pairs(pool) == [("q2", "y2")]


def test_without_judgments_there_is_nothing_to_learn_from():
    pool = cf.pool({"a": {"q1": ["d1"]}}, strategy="mtf", budget=1)
    assert "nothing to learn from" in str(pool.warnings[-1])
