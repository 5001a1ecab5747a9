"""Many judges at once: each pair gets the labels it wants and no more, and nobody waits for somebody who has left."""

from __future__ import annotations

import heapq
import random
import threading
from collections import Counter
from uuid import uuid4

import numpy as np
import pytest

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.items import Contents
from cranfield.assessing.leases import MINUTES
from cranfield.assessing.service import Service, Submission
from cranfield.formats import read_runs

JUDGES = [f"judge {number}" for number in range(50)]


def large(queries: int = 100) -> Contents:
    """Twenty documents for each query, of which two runs have opposite orders."""
    lists = {f"q{query}": [f"d{query}-{place}" for place in range(20)] for query in range(queries)}
    runs = {"a": lists, "b": {query: documents[::-1] for query, documents in lists.items()}}
    return contents_of(judged_from_runs(read_runs(runs), 20))[0]


class Office:
    """Fifty judges with think times of their own, by a clock that jumps from one to the next."""

    def __init__(self, make_service, rng: random.Random, **settings: object) -> None:
        self.now = 0.0
        self.rng = rng
        self.leaving = {judge: rng.randrange(20, 100) for judge in rng.sample(range(2, 52), 5)}
        """Who leaves without a word, holding items, and after how many labels."""
        self.service: Service = make_service(*JUDGES, clock=lambda: self.now, contents=large(), **settings)
        self.service.store.rows("PRAGMA synchronous = OFF")
        self.longest_pause = 0.0
        """Between two items that were handed out, to whomever."""

    def work(self) -> None:
        """Until nobody has anything to do."""
        waiting = [(self.rng.uniform(0, 30), judge, None) for judge in range(2, 52)]
        last = 0.0
        heapq.heapify(waiting)
        while waiting:
            self.now, judge, item = heapq.heappop(waiting)
            if item is not None:
                self.service.record(judge, Submission(uuid4().hex, item, "label", float(self.rng.randrange(4))))
            cards = self.service.cards(judge, "tab", 1)
            if cards:
                self.longest_pause, last = max(self.longest_pause, self.now - last), self.now
                if self.service.state.by_judge[judge].labelled != self.leaving.get(judge):
                    pause = self.rng.lognormvariate(2.5, 0.8)
                    heapq.heappush(waiting, (self.now + pause, judge, cards[0].item))
            elif not self.is_done(judge):
                heapq.heappush(waiting, (self.now + 60, judge, None))

    def is_done(self, judge: int) -> bool:
        return self.service.assignment.left(judge) == 0


@pytest.mark.parametrize("strategy", ["depth", "decide"])
def test_every_pair_gets_three_labels_and_none_a_fourth(make_service, strategy):
    office = Office(make_service, random.Random(7), labels=3, strategy=strategy)
    office.work()
    counts = np.bincount(office.service.state.counts[1:])
    extra = {event.item for event in office.service.store.events() if event.more.get("extra")}
    assert counts[:3].sum() == 0
    assert counts[4:].sum() == len(extra) == 0
    assert office.longest_pause <= 60 * MINUTES + 60
    labels = Counter(event.judge for event in office.service.store.events() if event.item)
    assert {judge: labels[judge] for judge in office.leaving} == office.leaving
    assert min(labels[judge] for judge in labels if judge not in office.leaving) > 60


def test_whoever_comes_back_late_has_not_worked_for_nothing(make_service):
    """A judge who answers after their time is over may give a label too many: it is kept, and marked."""
    office = Office(make_service, random.Random(3), labels=1)
    service = office.service
    late = service.cards(2, "tab", 1)[0].item
    office.now += 60 * MINUTES + 1
    other = next(judge for judge in range(3, 52) if late in [card.item for card in service.cards(judge, "tab")])
    service.record(other, Submission("first", late, "label", 1.0))
    service.record(2, Submission("second", late, "label", 2.0))
    assert service.state.extra == {late}
    assert len(service.state.labels(late)) == 2


def test_threads_at_once_never_hand_out_too_much(make_service):
    service = make_service(*JUDGES[:12], contents=large(10), labels=2, strategy="depth")
    service.store.rows("PRAGMA synchronous = OFF")
    problems: list[BaseException] = []

    def work(judge: int) -> None:
        try:
            while cards := service.cards(judge, f"tab {judge}", 2):
                service.record(judge, Submission(uuid4().hex, cards[0].item, "label", 1.0))
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(judge,)) for judge in range(2, 14)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A judge for whom nothing was free left, while another held the last ones: these are done now.
    while True:
        left = [judge for judge in range(2, 14) if service.cards(judge, f"tab {judge}", 1)]
        if not left:
            break
        for judge in left:
            work(judge)
    assert problems == []
    assert set(service.state.counts[1:].tolist()) == {2}
    assert service.store.verify() == []
