"""Judging projects, as `cranfield judge` keeps them: labels read straight from the database, while people judge.

Whoever writes to a store is `cranfield.assessing`. Here it is only read: an SQLite file, or a schema of a PostgreSQL
database.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import product
from math import isfinite
from pathlib import Path
from statistics import median_low
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from cranfield import errors
from cranfield.data.judgments import GroupKind, JudgmentRows, Judgments
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats.columns import Columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.label_tables import Read
from cranfield.formats.numbered_columns import numbered
from cranfield.formats.source import DatabaseAddress, Source, without_password

if TYPE_CHECKING:
    import psycopg

APPLICATION = 0x63726A64
"""By which SQLite files of this package are known: `crjd`."""
VERSION = 1
"""Of the tables; a store of an older one is migrated by whoever writes to it, one of a newer one is refused."""
SCHEMA = "judging"
"""Where tables are in PostgreSQL unless the address names another, with `?schema=`."""
PATIENCE = 5
"""Seconds to wait for a connection."""
BETTER, WORSE = 2.0, 1.0
"""Grades of two documents where a judge prefers one; neither is irrelevant, which is 0."""


class StoredLabel(NamedTuple):
    """What somebody says of a document now; in a comparison of two, `grade` is 1 where the first is better."""

    item: int
    query: str
    document: str
    other: str | None
    judge: str
    judge_kind: str
    kind: str
    grade: float


class StoredJudging(NamedTuple):
    """Everything in a store that evaluations read."""

    path: str
    task: str
    labels: tuple[StoredLabel, ...]
    """Of people and models, in the order of items."""
    decided: Mapping[int, StoredLabel]
    """By item what a manager decided on."""
    known: tuple[tuple[str, str, float], ...]
    """Judgments that there were before: query, document, grade."""


def read_store(source: Source) -> StoredJudging:
    """What judges say now; all of one moment."""
    with making_sense(source.path), _opened(source) as database:
        project = json.loads(database.rows("SELECT value FROM meta WHERE name = 'project'")[0][0])
        said = [StoredLabel(*row) for row in require_types(database.rows(_SAID), _SAID_TYPES)]
        known = require_types(database.rows(_KNOWN), _KNOWN_TYPES)
        require_finite([*(label.grade for label in said), *(grade for _, _, grade in known)])
        task = project["task"]
    labels = tuple(label for label in said if label.kind == "label" and label.judge_kind != "manager")
    decided = {label.item: label for label in said if label.kind == "adjudicate"}
    return StoredJudging(source.path, str(task), labels, decided, tuple(known))


@contextmanager
def making_sense(where: str) -> Iterator[None]:
    """While values of a store are read: those that this package cannot have written are damage, reported as such."""
    try:
        yield
    except CranfieldError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
        # A sentence of Python's is for whoever mends the file; what anybody else can do is in the advice.
        reason = f"it has values that make no sense ({type(error).__name__}: {error})"
        raise DataError([errors.assessing.damaged_store(where, reason)]) from error


Types = frozenset[tuple[type, ...]]


def types_of(*columns: type | tuple[type, ...]) -> Types:
    """Every way in which the columns of a row may be typed.

    >>> sorted(map(len, types_of(int, (str, type(None)))))
    [2, 2]
    """
    return frozenset(product(*(column if isinstance(column, tuple) else (column,) for column in columns)))


def require_types(rows: list[Any], types: Types) -> list[Any]:
    """Rows whose values have the types that their columns are for: SQLite stores any value in any column."""
    for row in rows:
        if tuple(map(type, row)) not in types:
            raise TypeError(f"unexpected {next(iter(row), None)!r:.60}: {', '.join(type(one).__name__ for one in row)}")
    return rows


def require_finite(grades: Iterable[float | None]) -> None:
    """Grades are numbers, and no infinite ones."""
    if not all(grade is None or isfinite(grade) for grade in grades):
        raise ValueError("a grade is not finite")


NULL = type(None)
_SAID_TYPES = types_of(int, str, str, (str, NULL), str, str, str, float)
_KNOWN_TYPES = types_of(str, str, float)
_SAID = """SELECT c.item, q.name, d.name, o.name, j.name, j.kind, c.kind, c.grade FROM current c
    JOIN item i ON i.item = c.item JOIN query q ON q.query = i.query JOIN document d ON d.document = i.document
    LEFT JOIN document o ON o.document = i.other JOIN judge j ON j.judge = c.judge
    WHERE c.kind IN ('label', 'adjudicate') AND c.grade IS NOT NULL ORDER BY c.item, c.kind, c.seq"""
# Several managers may have decided: the last one counts.
_KNOWN = """SELECT q.name, d.name, i.known FROM item i JOIN query q ON q.query = i.query
    JOIN document d ON d.document = i.document WHERE i.part = 'imported' ORDER BY i.item"""


# As judgments and labels


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """One grade for each document: what was decided on, or the lower median of people's labels, or the grade before.

    Measures that read several grades get each judge's, and those of preferences the documents side by side.
    """
    if columns:
        raise errors.judging_store.columns_of_store(source.path)
    store = read_store(source)
    if columns.groups == "preference" and store.task == "preferences":
        yield _preferences(store)
        return
    _must_have_grades(store)
    if columns.groups in ("judge", "preference"):
        yield _by_judge(store)
        return
    yield _merged(store, columns.groups, findings)


def judgments_of_project(store: StoredJudging) -> Judgments:
    """The judgments of a project that is open."""
    _must_have_grades(store)
    findings = Findings()
    return Judgments.from_rows([_merged(store, None, findings)], path=store.path, findings=findings)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """No run: a store has none that could be read."""
    raise DataError([errors.judging_store.store_for_run(source.path)])


def label_rows(store: StoredJudging, name: str = "judging") -> Read:
    """Every judge's labels, and what was decided on."""
    _must_have_grades(store)
    labels = [*store.labels, *(one._replace(grade=float("nan")) for one in _decided_alone(store))]
    if not labels:
        raise DataError([errors.judging_store.no_labels_yet(store.path)])
    return Read(
        range(1, len(labels) + 1),
        numbered([label.query for label in labels]),
        numbered([label.document for label in labels]),
        numbered([label.judge for label in labels]),
        [label.grade for label in labels],
        unit="label",
        path=store.path,
        name=name,
        rows=False,
        decided={(one.query, one.document): one.grade for one in store.decided.values()},
    )


