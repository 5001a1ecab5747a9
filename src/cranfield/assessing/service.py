"""Everything that a page, a command or a program does with a project: one lock, one store, one state."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, Protocol

from cranfield import errors
from cranfield.assessing.assignment import Assignment
from cranfield.assessing.bulk import BulkFilter, bulk_key, corrections, taken_back
from cranfield.assessing.events import CURRENT, Current, Event, Judge, JudgeKind, Kind, ModelAnswer, NewEvent
from cranfield.assessing.items import DocumentText, Items, QueryText
from cranfield.assessing.plan import plan_of
from cranfield.assessing.project import Project
from cranfield.assessing.refusals import KeyReused, NotAllowed, NotYet, Refused, Stale, StoreBusy, UnknownItem
from cranfield.assessing.state import JudgeState, State
from cranfield.assessing.store import Appended, Store
from cranfield.assessing.submission import Submission, checked_submission, require_on_scale
from cranfield.assessing.tally import Tally, tally_of
from cranfield.data.judge_names import folded_name, judge_name
from cranfield.formats.judging_store import making_sense

Reason = Literal["guidelines", "ambiguous", "slip", "other"]
"""Why judges differed: the guidelines have a gap, the query is ambiguous, somebody erred."""


CHANGEABLE = frozenset(
    {
        *("title", "grades", "guidelines", "labels", "shared", "repeats", "strategy", "measure", "batch", "link"),
        "mark_passages",
    }
)
"""Settings that may change while people judge; others would make labels mean something else."""
TOGETHER = 50
"""Labels that are stored together at most."""
REMEMBERED, REMEMBERED_LENGTH = 500, 20_000
"""Texts of documents that are kept at hand, and their characters at most."""


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


class Receipt(NamedTuple):
    """A label is stored durably."""

    event: Event
    repeated: bool
    """Whether it was stored by an earlier try."""
    current: Current | None
    """What the judge says of the item now; its `seq` is the next `before`."""


class BulkReceipt(NamedTuple):
    """What a correction in bulk did; the key takes it back."""

    key: str
    changed: int
    events: tuple[Event, ...]


@dataclass(eq=False)
class _Sent:
    """What somebody waits for to be stored, and what became of it."""

    judge: int
    submission: Submission
    receipt: Receipt | None = None
    refusal: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether it is stored, or never will be."""
        return self.receipt is not None or self.refusal is not None

    @contextmanager
    def refused(self) -> Iterator[None]:
        """Whatever goes wrong within, whoever waits learns of it, and nobody else."""
        try:
            yield
        except Exception as refusal:
            self.refusal = refusal


class GradeListener(Protocol):
    """Whatever wants to know of grades as they change; it must not keep whoever tells it waiting."""

    def set_grade(self, item: int, grade: float | None, random: bool) -> None:
        """The grade an item counts with now, and whether it was labelled because it was drawn by chance."""


