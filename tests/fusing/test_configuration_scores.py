"""Many fusions in one pass score as each does alone."""

import pytest

import cranfield as cf
from tests.fusing.collections import collection


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "P@5", "ERR@10", "bpref", "RBP", "Judged@10"])
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
