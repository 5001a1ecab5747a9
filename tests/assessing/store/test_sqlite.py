"""What can happen to a file: full disks, other programs, other versions, damage."""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from uuid import uuid4

import pytest

from cranfield.assessing.events import NewEvent
from cranfield.assessing.project import new_project
from cranfield.assessing.refusals import StoreBroken, StoreBusy, StoreFull, StoreReadOnly
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import create_store, open_store, schema, sqlite
from cranfield.errors import DataError
from tests.assessing.conftest import garden


def label(item: int, **more: object) -> NewEvent:
    return NewEvent(uuid4().hex, 2, item, "label", 1.0, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a manager, a judge and one label."""
    path = tmp_path / "judging.db"
    service = Service(create_store(path, new_project("garden"), garden()))
    service.add_judge("boss", "manager")
    service.add_judge("ada")
    service.record(2, Submission("first", 3, "label", 2.0))
    service.close()
    return path


def test_a_closed_store_is_one_file(path):
    assert [file.name for file in path.parent.iterdir()] == ["judging.db"]


def test_labels_are_durable_before_they_are_acknowledged(path):
    store = open_store(path)
    settings = {name: store.rows(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous", "foreign_keys")}
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    store.close()


def test_on_a_network_file_system_there_is_no_shared_memory(path, monkeypatch):
    monkeypatch.setattr(sqlite, "is_shared", lambda path: True)
    store = open_store(path)
    assert store.rows("PRAGMA journal_mode") == [("truncate",)]
    assert store.rows("PRAGMA locking_mode") == [("exclusive",)]
    store.append(label(4))
    assert not path.with_name("judging.db-shm").exists()
    store.backup(path.with_name("copy.db"))
    store.close()
    assert len(list(open_store(path.with_name("copy.db"), read_only=True).current())) == 2


# A full disk


def test_on_a_full_disk_nothing_is_acknowledged_and_all_goes_on_when_there_is_room(path):
    store = open_store(path)
    (pages,) = store.rows("PRAGMA page_count")[0]
    store.rows(f"PRAGMA max_page_count = {pages}")
    stored = set()

    def fill_the_disk() -> None:
        for item in range(4, 85):
            event = label(item, note="x" * 2000)
            store.append(event)
            stored.add(event.key)

    with pytest.raises(StoreFull, match=r"the disk is full\. Nothing is lost") as refused:
        fill_the_disk()
    assert refused.value.status == 507
    assert {event.key for event in store.events() if event.item} - {"first"} == stored
    store.rows(f"PRAGMA max_page_count = {pages + 1000}")
    store.append(label(84))
    assert store.verify() == []
    store.close()


def test_a_service_goes_on_after_the_disk_was_full(path):
    service = Service(open_store(path))
    (pages,) = service.store.rows("PRAGMA page_count")[0]
    service.store.rows(f"PRAGMA max_page_count = {pages}")
    refused = None
    for item in range(4, 85):
        sent = Submission(f"k{item}", item, "label", 1.0, note="x" * 2000)
        try:
            service.record(2, sent)
        except StoreFull:
            refused = sent
            break
    assert refused is not None
    assert service.state.current(refused.item, 2) is None
    service.store.rows(f"PRAGMA max_page_count = {pages + 1000}")
    assert not service.record(2, refused).repeated
    service.close()


@pytest.fixture
def small_disk(tmp_path):
    """A disk of five megabytes, where whoever runs this may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=5m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_on_a_real_disk_that_is_full_nothing_that_was_acknowledged_is_lost(small_disk):
    where = small_disk / "judging.db"
    service = Service(create_store(where, new_project("garden", labels=90), garden()))
    judges = [service.add_judge(f"judge {number}")[0].number for number in range(40)]
    acknowledged, refused = [], None
    for judge, item in itertools.product(judges, range(1, 85)):
        sent = Submission(f"{judge} {item}", item, "label", 1.0, note="x" * 2000)
        try:
            service.record(judge, sent)
        except StoreFull:
            refused = judge, sent
            break
        acknowledged.append(sent.key)
    assert refused is not None
    assert len(acknowledged) > 100
    with pytest.raises(StoreFull):
        service.record(*refused)
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    service.record(*refused)
    service.close()
    store = open_store(where)
    assert store.verify() == []
    assert [event.key for event in store.events() if event.item] == [*acknowledged, refused[1].key]
    store.close()


def test_a_store_that_does_not_fit_leaves_nothing_behind(tmp_path, monkeypatch):
    build = sqlite.SqliteStore.fill

    def fill(store, project, contents):
        store.rows("PRAGMA max_page_count = 12")
        return build(store, project, contents)

    monkeypatch.setattr(sqlite.SqliteStore, "fill", fill)
    with pytest.raises(StoreFull):
        create_store(tmp_path / "judging.db", new_project("garden"), garden())
    assert list(tmp_path.iterdir()) == []


def test_a_collection_that_cannot_be_read_leaves_nothing_behind(tmp_path):
    def documents():
        yield from ()
        raise DataError([])

    with pytest.raises(DataError):
        create_store(tmp_path / "judging.db", new_project("garden"), garden()._replace(documents=documents()))
    assert list(tmp_path.iterdir()) == []


# Other programs


def test_who_holds_the_file_for_long_makes_judges_wait_and_loses_nothing(path):
    store = sqlite.open_for_writing(path)
    store.rows("PRAGMA busy_timeout = 200")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    event = label(4)
    began = time.monotonic()
    with pytest.raises(StoreBusy, match="another program has held it") as refused:
        store.append(event)
    assert refused.value.status == 503
    assert 0.15 < time.monotonic() - began < 5
    other.execute("ROLLBACK")
    other.close()
    assert not store.append(event).repeated
    store.close()


def test_judges_wait_five_seconds(path):
    store = open_store(path)
    assert store.rows("PRAGMA busy_timeout") == [(5000,)]
    store.close()


def test_a_second_server_is_told_where_the_first_is(path):
    store = open_store(path)
    store.announce("http://127.0.0.1:8765")
    code = f"from cranfield.assessing.store import open_store; open_store({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"is in use by http://127.0.0.1:8765 (process {os.getpid()} on" in done.stderr
    assert "Stop that one first, or open its address." in done.stderr
    store.close()


def test_the_store_of_a_process_that_died_is_free(path):
    opening = f"from cranfield.assessing.store import open_store; open_store({str(path)!r})"
    subprocess.run([sys.executable, "-c", f"import os; {opening}; os.kill(os.getpid(), 9)"])
    open_store(path).close()


def test_only_one_of_many_that_try_at_once_owns_it(path):
    owned: list[object] = []

    def attempt() -> None:
        try:
            owned.append(open_store(path))
        except DataError:
            owned.append(None)

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stores = [store for store in owned if store is not None]
    assert len(stores) == 1
    stores[0].close()


def test_a_backup_is_a_store_while_labels_go_on(path, tmp_path):
    store = open_store(path)
    store.append(label(4))
    store.backup(tmp_path / "copy.db")
    store.append(label(5))
    copy = open_store(tmp_path / "copy.db")
    assert len(list(copy.current())) == 2
    assert copy.verify() == []
    copy.close()
    with pytest.raises(DataError, match="exists already"):
        store.backup(tmp_path / "copy.db")
    store.close()


# Files that are no store, or not this one's


def test_a_file_of_something_else_is_refused(tmp_path):
    text, empty, foreign = (tmp_path / name for name in ("notes.txt", "empty.db", "bookmarks.sqlite"))
    text.write_text("query document grade\n" * 100)
    empty.touch()
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE event (seq)")
    connection.close()
    for file in (text, empty, foreign):
        before = file.read_bytes()
        for read_only in (False, True):
            with pytest.raises(DataError, match=rf"{file.name}: is not a judging project of cranfield"):
                open_store(file, read_only=read_only)
        assert file.read_bytes() == before
        assert not file.with_name(f"{file.name}.lock").exists()


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        open_store(tmp_path / "judging.db")
    with pytest.raises(DataError, match="is a folder, not a file"):
        open_store(tmp_path, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_new_store_needs_a_folder(tmp_path):
    with pytest.raises(DataError, match="no such file or directory"):
        create_store(tmp_path / "gone" / "judging.db", new_project("garden"), garden())


def test_another_file_is_never_overwritten(tmp_path):
    (tmp_path / "judging.db").write_text("mine")
    with pytest.raises(DataError, match=r"exists already\nChoose another name; nothing was overwritten\."):
        create_store(tmp_path / "judging.db", new_project("garden"), garden())
    assert (tmp_path / "judging.db").read_text() == "mine"


def test_a_store_of_a_newer_version_is_refused(path):
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for read_only in (False, True):
        with pytest.raises(DataError, match=r"newer cranfield \(tables of version 99; this one knows 1\)"):
            open_store(path, read_only=read_only)


def test_a_store_of_an_older_version_is_migrated_after_a_copy(path, monkeypatch):
    monkeypatch.setattr(schema, "VERSION", 2)
    with pytest.raises(DataError, match="older cranfield"):
        open_store(path, read_only=True)
    with pytest.raises(DataError, match="older cranfield"):
        open_store(path)
    steps = {1: ["ALTER TABLE event ADD COLUMN place TEXT NOT NULL DEFAULT ''"]}
    store = sqlite.open_for_writing(path, steps)
    assert store.rows("SELECT DISTINCT place FROM event") == [("",)]
    assert store.verify() == []
    events = list(store.events())
    store.close()
    sqlite.open_for_writing(path, {}).close()
    monkeypatch.setattr(schema, "VERSION", 1)
    copy = open_store(path.with_name("judging.db.before-1"))
    assert list(copy.events()) == events
    copy.close()


def test_a_migration_that_fails_changes_nothing(path, monkeypatch):
    monkeypatch.setattr(schema, "VERSION", 2)
    steps = {1: ["ALTER TABLE event ADD COLUMN place TEXT", "ALTER TABLE nothing ADD COLUMN place TEXT"]}
    with pytest.raises(StoreBroken):
        sqlite.open_for_writing(path, steps)
    monkeypatch.setattr(schema, "VERSION", 1)
    store = open_store(path)
    assert "place" not in str(store.rows("PRAGMA table_info(event)"))
    store.close()


def test_a_store_that_was_cut_off_is_refused_or_told(path):
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])

    def serve() -> None:
        store = open_store(path)
        try:
            Service(store)
        finally:
            store.close()

    with pytest.raises(DataError, match=r"judging\.db: is damaged"):
        serve()


