"""How far unjudged documents could move a difference, against trying all grades, and how labels narrow that."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cranfield as cf
from cranfield.errors import UsageError
from tests.effort import examples
from tests.pooling.strategies import pairs, small

EXACT = ["P@3", "RBP(p=0.7)", "DCG@4", "nDCG@3", "nDCG(gain=exponential)@2", "P(rel=2)@2", "CG@3"]
LIMITS = ["AP", "RR", "R@3", "Rprec", "Success@2", "AP(rel=2)@3"]


def test_labels_are_counted_in_the_order_of_the_comparison():
    # Each hole opens the mean of two queries by 1/8 on either side: a's two, b's two. Three labels leave one of four.
    given_runs = {"b": {"q1": list("abcd"), "q2": ["x"]}, "a": {"q1": list("abef"), "q2": ["x"]}}
    known = {"q1": {"a": 1, "b": 0}, "q2": {"x": 1}}
    plan = cf.labels_needed(given_runs, known, 0.13, "P@4")
    (need,) = plan.needs
    assert (need.difference, need.low, need.high) == (0, -0.25, 0.25)
    assert (need.holes, need.labels, need.closing) == (4, 3, 4)
    assert plan.exact


@pytest.mark.parametrize("measure", ["P@3", "nDCG@3", "AP"])
@examples(5)
@given(small(), st.floats(0.01, 0.6))
def test_so_many_labels_are_enough_and_one_less_is_not(measure, collection, width):
    given_runs, known = collection
    (need,) = cf.labels_needed(given_runs, known, width, measure).needs
    order = pairs(
        cf.pool({"b": given_runs["b"], "a": given_runs["a"]}, strategy="comparison", measure=measure, judgments=known)
    )

    def opened(labels):
        irrelevant = {document: 0 for _, document in order[:labels]}
        then = {**known, "q1": {**known["q1"], **irrelevant}}
        return cf.labels_needed(given_runs, then, width, measure).needs[0].open

    assert opened(need.labels) <= width + 1e-9
    if need.labels:
        assert opened(need.labels - 1) > width - 1e-9
    assert opened(need.closing) == pytest.approx(0)


def test_when_all_is_judged_nothing_is_open():
    given_runs = {"b": {"q1": ["d1"]}, "a": {"q1": ["d2"]}}
    plan = cf.labels_needed(given_runs, {"q1": {"d1": 1, "d2": 0}}, 0.1)
    assert plan.verdict().startswith("Judging more documents cannot change any difference of nDCG@10.")
    assert plan.needs[0].labels == 0


def collection_of(queries, seed=1):
    rng = np.random.default_rng(seed)
    given_runs = {
        name: {f"q{at}": [f"d{number}" for number in rng.permutation(12)] for at in range(queries)}
        for name in ("b", "a")
    }
    known = {f"q{at}": {f"d{number}": int(rng.random() < 0.4) for number in range(6)} for at in range(queries)}
    return given_runs, known


def test_the_interval_over_queries_is_students():
    given_runs, known = collection_of(20)
    (need,) = cf.labels_needed(given_runs, known, 0.05, "P@5").needs
    values = cf.evaluate(known, given_runs, "P@5")["P@5"]
    apart = values[1] - values[0]
    low, high = stats.t.interval(0.95, 19, apart.mean(), stats.sem(apart))
    assert (need.interval_low, need.interval_high) == pytest.approx((low, high))
    assert need.difference == pytest.approx(apart.mean())

    def width(count):
        return 2 * stats.t.ppf(0.975, count - 1) * apart.std(ddof=1) / math.sqrt(count)

    assert width(need.queries_needed) <= 0.05 < width(need.queries_needed - 1)


def test_what_labels_can_do_and_what_only_queries_can_is_told_apart():
    given_runs, known = collection_of(20)
    told = cf.labels_needed(given_runs, known, 0.05, "P@5").verdict()
    narrows = r"Judging [0-9]+ more documents narrows this range from [0-9.]+ to 0.05; [0-9]+ of [0-9]+ settle it\."
    assert re.search(narrows, told)
    assert "Labels do not narrow the interval over queries: the 95% interval over 20 queries is" in told
    assert "a width of 0.05 needs about" in told


def test_it_shows_itself_in_every_form():
    given_runs, known = collection_of(5)
    plan = cf.labels_needed(given_runs, known, 0.05)
    assert repr(plan) == "LabelPlan(1 pair of runs, nDCG@10, width 0.05)"
    assert "possible range" in str(plan)
    assert "<table" in plan._repr_html_()
    (pair,) = json.loads(json.dumps(plan.to_dict(), allow_nan=False))["pairs"]
    assert pair["open"] == pytest.approx(pair["high"] - pair["low"])
    assert plan.rows().to_dict()["labels"] == [pair["labels"]]


@pytest.mark.parametrize(
    ("width", "measure", "message"),
    [
        (0, "P@5", "width must be a number above 0, not 0"),
        (math.nan, "P@5", "width must be a number above 0"),
        (0.1, "Q", "How far unjudged documents could move Q is not known"),
        (0.1, "nDCG", "nDCG is not known"),
        (0.1, "Bpref", "Bpref is not known"),
        (0.1, "P(judged_only=true)@5", "is not known"),
        (0.1, "P@5 P@10", "names 2 measures; give one"),
    ],
)
def test_what_is_not_known_is_told(width, measure, message):
    given_runs, known = collection_of(3)
    with pytest.raises(UsageError, match=message):
        cf.labels_needed(given_runs, known, width, measure)


def test_one_run_has_no_difference():
    with pytest.raises(UsageError, match="A difference is between runs"):
        cf.labels_needed({"a": {"q1": ["d1"]}}, {"q1": {"d1": 1}}, 0.1)


def test_many_grades_are_refused_where_all_would_be_tried():
    known = {"q1": {f"d{at}": at / 50 for at in range(50)}}
    with pytest.raises(UsageError, match="takes too long to find with 50 grades"):
        cf.labels_needed({"a": {"q1": ["d1"]}, "b": {"q1": ["x"]}}, known, 0.1)