def _decided_alone(store: StoredJudging) -> list[StoredLabel]:
    """Decisions on documents that have no label any more."""
    labelled = {label.item for label in store.labels}
    return [one for item, one in store.decided.items() if item not in labelled]


def _must_have_grades(store: StoredJudging) -> None:
    if store.task == "preferences":
        raise DataError([errors.judging_store.preferences_for_grades(store.path)])


def _merged(store: StoredJudging, groups: GroupKind | None, findings: Findings) -> JudgmentRows:
    people = _people(store)
    grades = {(query, document): float(grade) for query, document, grade in store.known} | _by_people(store, people)
    models = sum(label.judge_kind == "model" for label in store.labels)
    if not grades and models:
        grades = _by_model(store)
        findings.add(errors.model_judging.by_model_alone(store.path, sorted({one.judge for one in store.labels})))
        models = 0
    if not grades:
        raise DataError([errors.judging_store.no_labels_yet(store.path)])
    several = sum(len(of) > 1 and item not in store.decided for item, of in people.items())
    if several:
        findings.add(errors.judging_store.merged_labels(store.path, several, len(store.decided)))
    if models:
        findings.add(errors.judging_store.without_models(store.path, models))
    return JudgmentRows(
        range(1, len(grades) + 1),
        [query for query, _ in grades],
        [document for _, document in grades],
        list(grades.values()),
        {} if groups is None else {groups: [""] * len(grades)},
        "judgment",
    )


def _people(store: StoredJudging) -> dict[int, list[StoredLabel]]:
    """By item, the labels of people."""
    people: dict[int, list[StoredLabel]] = {}
    for label in store.labels:
        if label.judge_kind == "person":
            people.setdefault(label.item, []).append(label)
    return people


def _by_people(store: StoredJudging, people: Mapping[int, list[StoredLabel]]) -> dict[tuple[str, str], float]:
    """The lower median of people's grades, or what was decided on."""
    merged = {(of[0].query, of[0].document): float(median_low(label.grade for label in of)) for of in people.values()}
    return merged | {(one.query, one.document): one.grade for one in store.decided.values()}


