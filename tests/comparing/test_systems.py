"""Systems that were run several times, with different seeds."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.comparing import corrected, seeds_test, variance_components
from cranfield.comparing.systems import compare_systems
from cranfield.errors import UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict

QUERIES = [f"q{at:02}" for at in range(30)]
JUDGMENTS = {query: {"d0": 1, "d1": 1, "d2": 0} for query in QUERIES}


def run(seed, better=0.0):
    rng = np.random.default_rng(seed)
    return {query: {f"d{at}": float(rng.normal() + (better if at < 2 else 0)) for at in range(12)} for query in QUERIES}


RUNS = {
    "old-1": run(1),
    "old-2": run(2),
    "new-1": run(3, 3),
    "new-2": run(4, 3),
    "new-3": run(5, 3),
    "bm25": run(6, 0.2),
}
SYSTEMS = {"old": "old-*", "new": "new-*"}


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(JUDGMENTS, RUNS, ["AP", "RR"])


@pytest.fixture(scope="module")
def comparison(scores):
    return compare_systems(scores, SYSTEMS)


class TestNumbers:
    def test_they_are_those_of_the_test_with_two_errors(self, scores, comparison):
        found = comparison.of("AP")[0]
        said = seeds_test(scores["AP"][2:5], scores["AP"][:2])
        assert (found.system, found.baseline, found.runs, found.baseline_runs) == ("new", "old", 3, 2)
        assert (found.difference, found.error, found.p) == (said.difference, said.error, said.p)
        assert found.mean == pytest.approx(scores["AP"][2:5].mean())
        assert 0 < found.from_seeds < 1

    def test_the_interval_holds_what_the_test_does_not_refuse(self, comparison):
        for found in comparison.differences:
            assert (found.low > 0 or found.high < 0) == (found.p < 0.05)
        narrow = compare_systems(comparison.results, SYSTEMS, confidence=0.5).differences[0]
        assert narrow.high - narrow.low < comparison.differences[0].high - comparison.differences[0].low

    def test_p_is_corrected_under_each_measure(self, comparison):
        for measure in comparison.measures:
            family = comparison.of(measure)
            assert [one.adjusted for one in family] == corrected([one.p for one in family]).tolist()

    def test_where_variance_comes_from(self, scores, comparison):
        found = next(one for one in comparison.of_systems if one.system == "new")
        assert found.components == variance_components(scores["AP"][2:5])
        assert found.means == pytest.approx(tuple(scores["AP"][2:5].mean(axis=1)))

    def test_a_single_run_has_no_variance_of_seeds(self, comparison):
        only = next(one for one in comparison.of_systems if one.system == "bm25")
        assert math.isnan(only.components.seed)
        assert only.components.reason == "a single seed shows no variance between seeds"

    def test_kept_results(self, scores, comparison):
        assert compare_systems(from_dict(to_dict(scores)), SYSTEMS).to_dict() == comparison.to_dict()


class TestSystems:
    def test_they_come_in_the_order_of_their_runs(self, comparison):
        assert comparison.systems == {
            "old": ("old-1", "old-2"),
            "new": ("new-1", "new-2", "new-3"),
            "bm25": ("bm25",),
        }
        assert comparison.baselines == ("old",)

    def test_runs_may_be_named_one_by_one(self, scores):
        found = compare_systems(scores, {"new": ["new-3", "new-1"], "rest": ["old-*", "new-2"]})
        assert found.systems["new"] == ("new-3", "new-1")
        assert found.systems["rest"] == ("old-1", "old-2", "new-2")

    def test_every_pair(self, scores):
        found = compare_systems(scores, SYSTEMS, all_pairs=True).of("AP")
        assert [(one.system, one.baseline) for one in found] == [("new", "old"), ("bm25", "old"), ("bm25", "new")]

    def test_several_baselines(self, scores):
        found = compare_systems(scores, SYSTEMS, baseline=["bm25", "old"]).of("AP")
        assert [(one.system, one.baseline) for one in found] == [("old", "bm25"), ("new", "bm25"), ("new", "old")]


class TestWords:
    def test_a_difference_that_is_real(self, scores):
        two = compare_systems(cf.evaluate(JUDGMENTS, {n: RUNS[n] for n in list(RUNS)[:5]}, "AP"), SYSTEMS)
        assert two.verdict().startswith("new is better than old on AP. +0.")
        assert "30 queries, 3 runs and 2 runs). Seeds account for " in two.verdict()

    def test_a_difference_that_is_not(self):
        runs = {"a-1": run(1), "a-2": run(2), "b-1": run(11), "b-2": run(12)}
        said = compare_systems(cf.evaluate(JUDGMENTS, runs, "AP"), {"a": "a-*", "b": "b-*"}).verdict()
        assert said.startswith("No significant difference between b and a on AP. +0.")
        assert "2 runs each" in said

    def test_a_system_of_one_run_is_named(self):
        runs = {"bm25": run(1), "b-1": run(11, 3), "b-2": run(12, 3)}
        said = compare_systems(cf.evaluate(JUDGMENTS, runs, "AP"), {"b": "b-*"}).verdict()
        assert said.endswith("bm25 has one run; the answer is about that run, not about other seeds.")

    def test_several_systems(self, comparison, scores):
        assert comparison.verdict() == "Compared with old on AP: new is better; no significant difference for bm25."
        every = compare_systems(scores, SYSTEMS, all_pairs=True).verdict()
        assert (
            every == "AP: 2 of 3 differences between systems are significant. Better: new over old and new over bm25."
        )

    def test_less_is_better_where_the_measure_says_so(self):
        runs = {"a-1": run(1), "a-2": run(2), "b-1": run(11, 3), "b-2": run(12, 3)}
        found = compare_systems(cf.evaluate(JUDGMENTS, runs, "SL"), {"a": "a-*", "b": "b-*"})
        assert found.differences[0].difference < 0
        assert found.verdict().startswith("b is better than a on SL. -3.2167, lower is better (")
        assert "SL: lower is better." in found.table().notes

    def test_one_query_cannot_show_much(self):
        judged = {"q": {"d1": 1}}
        runs = {"a-1": {"q": ["d1"]}, "a-2": {"q": ["d2", "d1"]}, "b": {"q": ["d2"]}}
        found = compare_systems(cf.evaluate(judged, runs, "RR"), {"a": "a-*"})
        assert "cannot be compared by RR: a single query shows no variance" in found.verdict()

    def test_tables(self, comparison):
        assert comparison.table().columns["runs"] == ["3, 2", "1, 2", "3, 2", "1, 2"]
        assert "Holm's correction for 2 comparisons with " in comparison.table().notes[0]
        assert comparison.runs_table().columns["runs"][:3] == [2, 3, 1]
        assert len(comparison.rows().columns["low"]) == 4
        assert "sd seeds" in str(comparison)
        assert comparison._repr_html_().count("<table") == 2

    def test_everything_as_plain_values(self, comparison):
        plain = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
        assert plain["runs"][2]["variance"]["seed"] is None
        assert len(plain["differences"][0]["interval"]) == 2


class TestWrongUse:
    @pytest.mark.parametrize(
        ("systems", "words"),
        [
            ({"new": "now-*"}, "System 'new': no run is called 'now-"),
            ({"a": "old-*", "b": ["old-1"]}, "Run 'old-1' belongs to system 'a' and cannot belong to 'b' too"),
            ({"all": "*"}, "there is one system, all"),
            ({}, "Every system has one run"),
            ({"bm25": "old-*"}, "Run 'bm25' has the name of a system it does not belong to"),
        ],
    )
    def test_systems_that_cannot_be(self, scores, systems, words):
        with pytest.raises(UsageError, match=words):
            compare_systems(scores, systems)

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"baseline": "od"}, "There is no system 'od'.*Did you mean old"),
            ({"baseline": "old", "all_pairs": True}, "choose one"),
            ({"confidence": 95}, "confidence must be between 0 and 1"),
            ({"correction": "holmes"}, "Did you mean holm"),
        ],
    )
    def test_choices_that_cannot_be(self, scores, said, words):
        with pytest.raises(UsageError, match=words):
            compare_systems(scores, SYSTEMS, **said)
