"""The example projects: their data are made by the script, and their commands print what they show."""

import re

import pytest
import yaml

from tests.conftest import ROOT
from tools import examples

LARGEST = 300_000
"""Bytes of all files together."""


def test_there_are_three_and_the_list_has_each():
    listed = re.findall(r"\]\(([\w-]+)/README\.md\)", (examples.HOME / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == examples.projects() == ["rag", "shop-search", "trec-campaign"]


def test_their_data_are_what_the_script_makes():
    for path, text in examples.data().items():
        assert (examples.HOME / path).read_bytes() == text.encode(), f"{path}: run python -m tools.examples"


def test_they_are_small():
    sizes = [path.stat().st_size for path in examples.HOME.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(sizes) < LARGEST


@pytest.mark.parametrize("project", examples.projects())
def test_their_commands_print_what_they_show(project):
    shown = (examples.HOME / project / "README.md").read_text(encoding="utf-8")
    assert examples.with_fresh_output(project) == shown, "run `python -m tools.examples` and read the difference"
    assert "Traceback" not in shown


def test_the_workflow_of_the_shop_uses_the_actions_that_are_used_here():
    def used(path):
        return set(re.findall(r"uses: (actions/\S+)", path.read_text(encoding="utf-8")))

    here = set().union(*(used(path) for path in (ROOT / ".github" / "workflows").glob("*.yml")))
    workflow = examples.HOME / "shop-search" / "search.yml"
    assert used(workflow) <= here
    assert yaml.safe_load(workflow.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}