def _by_model(store: StoredJudging) -> dict[tuple[str, str], float]:
    """A model's grades; where several models labelled here, the one that labelled most."""
    counts = Counter(label.judge for label in store.labels if label.judge_kind == "model")
    model = counts.most_common(1)[0][0] if counts else ""
    return {(label.query, label.document): label.grade for label in store.labels if label.judge == model}


class JudgedTwice(NamedTuple):
    """People's judgments of some queries, and a model's of all."""

    people: Judgments
    model: Judgments


def judged_by_both(source: Source) -> JudgedTwice:
    """From a store: people's judgments of those queries that they judged completely, and the labels of a model.

    Queries come in an order by chance, so those that are complete are a random sample, unless documents were chosen by
    what their labels could change, or by a strategy that learns: then they are none, and are refused.
    """
    store = read_store(source)
    _must_have_grades(store)
    by_model = _by_model(store)
    if not by_model:
        raise errors.model_judging.no_model_labels(store.path)
    with making_sense(source.path), _opened(source) as database:
        asked = {(query, document) for query, document in database.rows(_ASKED)}
        chosen = Counter(str(json.loads(more or "{}").get("chosen")) for (more,) in database.rows(_CHOSEN))
    if guided := sum(count for how, count in chosen.items() if how in ("influence", "bandit")):
        raise DataError([errors.correcting.not_at_random(store.path, guided)])
    people = _by_people(store, _people(store))
    incomplete = {query for query, document in asked if (query, document) not in people}
    complete = {pair: grade for pair, grade in people.items() if pair[0] not in incomplete}
    if not complete:
        raise DataError([errors.correcting.no_complete_query(store.path)])
    return JudgedTwice(*(_judgments(grades, store.path) for grades in (complete, by_model)))


_ASKED = """SELECT q.name, d.name FROM item i JOIN query q ON q.query = i.query
    JOIN document d ON d.document = i.document WHERE i.part <> 'imported'"""
_CHOSEN = """SELECT e.more FROM event e JOIN judge j ON j.judge = e.judge
    WHERE e.kind = 'label' AND j.kind = 'person'"""


def _judgments(grades: Mapping[tuple[str, str], float], path: str) -> Judgments:
    rows = JudgmentRows(
        range(1, len(grades) + 1),
        [query for query, _ in grades],
        [document for _, document in grades],
        list(grades.values()),
        unit="judgment",
    )
    return Judgments.from_rows([rows], path=path)


def _by_judge(store: StoredJudging) -> JudgmentRows:
    labels = store.labels
    if not labels:
        raise DataError([errors.judging_store.no_labels_yet(store.path)])
    return JudgmentRows(
        range(1, len(labels) + 1),
        [label.query for label in labels],
        [label.document for label in labels],
        [label.grade for label in labels],
        {"judge": [label.judge for label in labels], "subgroup": ["1"] * len(labels)},
        "label",
    )


class Preference(NamedTuple):
    """One of two documents that a judge compared, as preference measures read them."""

    query: str
    judge: str
    subgroup: str
    """Tells comparisons of one judge apart: grades mean something only within it."""
    document: str
    grade: float


def preferences_of(labels: Sequence[StoredLabel]) -> list[Preference]:
    """Two rows for each comparison: the better document has the higher grade, equal ones have the same.

    >>> label = StoredLabel(7, "q1", "d1", "d2", "ada", "person", "label", -1.0)
    >>> [tuple(row) for row in preferences_of([label])]
    [('q1', 'ada', '7', 'd1', 1.0), ('q1', 'ada', '7', 'd2', 2.0)]
    """
    return [
        Preference(label.query, label.judge, str(label.item), document, BETTER if is_better else WORSE)
        for label in labels
        for document, is_better in ((label.document, label.grade > 0), (label.other or "", label.grade < 0))
    ]


