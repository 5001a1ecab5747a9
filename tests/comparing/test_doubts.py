"""What would turn a verdict: found by the same numbers as a sensitivity, and told in the verdict itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing.comparison import compare
from cranfield.comparing.sensitivity import sensitivity
from cranfield.evaluating.saved_scores import from_dict, to_dict

QUERIES = [f"q{at:02}" for at in range(40)]


def graded(relevant: int = 1):
    return {query: {"good": relevant, "bad": 0} for query in QUERIES}


def half_judged():
    """Two runs of which v2 is better, but is so at the cost of documents that nobody judged."""
    old = {query: ["bad", "good"] for query in QUERIES}
    new = {query: ["x", "good", "bad"] for query in QUERIES}
    return cf.evaluate(graded(), {"v1": old, "v2": new}, "RR")


def tied(scores: dict[str, float]):
    return dict.fromkeys(QUERIES, scores)


class TestUnjudged:
    def test_what_only_judged_documents_show_is_the_verdict(self):
        verdict = compare(half_judged()).verdict()
        assert verdict.startswith(
            "We cannot tell yet whether v2 or v1 is better on RR: 17% of their top 10 results were never judged. "
            "On judged results only, v2 is better (+0.5000, p = "
        )
        assert "With unjudged results as not relevant, there is no significant difference: 0.0000 (95% " in verdict

    @pytest.mark.parametrize(
        ("measure", "words"),
        [
            ("RR@1", "50% of their first results were"),
            ("RR@2", "25% of their top 2 results were"),
            ("RR@20", "17% of their top 10 results were"),
        ],
    )
    def test_the_share_is_of_the_documents_that_the_measure_looks_at(self, measure, words):
        runs = half_judged().detail.sources
        scores = cf.evaluate(graded(), list(runs), measure)
        comparison = compare(scores)
        assert f"{words} never judged" in comparison.verdict()

    def test_saved_results_know_the_top_10_only(self):
        scores = half_judged()
        scores = cf.evaluate(graded(), list(scores.detail.sources), "P@2")
        assert compare(scores).judged_depth == 2
        assert compare(from_dict(to_dict(scores))).judged_depth == 10

    def test_the_other_way_round_where_they_were_removed(self):
        old = {query: ["bad", "good"] for query in QUERIES}
        new = {query: ["x", "good", "bad"] for query in QUERIES}
        scores = cf.evaluate(graded(), {"v1": old, "v2": new}, "RR", judged_only=True)
        verdict = compare(scores).verdict()
        assert "With unjudged results as not relevant, there is no significant difference (0.0000, p = 1" in verdict
        assert "On judged results only, v2 is better: +0.5000 (95% interval" in verdict

    def test_a_run_among_several_is_named_as_unclear(self):
        old = {query: ["bad", "good"] for query in QUERIES}
        new = {query: ["x", "good", "bad"] for query in QUERIES}
        best = {query: ["good", "bad"] for query in QUERIES}
        verdict = compare(cf.evaluate(graded(), {"v1": old, "v2": new, "v3": best}, "RR")).verdict()
        assert verdict.startswith("Compared with v1 on RR: v3 is better; we cannot tell yet for v2. Differences: v2 ")
        why = "Without the unjudged documents (17% of the top 10 results were never judged), v2 is better than v1 (+0.5"
        assert why in verdict

    def test_of_many_pairs_that_turn_there_is_a_number(self):
        old = {query: ["bad", "good"] for query in QUERIES}
        new = {query: ["x", "good", "bad"] for query in QUERIES}
        runs = {"v1": old} | {f"new{at}": new for at in range(4)}
        verdict = compare(cf.evaluate(graded(), runs, "RR")).verdict()
        assert "were never judged), 4 of 4 verdicts change: new0, new1, new2 and new3." in verdict

    def test_few_unjudged_documents_are_a_but(self):
        judged = {query: {f"d{at}": int(at == 9) for at in range(20)} for query in QUERIES}
        old = {query: [f"d{at}" for at in range(19)] for query in QUERIES}
        new = {query: ["x", *(f"d{at}" for at in range(1, 19))] for query in QUERIES}
        verdict = compare(cf.evaluate(judged, {"old": old, "new": new}, "RR")).verdict()
        assert verdict.startswith("No significant difference between new and old on RR, but new is better without the ")

    def test_where_only_relevant_documents_are_listed_none_is_removed(self):
        gold = {query: {"good": 1} for query in QUERIES}
        old = {query: ["bad", "good"] for query in QUERIES}
        new = {query: ["good", "bad"] for query in QUERIES}
        comparison = compare(cf.evaluate(gold, {"old": old, "new": new}, "RR"))
        assert comparison.verdict().startswith("new is better than old on RR. +0.5000 (")
        assert "judged" not in comparison.verdict()
        assert "unjudged documents removed" not in comparison.doubts.tried
        note = "Unjudged documents are not removed: the judgments list only relevant documents."
        assert note in comparison.sensitivity().notes


class TestOtherSettings:
    def test_ties_the_other_way_round(self):
        runs = {"old": tied({"bad": 2, "good": 1}), "new": tied({"good": 1, "bad": 1})}
        verdict = compare(cf.evaluate(graded(), runs, "RR")).verdict()
        assert verdict.startswith(
            "new is better than old on RR, but not significantly with ties in reverse order (0.0000, p = 1.000). +0.5"
        )

    def test_queries_that_both_answered(self):
        old = {query: ["bad", "good"] for query in QUERIES}
        new = {query: ["bad", "good"] for query in QUERIES[:20]}
        verdict = compare(cf.evaluate(graded(), {"old": old, "new": new}, "RR")).verdict()
        assert verdict.startswith(
            "new is worse than old on RR, but not significantly on the queries that both answered (0.0000, p = 1.000). "
        )

    def test_the_t_test(self):
        gains = [0.5] * 5 + [0.0] * 35
        judged = {query: {"good": 1, "bad": 0, "c": 0} for query in QUERIES}
        old = {query: ["bad", "good"] for query in QUERIES}
        new = {query: ["good", "bad"] if gain else ["bad", "good"] for query, gain in zip(QUERIES, gains, strict=True)}
        comparison = compare(cf.evaluate(judged, {"old": old, "new": new}, "RR"))
        assert comparison.verdict().startswith(
            "No significant difference between new and old on RR, but new is better by Student's paired t test (+0.0625"
        )

    def test_a_verdict_that_holds_has_no_but(self):
        runs = [demo.path("bm25.run"), demo.path("hybrid.run")]
        comparison = compare(cf.evaluate(demo.path("qrels.txt"), runs, "nDCG@10"))
        assert comparison.doubts.turning == ()
        assert len(comparison.doubts.tried) == 3
        assert comparison.verdict().startswith("hybrid is better than bm25 on nDCG@10. +0.0734 (95% interval")


class TestNumbers:
    @pytest.mark.parametrize("test", ["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"])
    @pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "P@5"])
    def test_they_are_those_of_the_sensitivity(self, test, measure):
        runs = [demo.path(f"{name}.run") for name in ("bm25", "dense", "hybrid", "title")]
        comparison = compare(cf.evaluate(demo.path("qrels.txt"), runs, measure), test=test, resamples=2000)
        tried = set(comparison.doubts.tried)
        expected = {
            (pair.run, pair.baseline, one.name): (one.difference.difference, one.difference.adjusted)
            for pair in sensitivity(comparison).pairs
            for one in pair.variations
            if one.changes_verdict and one.name in tried
        }
        turning = {
            (one.difference.run, one.difference.baseline, one.name): (
                one.difference.difference,
                one.difference.adjusted,
            )
            for one in comparison.doubts.turning
        }
        assert turning == expected

    def test_of_every_pair_the_best_run_is_looked_at(self):
        runs = [demo.path(f"{name}.run") for name in ("bm25", "dense", "hybrid", "title")]
        comparison = compare(cf.evaluate(demo.path("qrels.txt"), runs, "AP"), all_pairs=True)
        assert comparison.doubts.turning
        assert all("hybrid" in (one.difference.run, one.difference.baseline) for one in comparison.doubts.turning)
        assert "there is no significant difference between hybrid and dense (" in comparison.verdict()


class TestUnchecked:
    def test_saved_results_have_no_rankings(self):
        comparison = compare(replace(half_judged(), detail=None))
        assert comparison.doubts.unchecked.startswith("Whether unjudged documents, ties or queries without results")
        assert comparison.doubts.unchecked in comparison.table().notes
        assert comparison.verdict().startswith("No significant difference between v2 and v1 on RR. 0.0000 (")

    def test_standardised_scores(self):
        runs = [demo.path(f"{name}.run") for name in ("bm25", "dense", "hybrid")]
        comparison = compare(cf.evaluate(demo.path("qrels.txt"), runs, "AP"), standardise=True, resamples=500)
        assert comparison.doubts.unchecked == "Other settings are not tried on standardised scores."

    def test_plain_values_have_both(self):
        plain = compare(half_judged()).to_dict()["doubts"]
        assert plain["unchecked"] is None
        assert plain["tried"] == ["unjudged documents removed", "Student's paired t test"]
        assert [one["variation"] for one in plain["turning"]] == ["unjudged documents removed"]
