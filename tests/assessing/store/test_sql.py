"""What every store does, in an SQLite file and in PostgreSQL."""

from __future__ import annotations

import threading
from uuid import uuid4

import numpy as np
import pytest

from cranfield.assessing.events import ModelAnswer, NewEvent, folded
from cranfield.assessing.refusals import KeyReused, Stale, StoreReadOnly
from cranfield.assessing.store import create_store, open_store
from cranfield.assessing.store.sql import storable
from cranfield.errors import DataError, UsageError
from tests.assessing.conftest import garden


def label(item: int, grade: float, judge: int = 2, before: int | None = None, **more: object) -> NewEvent:
    return NewEvent(uuid4().hex, judge, item, "label", grade, before, **more)


class TestStore:
    def test_an_event_is_there_after_the_store_was_closed(self, store, where):
        event = store.append(label(7, 2.0, note="täglich gießen 🍅", more={"chosen": "random"})).event
        store.close()
        again = open_store(where)
        assert again.event_of(event.key) == event
        assert list(again.events())[-1] == event
        again.close()

    def test_what_was_put_in_comes_out(self, store, project):
        items, expected = store.items(), garden().items
        assert store.project() == project
        assert (items.queries, items.documents, items.runs) == (expected.queries, expected.documents, expected.runs)
        for name in ("of_query", "of_document", "part"):
            assert np.array_equal(getattr(items, name), getattr(expected, name))
        assert np.array_equal(items.known, expected.known, equal_nan=True)
        for one, other in zip(items.places, expected.places, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one[1:], other[1:], strict=True))

    def test_texts_are_kept_as_they_were_judged(self, store):
        items = store.items()
        assert store.query_text(0) == ("q1", "what grows in bed 1", "")
        number = items.documents.index("d7")
        assert store.document_text(number) == ("d7", "Bed 7", "Beans grow in bed 7.", "")

    def test_the_same_event_twice_is_one_event(self, store):
        event = label(3, 1.0)
        first, second = store.append(event), store.append(event)
        assert (first.repeated, second.repeated) == (False, True)
        assert first.event == second.event
        assert len([one for one in store.events() if one.key == event.key]) == 1

    def test_other_content_under_the_same_key_is_refused(self, store):
        event = label(3, 1.0)
        store.append(event)
        for other in (event._replace(grade=2.0), event._replace(item=4), event._replace(note="x")):
            with pytest.raises(KeyReused):
                store.append(other)

    def test_a_label_replaces_only_the_one_that_was_seen(self, store):
        first = store.append(label(3, 1.0)).event
        second = store.append(label(3, 2.0, before=first.seq)).event
        with pytest.raises(Stale) as refused:
            store.append(label(3, 0.0, before=first.seq))
        assert refused.value.current == (second.seq, "label", 2.0)
        with pytest.raises(Stale):
            store.append(label(3, 0.0))
        with pytest.raises(Stale) as refused:
            store.append(label(9, 0.0, before=first.seq))
        assert refused.value.current is None

    def test_a_refused_event_leaves_nothing_behind(self, store):
        store.append(label(3, 1.0))
        before = list(store.events())
        refused = label(3, 2.0)
        with pytest.raises(Stale):
            store.append(refused)
        assert list(store.events()) == before
        assert store.event_of(refused.key) is None

    def test_judges_do_not_disturb_each_other(self, store):
        store.append(label(3, 1.0, judge=2))
        store.append(label(3, 2.0, judge=3))
        assert {(item, judge): now.grade for item, judge, now in store.current()} == {(3, 2): 1.0, (3, 3): 2.0}

    def test_notes_and_repeats_change_no_label(self, store):
        first = store.append(label(3, 1.0)).event
        store.append(NewEvent(uuid4().hex, 2, 3, "repeat", 2.0))
        store.append(NewEvent(uuid4().hex, 2, 3, "note", note="unsure"))
        assert [now for _, _, now in store.current()] == [(first.seq, "label", 1.0)]

    def test_several_events_are_what_they_would_be_one_by_one_in_their_order(self, store):
        events = [
            label(4, 1.0, note="a"),
            label(5, 2.5, judge=3, active_ms=900, more={"chosen": "random"}),
            label(6, 0.0)._replace(kind="skip", grade=None),
        ]
        stored = store.append_many(events)
        assert [NewEvent(*one.event[2:]) for one in stored] == events
        assert list(store.events(stored[0].event.seq - 1)) == [one.event for one in stored]
        assert [(item, judge, now.seq) for item, judge, now in store.current()] == [
            (event.item, event.judge, one.event.seq) for event, one in zip(events, stored, strict=True)
        ]
        assert store.events_of([events[0].key, "nobody's", events[2].key]) == {
            events[0].key: stored[0].event,
            events[2].key: stored[2].event,
        }
        # One that is sent again is told so, and is not stored twice.
        again = store.append_many([events[1], label(7, 1.0)])
        assert [one.repeated for one in again] == [True, False]
        assert store.verify() == []

    def test_several_events_are_stored_together_or_not_at_all(self, store):
        store.append(label(3, 1.0))
        before = list(store.events())
        with pytest.raises(Stale):
            store.append_many([label(4, 1.0), label(5, 1.0), label(3, 2.0)])
        assert list(store.events()) == before
        assert len(store.append_many([label(4, 1.0), label(5, 1.0)])) == 2

    def test_current_is_the_fold_of_events(self, store):
        seen: dict[int, int] = {}
        for step, item in enumerate([3, 4, 3, 5, 3, 4]):
            kind = ("label", "skip", "label", "cannot", "clear", "later")[step]
            grade = 1.0 if kind == "label" else None
            event = NewEvent(uuid4().hex, 2, item, kind, grade, seen.get(item))
            seen[item] = store.append(event).event.seq
        assert {(item, judge): now for item, judge, now in store.current()} == folded(store.events())
        assert store.verify() == []

    def test_events_after_a_number_are_those_that_followed(self, store):
        first = store.append(label(3, 1.0)).event
        second = store.append(label(4, 1.0)).event
        assert list(store.events(after=first.seq)) == [second]

    def test_many_events_come_in_pages(self, store, monkeypatch):
        from cranfield.assessing.store import sql

        monkeypatch.setattr(sql, "FEW", 3)
        for item in range(1, 11):
            store.append(label(item, 1.0))
        assert [event.item for event in store.events() if event.item] == list(range(1, 11))
        assert [item for item, _, _ in store.current()] == list(range(1, 11))

    def test_a_judge_is_known_by_the_hash_of_their_link_until_it_is_renewed(self, store):
        assert store.judge_by_token_hash("hash of ada") == (2, "ada", "person", False)
        store.set_link(2, "another", NewEvent(uuid4().hex, 2, None, "link-renewed"))
        assert store.judge_by_token_hash("hash of ada") is None
        assert store.judge_by_token_hash("another").name == "ada"

    @pytest.mark.parametrize("name", ["ada", "ADA", " Ada "])
    def test_two_spellings_of_one_name_are_one_judge(self, store, name):
        with pytest.raises(UsageError, match="There is a judge 'ada' already"):
            store.add_judge(name, "person", uuid4().hex, NewEvent(uuid4().hex, 0, None, "judge-added"))

    def test_a_judge_who_is_off_stays_off(self, store, where):
        store.set_off(2, True, NewEvent(uuid4().hex, 2, None, "judge-off"))  # noqa: FBT003
        store.close()
        again = open_store(where)
        assert [judge.off for judge in again.judges()] == [False, True, False]
        assert again.verify() == []
        again.close()

    def test_settings_change_with_an_event(self, store, project):
        store.set_project(project.with_changes(labels=3), NewEvent(uuid4().hex, 1, None, "settings"))
        assert store.project().labels == 3
        assert store.verify() == []

    def test_what_a_model_answered_is_stored_with_its_label_or_not_at_all(self, store):
        answer = ModelAnswer("abc", 1, 1, "label", "grade", 2.0, {"text": '{"grade": 2}', "tokens": 12})
        label = NewEvent("k1", 1, 1, "label", 2.0, how="model")
        assert store.add_answer(answer, [label])[0].event.grade == 2.0
        with pytest.raises(Stale):
            store.add_answer(answer._replace(request="def"), [label._replace(key="k2")])
        assert list(store.answers(1)) == [answer]

    def test_a_prompt_is_stored_once_by_its_hash(self, store):
        store.add_prompt("0a1b", "Judge this.")
        store.add_prompt("0a1b", "Judge this.")
        assert store.prompt("0a1b") == "Judge this."
        assert store.prompt("ffff") is None

    def test_others_read_while_one_writes(self, store, where):
        reader = open_store(where, read_only=True)
        event = store.append(label(3, 1.0)).event
        assert reader.event_of(event.key) == event
        with pytest.raises(StoreReadOnly, match="opened for reading"):
            reader.append(label(4, 1.0))
        reader.close()

    def test_nobody_else_may_open_it_for_writing(self, store, where):
        store.announce("http://127.0.0.1:8765")
        with pytest.raises(DataError, match=r"is in use by http://127\.0\.0\.1:8765"):
            open_store(where)
        store.append(label(3, 1.0))

    def test_after_it_was_closed_somebody_else_may(self, store, where):
        store.close()
        open_store(where).close()

    def test_a_store_is_never_overwritten(self, store, where, project):
        with pytest.raises(DataError, match=r"exists already\nTo go on with it: cranfield judge"):
            create_store(where, project, garden())

    def test_threads_take_turns(self, store):
        def work(judge: int) -> None:
            for item in range(1, 41):
                store.append(label(item, 1.0, judge=judge))

        threads = [threading.Thread(target=work, args=(judge,)) for judge in (1, 2, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(list(store.current())) == 120
        assert store.verify() == []

    def test_hostile_text_is_kept_as_far_as_a_database_can(self, where, project):
        contents = garden()
        texts = ["NUL \0 here", "half \ud800 a character", "\u202edecrof", "'; DROP TABLE event; --", "%s ? {}"]
        documents = [document._replace(text=text) for document, text in zip(contents.documents, texts, strict=False)]
        store = create_store(where, project, contents._replace(documents=documents))
        names = store.items().documents
        for document in documents:
            assert store.document_text(names.index(document.name)).text == storable(document.text)
        rest = set(names) - {document.name for document in documents}
        assert {store.document_text(names.index(name)).text for name in rest} == {""}
        store.close()


class TestVerify:
    """Whatever is kept beside events and does not follow from them is told."""

    @pytest.mark.parametrize(
        ("damage", "told"),
        [
            ("UPDATE current SET grade = 3 WHERE item = 3", "item 3, judge 2: the current label does not follow"),
            ("DELETE FROM current WHERE item = 3", "item 3, judge 2: the current label does not follow"),
            ("UPDATE judge SET off = 1 WHERE judge = 2", "judge ada: is not as the events say"),
            ("UPDATE meta SET value = REPLACE(value, 'garden', 'other')", "the settings are not those"),
            ("UPDATE event SET before = 1 WHERE kind = 'label'", "replaced a label that it does not name"),
            ("UPDATE event SET judge = 99 WHERE kind = 'label'", "there is no judge 99"),
        ],
    )
    def test_what_does_not_follow_from_events_is_told(self, store, damage, told):
        store.append(label(3, 1.0))
        assert store.verify() == []
        store.rows(damage)
        assert any(told in problem for problem in store.verify())

    def test_of_many_problems_the_first_are_listed(self, store):
        for item in range(1, 41):
            store.append(label(item, 1.0))
        store.rows("UPDATE current SET grade = 3")
        problems = store.verify()
        assert len(problems) == 21
        assert problems[-1] == "and 20 more"
