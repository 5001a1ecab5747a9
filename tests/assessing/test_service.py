import threading
import time
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest

from cranfield.assessing.refusals import (
    KeyReused,
    NotAllowed,
    NotOnScale,
    NotYet,
    Stale,
    StoreBroken,
    StoreBusy,
    UnknownItem,
)
from cranfield.assessing.service import BulkFilter, Service, Submission, _Sent, token_hash
from cranfield.assessing.store import open_store
from cranfield.errors import UsageError
from tests.effort import few_or


class Listener:
    """Whatever follows grades."""

    def __init__(self):
        self.told = []

    def set_grade(self, item, grade, random):
        self.told.append((item, grade, random))


# Who


def test_a_judge_is_known_by_their_link_alone(make_service):
    service = make_service()
    judge, token = service.add_judge("ada")
    assert service.judge_of(token) == judge
    assert service.judge_of(token + "x") is None
    assert service.judge_of("\ud800") is None
    assert len(token) == 32
    assert token not in str(list(service.store.events()))
    assert token_hash(token) not in str(list(service.store.events()))


def test_a_renewed_link_replaces_the_one_before(make_service):
    service = make_service()
    judge, token = service.add_judge("ada")
    another = service.renew_link(judge.number)
    assert service.judge_of(token) is None
    assert service.judge_of(another) == judge
    with pytest.raises(UnknownItem, match="no judge with the number 99"):
        service.renew_link(99)


def test_who_is_off_may_do_nothing_until_switched_on(make_service, sender):
    service = make_service()
    judge, token = service.add_judge("ada")
    item = sender(service, judge.number).next()
    service.set_off(judge.number, off=True)
    assert service.judge_of(token) is None
    with pytest.raises(NotAllowed, match="ada is switched off"):
        service.record(judge.number, Submission("k", item, "label", 1.0))
    service.set_off(judge.number, off=False)
    assert service.record(judge.number, Submission("k", item, "label", 1.0)).event.grade == 1.0


def test_two_spellings_of_a_name_are_one_judge(make_service):
    service = make_service("ada")
    with pytest.raises(UsageError, match="There is a judge 'ada' already"):
        service.add_judge(" ADA")
    assert service.judge_named("Ada ").number == 2
    assert service.judge_named("ben") is None


# Judging


def test_a_card_shows_the_query_and_the_document_and_nothing_of_runs(make_service):
    service = make_service("ada")
    card = service.cards(2, "tab", 1)[0]
    number = int(card.document_name.removeprefix("d"))
    assert card.query_text == f"what grows in bed {card.query_name.removeprefix('q')}"
    assert (card.title, card.text) == (f"Bed {number}", f"Beans grow in bed {number}.")
    assert not {"run", "rank", "score", "chosen"} & set(card._fields)


def test_a_label_is_saved_with_how_its_item_was_chosen(make_service, sender):
    service = make_service("ada", measure="P@10")
    ada = sender(service, 2)
    event = service.record(2, ada.label(ada.next(), 2.0, active_ms=1500, note="clear")).event
    assert (event.kind, event.grade, event.active_ms, event.note) == ("label", 2.0, 1500, "clear")
    assert event.more == {"chosen": "random", "probability": 20 / 48, "settings": service.project.hash}


def test_a_label_sent_again_is_answered_as_the_first_time(make_service, sender):
    service = make_service("ada")
    ada = sender(service, 2)
    label = ada.label(ada.next(), 2.0)
    first = service.record(2, label)
    again = service.record(2, label)
    assert (first.repeated, again.repeated) == (False, True)
    assert first.event == again.event
    assert service.state.counts[label.item] == 1
    with pytest.raises(KeyReused):
        service.record(2, label._replace(grade=1.0))


def test_the_key_of_another_judge_is_refused(make_service, sender):
    service = make_service("ada", "ben")
    label = sender(service, 2).label(7, 2.0)
    service.record(2, label)
    with pytest.raises(KeyReused):
        service.record(3, label)


def test_a_label_from_a_tab_that_did_not_see_the_last_one_is_refused_with_it(make_service, sender):
    service = make_service("ada")
    ada = sender(service, 2)
    item = ada.next()
    first = service.record(2, ada.label(item, 2.0))
    with pytest.raises(Stale) as refused:
        service.record(2, ada.label(item, 0.0))
    assert refused.value.current == first.current
    assert service.record(2, ada.label(item, 0.0, before=first.current.seq)).current.grade == 0.0


def test_going_back_shows_the_grade_given_and_changes_nothing(make_service, sender):
    service = make_service("ada")
    items = sender(service, 2).work(most=6)
    before, seen = None, []
    while (card := service.earlier(2, before)) is not None:
        seen.append(card.item)
        before = card.current.seq
        assert card.current.grade == 1.0
    assert seen == items[::-1]
    assert service.card(2, items[0]).current.grade == 1.0


