"""A run is held against a baseline by rules: what passes, what fails, and what cannot be told."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from scipy import stats

import cranfield as cf
from cranfield.comparing import detectable_difference
from cranfield.errors import DataError, UsageError
from cranfield.gating import find_rules, gate, ratcheted, read_rules, rules_of, starting_rules
from cranfield.gating.rules import NotWorse, Share, inconclusive_as
from cranfield.gating.words import code, marked_up, shown_id
from cranfield.measures import parse
from cranfield.measures.definition import TABLE
from cranfield.scores import JudgmentFacts, Provenance, RunFacts, Scores, ScoreSource, constant
from cranfield.settings import Settings

NDCG = {"measure": "nDCG@10"}
HOSTILE = [
    *("a|b", "two\nlines", "<script>alert(1)</script>", "]]>", "\x00\x01\x1b[31m", "`rm -rf`", "::error::x", "100%"),
    *(
        "@octocat",
        "**bold**",
        "a,b:c",
        "]]]]><![CDATA[>",
        "&amp;",
        "x" * 500,
        "\ufffe",
        "\u202eevil",
        " ",
        "_a_ [l](u)",
    ),
]


def kept(scores, run="new", measure="nDCG@10", queries=None, judged="same", silent=(), **about):
    """Results of a run with these scores, by measure and query."""
    by_measure = scores if isinstance(scores, dict) else {measure: scores}
    rows = [list(row) for row in by_measure.values()]
    names = tuple(queries or (f"q{at}" for at in range(len(rows[0]))))
    values = np.array(rows, dtype=np.float64)[:, None, :]
    measures = tuple(parse(name) for name in by_measure)
    return Scores(
        queries=names,
        runs=(run,),
        measures=measures,
        values=values,
        counted=np.ones(values.shape, dtype=np.bool_),
        undefined=tuple(one.definition.undefined for one in measures),
        provenance=Provenance(
            JudgmentFacts("qrels.txt", len(names), len(names), 1.0, constant(judged)),
            (Settings(),) * len(measures),
            (RunFacts(**{"path": f"{run}.run", "silent": silent, **about}),),
        ),
    )


def hold(new, old, rule=None, *, kind="not_worse", measure="nDCG@10", settings=None, **options):
    """One rule, and what it says."""
    rules = {kind: {"measure": measure, **(rule or {})}, **(settings or {})}
    return gate(kept(new, "new", measure), kept(old, "old", measure), rules, **options)


def verdict(new, old, rule=None, **options):
    return hold(new, old, rule, **options).verdict


class TestNotWorse:
    OLD = (0.5, 0.6, 0.4, 0.7, 0.5, 0.55, 0.45, 0.6)

    def shifted(self, by, noise=0.01):
        return [score + by + noise * (-1) ** at for at, score in enumerate(self.OLD)]

    def test_the_same_scores_pass_with_any_margin(self):
        assert verdict(self.OLD, self.OLD, {"margin": 0}) == "pass"

    def test_surely_no_more_than_the_margin_passes(self):
        assert verdict(self.shifted(-0.01), self.OLD, {"margin": 0.05}) == "pass"

    def test_surely_more_than_the_margin_fails(self):
        assert verdict(self.shifted(-0.1), self.OLD, {"margin": 0.05}) == "fail"

    def test_neither_is_inconclusive(self):
        assert verdict(self.shifted(-0.05), self.OLD, {"margin": 0.05}) == "inconclusive"

    def test_better_passes(self):
        assert verdict(self.shifted(0.2), self.OLD, {"margin": 0}) == "pass"

    def test_a_fall_of_exactly_the_margin_passes_whatever_rounding_makes_of_it(self):
        assert verdict([0.1 + 0.2 - 0.1] * 4, [0.3] * 4, {"margin": 0.1}) == "pass"
        assert verdict([0.7, 0.4], [0.8, 0.5], {"margin": 0.1}) == "pass"

    def test_the_interval_is_that_of_a_paired_t_test(self):
        new = self.shifted(-0.05, 0.03)
        outcome = hold(new, self.OLD, {"margin": 0.05, "confidence": 0.9}).outcomes[0]
        differences = np.array(new) - np.array(self.OLD)
        expected = stats.t.interval(0.9, len(new) - 1, differences.mean(), stats.sem(differences))
        assert (outcome.low, outcome.high) == pytest.approx(expected)
        assert outcome.value == pytest.approx(differences.mean())
        assert outcome.limit == -0.05

    def test_the_interval_may_be_that_of_the_bootstrap(self):
        new = self.shifted(-0.05, 0.03)
        t = hold(new, self.OLD, {"margin": 0.05}).outcomes[0]
        bca = hold(new, self.OLD, {"margin": 0.05}, settings={"interval": "bca"}).outcomes[0]
        assert (t.low, t.high) != (bca.low, bca.high)
        assert bca.low == pytest.approx(t.low, abs=0.02)

    def test_more_confidence_makes_wider_intervals(self):
        one, two = (
            hold(self.shifted(-0.05), self.OLD, {"margin": 0}, settings={"confidence": c}).outcomes[0]
            for c in (0.8, 0.99)
        )
        assert two.low < one.low < one.high < two.high

    def test_a_margin_may_be_a_share_of_the_baseline_s_mean(self):
        outcome = hold(self.shifted(-0.01), self.OLD, {"margin": "10%"}).outcomes[0]
        assert outcome.limit == pytest.approx(-0.1 * np.mean(self.OLD))

    def test_of_a_measure_of_which_less_is_better_more_is_worse(self):
        old, new = [4, 5, 6, 5], [8, 9.1, 10, 8.9]
        assert verdict(new, old, {"margin": 1}, measure="SL") == "fail"
        assert verdict(old, new, {"margin": 1}, measure="SL") == "pass"
        outcome = hold(new, old, {"margin": 1}, measure="SL").outcomes[0]
        assert (outcome.value, outcome.limit) == (pytest.approx(4), 1)
        assert "SL is worse by 4.0000" in outcome.sentence()

    def test_a_sum_is_compared_as_a_sum(self):
        outcome = hold([3, 4, 5], [4, 6, 6], {"margin": 1}, measure="NumRelRet").outcomes[0]
        assert (outcome.value, outcome.mean, outcome.baseline) == (-4, 12, 16)

    def test_a_geometric_mean_is_compared_by_the_factor_it_changed_by(self):
        outcome = hold([0.1, 0.2, 0.4], [0.2, 0.4, 0.8], {"margin": 0.01}, measure="GMAP").outcomes[0]
        assert outcome.baseline == pytest.approx(0.4)
        assert (outcome.value, outcome.high) == (pytest.approx(-0.2), pytest.approx(-0.2))
        assert outcome.verdict == "fail"

    def test_a_single_query_that_changed_is_inconclusive(self):
        held = hold([0.1], [0.9], {"margin": 0.05})
        assert held.verdict == "inconclusive"
        assert "a single query shows no variance" in held.text()
        assert verdict([0.9], [0.9], {"margin": 0.05}) == "pass"

    def test_nothing_to_compare_is_inconclusive(self):
        held = hold([math.nan, math.nan], [1, 2], {"margin": 1}, measure="SL")
        assert held.verdict == "inconclusive"
        assert "–" in held.text()

    def test_a_run_does_not_pass_by_losing_scores(self):
        outcome = hold([1, 1, math.nan], [4, 5, 3], {"margin": 1}, measure="SL").outcomes[0]
        assert outcome.verdict == "inconclusive"
        assert "1 query has no score any more" in outcome.sentence()
        assert "q2 3.00 → none" in outcome.sentence()

    def test_losing_scores_does_not_soften_a_failure(self):
        assert verdict([9, 9.1, math.nan], [4, 4, 3], {"margin": 0.5}, measure="SL") == "fail"

    def test_the_queries_that_fell_most_are_named_first(self):
        outcome = hold([0, 0.1, 0.5, 0.9], [0.2, 0.9, 0.9, 0.8], {"margin": 0}).outcomes[0]
        assert [one.query for one in outcome.moved] == ["q1", "q2", "q0"]

    @pytest.mark.parametrize(("loss", "wrong"), [(0.1, "pass"), (0.1, "fail"), (0.0, "fail")])
    def test_a_verdict_is_wrong_once_in_forty_times_at_most(self, loss, wrong):
        random = np.random.default_rng(7)
        verdicts = [verdict(0.5 + random.normal(-loss, 0.2, 30), [0.5] * 30, {"margin": 0.1}) for _ in range(400)]
        share = verdicts.count(wrong) / len(verdicts)
        assert share < 0.045 if loss else share == 0

    def test_inconclusive_says_what_margin_could_be_told(self):
        outcome = hold(self.shifted(0, 0.1), self.OLD, {"margin": 0.01}).outcomes[0]
        spread = np.std([0.1, -0.1] * 4, ddof=1)
        assert outcome.detectable == pytest.approx(detectable_difference(spread, 8))
        assert f"would pass a margin of {outcome.detectable:.4f} four times in five" in outcome.sentence()

    def test_inconclusive_says_where_it_surely_is_worse(self):
        outcome = hold(self.shifted(-0.05), self.OLD, {"margin": 0.05}).outcomes[0]
        assert "It surely is worse, but not surely by more than the margin." in outcome.sentence()


class TestMean:
    def test_a_mean_at_its_limit_passes_and_below_fails(self):
        assert verdict([0.5, 0.7], [0, 0], {"at_least": 0.6}, kind="mean") == "pass"
        assert verdict([0.5, 0.69], [0, 0], {"at_least": 0.6}, kind="mean") == "fail"

    def test_of_a_measure_of_which_less_is_better_it_has_a_largest(self):
        assert verdict([5, 6], [0, 0], {"at_most": 5.5}, kind="mean", measure="SL") == "pass"
        assert verdict([5, 7], [0, 0], {"at_most": 5.5}, kind="mean", measure="SL") == "fail"

    @pytest.mark.parametrize(
        ("measure", "key", "right"), [("SL", "at_least", "at_most"), ("RR", "at_most", "at_least")]
    )
    def test_the_other_way_round_is_told(self, measure, key, right):
        with pytest.raises(UsageError, match=f"is better, so the rule has {right}, not {key}"):
            verdict([1, 1], [1, 1], {key: 1}, kind="mean", measure=measure)

    def test_it_needs_no_baseline(self):
        held = gate(kept([0.5, 0.5]), rules={"mean": {**NDCG, "at_least": 0.4}})
        assert held.verdict == "pass"
        assert held.baseline is None
        assert "against" not in held.text()

    def test_without_a_baseline_the_lowest_queries_are_named(self):
        held = gate(kept([0.5, 0.1, 0.3]), rules={"mean": {**NDCG, "at_least": 0.4}})
        assert "Lowest: q1 0.10, q2 0.30, q0 0.50." in held.text()

    def test_no_value_is_inconclusive(self):
        held = gate(kept([math.nan], measure="SL"), rules={"mean": {"measure": "SL", "at_most": 4}})
        assert held.verdict == "inconclusive"


class TestBroken:
    OLD = (0.9, 0.8, 0.7, 0.6)

    def test_so_many_may_break(self):
        new = (0.1, 0.1, 0.7, 0.6)
        assert verdict(new, self.OLD, {"drop": 0.5, "at_most": 2}, kind="broken") == "pass"
        held = hold(new, self.OLD, {"drop": 0.5, "at_most": 1}, kind="broken")
        assert held.verdict == "fail"
        assert [one.query for one in held.outcomes[0].moved] == ["q0", "q1"]

    def test_a_drop_of_exactly_so_much_does_not_break(self):
        assert verdict((0.7, 0.6), (0.8, 0.9), {"drop": 0.3, "at_most": 0}, kind="broken") == "pass"

    def test_a_share_of_the_queries_may_break(self):
        new = (0.1, 0.8, 0.7, 0.6)
        assert verdict(new, self.OLD, {"drop": 0.5, "at_most": "25%"}, kind="broken") == "pass"
        assert verdict(new, self.OLD, {"drop": 0.5, "at_most": "24%"}, kind="broken") == "fail"

    def test_a_query_without_a_score_any_more_is_broken(self):
        held = hold([3, math.nan], [3, 2], {"drop": 5, "at_most": 0}, kind="broken", measure="SL")
        assert held.verdict == "fail"
        assert "q1 2.00 → none" in held.text()

    def test_protected_queries_must_not_break(self):
        new = (0.89, 0.1, 0.7, 0.6)
        assert verdict(new, self.OLD, {"queries": ["q2", "q3"]}, kind="protected") == "pass"
        assert verdict(new, self.OLD, {"queries": ["q0"]}, kind="protected") == "fail"
        assert verdict(new, self.OLD, {"queries": ["q0"], "drop": 0.05}, kind="protected") == "pass"

    def test_a_protected_query_that_nobody_judged_is_told(self):
        with pytest.raises(DataError, match=r"q01 is protected by a rule, but is no query.*\nDid you mean q1 or q0\?"):
            verdict(self.OLD, self.OLD, {"queries": ["q01"]}, kind="protected")


class TestCoverageAndJudged:
    def test_the_share_of_answered_queries(self):
        new = kept([0, 1, 1, 1], silent=["q0"])
        assert gate(new, rules={"coverage": {"at_least": 0.75}}).verdict == "pass"
        held = gate(new, rules={"coverage": {"at_least": "76%"}})
        assert held.verdict == "fail"
        assert "No documents for q0." in held.text()

    def test_results_that_do_not_say_who_was_answered_are_inconclusive(self):
        new = kept([0, 1])
        new = replace(new, provenance=replace(new.provenance, runs=(RunFacts(),)))
        assert gate(new, rules={"coverage": {"at_least": 0.5}}).verdict == "inconclusive"

    def test_the_share_of_judged_documents(self):
        new = kept([0.5, 1.0], measure="Judged@5")
        assert gate(new, rules={"judged": {"at": 5, "at_least": 0.75}}).verdict == "pass"
        assert gate(new, rules={"judged": {"at": 5, "at_least": 0.76}}).verdict == "fail"

    def test_that_of_the_first_ten_is_always_known(self):
        new = kept([1.0, 1.0], find_judged_at_10=constant(0.8))
        assert gate(new, rules={"judged": {"at_least": 0.8}}).verdict == "pass"
        assert gate(new, rules={"judged": {"at_least": 0.81}}).verdict == "fail"
        with pytest.raises(UsageError, match="Judged@5 was not measured"):
            gate(new, rules={"judged": {"at": 5, "at_least": 0.81}})


INTENTS = {"q0": {"intent": "a"}, "q1": {"intent": "a"}, "q2": {"intent": "b"}, "q3": {"intent": "b"}}


class TestSlices:
    OLD = (0.9, 0.8, 0.7, 0.6)
    NEW = (0.2, 0.1, 0.9, 0.8)

    def test_a_rule_holds_for_each_value_of_a_column_apart(self):
        rule = {"by": "intent", "margin": 0.05}
        held = hold(self.NEW, self.OLD, rule, queries=INTENTS)
        assert {one.slice: one.verdict for one in held.outcomes} == {"a": "fail", "b": "pass"}
        assert verdict(self.NEW, self.OLD, {**rule, "only": ["b"]}, queries=INTENTS) == "pass"
        assert [one.label for one in held.outcomes] == ["nDCG@10 not worse, intent a", "nDCG@10 not worse, intent b"]

    def test_every_kind_of_rule_can_go_by_a_column(self):
        rules = {
            "mean": {**NDCG, "at_least": 0.5, "by": "intent"},
            "broken": {**NDCG, "drop": 0.5, "at_most": 1, "by": "intent"},
            "coverage": {"at_least": 1, "by": "intent"},
            "judged": {"at": 10, "at_least": 0.5, "by": "intent"},
        }
        new = kept({"nDCG@10": self.NEW, "Judged@10": (1, 1, 0, 0)}, silent=["q3"])
        held = gate(new, kept(self.OLD, "old"), rules, queries=INTENTS)
        found = {(one.rule.kind, one.slice): one.verdict for one in held.outcomes}
        assert {key for key, found_verdict in found.items() if found_verdict == "fail"} == {
            ("mean", "a"),
            ("broken", "a"),
            ("coverage", "b"),
            ("judged", "b"),
        }
        assert len(found) == 8

    def test_queries_without_a_value_are_a_slice_of_their_own(self):
        held = hold(self.NEW, self.OLD, {"by": "intent", "margin": 0}, queries={"q0": {"intent": "a"}})
        assert [one.label for one in held.outcomes] == ["nDCG@10 not worse, no intent", "nDCG@10 not worse, intent a"]

    def test_small_slices_can_be_left_out_and_are_named(self):
        columns = {**INTENTS, "q3": {"intent": "c"}}
        held = hold(self.NEW, self.OLD, {"by": "intent", "margin": 0, "min_queries": 2}, queries=columns)
        assert [one.slice for one in held.outcomes] == ["a"]
        assert "2 slices have fewer than 2 queries and are not tested: b, c." in held.text()

    def test_if_none_is_left_that_is_no_pass(self):
        with pytest.raises(UsageError, match="no rule is left to test"):
            hold(self.NEW, self.OLD, {"by": "intent", "margin": 0, "min_queries": 9}, queries=INTENTS)

    @pytest.mark.parametrize(
        ("columns", "rule", "words"),
        [
            (None, {"by": "intent"}, "no file is named"),
            (INTENTS, {"by": "intend"}, r"no column 'intend'"),
            (INTENTS, {"by": "intent", "only": ["z"]}, r"no judged query has intent 'z'.*there are a, b"),
            ({"x": {"intent": "a"}}, {"by": "intent"}, "knows none of the evaluated queries: those are q0"),
        ],
    )
    def test_what_cannot_be_is_told(self, columns, rule, words):
        with pytest.raises((UsageError, DataError), match=words):
            hold(self.NEW, self.OLD, {"margin": 0, **rule}, queries=columns)


THREE_RULES = {"mean": [{**NDCG, "at_least": 0.4}, {**NDCG, "at_least": 0.6}], "not_worse": {**NDCG, "margin": 0.01}}


class TestTogether:
    def held(self, inconclusive="pass", **rules):
        chosen = {"inconclusive": inconclusive, **(rules or THREE_RULES)}
        return gate(kept([0.5, 0.4]), kept([0.5, 0.5], "old"), chosen)

    def test_one_failure_fails_all(self):
        assert (self.held().verdict, self.held().exit_code) == ("fail", 1)
        assert self.held(inconclusive=78).exit_code == 1

    def test_without_failure_one_inconclusive_rule_makes_it_inconclusive(self):
        rules = {"mean": {**NDCG, "at_least": 0.4}, "not_worse": {**NDCG, "margin": 0.01}}
        held = [self.held(inconclusive=chosen, **rules) for chosen in ("pass", "fail", 78, 0, 1)]
        assert {one.verdict for one in held} == {"inconclusive"}
        assert [one.exit_code for one in held] == [0, 1, 78, 0, 1]
        assert "which counts as a pass (exit 0)" in held[0].headline()
        assert "which counts as a fail (exit 1)" in held[1].headline()
        assert "which counts as neither pass nor fail (exit 78)" in held[2].headline()

    def test_the_worst_come_first(self):
        assert [one.verdict for one in self.held().worst_first] == ["fail", "inconclusive", "pass"]

    def test_results_are_taken_in_every_form(self, tmp_path):
        judged, run = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": ["d1"], "q2": ["d1"]}
        scores = cf.evaluate(judged, {"a": run}, "RR")
        cf.save(scores, tmp_path / "a.json")
        rules = {"not_worse": {"measure": "RR", "margin": 0}}
        for form in (scores, cf.load(tmp_path / "a.json"), tmp_path / "a.json", str(tmp_path / "a.json")):
            assert gate(form, form, rules).verdict == "pass"

    def test_one_of_several_runs_is_named(self):
        judged = {"q1": {"d1": 1}, "q2": {"d1": 1}}
        good, bad = {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["x", "d1"], "q2": ["x", "d1"]}
        scores = cf.evaluate(judged, {"good": good, "bad": bad}, "RR")
        rules = {"not_worse": {"measure": "RR", "margin": 0.1}}
        with pytest.raises(UsageError, match="2 runs: good, bad"):
            gate(scores, scores, rules)
        assert gate(scores, scores, rules, run="bad", baseline_run="good").verdict == "fail"
        assert gate(scores, scores, {**rules, "baseline_run": "bad"}, run="good").verdict == "pass"

    def test_the_file_names_the_baseline(self, tmp_path):
        cf.save(kept([0.5, 0.5], "old"), tmp_path / "cranfield-baseline.json")
        (tmp_path / "gate.toml").write_text('[not_worse]\nmeasure = "nDCG@10"\nmargin = 0.1\n')
        assert gate(kept([0.5, 0.5]), rules=tmp_path / "gate.toml").verdict == "pass"

    def test_no_baseline_no_verdict(self):
        with pytest.raises(UsageError, match="none is named"):
            gate(kept([0.5]), rules={"not_worse": {**NDCG, "margin": 0}})

    def test_measures_are_found_in_any_spelling(self):
        assert verdict([0.5, 0.5], [0.5, 0.5], {"margin": 0}, measure="nDCG@10") == "pass"
        rules = {"not_worse": {"measure": "ndcg_cut_10", "margin": 0}}
        assert gate(kept([0.5, 0.5]), kept([0.5, 0.5], "old"), rules).outcomes[0].label == "nDCG@10 not worse"

    def test_measures_are_found_as_the_results_were_measured(self):
        judged, run = {"q1": {"d1": 2}, "q2": {"d1": 1}}, {"q1": ["d1"], "q2": ["d1"]}
        scores = cf.evaluate(judged, run, "AP", rel=2)
        outcome = gate(scores, scores, {"not_worse": {"measure": "AP", "margin": 0}}).outcomes[0]
        assert str(outcome.measure) == "AP(rel=2)"

    def test_a_measure_that_the_results_or_the_baseline_lack_is_told(self):
        rules = {"not_worse": {"measure": "RR", "margin": 0}}
        with pytest.raises(UsageError, match=r"RR was not measured; these were: nDCG@10"):
            gate(kept([1, 1]), kept([1, 1], "old"), rules)
        with pytest.raises(UsageError, match=r"RR is not in the baseline, which has nDCG@10.*\n.*--init --force"):
            gate(kept([1, 1], measure="RR"), kept([1, 1], "old"), rules)

    def test_a_measure_of_ones_own_whose_code_is_elsewhere(self, tmp_path):
        @cf.measure(bounds=(0, 1))
        def Mine(judged, *, rel=1):
            return judged.num_rel_ret(rel) * 1.0

        try:
            cf.save(cf.evaluate({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": ["d1"]}, Mine), tmp_path / "a.json")
        finally:
            del TABLE["Mine"]
        rules = {"not_worse": {"measure": "Mine", "margin": 0}}
        assert gate(tmp_path / "a.json", tmp_path / "a.json", rules).verdict == "pass"

    def test_other_judgments_are_refused_with_what_differs_unless_told(self):
        new, old = kept([0.5, 0.5]), kept([0.5, 0.5, 0.1], "old", judged="other")
        rules = {"not_worse": {**NDCG, "margin": 0}}
        with pytest.raises(DataError, match=r"queries only in the baseline: 1 \(q2\)") as refused:
            gate(new, old, rules)
        assert "--init --force" in str(refused.value)
        held = gate(new, old, rules, allow_different_judgments=True)
        assert held.verdict == "pass"
        assert "Compared with the baseline on the 2 queries that both judgments have." in held.text()

    def test_other_settings_are_refused(self):
        new = kept([0.5])
        new = replace(new, provenance=replace(new.provenance, settings=(Settings(depth=5),)))
        with pytest.raises(DataError, match="depth is 5 and not None"):
            gate(new, kept([0.5], "old"), {"not_worse": {**NDCG, "margin": 0}})


RULE_ERRORS = [
    (
        "[[not_worse]]\nmeasure = 'AP'\nmargn = 0.1\n",
        "line 3: not_worse has no key 'margn'; it has measure, margin",
        "margin",
    ),
    ("[[not_wrose]]\nmeasure = 'AP'\n", "line 1: there is no rule or setting 'not_wrose'", "not_worse"),
    ("confidense = 0.9\n[coverage]\nat_least = 1\n", "line 1: there is no rule or setting 'confidense'", "confidence"),
    ("[coverage]\nat_least = 1\n[[broken]]\nmeasure='AP'\ndrop=1\n", "line 3: broken lacks at_most", ""),
    ("[[not_worse]]\nmargin = 0.1\n", "line 1: not_worse lacks measure", ""),
    ("[[mean]]\nmeasure = 'AP'\n", "line 1: mean lacks at_least or at_most", ""),
    ("[[mean]]\nmeasure='AP'\nat_least=0\nat_most=1\n", "line 1: mean has both at_least and at_most", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin=-1\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin=true\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin=nan\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin='5'\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure=3\nmargin=0\n", "line 2: not_worse: measure must be a text", ""),
    ("confidence = 95\n[coverage]\nat_least=1\n", "line 1: confidence must be between 0 and 1, not 95", "Write 0.95."),
    ("[[not_worse]]\nmeasure='AP'\nmargin=" + "9" * 5000 + "\n", "this is no TOML: a number has too many digits", ""),
    (
        "[[not_worse]]\nmeasure='AP'\nmargin=" + "9" * 400 + "\n",
        "line 3: not_worse: margin must be a number",
        "60 digits",
    ),
    ("[[not_worse]]\nmeasure='AP'\nmargin=0x" + "f" * 5000 + "\n", "line 3: not_worse: margin must be", "60 digits"),
    ("[[not_worse]]\nmeasure='AP'\nmargin='" + "9" * 400 + "%'\n", "line 3: not_worse: margin must be", ""),
    ("[[judged]]\nat=" + "9" * 40 + "\nat_least=0.5\n", "line 2: judged: at must be a whole number from 1 to", ""),
    ("a = " + "[" * 20_000, "this is no TOML: it is nested too deeply", ""),
    ("interval = 'z'\n[coverage]\nat_least=1\n", 'line 1: interval must be "t" (Student', ""),
    ("inconclusive = 3\n[coverage]\nat_least=1\n", "line 1: inconclusive must be", "3 already means bad data"),
    (
        "inconclusive = 'maybe'\n[coverage]\nat_least=1\n",
        'line 1: inconclusive must be "pass", "fail" or an exit code',
        "",
    ),
    ("inconclusive = [1]\n[coverage]\nat_least=1\n", 'line 1: inconclusive must be "pass", "fail" or an exit code', ""),
    ("[coverage]\nat_least=1.1\n", "line 2: coverage: at_least must be a share from 0 to 1", ""),
    ("[[broken]]\nmeasure='AP'\ndrop=1\nat_most=1.5\n", "line 4: broken: at_most must be a number of queries", ""),
    ("[[judged]]\nat=0\nat_least=0.5\n", "line 2: judged: at must be a whole number from 1 to 1,000,000,000", ""),
    ("[[protected]]\nmeasure='AP'\nqueries=[]\n", "line 3: protected: queries must be a list of texts", ""),
    ("[[protected]]\nmeasure='AP'\nqueries=['a']\nby='x'\n", "line 4: protected has no key 'by'", ""),
    ("[[coverage]]\nat_least=1\nonly=['a']\n", "line 1: coverage has only, but nothing to go by", ""),
    ("[coverage]\nat_least=1\nconfidence=0.9\n", "line 3: coverage has no key 'confidence'", "at the top of the file"),
    ("mean = [{measure='AP', at_least=0}, {measure='AP'}]\n", "line 1: mean lacks at_least or at_most", ""),
    ("coverage = 3\n", "line 1: coverage must be a table that begins with [[coverage]], not 3", ""),
    ("[[coverage]]\nat_least=" + "9" * 400 + "\n", "line 2: coverage: at_least must be a share", ""),
    ("baseline = 'b.json'\n", "there is no rule in it", ""),
    ("", "there is no rule in it", ""),
    ("a = \n", "line 1: this is no TOML: Invalid value", ""),
]


class TestRules:
    @pytest.mark.parametrize(("text", "words", "advice"), RULE_ERRORS, ids=[words for _, words, _ in RULE_ERRORS])
    def test_what_cannot_be_meant_is_told_with_its_line(self, tmp_path, text, words, advice):
        (tmp_path / "gate.toml").write_text(text)
        with pytest.raises(UsageError) as wrong:
            read_rules(tmp_path / "gate.toml")
        assert f"gate.toml, {words}" in str(wrong.value) or f"gate.toml: {words}" in str(wrong.value)
        assert advice in str(wrong.value)

    def test_everything_that_can_be_said(self, tmp_path):
        (tmp_path / "gate.toml").write_text("""
            baseline = "kept/b.json"
            baseline-run = "bm25"
            queries = "queries.tsv"
            confidence = 0.9
            interval = "bca"
            inconclusive = 78
            [[not-worse]]
            measure = "AP(rel=2)"
            margin = "2.5%"
            confidence = 0.8
            by = "intent"
            only = ["a", 7]
            min-queries = 3
            [mean]
            measure = "AP"
            at_least = 0.2
        """)
        rules = read_rules(tmp_path / "gate.toml")
        assert rules.baseline == str(tmp_path / "kept" / "b.json")
        assert rules.queries == str(tmp_path / "queries.tsv")
        assert (rules.baseline_run, rules.confidence, rules.interval, rules.inconclusive) == ("bm25", 0.9, "bca", 78)
        assert rules.rules[0] == NotWorse(
            measure="AP(rel=2)", margin=Share(0.025), confidence=0.8, by="intent", only=("a", "7"), min_queries=3
        )
        assert rules.measures == ("AP(rel=2)", "AP")
        assert rules.compared == ("AP(rel=2)",)

    def test_rules_keep_the_order_of_their_lines(self, tmp_path):
        (tmp_path / "g.toml").write_text(
            "[coverage]\nat_least=1\n[[mean]]\nmeasure='AP'\nat_least=0\n[[judged]]\nat_least=1\n"
            "[[mean]]\nmeasure='RR'\nat_least=0\n"
        )
        assert [rule.kind for rule in read_rules(tmp_path / "g.toml").rules] == ["coverage", "mean", "judged", "mean"]

    def test_a_project_file_holds_them_too(self, tmp_path):
        text = "[project]\nname = 'x'\n[[tool.cranfield.gate.not_worse]]\nmeasure = 'AP'\nmargn = 0\n"
        (tmp_path / "pyproject.toml").write_text(text)
        assert find_rules(tmp_path) == str(tmp_path / "pyproject.toml")
        with pytest.raises(UsageError, match=r"pyproject\.toml, line 5: not_worse has no key 'margn'"):
            read_rules(tmp_path / "pyproject.toml")
        (tmp_path / "pyproject.toml").write_text(text.replace("margn", "margin"))
        assert len(read_rules(tmp_path / "pyproject.toml").rules) == 1

    def test_a_project_file_without_them_is_none(self, tmp_path):
        (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        assert find_rules(tmp_path) is None
        with pytest.raises(UsageError, match=r"there is no \[tool.cranfield.gate\] in it"):
            read_rules(tmp_path / "pyproject.toml")
        (tmp_path / "pyproject.toml").write_text("[project\n")
        assert find_rules(tmp_path) is None

    def test_rules_in_two_places_are_told(self, tmp_path):
        (tmp_path / "pyproject.toml").write_text("[tool.cranfield.gate.coverage]\nat_least = 1\n")
        (tmp_path / "cranfield-gate.toml").write_text("[coverage]\nat_least = 1\n")
        with pytest.raises(UsageError, match="Keep them in one of both"):
            find_rules(tmp_path)

    def test_a_file_that_is_not_there_or_no_text(self, tmp_path):
        with pytest.raises(DataError, match="there is no such file"):
            read_rules(tmp_path / "none.toml")
        (tmp_path / "bytes.toml").write_bytes(b"\xff")
        with pytest.raises(DataError, match="UTF-8"):
            read_rules(tmp_path / "bytes.toml")

    @pytest.mark.parametrize("value", ["2", "3", "256", "-1", "maybe", "", True, 2.5, None])
    def test_what_inconclusive_cannot_count_as(self, value):
        with pytest.raises(UsageError, match="inconclusive must be"):
            inconclusive_as(value)

    def test_a_mapping_says_the_same(self):
        assert rules_of({"coverage": {"at_least": 1}}) == rules_of({"coverage": [{"at_least": 1.0}]})


class TestStartingRules:
    MEASURES = ("nDCG@10", "SL", "NumRelRet", "GMAP", "P@5", "Utility")

    def results(self, run=None):
        judged = {f"q{at}": {"d1": 1 + at % 2, "d2": at % 3} for at in range(40)}
        ranked = run or {query: ["d2", "d1", "x"] for query in list(judged)[:-1]}
        return cf.evaluate(judged, {"a": ranked}, [*self.MEASURES, "Judged@10"])

    def test_the_run_itself_passes(self):
        import tomllib

        results = self.results()
        rules = tomllib.loads(starting_rules(results))
        held = gate(results, results, rules)
        assert held.verdict == "pass", held.text()
        assert {one.rule.kind for one in held.outcomes} == {"not_worse", "mean", "broken", "coverage", "judged"}

    def test_a_run_that_finds_nothing_fails(self):
        import tomllib

        results = self.results()
        nothing = self.results({"q0": ["d1"], **{f"q{at}": ["x"] for at in range(1, 40)}})
        held = gate(nothing, results, tomllib.loads(starting_rules(results)))
        assert {one.rule.kind for one in held.of("fail")} >= {"not_worse", "mean", "broken", "judged"}

    def test_names_of_any_kind_are_written_so_that_they_are_read(self):
        import tomllib

        results = replace(kept([0.5, 0.5], 'a"b\nc'), queries=('q"\\\n\x7f', "q2"))
        text = starting_rules(results, baseline='folder "x"/b.json', margin="3%", inconclusive=78)
        rules = rules_of(tomllib.loads(text))
        assert (rules.baseline, rules.inconclusive) == ('folder "x"/b.json', 78)
        assert rules.rules[0].margin == Share(0.03)
        commented = "\n".join(
            line.removeprefix("# ") if line.startswith(("# [[prot", "# measure", "# queries = [")) else line
            for line in text.splitlines()
        )
        assert tomllib.loads(commented)["protected"][0]["queries"] == ['q"\\\n\x7f']

    @pytest.mark.parametrize("mean", [0.0, 1.0, 0.123456, 0.999, 1e-7])
    def test_floors_are_below_what_was_reached(self, mean):
        import tomllib

        results = kept([mean, mean])
        assert gate(results, results, tomllib.loads(starting_rules(results))).verdict == "pass"


WIDE_RULES = {"not_worse": [{"measure": "nDCG@10", "margin": 0.5}, {"measure": "SL", "margin": 50}]}
REACHED = {"nDCG@10": (0.5, 0.6, 0.7), "SL": (5.0, 6.0, 7.0)}


class TestRatchet:
    def ratchet(self, new, rules=None, **options):
        return ratcheted(gate(kept(new), kept(REACHED, "old"), rules or WIDE_RULES, **options))

    def test_what_is_better_is_raised_and_what_is_worse_stays(self):
        found = self.ratchet({"nDCG@10": (0.6, 0.7, 0.8), "SL": (6.0, 6.0, 7.0)})
        assert found.changed
        assert found.results.mean("nDCG@10", "old").value == pytest.approx(0.7)
        assert found.results.mean("SL", "old").value == 6
        assert found.lines("b.json") == [
            "Baseline b.json: updated.",
            "  nDCG@10 0.6000 → 0.7000, better",
            "  SL stays at 6.0000: the run has 6.3333, which is worse",
        ]
        assert found.results.provenance.runs[0].raised == {"nDCG@10": ScoreSource("new", "new.run", None)}

    def test_where_all_is_better_the_run_takes_the_place_of_the_baseline(self):
        found = self.ratchet({"nDCG@10": (0.6, 0.7, 0.8), "SL": (4.0, 6.0, 7.0)})
        assert found.results.runs == ("new",)
        assert not found.results.provenance.runs[0].raised

    def test_queries_keep_their_order(self):
        new = kept({"nDCG@10": (0.9, 0.7, 0.6)}, queries=("q2", "q1", "q0"))
        old = kept({"nDCG@10": (0.5, 0.6, 0.7)}, "old")
        found = ratcheted(gate(new, old, {"not_worse": {**NDCG, "margin": 0.5}}))
        assert found.results.queries == ("q0", "q1", "q2")
        assert found.results.values[0, 0].tolist() == [0.6, 0.7, 0.9]

    def test_nothing_changes_with_the_same_scores(self):
        found = self.ratchet(REACHED)
        assert not found.changed
        assert found.lines("b.json")[0] == "Baseline b.json: as it was."

    @pytest.mark.parametrize("margin", [0.01, 0.001])
    def test_only_a_run_that_passes_raises_it(self, margin):
        rules = {"not_worse": {**NDCG, "margin": margin}, "mean": {"measure": "SL", "at_most": 1}}
        found = self.ratchet({"nDCG@10": (0.9, 0.9, 0.9), "SL": (1.0, 1.0, 9.0)}, rules)
        assert not found.changed
        assert found.lines("b.json") == [
            "Baseline b.json: not touched, because the verdict is fail; only a run that passes raises it."
        ]

    def test_other_judgments_raise_nothing(self):
        new = kept({"nDCG@10": (0.9, 0.9, 0.9)}, judged="other")
        held = gate(
            new,
            kept({"nDCG@10": (0.5, 0.5, 0.5)}, "old"),
            {"not_worse": {**NDCG, "margin": 0}},
            allow_different_judgments=True,
        )
        assert held.verdict == "pass"
        assert not ratcheted(held).changed
        assert "other judgments" in ratcheted(held).refused

    def test_a_measure_that_the_run_lacks_stays(self):
        found = ratcheted(
            gate(kept({"nDCG@10": (0.9, 0.9, 0.9)}), kept(REACHED, "old"), {"not_worse": {**NDCG, "margin": 0}})
        )
        assert found.results.mean("SL", "old").value == 6
        assert "SL stays at 6.0000: the run was not measured by it" in found.lines("b")[2]

    def test_without_a_baseline_there_is_nothing_to_raise(self):
        with pytest.raises(UsageError, match="none to raise"):
            ratcheted(gate(kept([1]), rules={"mean": {**NDCG, "at_least": 0}}))

    def test_everything_as_plain_values(self):
        plain = self.ratchet({"nDCG@10": (0.6, 0.7, 0.8), "SL": (6.0, 6.0, 7.0)}).to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        assert [step["fate"] for step in plain["measures"]] == ["raised", "kept"]

    scores = st.lists(st.integers(0, 10).map(lambda tenths: tenths / 10), min_size=4, max_size=4)

    @given(
        st.lists(st.fixed_dictionaries({"nDCG@10": scores, "SL": scores}), min_size=1, max_size=6), st.integers(0, 9)
    )
    def test_no_sequence_of_runs_ever_lowers_it(self, runs, margin):
        rules = {"not_worse": [{"measure": name, "margin": margin / 10} for name in ("nDCG@10", "SL")]}
        baseline = kept(runs[0], "first")
        for number, scores in enumerate(runs[1:]):
            held = gate(kept(scores, f"run{number}"), baseline, rules)
            found = ratcheted(held)
            for measure, sign in (("nDCG@10", 1), ("SL", -1)):
                before, after = (part.mean(measure, part.runs[0]).value for part in (baseline, found.results))
                assert sign * after >= sign * before
            assert not found.changed or held.verdict == "pass"
            baseline = found.results


numbers = st.integers(0, 10).map(lambda tenths: tenths / 10)


@st.composite
def situations(draw):
    """Scores of two runs for queries with any ids, and rules of every kind."""
    count = draw(st.integers(1, 6))
    ids = draw(
        st.lists(
            st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=8), min_size=count, max_size=count, unique=True
        )
    )
    scores = st.lists(numbers | st.just(math.nan), min_size=count, max_size=count)
    measures = ("nDCG@10", "SL")
    new, old = ({measure: draw(scores) for measure in measures} for _ in range(2))
    silent = draw(st.lists(st.sampled_from(ids), unique=True))
    by = draw(st.sampled_from([{}, {"by": "kind"}]))
    rule = {
        "not_worse": st.fixed_dictionaries({"measure": st.sampled_from(measures), "margin": numbers}),
        "mean": st.sampled_from([{**NDCG, "at_least": 0.5}, {"measure": "SL", "at_most": 0.5}]),
        "broken": st.fixed_dictionaries(
            {"measure": st.sampled_from(measures), "drop": numbers, "at_most": st.integers(0, 2)}
        ),
        "coverage": st.fixed_dictionaries({"at_least": numbers}),
    }
    kinds = draw(st.lists(st.sampled_from(list(rule)), min_size=1, max_size=4, unique=True))
    rules = {kind: [{**one, **by} for one in draw(st.lists(rule[kind], min_size=1, max_size=3))] for kind in kinds}
    rules["inconclusive"] = draw(st.sampled_from(["pass", "fail", 0, 1, 78, 255]))
    columns = {query: {"kind": draw(st.sampled_from(["a", "b|c\n", ""]))} for query in ids}
    return kept(new, "new", queries=ids, silent=silent), kept(old, "old", queries=ids), rules, columns


def held_in(situation):
    new, old, rules, columns = situation
    return gate(new, old, rules, queries=columns)


class TestLaws:
    @given(situations())
    def test_verdict_exit_code_and_every_output_agree(self, situation):
        held = held_in(situation)
        said = held.verdict.upper()
        assert held.text().startswith(f"{said}: ")
        assert f"(exit {held.exit_code})" in " ".join(held.text().split("\n\n")[0].split("\n"))
        assert held.to_dict()["verdict"] == held.verdict
        assert held.to_dict()["exit_code"] == held.exit_code
        assert said in held.markdown().split("\n")[0]
        failures = int(ElementTree.fromstring(held.junit()).get("failures"))
        assert (failures > 0) == (held.exit_code != 0)
        errors = [line for line in held.annotations() if line.startswith("::error ")]
        assert bool(errors) == (held.exit_code != 0)
        verdicts = {one.verdict for one in held.outcomes}
        assert held.verdict == (
            "fail" if "fail" in verdicts else "inconclusive" if "inconclusive" in verdicts else "pass"
        )
        assert held.exit_code == {"pass": 0, "fail": 1}.get(held.verdict, held.inconclusive_code)

    @given(situations())
    def test_the_same_in_gives_the_same_out(self, situation):
        one, two = held_in(situation), held_in(situation)
        for form in ("text", "markdown", "junit", "annotations", "to_dict", "_repr_html_"):
            assert str(getattr(one, form)()) == str(getattr(two, form)())

    @given(situations(), st.integers(0, 5))
    def test_the_order_of_queries_does_not_matter(self, situation, seed):
        new, old, rules, columns = situation
        order = list(new.queries)
        random.Random(seed).shuffle(order)
        one, two = held_in(situation), gate(new.only(order), old, rules, queries=columns)
        for before, after in zip(one.outcomes, two.outcomes, strict=True):
            assert (before.verdict, before.slice, before.queries) == (after.verdict, after.slice, after.queries)
            assert (before.value, before.low) == pytest.approx((after.value, after.low), nan_ok=True)

    @given(situations())
    def test_a_better_run_never_gets_a_worse_verdict_on_its_mean_or_its_queries(self, situation):
        new, old, rules, columns = situation
        rules = {kind: rule for kind, rule in rules.items() if kind != "not_worse"} | {
            "mean": {**NDCG, "at_least": 0.5}
        }
        better = replace(new, values=np.where(np.array([1, 0])[:, None, None], new.values + 0.1, new.values))
        order = ["fail", "inconclusive", "pass"]
        before, after = (gate(one, old, rules, queries=columns) for one in (new, better))
        for one, two in zip(before.outcomes, after.outcomes, strict=True):
            assert order.index(two.verdict) >= order.index(one.verdict)

    @given(st.lists(numbers, min_size=2, max_size=12), st.lists(numbers, min_size=12, max_size=12), st.integers(0, 8))
    def test_a_wider_margin_never_gets_a_worse_verdict(self, new, old, margin):
        order = ["fail", "inconclusive", "pass"]
        one, two = (verdict(new, old[: len(new)], {"margin": m / 10}) for m in (margin, margin + 1))
        assert order.index(two) >= order.index(one)

    @given(st.lists(numbers, min_size=2, max_size=12), st.lists(numbers, min_size=12, max_size=12), st.integers(0, 8))
    def test_printed_numbers_lie_on_the_side_of_their_limit_that_the_verdict_says(self, new, old, margin):
        held = hold(new, old[: len(new)], {"margin": margin / 10})
        row = next(line for line in held.text().split("\n") if "not worse" in line)
        limit = float(row.split("≥")[1].split()[0])
        low, high = (float(row.split()[at]) for at in (-3, -1))
        assert held.verdict == ("pass" if low >= limit else "fail" if high < limit else "inconclusive")


class TestHostileContent:
    """What stands in somebody's files stays text, whatever it looks like."""

    def held(self):
        count = len(HOSTILE)
        columns = {query: {"<b>|`": value} for query, value in zip(HOSTILE, reversed(HOSTILE), strict=True)}
        new = kept([0.0] * count, "new|\n<run>", queries=HOSTILE, silent=HOSTILE)
        old = kept([0.9] * count, "::old::`", queries=HOSTILE)
        rules = {
            "not_worse": [{**NDCG, "margin": 0.1}, {**NDCG, "margin": 0.1, "by": "<b>|`"}],
            "broken": [{**NDCG, "drop": 0.1, "at_most": 0, "by": "<b>|`", "only": [value]} for value in HOSTILE],
            "protected": [{**NDCG, "queries": [query]} for query in HOSTILE],
            "coverage": {"at_least": 1},
        }
        return gate(new, old, rules, queries=columns)

    def test_markdown_has_the_cells_it_should_have(self):
        held = self.held()
        tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(held.markdown())
        kinds = [token.type for token in tokens]
        assert kinds.count("table_open") == 1
        assert kinds.count("tr_open") == 1 + len(held.outcomes)
        assert kinds.count("td_open") == 6 * len(held.outcomes)
        assert "html_block" not in kinds
        inline = [child for token in tokens if token.type == "inline" for child in token.children]
        assert {child.type for child in inline} <= {"text", "code_inline", "html_inline", "softbreak"}
        assert {child.content for child in inline if child.type == "html_inline"} <= {"<code>", "</code>"}

    def test_markdown_shows_ids_as_they_are(self):
        for hostile in HOSTILE:
            rendered = MarkdownIt("commonmark").render(f"a {marked_up(shown_id(hostile))} b")
            assert _text_of(rendered) == f"a {shown_id(hostile)} b"
            rendered = MarkdownIt("commonmark", {"html": True}).render(f"a {code(hostile)} b")
            assert _text_of(rendered) == f"a {shown_id(hostile)} b"

    def test_junit_is_xml_with_a_case_for_each_rule(self):
        held = self.held()
        cases = list(ElementTree.fromstring(held.junit().encode()).iter("testcase"))
        assert [case.get("name") for case in cases] == [one.label for one in held.outcomes]
        assert all(
            case.find("failure").text == one.sentence()
            for case, one in zip(cases, held.outcomes, strict=True)
            if one.verdict == "fail"
        )

    def test_annotations_are_a_line_each_and_no_more_than_are_shown(self):
        lines = self.held().annotations()
        assert all(len(line.splitlines()) == 1 for line in lines)
        for line in lines:
            command, title, message = line.split("::", 2)[1].split(" ", 1)[0], line.split("::", 2)[1], line
            assert command in ("error", "warning")
            assert title.startswith(f"{command} title=cranfield gate%3A ")
            assert "," not in title
            assert message.isprintable()
        assert 1 < len(lines) <= 20

    def test_no_line_of_text_is_a_command_to_anyone(self):
        for width in (40, 80, 120):
            text = self.held().text(width)
            assert all(line.isprintable() and not line.strip().startswith("::") for line in text.split("\n"))

    def test_json_holds_ids_as_they_are(self):
        plain = json.loads(json.dumps(self.held().to_dict(), allow_nan=False))
        assert {one["query"] for one in plain["rules"][0]["responsible"]} == set(HOSTILE)

    def test_the_notebook_shows_no_markup_of_others(self):
        shown = self.held()._repr_html_()
        assert "<script" not in shown
        assert "<run>" not in shown


