"""Where labels are kept: one interface, an SQLite file or a PostgreSQL database behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from cranfield.assessing.events import Current, Event, Judge, JudgeKind, ModelAnswer, NewEvent
from cranfield.assessing.items import Contents, DocumentText, Items, QueryText
from cranfield.assessing.project import Project
from cranfield.assessing.store.owner import ProgramAccess
from cranfield.errors import DataError
from cranfield.formats.source import is_address


class Appended(NamedTuple):
    """What became of an event."""

    event: Event
    repeated: bool
    """Whether it was stored before, by an earlier try."""


@runtime_checkable
class Store(Protocol):
    """Events that are only ever appended, what they are about, and what each judge says now.

    Whatever is computed from events and stored with them (`current`, the project, judges) changes in the transaction
    of the event, and `verify` compares the two. One process owns a store for writing; others may read it any time.
    """

    where: str
    """Its path, or its address without the password."""
    readable: str | None
    """What another process reads it by while this one has it; None where none can."""

    def project(self) -> Project:
        """The settings as they are now."""

    def items(self) -> Items:
        """What is judged."""

    def judges(self) -> tuple[Judge, ...]:
        """Everybody who ever judged, by number."""

    def query_text(self, query: int) -> QueryText:
        """What a query says, by its position in the items."""

    def document_text(self, document: int) -> DocumentText:
        """What a document says, by its position in the items, as it was when the store was made."""

    def append(self, event: NewEvent) -> Appended:
        """Store an event durably; raises `Stale` or `KeyReused`, and then nothing is stored."""

    def append_many(self, events: Sequence[NewEvent]) -> list[Appended]:
        """Store several events or none of them."""

    def event_of(self, key: str) -> Event | None:
        """The event with a key."""

    def events_of(self, keys: Sequence[str]) -> dict[str, Event]:
        """The events with some keys, by key."""

    def events(self, after: int = 0) -> Iterator[Event]:
        """All events that followed a number, in their order."""

    def current(self) -> Iterator[tuple[int, int, Current]]:
        """Item, judge, and what the judge says of it now."""

    def add_judge(self, name: str, kind: JudgeKind, token_hash: str, event: NewEvent) -> Judge:
        """A new judge; the event's own judge is who added them, or 0 for the very first."""

    def set_link(self, judge: int, token_hash: str, event: NewEvent) -> None:
        """Another link for a judge; the one before is worth nothing any more."""

    def set_off(self, judge: int, off: bool, event: NewEvent) -> None:
        """Switch a judge off or on."""

    def set_project(self, project: Project, event: NewEvent) -> None:
        """Other settings from now on."""

    def judge_by_token_hash(self, token_hash: str) -> Judge | None:
        """Whose link it is."""

    def add_answer(self, answer: ModelAnswer, events: Sequence[NewEvent] = ()) -> list[Appended]:
        """Store what a model answered, with the events that follow from it: all or nothing."""

    def answers(self, judge: int) -> Iterator[ModelAnswer]:
        """Everything that a model ever answered, in order."""

    def add_prompt(self, version: str, text: str) -> None:
        """Store the text of a prompt once, by its hash."""

    def prompt(self, version: str) -> str | None:
        """The text of a prompt."""

    def announce(self, address: str, programs: ProgramAccess | None = None) -> None:
        """Tell whoever tries to open the store as well where it is served."""

    def verify(self) -> list[str]:
        """Everything that is wrong with the store, in words; nothing if all is well."""

    def backup(self, path: str | PathLike[str]) -> None:
        """A copy of everything as it is now, while others go on."""

    def close(self) -> None:
        """Give up the store; what was stored is in one file afterwards."""


def create_store(where: str | PathLike[str], project: Project, contents: Contents) -> Store:
    """A new store at a path, or in a database by its address, with all that is to be judged."""
    if is_address(where):
        from cranfield.assessing.store import postgres

        return postgres.create(str(where), project, contents)
    from cranfield.assessing.store import sqlite

    return sqlite.create(Path(where), project, contents)


def open_store(where: str | PathLike[str], *, read_only: bool = False, through_server: bool = False) -> Store:
    """The store at a path or an address; for reading alone it may be in use by others.

    With `through_server` a model's labels can be written while a server on this machine has the store: it stores them.
    """
    if is_address(where):
        from cranfield.assessing.store import postgres

        return postgres.open_for_reading(str(where)) if read_only else postgres.open_for_writing(str(where))
    from cranfield.assessing.store import sqlite

    if read_only:
        return sqlite.open_for_reading(Path(where))
    try:
        return sqlite.open_for_writing(Path(where))
    except DataError as error:
        if not through_server or {finding.kind for finding in error.findings} != {"store-in-use"}:
            raise
        from cranfield.assessing.store import served

        store = served.open_through_server(Path(where))
        if store is None:
            raise
        return store


__all__ = ["Appended", "Store", "create_store", "is_address", "open_store"]
