"""What judges said so far, computed from events one after the other."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from statistics import median_low
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Bools, Floats
from cranfield.assessing.events import CURRENT, Current, Event, Judge
from cranfield.assessing.items import IMPORTED, Items
from cranfield.assessing.project import Project

Counts = npt.NDArray[np.int16]
BY_CHANCE = frozenset({"random", "sample"})
"""How items were chosen whose labels may feed estimates."""
LATELY = 50
"""Labels that a judge's speed is computed from."""
APART = 50
"""Items between a label and its repetition, at least."""


class Speed(NamedTuple):
    """How long one label took."""

    item: int
    active_ms: int
    grade: float | None


class JudgeState:
    """What one judge said."""

    def __init__(self, judge: Judge, items: int) -> None:
        self.judge = judge
        self.said: dict[int, Current] = {}
        self.handled: Bools = np.zeros(items + 1, dtype=np.bool_)
        """By item, whether this judge is not to be asked again."""
        self.later: dict[int, None] = {}
        """Items put off, in the order they were."""
        self.repeats: dict[int, Current] = {}
        """What the judge said when an item was shown again."""
        self.labelled = 0
        """Items with a label of this judge now."""
        self.given = 0
        """Labels of items that had none of this judge before: the distance to a repetition is counted in these."""
        self.repeatable: deque[tuple[int, int]] = deque()
        """When an item was labelled, in `given`, and the item; of those that are to be shown again."""
        self.notes: dict[int, str] = {}
        self.by_day: Counter[str] = Counter()
        """Labels given, by date."""
        self.queries: set[int] = set()
        """Queries with an item that the judge has dealt with."""
        self.speeds: deque[Speed] = deque(maxlen=LATELY)
        self._seqs, self._items = array("q"), array("l")

    def is_label(self, item: int) -> bool:
        """Whether the judge grades this item now."""
        return (now := self.said.get(item)) is not None and now.kind == "label"

    def latest(self, item: int) -> Current | None:
        """What the judge said last of an item, as a label or when it was shown again."""
        now, again = self.said.get(item), self.repeats.get(item)
        return again if now is None or (again is not None and again.seq > now.seq) else now

    def trail(self, before: int | None = None) -> Iterator[int]:
        """The items the judge dealt with, the last one first; each once, where it was dealt with last."""
        end = len(self._seqs) if before is None else bisect_left(self._seqs, before)
        for at in range(end - 1, -1, -1):
            latest = self.latest(self._items[at])
            if latest is not None and latest.seq == self._seqs[at]:
                yield self._items[at]

    def due(self) -> int | None:
        """An item that is to be shown again now."""
        if self.repeatable and self.given - self.repeatable[0][0] >= APART:
            return self.repeatable[0][1]
        return None

    def note_event(self, event: Event, item: int) -> None:
        """Remember when an item was dealt with."""
        self._seqs.append(event.seq)
        self._items.append(item)


