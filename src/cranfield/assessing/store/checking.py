"""Whether what is computed from events and stored with them is what the events say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.assessing.events import CURRENT, Current, Event, Judge
from cranfield.assessing.project import Project

MOST_TOLD = 20


class StoredRows(NamedTuple):
    """All that a store keeps and that follows from its events."""

    events: Iterable[Event]
    current: Iterable[tuple[int, int, Current]]
    judges: Sequence[Judge]
    project: Project
    items: int


def problems_of(rows: StoredRows) -> list[str]:
    """Everything that does not follow, in words; of many the first few."""
    problems = list(_problems(rows))
    more = len(problems) - MOST_TOLD
    return [*problems[:MOST_TOLD], *([errors.assessing.more_problems(more)] if more > 0 else [])]


def _problems(rows: StoredRows) -> Iterator[str]:
    fold = _Fold(rows)
    for event in rows.events:
        yield from fold.wrong_in(event)
    for item, judge, current in rows.current:
        if fold.current.pop((item, judge), None) != current:
            yield errors.assessing.wrong_current(item, judge)
    for item, judge in fold.current:
        yield errors.assessing.wrong_current(item, judge)
    for known in rows.judges:
        if fold.judges.get(known.number) != known:
            yield errors.assessing.wrong_judge(known.name)
    if fold.project is not None and fold.project != rows.project.to_dict():
        yield errors.assessing.wrong_project()


class _Fold:
    """The events so far, and what follows from them."""

    def __init__(self, rows: StoredRows) -> None:
        self.items = rows.items
        self.last = 0
        self.current: dict[tuple[int, int], Current] = {}
        self.judges: dict[int, Judge] = {}
        self.project: dict[str, Any] | None = None

    def wrong_in(self, event: Event) -> Iterator[str]:
        """What is wrong with an event after those before it; then it counts."""
        if event.seq <= self.last:
            yield errors.assessing.wrong_order(event.seq)
        if event.item is not None and not 1 <= event.item <= self.items:
            yield errors.assessing.unknown_in_event(event.seq, "item", event.item)
        if event.kind == "judge-added":
            self.judges[event.judge] = Judge(event.judge, event.more["name"], event.more["kind"])
        elif event.judge != 0 and event.judge not in self.judges:
            yield errors.assessing.unknown_in_event(event.seq, "judge", event.judge)
        if event.item is not None and event.kind in CURRENT:
            before = self.current.get((event.item, event.judge))
            if (before.seq if before else None) != event.before:
                yield errors.assessing.overwritten(event.seq)
            self.current[event.item, event.judge] = Current(event.seq, event.kind, event.grade)
        self._count(event)

    def _count(self, event: Event) -> None:
        self.last = event.seq
        if event.kind in ("judge-off", "judge-on") and event.judge in self.judges:
            self.judges[event.judge] = self.judges[event.judge]._replace(off=event.kind == "judge-off")
        if event.kind == "settings":
            self.project = event.more["project"]
