import pytest

from cranfield import errors
from cranfield.errors import gate
from cranfield.phrases import command_line


def test_a_wrong_rule_is_found_by_file_and_line():
    error = gate.wrong_rule("gate.toml", 3, "what is wrong", "What to do.")
    assert isinstance(error, errors.UsageError)
    assert str(error) == "gate.toml, line 3: what is wrong\nWhat to do."


def test_an_unknown_key_is_answered_with_the_nearest():
    error = gate.unknown_rule_key("gate.toml", 3, "not_worse", "margn", ["measure", "margin"])
    assert "not_worse has no key 'margn'; it has measure, margin" in str(error)
    assert "Did you mean margin?" in str(error)


def test_an_unknown_rule_is_told_from_an_unknown_key():
    assert "there is no rule or setting 'not_wrse'" in str(gate.unknown_rule_key(None, 1, "", "not_wrse", ["mean"]))


def test_missing_and_contradicting_keys_are_named():
    assert "not_worse needs margin or factor" in str(gate.missing_rule_key(None, 1, "not_worse", ["margin", "factor"]))
    assert "mean has both min and max" in str(gate.contradicting_rule_keys(None, 1, "mean", ["min", "max"]))


def test_a_wrong_value_comes_with_what_it_must_be():
    error = gate.wrong_rule_value("gate.toml", 3, "mean", "min", "a number", "high")
    assert str(error) == "gate.toml, line 3: mean: min must be a number, not 'high'"


def test_a_file_without_rules_comes_with_one_to_copy():
    assert "[[not_worse]]" in str(gate.no_rules_in("gate.toml"))


@pytest.mark.parametrize("kind", ["different-judgments", "different-settings"])
def test_a_run_that_does_not_fit_its_baseline_comes_with_how_to_write_the_baseline_again(kind):
    given = errors.Finding("error", kind, "was measured otherwise", "Other advice.")
    finding = gate.between_run_and_baseline(given)
    assert finding.path == "this run"
    assert "cranfield.save(scores, PATH), or pytest --cranfield-update" in finding.advice
    with command_line():
        assert "cranfield gate init --force QRELS RUN" in gate.between_run_and_baseline(given).advice


def test_other_findings_between_run_and_baseline_keep_their_advice():
    finding = gate.between_run_and_baseline(errors.Finding("error", "no-common-query", "message", "Other advice."))
    assert finding.advice == "Other advice."


def test_a_measure_that_the_baseline_lacks_is_answered_with_the_nearest():
    error = gate.not_in_baseline("nDCG@1", "base.json", ["nDCG@10", "AP"])
    assert str(error).startswith("nDCG@1 is not in the baseline base.json, which has nDCG@10, AP. Did you mean nDCG@10")


def test_several_runs_are_counted_and_named():
    assert str(gate.several_runs("a.json", ["x", "y"], "--run NAME")).startswith("There are 2 runs in a.json: x, y.")


def test_a_file_is_never_overwritten_silently():
    assert str(gate.would_overwrite("base.json")).startswith("base.json is there already. Nothing was written.")


def test_protected_queries_that_nobody_judged_are_an_error():
    assert gate.unknown_protected(["q10l"], ["q101"]).advice == "Did you mean q101?"
    assert gate.unknown_protected(["x", "y"], ["q101"]).message.startswith("x, y are protected")


def test_a_slice_without_queries_comes_with_those_that_there_are():
    finding = gate.unknown_slice("queries.tsv", "intent", "navigation", ["navigational", "other"])
    assert "navigational, other" in finding.message
    assert finding.advice == "Did you mean navigational?"
