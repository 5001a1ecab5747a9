"""A store in an SQLite file: nothing to set up, and one file to copy."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

from cranfield import errors
from cranfield.assessing.items import Contents
from cranfield.assessing.project import Project
from cranfield.assessing.refusals import StoreBroken, StoreBusy, StoreFull, StoreReadOnly
from cranfield.assessing.store import schema
from cranfield.assessing.store.filesystem import is_shared
from cranfield.assessing.store.owner import OwnerLock, ProgramAccess
from cranfield.assessing.store.sql import Row, SqlStore
from cranfield.errors import CranfieldError, DataError, Finding

PATIENCE = 5.0
"""Seconds to wait for somebody else who writes to the file."""


class SqliteStore(SqlStore):
    """A store in a file that this process owns, or only reads."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, owner: OwnerLock | None, *, patience: float = PATIENCE
    ) -> None:
        readable = None if is_shared(path) else str(path.absolute())  # there the one who writes has it alone
        super().__init__(str(path), read_only=owner is None, readable=readable)
        self.path = path
        self.connection = connection
        self.owner = owner
        self._file = _identity(path)
        connection.execute(f"PRAGMA busy_timeout = {round(patience * 1000)}")

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """What a statement gives."""
        with self.lock, refusals(self.path):
            return self.connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements within are stored durably together, or none is."""
        with self.lock, refusals(self.path):
            if _identity(self.path) != self._file:  # the system would let us write to what nobody finds any more
                raise StoreBroken(errors.assessing.store_broken(str(self.path), "it was moved or deleted"))
            # Begun as a writer: one that begins as a reader fails at once where somebody else has written since.
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def insert_many(self, table: str, columns: str, rows: Iterable[Row]) -> None:
        """Many rows for a new store."""
        marks = ", ".join("?" for _ in columns.split(","))
        with refusals(self.path):
            self.connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)

    def damage(self) -> list[str]:
        """What SQLite finds wrong with the file."""
        try:
            told = [text for (text,) in self.rows("PRAGMA integrity_check(20)") if text != "ok"]
            strays = self.rows("PRAGMA foreign_key_check")
        except DataError as error:
            return [str(error)]
        return [*told, *(errors.assessing.stray_row(table, row) for table, row, *_ in strays)]

    def announce(self, address: str, programs: ProgramAccess | None = None) -> None:
        """Tell whoever tries to open the store as well where it is served."""
        if self.owner is not None:
            self.owner.announce(address, programs)

    def backup(self, path: str | PathLike[str]) -> None:
        """A copy of everything as it is now, in one file; labels are stored meanwhile."""
        target = Path(path)
        _refuse_existing(target)
        if self.read_only:
            copy_of(self.connection, target)
        elif is_shared(self.path):  # nobody else can read it there
            with self.lock:
                copy_of(self.connection, target)
        else:
            reader = open_for_reading(self.path)
            copy_of(reader.connection, target)
            reader.close()

    def close(self) -> None:
        """Bring everything into the one file, and let others have it."""
        with self.lock:
            if not self.read_only:
                with suppress(sqlite3.Error):
                    self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.connection.close()
            if self.owner is not None:
                self.owner.release()


def create(path: Path, project: Project, contents: Contents) -> SqliteStore:
    """A new file with all that is to be judged.

    It is made under another name and renamed when it is complete: there is never half a store.
    """
    _refuse_existing(path)
    owner = _owned(path)
    building = path.with_name(f"{path.name}.new")
    try:
        building.unlink(missing_ok=True)
        _build(building, project, contents)
        _sync(building)  # or the name could be durable before the content is
        building.replace(path)
        _sync_folder(path.parent)
    except BaseException as error:
        with suppress(OSError):
            building.unlink(missing_ok=True)
        owner.release()
        if isinstance(error, OSError):
            raise DataError([errors.results.unwritable(str(path), error.strerror or str(error))]) from None
        raise
    owner.release()
    return open_for_writing(path)


def _build(path: Path, project: Project, contents: Contents) -> None:
    with refusals(path):
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        store = SqliteStore(path, connection, OwnerLock(path))
        # Whoever is interrupted begins again, so nothing needs to be safe before the end.
        for setting in ("journal_mode = OFF", "synchronous = OFF", f"application_id = {schema.APPLICATION}"):
            store.rows(f"PRAGMA {setting}")
        store.rows("BEGIN")
        for statement in schema.tables(schema.SQLITE):
            store.rows(statement)
        store.fill(project, contents)
        for statement in schema.indexes():
            store.rows(statement)
        store.rows(f"PRAGMA user_version = {schema.VERSION}")
        store.rows("COMMIT")
    finally:
        connection.close()


def open_for_writing(path: Path, migrations: Mapping[int, Sequence[str]] = schema.MIGRATIONS) -> SqliteStore:
    """The store in a file, which nobody else may write to until it is closed."""
    _refuse_missing(path)
    if not os.access(path, os.W_OK):
        raise DataError([errors.assessing.not_writable(str(path))])
    owner = _owned(path)
    try:
        with refusals(path):
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
            try:
                version = _version(connection, path)
                _safely(connection, path)
                if version < schema.VERSION:
                    _migrate(connection, path, version, migrations)
            except BaseException:
                connection.close()
                raise
        return SqliteStore(path, connection, owner)
    except BaseException:
        owner.release()
        raise


def open_for_reading(path: Path) -> SqliteStore:
    """The store in a file, which somebody may be writing to meanwhile."""
    _refuse_missing(path)
    address = path.absolute().as_uri()
    with refusals(path):
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
        try:
            version = _version(connection, path)
        except sqlite3.OperationalError:
            # Next to a file in a folder that nobody may write to there is no memory to share, and nobody to share it.
            connection.close()
            address = f"{address}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
            version = _version(connection, path)
        if version < schema.VERSION:
            connection.close()
            raise DataError([errors.assessing.older_store(str(path), version, schema.VERSION)])
        return SqliteStore(path, connection, None)


def is_store(path: Path) -> bool:
    """Whether a file is a store of this package, of whatever version."""
    try:
        with refusals(path):
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            try:
                return connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION
            finally:
                connection.close()
    except CranfieldError:
        return False


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """What SQLite refuses, in words."""
    try:
        yield
    except sqlite3.Error as error:
        raise refusal_of(error, path) from error
    except UnicodeDecodeError as error:  # text of the file in what SQLite says of it
        raise DataError([errors.assessing.damaged_store(str(path), str(error))]) from error


def refusal_of(error: sqlite3.Error, path: Path) -> CranfieldError:
    """What an error of SQLite means to whoever judges, or whoever opens a store."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(errors.assessing.store_full(str(path)))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(errors.assessing.store_busy(str(path), PATIENCE))
    if code == sqlite3.SQLITE_READONLY:
        return StoreReadOnly(errors.assessing.read_only(str(path)))
    if code == sqlite3.SQLITE_NOTADB:
        return DataError([errors.assessing.no_store(str(path))])
    if code == sqlite3.SQLITE_CORRUPT:
        return DataError([errors.assessing.damaged_store(str(path), str(error))])
    return StoreBroken(errors.assessing.store_broken(str(path), str(error)))


