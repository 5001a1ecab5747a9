"""Which items a judge gets next: batches of one query each, and never more judges for an item than wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Bools, Floats, Ints
from cranfield.assessing.items import GOLD
from cranfield.assessing.learning import ranked_by_strategy
from cranfield.assessing.leases import MOST, Leases
from cranfield.assessing.plan import NEVER, Chosen, Plan
from cranfield.assessing.state import Counts, JudgeState, State
from cranfield.pooling.candidates import rng_for

LEARNED = 0.7
"""Of a batch that a strategy chooses, the share that is its choice; the rest is drawn, or agreement would suffer."""
WALKED = 64
"""Queries that are looked at one by one before all are at once."""
STRAGGLERS = 50_000
"""Items of earlier phases, and of the one at hand, that are looked at whenever a batch begins."""


@dataclass
class JudgeBatch:
    """Items of one query that a judge deals with together."""

    query: int
    items: tuple[int, ...]
    """In the order in which the judge sees them; among them perhaps gold, or one that the judge has seen."""
    hows: dict[int, Chosen] = field(default_factory=dict)
    """Of items that a strategy chose from what it learnt."""
    waiting: list[int] = field(default_factory=list)
    """Those that no tab has shown yet."""

    def __post_init__(self) -> None:
        self.waiting = list(self.items)


class Assignment:
    """Hands out items. It keeps batches and leases in memory; after a restart it makes others as good."""

    def __init__(self, plan: Plan, state: State, leases: Leases | None = None) -> None:
        self.plan: Plan = plan
        self.state: State = state
        self.leases: Leases = leases or Leases(len(plan.items))
        self.batches: dict[int, JudgeBatch] = {}
        """By judge."""
        self.finished: dict[int, JudgeBatch] = {}
        """By judge the batch before."""
        self.batched: Counts = np.zeros(len(plan.items) + 1, dtype=np.int16)
        """By item, in how many batches it waits."""
        self.phases: dict[int, int] = {}
        """By judge the phase they are in."""
        self.hows: dict[tuple[int, int], Chosen] = {}
        """By judge and item, how what was handed out had been chosen."""
        self.in_order: npt.NDArray[np.intp] = np.argsort(plan.query_order)
        self.within_query: Floats = plan.order
        asked = np.flatnonzero(plan.phase != NEVER)
        self.by_phase: Ints = asked[np.argsort(plan.phase[asked], kind="stable")]
        """All items that anybody is asked about in turn, phase after phase."""
        self.sorted_phases: npt.NDArray[np.int16] = plan.phase[self.by_phase]
        self.gold: list[int] = (np.flatnonzero(plan.items.part == GOLD) + 1).tolist()
        self.queries: int = len(np.unique(plan.items.of_query[plan.phase[1:] != NEVER]))
        """How many queries have anything to judge."""
        self.wanted: Counts
        self.judges_changed()

    def judges_changed(self) -> None:
        """Somebody came, or was switched off: shared items want another number of labels."""
        people = sum(judge.kind == "person" and not judge.off for judge in self.state.judges)
        self.wanted = self.plan.wanted(people)

    # Handing out

    def next_items(self, judge: int, tab: str, most: int, now: float) -> list[int]:
        """What a tab shows next, reserved for it; first what it holds already."""
        self.expire(now)
        of = self.state.by_judge[judge]
        self.leases.renew(judge, tab, now)
        while len(self.leases.held(judge, tab)) < min(most, MOST):
            item = self._next(of)
            if item is None:
                break
            self._hand_out(judge, tab, item, now)
        if not self.leases.held(judge, tab):
            # The other tab may have crashed, or its computer: nobody waits for what they hold themselves.
            self.leases.take_over(judge, tab, now)
        return self.leases.held(judge, tab)

    def whole_batch(self, judge: int, tab: str, now: float) -> tuple[int, ...]:
        """All items of a judge's batch, reserved for a tab as far as they are not dealt with."""
        self.expire(now)
        self.next_items(judge, tab, 1, now)
        batch, of = self.batches.get(judge) or self.finished.get(judge), self.state.by_judge[judge]
        for item in list(batch.waiting) if batch else ():
            if self.is_open(of, item):
                self._hand_out(judge, tab, item, now)
        return batch.items if batch else ()

    def is_open(self, of: JudgeState, item: int) -> bool:
        """Whether a judge may be handed an item now: it wants a label, counting those in others' hands."""
        judge = of.judge.number
        held = self.leases.held_by(judge)
        if item in held or (of.handled[item] and of.due() != item):
            return False
        is_free = of.judge.kind != "person" or of.due() == item
        return is_free or bool(self.state.counts[item] + self.leases.counts[item] < self.wanted[item])

    def is_extra(self, judge: int, item: int) -> bool:
        """Whether a label would be one more than the item wants."""
        of = self.state.by_judge[judge]
        adds = of.judge.kind == "person" and not of.is_label(item)
        return adds and bool(self.state.counts[item] >= self.wanted[item])

    def chosen(self, judge: int, item: int) -> Chosen:
        """How an item came to a judge."""
        return self.hows.get((judge, item)) or self.plan.chosen(item)

    def done(self, judge: int, item: int) -> None:
        """A judge has dealt with an item."""
        self.leases.free(judge, item)
        self.hows.pop((judge, item), None)
        self._take_from_batch(judge, item)

    def expire(self, now: float) -> None:
        """Who was not heard of for long holds nothing any more."""
        self.leases.expire(now)
        for judge in self.batches.keys() - self.leases.judges():
            self._end(judge)

    def release(self, judge: int, tab: str) -> None:
        """A tab was closed."""
        self.leases.release(judge, tab)
        if judge not in self.leases.judges():
            self._end(judge)

    # How much is left

    def left(self, judge: int) -> int:
        """How many items a judge could still label, if nobody else did."""
        of = self.state.by_judge[judge]
        asked = int(self._open(of, slice(0, len(self.wanted))).sum()) + len(self._gold_left(of))
        return asked + len({*of.later, *self.leases.held_by(judge)})

    def left_here(self, judge: int) -> int:
        """The same of the batch at hand."""
        batch, of = self.batches.get(judge), self.state.by_judge[judge]
        return 0 if batch is None else sum(not of.handled[item] for item in batch.items)

    # Batches

    def _next(self, of: JudgeState) -> int | None:
        judge = of.judge.number
        for _ in range(2):  # what is left of this batch, then the next one
            batch = self.batches.get(judge) or self._begin(of)
            for item in batch.waiting if batch else ():
                if self.is_open(of, item):
                    return item
            self._end(judge)
        return None

    def _hand_out(self, judge: int, tab: str, item: int, now: float) -> None:
        batch = self.batches.get(judge)
        self.hows[judge, item] = (batch.hows.get(item) if batch else None) or self.plan.chosen(item)
        self._take_from_batch(judge, item)
        self.leases.take(judge, tab, [item], now)

    def _take_from_batch(self, judge: int, item: int) -> None:
        batch = self.batches.get(judge)
        if batch is not None and item in batch.waiting:
            batch.waiting.remove(item)
            self.batched[item] -= 1

    def _begin(self, of: JudgeState) -> JudgeBatch | None:
        batch = self._batch(of)
        if batch is not None:
            self.batches[of.judge.number] = batch
            np.add.at(self.batched, batch.waiting, 1)
        return batch

    def _end(self, judge: int) -> None:
        batch = self.batches.pop(judge, None)
        if batch is not None:
            np.subtract.at(self.batched, batch.waiting, 1)
            self.finished[judge] = batch

    def _batch(self, of: JudgeState) -> JudgeBatch | None:
        # Others' batches are left to them as long as there is anything else; then only what they hold is.
        for taken in ((self.leases.counts, self.batched), (self.leases.counts,)):
            if (items := self._open_items(of, *taken)) is not None:
                return self._of_query(of, items)
        left = [item for item in (*self._gold_left(of), *of.later) if self.is_open(of, item)]
        if not left:
            return None
        query = self.plan.items.query_of(left[0])
        return JudgeBatch(query, tuple(item for item in left if self.plan.items.query_of(item) == query))

    def _open_items(self, of: JudgeState, *taken: Counts) -> Ints | None:
        """The open items of one query, of the earliest phase that has any for this judge."""
        judge = of.judge.number
        phase = self.phases.get(judge, 0)
        early = self._few(0, phase)
        items = early[self._open(of, early, *taken)]
        if not len(items):
            now = self._few(phase, phase + 1)
            items = now[self._open(of, now, *taken)]
            nearby = self._nearby(judge)
            if len(now):  # of few items all that are open are known
                own = set(self.plan.items.of_query[items - 1].tolist())
                nearby = [query for query in nearby if query in own]
            avoided = self._avoided(judge)
            for query in nearby:
                if query not in avoided and len(near := self._open_in(of, query, *taken)):
                    return near
        if not len(items):
            items = np.flatnonzero(self._open(of, slice(0, len(self.wanted)), *taken))
        return self._earliest(judge, items) if len(items) else None

    def _earliest(self, judge: int, items: Ints) -> Ints:
        """Of some items those of the first phase and one query, if there is a choice of one where nobody else is."""
        phases = self.plan.phase[items]
        self.phases[judge] = int(phases.min())
        items = items[phases == phases.min()]
        queries = self.plan.items.of_query[items - 1]
        is_avoided = np.isin(queries, list(self._avoided(judge)))
        order = self.plan.query_order[queries] + is_avoided * len(self.in_order)
        return items[queries == queries[np.argmin(order)]]

    def _open_in(self, of: JudgeState, query: int, *taken: Counts) -> Ints:
        """The open items of a query, of the phase that a judge is in."""
        own = self.plan.items.of(query)
        part = slice(own.start, own.stop)
        open_now = self._open(of, part, *taken) & (self.plan.phase[part] == self.phases.get(of.judge.number, 0))
        return np.flatnonzero(open_now) + own.start

    def _avoided(self, judge: int) -> frozenset[int]:
        """Queries that somebody else is at, where one label for each document is enough."""
        if self.plan.project.labels > 1:
            return frozenset()
        return frozenset(batch.query for number, batch in self.batches.items() if number != judge)

    def _few(self, first: int, end: int) -> Ints:
        """The items of some phases, if they are few: what somebody did not finish is not left behind."""
        begin, stop = np.searchsorted(self.sorted_phases, [first, end]).tolist()
        return self.by_phase[begin : begin if stop - begin > STRAGGLERS else stop]

    def _nearby(self, judge: int) -> Sequence[int]:
        """The query a judge was at, and those that follow."""
        if (last := self.finished.get(judge)) is None:
            return ()
        place = int(self.plan.query_order[last.query]) + 1
        return (last.query, *self.in_order[place : place + WALKED].tolist())

    def _open(self, of: JudgeState, part: slice | Ints, *taken: Counts) -> Bools:
        """By item, of a part or of those that are named, whether a judge may be asked about it in turn."""
        open_now = self.plan.phase[part] != NEVER
        open_now &= ~of.handled[part]
        if of.judge.kind == "person":
            open_now &= self.state.counts[part] + sum(counts[part] for counts in taken) < self.wanted[part]
        apart = [*of.later, *self.leases.held_by(of.judge.number)]
        if isinstance(part, slice):
            open_now[[item - part.start for item in apart if part.start <= item < part.stop]] = False
        else:
            open_now[np.isin(part, apart)] = False
        return open_now

    def _of_query(self, of: JudgeState, items: Ints) -> JudgeBatch:
        """A batch of some open items of a query, in an order of this judge's own."""
        query = self.plan.items.query_of(int(items[0]))
        drawn: list[int] = items[np.argsort(self.within_query[items - 1], kind="stable")].tolist()
        if self.plan.learns and self.plan.phase[items[0]] == len(self.plan.hows) - 1:
            batch, hows = self._learned(query, drawn)
        else:
            batch, hows = drawn[: self.plan.project.batch], {}
        rng = rng_for(self.plan.project.seed, str(of.judge.number), str(batch))
        ordered = [batch[at] for at in rng.permutation(len(batch)).tolist()]
        for more in self._woven(of):
            ordered.insert(int(rng.integers(len(ordered) + 1)), more)
        return JudgeBatch(query, tuple(ordered), hows)

    def _learned(self, query: int, drawn: list[int]) -> tuple[list[int], dict[int, Chosen]]:
        """Mostly what a strategy would judge next, and some by chance."""
        size = min(self.plan.project.batch, len(drawn))
        ranked = ranked_by_strategy(self.plan.project, self.state, query)
        best = [item for item in ranked if item in set(drawn)][: max(1, round(LEARNED * size))]
        rest = [item for item in drawn if item not in set(best)]
        others = rest[: size - len(best)]
        by_chance = Chosen("explore", len(others) / len(rest) if rest else None)
        hows = {**dict.fromkeys(best, Chosen(self.plan.hows[-1])), **dict.fromkeys(others, by_chance)}
        return [*best, *others], hows

    def _woven(self, of: JudgeState) -> Iterator[int]:
        """An item whose right grade is known, and one that the judge has labelled long ago; neither shows."""
        left = self._gold_left(of)
        if len(self.gold) - len(left) <= of.given // self.plan.project.batch:  # not all of it at the beginning
            yield from left[:1]
        if (again := of.due()) is not None:
            yield again

    def _gold_left(self, of: JudgeState) -> list[int]:
        if of.judge.kind != "person":
            return []
        held = self.leases.held_by(of.judge.number)
        return [item for item in self.gold if not of.handled[item] and item not in of.later and item not in held]