class State:
    """The sum of all events. It knows no clock and no file: the same events give the same state."""

    def __init__(self, project: Project, items: Items, judges: Sequence[Judge] = ()) -> None:
        self.project: Project = project
        self.items = items
        self.seq: int = 0
        """Of the last event."""
        self.by_judge: dict[int, JudgeState] = {}
        self.counts: Counts = np.zeros(len(items) + 1, dtype=np.int16)
        """By item, how many people grade it now."""
        self.drawn: Bools = np.zeros(len(items) + 1, dtype=np.bool_)
        """By item, whether it was labelled because it was drawn by chance."""
        self.extra: set[int] = set()
        """Items with more labels than were asked for."""
        self.adjudicated: dict[int, int] = {}
        """By item, the manager who decided on its grade."""
        self._again = draws(project.seed, "repeats", len(items))
        for judge in judges:
            self.set_judge(judge)

    # What there is

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Everybody who ever judged, by number."""
        return tuple(of.judge for of in self.by_judge.values())

    def current(self, item: int, judge: int) -> Current | None:
        """What a judge says of an item; nothing if they never said anything."""
        of = self.by_judge.get(judge)
        return None if of is None else of.said.get(item)

    def labels(self, item: int) -> list[tuple[int, float]]:
        """The people who grade an item, and their grades, in the order of judges."""
        return [
            (number, now.grade)
            for number, of in self.by_judge.items()
            if of.judge.kind == "person"
            and (now := of.said.get(item)) is not None
            and now.kind == "label"
            and now.grade is not None
        ]

    def merged(self, item: int) -> float | None:
        """The grade an item counts with: the one decided on, or the lower median of people's, or the imported one."""
        if (manager := self.adjudicated.get(item)) is not None:
            return self.by_judge[manager].said[item].grade
        if grades := [grade for _, grade in self.labels(item)]:
            return median_low(grades)
        known = float(self.items.known[item - 1])
        return None if known != known or self.items.part[item - 1] != IMPORTED else known

    def graded(self) -> Iterator[int]:
        """All items that have a grade now, people's or a decided or imported one."""
        labelled = self.counts[1:] > 0
        labelled[self.items.part == IMPORTED] = True
        for item in self.adjudicated:
            labelled[item - 1] = True
        return iter((np.flatnonzero(labelled) + 1).tolist())

    def is_random(self, item: int) -> bool:
        """Whether an item was labelled because it was drawn by chance."""
        return bool(self.drawn[item])

    # What happens

    def set_judge(self, judge: Judge) -> None:
        """A new judge, or one who was switched off or on."""
        known = self.by_judge.get(judge.number)
        if known is None:
            self.by_judge[judge.number] = JudgeState(judge, len(self.items))
        else:
            known.judge = judge

    def apply_all(self, events: Iterable[Event]) -> State:
        """All events in their order."""
        for event in events:
            self.apply(event)
        return self

    def apply(self, event: Event) -> None:
        """One more event."""
        self.seq = event.seq
        if event.item is None:
            self._manage(event)
            return
        of, item = self.by_judge[event.judge], event.item
        if event.note:
            of.notes[item] = event.note
        if event.kind in CURRENT:
            self._replace(of, item, event)
        elif event.kind == "repeat":
            self._repeat(of, item, event)
        elif event.kind == "reopened":
            of.handled[item] = False

    def _replace(self, of: JudgeState, item: int, event: Event) -> None:
        was, is_label = of.is_label(item), event.kind == "label"
        first = item not in of.said
        of.said[item] = Current(event.seq, event.kind, event.grade)
        of.note_event(event, item)
        of.queries.add(self.items.query_of(item))
        of.handled[item] = event.kind in ("label", "skip", "cannot", "adjudicate")
        of.later.pop(item, None)
        if event.kind == "later":
            of.later[item] = None
        change = int(is_label) - int(was)
        of.labelled += change
        if of.judge.kind == "person":
            self.counts[item] += change
        if of.judge.kind == "manager":
            self._decide(of.judge.number, item, event)
        if is_label:
            self._label(of, item, event, first=first)

    def _label(self, of: JudgeState, item: int, event: Event, *, first: bool) -> None:
        if event.how != "bulk":
            of.speeds.append(Speed(item, event.active_ms, event.grade))
            of.by_day[event.at[:10]] += 1
        if event.more.get("chosen") in BY_CHANCE:
            self.drawn[item] = True
        if event.more.get("extra"):
            self.extra.add(item)
        if first:
            of.given += 1
            if of.judge.kind == "person" and self.is_repeatable(of.judge.number, item):
                of.repeatable.append((of.given, item))

    def _repeat(self, of: JudgeState, item: int, event: Event) -> None:
        of.repeats[item] = Current(event.seq, "label", event.grade)
        of.note_event(event, item)
        if of.repeatable and of.repeatable[0][1] == item:
            of.repeatable.popleft()

    def _decide(self, manager: int, item: int, event: Event) -> None:
        if event.kind == "adjudicate":
            self.adjudicated[item] = manager
        elif self.adjudicated.get(item) == manager:
            del self.adjudicated[item]

    def _manage(self, event: Event) -> None:
        more: Any = event.more
        if event.kind == "judge-added":
            self.set_judge(Judge(event.judge, more["name"], more["kind"]))
        elif event.kind in ("judge-off", "judge-on"):
            self.set_judge(self.by_judge[event.judge].judge._replace(off=event.kind == "judge-off"))
        elif event.kind == "settings":
            self.project = Project.from_dict(more["project"])

    def is_repeatable(self, judge: int, item: int) -> bool:
        """Whether a judge is to see an item twice; drawn by chance, and for each judge others."""
        return bool((self._again[item - 1] + judge * GOLDEN) % 1.0 < self.project.repeats)


GOLDEN = 0.6180339887498949
"""Steps of this size are spread evenly: what one judge sees again, the next ones do not."""


def draws(seed: int, name: str, count: int) -> Floats:
    """For each item a number from 0 to 1 drawn by its own number: items that are added later change no other.

    >>> bool((draws(7, "shared", 3) == draws(7, "shared", 9)[:3]).all())
    True
    """
    begin = np.uint64((crc32(name.encode()) << 32) ^ (seed & 0xFFFFFFFF))
    with np.errstate(over="ignore"):
        mixed = (np.arange(1, count + 1, dtype=np.uint64) + begin) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return (mixed >> np.uint64(11)).astype(np.float64) / float(1 << 53)