def copy_of(connection: sqlite3.Connection, path: Path) -> None:
    """A copy of a database in a new file, complete or not there at all."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        with refusals(path):
            target = sqlite3.connect(partial)
            try:
                connection.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")
            finally:
                target.close()
        _sync(partial)
        partial.replace(path)
        _sync_folder(path.parent)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _safely(connection: sqlite3.Connection, path: Path) -> None:
    """What is stored stays stored, also when the power fails."""
    if is_shared(path):
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = TRUNCATE")
    else:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the tables; what is no store, or of a newer version, is refused."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != schema.APPLICATION:
        raise DataError([errors.assessing.no_store(str(path))])
    if version > schema.VERSION:
        raise DataError([errors.assessing.newer_store(str(path), version, schema.VERSION)])
    return int(version)


def _migrate(connection: sqlite3.Connection, path: Path, version: int, migrations: Mapping[int, Sequence[str]]) -> None:
    """Make the tables those of this version, after a copy of what there was."""
    if any(step not in migrations for step in range(version, schema.VERSION)):
        raise DataError([errors.assessing.older_store(str(path), version, schema.VERSION)])
    copy = path.with_name(f"{path.name}.before-{version}")
    if not copy.exists():
        copy_of(connection, copy)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in range(version, schema.VERSION):
            for statement in migrations[step]:
                connection.execute(statement)
        connection.execute("UPDATE meta SET value = ? WHERE name = 'schema'", (str(schema.VERSION),))
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def lock_path(path: Path) -> Path:
    """The lock of a store, next to its file."""
    return path.with_name(f"{path.name}.lock")


def _owned(path: Path) -> OwnerLock:
    lock = OwnerLock(lock_path(path))
    try:
        owner = lock.take()
    except OSError as error:
        raise DataError([errors.results.unwritable(str(lock.path), error.strerror or str(error))]) from None
    if owner is not None:
        raise DataError([errors.assessing.in_use(str(path), owner.address, owner.pid, owner.host)])
    return lock


def _refuse_missing(path: Path) -> None:
    if path.is_dir():
        raise DataError([errors.files.is_directory(str(path))])
    if not path.exists():
        raise DataError([errors.files.no_such_file(str(path))])


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise DataError([_exists(path)])


def _exists(path: Path) -> Finding:
    return errors.assessing.store_exists(str(path), is_store=is_store(path))


def _identity(path: Path) -> tuple[int, int] | None:
    """What makes a file this one, whatever its name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    """That a file has its new name is durable only when its folder is."""
    with suppress(OSError):  # not every system has folders that can be opened
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