def _preferences(store: StoredJudging) -> JudgmentRows:
    rows = preferences_of(store.labels)
    if not rows:
        raise DataError([errors.judging_store.no_labels_yet(store.path)])
    return JudgmentRows(
        range(1, len(rows) + 1),
        [row.query for row in rows],
        [row.document for row in rows],
        [row.grade for row in rows],
        {"judge": [row.judge for row in rows], "subgroup": [row.subgroup for row in rows]},
        "preference",
    )


# Databases


class _Database(Protocol):
    """A database that is only read, at one moment."""

    def rows(self, statement: str) -> list[Any]:
        """What a statement gives."""


@contextmanager
def _opened(source: Source) -> Iterator[_Database]:
    if isinstance(source, DatabaseAddress):
        with _postgres(source.address) as database:
            yield database
    else:
        with _sqlite(source) as database:
            yield database


class _ReadOnly(NamedTuple):
    connection: Any

    def rows(self, statement: str) -> list[Any]:
        return list(self.connection.execute(statement).fetchall())


@contextmanager
def _sqlite(source: Source) -> Iterator[_Database]:
    import sqlite3

    address = Path(str(source.file)).absolute().as_uri()
    try:
        try:
            connection = _sqlite_reader(f"{address}?mode=ro", source.path)
        except sqlite3.OperationalError:
            # Next to a file in a folder that nobody may write to there is no memory to share, and nobody to share it.
            connection = _sqlite_reader(f"{address}?mode=ro&immutable=1", source.path)
        with closing(connection):
            connection.execute("BEGIN")
            yield _ReadOnly(connection)
    except sqlite3.Error as error:
        raise DataError([_sqlite_refusal(error, source.path)]) from None


def _sqlite_reader(address: str, path: str) -> Any:
    import sqlite3

    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE)
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        require_version(path, version if application == APPLICATION else None)
    except BaseException:
        connection.close()
        raise
    return connection


def _sqlite_refusal(error: Exception, path: str) -> errors.Finding:
    import sqlite3

    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return errors.assessing.no_store(path)
    if code == sqlite3.SQLITE_CORRUPT:
        return errors.assessing.damaged_store(path, str(error))
    return errors.files.unreadable(path, str(error))


def require_version(path: str, version: int | None) -> None:
    """Refuse what is no store (None), and one of other tables than these."""
    if version is None:
        raise DataError([errors.assessing.no_store(path)])
    if version > VERSION:
        raise DataError([errors.assessing.newer_store(path, version, VERSION)])
    if version < VERSION:
        raise DataError([errors.assessing.older_store(path, version, VERSION)])


@contextmanager
def _postgres(given: str) -> Iterator[_Database]:
    address, schema = parted(given)
    where = without_password(given)
    with connected(address, where) as connection:
        import psycopg

        try:
            connection.execute(f'SET search_path TO "{schema}"')
            # Whoever reads sees one moment, however long it takes, and keeps nobody from writing.
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                version = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
            except psycopg.errors.UndefinedTable:
                version = None
            require_version(where, None if version is None else int(version[0]))
            yield _ReadOnly(connection)
        except psycopg.Error as error:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise DataError([errors.files.unreadable(where, first)]) from None


def connected(address: str, where: str) -> psycopg.Connection[Any]:
    """A connection; each statement is a transaction unless one was begun."""
    try:
        import psycopg
    except ImportError:
        finding = errors.packages.missing_reader(where, "a store in PostgreSQL", "psycopg[binary]")
        raise DataError([finding]) from None
    try:
        return psycopg.connect(address, autocommit=True, connect_timeout=PATIENCE, application_name="cranfield judge")
    except psycopg.Error as error:
        raise DataError([errors.assessing.no_connection(where, str(error).strip().splitlines()[0])]) from None


def parted(address: str) -> tuple[str, str]:
    """The address that the database's own tools take, and the schema.

    >>> parted("postgresql://ada@127.0.0.1/team?schema=garden&sslmode=require")
    ('postgresql://ada@127.0.0.1/team?sslmode=require', 'garden')
    """
    parts = urlsplit(address)
    options = parse_qsl(parts.query, keep_blank_values=True)
    name = dict(options).get("schema", SCHEMA)
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,50}", name):
        raise errors.assessing.wrong_schema(name)
    rest = urlencode([(option, value) for option, value in options if option != "schema"])
    return urlunsplit(parts._replace(query=rest)), name