def test_a_judge_sees_only_their_own_items_again(make_service, sender):
    service = make_service("ada", "ben")
    (item,) = sender(service, 2).work(most=1)
    with pytest.raises(UnknownItem):
        service.card(3, item)
    with pytest.raises(UnknownItem):
        service.card(2, 10_000)
    assert service.card(1, item).current is None  # a manager sees any


def test_an_item_shown_again_shows_no_grade_and_can_be_corrected(make_service, sender):
    service = make_service("ada", strategy="depth", repeats=1.0)
    ada = sender(service, 2)
    ada.work(most=51)
    while service.state.by_judge[2].due() != (item := ada.next()):
        ada.work(most=1)
    card = service.cards(2, "tab", 1)[0]
    assert (card.item, card.current) == (item, None)
    again = service.record(2, ada.label(item, 3.0))
    assert again.event.kind == "repeat"
    assert service.state.current(item, 2).grade == 1.0
    back = service.earlier(2)
    assert (back.item, back.current.grade) == (item, 3.0)
    corrected = service.record(2, ada.label(item, 2.0, before=back.current.seq))
    assert corrected.event.kind == "repeat"
    assert service.state.current(item, 2).grade == 1.0
    assert service.store.verify() == []


def test_nothing_is_taken_while_the_service_drains(make_service, sender):
    service = make_service("ada")
    ada = sender(service, 2)
    label = ada.label(ada.next(), 1.0)
    service.drain()
    with pytest.raises(StoreBusy, match="The server is stopping"):
        service.record(2, label)


def test_grades_reach_whoever_follows_them(make_service, sender):
    service = make_service("ada", "ben", labels=2)
    ada, ben, listener = sender(service, 2), sender(service, 3), Listener()
    item = ada.next()
    service.record(2, ada.label(item, 3.0))
    service.set_effect(listener)
    service.record(3, ben.label(item, 1.0))
    assert listener.told == [(item, 3.0, True), (item, 1.0, True)]


# Managing


def test_nothing_is_decided_before_all_labels_are_in(make_service, sender):
    service = make_service("ada", "ben", labels=2)
    ada, ben = sender(service, 2), sender(service, 3)
    service.record(2, ada.label(7, 3.0))
    with pytest.raises(NotYet, match="1 of 2 labels are given"):
        service.adjudicate(1, 7, 2.0, key="a")
    service.record(3, ben.label(7, 0.0))
    first = service.adjudicate(1, 7, 2.0, "slip", "ada misread", key="a")
    assert first.event.more == {"reason": "slip"}
    assert service.state.merged(7) == 2.0
    assert service.adjudicate(1, 7, 2.0, "slip", "ada misread", key="a").repeated
    service.adjudicate(1, 7, 1.0, key="b")
    assert service.state.merged(7) == 1.0
    assert service.store.verify() == []


def test_only_a_manager_decides(make_service, sender):
    service = make_service("ada")
    service.record(2, sender(service, 2).label(7, 3.0))
    for act in (
        lambda: service.adjudicate(2, 7, 1.0, key="a"),
        lambda: service.bulk(2, BulkFilter(), 1.0, key="b"),
        lambda: service.undo_bulk(2, "b"),
        lambda: service.reopen(2, 2, 7),
    ):
        with pytest.raises(NotAllowed):
            act()
    with pytest.raises(NotOnScale):
        service.adjudicate(1, 7, 9.0, key="c")


def test_a_correction_in_bulk_can_be_taken_back(make_service, sender):
    service = make_service("ada", "ben", strategy="depth")
    sender(service, 2).work(most=20, grade=3.0)
    sender(service, 3).work(most=20, grade=3.0)
    query = service.items.query_of(next(iter(service.state.by_judge[2].said)))
    receipt = service.bulk(1, BulkFilter(judge=2, query=query, grade=3.0), 1.0, key="fix")
    assert receipt.changed == 14
    assert service.bulk(1, BulkFilter(judge=2, query=query, grade=3.0), 1.0, key="fix") == receipt
    changed = receipt.events[0]
    assert (changed.judge, changed.how, changed.more["by"]) == (2, "bulk", 1)
    later = service.record(2, Submission("mine", changed.item, "label", 0.0, changed.seq))
    undone = service.undo_bulk(1, "fix")
    assert undone.changed == 13
    assert service.state.current(changed.item, 2).seq == later.event.seq
    assert service.state.current(receipt.events[1].item, 2).grade == 3.0
    assert service.store.verify() == []
    with pytest.raises(UnknownItem, match="no correction 'other' to take back"):
        service.undo_bulk(1, "other")


def test_labels_that_are_cleared_in_bulk_are_asked_for_again(make_service, sender):
    service = make_service("ada", strategy="depth")
    items = sender(service, 2).work()
    service.bulk(1, BulkFilter(items=frozenset(items[:5])), None, key="again")
    assert sorted(sender(service, 2).work()) == sorted(items[:5])


