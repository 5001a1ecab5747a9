"""What makes this a repository that people can join: workflows, hooks, forms for issues, the list of pages about it."""

import json
import re
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.test_packages import CLASSIFIED

FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}")
FORMS = sorted((FOLDER / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path):
    workflow = read(path)
    jobs = workflow["jobs"].values() if "jobs" in workflow else [workflow["runs"]]
    return [step for job in jobs for step in job.get("steps", [])]


def named(path):
    return path.stem


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=named)
def test_actions_of_others_are_pinned_by_hash_with_the_version_next_to_it(path):
    for line in re.findall(r"^ *-? *uses: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE):
        action, _, version = line.partition(" # ")
        if not action.startswith("./"):
            assert PINNED.fullmatch(action), line
            assert re.match(r"v\d+\.\d+\.\d+", version), line


def test_one_action_has_one_version_everywhere():
    lines = {
        line
        for path in [*WORKFLOWS, ROOT / "action.yml"]
        for line in re.findall(r"uses: (\S+@\S+)", path.read_text("utf-8"))
    }
    actions = [re.sub("@.*", "", line) for line in lines]
    assert sorted(actions) == sorted(set(actions))


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_a_workflow_may_only_read_unless_a_job_says_more(path):
    assert read(path)["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_no_job_runs_for_ever(path):
    for name, job in read(path)["jobs"].items():
        assert job.get("timeout-minutes", 0) > 0 or "uses" in job, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_workflows_call_what_the_makefile_has(path):
    for step in steps(path):
        for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", "")):
            assert target in TARGETS


@pytest.mark.parametrize("path", WORKFLOWS, ids=named)
def test_nothing_from_outside_becomes_code(path):
    for step in steps(path):
        assert "${{" not in step.get("run", "")


def test_every_python_that_the_package_says_it_runs_on_is_tested_on_three_systems():
    matrix = read(FOLDER / "workflows" / "tests.yml")["jobs"]["systems"]["strategy"]["matrix"]
    assert matrix["python"] == CLASSIFIED
    assert {system.split("-")[0] for system in matrix["system"]} == {"ubuntu", "macos", "windows"}


def test_only_the_job_that_publishes_may_prove_who_it_is():
    jobs = read(FOLDER / "workflows" / "release.yml")["jobs"]
    allowed = {name for name, job in jobs.items() if "id-token" in job.get("permissions", {})}
    assert allowed == {"publish"}
    assert jobs["publish"]["environment"] == "pypi"


@pytest.mark.parametrize("path", FORMS, ids=named)
def test_forms_for_issues_ask_for_what_check_and_selftest_print(path):
    asked = [part["attributes"]["label"] for part in read(path)["body"]]
    if path.stem != "4-wish":
        assert any("cranfield check FILE" in label for label in asked)
        assert any("cranfield selftest" in label for label in asked)


def test_hooks_run_the_tools_of_the_environment_that_make_makes():
    development = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[dependency-groups]")[2]
    hooks = [hook for source in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in source["hooks"]]
    for hook in hooks:
        tool, *words = hook["entry"].split()
        assert hook["language"] == "system"
        if tool == "make":
            assert words[0] in TARGETS
        else:
            name = {"dmypy": "mypy", "pymarkdown": "pymarkdownlnt"}.get(Path(tool).name, Path(tool).name)
            assert f'"{name}"' in development, tool


def test_the_container_has_what_make_test_needs():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    for need in ("chromium", "postgresql", "gcc", "make .venv/ready-to-test"):
        assert need in container["postCreateCommand"]


def test_help_of_make_names_every_target_that_people_call():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    helped = set(re.findall(r"^# make ([a-z]+)", text, re.MULTILINE))
    parts_of_others = {
        "lint",
        "types",
        "plain",
        "spark",
        "browser",
        "postgres",
        "java",
        "workflows",
        "markdown",
        "clean",
    }
    (called,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert set(called.split()) == helped | parts_of_others
