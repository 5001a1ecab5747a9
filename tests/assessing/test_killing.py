"""A process that dies has lost nothing that it had acknowledged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service
from cranfield.assessing.store import create_store
from tests.assessing.conftest import garden
from tests.assessing.killing import CLIENTS
from tests.effort import few_or

ROOT = Path(__file__).parent.parent.parent


def killed(where: str, kills: int) -> dict[str, object]:
    service = Service(create_store(where, new_project("garden"), garden()))
    service.add_judge("boss", "manager")
    for judge in range(CLIENTS):
        service.add_judge(f"judge {judge}")
    service.close()
    return run("labels", where, kills)


def run(what: str, where: str, kills: int) -> dict[str, object]:
    command = [sys.executable, "-m", "tests.assessing.killing", what, where, str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    return json.loads(done.stdout)


def test_no_acknowledged_label_is_lost_or_stored_twice_when_the_process_is_killed(where):
    kills = few_or(40, 1000) if where.endswith(".db") else few_or(10, 100)
    told = killed(where, kills)
    assert told["acknowledged"] > 2 * kills
    assert (told["lost"], told["twice"], told["problems"]) == (0, 0, [])
    assert told["restart"] < 2
    assert told["resent"] > 0.9 * told["acknowledged"]


def test_a_store_is_there_completely_or_not_at_all(tmp_path):
    told = run("creating", str(tmp_path / "judging.db"), few_or(20, 200))
    assert told["problems"] == []


@pytest.mark.parametrize("what", ["copying", "migrating"])
def test_copies_and_new_versions_are_there_completely_or_not_at_all(tmp_path, what):
    kills = few_or(10, 200)
    told = run(what, str(tmp_path / "judging.db"), kills)
    assert told["problems"] == []
    assert 0 < told["made"] < kills
