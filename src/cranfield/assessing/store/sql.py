"""What both databases share: the statements, and what is done in one transaction."""

from __future__ import annotations

import json
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from os import PathLike
from types import MappingProxyType
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.arrays import Ints
from cranfield.assessing.events import CURRENT, NOTHING, Current, Event, Judge, JudgeKind, ModelAnswer, NewEvent
from cranfield.assessing.items import PARTS, POOL, Contents, DocumentText, Items, QueryText, RunArrays, require_sound
from cranfield.assessing.project import Project
from cranfield.assessing.refusals import KeyReused, Stale, StoreReadOnly
from cranfield.assessing.store import Appended
from cranfield.assessing.store.checking import StoredRows, problems_of
from cranfield.assessing.store.owner import ProgramAccess
from cranfield.assessing.store.schema import VERSION
from cranfield.data.judge_names import folded_name
from cranfield.errors import DataError
from cranfield.formats.judging_store import NULL, making_sense, require_finite, require_types, types_of

PAGE = 20_000
"""Rows that are read together of what never changes."""
FEW = 1_000
"""The same of what is written meanwhile. Between pages others write: no reader keeps them waiting, or holds on to the
past."""
EVENT = "seq, at, key, judge, item, kind, grade, before, active_ms, away_ms, how, note, more"
ANSWER = "request, judge, item, purpose, outcome, grade, facts"
_INSERT = f"""INSERT INTO event ({EVENT.removeprefix("seq, ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING RETURNING seq"""
_FIRST = """INSERT INTO current (item, judge, seq, kind, grade) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (item, judge) DO NOTHING RETURNING seq"""
_INSERT_SEVERAL = f"""INSERT INTO event ({EVENT.removeprefix("seq, ")}) VALUES :rows
    ON CONFLICT (key) DO NOTHING RETURNING key, seq"""
_FIRST_SEVERAL = """INSERT INTO current (item, judge, seq, kind, grade) VALUES :rows
    ON CONFLICT (item, judge) DO NOTHING RETURNING seq"""
_NEXT = "UPDATE current SET seq = ?, kind = ?, grade = ? WHERE item = ? AND judge = ? AND seq = ? RETURNING seq"

Row = tuple[Any, ...]

_INT, _REAL = (int, NULL), (float, NULL)
_EVENT_TYPES = types_of(int, str, str, int, _INT, str, _REAL, _INT, int, int, str, str, str)
_GRADE = EVENT.split(", ").index("grade")
_CURRENT_TYPES = types_of(int, int, int, str, _REAL)
_ITEM_TYPES = types_of(int, (int, NULL), str, (float, NULL))
_JUDGE_TYPES = types_of(int, str, str, int)
_QUERY_TYPES = types_of(str, str, str)
_DOCUMENT_TYPES = types_of(str, str, str, str)


class _KnownAlready(Exception):  # noqa: N818  # nobody erred: each is then looked at alone
    """One of several events has a key, or is of a judge and an item, that is in the store."""


