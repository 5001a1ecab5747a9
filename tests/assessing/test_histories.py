"""Histories of labels, lost answers, tabs, restarts and removals, compared with a model of a few dictionaries."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, precondition, rule

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.events import folded
from cranfield.assessing.project import new_project
from cranfield.assessing.refusals import KeyReused, NotAllowed, Stale
from cranfield.assessing.service import BulkFilter, Service, Submission
from cranfield.assessing.store import create_store, open_store
from cranfield.formats import read_runs
from tests.effort import few_or

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}, "b": {"q1": ["d3", "d5"], "q2": ["d4", "d6"]}}
JUDGES = st.sampled_from([2, 3, 4])
TABS = st.sampled_from(["one", "two"])
GRADES = st.sampled_from([0.0, 1.0, 2.0, 3.0])
KINDS = st.sampled_from(["label", "label", "label", "skip", "cannot", "later", "clear"])


class Histories(RuleBasedStateMachine):
    """A service as judges and a manager use it. The model is what any page would have seen."""

    sent = Bundle("sent")
    """What pages have sent, and may send again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="cranfield-histories-"))
        self.now = 0.0
        self.current: dict[tuple[int, int], tuple[int, str, float | None]] = {}
        self.answers: dict[str, object] = {}
        self.off: set[int] = set()
        self.count = 0

    @initialize(labels=st.integers(1, 3), strategy=st.sampled_from(["depth", "decide", "comparison", "mm-ns"]))
    def begin(self, labels: int, strategy: str) -> None:
        contents, _ = contents_of(judged_from_runs(read_runs(RUNS), 3))
        project = new_project("garden", labels=labels, strategy=strategy, batch=2, repeats=0.0)
        store = create_store(self.folder / "judging.db", project, contents)
        store.rows("PRAGMA synchronous = OFF")  # what a power cut would lose is another test
        self.service = Service(store, lambda: self.now)
        self.service.add_judge("boss", "manager")
        for name in ("ada", "ben", "cleo"):
            self.service.add_judge(name)

    def key(self) -> str:
        self.count += 1
        return f"key {self.count}"

    def labels(self) -> Counter[int]:
        return Counter(item for (item, _), now in self.current.items() if now[1] == "label")

    def cards(self, judge: int, tab: str) -> list[int]:
        """What a tab gets; never is an item handed out that then has more labels and holders than it wants."""
        assignment = self.service.assignment
        assignment.expire(self.now)
        before = assignment.leases.held(judge, tab)
        items = [card.item for card in self.service.cards(judge, tab)]
        assert items[: len(before)] == before
        labels = self.labels()
        for item in items[len(before) :]:
            assert labels[item] + assignment.leases.counts[item] <= assignment.wanted[item]
            assert (item, judge) not in self.current or self.current[item, judge][1] in ("later", "clear")
        return items

    # What pages do

    @rule(target=sent, judge=JUDGES, tab=TABS, kind=KINDS, grade=GRADES, is_seen=st.booleans(), data=st.data())
    def say(self, judge: int, tab: str, kind: str, grade: float, is_seen: bool, data: st.DataObject) -> object:
        if judge in self.off:
            with pytest.raises(NotAllowed):
                self.service.cards(judge, tab)
            return multiple()
        items = self.cards(judge, tab)
        item = data.draw(st.sampled_from(items or [1]) if is_seen else st.integers(1, len(self.service.items)))
        known = self.current.get((item, judge))
        before = known[0] if known else None
        return judge, Submission(self.key(), item, kind, grade if kind == "label" else None, before)

    @rule(message=sent, times=st.integers(1, 3))
    def send(self, message: tuple[int, Submission], times: int) -> None:
        """Any number of times, in any order, however long after it was made: the answer may have been lost."""
        judge, label = message
        for _ in range(times):
            if judge in self.off:
                with pytest.raises(NotAllowed):
                    self.service.record(judge, label)
                continue
            known = self.current.get((label.item, judge))
            if label.key in self.answers:
                receipt = self.service.record(judge, label)
                assert receipt.repeated
                assert receipt.event == self.answers[label.key]
            elif label.before == (known[0] if known else None):
                receipt = self.service.record(judge, label)
                assert not receipt.repeated
                self.answers[label.key] = receipt.event
                self.current[label.item, judge] = receipt.event.seq, label.kind, label.grade
            else:
                with pytest.raises(Stale) as refused:
                    self.service.record(judge, label)
                assert refused.value.current == known

    @rule(message=sent)
    def send_other_content_under_the_same_key(self, message: tuple[int, Submission]) -> None:
        judge, label = message
        if label.key in self.answers and judge not in self.off:
            with pytest.raises(KeyReused):
                self.service.record(judge, label._replace(note="other"))

    @rule(judge=JUDGES, tab=TABS)
    def close_tab(self, judge: int, tab: str) -> None:
        self.service.release(judge, tab)

    @rule(judge=JUDGES, tab=TABS)
    def reload(self, judge: int, tab: str) -> None:
        if judge not in self.off:
            assert self.cards(judge, tab) == self.cards(judge, tab)

    @rule(seconds=st.sampled_from([1.0, 300.0, 601.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    # What happens to the server, and what managers do

    @rule()
    def restart(self) -> None:
        self.service.close()
        self.service = Service(open_store(self.folder / "judging.db"), lambda: self.now)
        self.service.store.rows("PRAGMA synchronous = OFF")

    @rule(judge=JUDGES)
    def switch(self, judge: int) -> None:
        self.service.set_off(judge, off=judge not in self.off)
        self.off ^= {judge}

    @precondition(lambda self: self.current)
    @rule(judge=JUDGES, grade=GRADES, is_taken_back=st.booleans())
    def correct_in_bulk(self, judge: int, grade: float, is_taken_back: bool) -> None:
        key = self.key()
        for event in self.service.bulk(1, BulkFilter(judge=judge), grade, key=key).events:
            self.current[event.item, event.judge] = event.seq, event.kind, event.grade
        if is_taken_back and self.service.store.event_of(f"{key}-0"):
            for event in self.service.undo_bulk(1, key).events:
                self.current[event.item, event.judge] = event.seq, event.kind, event.grade

    # What always holds

    @invariant()
    def a_judge_says_one_thing_of_an_item(self) -> None:
        if not hasattr(self, "service"):
            return
        stored = {(item, judge): tuple(now) for item, judge, now in self.service.store.current()}
        assert stored == self.current
        state = self.service.state
        assert {
            (item, judge): tuple(now) for judge, of in state.by_judge.items() for item, now in of.said.items()
        } == self.current

    @invariant()
    def labels_are_counted(self) -> None:
        if hasattr(self, "service"):
            labels = self.labels()
            counts = self.service.state.counts
            assert {item: int(counts[item]) for item in labels} == dict(labels)
            assert counts.sum() == labels.total()

    @invariant()
    def leases_are_those_of_open_tabs(self) -> None:
        if hasattr(self, "service"):
            leases = self.service.assignment.leases
            held = Counter(item for tab in leases.tabs.values() for item in tab.items)
            assert {item: int(leases.counts[item]) for item in held} == dict(held)
            assert leases.counts.sum() == held.total()
            batches = Counter(item for batch in self.service.assignment.batches.values() for item in batch.waiting)
            assert self.service.assignment.batched.sum() == batches.total()

    def teardown(self) -> None:
        if hasattr(self, "service"):
            events = list(self.service.store.events())
            assert {key: tuple(now) for key, now in folded(events).items()} == self.current
            assert len({event.key for event in events}) == len(events)
            assert {event.key for event in events if event.item} >= set(self.answers)
            assert self.service.store.verify() == []
            self.service.close()
        shutil.rmtree(self.folder)


TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=few_or(40, 10_000), stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
