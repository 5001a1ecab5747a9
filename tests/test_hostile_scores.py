"""Scores that are legal and strange: no warning of NumPy reaches anybody, in no part that works on scores."""

import math
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.comparing.differences import TESTS
from cranfield.errors import CranfieldError, DataError
from cranfield.figures.queries import heat_map, paired, spread
from cranfield.gating import gate, rules_of

SCORES = {
    "large": [[1e99, -1e99, 1e99], [-1e99, 1e99, 1e99]],
    "large and small": [[1e100, 1e-300, 0, 1], [1e-300, 1e100, 1, 0]],
    "tiny": [[1e-300, 2e-300, 3e-300], [1e-300, 5e-300, 1e-300]],
    "the smallest": [[5e-324, 0, 5e-324], [0, 5e-324, 0]],
    "constant": [[0.5] * 5, [0.25] * 5],
    "equal": [[0.5] * 5, [0.5] * 5],
    "one query": [[0.5], [0.25]],
    "two queries": [[0.5, 0.1], [0.25, 0.3]],
    "two equal queries": [[0.5, 0.5], [0.25, 0.25]],
    "zero": [[0.0] * 4, [0.0] * 4],
    "undefined": [[math.nan] * 3, [0.1, 0.2, 0.3]],
    "all undefined": [[math.nan] * 3, [math.nan] * 3],
}


def results(values):
    queries = [f"q{at}" for at in range(len(values[0]))]
    runs = {f"r{at}": {query: ["d1"] for query in queries} for at in range(len(values))}
    scores = cf.evaluate({query: {"d1": 1} for query in queries}, runs, "DCG")
    return replace(scores, values=np.array([values], dtype=float))


def one(several, at):
    return several.of_run(several.runs[at])


@pytest.fixture(params=SCORES)
def strange(request):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield results(SCORES[request.param])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("interval", ["t", "bca"])
def test_compare(strange, test, interval):
    comparison = cf.compare(strange, test=test, interval=interval, all_pairs=True, resamples=200)
    assert str(comparison)
    assert comparison.to_dict()


@pytest.mark.parametrize("interval", ["t", "bca"])
def test_gate(strange, interval):
    rules = {
        "interval": interval,
        "not_worse": {"measure": "DCG", "margin": "5%"},
        "mean": {"measure": "DCG", "at_least": 0.1},
        "broken": {"measure": "DCG", "drop": 0.1, "at_most": 1},
    }
    outcome = gate(one(strange, 1), one(strange, 0), rules_of(rules))
    assert str(outcome)
    assert outcome.to_dict()


def test_plan(strange):
    with suppress(CranfieldError):  # more queries than there can be would be needed
        assert str(cf.plan(strange, difference=0.1))


def test_pictures_and_the_page(strange):
    for picture in (
        paired(strange, None, run=None, baseline=None, kind="differences"),
        paired(strange, None, run=None, baseline=None, kind="scatter"),
        spread(strange, None),
        heat_map(strange, None),
    ):
        assert picture.text(80)
    assert cf.report(strange)


@pytest.mark.parametrize("value", [1e101, 1e308, -1e308, math.inf])
def test_scores_that_nothing_can_be_calculated_with_are_refused(value):
    with pytest.raises(DataError, match=r"DCG gave a score of .*; expected a number of at most 1e\+100"):
        results([[value, 1.0], [0.5, 0.5]])


def test_similarity_of_scores_far_apart():
    runs = {"a": {"q1": {"d1": 1e308, "d2": -1e308}}, "b": {"q1": {"d1": 1e-300}}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(cf.similarity(runs))
