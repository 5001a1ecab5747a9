"""`cranfield gate`, as CI calls it."""

import json
import os
import shlex
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.cli import cranfield as command
from cranfield.gating.rules import KINDS, rules_of
from tests.cli.gate_files import JUDGED, run_file

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gate.md"

pytestmark = pytest.mark.usefixtures("gate_files")


class TestVerdict:
    @pytest.mark.parametrize(
        ("run", "verdict", "code"), [("good", "PASS", 0), ("bad", "FAIL", 1), ("mixed", "INCONCLUSIVE", 0)]
    )
    def test_is_the_first_word_and_the_exit_code(self, cranfield, begun, run, verdict, code):
        done = cranfield("gate", "qrels.txt", f"{run}.run")
        assert done.returncode == code
        assert done.stdout.startswith(f"{verdict}: ")
        assert f"(exit {code})" in done.stdout.split("\n\n")[0]

    @pytest.mark.parametrize(("chosen", "code"), [("pass", 0), ("fail", 1), ("78", 78)])
    def test_what_inconclusive_counts_as_is_the_user_s_choice(self, cranfield, begun, chosen, code):
        done = cranfield("gate", "qrels.txt", "mixed.run", "--inconclusive", chosen)
        assert done.returncode == code
        assert f"(exit {code})" in done.stdout.split("\n\n")[0]

    def test_the_queries_responsible_are_named(self, cranfield, begun):
        assert "Worse: q0 1.00 → 0.25, q2 1.00 → 0.25" in cranfield("gate", "qrels.txt", "bad.run").stdout

    def test_saved_results_give_the_same(self, cranfield, begun):
        cranfield("evaluate", "qrels.txt", "bad.run", "-m", "RR", "--save", "today.json")
        direct, saved = cranfield("gate", "qrels.txt", "bad.run"), cranfield("gate", "today.json")
        assert saved.returncode == direct.returncode == 1
        rows = [[line.split("  ")[:2] for line in done.stdout.splitlines() if "RR" in line] for done in (direct, saved)]
        assert rows[0] == rows[1]

    def test_one_rule_may_stand_on_the_command_line(self, cranfield, folder):
        cranfield("evaluate", "qrels.txt", "old.run", "-m", "RR", "--save", "old.json")
        rule = ["--baseline", "old.json", "-m", "RR", "--margin"]
        assert cranfield("gate", "qrels.txt", "bad.run", *rule, "0.05").returncode == 1
        assert cranfield("gate", "qrels.txt", "bad.run", *rule, "90%").returncode == 0

    def test_a_run_is_measured_as_the_baseline_was(self, cranfield, folder):
        cranfield("gate", "init", "qrels.txt", "old.run", "-m", "RR", "-M", "1", "-l", "1")
        done = cranfield("gate", "qrels.txt", "same.run", "--format", "json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["rules"][0]["mean"] == 0.5
        refused = cranfield("gate", "qrels.txt", "same.run", "-M", "2")
        assert refused.returncode == 3
        assert "depth is 2 here and 1 there" in refused.stderr

    def test_the_run_may_come_from_standard_input(self, cranfield, begun):
        assert cranfield("gate", "qrels.txt", "-", stdin=run_file([1, 2] * 6)).returncode == 0

    def test_slices_by_a_column_of_a_queries_file(self, cranfield, begun):
        (begun / "queries.tsv").write_text(
            "query_id\tkind\n" + "".join(f"q{at}\t{'even' if at % 2 == 0 else 'odd'}\n" for at in JUDGED)
        )
        (begun / "by.toml").write_text("[not_worse]\nmeasure = 'RR'\nmargin = 0.1\nby = 'kind'\n")
        done = cranfield("gate", "qrels.txt", "mixed.run", "--rules", "by.toml", "--queries", "queries.tsv")
        assert done.returncode == 1
        assert "FAIL      RR not worse, kind even" in done.stdout
        assert "pass      RR not worse, kind odd" in done.stdout

    def test_whoever_stops_reading_does_not_change_the_exit_code(self, begun):
        import subprocess
        import sys

        program = Path(sys.executable).parent / "cranfield"
        line = f"set -o pipefail; {shlex.quote(str(program))} gate qrels.txt bad.run | true; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
        assert done.stdout.strip() == "1"
        assert "Traceback" not in done.stderr

    def test_warnings_stand_below_the_table_or_go_to_standard_error_unless_quiet(self, cranfield, begun):
        (begun / "short.run").write_text(run_file([1, 2] * 5))
        words = "warning: short: no documents for 2 of 12"
        assert words in cranfield("gate", "qrels.txt", "short.run").stdout
        assert words in cranfield("gate", "qrels.txt", "short.run", "--format", "tsv").stderr
        assert words in cranfield("gate", "qrels.txt", "short.run", "--format", "markdown").stdout
        for form in ("table", "tsv", "json", "markdown"):
            quiet = cranfield("gate", "qrels.txt", "short.run", "--quiet", "--format", form)
            assert (quiet.stderr, words in quiet.stdout) == ("", False)


class TestOutputs:
    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_every_format_exits_alike(self, cranfield, begun, form):
        done = cranfield("gate", "qrels.txt", "bad.run", "--format", form)
        assert done.returncode == 1
        assert "fail" in done.stdout.lower()

    def test_json_is_one_object(self, cranfield, begun):
        done = cranfield("gate", "update", "qrels.txt", "bad.run", "--format", "json", "--annotations")
        plain = json.loads(done.stdout)
        assert (plain["verdict"], plain["exit_code"]) == ("fail", done.returncode)
        assert plain["update"]["refused"].startswith("the verdict is fail")
        assert plain["rules"][0]["responsible"][0]["query"] == "q0"
        assert "::error title=" in done.stderr

    def test_junit_and_annotations_stand_beside_what_is_printed(self, cranfield, begun):
        done = cranfield("gate", "qrels.txt", "bad.run", "--junit", "gate.xml", "--annotations")
        suite = ElementTree.parse(begun / "gate.xml").getroot()
        assert int(suite.get("failures")) == done.stdout.count("::error title=")
        assert suite.get("tests") == str(len(list(suite.iter("testcase"))))

    def test_the_summary_is_added_to_what_is_there(self, cranfield, begun):
        (begun / "summary.md").write_text("before\n")
        environment = {**os.environ, "GITHUB_STEP_SUMMARY": str(begun / "summary.md")}
        done = cranfield("gate", "qrels.txt", "bad.run", "--summary", environment=environment)
        assert done.returncode == 1
        assert (begun / "summary.md").read_text().startswith("before\n### ❌ FAIL: bad against the baseline old")

    def test_outside_github_the_summary_is_printed(self, cranfield, begun):
        environment = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
        done = cranfield("gate", "qrels.txt", "bad.run", "--summary", environment=environment)
        assert done.returncode == 1
        assert done.stdout.startswith("FAIL: bad against the baseline old")
        assert "\n### ❌ FAIL: bad against the baseline old" in done.stdout

    @pytest.mark.parametrize(("form", "stream"), [("json", "stderr"), ("tsv", "stderr"), ("markdown", "stdout")])
    def test_the_printed_summary_does_not_disturb_programs(self, cranfield, begun, form, stream):
        environment = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
        done = cranfield("gate", "qrels.txt", "bad.run", "--summary", "--format", form, environment=environment)
        assert (done.stdout + done.stderr).count("### ❌ FAIL") == 1
        assert "### ❌ FAIL" in getattr(done, stream)

    @pytest.mark.parametrize("option", [["--junit", "none/x.xml"]])
    def test_a_file_that_cannot_be_written(self, cranfield, begun, option):
        done = cranfield("gate", "qrels.txt", "old.run", *option)
        assert done.returncode == 3
        assert "none/x.xml: cannot be written" in done.stderr


WRONG = [
    (("qrels.txt",), 2, "qrels.txt holds no saved results; name judgments and a run"),
    (("none.json",), 3, "none.json: there is no such file"),
    (("qrels.txt", "old.run", "bad.run"), 2, "One run is compared with the baseline"),
    (("cranfield-baseline.json", "cranfield-baseline.json"), 2, "the baseline's as --baseline FILE"),
    (("qrels.txt", "none.run"), 3, "none.run: there is no such file"),
    (("-", "-"), 2, "Standard input can be read only once"),
    (("qrels.txt", "old.run", "--force"), 2, "No such option"),
    (("qrels.txt", "old.run", "--inconclusive", "2"), 2, "Exit code 2 already means wrong usage"),
    (("qrels.txt", "old.run", "--inconclusive", "maybe"), 2, "inconclusive must be"),
    (("qrels.txt", "old.run", "--rules", "none.toml"), 3, "none.toml: there is no such file"),
    (("qrels.txt", "old.run", "--baseline", "none.json"), 3, "it is the baseline\nWrite it with"),
    (("qrels.txt", "old.run", "-m", "RR"), 2, "-m needs --margin"),
    (("qrels.txt", "old.run", "-m", "RR", "--margin", "0.1"), 2, "none is named"),
    (("qrels.txt", "old.run", "--margin", "0.1", "--rules", "x.toml"), 2, "choose one"),
    (("qrels.txt", "old.run", "--margin", "x", "--baseline", "cranfield-baseline.json"), 2, "margin must be a number"),
    (("qrels.txt", "old.run", "--baseline", "qrels.txt"), 3, "qrels.txt"),
    (("cranfield-baseline.json", "-l", "2"), 2, "Saved results are already scored; leave out --level."),
    (("cranfield-baseline.json", "--run", "odl"), 2, "Did you mean old?"),
    (("qrels.txt", "old.run", "--junit"), 2, "requires an argument"),
    (("qrels.txt", "old.run", "--summry"), 2, "No such option"),
]


class TestWrongUse:
    @pytest.mark.parametrize(("arguments", "code", "words"), WRONG, ids=[" ".join(one[0]) for one in WRONG])
    def test_is_answered(self, cranfield, begun, arguments, code, words):
        done = cranfield("gate", *arguments, stdin="")
        assert done.returncode == code, done.stderr
        assert words in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""

    def test_no_rules_at_all(self, cranfield, folder):
        done = cranfield("gate", "qrels.txt", "old.run")
        assert done.returncode == 2
        assert "Begin with: cranfield gate init QRELS RUN" in done.stderr

    def test_a_measure_that_does_not_exist_is_told_with_its_line_before_anything_is_read(self, cranfield, begun):
        (begun / "cranfield-gate.toml").write_text(
            "[coverage]\nat_least = 1\n[[mean]]\nmeasure = 'nDGC@10'\nat_least = 0\n"
        )
        done = cranfield("gate", "none.txt", "none.run")
        assert done.returncode == 2
        assert "cranfield-gate.toml, line 3: There is no measure 'nDGC@10'. Did you mean nDCG" in done.stderr

    def test_a_rule_for_several_measures(self, cranfield, begun):
        (begun / "cranfield-gate.toml").write_text("[[mean]]\nmeasure = 'P.5,10'\nat_least = 0\n")
        done = cranfield("gate", "qrels.txt", "old.run")
        assert done.returncode == 2
        assert "'P.5,10' names 2 measures; give one" in done.stderr

    def test_other_judgments_are_refused_with_what_to_do(self, cranfield, begun):
        (begun / "qrels.txt").write_text("q0 0 d1 1\nq1 0 d1 2\n")
        done = cranfield("gate", "qrels.txt", "old.run")
        assert done.returncode == 3
        assert "queries only in the baseline: 10" in done.stderr
        assert "cranfield gate init --force QRELS RUN" in done.stderr
        assert cranfield("gate", "qrels.txt", "old.run", "--allow-different-judgments").returncode == 0

    def test_a_new_rule_about_a_measure_that_the_baseline_lacks(self, cranfield, begun):
        with (begun / "cranfield-gate.toml").open("a") as rules:
            rules.write("[[not_worse]]\nmeasure = 'P@1'\nmargin = 0\n")
        done = cranfield("gate", "qrels.txt", "old.run")
        assert done.returncode == 2
        assert "P@1 is not in the baseline cranfield-baseline.json, which has RR." in done.stderr
        assert cranfield("gate", "init", "--force", "qrels.txt", "old.run").returncode == 0
        assert cranfield("gate", "qrels.txt", "old.run").returncode == 0


ranks = st.lists(st.integers(1, 9), min_size=12, max_size=12)
rules = st.lists(
    st.one_of(
        st.floats(0, 0.5).map(lambda margin: f"[[not_worse]]\nmeasure = 'RR'\nmargin = {margin!r}\n"),
        st.floats(0, 1).map(lambda least: f"[[mean]]\nmeasure = 'RR'\nat_least = {least!r}\n"),
        st.integers(0, 12).map(lambda most: f"[[broken]]\nmeasure = 'RR'\ndrop = 0.3\nat_most = {most}\n"),
        st.integers(0, 11).map(lambda query: f"[[protected]]\nmeasure = 'RR'\nqueries = ['q{query}']\n"),
        st.just("[[coverage]]\nat_least = 1\n"),
        st.floats(0, 1).map(lambda least: f"[[judged]]\nat = 5\nat_least = {least!r}\n"),
    ),
    min_size=1,
    max_size=5,
)


@given(rules, ranks, ranks, st.sampled_from(["pass", "fail", "0", "1", "78"]), st.sampled_from(["t", "bca"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_the_exit_code_is_what_is_printed_for_any_rules_and_runs(folder, texts, old, new, inconclusive, interval):
    (folder / "old.run").write_text(run_file(old))
    (folder / "new.run").write_text(run_file(new))
    (folder / "cranfield-gate.toml").write_text(f"interval = '{interval}'\n" + "".join(texts))
    call = CliRunner().invoke
    assert call(command, ["gate", "init", "--force", "qrels.txt", "old.run"]).exit_code == 0
    shown = {
        form: call(command, ["gate", "qrels.txt", "new.run", "--inconclusive", inconclusive, "--format", form])
        for form in ("table", "json", "markdown")
    }
    verdict = shown["table"].output.partition(":")[0]
    code = {
        "PASS": 0,
        "FAIL": 1,
        "INCONCLUSIVE": {"pass": 0, "fail": 1}.get(inconclusive) or int(inconclusive.isdigit() and inconclusive),
    }[verdict]
    assert {one.exit_code for one in shown.values()} == {code}
    assert f"(exit {code})" in " ".join(shown["table"].output.split())
    assert json.loads(shown["json"].stdout)["exit_code"] == code
    again = call(command, ["gate", "qrels.txt", "new.run", "--inconclusive", inconclusive])
    assert again.output == shown["table"].output


class TestPage:
    """The rules and workflows that the page offers."""

    def test_its_rules_are_rules(self):
        blocks = [block.split("\n```")[0] for block in PAGE.read_text().split("```toml\n")[1:]]
        kinds = [rule.kind for block in blocks for rule in rules_of(tomllib.loads(block)).rules]
        assert set(kinds) == set(KINDS)

    def workflows(self):
        blocks = PAGE.read_text().split("```yaml\n")[1:]
        read = [yaml.safe_load(block.split("\n```")[0]) for block in blocks]
        return [workflow for workflow in read if "jobs" in workflow]  # those of GitHub

    def test_is_yaml_that_github_reads(self):
        assert self.workflows()
        for workflow in self.workflows():
            assert set(workflow) >= {"name", True, "jobs"}  # YAML reads `on` as true
            for job in workflow["jobs"].values():
                assert job["runs-on"]
                assert all("uses" in step or "run" in step for step in job["steps"])


def test_one_run_of_a_table_of_several_is_tested(cranfield, begun):
    rows = ["query,document,score,system"]
    for name in ("good", "bad"):
        lines = [line.split() for line in (begun / f"{name}.run").read_text().splitlines()]
        rows += [f"{query},{document},{score},{name}" for query, _, document, _, score, _ in lines]
    (begun / "runs.csv").write_text("\n".join(rows) + "\n")
    assert "Name one of them: --run RUN" in cranfield("gate", "qrels.txt", "runs.csv").stderr
    codes = [cranfield("gate", "qrels.txt", "runs.csv", "--run", name).returncode for name in ("good", "bad", "god")]
    assert codes == [0, 1, 2]


@pytest.mark.parametrize("options", [("--unjudged-grade", "1", "-M", "3"), ("--profile", "trec_eval-9", "-M", "3")])
def test_a_baseline_whose_measures_have_different_settings_is_measured_again_as_it_was(cranfield, begun, options):
    measures = ("-m", "P@2", "-m", "Judged@10")
    assert cranfield("evaluate", "qrels.txt", "old.run", *measures, *options, "--save", "old.json").returncode == 0
    done = cranfield("gate", "qrels.txt", "old.run", "--baseline", "old.json", "-m", "P@2", "--margin", "0.02")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("value", ["-Infinity", "NaN", "1e400", "7.5", "-1", "0.123"])
def test_a_baseline_that_was_edited_gives_no_verdict(cranfield, begun, value):
    # One infinite score would make every interval undefined, and a clear fail inconclusive.
    baseline = begun / "cranfield-baseline.json"
    baseline.write_text(baseline.read_text().replace('"q1": 0.5', f'"q1": {value}', 1))
    done = cranfield("gate", "qrels.txt", "bad.run")
    assert done.returncode == 3
    assert "cranfield-baseline.json: " in done.stderr
    assert "cranfield gate init --force QRELS RUN" in done.stderr
    assert done.stdout == ""