def _text_of(html):
    from html import unescape
    from re import sub

    return unescape(sub("<[^>]*>", "", html)).strip()


class TestShown:
    def test_verdict_then_a_line_for_each_rule_then_what_to_know(self):
        old, new = [0.5] * 9, [0.4, 0.3, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4, 0.1]
        text = hold(new, old, {"margin": 0.02}).text()
        assert text == (
            "FAIL: new against the baseline old, 9 queries: 1 of 1 rule fails (exit 1)\n"
            "\n"
            "verdict  rule                 value      limit            interval\n"
            "──────────────────────────────────────────────────────────────────\n"
            "FAIL     nDCG@10 not worse  -0.1389  ≥ -0.0200  -0.2199 to -0.0579\n"
            "         0.5000 → 0.3611, 9 queries. Worse: q8 0.50 → 0.10, q1 0.50 → 0.30, q0 0.50 → 0.40 and 6\n"
            "         more.\n"
            "\n"
            "Not worse: pass where the 95 % interval of the difference (Student's t, paired by query) lies within\n"
            "the limit, fail where it lies beyond, else inconclusive."
        )

    @pytest.mark.parametrize("width", [60, 80, 120])
    def test_lines_fit(self, width):
        old, new = [0.5] * 9, [0.4, 0.3, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4, 0.1]
        text = hold(new, old, {"margin": 0.02}).text(width)
        assert max(map(len, text.split("\n"))) <= width

    def test_more_digits_where_rounding_would_hide_the_verdict(self):
        held = gate(kept([0.49996, 0.49996]), rules={"mean": {**NDCG, "at_least": 0.5}})
        assert "0.49996   ≥ 0.50000" in " ".join(held.text().split("\n")).replace("  ≥", "   ≥")

    def test_sentences_say_what_was_found_and_what_is_allowed(self):
        old, new = [0.5] * 9, [0.4, 0.3, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4, 0.1]
        assert hold(new, old, {"margin": 0.02}).outcomes[0].sentence() == (
            "nDCG@10 is worse by 0.1389 (0.5000 → 0.3611, 9 queries), with 95 % confidence by at least 0.0579, where "
            "0.0200 is allowed. Worse: q8 0.50 → 0.10, q1 0.50 → 0.30, q0 0.50 → 0.40, q3 0.50 → 0.40, q4 0.50 → 0.40 "
            "and 4 more."
        )
        assert hold(old, new, {"margin": 0.02}).outcomes[0].sentence() == (
            "nDCG@10 is better by 0.1389 (0.3611 → 0.5000, 9 queries), with 95 % confidence not worse at all, where "
            "0.0200 is allowed."
        )

    def test_a_notebook_shows_a_table(self):
        assert "<table" in hold([0.5, 0.5], [0.5, 0.5], {"margin": 0})._repr_html_()

    def test_everything_as_plain_values(self):
        plain = hold([0.4, 0.5, 0.1], [0.5, 0.5, 0.5], {"margin": 0.02}).to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        rule = plain["rules"][0]
        assert (rule["rule"], rule["measure"], rule["limit"], rule["queries"]) == ("not_worse", "nDCG@10", -0.02, 3)
        assert rule["responsible"][0] == {"query": "q2", "score": 0.1, "baseline": 0.5}

    def test_many_failing_rules_become_ten_annotations(self):
        rules = {"mean": [{**NDCG, "at_least": 0.6 + at / 100} for at in range(25)]}
        lines = gate(kept([0.5, 0.5]), rules=rules).annotations()
        assert len(lines) == 10
        assert lines[-1].startswith("::error title=cranfield gate%3A 16 more rules did not pass::")
