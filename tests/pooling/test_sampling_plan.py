"""The error of a sample, by its formula and by drawing."""

from __future__ import annotations

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError
from cranfield.formats import read_runs
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.sampling_plan import NORMAL
from cranfield.pooling.strata import read_strata, sampled

RUNS = {name: demo.path(f"{name}.run") for name in ("bm25", "hybrid")}


def pooled():
    return candidates_of(read_runs(RUNS), 30)


def judged_pool():
    """Judgments of the whole pool, so that nothing about it has to be guessed."""
    known = cf.read_judgments(demo.path("qrels.txt"))
    graded = {query: known[query] for query in known}
    return {
        query: {document: graded[query].get(document, 0.0) for document in documents}
        for query, documents in pooled().documents.items()
    }


def test_the_standard_error_is_that_of_drawing_many_samples():
    graded, candidates, strata = judged_pool(), pooled(), read_strata("5:0.5,30:0.2")
    (need,) = cf.sample_size(RUNS, graded, 0.05, "P@10", strata=strata).needs
    adds = {
        (query, document): (in_ten(hybrid) - in_ten(bm25)) * (graded[query][document] >= 1) / 10
        for query in candidates.of
        for document, (bm25, hybrid) in candidates.ranks(query).items()
    }
    samples = [[one for one in sampled(candidates, strata, seed) if one.drawn] for seed in range(120)]
    estimates = [
        sum(adds[one.query, one.document] / one.probability for one in sample) / len(candidates.of)
        for sample in samples
    ]
    truth = cf.evaluate(graded, RUNS, "P@10")
    apart = truth.mean("P@10", "hybrid").value - truth.mean("P@10", "bm25").value
    drawn = np.std(estimates, ddof=1)
    # The deviation of 120 estimates is known to 6 or 7 %.
    assert need.error == pytest.approx(drawn, rel=0.2)
    assert np.mean(estimates) == pytest.approx(apart, abs=3 * drawn / np.sqrt(120))
    assert need.labels == len(samples[0])


def in_ten(rank):
    return rank is not None and rank <= 10


def test_rates_are_raised_until_the_interval_is_narrow_enough():
    graded = judged_pool()
    (need,) = cf.sample_size(RUNS, graded, 0.03, "P@10", strata="5:0.5,30:0.2").needs
    assert need.factor > 1
    assert need.labels_needed > need.labels
    assert 2 * NORMAL * need.error_then <= 0.03 < 2 * NORMAL * need.error


def test_or_lowered_where_less_is_enough():
    (need,) = cf.sample_size(RUNS, judged_pool(), 0.5, "P@10", strata="5:0.5,30:0.2").needs
    assert need.factor < 1
    assert need.labels_needed < need.labels


def test_a_sample_of_everything_has_no_error():
    (need,) = cf.sample_size(RUNS, judged_pool(), 0.1, "P@10", strata="5:1,30:1").needs
    assert need.error == 0


def test_it_shows_itself_in_every_form():
    plan = cf.sample_size(RUNS, demo.path("qrels.txt"), 0.05)
    assert plan.verdict().startswith("A sample of ")
    assert "standard error" in str(plan)
    assert "<table" in plan._repr_html_()
    assert repr(plan) == "SamplePlan(1 pair of runs, P@10, width 0.05)"
    assert json.loads(json.dumps(plan.to_dict(), allow_nan=False))["pairs"][0]["run"] == "hybrid"
    assert plan.rows().to_dict()["measure"] == ["P@10"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"measure": "AP"}, "AP is not a sum over documents"),
        ({"width": -1}, "width must be a number above 0"),
        ({"strata": "x"}, "strata 'x'"),
    ],
)
def test_what_cannot_be_is_told(given, message):
    arguments = {"width": 0.1, **given}
    with pytest.raises(UsageError, match=message):
        cf.sample_size(RUNS, demo.path("qrels.txt"), **arguments)


def test_one_run_has_no_difference():
    with pytest.raises(UsageError, match="A difference is between runs"):
        cf.sample_size(demo.path("bm25.run"), demo.path("qrels.txt"), 0.1)
