"""A store in a PostgreSQL database: backed up like any other database, and several projects in one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from typing import TYPE_CHECKING, Any
from zlib import crc32

from cranfield import errors
from cranfield.assessing.items import Contents
from cranfield.assessing.project import Project
from cranfield.assessing.refusals import Refused, StoreBroken, StoreBusy, StoreFull, StoreReadOnly
from cranfield.assessing.store import schema
from cranfield.assessing.store.owner import ProgramAccess
from cranfield.assessing.store.sql import Row, SqlStore
from cranfield.errors import CranfieldError, DataError
from cranfield.formats.judging_store import connected, parted
from cranfield.formats.source import without_password

if TYPE_CHECKING:
    import psycopg

PATIENCE = 5
"""Seconds to wait for a connection, a lock, or an answer about one."""
OWNED = 0x63726A64
"""The first half of the lock that the one who writes holds; the second is made of the schema."""


class PostgresStore(SqlStore):
    """A store in a schema of a database that this process owns, or only reads."""

    def __init__(self, address: str, *, read_only: bool) -> None:
        self.address, self.schema = parted(address)
        super().__init__(without_password(address), read_only=read_only, readable=address)
        self._connection: psycopg.Connection[Any] | None = None
        self._connect()

    @property
    def connection(self) -> psycopg.Connection[Any]:
        """The connection; another one where the last was lost."""
        if self._connection is None or self._connection.closed:
            self._connect()
        assert self._connection is not None
        return self._connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """What a statement gives."""
        with self.lock, self._refusals():
            cursor = self.connection.execute(statement.replace("?", "%s"), values or None)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements within are stored durably together, or none is."""
        with self.lock, self._refusals(), self.connection.transaction():
            yield

    def insert_many(self, table: str, columns: str, rows: Iterable[Row]) -> None:
        """Many rows for a new store."""
        with (
            self._refusals(),
            self.connection.cursor() as cursor,
            cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def damage(self) -> list[str]:
        """Nothing: the database looks after itself, and refuses rows that refer to nothing."""
        return []

    def announce(self, address: str, programs: ProgramAccess | None = None) -> None:
        """Tell whoever tries to open the store as well where it is served; tokens are nothing for a database."""
        if not self.read_only:
            with self.transaction():
                self.set_meta("address", address)

    def backup(self, path: str | PathLike[str]) -> None:
        """A copy in a file is what pg_dump is for."""
        raise StoreReadOnly(errors.assessing.backup_by_dump(self.where, self.schema))

    def close(self) -> None:
        """Let others have the store."""
        with self.lock:
            if self._connection is not None and not self._connection.closed:
                with suppress(CranfieldError):
                    self.announce("")
                self._release(self._connection)
                self._connection.close()

    def _connect(self) -> None:
        self._connection = connected(self.address, self.where)
        if self.read_only:
            self._connection.execute("SET default_transaction_read_only = on")
        self._connection.execute(f'SET search_path TO "{self.schema}"')
        if not self.read_only:
            self._own(self._connection)

    def _own(self, connection: psycopg.Connection[Any]) -> None:
        """Hold a lock that ends with the connection, however that ends."""
        held = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", lock_of(self.schema)).fetchone()
        if held is not None and held[0]:
            return
        address = ""
        with suppress(Exception):
            told = connection.execute("SELECT value FROM meta WHERE name = 'address'").fetchone()
            address = told[0] if told else ""
        connection.close()
        raise DataError([errors.assessing.in_use(self.where, address, 0, "")])

    def _release(self, connection: psycopg.Connection[Any]) -> None:
        """Give the lock back at once: the database takes a moment to notice that a connection has ended."""
        if not self.read_only:
            with suppress(Exception):  # it ends with the connection all the same
                connection.execute("SELECT pg_advisory_unlock(%s, %s)", lock_of(self.schema))

    def _refusals(self) -> Any:
        return refusals(self.where)


def create(address: str, project: Project, contents: Contents) -> PostgresStore:
    """Tables in a new schema, with all that is to be judged; all of it in one transaction."""
    connection_address, name = parted(address)
    where = without_password(address)
    _make_schema(connection_address, name, where)
    store = PostgresStore(address, read_only=False)
    try:
        with store.transaction():
            for statement in schema.tables(schema.POSTGRES):
                store.rows(statement)
            store.fill(project, contents)
            for statement in schema.indexes():
                store.rows(statement)
    except BaseException:
        store.close()
        with suppress(CranfieldError), connected(connection_address, where) as connection:
            connection.execute(f'DROP SCHEMA IF EXISTS "{name}" CASCADE')
        raise
    store.rows("ANALYZE query, document, item")  # so that nothing is looked for in the wrong way
    return store


def open_for_writing(address: str, migrations: Mapping[int, Sequence[str]] = schema.MIGRATIONS) -> PostgresStore:
    """The store at an address, which nobody else may write to until it is closed."""
    store = PostgresStore(address, read_only=False)
    try:
        version = _version(store)
        if version < schema.VERSION:
            _migrate(store, version, migrations)
    except BaseException:
        store.close()
        raise
    return store


def open_for_reading(address: str) -> PostgresStore:
    """The store at an address, which somebody may be writing to meanwhile."""
    store = PostgresStore(address, read_only=True)
    try:
        version = _version(store)
        if version < schema.VERSION:
            raise DataError([errors.assessing.older_store(store.where, version, schema.VERSION)])
    except BaseException:
        store.close()
        raise
    return store


def lock_of(name: str) -> tuple[int, int]:
    """The two numbers of the lock of a schema."""
    return OWNED, crc32(name.encode()) - (1 << 31)


@contextmanager
def refusals(where: str) -> Iterator[None]:
    """What PostgreSQL refuses, in words."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise refusal_of(error, where) from error


def refusal_of(error: psycopg.Error, where: str) -> Refused:
    """What an error of PostgreSQL means to whoever judges."""
    code = error.sqlstate or ""
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if code in ("53100", "53200"):  # disk full, out of memory
        return StoreFull(errors.assessing.store_full(where))
    if code in ("55P03", "40P01", "40001", "57014"):  # lock not available, deadlock, serialization, cancelled
        return StoreBusy(errors.assessing.store_busy(where, PATIENCE))
    if code == "25006":
        return StoreReadOnly(errors.assessing.read_only(where))
    return StoreBroken(errors.assessing.store_broken(where, first))


def _make_schema(address: str, name: str, where: str) -> None:
    with connected(address, where) as connection, refusals(where):
        found = connection.execute(
            "SELECT to_regclass(%s) IS NOT NULL, EXISTS (SELECT FROM pg_namespace WHERE nspname = %s)",
            (f'"{name}".event', name),
        ).fetchone()
        is_store, exists = found or (False, False)
        if is_store:
            raise DataError([errors.assessing.store_exists(where, is_store=True)])
        if not exists:
            connection.execute(f'CREATE SCHEMA "{name}"')


def _version(store: PostgresStore) -> int:
    """The version of the tables; what is no store, or of a newer version, is refused."""
    try:
        version = store.meta("schema")
    except Refused:
        version = None
    if version is None:
        raise DataError([errors.assessing.no_store(store.where)])
    if int(version) > schema.VERSION:
        raise DataError([errors.assessing.newer_store(store.where, int(version), schema.VERSION)])
    return int(version)


def _migrate(store: PostgresStore, version: int, migrations: Mapping[int, Sequence[str]]) -> None:
    """Make the tables those of this version, after a copy of what there was in a schema of its own."""
    if any(step not in migrations for step in range(version, schema.VERSION)):
        raise DataError([errors.assessing.older_store(store.where, version, schema.VERSION)])
    copy = f"{store.schema}_before_{version}"
    with store.transaction():
        store.rows(f'DROP SCHEMA IF EXISTS "{copy}" CASCADE')
        store.rows(f'CREATE SCHEMA "{copy}"')
        for table in schema.TABLES:
            store.rows(f'CREATE TABLE "{copy}".{table} AS TABLE {table}')
        for step in range(version, schema.VERSION):
            for statement in migrations[step]:
                store.rows(statement)
        store.set_meta("schema", str(schema.VERSION))
