"""What one more label could change, against evaluating with and without it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.formats import read_judgments, read_runs
from cranfield.measures import catalogue
from cranfield.measures.definition import Measure
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.influence import changes_of, influence, levels_of, worlds_of
from tests.effort import examples
from tests.pooling.strategies import judgments, pairs, runs


def brute_force(given_runs, known, measure, levels):
    """By hole the sum over pairs of runs of the largest change of their difference, evaluated one by one."""
    names = list(given_runs)
    pool = cf.pool(given_runs, depth=100, judgments=known)
    now = scores_of(given_runs, known, measure)
    found = {}
    for query, document in pairs(pool):
        changes = []
        for level in levels:
            then = scores_of(given_runs, {**known, query: {**known[query], document: level}}, measure)
            changes.append({name: then[name, query] - now[name, query] for name in names})
        found[query, document] = sum(
            max(abs(change[a] - change[b]) for change in changes) for a, b in combinations(names, 2)
        )
    return found


def scores_of(given_runs, known, measure):
    scores = cf.evaluate(known, given_runs, measure)
    values = np.nan_to_num(scores[measure])
    return {(run, query): values[a, b] for a, run in enumerate(scores.runs) for b, query in enumerate(scores.queries)}


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "RBP(p=0.8)", "ERR@5", "P@2", "Bpref", "RR", "infAP"])
@examples(4)
@given(given_runs=runs(least=2, most=3), known=judgments())
def test_it_is_what_evaluating_with_and_without_the_label_gives(measure, given_runs, known):
    # Runs that found nothing judged at all would be refused; and the largest grade belongs to the whole collection.
    known["other"] = {"x": 2}
    given_runs = {name: {**run, "other": ["x"]} for name, run in given_runs.items()}
    candidates = candidates_of(read_runs(given_runs), 100)
    found = influence(read_runs(given_runs), candidates, read_judgments(known), cf.parse(measure))
    expected = brute_force(given_runs, known, measure, [0, 1, 2])
    assert {pair: value for pair, value in found.items() if pair in expected} == pytest.approx(expected, abs=1e-9)
    assert found.keys() == expected.keys()


def test_the_first_hole_is_the_one_that_could_change_most():
    given_runs = {
        "a": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]},
        "b": {"q1": ["d3", "d1", "d2"], "q2": ["d1", "d6", "d5"]},
    }
    known = {"q1": {"d2": 1, "d9": 1}, "q2": {"d1": 1}}
    pool = cf.pool(given_runs, strategy="comparison", measure="nDCG@10", judgments=known)
    expected = brute_force(given_runs, known, "nDCG@10", [0, 1])
    assert pairs(pool)[0] == max(expected, key=expected.get)
    changes = [entry.priority for entry in pool]
    assert changes == sorted(changes, reverse=True)


def test_a_document_at_the_same_rank_of_both_runs_changes_no_precision():
    given_runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d1", "d3"]}}
    pool = cf.pool(given_runs, strategy="comparison", measure="P@2")
    assert [(entry.document, entry.priority) for entry in pool] == [("d2", 0.5), ("d3", 0.5), ("d1", 0.0)]


def test_grades_are_those_that_were_given_and_at_least_zero_and_one():
    assert levels_of(None) == (0, 1)
    assert levels_of(read_judgments({"q1": {"d1": 0}})) == (0, 1)
    assert levels_of(read_judgments({"q1": {"d1": 3, "d2": -1}})) == (0, 3)


def test_a_hole_among_judgments_is_to_measures_as_if_it_were_not_there():
    # On this stands that holes may be in the judgments while another document gets a grade.
    given_runs = {"a": {"q1": ["d1", "d2", "d3", "d4"]}, "b": {"q1": ["d3", "d1", "d5"]}}
    known = {"q1": {"d1": 2, "d3": 0, "d6": 1}}
    judged = read_judgments(known)
    (world,) = worlds_of(read_runs(given_runs), candidates_of(read_runs(given_runs), 10), judged)
    assert [world.documents[hole] for hole in world.holes] == ["d2", "d4", "d5"]
    for definition in catalogue().values():
        if definition.groups is not None:
            continue
        measure = Measure(definition) @ 3 if definition.needs_at and definition.at == "cutoff" else Measure(definition)
        if definition.needs_at and definition.at != "cutoff":
            measure = measure @ 0.5
        evaluated = np.nan_to_num(cf.evaluate(known, given_runs, measure)[measure][:, 0])
        assert changes_of(world, measure, [0]).scores == pytest.approx(evaluated), measure


@given(st.integers(1, 3))
def test_documents_deeper_than_the_pool_stay_as_they_are(depth):
    given_runs = {"a": {"q1": ["d1", "d2", "d3"]}, "b": {"q1": ["d3", "d2", "d1"]}}
    found = cf.pool(given_runs, strategy="comparison", depth=depth, judgments={"q1": {"d9": 1}})
    assert len(found) == min(2 * depth, 3)
