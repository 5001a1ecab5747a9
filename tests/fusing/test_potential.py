"""How much fusion could gain at most."""

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError
from cranfield.fusing.definition import METHODS

RUNS = {"bm25": demo.path("bm25.run"), "dense": demo.path("dense.run")}
JUDGED = demo.path("qrels.txt")


@pytest.fixture(scope="module")
def potential():
    return cf.fusion_potential(JUDGED, RUNS, "nDCG@10")


def test_the_oracle_is_the_mean_of_the_better_run_for_each_query(potential):
    scores = cf.evaluate(JUDGED, RUNS, "nDCG@10")
    assert potential.oracle == pytest.approx(np.max(scores.values[0], axis=0).mean())
    assert [share.mean for share in potential.shares] == [scores.mean("nDCG@10", run=run).value for run in RUNS]
    assert sum(share.best for share in potential.shares) == pytest.approx(70)


@pytest.mark.parametrize("method", [name for name, rule in METHODS.rules.items() if not rule.is_trained])
def test_no_fusion_is_better_than_the_best_order_of_everything_found(potential, method):
    assert float(cf.evaluate(JUDGED, cf.fuse(RUNS, method), "nDCG@10")) <= potential.ideal
    assert potential.best.mean <= potential.oracle <= potential.ideal


def test_relevant_documents_are_counted_once(potential):
    shares = potential.shares
    both = shares[0].relevant - shares[0].unique
    assert shares[1].relevant - shares[1].unique == both
    assert potential.relevant == both + shares[0].unique + shares[1].unique


def test_a_query_that_no_run_answers_counts_as_zero():
    judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    potential = cf.fusion_potential(judged, {"one": {"q1": ["a"]}, "two": {"q1": ["x", "a"]}}, "RR")
    assert (potential.oracle, potential.ideal, potential.best.mean) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "jsonl", "markdown", "latex"])
def test_every_form_has_both_limits(potential, form):
    assert "best run per query" in potential.form(form)


def test_json_has_the_numbers(potential):
    assert json.loads(potential.form("json"))["oracle"] == potential.oracle


def test_one_run_is_refused():
    with pytest.raises(UsageError, match="two or more runs"):
        cf.fusion_potential(JUDGED, {"bm25": demo.path("bm25.run")})
