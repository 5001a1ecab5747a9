"""`cranfield clicks policy`: what a policy would have earned."""

import json

import pytest

from cranfield import demo

LOG, RUN = (str(demo.path(name)) for name in ("clicks.csv", "bm25.run"))
BANDIT = "item_id,click,propensity_score\n" + "a,1,0.8\nb,0,0.2\na,0,0.8\n" * 100
FORMS = ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"]


def test_a_policy_is_estimated_from_a_log_with_propensities(clicks, folder):
    (folder / "bandit.csv").write_text(BANDIT)
    done = clicks("policy", "bandit.csv", "--format", "json")
    assert json.loads(done.stdout)["estimates"]["ips"]["value"] == pytest.approx(0.625 / 3)
    same = clicks("policy", "-", "--policy", "uniform", "--format", "table", stdin=BANDIT)
    assert same.stdout.startswith("The uniform policy would have earned")
    for form in FORMS:
        assert clicks("policy", "bandit.csv", "--format", form).stdout


@pytest.mark.parametrize(
    "option", ["--min-impressions", "--mapping", "--shares", "--thresholds", "--by", "--propensities"]
)
def test_options_that_would_do_nothing_are_refused(clicks, option):
    done = clicks("policy", LOG, option)
    assert done.exit_code == 2
    assert "No such option" in done.stderr
    assert option in done.stderr


def test_a_log_without_propensities_is_told_without_a_traceback(clicks):
    done = clicks("policy", LOG)
    assert done.exit_code == 3
    assert "the log has no propensities" in done.stderr
    assert "Traceback" not in done.stderr