class Service:
    """A project at work. Every method may be called from any thread."""

    def __init__(
        self, store: Store, clock: Callable[[], float] = time.monotonic, effect: GradeListener | None = None
    ) -> None:
        self.store = store
        self.clock = clock
        self.lock: threading.RLock = threading.RLock()
        self.items: Items = store.items()
        with making_sense(store.where):  # events of judges or items that there are none of
            self.state: State = State(store.project(), self.items).apply_all(store.events())
        self.assignment: Assignment = Assignment(plan_of(self.state.project, self.items), self.state)
        self.is_draining: bool = False
        self.program_token: str = secrets.token_urlsafe(24)
        """What a program on this machine shows to write a model's labels through the server."""
        self._sent: list[_Sent] = []
        """What waits to be stored, in the order it came."""
        self._turn = threading.Condition()
        self._is_storing = False
        """Whether somebody stores what waits."""
        self._is_unsure = False
        """Whether the store may have events that are not in the state."""
        self._links: dict[str, int] = {}
        """By the hash of a link that was asked for, whose it is."""
        self._texts: dict[int, DocumentText] = {}
        """Documents that were shown lately: each is asked for with the ones before it, too."""
        self._queries: dict[int, QueryText] = {}
        """Queries that were shown lately."""
        self.set_effect(effect)

    @property
    def project(self) -> Project:
        """The settings as they are now."""
        return self.state.project

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Everybody who ever judged."""
        return self.state.judges

    def set_effect(self, effect: GradeListener | None) -> None:
        """Tell somebody of all grades so far, and from now on of each that changes."""
        with self.lock:
            self.effect = effect
            for item in self.state.graded() if effect else ():
                self._tell(item)

    # Who

    def judge_of(self, token: str) -> Judge | None:
        """Whose link it is; nobody's if it was renewed or the judge is off."""
        link = token_hash(token)
        number = self._links.get(link)
        if number is None:
            # Within the lock: a link that is renewed meanwhile must not be remembered.
            with self.lock:
                found = self.store.judge_by_token_hash(link)
                if found is None:
                    return None
                number = self._links[link] = found.number
        judge = self.state.by_judge[number].judge
        return None if judge.off else judge

    def judge_named(self, name: str) -> Judge | None:
        """The judge of a name, however it is spelt."""
        return next((judge for judge in self.judges if folded_name(judge.name) == folded_name(name)), None)

    def add_judge(self, name: str, kind: JudgeKind = "person", *, by: int = 0) -> tuple[Judge, str]:
        """A new judge and the token of their link; two spellings of one name are one judge."""
        token = secrets.token_urlsafe(24)
        with self._writing():
            added = self._managed("judge-added", 0, by)
            judge = self.store.add_judge(judge_name(name), kind, token_hash(token), added)
            self.state.set_judge(judge)
            self.assignment.judges_changed()
        return judge, token

    def renew_link(self, judge: int, *, by: int = 0) -> str:
        """Another token for a judge; the link before stops working."""
        token = secrets.token_urlsafe(24)
        with self._writing():
            self._known(judge)
            self.store.set_link(judge, token_hash(token), self._managed("link-renewed", judge, by))
            self._links.clear()
        return token

    def set_off(self, judge: int, *, off: bool, by: int = 0) -> None:
        """Switch a judge off or on; labels stay."""
        with self._writing():
            of = self._known(judge)
            kind: Kind = "judge-off" if off else "judge-on"
            self.store.set_off(judge, off, self._managed(kind, judge, by))
            of.judge = of.judge._replace(off=off)
            self.assignment.judges_changed()

    # Judging

    def cards(self, judge: int, tab: str, most: int = 3) -> list[Card]:
        """The next items for a tab, which are then reserved for it; a reload with the same tab gets the same."""
        with self.lock:
            of = self._active(judge)
            items = self.assignment.next_items(judge, tab, most, self.clock())
            return [self._card(of, item) for item in items]

    def card(self, judge: int, item: int) -> Card:
        """An item that this judge has said something of, or holds."""
        with self.lock:
            of = self._active(judge)
            self._seen(of, item)
            return self._card(of, item, again=True)

    def preview(self, judge: int, items: Sequence[int]) -> list[Card]:
        """What a judge would see of some items, which are not reserved."""
        with self.lock:
            of = self._active(judge)
            return [self._card(of, item) for item in items]

    def earlier(self, judge: int, before: int | None = None) -> Card | None:
        """The item this judge dealt with before an event number, or last of all."""
        with self.lock:
            of = self._active(judge)
            item = next(of.trail(before), None)
            return None if item is None else self._card(of, item, again=True)

    def batch(self, judge: int, tab: str) -> list[Card]:
        """All items of the judge's batch, graded or not, in the order of the batch: the list view."""
        with self.lock:
            of = self._active(judge)
            return [self._card(of, item) for item in self.assignment.whole_batch(judge, tab, self.clock())]

    def record(self, judge: int, submission: Submission) -> Receipt:
        """Store what a judge says; raises one of `refusals`, and then nothing is stored.

        All that wait at a moment are stored together: a disk takes as long for many labels as for one.
        """
        own = _Sent(judge, submission)
        with self._turn:
            self._sent.append(own)
        while not own.is_done:
            with self._turn:
                self._turn.wait_for(lambda: own.is_done or not self._is_storing)
                if own.is_done:  # somebody took it along
                    break
                self._is_storing = True
            try:
                with self.lock:
                    self._store_sent()
            finally:
                with self._turn:
                    self._is_storing = False
                    self._turn.notify_all()
        if own.receipt is None:
            assert own.refusal is not None
            raise own.refusal
        return own.receipt

    def renew(self, judge: int, tab: str) -> None:
        """The tab is still open: its items stay reserved."""
        with self.lock:
            self.assignment.leases.renew(judge, tab, self.clock())

    def release(self, judge: int, tab: str) -> None:
        """The tab was closed: its items are free."""
        with self.lock:
            self.assignment.release(judge, tab)

    def tally(self, judge: int) -> Tally:
        """How far a judge is."""
        with self.lock:
            return tally_of(self._known(judge), self.assignment, datetime.now(UTC).date().isoformat())

    # Managing

    def adjudicate(
        self, manager: int, item: int, grade: float, reason: Reason = "other", note: str = "", *, key: str
    ) -> Receipt:
        """Decide on the grade of an item; not before everybody has given theirs."""
        with self._writing():
            of = self._manager(manager)
            sent = Submission(key, item, "adjudicate", grade, note=note)
            checked = checked_submission(sent, self.project, self.items)
            current = of.said.get(item)
            before = None if current is None else current.seq
            event = NewEvent(key, manager, item, "adjudicate", checked.grade, before, note=checked.note)
            event = event._replace(how="click", more={"reason": reason})
            stored = self.store.event_of(key)
            if stored is not None:  # by an earlier try whose answer was lost
                event = event._replace(before=stored.before)
            else:
                labels, wanted = len(self.state.labels(item)), int(self.assignment.wanted[item])
                if labels < wanted:
                    raise NotYet(errors.assessing.not_all_labels(labels, wanted))
            return self._apply(self.store.append(event))

    def bulk(self, manager: int, which: BulkFilter, grade: float | None, *, key: str) -> BulkReceipt:
        """Set the grade of many labels, or clear them (`grade` None); all or none, and each an event."""
        with self._writing():
            self._manager(manager)
            if grade is not None:
                require_on_scale(grade, self.project)
            if self.store.event_of(bulk_key(key, 0)) is not None:  # by an earlier try whose answer was lost
                before = tuple(event for event in self.store.events() if event.more.get("bulk") == key)
                return BulkReceipt(key, len(before), before)
            return self._bulk(key, corrections(self.state, which, grade, manager, key))

    def undo_bulk(self, manager: int, key: str) -> BulkReceipt:
        """Take a correction in bulk back, but for labels that changed since."""
        with self._writing():
            self._manager(manager)
            history = [event for event in self.store.events() if event.item is not None]
            changed = [event for event in history if event.more.get("bulk") == key]
            if not changed:
                raise UnknownItem(errors.assessing.nothing_to_undo(key))
            return self._bulk(f"{key}-undo", taken_back(self.state, history, changed, manager, key))

    def reopen(self, manager: int, judge: int, item: int) -> None:
        """Ask a judge again about an item that they skipped or could not judge."""
        with self._writing():
            self._manager(manager)
            of = self._known(judge)
            self._seen(of, item)
            event = NewEvent(secrets.token_hex(16), judge, item, "reopened", how="click", more={"by": manager})
            self._apply(self.store.append(event))

    def change_settings(self, manager: int, **changes: Any) -> Project:
        """Other settings from now on; labels keep the ones they were given under."""
        with self._writing():
            fixed = sorted(changes.keys() - CHANGEABLE)
            if fixed:
                raise errors.assessing.fixed_setting(fixed[0], sorted(CHANGEABLE))
            project = self.project.with_changes(**changes)
            if self.items.other is not None and project.scale != self.project.scale:
                raise errors.assessing.fixed_setting("grades", sorted(CHANGEABLE - {"grades"}))
            self.store.set_project(project, self._managed("settings", manager, manager))
            self.state.project = project
            leases = self.assignment.leases
            self.assignment = Assignment(plan_of(project, self.items), self.state, leases)
            return project

    # A model that labels while people judge

    def add_model(self, name: str) -> Judge:
        """The model of a name; a new judge where it never labelled here."""
        with self._writing():
            known = self.judge_named(name)
            if known is not None and known.kind == "model":
                return known
            added = self._managed("judge-added", 0, 0)._replace(how="model")
            judge = self.store.add_judge(name, "model", token_hash(secrets.token_urlsafe(24)), added)
            self.state.set_judge(judge)
            return judge

    def add_prompt(self, version: str, text: str) -> None:
        """What a model is asked, once, by its hash."""
        with self._writing():
            self.store.add_prompt(version, text)

    def record_model(self, answer: ModelAnswer | None, events: Sequence[NewEvent]) -> list[Appended]:
        """Store what a model answered, with the labels that follow from it: all or nothing."""
        with self._writing():
            for event in events:
                self._model(event.judge)
                if event.kind != "label":
                    raise NotAllowed(errors.assessing.only_models())
                require_on_scale(event.grade, self.project)
                if event.item is None or not self.items.has(event.item):
                    raise UnknownItem(errors.assessing.unknown_item(event.item or 0))
            if answer is not None:
                self._model(answer.judge)
            appended = self.store.append_many(events) if answer is None else self.store.add_answer(answer, events)
            for one in appended:
                self._apply(one)
            return appended

    # The end

    def drain(self) -> None:
        """Finish what is being stored and take nothing new."""
        with self.lock:
            self.is_draining = True

    def close(self) -> None:
        """Drain, and give up the store."""
        self.drain()
        with self.lock:
            self.store.close()

    # Within

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self.lock:
            if self.is_draining:
                raise StoreBusy(errors.assessing.closing())
            yield

    def _known(self, judge: int) -> JudgeState:
        of = self.state.by_judge.get(judge)
        if of is None:
            raise UnknownItem(errors.assessing.unknown_judge(judge))
        return of

    def _active(self, judge: int) -> JudgeState:
        of = self._known(judge)
        if of.judge.off:
            raise NotAllowed(errors.assessing.judge_is_off(of.judge.name))
        return of

    def _manager(self, judge: int) -> JudgeState:
        of = self._active(judge)
        if of.judge.kind != "manager":
            raise NotAllowed(errors.assessing.only_managers())
        return of

    def _model(self, judge: int) -> None:
        if self._active(judge).judge.kind != "model":
            raise NotAllowed(errors.assessing.only_models())

    def _seen(self, of: JudgeState, item: int) -> None:
        """Refuse an item that a judge neither holds nor has dealt with."""
        known = self.items.has(item) and (
            of.latest(item) is not None or item in self.assignment.leases.held_by(of.judge.number)
        )
        if not known and of.judge.kind != "manager":
            raise UnknownItem(errors.assessing.unknown_item(item))
        if not self.items.has(item):
            raise UnknownItem(errors.assessing.unknown_item(item))

    def _card(self, of: JudgeState, item: int, *, again: bool = False) -> Card:
        """What a judge sees; of an item that is shown again on purpose, nothing of what they said."""
        items = self.items
        query = self._query(items.query_of(item))
        document = self._document(int(items.of_document[item - 1]))
        other = None if items.other is None else self._document(int(items.other[item - 1]))
        hidden = not again and of.due() == item
        current = of.latest(item) if again else of.said.get(item)
        return Card(
            item,
            items.query_of(item),
            *query,
            *document,
            other,
            None if hidden else current,
            "" if hidden else of.notes.get(item, ""),
        )

    def _query(self, number: int) -> QueryText:
        text = self._queries.pop(number, None) or self.store.query_text(number)
        self._queries[number] = text
        if len(self._queries) > REMEMBERED:
            del self._queries[next(iter(self._queries))]
        return text

    def _document(self, number: int) -> DocumentText:
        text = self._texts.pop(number, None) or self.store.document_text(number)
        if len(text.text) <= REMEMBERED_LENGTH:
            self._texts[number] = text
            if len(self._texts) > REMEMBERED:
                del self._texts[next(iter(self._texts))]
        return text

    def _store_sent(self) -> None:
        """Store what waits, but of each judge and each item only the first: what is checked depends on no other."""
        together: list[_Sent] = []
        judges: set[int] = set()
        items: list[int] = []  # not yet checked: anything may be in it
        with self._turn:
            waiting = list(self._sent)
        for one in waiting[:TOGETHER]:
            if one.judge not in judges and one.submission.item not in items:
                together.append(one)
            judges.add(one.judge)
            items.append(one.submission.item)
        try:
            self._store_together(together)
        finally:  # what is not done, whatever happened, waits on
            with self._turn:
                self._sent = [one for one in self._sent if not one.is_done]

    def _store_together(self, sent: Sequence[_Sent]) -> None:
        known = self._known_events(sent)
        new: list[tuple[_Sent, NewEvent]] = []
        for one in sent:
            with one.refused():
                event = self._checked(one, known)
                if event is not None:
                    new.append((one, event))
        stored: list[Appended] = []
        if len(new) > 1:
            # If one of them is refused, none is stored; then each is tried alone.
            with suppress(Exception), self._storing():
                stored = self.store.append_many([event for _, event in new])
        for (one, _), appended in zip(new, stored, strict=False):
            one.receipt = self._apply(appended)
        for one, event in new[len(stored) :]:
            with one.refused(), self._storing():
                one.receipt = self._apply(self.store.append(event))

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Where a store fails while it stores, nobody knows whether it did: what is in it counts, if it can be read."""
        if self._is_unsure:
            for event in self.store.events(self.state.seq):
                if event.item is not None:
                    self._apply(Appended(event, repeated=False))
            self._is_unsure = False
        try:
            yield
        except (Stale, KeyReused):
            raise
        except Refused:
            self._is_unsure = True
            raise

    def _known_events(self, sent: Sequence[_Sent]) -> Mapping[str, Event]:
        """By their keys, the events of earlier tries, of which only the answer was lost."""
        keys = [one.submission.key for one in sent]
        try:
            return self.store.events_of([key for key in keys if isinstance(key, str)])
        except Exception as refusal:
            for one in sent:
                one.refusal = refusal
            return {}

    def _checked(self, one: _Sent, known: Mapping[str, Event]) -> NewEvent | None:
        """What is to be stored; nothing if it was stored before."""
        if one.is_done:
            return None
        if self.is_draining:
            raise StoreBusy(errors.assessing.closing())
        of = self._active(one.judge)
        checked = checked_submission(one.submission, self.project, self.items)
        if (stored := known.get(checked.key)) is not None:
            one.receipt = self._stored_before(of, checked, stored)
            return None
        return self._event(of, checked)

    def _event(self, of: JudgeState, sent: Submission) -> NewEvent:
        judge, item = of.judge.number, sent.item
        kind: Any = sent.kind
        more = dict(sent.more)
        if sent.kind == "label" and self._is_repeat(of, sent):
            kind = "repeat"
        elif sent.kind == "label":
            more |= self.assignment.chosen(judge, item).to_dict()
            more |= {"settings": self.project.hash}
            if self.assignment.is_extra(judge, item):
                more["extra"] = True
        return NewEvent(sent.key, judge, item, kind, *sent[3:-1], more=more)

    def _is_repeat(self, of: JudgeState, sent: Submission) -> bool:
        """Whether a label is of an item shown again: the page had not seen the first, or corrects the second."""
        again = of.repeats.get(sent.item)
        return (sent.before is None and of.due() == sent.item) or (again is not None and again.seq == sent.before)

    def _apply(self, appended: Appended) -> Receipt:
        event, item = appended.event, appended.event.item or 0
        of = self.state.by_judge[event.judge]
        if not appended.repeated:
            self.state.apply(event)
            if event.kind in CURRENT or event.kind == "repeat":
                self.assignment.done(event.judge, item)
            self._tell(item)
        return Receipt(event, appended.repeated, of.latest(item))

    def _stored_before(self, of: JudgeState, sent: Submission, stored: Event) -> Receipt:
        """The first answer again, if it is the same label."""
        kind = "label" if stored.kind == "repeat" else stored.kind
        before = (stored.judge, stored.item, kind, *stored[6:12])
        if before != (of.judge.number, *sent[1:-1]):
            raise KeyReused
        return Receipt(stored, repeated=True, current=of.latest(sent.item))

    def _bulk(self, key: str, events: Sequence[NewEvent]) -> BulkReceipt:
        appended = self.store.append_many(events)
        for one in appended:
            self._apply(one)
        return BulkReceipt(key, len(appended), tuple(one.event for one in appended))

    def _managed(self, kind: Kind, judge: int, by: int) -> NewEvent:
        return NewEvent(secrets.token_hex(16), judge, None, kind, how="click", more={"by": by})

    def _tell(self, item: int) -> None:
        if self.effect is not None and item:
            self.effect.set_grade(item, self.state.merged(item), self.state.is_random(item))


def token_hash(token: str) -> str:
    """What a store keeps of the token of a link: nobody can make the link of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


__all__ = [
    "BulkFilter",
    "BulkReceipt",
    "Card",
    "GradeListener",
    "Reason",
    "Receipt",
    "Service",
    "Submission",
    "Tally",
    "token_hash",
]
