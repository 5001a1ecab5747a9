"""Many fusions in one pass score as each does alone."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.formats import read_runs
from cranfield.fusing.configuration_scores import ConfigurationScores, ranks_of
from cranfield.fusing.fused_run import fused_run
from cranfield.fusing.fusion import fusion_from
from cranfield.measures import Measure
from cranfield.measures.definition import TABLE
from tests.fusing.collections import collection


@pytest.mark.parametrize(
    "measure", ["nDCG@10", "AP", "RR", "P@5", "ERR@10", "bpref", "RBP", "Judged@10", "nDCG(judged_only=True)@3"]
)
@pytest.mark.parametrize("top", [None, 4])
def test_every_configuration_scores_as_the_run_that_it_makes(measure, top):
    judged, systems = collection()
    del systems["s0"]["q3"], systems["s1"]["q3"]
    tuning = cf.tune_fusion(judged, systems, measure, steps=3, k=[1, 60], top=top, repeats=1)
    for fusion, scores in zip(tuning.scores.fusions[::7], tuning.scores.configurations[::7], strict=True):
        options = {name: value for name, value in fusion.choices().items() if name not in ("method", "flat")}
        run = cf.fuse(systems, str(fusion.method), **options)
        evaluated = cf.evaluate(judged, run, measure)
        expected = dict(zip(evaluated.queries, evaluated.settled(measure)[0].tolist(), strict=True))
        assert scores.tolist() == [expected[query] for query in tuning.scores.queries]


def test_ties_are_broken_as_everywhere():
    judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    systems = {"one": {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, "two": {"q1": {"b": 1.0}, "q2": {"b": 1.0}}}
    tuning = cf.tune_fusion(judged, systems, "RR", methods=["rrf"], folds=2, steps=1)
    assert tuning.scores.configurations[0].tolist() == [0.5, 1.0]


@pytest.mark.parametrize("deepest", [None, 1, 3, 10, 100])
def test_ranks_are_those_of_a_plain_sort_whatever_is_tied(deepest):
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = rng.integers(0, rng.integers(2, 40), (4, 25)).astype(float)
        turns, columns = rng.permutation(25), rng.choice(25, 9, replace=False)
        ranks = ranks_of(scores, columns, turns, deepest)
        for row, own in zip(scores, ranks, strict=True):
            order = sorted(range(25), key=lambda at: (-row[at], turns[at]))
            expected = np.array([order.index(column) + 1 for column in columns])
            within = expected <= (deepest or 25)
            assert (own[within] == expected[within]).all()
            assert (own[~within] > (deepest or 25)).all()


def test_every_measure_with_a_cutoff_looks_no_further():
    """Documents below the cutoff are not ranked exactly, which no measure may notice."""
    judged, systems = collection(queries=4)
    fusions = [fusion_from("rrf"), fusion_from("combsum", weights=[0.2, 0.8, 0])]
    judgments, runs = cf.read_judgments(judged), read_runs(systems)
    tried = 0
    for definition in [*TABLE.values()]:
        if definition.at != "cutoff" or definition.groups is not None:
            continue
        measure = Measure(definition, {}) @ 3
        values = ConfigurationScores(fusions, judgments, measure).values(runs)
        for fusion, scores in zip(fusions, values, strict=True):
            expected = cf.evaluate(judged, fused_run(runs, fusion), [measure]).values[0, 0]
            assert np.array_equal(scores, expected, equal_nan=True), measure
        tried += 1
    assert tried > 15
