"""Assertions about runs, in somebody's tests."""

from __future__ import annotations

import unittest

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.testing import assert_at_least, assert_not_worse

JUDGED = {f"q{at}": {"d1": 1} for at in range(10)}


def scores(*ranks, measure="RR", judged=JUDGED):
    """A run that finds the one relevant document at these ranks, over and over."""
    queries = list(judged)
    run = {
        query: [*(f"x{place}" for place in range(1, rank)), "d1"]
        for query, rank in zip(queries, ranks * len(queries), strict=False)
    }
    return cf.evaluate(judged, {"run": run}, measure)


class TestNotWorse:
    def test_passes_and_gives_back_what_was_found(self):
        found = assert_not_worse(scores(1, 2), scores(1, 2), measure="RR", margin=0)
        assert (found.verdict, found.value) == ("pass", 0)

    def test_fails_with_what_was_found_and_the_queries_responsible(self):
        with pytest.raises(AssertionError) as failed:
            assert_not_worse(scores(2, 4), scores(1, 2), measure="RR", margin=0.05)
        assert str(failed.value) == (
            "RR is worse by 0.3750 (0.7500 → 0.3750, 10 queries), with 95% confidence by at least 0.2807; "
            "0.0500 is allowed. Worse: q0 1.00 → 0.50, q2 1.00 → 0.50, q4 1.00 → 0.50, q6 1.00 → 0.50, "
            "q8 1.00 → 0.50 and 5 more."
        )

    def test_inconclusive_passes_fails_or_is_skipped_as_it_is_told(self):
        new, old = scores(2, 1), scores(1, 2)
        assert assert_not_worse(new, old, measure="RR", margin=0.01).verdict == "inconclusive"
        with pytest.raises(AssertionError, match=r"^Inconclusive: RR is unchanged"):
            assert_not_worse(new, old, measure="RR", margin=0.01, inconclusive="fail")
        with pytest.raises(unittest.SkipTest, match=r"^Inconclusive: RR is unchanged"):
            assert_not_worse(new, old, measure="RR", margin=0.01, inconclusive="skip")
        with pytest.raises(UsageError, match=r"inconclusive is pass, fail or skip, not 'skp'. Did you mean skip"):
            assert_not_worse(new, old, measure="RR", margin=0.01, inconclusive="skp")

    def test_confidence_and_interval_can_be_chosen(self):
        new, old = scores(2, 1, 1), scores(1, 1, 1)
        assert assert_not_worse(new, old, measure="RR", margin=0.5, confidence=0.5).confidence == 0.5
        t, bca = (assert_not_worse(new, old, measure="RR", margin=0.5, interval=kind) for kind in ("t", "bca"))
        assert t.low != bca.low

    def test_takes_scores_results_and_paths(self, tmp_path):
        cf.save(scores(1, 2), tmp_path / "old.json")
        for baseline in (
            scores(1, 2),
            cf.load(tmp_path / "old.json"),
            tmp_path / "old.json",
            str(tmp_path / "old.json"),
        ):
            assert_not_worse(scores(1, 2), baseline, measure=cf.RR, margin="1%")

    def test_one_of_several_runs_is_named(self):
        both = cf.evaluate(JUDGED, {"a": {q: ["d1"] for q in JUDGED}, "b": {q: ["x", "d1"] for q in JUDGED}}, "RR")
        assert_not_worse(both, both, measure="RR", margin=0, run="a", baseline_run="b")
        with pytest.raises(AssertionError):
            assert_not_worse(both, both, measure="RR", margin=0, run="b", baseline_run="a")

    def test_what_cannot_be_compared_is_an_error_and_no_failure(self):
        other = scores(1, 2, judged={"q0": {"d1": 1}, "q77": {"d1": 1}})
        with pytest.raises(DataError, match="queries only in the baseline"):
            assert_not_worse(other, scores(1, 2), measure="RR", margin=0)
        assert_not_worse(other, scores(1, 2), measure="RR", margin=0, allow_different_judgments=True)
        with pytest.raises(UsageError, match="AP was not measured"):
            assert_not_worse(scores(1, 2), scores(1, 2), measure="AP", margin=0)
        with pytest.raises(UsageError, match="margin must be a number of at least 0"):
            assert_not_worse(scores(1, 2), scores(1, 2), measure="RR", margin=-1)


class TestAtLeast:
    def test_passes_at_the_value_and_fails_below_it(self):
        assert assert_at_least(scores(1, 2), 0.75, measure="RR").value == 0.75
        with pytest.raises(AssertionError, match=r"RR is 0.7500 \(10 queries\); the rule requires at least 0.7600"):
            assert_at_least(scores(1, 2), 0.76, measure="RR")

    def test_of_a_measure_of_which_less_is_better_it_is_the_most(self):
        assert_at_least(scores(1, 2, measure="SL"), 1.5, measure="SL")
        with pytest.raises(AssertionError, match=r"the rule requires at most 1.4000"):
            assert_at_least(scores(1, 2, measure="SL"), 1.4, measure="SL")

    def test_no_value_is_a_failure(self):
        nothing = cf.evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": ["x"], "q2": ["d1"]}, "SL")
        with pytest.raises(AssertionError, match="no result, because no query has a defined value"):
            assert_at_least(nothing, 3, measure="SL")
