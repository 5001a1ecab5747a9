import json

import pytest

import cranfield as cf
from cranfield.evaluating.score_json import as_dict, query_values

JUDGMENTS = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 0}}
RUN = {"q1": ["d2", "d1"], "q3": ["d1"], "q9": ["d1"]}


@pytest.fixture
def scores():
    return cf.evaluate(JUDGMENTS, RUN, ["RR", "AP"])


def test_queries_are_counted_and_odd_ones_named(scores):
    queries = as_dict(scores)["queries"]
    assert (queries["judged"], queries["silent"], queries["unknown"]) == (3, ["q2"], ["q9"])
    assert queries["without_relevant"] == ["q3"]


def test_every_run_has_the_mean_of_every_measure(scores):
    (run,) = as_dict(scores)["runs"]
    assert list(run["measures"]) == ["RR", "AP"]
    assert run["measures"]["RR"]["mean"] == pytest.approx(scores.mean("RR").value)


def test_scores_of_queries_are_there_if_wanted(scores):
    assert "per_query" not in as_dict(scores)["runs"][0]["measures"]["RR"]
    by_query = as_dict(scores, per_query=True)["runs"][0]["measures"]["RR"]["per_query"]
    assert (by_query["q1"], by_query["q2"]) == (0.5, 0)
    assert by_query == query_values(scores, 0, 0)


def test_bounds_are_there_if_wanted(scores):
    (run,) = as_dict(scores, ties=True, unjudged=True)["runs"]
    assert set(run["ties"]["bounds"]) == set(run["unjudged"]["bounds"]) == {"RR", "AP"}


def test_it_is_json_without_numbers_that_are_none(scores):
    json.dumps(as_dict(scores, per_query=True, ties=True, unjudged=True), allow_nan=False)
