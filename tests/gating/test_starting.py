"""Rules to start with."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cranfield as cf
from cranfield.gating import gate, rules_of, starting_rules
from cranfield.gating.rules import Share
from tests.gating.saved_results import kept


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
        assert held.decision == "pass", held.text()
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
        assert gate(results, results, tomllib.loads(starting_rules(results))).decision == "pass"
