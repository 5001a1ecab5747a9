"""Everything that happens to judgments, as events that are only ever appended; all else is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Kind = Literal[
    "label",
    "skip",
    "cannot",
    "later",
    "clear",
    "repeat",
    "note",
    "passage",
    "adjudicate",
    "judge-added",
    "link-renewed",
    "judge-off",
    "judge-on",
    "settings",
    "reopened",
    "imported",
]
CURRENT: frozenset[Kind] = frozenset({"label", "skip", "cannot", "later", "clear", "adjudicate"})
"""Kinds that replace what a judge has said of an item; the others only add to the history."""
FROM_JUDGES: frozenset[Kind] = frozenset({"label", "skip", "cannot", "later", "clear", "note", "passage"})
"""Kinds that a judge's page may send."""
JudgeKind = Literal["person", "model", "manager"]
How = Literal["key", "click", "touch", "list", "import", "model", "bulk"]
"""How a label was given."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


class NewEvent(NamedTuple):
    """Something that happened, not stored yet."""

    key: str
    """Made before the first try; an event sent twice is one event."""
    judge: int
    """Whose label it is about; of corrections in bulk the manager is in `more`."""
    item: int | None
    kind: Kind
    grade: float | None = None
    before: int | None = None
    """The judge's current event on this item that the page had seen."""
    active_ms: int = 0
    away_ms: int = 0
    how: str = "key"
    note: str = ""
    more: Mapping[str, Any] = NOTHING


class Event(NamedTuple):
    """Something that happened, with its place in the order of all events."""

    seq: int
    at: str
    """When, by the server's clock (UTC); for people to read. The order is `seq`."""
    key: str
    judge: int
    item: int | None
    kind: Kind
    grade: float | None = None
    before: int | None = None
    active_ms: int = 0
    away_ms: int = 0
    how: str = "key"
    note: str = ""
    more: Mapping[str, Any] = NOTHING


class Current(NamedTuple):
    """What a judge says of an item now."""

    seq: int
    kind: Kind
    grade: float | None


class Judge(NamedTuple):
    """Somebody who judges, or manages the judging."""

    number: int
    name: str
    kind: JudgeKind = "person"
    off: bool = False


Purpose = Literal["label", "repeat", "probe"]
"""Why a model was asked: for its label, for the same once more, or about a text made up to see how it answers."""


class ModelAnswer(NamedTuple):
    """What a model answered to one request, or why it did not."""

    request: str
    """A hash of everything that was sent, and where to: the same request need not be sent again."""
    judge: int
    item: int
    purpose: Purpose
    outcome: str
    """`grade`, or the kind of failure: a failure is never a grade."""
    grade: float | None
    facts: Mapping[str, Any] = NOTHING
    """What it takes to repeat or audit it: the text of the answer, the model's own name, tokens, milliseconds."""


def folded(events: Iterable[Event]) -> dict[tuple[int, int], Current]:
    """What each judge says of each item, by item and judge, after some events in their order.

    >>> history = [Event(1, "", "a", 1, 7, "label", 2.0), Event(2, "", "b", 1, 7, "label", 0.0, before=1)]
    >>> folded(history)
    {(7, 1): Current(seq=2, kind='label', grade=0.0)}
    """
    return {
        (event.item, event.judge): Current(event.seq, event.kind, event.grade)
        for event in events
        if event.item is not None and event.kind in CURRENT
    }
