"""Runs that are tested for being equivalent: verdicts, corrections and every form."""

from __future__ import annotations

import json

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError

RUNS = [demo.path(f"{name}.run") for name in ("bm25", "dense", "hybrid", "title")]


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(demo.path("qrels.txt"), RUNS, "nDCG@10 RR")


def made(gains):
    """Two runs of which the second is better by so much reciprocal rank, query by query."""
    judged = {f"q{at}": {"d": 1} for at in range(len(gains))}
    ranks = {0: (2, 2), 1: (2, 1), -1: (1, 2)}
    runs = [
        {
            query: [f"x{rank}" for rank in range(1, ranks[gain][side])] + ["d"]
            for query, gain in zip(judged, gains, strict=True)
        }
        for side in (0, 1)
    ]
    return cf.evaluate(judged, {"old": runs[0], "new": runs[1]}, "RR")


def test_every_p_is_that_of_statsmodels_corrected_by_holm(scores):
    compared = cf.compare(scores, equivalence=0.1, test="t")
    for measure in scores.measures:
        table = scores[measure]
        alone = [ttost_paired(table[at], table[0], -0.1, 0.1)[0] for at in (1, 2, 3)]
        found = compared.equivalence.of(measure)
        assert [one.p for one in found] == pytest.approx(alone)
        assert [one.adjusted for one in found] == pytest.approx(multipletests(alone, method="holm")[1])


def test_intervals_are_those_of_twice_the_significance_level(scores):
    compared = cf.compare(scores, equivalence=0.1, confidence=0.95)
    narrower = cf.compare(scores, confidence=0.9)
    for one, other in zip(compared.equivalence.equivalences, narrower.differences, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))
    assert compared.equivalence.confidence == 0.9


def test_runs_that_hardly_differ_on_many_queries_are_equivalent():
    compared = cf.compare(made([0, 1, -1] * 40), equivalence=0.1)
    assert [one.verdict for one in compared.equivalence.equivalences] == ["equivalent"]
    assert compared.equivalence.verdict().startswith("new and old are equivalent within ±0.1 on RR (difference 0.0000,")


def test_few_queries_leave_it_undecided():
    compared = cf.compare(made([0, 1, -1]), equivalence=0.1)
    assert compared.equivalence.verdict().startswith("Undecided whether new and old are equivalent within ±0.1 on RR")


def test_a_large_difference_is_different():
    compared = cf.compare(made([1] * 12), equivalence=0.1)
    assert compared.equivalence.verdict().startswith("new and old are different on RR, and not equivalent within ±0.1")


def test_a_difference_may_be_significant_and_still_equivalent():
    compared = cf.compare(made([0] * 90 + [1] * 10), equivalence=0.2)
    assert compared.differences[0].verdict(0.05) == "better"
    assert "equivalent within ±0.2 on RR, although new is significantly better" in compared.equivalence.verdict()


def test_several_runs_are_listed_by_verdict(scores):
    verdict = cf.compare(scores, equivalence=0.2).equivalence.verdict()
    assert verdict.startswith("Equivalence within ±0.2 on nDCG@10: equivalent: ")
    assert "title" in verdict
    every = cf.compare(scores, equivalence=0.2, all_pairs=True).equivalence
    assert len(every.equivalences) == 12
    assert "hybrid to dense" in every.verdict()


def test_it_is_in_every_form(scores):
    compared = cf.compare(scores, equivalence=0.15)
    rows = [json.loads(line) for line in compared.jsonl().splitlines()]
    assert [row["kind"] for row in rows] == ["difference"] * 6 + ["equivalence"] * 6
    assert {row["margin"] for row in rows[6:]} == {0.15}
    assert json.loads(compared.json())["equivalence"]["margin"] == 0.15
    assert r"$\pm$0.15" in compared.latex()
    assert "Equivalence within ±0.15" in compared.markdown()
    assert "Equivalence within ±0.15" in compared.text()
    assert "kind" not in cf.compare(scores).csv().splitlines()[0].split(",")
    assert "equivalence" not in cf.compare(scores).to_dict()


def test_standardised_scores_have_a_margin_in_standard_deviations(scores):
    verdict = cf.compare(scores, equivalence=0.5, standardise=True).equivalence.verdict()
    assert "within ±0.5 standard deviations" in verdict


def test_what_cannot_be_tested_says_why():
    compared = cf.compare(made([1]), equivalence=0.1, test="t")
    assert "cannot be tested: a single query shows no variance" in compared.equivalence.verdict()
    assert compared.equivalence.to_dict()["comparisons"][0]["p"] is None


@pytest.mark.parametrize("margin", [0, -1, np.nan, np.inf, "0.02", True])
def test_a_margin_is_a_number_above_0(scores, margin):
    with pytest.raises(UsageError, match="equivalence must be a number above 0"):
        cf.compare(scores, equivalence=margin)


def test_a_margin_beyond_all_scores_is_refused(scores):
    with pytest.raises(UsageError, match="at most 1e"):
        cf.compare(scores, equivalence=1e200)


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "bootstrap", "tukey"])
def test_tests_that_are_not_of_the_mean_or_have_no_sides_are_refused(scores, test):
    with pytest.raises(UsageError, match='Equivalence is tested by test="randomization" or test="t"'):
        cf.compare(scores, equivalence=0.1, test=test)


def test_a_level_of_a_half_or_more_is_refused(scores):
    with pytest.raises(UsageError, match=r"confidence above 0\.5"):
        cf.compare(scores, equivalence=0.1, confidence=0.5)