def test_verify_tells_of_damage(path):
    whole = bytearray(path.read_bytes())
    page = 4096
    for at in range(2 * page, len(whole) - page, 3 * page):
        whole[at : at + 64] = os.urandom(64)
    path.write_bytes(whole)
    store = open_store(path, read_only=True)
    assert store.verify() != []
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = '{}' WHERE name = 'project'",
        "UPDATE event SET more = '{' WHERE kind = 'judge-added'",
        "UPDATE event SET more = '' WHERE kind = 'settings'",
        "UPDATE event SET judge = 77 WHERE kind = 'label'",
        "UPDATE event SET item = 1000 WHERE kind = 'label'",
        "UPDATE event SET item = 'one' WHERE kind = 'label'",
        "UPDATE event SET grade = 9e999 WHERE kind = 'label'",
        "UPDATE item SET query = 1099511627776 WHERE item = 1",
        "UPDATE item SET document = 'first' WHERE item = 1",
        "UPDATE item SET part = 'none' WHERE item = 1",
        "UPDATE item SET other = 1 WHERE item = 1",
        "DELETE FROM item WHERE item = 2",
        "DELETE FROM query WHERE query = 0",
        "UPDATE document SET name = x'00ff' WHERE document = 0",
        "UPDATE run SET starts = x'00'",
        "UPDATE run SET ranks = items, items = ranks, starts = retrieved",
        "UPDATE run SET items = x'ffffff7f'",
        "UPDATE run SET name = x'ff' WHERE run = 0",
    ],
)
def test_values_that_nobody_could_have_stored_are_damage(path, statement):
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement)
    connection.close()
    store = open_store(path)
    assert store.verify() != []
    with pytest.raises(DataError, match=r"judging\.db: is damaged: it has values that make no sense"):
        Service(store)
    store.close()


