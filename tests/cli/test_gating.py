"""What `gate`, `gate init` and `gate update` share."""

import click
import pytest

from cranfield.cli.gating import GateInput, RuleChoices, margin_of, measures_of, rule_of
from cranfield.cli.inputs import EvaluationChoices, Inputs
from cranfield.errors import DataError, UsageError
from cranfield.gating import rules_of

NOTHING = RuleChoices(None, None, None, (), None, None, None, allow_different_judgments=False)


def given(*files, **chosen):
    return GateInput(files, None, Inputs(None, None, ()), EvaluationChoices(**chosen), quiet=True)


def test_a_margin_is_a_number_or_a_share():
    assert margin_of("0.02") == 0.02
    assert margin_of("2%") == "2%"


def test_a_margin_is_one_rule_for_each_measure():
    assert [(rule.measure, rule.margin) for rule in rule_of(["AP", "RR"], "0.02").rules] == [("AP", 0.02), ("RR", 0.02)]


def test_the_measures_of_rules_are_each_asked_for_once():
    rules = rules_of({"not_worse": [{"measure": name, "margin": 0.1} for name in ("AP", "RR", "AP")]})
    assert [str(measure) for measure in measures_of(rules, {})] == ["AP", "RR"]
    assert [str(measure) for measure in measures_of(rules, {"rel": 2})] == ["AP(rel=2)", "RR(rel=2)"]


def test_a_rule_is_about_one_measure():
    with pytest.raises(UsageError, match="'AP,RR' names 2 measures; give one"):
        measures_of(rules_of({"not_worse": [{"measure": "AP,RR", "margin": 0.1}]}), {})


def test_without_rules_nothing_is_tested(folder):
    with pytest.raises(UsageError, match="There are no rules"):
        NOTHING.chosen()


def test_judgments_and_one_run_are_needed(folder):
    given("qrels.txt", "bm25.run").require_one_run()
    with pytest.raises(click.UsageError, match="One run is compared"):
        given("qrels.txt", "bm25.run", "bm25.run").require_one_run()
    with pytest.raises(click.UsageError, match="holds no saved results"):
        given("qrels.txt").require_one_run()
    with pytest.raises(DataError, match="there is no such file"):
        given("none.json").require_one_run()


def test_saved_results_take_no_settings(begun):
    given("cranfield-baseline.json").require_one_run()
    with pytest.raises(click.UsageError, match="leave out --level, --judged-only"):
        given("cranfield-baseline.json", rel=2, judged_only=True).require_one_run()