def test_who_could_not_judge_is_asked_again_when_a_manager_says_so(make_service, sender):
    service = make_service("ada", strategy="depth")
    ada = sender(service, 2)
    item = ada.next()
    service.record(2, ada.label(item, None)._replace(kind="cannot", grade=None))
    ada.work()
    service.reopen(1, 2, item)
    assert ada.next() == item


def test_settings_change_for_all_that_follows_and_labels_name_their_own(make_service, sender):
    service = make_service("ada", labels=1)
    ada = sender(service, 2)
    before = service.record(2, ada.label(ada.next(), 1.0)).event
    service.change_settings(1, labels=2, guidelines="Be fair.")
    after = service.record(2, ada.label(ada.next(), 1.0)).event
    assert before.more["settings"] != after.more["settings"] == service.project.hash
    assert service.assignment.wanted.max() == 2
    with pytest.raises(UsageError, match="seed cannot change while people judge"):
        service.change_settings(1, seed=3)
    assert service.store.verify() == []


# All of it, again and at once


def test_everything_is_there_after_a_restart(make_service, sender):
    service = make_service("ada", "ben", labels=2, repeats=0.2, strategy="depth")
    for judge in (2, 3):
        sender(service, judge).work(most=70)
    again = Service(service.store)
    for name in ("adjudicated", "extra", "seq", "project"):
        assert getattr(again.state, name) == getattr(service.state, name)
    assert (again.state.counts == service.state.counts).all()
    for judge in (2, 3):
        one, other = again.state.by_judge[judge], service.state.by_judge[judge]
        assert (one.said, one.repeats, one.repeatable) == (other.said, other.repeats, other.repeatable)
        assert list(one.trail()) == list(other.trail())


def test_of_two_tabs_at_once_one_is_refused_with_what_the_other_said(make_service):
    service = make_service("ada", labels=1)
    results: list[object] = []

    def race(item: int, before: int | None, grade: float, start: threading.Barrier) -> None:
        start.wait()
        try:
            results.append(service.record(2, Submission(uuid4().hex, item, "label", grade, before)))
        except Stale as stale:
            results.append(stale)

    seen: dict[int, int | None] = {}
    for step in range(few_or(200, 1000)):
        item, start = step % 84 + 1, threading.Barrier(2)
        tabs = [threading.Thread(target=race, args=(item, seen.get(item), grade, start)) for grade in (0.0, 3.0)]
        results.clear()
        for tab in tabs:
            tab.start()
        for tab in tabs:
            tab.join()
        (kept,), (refused,) = ([one for one in results if isinstance(one, Stale) is lost] for lost in (False, True))
        assert refused.current == kept.current
        seen[item] = kept.current.seq
    assert service.store.verify() == []


def test_a_judge_and_a_manager_at_once_overwrite_nothing_that_either_had_not_seen(make_service):
    """A correction in bulk is of what judges say when it is stored; whoever comes after it has to have seen it."""
    service = make_service("ada", labels=1)
    boss = next(judge.number for judge in service.judges if judge.kind == "manager")
    for step in range(few_or(100, 1000)):
        item = step % 84 + 1
        current = service.state.current(item, 2)
        seen = None if current is None else current.seq
        start, told = threading.Barrier(2), []

        def judge(item: int = item, seen: int | None = seen, start: threading.Barrier = start, told: list = told):
            start.wait()
            try:
                service.record(2, Submission(uuid4().hex, item, "label", 1.0, seen))
            except Stale as stale:
                told.append(stale.current)

        other = threading.Thread(target=judge)
        other.start()
        start.wait()
        bulk = service.bulk(boss, BulkFilter(items=frozenset({item})), 3.0, key=uuid4().hex)
        other.join()
        history = [event for event in service.store.events() if event.item == item]
        for before, after in pairwise(history):
            assert after.before == before.seq  # each replaced the one it had seen
        if told:
            assert told[0].seq == bulk.events[0].seq
    assert service.store.verify() == []


def test_what_a_manager_sends_several_times_happens_once(make_service, sender):
    service = make_service("ada", labels=1)
    boss = next(judge.number for judge in service.judges if judge.kind == "manager")
    items = sender(service, 2).work(most=6)
    for _ in range(5):
        service.adjudicate(boss, items[0], 2.0, key="decision")
        service.bulk(boss, BulkFilter(judge=2), 0.0, key="bulk")
    kinds = Counter(event.key.split("-")[0] for event in service.store.events() if event.item)
    assert kinds["decision"] == 1
    assert kinds["bulk"] == len(items)


