"""A rule for each slice of the queries."""

from __future__ import annotations

import pytest

from cranfield.errors import DataError, UsageError
from cranfield.gating import gate
from tests.gating.saved_results import NDCG, hold, kept, verdict

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
            (
                INTENTS,
                {"by": "intent", "only": ["z"]},
                "which no judged query has; known: a, b",
            ),
            ({"x": {"intent": "a"}}, {"by": "intent"}, "has none of the evaluated queries: those are q0"),
        ],
    )
    def test_what_cannot_be_is_told(self, columns, rule, words):
        with pytest.raises((UsageError, DataError), match=words):
            hold(self.NEW, self.OLD, {"margin": 0, **rule}, queries=columns)
