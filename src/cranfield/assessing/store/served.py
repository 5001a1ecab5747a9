"""A store that a server on this machine has: read from its file, and a model's labels written through the server."""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield import errors
from cranfield.assessing.events import Event, Judge, JudgeKind, ModelAnswer, NewEvent
from cranfield.assessing.refusals import Refused, StoreBusy
from cranfield.assessing.store import Appended
from cranfield.assessing.store.owner import OwnerLock, ProgramAccess
from cranfield.assessing.store.sqlite import SqliteStore, lock_path, open_for_reading

PATIENCE = 30.0
"""Seconds for an answer of the server, which stores labels of people meanwhile."""
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Without a proxy: the server is on this machine."""


class ServedStore(SqliteStore):
    """Reads the file; what a model does goes to the server, which stores it and knows of it at once."""

    def __init__(self, path: Path, connection: sqlite3.Connection, programs: ProgramAccess) -> None:
        super().__init__(path, connection, None)
        self._programs = programs

    def add_judge(self, name: str, kind: JudgeKind, token_hash: str, event: NewEvent) -> Judge:
        """A new judge, who is a model."""
        return Judge(*self._sent("judge", name=name))

    def append_many(self, events: Sequence[NewEvent]) -> list[Appended]:
        """Labels of a model: all or none of them."""
        return _appended(self._sent("labels", events=[event._asdict() for event in events]))

    def add_answer(self, answer: ModelAnswer, events: Sequence[NewEvent] = ()) -> list[Appended]:
        """What a model answered, with the label that follows from it: both or nothing."""
        sent = [event._asdict() for event in events]
        return _appended(self._sent("answer", answer=answer._asdict(), events=sent))

    def add_prompt(self, version: str, text: str) -> None:
        """The text of a prompt once, by its hash."""
        self._sent("prompt", version=version, text=text)

    def _sent(self, act: str, **values: Any) -> Any:
        request = urllib.request.Request(
            f"{self._programs.url}/model",
            json.dumps({"act": act, **values}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self._programs.token}"},
        )
        try:
            with _OPENER.open(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read())["done"]
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(_message(error)) from None
        except (OSError, ValueError):
            raise StoreBusy(errors.assessing.server_gone(self.where, self._programs.url)) from None


def open_through_server(path: Path) -> ServedStore | None:
    """The store in a file that a server on this machine has; nothing where no server lets programs write."""
    programs = OwnerLock(lock_path(path)).programs()
    return None if programs is None else ServedStore(path, open_for_reading(path).connection, programs)


def _message(error: urllib.error.HTTPError) -> str:
    try:
        value: Mapping[str, Any] = json.loads(error.read(10_000))
        return str(value["message"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"The judging server answered {error.code}."


def _appended(rows: Sequence[Any]) -> list[Appended]:
    return [Appended(Event._make(event), bool(repeated)) for event, repeated in rows]