def test_a_store_served_by_one_is_read_by_others(make_service, sender):
    service = make_service("ada")
    sender(service, 2).work(most=5)
    reader = open_store(service.store.where, read_only=True)
    assert len(list(reader.current())) == 5
    reader.close()


def test_a_clock_that_jumps_changes_no_order_and_frees_nothing(make_service, sender, monkeypatch):
    from cranfield.assessing.store import sql

    hours = iter([0, -1, 24, 5, -1])

    class Jumping(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2026, 11, 18, 12, tzinfo=tz) + timedelta(hours=next(hours))

    service = make_service("ada", strategy="depth")
    monkeypatch.setattr(sql, "datetime", Jumping)
    ada = sender(service, 2)
    held = [card.item for card in service.cards(2, "other tab")]
    items = ada.work(most=4)
    events = [event for event in service.store.events() if event.item]
    assert [event.item for event in events] == items
    assert [event.at for event in events] != sorted(event.at for event in events)
    assert [card.item for card in service.cards(2, "other tab")] == held
    assert [service.earlier(2).item, list(service.state.by_judge[2].trail())] == [items[-1], items[::-1]]


class TestStoringTogether:
    """Labels that wait at a moment are stored in one transaction, and each is told what became of it."""

    def test_one_that_is_refused_keeps_no_other_from_being_stored(self, make_service):
        service = make_service("ada", "ben", "cem", labels=3)
        first = service.record(2, Submission("first", 1, "label", 1.0))
        sent = [
            _Sent(2, Submission("stale", 1, "label", 2.0, before=None)),
            _Sent(3, Submission("good", 2, "label", 2.0)),
            _Sent(4, Submission("off the scale", 3, "label", 77.0)),
            _Sent(1, Submission("first", 4, "label", 1.0)),
        ]
        service._store_together(sent)
        assert [type(one.refusal) for one in sent] == [Stale, type(None), NotOnScale, KeyReused]
        assert sent[1].receipt.event.item == 2
        assert [event.key for event in service.store.events(first.event.seq)] == ["good"]
        assert service.store.verify() == []

    def test_an_error_of_the_program_is_only_for_whoever_met_it(self, make_service):
        service = make_service("ada", "ben")
        broken = _Sent(2, Submission("broken", 1, "passage", more=None))  # nothing that a page can send
        service._sent.append(broken)
        assert service.record(3, Submission("good", 2, "label", 1.0)).event.item == 2
        assert broken.is_done
        assert broken.receipt is None
        assert service._sent == []

    def test_two_of_one_judge_or_of_one_item_are_stored_one_after_the_other(self, make_service):
        service = make_service("ada", "ben", "cem", labels=1, strategy="depth")
        waiting = [(2, "a", 1), (2, "b", 2), (3, "c", 1), (4, "d", 3)]
        sent = [_Sent(judge, Submission(key, item, "label", 1.0)) for judge, key, item in waiting]
        service._sent.extend(sent)
        own = service.record(3, Submission("e", 4, "label", 1.0))
        assert own.event.seq > sent[2].receipt.event.seq  # in the order they came
        assert all(one.receipt is not None for one in sent)
        events = {event.key: event for event in service.store.events() if event.item}
        # The second label of item 1 knows of the first: it is one too many.
        assert {key for key, event in events.items() if event.more.get("extra")} == {"c"}
        assert [*events] == ["a", "d", "b", "c", "e"]

    def test_many_threads_need_few_transactions(self, make_service, monkeypatch):
        names = [f"judge {number}" for number in range(20)]
        service = make_service(*names, labels=20)
        together: list[int] = []
        append_many = service.store.append_many

        def slow(events):
            together.append(len(events))
            time.sleep(0.02)  # as a disk does
            return append_many(events)

        monkeypatch.setattr(service.store, "append_many", slow)

        def work(judge: int) -> None:
            for turn in range(10):
                item = (20 * turn + judge) % 84 + 1
                service.record(judge, Submission(f"{judge} {turn}", item, "label", 1.0))

        threads = [threading.Thread(target=work, args=(judge,)) for judge in range(2, 22)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(together) == 200
        assert len(together) < 100
        assert sum(of.labelled for of in service.state.by_judge.values()) == 200
        assert service.store.verify() == []

    def test_what_a_store_stored_although_it_failed_counts(self, make_service, monkeypatch):
        service = make_service("ada", "ben")
        append_many = service.store.append_many

        def lost(events):
            append_many(events)
            raise StoreBroken("the connection was lost before the answer came")

        monkeypatch.setattr(service.store, "append_many", lost)
        with pytest.raises(StoreBroken):
            service.record(2, Submission("unsure", 5, "label", 1.0))
        monkeypatch.undo()
        service.record(3, Submission("next", 6, "label", 1.0))
        assert service.state.current(5, 2) is not None
        assert service.record(2, Submission("unsure", 5, "label", 1.0)).repeated
        assert service.state.counts.sum() == 2
