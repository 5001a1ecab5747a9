"""Everything that a page, a command or a program does with a project: one lock, one store, one state."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, Protocol

from cranfield.assessing.events import NOTHING, Current, Event, Judge, JudgeKind
from cranfield.assessing.items import DocumentText, Items
from cranfield.assessing.project import Project
from cranfield.assessing.state import State
from cranfield.assessing.store import Store

NOTE_LENGTH = 2_000
"""Characters of a note."""
Reason = Literal["guidelines", "ambiguous", "slip", "other"]
"""Why judges differed: the guidelines have a gap, the query is ambiguous, somebody erred."""


class Card(NamedTuple):
    """What a judge sees: one item, and nothing of runs, ranks or other judges."""

    item: int
    query: int
    query_name: str
    query_text: str
    query_description: str
    document_name: str
    title: str
    text: str
    url: str
    other: DocumentText | None = None
    """The second document, where two are compared."""
    current: Current | None = None
    """What this judge said of it before."""
    note: str = ""
    """This judge's own note."""


class Submission(NamedTuple):
    """What a page sends: the fields of an event that are the judge's."""

    key: str
    item: int
    kind: str
    grade: float | None = None
    before: int | None = None
    active_ms: int = 0
    away_ms: int = 0
    how: str = "key"
    note: str = ""
    more: Mapping[str, Any] = NOTHING
    """Of a passage where it begins and ends; nothing else is read."""


class Receipt(NamedTuple):
    """A label is stored durably."""

    event: Event
    repeated: bool
    """Whether it was stored by an earlier try."""
    current: Current | None
    """What the judge says of the item now; its `seq` is the next `before`."""


class Tally(NamedTuple):
    """How far a judge is."""

    labels: int
    """Items that this judge has graded."""
    today: int
    """Graded since midnight (UTC) by the server's clock."""
    later: int
    """Put off by this judge."""
    left: int
    """Items that still want a label which this judge could give."""
    left_here: int
    """The same within the batch at hand."""
    query_number: int
    """Queries this judge has begun."""
    queries: int
    median_seconds: float | None
    """Of the last labels, the time each took."""
    seconds_left: float | None
    last_batch: Mapping[float, int]
    """How often each grade was given in the batch that was last finished."""
    too_fast: bool
    """Whether the last three labels took less time than reading does."""


class BulkFilter(NamedTuple):
    """Which labels a correction in bulk is about; nothing stands for all."""

    judge: int | None = None
    query: int | None = None
    grade: float | None = None
    items: frozenset[int] | None = None


class BulkReceipt(NamedTuple):
    """What a correction in bulk did; the key takes it back."""

    key: str
    changed: int
    events: tuple[Event, ...]


class Effect(Protocol):
    """Whatever wants to know of grades as they change; it must not keep whoever tells it waiting."""

    def set_grade(self, item: int, grade: float | None, random: bool) -> None:
        """The grade an item counts with now, and whether it was labelled because it was drawn by chance."""


class Service:
    """A project at work. Every method may be called from any thread."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic, effect: Effect | None = None) -> None:
        raise NotImplementedError

    @property
    def project(self) -> Project:
        """The settings as they are now."""
        raise NotImplementedError

    @property
    def items(self) -> Items:
        """What is judged."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        """What judges said so far; read it under `lock` if it must not change meanwhile."""
        raise NotImplementedError

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Everybody who ever judged."""
        raise NotImplementedError

    # Who

    def judge_of(self, token: str) -> Judge | None:
        """Whose link it is; nobody's if it was renewed or the judge is off."""
        raise NotImplementedError

    def add_judge(self, name: str, kind: JudgeKind = "person", *, by: int = 0) -> tuple[Judge, str]:
        """A new judge and the token of their link; two spellings of one name are one judge."""
        raise NotImplementedError

    def renew_link(self, judge: int, *, by: int = 0) -> str:
        """Another token for a judge; the link before stops working."""
        raise NotImplementedError

    def set_off(self, judge: int, *, off: bool, by: int = 0) -> None:
        """Switch a judge off or on; labels stay."""
        raise NotImplementedError

    # Judging

    def cards(self, judge: int, tab: str, most: int = 3) -> list[Card]:
        """The next items for a tab, which are then reserved for it; a reload with the same tab gets the same."""
        raise NotImplementedError

    def card(self, judge: int, item: int) -> Card:
        """An item that this judge has said something of, or holds."""
        raise NotImplementedError

    def earlier(self, judge: int, before: int | None = None) -> Card | None:
        """The item this judge dealt with before an event number, or last of all."""
        raise NotImplementedError

    def batch(self, judge: int, tab: str) -> list[Card]:
        """All items of the judge's batch, graded or not, in the order of the batch: the list view."""
        raise NotImplementedError

    def record(self, judge: int, submission: Submission) -> Receipt:
        """Store what a judge says; raises one of `refusals`, and then nothing is stored."""
        raise NotImplementedError

    def renew(self, judge: int, tab: str) -> None:
        """The tab is still open: its items stay reserved."""
        raise NotImplementedError

    def release(self, judge: int, tab: str) -> None:
        """The tab was closed: its items are free."""
        raise NotImplementedError

    def tally(self, judge: int) -> Tally:
        """How far a judge is."""
        raise NotImplementedError

    # Managing

    def adjudicate(
        self, manager: int, item: int, grade: float, reason: Reason = "other", note: str = "", *, key: str
    ) -> Receipt:
        """Decide on the grade of an item; not before everybody has given theirs."""
        raise NotImplementedError

    def bulk(self, manager: int, which: BulkFilter, grade: float | None, *, key: str) -> BulkReceipt:
        """Set the grade of many labels, or clear them (`grade` None); all or none, and each an event."""
        raise NotImplementedError

    def undo_bulk(self, manager: int, key: str) -> BulkReceipt:
        """Take a correction in bulk back, but for labels that changed since."""
        raise NotImplementedError

    def change_settings(self, manager: int, **changes: Any) -> Project:
        """Other settings from now on; labels keep the ones they were given under."""
        raise NotImplementedError

    # The end

    def drain(self) -> None:
        """Finish what is being stored and take nothing new."""
        raise NotImplementedError

    def close(self) -> None:
        """Drain, and give up the store."""
        raise NotImplementedError
