"""`cranfield selftest`: what it prints, and its exit code."""

import json

from click.testing import CliRunner

from cranfield.cli import cranfield as command
from cranfield.self_testing import self_test


def test_it_prints_what_was_compared_and_exits_0(cranfield):
    done = cranfield("selftest")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("All ")
    assert "pytrec_eval-terrier" in done.stdout


def test_a_difference_exits_1(monkeypatch):
    wrong = self_test.SelfTest((self_test.Check("trec_eval", "pytrec_eval", 10, 1, 0.5, ("AP is 1, not 0.5",)),), {})
    monkeypatch.setattr(self_test, "selftest", lambda: wrong)
    done = CliRunner().invoke(command, ["selftest"])
    assert done.exit_code == 1
    assert done.stdout.startswith("1 of 10 numbers differ (trec_eval)")
    assert "AP is 1, not 0.5" in done.stdout


def test_json_has_everything(cranfield):
    told = json.loads(cranfield("selftest", "--format", "json").stdout)
    assert told["passed"] is True
    assert {"Python", "NumPy", "SciPy"} <= set(told["environment"])
