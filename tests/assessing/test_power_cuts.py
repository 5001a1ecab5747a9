"""A power cut loses nothing that was acknowledged, wherever it comes and whatever of the last writes is there."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from cranfield.assessing.service import Service
from cranfield.assessing.store import open_store
from tests.assessing.power_cuts import ACKNOWLEDGED, Write, cuts, recorded
from tests.effort import few_or

WITHOUT_COMPILER = "there is no C compiler, which the recording of writes needs"
LABELS = 250
"""Enough for the log beside the file to be brought into it, which SQLite does after 1,000 pages, twice."""

PROGRAM = f"""
import os, sys
from pathlib import Path
from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import create_store, open_store
from tests.assessing.conftest import garden

folder = Path(sys.argv[1])
store = create_store(folder / "judging.db", new_project("garden", labels=90), garden())
acknowledged = os.open(folder / "{ACKNOWLEDGED}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
service = Service(store)
judges = [service.add_judge(name)[0].number for name in ("ada", "ben", "cleo")]
for number in range({LABELS}):
    item, judge = 1 + number % len(service.items), judges[number % 3]
    current = service.state.current(item, judge)
    note = "seen twice " * (number % 50)
    label = Submission(f"key-{{number}}", item, "label", float(number % 4), current.seq if current else None, note=note)
    service.record(judge, label)
    os.write(acknowledged, f"{{label.key}}\\n".encode())
    if number == {LABELS} // 2:
        service.close()
        service = Service(open_store(folder / "judging.db"))
service.close()
"""


@pytest.fixture(scope="module")
def writes(tmp_path_factory) -> list[Write]:
    if not (shutil.which("cc") or shutil.which("gcc")):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(WITHOUT_COMPILER)
    folder = tmp_path_factory.mktemp("recorded") / "folder"
    folder.mkdir()
    return recorded(PROGRAM, folder)


def test_writes_of_every_kind_are_recorded(writes):
    kinds = {(write.kind, write.name) for write in writes}
    assert {("w", "judging.db-wal"), ("s", "judging.db-wal"), ("w", "judging.db"), ("s", "judging.db")} <= kinds
    assert {("r", "judging.db.new"), ("s", "")} <= kinds
    assert sum(write.name == ACKNOWLEDGED for write in writes) == LABELS


def test_no_acknowledged_label_is_lost_in_a_power_cut(writes, tmp_path):
    first = next(at for at, write in enumerate(writes) if write.name == ACKNOWLEDGED)
    rng = random.Random(7)
    places = sorted(rng.choices(range(first + 1, len(writes) + 1), k=few_or(60, 1_000)))
    lost = {cut.at: missing for cut in cuts(writes, places, rng) if (missing := lost_in(cut, tmp_path))}
    assert lost == {}


def lost_in(cut, folder: Path) -> list[str]:
    """What is wrong with a store after a power cut: labels that are lost, or why it cannot be read."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in cut.files.items():
        (folder / name).write_bytes(content)
    try:
        store = open_store(folder / "judging.db")
        problems = store.verify()
        kept = {event.key for event in Service(store).store.events()}
        store.close()
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    return [*problems, *sorted(set(cut.acknowledged) - kept)]


def test_before_its_folder_is_synced_a_new_store_may_not_be_there_but_is_never_half(writes, tmp_path):
    first = next(at for at, write in enumerate(writes) if write.name == ACKNOWLEDGED)
    rng = random.Random(7)
    for cut in cuts(writes, range(first), rng):
        assert "judging.db" not in cut.files or lost_in(cut, tmp_path) == [], cut.at


def test_the_replay_notices_what_was_never_synced(writes, tmp_path):
    """The test of the test: without the syncs of the log, labels are lost."""
    first = next(at for at, write in enumerate(writes) if write.name == ACKNOWLEDGED)
    careless = [write for write in writes if (write.kind, write.name) != ("s", "judging.db-wal")]
    rng = random.Random(7)
    places = sorted(rng.choices(range(first + 1, len(careless) + 1), k=40))
    assert any(lost_in(cut, tmp_path) for cut in cuts(careless, places, rng))
