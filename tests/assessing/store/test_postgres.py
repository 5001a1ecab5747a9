"""What only a database server does."""

from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest

from cranfield.assessing.events import NewEvent
from cranfield.assessing.project import new_project
from cranfield.assessing.refusals import StoreBroken, StoreBusy, StoreFull, StoreReadOnly
from cranfield.assessing.store import create_store, open_store, postgres, schema
from cranfield.errors import DataError, UsageError
from tests.assessing.conftest import garden


@pytest.fixture
def address(postgres) -> str:
    """Where nothing is yet."""
    return f"{postgres}?schema=t{uuid4().hex[:12]}"


@pytest.fixture
def made(address):
    store = create_store(address, new_project("garden"), garden())
    store.add_judge("ada", "person", "hash", NewEvent(uuid4().hex, 0, None, "judge-added"))
    yield store
    store.close()


def label(item: int) -> NewEvent:
    return NewEvent(uuid4().hex, 1, item, "label", 1.0)


def test_several_projects_share_a_database(postgres):
    stores = [
        create_store(f"{postgres}?schema=t{uuid4().hex[:12]}", new_project(title), garden()) for title in ("a", "b")
    ]
    assert [store.project().title for store in stores] == ["a", "b"]
    for store in stores:
        store.close()


def test_a_connection_that_was_lost_is_made_again(made):
    made.append(label(3))
    (pid,) = made.rows("SELECT pg_backend_pid()")[0]
    with psycopg.connect(made.address, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (pid,))
    event = label(4)
    with pytest.raises(StoreBroken, match="cannot be read or written") as refused:
        made.append(event)
    assert refused.value.status == 503
    assert not made.append(event).repeated
    assert made.verify() == []


def test_a_server_that_does_not_answer_is_told_in_words():
    with pytest.raises(DataError, match=r"postgresql://ada@127\.0\.0\.1:1/team: no connection: .*\nCheck that it runs"):
        open_store("postgresql://ada:secret@127.0.0.1:1/team")


def test_a_database_without_a_project_is_refused(address):
    for read_only in (False, True):
        with pytest.raises(DataError, match="is not a judging project of cranfield"):
            open_store(address, read_only=read_only)


def test_a_store_of_a_newer_version_is_refused(made, address):
    made.rows("UPDATE meta SET value = '99' WHERE name = 'schema'")
    made.close()
    with pytest.raises(DataError, match=r"newer cranfield \(tables of version 99"):
        open_store(address)


def test_a_store_of_an_older_version_is_migrated_after_a_copy(made, address, monkeypatch):
    made.append(label(3))
    events = list(made.events())
    made.close()
    monkeypatch.setattr(schema, "VERSION", 2)
    with pytest.raises(DataError, match="older cranfield"):
        open_store(address, read_only=True)
    with pytest.raises(DataError, match="older cranfield"):
        open_store(address)
    store = postgres.open_for_writing(address, {1: ["ALTER TABLE event ADD COLUMN place TEXT NOT NULL DEFAULT ''"]})
    assert store.rows("SELECT DISTINCT place FROM event") == [("",)]
    assert store.rows(f"SELECT COUNT(*) FROM {store.schema}_before_1.event") == [(len(events),)]
    store.close()


def test_a_collection_that_cannot_be_read_leaves_nothing_behind(address):
    def documents():
        yield from ()
        raise DataError([])

    with pytest.raises(DataError):
        create_store(address, new_project("garden"), garden()._replace(documents=documents()))
    create_store(address, new_project("garden"), garden()).close()


def test_a_copy_is_what_pg_dump_makes(made, tmp_path):
    with pytest.raises(StoreReadOnly, match=f"pg_dump --schema={made.schema}"):
        made.backup(tmp_path / "copy")


@pytest.mark.parametrize("name", ["x; DROP TABLE event", "Judging", "1st", '"', "x" * 60])
def test_the_name_of_a_schema_is_a_plain_one(name):
    with pytest.raises(UsageError, match="schema must be small letters"):
        postgres.parted(f"postgresql://127.0.0.1/team?schema={name}")


@pytest.mark.parametrize(
    "address",
    ["postgresql://ada:secret@db/team", "postgresql://db/team?user=ada&password=secret", "postgres://:secret@db/team"],
)
def test_a_password_is_never_shown(address):
    assert "secret" not in postgres.without_password(address)


@pytest.mark.parametrize(
    ("error", "refusal", "status"),
    [
        (psycopg.errors.DiskFull("no space"), StoreFull, 507),
        (psycopg.errors.LockNotAvailable("locked"), StoreBusy, 503),
        (psycopg.errors.ReadOnlySqlTransaction("no"), StoreReadOnly, 503),
        (psycopg.OperationalError("server closed the connection"), StoreBroken, 503),
    ],
)
def test_what_the_database_refuses_has_words_and_a_status(error, refusal, status):
    told = postgres.refusal_of(error, "postgresql://db/team")
    assert type(told) is refusal
    assert told.status == status
    assert told.message.startswith("postgresql://db/team: ")