def test_a_file_in_a_folder_that_nobody_may_write_to_can_be_read(path):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(path, folder / "judging.db")
        (folder / "judging.db").chmod(0o444)
        folder.chmod(0o555)
        code = f"""
import os
from cranfield.assessing.store import open_store, sqlite
if os.getuid() == 0:
    os.setuid(65534)
print(len(list(open_store("{folder}/judging.db", read_only=True).current())))
open_store("{folder}/judging.db")
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        folder.chmod(0o755)
    assert done.stdout == "1\n", done.stderr
    assert "judging.db: may not be written" in done.stderr


def test_a_file_that_may_not_be_written_is_refused_by_name(path, monkeypatch):
    monkeypatch.setattr(sqlite.os, "access", lambda path, mode: False)
    with pytest.raises(DataError, match=r"judging\.db: may not be written"):
        open_store(path)


def test_what_may_only_be_read_refuses_labels(path):
    store = open_store(path, read_only=True)
    with pytest.raises(StoreReadOnly):
        store.append(label(4))
    with pytest.raises(StoreReadOnly, match="may not be written"):
        store.rows("DELETE FROM event")
    store.close()


def test_labels_for_a_file_that_is_gone_are_refused(path):
    store = open_store(path)
    shutil.rmtree(path.parent)
    with pytest.raises(StoreBroken, match=r"judging\.db: cannot be read or written: it was moved or deleted"):
        store.append(label(4))
    path.parent.mkdir()
    path.touch()
    with pytest.raises(StoreBroken, match="moved or deleted"):
        store.append(label(4))
    store.close()
