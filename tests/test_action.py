"""The GitHub Action and what docs/gate.md says for CI servers, run step by step in bash."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cranfield import demo
from tests.conftest import ROOT

BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
"""As GitHub runs a step."""


@pytest.fixture
def checkout(tmp_path):
    """A project with a baseline, rules, and a system that answers with a run."""
    for name in ("qrels.txt", "bm25.run", "hybrid.run", "title.run", "queries.tsv"):
        shutil.copy(demo.path(name), tmp_path / name)
    cranfield = Path(sys.executable).parent / "cranfield"
    subprocess.run([cranfield, "gate", "init", "qrels.txt", "bm25.run", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


class Action:
    """The steps of action.yml; the package that is tested stands in for what the install step brings."""

    def __init__(self, folder):
        self.folder = folder
        self.steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        self.outputs, self.codes = {}, {}

    def run(self, **inputs):
        given = {name: str(about.get("default", "")) for name, about in self.steps["inputs"].items()} | inputs
        required = {name for name, about in self.steps["inputs"].items() if about.get("required")}
        assert required <= set(inputs)
        for step in self.steps["runs"]["steps"]:
            if "run" in step and step["name"] != "Install cranfield":
                self._step(step, given)
        outputs = self.steps["outputs"]
        return {name: self._filled(about["value"], given) for name, about in outputs.items()}

    def _step(self, step, given):
        (self.folder / "output").write_text("")
        environment = {name: self._filled(value, given) for name, value in step.get("env", {}).items()}
        assert "${{" not in step["run"], "what is given must not become code"
        done = subprocess.run(
            [*BASH, step["run"]],
            cwd=self.folder,
            env=ci_environment(self.folder) | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.codes[step["name"]] = done.returncode
        self.log = done.stdout + done.stderr
        for line in (self.folder / "output").read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[f"steps.{step['id']}.outputs.{name}"] = value

    def _filled(self, text, given):
        known = {
            **{f"inputs.{name}": value for name, value in given.items()},
            **self.outputs,
            "github.action_path": str(ROOT),
            "runner.temp": str(self.folder / "temp"),
        }
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: known[found[1]], text)


def ci_environment(folder):
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }


class TestTheAction:
    def test_passes_a_run_that_is_better(self, checkout):
        action = Action(checkout)
        outputs = action.run(judgments="qrels.txt", run="hybrid.run")
        assert (outputs["verdict"], outputs["exit-code"]) == ("pass", "0")
        assert set(action.codes.values()) == {0}

    def test_stops_a_run_that_is_worse_and_has_a_comment(self, checkout):
        action = Action(checkout)
        outputs = action.run(judgments="qrels.txt", run="title.run")
        assert (outputs["verdict"], outputs["exit-code"]) == ("fail", "1")
        assert action.codes == {"Compare the run with the baseline": 0, "Stop if a rule failed": 1}
        comment = Path(outputs["comment"]).read_text()
        assert comment.startswith("### ❌ FAIL: title against the baseline bm25")
        assert (checkout / "summary.md").read_text() == comment
        assert Path(outputs["junit"]).read_text().startswith("<?xml")

    def test_takes_more_options(self, checkout):
        outputs = Action(checkout).run(judgments="qrels.txt", run="bm25.run", options="--inconclusive 78 --places 6")
        assert outputs["exit-code"] in ("0", "78")

    @pytest.mark.parametrize("run", ["missing.run", "$(touch hacked).run", "; touch hacked; #"])
    def test_says_that_nothing_was_compared_whatever_the_name(self, checkout, run):
        action = Action(checkout)
        outputs = action.run(judgments="qrels.txt", run=run)
        assert (outputs["verdict"], outputs["exit-code"]) == ("error", "3")
        assert "nothing was compared (exit code 3)" in Path(outputs["comment"]).read_text()
        assert action.codes["Stop if a rule failed"] == 3
        assert not (checkout / "hacked").exists()

    def test_installs_its_own_checkout(self, tmp_path):
        """As written, without dependencies, which are here, and into a folder of its own."""
        (step,) = (one for one in Action(tmp_path).steps["runs"]["steps"] if one.get("name") == "Install cranfield")
        copy = tmp_path / "checkout"
        copy.mkdir()
        for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy / name)
        shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so"))
        alone = {
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_TARGET": str(tmp_path / "lib"),
        }
        assert step["env"] == {"CHECKOUT": "${{ github.action_path }}"}
        subprocess.run(
            [*BASH, step["run"]],
            env=ci_environment(tmp_path) | alone | {"CHECKOUT": str(copy), "CFLAGS": "-O0"},
            check=True,
            capture_output=True,
        )
        assert (tmp_path / "lib" / "cranfield" / "reporting" / "page.css").exists()
        assert (tmp_path / "lib" / "bin" / "cranfield").exists()


def documented(name, page="gate"):
    """A workflow of a page."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return yaml.safe_load(re.search(rf"<!-- workflow: {name} -->\n```yaml\n(.*?)```", text, re.DOTALL)[1])


