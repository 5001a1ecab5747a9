"""A baseline that only rises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.evaluating.scores import ScoreSource
from cranfield.gating import gate, ratcheted
from tests.gating.saved_results import NDCG, kept

WIDE_RULES = {"not_worse": [{"measure": "nDCG@10", "margin": 0.5}, {"measure": "SL", "margin": 50}]}
REACHED = {"nDCG@10": (0.5, 0.6, 0.7), "SL": (5.0, 6.0, 7.0)}


class TestRatchet:
    def ratchet(self, new, rules=None, **options):
        return ratcheted(
            gate(kept(new), kept(REACHED, "old"), {"baseline": "b.json", **(rules or WIDE_RULES)}, **options)
        )

    def test_what_is_better_is_raised_and_what_is_worse_stays(self):
        found = self.ratchet({"nDCG@10": (0.6, 0.7, 0.8), "SL": (6.0, 6.0, 7.0)})
        assert found.changed
        assert found.results.mean("nDCG@10", "old").value == pytest.approx(0.7)
        assert found.results.mean("SL", "old").value == 6
        assert found.verdict().endswith("Baseline b.json: updated.")
        assert list(found.table().rows) == [
            ("nDCG@10", "0.6000 → 0.7000", pytest.approx(0.7), "better"),
            ("SL", "6.0000", pytest.approx(19 / 3), "unchanged: the run is worse"),
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
        assert found.state == "Baseline b.json: unchanged."

    @pytest.mark.parametrize("margin", [0.01, 0.001])
    def test_only_a_run_that_passes_raises_it(self, margin):
        rules = {"not_worse": {**NDCG, "margin": margin}, "mean": {"measure": "SL", "at_most": 1}}
        found = self.ratchet({"nDCG@10": (0.9, 0.9, 0.9), "SL": (1.0, 1.0, 9.0)}, rules)
        assert not found.changed
        assert found.verdict().startswith("FAIL: ")
        assert found.state == (
            "Baseline b.json: unchanged, because the verdict is fail; only a run that passes raises it."
        )

    def test_other_judgments_raise_nothing(self):
        new = kept({"nDCG@10": (0.9, 0.9, 0.9)}, judged="other")
        held = gate(
            new,
            kept({"nDCG@10": (0.5, 0.5, 0.5)}, "old"),
            {"not_worse": {**NDCG, "margin": 0}},
            allow_different_judgments=True,
        )
        assert held.decision == "pass"
        assert not ratcheted(held).changed
        assert "other judgments" in ratcheted(held).refused

    def test_a_measure_that_the_run_lacks_stays(self):
        found = ratcheted(
            gate(kept({"nDCG@10": (0.9, 0.9, 0.9)}), kept(REACHED, "old"), {"not_worse": {**NDCG, "margin": 0}})
        )
        assert found.results.mean("SL", "old").value == 6
        assert list(found.table().rows)[1][3] == "unchanged: the run was not measured by it"

    def test_without_a_baseline_there_is_nothing_to_raise(self):
        with pytest.raises(UsageError, match="no baseline to update"):
            ratcheted(gate(kept([1]), rules={"mean": {**NDCG, "at_least": 0}}))

    def test_everything_as_plain_values(self):
        plain = self.ratchet({"nDCG@10": (0.6, 0.7, 0.8), "SL": (6.0, 6.0, 7.0)}).to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        assert [step["fate"] for step in plain["update"]["measures"]] == ["raised", "kept"]
        assert plain["verdict"] == "pass"

    def test_programs_get_rules_and_measures(self):
        rows = self.ratchet({"nDCG@10": (0.6, 0.7, 0.8), "SL": (6.0, 6.0, 7.0)}).rows()
        found = list(zip(*(rows.columns[name] for name in ("verdict", "rule", "measure")), strict=True))
        assert found[-2:] == [("raised", "baseline", "nDCG@10"), ("unchanged", "baseline", "SL")]

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
            assert not found.changed or held.decision == "pass"
            baseline = found.results