class SqlStore(ABC):
    """A store in a database: one connection under one lock, and every write in a transaction of its own."""

    def __init__(self, where: str, *, read_only: bool, readable: str | None) -> None:
        self.where = where
        self.readable = readable
        self.read_only = read_only
        self.lock = threading.RLock()
        self._known_items: Items | None = None

    # What the databases do each in their way

    @abstractmethod
    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """What a statement gives; what the database refuses becomes one of `refusals`, or a `DataError`."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """All statements within are stored durably together, or none is."""

    @abstractmethod
    def insert_many(self, table: str, columns: str, rows: Iterable[Row]) -> None:
        """Many rows for a new store."""

    @abstractmethod
    def damage(self) -> list[str]:
        """What the database itself finds wrong with its tables."""

    @abstractmethod
    def announce(self, address: str, programs: ProgramAccess | None = None) -> None:
        """Tell whoever tries to open the store as well where it is served."""

    @abstractmethod
    def backup(self, path: str | PathLike[str]) -> None:
        """A copy of everything as it is now, while others go on."""

    @abstractmethod
    def close(self) -> None:
        """Give up the store."""

    # What there is

    def meta(self, name: str) -> str | None:
        """One of the facts about the store itself."""
        found = self.rows("SELECT value FROM meta WHERE name = ?", (name,))
        return found[0][0] if found else None

    def set_meta(self, name: str, value: str) -> None:
        """Set one of these facts."""
        self.rows(
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def project(self) -> Project:
        """The settings as they are now."""
        with making_sense(self.where):
            return Project.from_dict(json.loads(self.meta("project") or "{}"))

    def items(self) -> Items:
        """What is judged; it never changes, and is read once."""
        with self.lock, making_sense(self.where):
            if self._known_items is None:
                items = self._items()
                require_sound(items)
                self._known_items = items
            return self._known_items

    def _items(self) -> Items:
        runs = self.rows("SELECT name, starts, items, ranks, retrieved FROM run ORDER BY run")
        queries = _in_order(self.rows("SELECT query, name FROM query"))
        documents = _in_order(self._document_names())
        pairs = np.concatenate([np.empty((0, 3), dtype=np.int64), *self._pairs()])
        if not (pairs[:, 0] == np.arange(1, len(pairs) + 1)).all():
            raise ValueError("numbers of items are missing")
        other, part, known = np.full(len(pairs), -1), np.full(len(pairs), POOL, np.int8), np.full(len(pairs), np.nan)
        compared = 0
        for item, second, name, grade in self._unusual_items():
            if second is not None:
                other[item - 1], compared = second, compared + 1
            part[item - 1] = PARTS.index(name)
            known[item - 1] = np.nan if grade is None else grade
        if compared not in (0, len(pairs)):
            raise ValueError("an item has no second document")
        return Items(
            queries,
            documents,
            pairs[:, 1].copy(),
            pairs[:, 2].copy(),
            other if compared else None,
            part,
            known,
            tuple(RunArrays(name, *map(_ints, arrays)) for name, *arrays in runs),
        )

    def judges(self) -> tuple[Judge, ...]:
        """Everybody who ever judged, by number."""
        rows = self.rows("SELECT judge, name, kind, off FROM judge ORDER BY judge")
        with making_sense(self.where):
            return tuple(map(_judge, require_types(rows, _JUDGE_TYPES)))

    def query_text(self, query: int) -> QueryText:
        """What a query says, by its position in the items."""
        rows = self.rows("SELECT name, text, description FROM query WHERE query = ?", (query,))
        with making_sense(self.where):
            return QueryText(*require_types(rows, _QUERY_TYPES)[0])

    def document_text(self, document: int) -> DocumentText:
        """What a document says, by its position in the items."""
        rows = self.rows("SELECT name, title, text, url FROM document WHERE document = ?", (document,))
        with making_sense(self.where):
            return DocumentText(*require_types(rows, _DOCUMENT_TYPES)[0])

    def event_of(self, key: str) -> Event | None:
        """The event with a key."""
        return self.events_of([key]).get(key)

    def events_of(self, keys: Sequence[str]) -> dict[str, Event]:
        """The events with some keys, by key."""
        found = self.rows(f"SELECT {EVENT} FROM event WHERE key IN ({_marks(keys)})", keys) if keys else []
        return {event.key: event for event in self._events(found)}

    def events(self, after: int = 0) -> Iterator[Event]:
        """All events that followed a number, in their order."""
        statement = f"SELECT {EVENT} FROM event WHERE seq > ? ORDER BY seq LIMIT {FEW}"
        while page := self.rows(statement, (after,)):
            yield from self._events(page)
            after = page[-1][0]

    def _events(self, rows: list[Row]) -> list[Event]:
        with making_sense(self.where):
            require_finite(row[_GRADE] for row in require_types(rows, _EVENT_TYPES))
            return list(map(_event, rows))

    def current(self) -> Iterator[tuple[int, int, Current]]:
        """Item, judge, and what the judge says of it now."""
        statement = f"""SELECT item, judge, seq, kind, grade FROM current WHERE (item, judge) > (?, ?)
            ORDER BY item, judge LIMIT {FEW}"""
        after = (0, 0)
        while page := self.rows(statement, after):
            with making_sense(self.where):
                require_types(page, _CURRENT_TYPES)
            for item, judge, *current in page:
                yield item, judge, Current(*current)
            after = page[-1][:2]

    def judge_by_token_hash(self, token_hash: str) -> Judge | None:
        """Whose link it is."""
        found = self.rows("SELECT judge, name, kind, off FROM judge WHERE link = ?", (token_hash,))
        return _judge(found[0]) if found else None

    # What happens

    def append(self, event: NewEvent) -> Appended:
        """Store an event durably; raises `Stale` or `KeyReused`, and then nothing is stored."""
        return self.append_many([event])[0]

    def append_many(self, events: Sequence[NewEvent]) -> list[Appended]:
        """Store several events or none of them."""
        if len(events) > 1 and all(event.kind in CURRENT and event.item and event.before is None for event in events):
            with suppress(_KnownAlready):
                return self._append_first(events)
        with self._writing():
            return [self._append(event) for event in events]

    def _append_first(self, events: Sequence[NewEvent]) -> list[Appended]:
        """The same with two statements in all, where nobody has said anything of any of the items before."""
        at = _now()
        rows = [(at, *event[:-1], _json(event.more) if event.more else "") for event in events]
        with self._writing():
            stored: dict[str, int] = dict(
                self.rows(_several(_INSERT_SEVERAL, rows), [value for row in rows for value in row])
            )
            if len(stored) < len(events):
                raise _KnownAlready
            said = [(event.item, event.judge, stored[event.key], event.kind, event.grade) for event in events]
            if len(self.rows(_several(_FIRST_SEVERAL, said), [value for row in said for value in row])) < len(said):
                raise _KnownAlready
        return [Appended(Event(stored[event.key], at, *event), repeated=False) for event in events]

    def add_judge(self, name: str, kind: JudgeKind, token_hash: str, event: NewEvent) -> Judge:
        """A new judge, whom the event is about."""
        with self._writing():
            known = self.rows("SELECT judge, name, kind, off FROM judge WHERE folded = ?", (folded_name(name),))
            if known:
                raise errors.assessing.judge_twice(name, known[0][1])
            number = 1 + self.rows("SELECT COALESCE(MAX(judge), 0) FROM judge")[0][0]
            self.rows(
                "INSERT INTO judge (judge, name, folded, kind, link, off) VALUES (?, ?, ?, ?, ?, 0)",
                (number, name, folded_name(name), kind, token_hash),
            )
            self._append(event._replace(judge=number, more={**event.more, "name": name, "kind": kind}))
        return Judge(number, name, kind)

    def set_link(self, judge: int, token_hash: str, event: NewEvent) -> None:
        """Another link for a judge; the one before is worth nothing any more."""
        with self._writing():
            self.rows("UPDATE judge SET link = ? WHERE judge = ?", (token_hash, judge))
            self._append(event)

    def set_off(self, judge: int, off: bool, event: NewEvent) -> None:
        """Switch a judge off or on."""
        with self._writing():
            self.rows("UPDATE judge SET off = ? WHERE judge = ?", (int(off), judge))
            self._append(event)

    def set_project(self, project: Project, event: NewEvent) -> None:
        """Other settings from now on."""
        with self._writing():
            self.set_meta("project", _json(project.to_dict()))
            self._append(event._replace(more={**event.more, "project": project.to_dict()}))

    def add_answer(self, answer: ModelAnswer, events: Sequence[NewEvent] = ()) -> list[Appended]:
        """Store what a model answered, with the events that follow from it: all or nothing."""
        with self._writing():
            self.rows(
                f"INSERT INTO answer ({ANSWER}, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*answer[:-1], _json(answer.facts), _now()),
            )
            return [self._append(event) for event in events]

    def answers(self, judge: int) -> Iterator[ModelAnswer]:
        """Everything that a model ever answered, in order."""
        after = 0
        statement = f"SELECT number, {ANSWER} FROM answer WHERE judge = ? AND number > ? ORDER BY number LIMIT {FEW}"
        while page := self.rows(statement, (judge, after)):
            with making_sense(self.where):
                answers = [ModelAnswer._make((*row[1:-1], json.loads(row[-1]))) for row in page]
            yield from answers
            after = page[-1][0]

    def add_prompt(self, version: str, text: str) -> None:
        """Store the text of a prompt once, by its hash."""
        with self._writing():
            values = (version, storable(text))
            self.rows("INSERT INTO prompt (hash, text) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING", values)

    def prompt(self, version: str) -> str | None:
        """The text of a prompt."""
        found = self.rows("SELECT text FROM prompt WHERE hash = ?", (version,))
        return found[0][0] if found else None

    def _append(self, event: NewEvent) -> Appended:
        at = _now()
        values = (at, *event[:-1], _json(event.more) if event.more else "")
        stored = self.rows(_INSERT, values)
        if not stored:
            return self._repeated(event)
        seq = int(stored[0][0])
        if event.item is not None and event.kind in CURRENT:
            self._replace_current(event, seq)
        return Appended(Event(seq, at, *event), repeated=False)

    def _replace_current(self, event: NewEvent, seq: int) -> None:
        now, place = (seq, event.kind, event.grade), (event.item, event.judge)
        if event.before is None:
            replaced = self.rows(_FIRST, (*place, *now))
        else:
            replaced = self.rows(_NEXT, (*now, *place, event.before))
        if not replaced:
            # Raised within the transaction, so the event goes too.
            found = self.rows("SELECT seq, kind, grade FROM current WHERE item = ? AND judge = ?", place)
            raise Stale(event.item or 0, Current(*found[0]) if found else None)

    def _repeated(self, event: NewEvent) -> Appended:
        stored = self.event_of(event.key)
        if stored is None or NewEvent(*stored[2:]) != event:
            raise KeyReused
        return Appended(stored, repeated=True)

    def _writing(self) -> AbstractContextManager[None]:
        if self.read_only:
            raise StoreReadOnly(errors.assessing.opened_for_reading(self.where))
        return self.transaction()

    # Making and checking

    def fill(self, project: Project, contents: Contents) -> None:
        """Put everything into new tables."""
        self.set_meta("schema", str(VERSION))
        self.set_meta("project", _json(project.to_dict()))
        made = NewEvent(secrets.token_hex(16), 0, None, "settings", how="import", more={"project": project.to_dict()})
        self._append(made)
        items = contents.items
        self.insert_many(
            "query",
            "query, name, text, description",
            ((at, *map(storable, query)) for at, query in enumerate(contents.queries)),
        )
        self.insert_many("document", "document, name, title, text, url", _documents(contents))
        self.insert_many("item", "item, query, document, other, part, known", _item_rows(items))
        self.insert_many(
            "run",
            "run, name, starts, items, ranks, retrieved",
            ((at, storable(run.name), *map(_bytes, run[1:])) for at, run in enumerate(items.places)),
        )

    def verify(self) -> list[str]:
        """Everything that is wrong with the store, in words; nothing if all is well."""
        try:
            with making_sense(self.where):
                return self.damage() or problems_of(
                    StoredRows(self.events(), self.current(), self.judges(), self.project(), len(self.items()))
                )
        except DataError as error:  # values that cannot be read at all
            return [str(error)]

    def _pairs(self) -> Iterator[Ints]:
        """Item, query and document, as they follow one another."""
        after = 0
        statement = f"SELECT item, query, document FROM item WHERE item > ? ORDER BY item LIMIT {PAGE}"
        while page := self.rows(statement, (after,)):
            values = np.fromiter(chain.from_iterable(page), np.float64, 3 * len(page))
            pairs: Ints = values.astype(np.int64)
            if not (pairs == values).all():
                raise ValueError("an item has no query or document")
            yield pairs.reshape(-1, 3)
            after = page[-1][0]

    def _unusual_items(self) -> Iterator[Row]:
        """Item, second document, part and known grade, of those that have more than a query and a document."""
        after = 0
        statement = f"""SELECT item, other, part, known FROM item
            WHERE item > ? AND (other IS NOT NULL OR known IS NOT NULL OR part <> 'pool') ORDER BY item LIMIT {PAGE}"""
        while page := self.rows(statement, (after,)):
            yield from require_types(page, _ITEM_TYPES)
            after = page[-1][0]

    def _document_names(self) -> Iterator[tuple[int, str]]:
        """Numbers and names. By name, so that the index is read, and not all texts are passed by."""
        after = ""
        statement = f"SELECT document, name FROM document WHERE name > ? ORDER BY name LIMIT {PAGE}"
        while page := self.rows(statement, (after,)):
            yield from page
            after = page[-1][1]


def storable(text: str) -> str:
    """A text as both databases can keep it: PostgreSQL has no NUL, and no encoding has half a character.

    >>> storable("half \\ud800 and \\0")
    'half � and �'
    """
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _documents(contents: Contents) -> Iterator[Row]:
    """Every document of the items once, first those that come with a text, in the order they come."""
    waiting = {name: at for at, name in enumerate(contents.items.documents)}
    for document in contents.documents:
        number = waiting.pop(document.name, None)
        if number is not None:
            yield number, *map(storable, document)
    yield from ((at, storable(name), "", "", "") for name, at in waiting.items())


def _item_rows(items: Items) -> Iterator[Row]:
    for start in range(0, len(items), PAGE):
        part = slice(start, start + PAGE)
        numbers = range(start + 1, start + 1 + len(items.of_query[part]))
        others = [None] * len(numbers) if items.other is None else items.other[part].tolist()
        known = (None if value != value else value for value in items.known[part].tolist())
        names = (PARTS[at] for at in items.part[part].tolist())
        queries, documents = items.of_query[part].tolist(), items.of_document[part].tolist()
        yield from zip(numbers, queries, documents, others, names, known, strict=True)


def _bytes(numbers: Ints) -> bytes:
    return numbers.astype("<i4").tobytes()


def _ints(kept: bytes) -> Ints:
    return np.frombuffer(kept, dtype="<i4").astype(np.int32)


def _judge(row: Row) -> Judge:
    number, name, kind, off = row
    return Judge(number, name, kind, bool(off))


def _in_order(rows: Iterable[tuple[Any, ...]]) -> tuple[str, ...]:
    """Names by their numbers; none is missing."""
    names = dict(rows)
    if len(names) and not (0 in names and len(names) - 1 in names):
        raise ValueError("numbers of queries or documents are missing")
    return tuple(names[number] for number in range(len(names)))


def _several(statement: str, rows: Sequence[Row]) -> str:
    return statement.replace(":rows", ", ".join(f"({_marks(row)})" for row in rows))


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" for _ in values)


def _event(row: Row) -> Event:
    return Event._make((*row[:-1], _more(row[-1])))


@lru_cache(maxsize=1_000)
def _more(text: str) -> Mapping[str, Any]:
    """What else there is to an event; of most it is the same."""
    return MappingProxyType(json.loads(text)) if text else NOTHING


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=True, sort_keys=True)


__all__ = ["SqlStore", "storable"]
