"""A run is compared with a baseline by rules: what passes, what fails, and what is inconclusive."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cranfield as cf
from cranfield.comparing import detectable_difference
from cranfield.errors import DataError, UsageError
from cranfield.evaluating.scores import RunFacts, constant
from cranfield.evaluating.settings import Settings
from cranfield.gating import gate
from cranfield.measures.definition import TABLE
from tests.gating.saved_results import HOSTILE, NDCG, hold, kept, verdict


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
        assert held.decision == "inconclusive"
        assert "a single query shows no variance" in held.text()
        assert verdict([0.9], [0.9], {"margin": 0.05}) == "pass"

    def test_nothing_to_compare_is_inconclusive(self):
        held = hold([math.nan, math.nan], [1, 2], {"margin": 1}, measure="SL")
        assert held.decision == "inconclusive"
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
        assert f"would pass 80% of the time at a margin of {outcome.detectable:.4f};" in outcome.sentence()

    def test_inconclusive_says_why_although_the_run_is_better(self):
        outcome = hold(self.shifted(0.01, 0.1), self.OLD, {"margin": 0.02}).outcomes[0]
        assert outcome.verdict == "inconclusive"
        assert (
            "The mean is better on these queries, but they are too few or vary too much: a loss of up to "
            f"{-outcome.low:.4f} cannot be ruled out, and the rule allows 0.0200."
        ) in outcome.sentence()

    def test_inconclusive_says_where_it_surely_is_worse(self):
        outcome = hold(self.shifted(-0.05), self.OLD, {"margin": 0.05}).outcomes[0]
        assert "It is worse, but not provably by more than the margin." in outcome.sentence()


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
        with pytest.raises(UsageError, match=f"is better, so the rule needs {right}, not {key}"):
            verdict([1, 1], [1, 1], {key: 1}, kind="mean", measure=measure)

    def test_it_needs_no_baseline(self):
        held = gate(kept([0.5, 0.5]), rules={"mean": {**NDCG, "at_least": 0.4}})
        assert held.decision == "pass"
        assert held.baseline is None
        assert "against" not in held.text()

    def test_without_a_baseline_the_lowest_queries_are_named(self):
        held = gate(kept([0.5, 0.1, 0.3]), rules={"mean": {**NDCG, "at_least": 0.4}})
        assert "Lowest: q1 0.10, q2 0.30, q0 0.50." in held.text()

    def test_no_value_is_inconclusive(self):
        held = gate(kept([math.nan], measure="SL"), rules={"mean": {"measure": "SL", "at_most": 4}})
        assert held.decision == "inconclusive"


class TestBroken:
    OLD = (0.9, 0.8, 0.7, 0.6)

    def test_so_many_may_break(self):
        new = (0.1, 0.1, 0.7, 0.6)
        assert verdict(new, self.OLD, {"drop": 0.5, "at_most": 2}, kind="broken") == "pass"
        held = hold(new, self.OLD, {"drop": 0.5, "at_most": 1}, kind="broken")
        assert held.decision == "fail"
        assert [one.query for one in held.outcomes[0].moved] == ["q0", "q1"]

    def test_a_drop_of_exactly_so_much_does_not_break(self):
        assert verdict((0.7, 0.6), (0.8, 0.9), {"drop": 0.3, "at_most": 0}, kind="broken") == "pass"

    def test_a_share_of_the_queries_may_break(self):
        new = (0.1, 0.8, 0.7, 0.6)
        assert verdict(new, self.OLD, {"drop": 0.5, "at_most": "25%"}, kind="broken") == "pass"
        assert verdict(new, self.OLD, {"drop": 0.5, "at_most": "24%"}, kind="broken") == "fail"

    def test_a_query_without_a_score_any_more_is_broken(self):
        held = hold([3, math.nan], [3, 2], {"drop": 5, "at_most": 0}, kind="broken", measure="SL")
        assert held.decision == "fail"
        assert "q1 2.00 → none" in held.text()

    def test_protected_queries_must_not_break(self):
        new = (0.89, 0.1, 0.7, 0.6)
        assert verdict(new, self.OLD, {"queries": ["q2", "q3"]}, kind="protected") == "pass"
        assert verdict(new, self.OLD, {"queries": ["q0"]}, kind="protected") == "fail"
        assert verdict(new, self.OLD, {"queries": ["q0"], "drop": 0.05}, kind="protected") == "pass"

    def test_a_protected_query_that_nobody_judged_is_told(self):
        with pytest.raises(DataError, match=r"q01 is protected by a rule, but is not.*\nDid you mean q1 or q0\?"):
            verdict(self.OLD, self.OLD, {"queries": ["q01"]}, kind="protected")


class TestCoverageAndJudged:
    def test_the_share_of_answered_queries(self):
        new = kept([0, 1, 1, 1], silent=["q0"])
        assert gate(new, rules={"coverage": {"at_least": 0.75}}).decision == "pass"
        held = gate(new, rules={"coverage": {"at_least": "76%"}})
        assert held.decision == "fail"
        assert "No documents for q0." in held.text()

    def test_results_that_do_not_say_who_was_answered_are_inconclusive(self):
        new = kept([0, 1])
        new = replace(new, provenance=replace(new.provenance, runs=(RunFacts(),)))
        assert gate(new, rules={"coverage": {"at_least": 0.5}}).decision == "inconclusive"

    def test_the_share_of_judged_documents(self):
        new = kept([0.5, 1.0], measure="Judged@5")
        assert gate(new, rules={"judged": {"at": 5, "at_least": 0.75}}).decision == "pass"
        assert gate(new, rules={"judged": {"at": 5, "at_least": 0.76}}).decision == "fail"

    def test_that_of_the_first_ten_is_always_known(self):
        new = kept([1.0, 1.0], find_judged_at_10=constant(0.8))
        assert gate(new, rules={"judged": {"at_least": 0.8}}).decision == "pass"
        assert gate(new, rules={"judged": {"at_least": 0.81}}).decision == "fail"
        with pytest.raises(UsageError, match="Judged@5 was not measured"):
            gate(new, rules={"judged": {"at": 5, "at_least": 0.81}})


THREE_RULES = {"mean": [{**NDCG, "at_least": 0.4}, {**NDCG, "at_least": 0.6}], "not_worse": {**NDCG, "margin": 0.01}}


class TestTogether:
    def held(self, inconclusive="pass", **rules):
        chosen = {"inconclusive": inconclusive, **(rules or THREE_RULES)}
        return gate(kept([0.5, 0.4]), kept([0.5, 0.5], "old"), chosen)

    def test_one_failure_fails_all(self):
        assert (self.held().decision, self.held().exit_code) == ("fail", 1)
        assert self.held(inconclusive=78).exit_code == 1

    def test_without_failure_one_inconclusive_rule_makes_it_inconclusive(self):
        rules = {"mean": {**NDCG, "at_least": 0.4}, "not_worse": {**NDCG, "margin": 0.01}}
        held = [self.held(inconclusive=chosen, **rules) for chosen in ("pass", "fail", 78, 0, 1)]
        assert {one.decision for one in held} == {"inconclusive"}
        assert [one.exit_code for one in held] == [0, 1, 78, 0, 1]
        assert "which counts as a pass (exit 0)" in held[0].verdict()
        assert "which counts as a fail (exit 1)" in held[1].verdict()
        assert "which counts as neither pass nor fail (exit 78)" in held[2].verdict()

    def test_the_worst_come_first(self):
        assert [one.verdict for one in self.held().worst_first] == ["fail", "inconclusive", "pass"]

    def test_results_are_taken_in_every_form(self, tmp_path):
        judged, run = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": ["d1"], "q2": ["d1"]}
        scores = cf.evaluate(judged, {"a": run}, "RR")
        cf.save(scores, tmp_path / "a.json")
        rules = {"not_worse": {"measure": "RR", "margin": 0}}
        for form in (scores, cf.load(tmp_path / "a.json"), tmp_path / "a.json", str(tmp_path / "a.json")):
            assert gate(form, form, rules).decision == "pass"

    def test_one_of_several_runs_is_named(self):
        judged = {"q1": {"d1": 1}, "q2": {"d1": 1}}
        good, bad = {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["x", "d1"], "q2": ["x", "d1"]}
        scores = cf.evaluate(judged, {"good": good, "bad": bad}, "RR")
        rules = {"not_worse": {"measure": "RR", "margin": 0.1}}
        with pytest.raises(
            UsageError, match=r"There are 2 runs in the results: good, bad\.\nName one of them: run=NAME"
        ):
            gate(scores, scores, rules)
        assert gate(scores, scores, rules, run="bad", baseline_run="good").decision == "fail"
        assert gate(scores, scores, {**rules, "baseline_run": "bad"}, run="good").decision == "pass"

    def test_the_file_names_the_baseline(self, tmp_path):
        cf.save(kept([0.5, 0.5], "old"), tmp_path / "cranfield-baseline.json")
        (tmp_path / "gate.toml").write_text('[not_worse]\nmeasure = "nDCG@10"\nmargin = 0.1\n')
        assert gate(kept([0.5, 0.5]), rules=tmp_path / "gate.toml").decision == "pass"

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
        with pytest.raises(
            UsageError, match=r"RR is not in the baseline, which has nDCG@10.*\n.*pytest --cranfield-update"
        ):
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
        assert gate(tmp_path / "a.json", tmp_path / "a.json", rules).decision == "pass"

    def test_other_judgments_are_refused_with_what_differs_unless_told(self):
        new, old = kept([0.5, 0.5]), kept([0.5, 0.5, 0.1], "old", judged="other")
        rules = {"not_worse": {**NDCG, "margin": 0}}
        with pytest.raises(DataError, match=r"queries only in the baseline: 1 \(q2\)") as refused:
            gate(new, old, rules)
        assert "cranfield.save(scores, PATH), or pytest --cranfield-update" in str(refused.value)
        assert "allow_different_judgments=True" in str(refused.value)
        held = gate(new, old, rules, allow_different_judgments=True)
        assert held.decision == "pass"
        assert "Compared with the baseline on the 2 queries that both judgments have." in held.text()

    def test_other_settings_are_refused(self):
        new = kept([0.5])
        new = replace(new, provenance=replace(new.provenance, settings=(Settings(depth=5),)))
        with pytest.raises(DataError, match="depth is 5 here and not set there"):
            gate(new, kept([0.5], "old"), {"not_worse": {**NDCG, "margin": 0}})


numbers = st.integers(0, 10).map(lambda tenths: tenths / 10)


@st.composite
def situations(draw):
    """Scores of two runs for queries with any ids, and rules of every kind."""
    count = draw(st.integers(1, 6))
    ids = draw(
        st.lists(
            st.sampled_from(HOSTILE)
            | st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8),
            min_size=count,
            max_size=count,
            unique=True,
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
        said = held.decision.upper()
        assert held.text().startswith(f"{said}: ")
        assert f"(exit {held.exit_code})" in " ".join(held.text().split("\n\n")[0].split("\n"))
        assert held.to_dict()["verdict"] == held.decision
        assert held.to_dict()["exit_code"] == held.exit_code
        assert said in held.markdown().split("\n")[0]
        failures = int(ElementTree.fromstring(held.junit()).get("failures"))
        assert (failures > 0) == (held.exit_code != 0)
        errors = [line for line in held.annotations() if line.startswith("::error ")]
        assert bool(errors) == (held.exit_code != 0)
        verdicts = {one.verdict for one in held.outcomes}
        assert held.decision == (
            "fail" if "fail" in verdicts else "inconclusive" if "inconclusive" in verdicts else "pass"
        )
        assert held.exit_code == {"pass": 0, "fail": 1}.get(held.decision, held.inconclusive_code)

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
        assert held.decision == ("pass" if low >= limit else "fail" if high < limit else "inconclusive")
