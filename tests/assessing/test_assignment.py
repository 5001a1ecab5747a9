from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from cranfield.assessing.leases import MINUTES
from cranfield.assessing.refusals import Stale
from cranfield.assessing.service import Service
from cranfield.assessing.store import open_store
from tests.assessing.conftest import garden


class Clock:
    """Seconds that go by when they are told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def queries_of(service, items):
    return [service.items.query_of(item) for item in items]


def test_a_judge_stays_with_a_query_until_its_batch_is_done(make_service, sender):
    service = make_service("ada", strategy="depth", batch=5)
    queries = queries_of(service, sender(service, 2).work())
    changes = sum(one != other for one, other in pairwise(queries))
    assert len(queries) == 84
    assert changes == 5


def test_the_documents_of_a_batch_are_shuffled_for_each_judge(make_service, sender):
    service = make_service("ada", "ben", strategy="depth", labels=2)
    first = [sender(service, judge).work(most=10) for judge in (2, 3)]
    assert sorted(first[0]) == sorted(first[1])
    assert first[0] != first[1]
    assert first[0] != sorted(first[0])


def test_a_reload_gets_what_the_tab_holds_and_another_tab_gets_others(make_service):
    service = make_service("ada")
    first = [card.item for card in service.cards(2, "one")]
    assert [card.item for card in service.cards(2, "one")] == first
    assert set(first).isdisjoint(card.item for card in service.cards(2, "two"))
    assert len(first) == 3


def test_no_tab_holds_more_than_three(make_service):
    service = make_service("ada")
    assert len(service.cards(2, "one", most=50)) == 3


def test_an_item_in_the_hands_of_others_counts_as_a_label(make_service):
    service = make_service("ada", "ben", "cleo", strategy="depth", labels=2, batch=3)
    held = Counter(card.item for judge in (2, 3, 4) for card in service.cards(judge, "tab"))
    assert max(held.values()) == 2


def test_what_nobody_heard_of_for_ten_minutes_is_handed_out_again(make_service, sender, clock):
    service = make_service("ada", "ben", strategy="depth", clock=clock)
    held = [card.item for card in service.cards(2, "tab")]
    labelled = sender(service, 3).work()
    assert set(labelled).isdisjoint(held)
    clock.now += 60 * MINUTES
    assert sorted(sender(service, 3).work()) == sorted(held)


def test_a_tab_that_was_renewed_keeps_its_items(make_service, sender, clock):
    service = make_service("ada", "ben", strategy="depth", clock=clock)
    held = [card.item for card in service.cards(2, "tab")]
    clock.now += 60 * MINUTES - 1
    service.renew(2, "tab")
    clock.now += 60 * MINUTES - 1
    assert [card.item for card in service.cards(2, "tab")] == held


def test_a_closed_tab_frees_its_items_at_once(make_service, sender):
    service = make_service("ada", "ben", strategy="depth")
    service.cards(2, "tab")
    service.release(2, "tab")
    assert len(sender(service, 3).work()) == 84


def test_a_label_after_its_lease_is_kept_and_marked_as_extra(make_service, sender, clock):
    service = make_service("ada", "ben", strategy="depth", clock=clock)
    ada, ben = sender(service, 2), sender(service, 3)
    item = ada.next()
    clock.now += 60 * MINUTES
    ben.work()
    receipt = service.record(2, ada.label(item, 2.0))
    assert receipt.event.more["extra"] is True
    assert item in service.state.extra
    assert service.state.counts[item] == 2


def test_others_take_another_query_while_there_is_one(make_service):
    service = make_service("ada", "ben", "cleo", strategy="depth")
    queries = [queries_of(service, [card.item for card in service.cards(judge, "tab")]) for judge in (2, 3, 4)]
    assert len({query for of in queries for query in of}) == 3


def test_nobody_waits_for_what_others_only_plan_to_judge(make_service, sender):
    service = make_service("ada", "ben", strategy="depth")
    held = [card.item for card in service.cards(2, "tab")]
    assert len(sender(service, 3).work()) == 84 - len(held)


def test_what_is_put_off_comes_when_all_else_is_done(make_service, sender):
    service = make_service("ada", strategy="depth")
    ada = sender(service, 2)
    item = ada.next()
    service.record(2, ada.label(item, None)._replace(kind="later", grade=None))
    rest = ada.work(most=83)
    assert item not in rest
    assert ada.work() == [item]


def test_what_is_skipped_is_left_to_others(make_service, sender):
    service = make_service("ada", "ben", strategy="depth")
    ada = sender(service, 2)
    item = ada.next()
    service.record(2, ada.label(item, None)._replace(kind="skip", grade=None))
    assert item not in ada.work(most=83)
    assert sender(service, 3).work() == [item]


def test_every_judge_labels_what_is_shared(make_service, sender):
    service = make_service("ada", "ben", "cleo", strategy="depth", shared=0.4)
    work = [set(sender(service, judge).work()) for judge in (2, 3, 4)]
    shared = set(np.flatnonzero(service.assignment.plan.shared).tolist())
    assert len(shared) == 34
    assert work[0] & work[1] == work[0] & work[2] == shared
    assert work[0] | work[1] | work[2] == set(range(1, 85))


def test_a_judge_who_comes_later_labels_what_is_shared_too(make_service, sender):
    service = make_service("ada", strategy="depth", shared=0.4)
    sender(service, 2).work()
    service.add_judge("ben")
    assert len(sender(service, 3).work()) == 34


def test_gold_is_woven_in_for_every_judge(make_service, sender):
    contents = garden(gold={"q1": {"d1": 3}, "q3": {"d9": 0}})
    service = make_service("ada", "ben", strategy="depth", contents=contents)
    gold = {int(at) + 1 for at in np.flatnonzero(service.items.part == 1)}
    for judge in (2, 3):
        assert gold <= set(sender(service, judge).work())
    chosen = {event.more["chosen"] for event in service.store.events() if event.item in gold}
    assert chosen == {"gold"}


def test_repeats_are_shown_once_and_change_nothing(make_service, sender):
    service = make_service("ada", strategy="depth", repeats=0.3)
    ada = sender(service, 2)
    items = ada.work()
    twice = [item for item, times in Counter(items).items() if times > 1]
    kinds = Counter(event.kind for event in service.store.events() if event.item)
    assert kinds["label"] == 84
    assert kinds["repeat"] == len(twice) > 3
    for item in twice:
        first, second = (at for at, one in enumerate(items) if one == item)
        assert second - first >= 50
    assert service.store.verify() == []


def test_one_wave_is_labelled_before_the_next_begins(make_service, sender):
    service = make_service("ada", measure="P@10")
    phases = [int(service.assignment.plan.phase[item]) for item in sender(service, 2).work()]
    assert phases == sorted(phases)
    chosen = [event.more["chosen"] for event in service.store.events() if event.item]
    assert chosen == ["random"] * 48 + ["depth"] * 36


def test_what_somebody_left_of_a_wave_comes_before_more_of_the_next(make_service, sender, clock):
    service = make_service("ada", "ben", measure="P@10", clock=clock)
    held = [card.item for card in service.cards(2, "tab")]
    ben = sender(service, 3)
    phases = [int(service.assignment.plan.phase[item]) for item in ben.work(most=20)]
    assert phases == sorted(phases)
    assert phases[-1] == 1
    clock.now += 60 * MINUTES
    assert set(held) <= set(ben.work(most=3 + 10))


def test_gold_is_spread_over_the_work(make_service, sender):
    gold = {f"q{query}": {f"d{query}": 3} for query in range(1, 7)}
    service = make_service("ada", measure="P@10", contents=garden(gold=gold))
    known = {int(at) + 1 for at in np.flatnonzero(service.items.part == 1)}
    places = [place for place, item in enumerate(sender(service, 2).work()) if item in known]
    assert len(places) == 6
    assert all(later - earlier >= 5 for earlier, later in pairwise(places))


@pytest.mark.parametrize(("strategy", "how"), [("comparison", "influence"), ("mm-ns", "bandit")])
def test_a_strategy_chooses_seven_of_ten_and_chance_the_rest(make_service, sender, strategy, how):
    service = make_service("ada", strategy=strategy)
    sender(service, 2).work()
    chosen = [event.more["chosen"] for event in service.store.events() if event.item]
    counts = Counter(chosen)
    assert chosen[: counts["warm-up"]] == ["warm-up"] * counts["warm-up"]
    assert counts[how] > counts["explore"] > 0
    assert counts.total() == 84
    assert not service.state.drawn.any()


def test_after_a_restart_judges_get_what_is_left(make_service, sender):
    from cranfield.assessing.service import Service

    service = make_service("ada", strategy="depth")
    before = sender(service, 2).work(most=30)
    again = Service(service.store)
    after = sender(again, 2).work()
    assert sorted(before + after) == list(range(1, 85))


def test_the_list_view_reserves_the_whole_batch(make_service, sender):
    service = make_service("ada", "ben", strategy="depth")
    ada = sender(service, 2)
    cards = service.batch(2, "list")
    assert len(cards) == 10
    assert len({card.query for card in cards}) == 1
    service.record(2, ada.label(cards[4].item, 2.0))
    again = service.batch(2, "list")
    assert [card.item for card in again] == [card.item for card in cards]
    assert [card.current.grade if card.current else None for card in again] == [None] * 4 + [2.0] + [None] * 5
    assert set(sender(service, 3).work()).isdisjoint(card.item for card in cards)


def test_a_judge_whose_tab_crashed_gets_what_it_held_when_nothing_else_is_left(make_service, sender):
    service = make_service("ada", labels=1)
    before = [card.item for card in service.cards(2, "crashed", 3)]
    page = sender(service, 2, "new")
    items = []
    while (item := page.next()) is not None and item not in before:
        service.record(2, page.label(item, 1.0))
        items.append(item)
    assert len(items) == len(service.items) - 3  # a second tab first gets others
    assert [card.item for card in service.cards(2, "new", 3)] == before
    page.work()
    assert service.tally(2).left == 0
    # The crashed tab was only thought to be: what it still shows was judged meanwhile, and is not overwritten unseen.
    with pytest.raises(Stale):
        service.record(2, page.label(before[0], 2.0))


def test_what_another_judge_holds_is_not_taken_over(make_service, sender):
    service = make_service("ada", "ben", labels=1)
    held = {card.item for card in service.cards(3, "bens", 3)}
    assert held.isdisjoint(sender(service, 2).work())
    assert service.cards(2, "tab", 3) == []


def test_after_a_restart_nobody_waits_for_what_was_held(make_service, sender):
    service = make_service("ada", labels=1)
    held = {card.item for card in service.cards(2, "tab", 3)}
    path = service.store.where
    service.close()
    again = Service(open_store(path))
    assert held <= set(sender(again, 2, "another").work())
    assert again.tally(2).left == 0
    again.close()