def test_the_documented_workflow_gives_the_action_what_it_takes():
    steps = documented("gate")["jobs"]["gate"]["steps"]
    (used,) = (step for step in steps if step.get("uses") == "./cranfield")
    known = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert set(used["with"]) <= set(known["inputs"])
    mentioned = set(re.findall(r"steps\.gate\.outputs\.([\w-]+)", str(steps)))
    assert mentioned <= set(known["outputs"])


@pytest.mark.parametrize(("name", "page"), [("gate", "gate"), ("ratchet", "gate"), ("ci", "ci")])
def test_a_documented_workflow_may_read_the_repository_that_it_checks_out(name, page):
    workflow = documented(name, page)
    ((_, job),) = workflow["jobs"].items()
    assert job["steps"][0]["uses"].startswith("actions/checkout@")
    assert workflow["permissions"]["contents"] in ("read", "write")


def test_the_documented_workflow_comments_where_it_may_and_not_on_forks():
    workflow = documented("gate")
    (step,) = (step for step in workflow["jobs"]["gate"]["steps"] if "comment" in step.get("run", ""))
    assert workflow["permissions"]["pull-requests"] == "write"
    assert "head.repo.full_name == github.repository" in step["if"]


@pytest.mark.parametrize(("run", "code"), [("hybrid.run", 0), ("title.run", 1)])
def test_the_workflow_to_begin_with_runs(checkout, run, code):
    steps = documented("ci", "ci")["jobs"]["gate"]["steps"]
    script = "\n".join(step["run"] for step in steps if "run" in step and "pip install" not in step["run"])
    script = script.replace("./answer queries.tsv", f"cat {run}")
    done = subprocess.run([*BASH, script], cwd=checkout, env=ci_environment(checkout), capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    assert (checkout / "gate.xml").read_text().startswith("<?xml")


@pytest.mark.parametrize(("run", "code", "verdict"), [("hybrid.run", 0, "✅ PASS"), ("title.run", 1, "❌ FAIL")])
def test_the_documented_job_of_gitlab_runs(checkout, run, code, verdict):
    script = documented("gitlab")["search quality"]["script"]
    assert script[0] == "pip install --quiet ./cranfield"
    lines = [line.replace("./answer queries.tsv", f"cat {run}") for line in script[1:]]
    environment = {name: value for name, value in ci_environment(checkout).items() if not name.startswith("GITHUB")}
    done = subprocess.run([*BASH, "\n".join(lines)], cwd=checkout, env=environment, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    assert (checkout / "comment.md").read_text().startswith(f"### {verdict}: ")
    assert (checkout / "gate.xml").read_text().startswith("<?xml")


def test_the_documented_ratchet_raises_the_baseline(checkout):
    steps = documented("ratchet")["jobs"]["ratchet"]["steps"]
    script = "\n".join(step["run"] for step in steps if "run" in step and "pip install" not in step["run"])
    script = script.replace("./answer queries.tsv", "cat hybrid.run").replace("git push", "echo pushed")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"],
    ):
        subprocess.run(["git", *command], cwd=checkout, check=True)
    done = subprocess.run(
        [*BASH, script], cwd=checkout, env=ci_environment(checkout), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "pushed" in done.stdout
