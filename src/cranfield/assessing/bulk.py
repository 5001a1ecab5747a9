"""Corrections of many labels together: each is an event of its own, and all can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cranfield.assessing.events import Current, Event, Kind, NewEvent
from cranfield.assessing.state import State


class BulkFilter(NamedTuple):
    """Which labels a correction in bulk is about; nothing stands for all."""

    judge: int | None = None
    query: int | None = None
    grade: float | None = None
    items: frozenset[int] | None = None


def bulk_key(key: str, number: int) -> str:
    """The key of one of the events of a correction."""
    return f"{key}-{number}"


def corrections(state: State, which: BulkFilter, grade: float | None, manager: int, key: str) -> list[NewEvent]:
    """The events that give labels another grade, or clear them."""
    kind: Kind = "clear" if grade is None else "label"
    more = {"by": manager, "bulk": key}
    different = ((judge, item, now) for judge, item, now in _matching(state, which) if now.grade != grade)
    return [
        NewEvent(bulk_key(key, at), judge, item, kind, grade, now.seq, how="bulk", more=more)
        for at, (judge, item, now) in enumerate(different)
    ]


def taken_back(
    state: State, history: Iterable[Event], changed: Iterable[Event], manager: int, key: str
) -> list[NewEvent]:
    """The events that make labels again what they were before, where nobody has changed them since."""
    by_seq = {event.seq: event for event in history}
    more = {"by": manager, "undo": key}
    events = []
    for event in changed:
        before, now = by_seq[event.before or 0], state.current(event.item or 0, event.judge)
        if now is not None and now.seq == event.seq:
            back = bulk_key(f"{key}-undo", event.seq)
            events.append(
                NewEvent(back, event.judge, event.item, before.kind, before.grade, event.seq, how="bulk", more=more)
            )
    return events


def _matching(state: State, which: BulkFilter) -> Iterator[tuple[int, int, Current]]:
    """The people's labels that a filter is about."""
    for judge, of in state.by_judge.items():
        if of.judge.kind != "person" or which.judge not in (None, judge):
            continue
        for item, now in of.said.items():
            fits = which.grade in (None, now.grade) and which.query in (None, state.items.query_of(item))
            if now.kind == "label" and fits and (which.items is None or item in which.items):
                yield judge, item, now
