"""A database as a system: a statement with the query as a parameter, in a connection that cannot write."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.data.queries import Value
from cranfield.errors import DataError
from cranfield.formats.source import is_address, is_there, without_password
from cranfield.requesting.failures import Failure
from cranfield.retrieving.searching import SearchQuery, SearchResult, document_id
from cranfield.retrieving.templates import filled_sql, names_in, sql_parameters, sql_template

Rows = list[tuple[Any, ...]]


class Connection(NamedTuple):
    """One connection, for one thread."""

    execute: Callable[[str, Sequence[Value]], Rows]
    close: Callable[[], None]


MOST_ROWS = 1_000_000
_SQLITE = b"SQLite format 3\0"
_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""


class DatabaseSystem:
    """A statement that gives a document a row, best first: its id, and perhaps its score."""

    def __init__(self, database: str, statement: str, known: Sequence[str], timeout: float) -> None:
        self.template = sql_template(statement, known)
        self.names: Sequence[str] = names_in(self.template)
        if "query" not in self.names and not any(name not in ("size", "query_id") for name in self.names):
            raise errors.retrieving.nothing_of_the_query("The statement")
        connect, self.mark = _opener(database, timeout)
        self.statement, self.parameters = filled_sql(self.template, self.mark)
        shown = without_password(database) if is_address(database) else database
        self.asked: Mapping[str, Any] = {"source": shown, "sql": statement}
        self._connect = connect
        self._own = threading.local()
        self._opened: list[Connection] = []
        self._connection()  # a database that cannot be opened is no failure of a query

    def request(self, query: SearchQuery) -> Any:
        """The statement and its parameters."""
        return [self.asked["source"], self.statement, sql_parameters(self.parameters, query.values)]

    def search(self, query: SearchQuery) -> SearchResult:
        """The rows of a query."""
        rows = self._connection().execute(self.statement, sql_parameters(self.parameters, query.values))
        if len(rows) > MOST_ROWS:
            raise Failure("too large", f"the statement gives more than {MOST_ROWS:,} rows; limit them: LIMIT {{size}}")
        documents = tuple(document_id(row[0]) for row in rows)
        if not rows or len(rows[0]) == 1:
            return SearchResult(documents)
        return SearchResult(documents, tuple(_score(row[1]) for row in rows))

    def close(self) -> None:
        """Close every connection."""
        for connection in self._opened:
            connection.close()

    def _connection(self) -> Connection:
        """The connection of this thread."""
        if not hasattr(self._own, "connection"):
            self._own.connection = self._connect()
            self._opened.append(self._own.connection)
        connection: Connection = self._own.connection
        return connection


def _score(value: object) -> float:
    with suppress(TypeError, ValueError, OverflowError):
        score = math.nan if isinstance(value, str | bytes | bool) else float(value)  # type: ignore[arg-type]  # numeric
        if math.isfinite(score):
            return score
    raise Failure("unreadable", f"the second column is the score of a document, not {str(value)[:60]!r}")


def _opener(database: str, timeout: float) -> tuple[Callable[[], Connection], str]:
    """How a connection is opened, and how the database spells parameters."""
    if is_address(database):
        return lambda: _postgres(database, timeout), "%s"
    if not is_there(database) or not Path(database).is_file():
        raise errors.retrieving.no_database(database)
    if _starts_as_sqlite(database):
        return lambda: _sqlite(database, timeout), "?"
    return lambda: _duckdb(database, timeout), "?"


def _starts_as_sqlite(path: str) -> bool:
    from cranfield.formats.source import as_source

    source = as_source(path)
    assert source is not None
    return source.head.startswith(_SQLITE) or not source.head


def _sqlite(path: str, timeout: float) -> Connection:
    import sqlite3

    try:
        connection = sqlite3.connect(
            f"{Path(path).resolve().as_uri()}?mode=ro", uri=True, timeout=timeout, check_same_thread=False
        )
        connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        raise errors.retrieving.database_unusable(path, str(error)) from None
    ends = [math.inf]
    connection.set_progress_handler(lambda: time.monotonic() > ends[0], _STEPS)

    def execute(statement: str, parameters: Sequence[Value]) -> Rows:
        ends[0] = time.monotonic() + timeout
        try:
            return connection.execute(statement, parameters).fetchmany(MOST_ROWS + 1)
        except sqlite3.Error as error:
            text = str(error)
            if text == "interrupted":
                raise Failure("timeout", f"no answer within {timeout:g} seconds") from None
            if "locked" in text or "busy" in text:
                raise Failure("server error", text) from None
            raise Failure("not allowed" if "readonly" in text else "rejected", text) from None
        except (sqlite3.Warning, OverflowError, ValueError) as error:
            raise Failure("rejected", str(error)) from None

    return Connection(execute, connection.close)


def _postgres(address: str, timeout: float) -> Connection:
    psycopg = _driver("psycopg", "psycopg[binary]", "a PostgreSQL database", without_password(address))
    limits = f"-c default_transaction_read_only=on -c statement_timeout={int(timeout * 1000)}"
    try:
        connection = psycopg.connect(address, autocommit=True, connect_timeout=10, options=limits)
    except (psycopg.Error, ValueError, UnicodeError) as error:
        reason = " ".join(str(error).split())
        raise errors.retrieving.database_unusable(without_password(address), reason) from None

    def execute(statement: str, parameters: Sequence[Value]) -> Rows:
        try:
            cursor = connection.execute(statement, parameters)
            return cursor.fetchmany(MOST_ROWS + 1) if cursor.description else []
        except psycopg.errors.QueryCanceled:
            raise Failure("timeout", f"no answer within {timeout:g} seconds") from None
        except psycopg.errors.ReadOnlySqlTransaction as error:
            raise Failure("not allowed", _first_line(error)) from None
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise Failure("no connection", _first_line(error)) from None
        except (psycopg.Error, ValueError, UnicodeError) as error:
            raise Failure("rejected", _first_line(error)) from None

    return Connection(execute, connection.close)


def _duckdb(path: str, timeout: float) -> Connection:
    duckdb = _driver("duckdb", "duckdb", "a DuckDB database", path)
    try:
        connection = duckdb.connect(path, read_only=True)
    except duckdb.Error as error:
        raise errors.retrieving.database_unusable(path, _first_line(error)) from None

    def execute(statement: str, parameters: Sequence[Value]) -> Rows:
        clock = threading.Timer(timeout, connection.interrupt)
        clock.daemon = True
        clock.start()
        try:
            return connection.execute(statement, list(parameters)).fetchmany(MOST_ROWS + 1)
        except duckdb.InterruptException:
            raise Failure("timeout", f"no answer within {timeout:g} seconds") from None
        except duckdb.Error as error:
            words = _first_line(error)
            raise Failure("not allowed" if "read-only" in words else "rejected", words) from None
        finally:
            clock.cancel()

    return Connection(execute, connection.close)


def _driver(package: str, install: str, what: str, path: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise DataError([errors.packages.missing_reader(path, what, install)]) from None


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0][:200]
