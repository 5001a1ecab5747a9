"""What labels do to the comparison they are collected for: open, likely or certain, after each label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.assessing.decisive import weights_of
from cranfield.assessing.effect_process import is_compared
from cranfield.assessing.effect_summary import Decision, EffectSummary, ItemGrade, PairEffect
from cranfield.assessing.events import CURRENT, Event
from cranfield.assessing.items import IMPORTED, Items
from cranfield.assessing.likely import (
    DRAWS,
    PLACES,
    SIDES,
    Completed,
    Drawn,
    Sampled,
    labels_for,
    of_sample,
    of_worlds,
    rng_of,
    strata_of,
)
from cranfield.assessing.plan import plan_of
from cranfield.assessing.project import Project
from cranfield.assessing.state import State
from cranfield.assessing.store import Store
from cranfield.comparing.intervals import t_interval
from cranfield.errors import CranfieldError
from cranfield.measures.definition import Measure
from cranfield.pooling.choosing import one_measure
from cranfield.pooling.influence import UNJUDGED, World, changes_of
from cranfield.pooling.ranges import Span, is_sum, must_have_range, open_ranges, summed

MOST_RUNS = 5
"""Of more runs, each is compared with the first alone."""
SMALLEST = 1e-12
"""What is nearer to 0 is 0: sums of fractions are not exact."""
ENOUGH = 10
"""Random labels from which on it is estimated how many more are needed, and documents of a look."""
LABELLED = 0.95
"""The share of a look's documents that have a label at least, once others are judged: some nobody can judge."""
HISTORY = 200
"""Points of the picture of how a range narrowed."""
REPLAYED = 60
"""Points of labels that were there before."""
REPLAYED_QUERIES = 10_000
"""Queries that are measured for these points at most: of a large project there are fewer of them."""

Pair = tuple[int, int]
"""A run and the baseline it is compared with, by position."""


class Effect:
    """The comparison of runs with the labels so far.

    Labels are only taken note of; whatever they change is computed by `update`, which a process of its own calls
    (`effect_process.py`), so that nobody waits for it. A label changes its own query alone: what was computed step by
    step is what would be computed from scratch.
    """

    def __init__(self, project: Project, items: Items, pairs: Sequence[Pair] | None = None) -> None:
        self.project, self.items = project, items
        self.measure: Measure = one_measure(project.measure)
        known = items.known[items.part == IMPORTED]
        self.levels = _levels([*project.scale, *np.unique(known[~np.isnan(known)]).tolist()])
        self.pairs = tuple(default_pairs(len(items.runs)) if pairs is None else pairs)
        self._waiting: dict[int, ItemGrade] = {}
        self._queries: list[_Query] | None = None
        self._history: list[list[tuple[int, float, float]]] = [[] for _ in self.pairs]
        self._looked: dict[tuple[int, int], tuple[bytes, Completed]] = {}
        self._summary = EffectSummary(str(self.measure), ())

    # Labels come in

    def set_grade(self, item: int, grade: float | None, random: bool) -> None:
        """The grade an item counts with now, and whether it was labelled because it was drawn by chance."""
        self._waiting[item] = ItemGrade(item, grade, random)

    def replay(self, grades: Iterable[ItemGrade]) -> None:
        """Labels that were given before, in their order, for the picture of how the range narrowed."""
        past = list(grades)
        self._prepare()
        self._note_spans()  # the picture begins before the first label
        points = max(min(REPLAYED, len(past), REPLAYED_QUERIES // max(len(self.items.queries), 1)), 1)
        for part in np.array_split(np.arange(len(past)), points):
            self._take_all([past[at] for at in part.tolist()])
            self._note_spans()
        self._summary = self._summarised()

    # What they do

    def summary(self) -> EffectSummary:
        """The comparison as of the last update."""
        return self._summary

    def update(self) -> None:
        """Take in the labels that came, and compute again what they change."""
        self._prepare()
        waiting, self._waiting = self._waiting, {}
        self._take_all(list(waiting.values()))
        self._summary = self._summarised()

    def _take_all(self, grades: Sequence[ItemGrade]) -> None:
        self._widen_scale([grade.grade for grade in grades if grade.grade is not None])
        for query in {self._take_in(grade) for grade in grades}:
            if query is not None:
                self._measure_query(query)

    def _note_spans(self) -> None:
        """A point of the picture, without all that is told of now."""
        for place in range(len(self.pairs)):
            self._noted(place, self._labelled, self._span(place))

    @property
    def _labelled(self) -> int:
        return int(np.count_nonzero(~np.isnan(self._grades) & (self.items.part != IMPORTED)))

    def moves(self, grades: Mapping[int, tuple[float, float]]) -> dict[int, float]:
        """How far the mean difference of any two runs moves between two grades of an item, for each of some items."""
        if not self.pairs:
            return dict.fromkeys(grades, 0.0)
        self._prepare()
        return {item: self._move(item, ends) for item, ends in grades.items()}

    def _prepare(self) -> None:
        """Everything that does not depend on labels, once."""
        if self._queries is not None:
            return
        items, count = self.items, len(self.items)
        self._grades: Floats = np.where(items.part == IMPORTED, items.known, np.nan)
        self._random: Bools = np.zeros(count, dtype=np.bool_)
        self._is_sum = is_sum(self.measure)
        self._ranged = _has_range(self.measure, self.levels)
        shape = len(self.pairs), len(items.queries)
        self._differences, self._lows, self._highs = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._added = np.zeros((len(self.pairs), count if self._is_sum else 0))
        self._influence: list[list[Floats]] = [[np.empty(0)] * len(items.queries) for _ in self.pairs]
        self._matter = [self._differs(pair) for pair in self.pairs]
        self._waves = _waves(self.project, items)
        number = len(items.queries) if self.pairs else 0
        self._queries = [_query(items, query, max(self.levels)) for query in range(number)]
        for query in range(number):
            self._measure_query(query)

    def _widen_scale(self, grades: Sequence[float]) -> None:
        """Labels of a grade that the project did not have when this began: every range may be wider."""
        levels = _levels([*self.levels, *grades])
        if levels == self.levels or self._queries is None:
            return
        self.levels = levels
        self._looked.clear()
        self._queries = [of._replace(world=replace(of.world, max_grade=max(levels))) for of in self._queries]
        for query in range(len(self._queries)):
            self._measure_query(query)

    def _take_in(self, grade: ItemGrade) -> int | None:
        """Note a grade; the query it changes, or none."""
        at, value = grade.item - 1, math.nan if grade.grade is None else grade.grade
        before, self._grades[at] = self._grades[at], value
        self._random[at] = grade.random and grade.grade is not None
        same = before == value or (math.isnan(before) and math.isnan(value))
        return None if same or not self._queries else self.items.query_of(grade.item)

    def _world(self, query: int) -> World:
        """A query with the grades of now."""
        assert self._queries is not None
        of = self._queries[query]
        grades = self._grades[of.at]
        # Grades below 0 are nothing that measures know: they count as not judged.
        shown = np.where(np.isnan(grades) | (grades < 0), UNJUDGED, grades)
        return replace(of.world, grades=shown, holes=np.flatnonzero(shown < 0))

    def _differs(self, pair: Pair) -> Bools:
        """Of each item, whether the measure counts it differently in two runs, were it the only relevant one."""
        weights = np.zeros((2, len(self.items)))
        for row, run in enumerate(pair):
            of = self.items.places[run]
            ranks, at = np.unique(of.ranks, return_inverse=True)
            weights[row, of.items - 1] = weights_of(self.measure, ranks)[at]
        return np.asarray(weights[0] != weights[1])

    def _measure_query(self, query: int) -> None:
        """Differences and ranges of one query."""
        assert self._queries is not None
        world, at = self._world(query), self._queries[query].at
        changes = changes_of(world, self.measure, self.levels)
        scores = _judged_alone(world).scores(self.measure, world.grades[world.grades >= 0][None])[:, 0]
        of = summed(self.measure)
        opener = None
        if self._ranged:
            sums = changes if of == self.measure else changes_of(world, of, self.levels)
            opener = open_ranges(sums, self.measure)
        for place, pair in enumerate(self.pairs):
            influence = changes.influence([pair])
            self._influence[place][query] = influence
            self._differences[place, query] = scores[pair[0]] - scores[pair[1]]
            if opener is not None:
                span = opener(pair, np.argsort(-influence, kind="stable"))(0)
                self._lows[place, query], self._highs[place, query] = span
        if self._is_sum:
            self._added[:, at] = self._added_alone(self._queries[query].world, world.grades)

    def _added_alone(self, empty: World, grades: Floats) -> Floats:
        """By pair and document, what its label adds to the difference of a measure that is a sum; 0 without one."""
        added = np.zeros((len(self.pairs), len(grades)))
        judged = np.flatnonzero(grades >= 0)
        if len(judged):
            worlds = np.full((len(judged), len(grades)), UNJUDGED)
            worlds[np.arange(len(judged)), judged] = grades[judged]
            scores = empty.scores(self.measure, worlds)
            for place, (run, baseline) in enumerate(self.pairs):
                added[place, judged] = scores[run] - scores[baseline]
        return added

    def _move(self, item: int, ends: tuple[float, float]) -> float:
        assert self._queries is not None
        query = self.items.query_of(item)
        world, of = self._world(query), self._queries[query]
        worlds = world.if_judged(np.full(2, int(np.flatnonzero(of.at == item - 1)[0])), 0.0)
        worlds[np.arange(2), np.flatnonzero(of.at == item - 1)[0]] = ends
        scores = world.scores(self.measure, worlds)
        apart = [abs(np.diff(scores[run] - scores[baseline])[0]) for run, baseline in self.pairs]
        return float(max(apart)) / len(self.items.queries)

    # The sum of it

    def _summarised(self) -> EffectSummary:
        labelled = self._labelled
        pairs = tuple(self._of_pair(place, labelled) for place in range(len(self.pairs)))
        return EffectSummary(str(self.measure), pairs, labelled, int(np.count_nonzero(self.items.part != IMPORTED)))

    def _of_pair(self, place: int, labelled: int) -> PairEffect:
        queries = len(self.items.queries)
        run, baseline = (self.items.runs[which] for which in self.pairs[place])
        span = self._span(place)
        sampling = self._sampling(place)
        apart = self._differences[place]
        interval = t_interval(apart)
        ends = interval.low, interval.high
        is_open = span is None or span.high - span.low > SMALLEST
        if sampling.last is not None and is_open:
            ends = sampling.last.interval_low, sampling.last.interval_high
        is_certain = span is not None and (span.low > SMALLEST or span.high < -SMALLEST or not is_open)
        state: Decision = "certain" if is_certain else "likely" if sampling.likely is not None else "open"
        matter = self._matter[place]
        effect = PairEffect(
            run=run,
            baseline=baseline,
            measure=str(self.measure),
            state=state,
            difference=float(np.mean(apart)),
            low=None if span is None else span.low,
            high=None if span is None else span.high,
            estimate=None if sampling.now is None else sampling.now.difference,
            estimate_error=None if sampling.now is None else sampling.now.error,
            random_labels=sampling.labels,
            likely_at=sampling.likely,
            next_look=sampling.next_look,
            labelled=int(np.count_nonzero(matter & ~np.isnan(self._grades))),
            matter=int(np.count_nonzero(matter)),
            more_labels=0 if state != "open" else self._more(place, span, sampling, float(np.mean(apart))),
            interval_low=None if math.isnan(ends[0]) else ends[0],
            interval_high=None if math.isnan(ends[1]) else ends[1],
            interval_is_estimated=sampling.last is not None and is_open,
            queries=queries,
            history=(),
        )
        return replace(effect, history=self._noted(place, labelled, span))

    def _span(self, place: int) -> Span | None:
        """What unlabelled documents leave possible."""
        if not self._ranged:
            return None
        queries = len(self.items.queries)
        low, high = (math.fsum(ends[place].tolist()) / queries for ends in (self._lows, self._highs))
        return Span(low, high)

    def _noted(self, place: int, labels: int, span: Span | None) -> tuple[tuple[int, float, float], ...]:
        """How the range narrowed; of many points, every second one is left out."""
        history = self._history[place]
        if span is not None:
            if history and history[-1][0] == labels:
                history.pop()
            history.append((labels, span.low, span.high))
            if len(history) > HISTORY:
                del history[1:-1:2]
        return tuple(history)

    def _sampling(self, place: int) -> _Sampling:
        """What the random labels say, at the looks that are complete and as of now.

        Documents that were labelled for another reason are known, and no part of what is drawn from.
        """
        is_labelled = ~np.isnan(self._grades)
        is_drawn = self._random & is_labelled
        population = self._matter[place] & ~(is_labelled & ~self._random)
        matter = int(np.count_nonzero(population))
        planned = [wave for wave in self._looks(place) if np.count_nonzero(population & (self._waves <= wave)) < matter]
        sizes = [int(np.count_nonzero(population & (self._waves >= 0) & (self._waves <= wave))) for wave in planned]
        complete = [wave for wave in planned if self._is_complete(population, is_drawn, wave)]
        looked = [self._look(place, wave, population & is_drawn, matter) for wave in complete]
        likely = next((of.sample.labels for of in looked if of.sample.is_likely(len(planned))), None)
        labels = int(np.count_nonzero(population & is_drawn))
        now = looked[-1].sample if looked else None
        if self._is_sum and labels >= ENOUGH:
            now = self._sampled(place, np.flatnonzero(population & is_drawn), matter)
        next_look = next((size for wave, size in zip(planned, sizes, strict=True) if wave not in complete), None)
        return _Sampling(labels, matter, likely, sizes, next_look, now, looked[-1] if looked else None)

    def _looks(self, place: int) -> list[int]:
        """The waves after which a pair is looked at: those that have enough documents which matter to it."""
        drawn = self._waves[self._matter[place] & (self._waves >= 0)]
        sizes = np.cumsum(np.bincount(drawn, minlength=1))
        return [wave for wave, size in enumerate(sizes.tolist()) if size >= ENOUGH]

    def _is_complete(self, population: Bools, is_drawn: Bools, wave: int) -> bool:
        """Whether a look's documents are labelled, but for a few that nobody could judge when others were at hand."""
        of_look = population & (self._waves >= 0) & (self._waves <= wave)
        labelled, size = np.count_nonzero(is_drawn & of_look), np.count_nonzero(of_look)
        is_past = bool((is_drawn & (self._waves > wave)).any())
        enough = labelled == size or (is_past and labelled >= LABELLED * size)
        return bool(enough and labelled >= ENOUGH)

    def _sampled(self, place: int, sample: Ints, matter: int) -> Sampled:
        """The difference by a sum over random labels."""
        known = np.flatnonzero(~np.isnan(self._grades) & ~self._random)
        total = math.fsum(self._added[place, known].tolist())
        return of_sample(self._added[place, sample], matter, total, len(self.items.queries))

    def _look(self, place: int, wave: int, drawn: Bools, matter: int) -> Completed:
        """What is seen at a look: only its own labels, and those of documents that were not drawn."""
        sample = np.flatnonzero(drawn & (self._waves <= wave))
        known = np.flatnonzero(~np.isnan(self._grades) & ~self._random)
        used = np.concatenate([sample, known])
        seen = np.concatenate([[matter], used, self._grades[used].view(np.int64)]).tobytes()
        before = self._looked.get((place, wave))
        if before is not None and before[0] == seen:
            return before[1]
        completed = self._completed(place, sample, used)
        if self._is_sum:
            completed = completed._replace(sample=self._sampled(place, sample, matter))
        self._looked[place, wave] = seen, completed
        return completed

    def _completed(self, place: int, sample: Ints, used: Ints) -> Completed:
        assert self._queries is not None
        is_sample, is_used = (np.zeros(len(self.items), dtype=np.bool_) for _ in range(2))
        is_sample[sample], is_used[used] = True, True
        drawn = []
        for of in self._queries:
            grades = np.where(is_used[of.at] & (self._grades[of.at] >= 0), self._grades[of.at], UNJUDGED)
            world = replace(of.world, grades=grades, holes=np.flatnonzero(grades < 0))
            strata = strata_of(world, self.pairs[place], self.measure.at)
            counts = np.zeros((SIDES * PLACES, len(self.levels)))
            random = np.flatnonzero(is_sample[of.at] & (grades >= 0))
            np.add.at(counts, (strata[random], np.searchsorted(self.levels, grades[random])), 1)
            drawn.append(Drawn(world, strata, counts))
        rng = rng_of(self.project.seed, place, len(sample))
        # Of a sum only the interval comes from here, for which a hundred draws are enough.
        draws = 100 if self._is_sum else DRAWS
        return of_worlds(drawn, self.measure, self.levels, self.pairs[place], rng, draws)

    def _more(self, place: int, span: Span | None, sampling: _Sampling, difference: float) -> int | None:
        """About how many more labels decide it, if those to come are like those so far."""
        forecasts: list[int | None] = []
        if sampling.now is not None and 0 < sampling.labels < sampling.matter:
            look = labels_for(sampling.now, sampling.matter, sampling.looks)
            forecasts.append(look - sampling.labels)
        if span is not None and (sampling.now is not None or not sampling.looks):
            expected = difference if sampling.now is None else sampling.now.difference
            forecasts.append(self._until_certain(place, span, difference, expected))
        known = [labels for labels in forecasts if labels is not None]
        return min(known) if known else None

    def _until_certain(self, place: int, span: Span, difference: float, expected: float) -> int | None:
        """Labels until no grade could turn the comparison, if each takes its share of what is left open.

        What is open shrinks with the influence of the documents not labelled yet, the largest first, while the
        difference moves towards the one expected.
        """
        down = difference - span.low if expected > 0 else span.high - difference
        towards = abs(expected - difference) if abs(expected) > abs(difference) else 0.0
        left = np.sort(np.concatenate([np.empty(0), *self._influence[place]]))[::-1]
        if abs(expected) <= SMALLEST or not len(left) or not left[0]:
            return None
        open_share = 1 - np.concatenate([[0.0], np.cumsum(left)]) / left.sum()
        return int(np.argmax(open_share * (down + towards) < abs(expected)))


def effect_of(store: Store) -> Effect | None:
    """What the labels of a store do to the comparison of its runs; nothing where there is none to decide."""
    project, items = store.project(), store.items()
    return Effect(project, items) if is_compared(project, items) else None


def grades_in_time(project: Project, items: Items, events: Iterable[Event]) -> Iterator[ItemGrade]:
    """The grade that an item counts with after each event that changed it."""
    state = State(project, items)
    for event in events:
        state.apply(event)
        if event.item is not None and event.kind in CURRENT:
            yield ItemGrade(event.item, state.merged(event.item), state.is_random(event.item))


class _Sampling(NamedTuple):
    """What random labels say of a pair."""

    labels: int
    matter: int
    """Documents that they were drawn from."""
    likely: int | None
    """Labels at the first look at which one run was likely ahead."""
    looks: list[int]
    """Labels at each look that is planned."""
    next_look: int | None
    now: Sampled | None
    last: Completed | None
    """At the last look."""


class _Query(NamedTuple):
    """A query without labels, and where its documents are among the items."""

    world: World
    at: Ints


def _levels(grades: Iterable[float]) -> tuple[float, ...]:
    """The grades that a document may have; those below 0 count as none."""
    return tuple(sorted({0.0, *(grade for grade in grades if grade >= 0)}))


def default_pairs(runs: int) -> list[Pair]:
    """Every later run compared with every earlier one; of many, with the first.

    >>> default_pairs(3), default_pairs(7)[-1]
    ([(1, 0), (2, 0), (2, 1)], (6, 0))
    """
    if runs > MOST_RUNS:
        return [(run, 0) for run in range(1, runs)]
    return [(run, baseline) for baseline, run in combinations(range(runs), 2)]


def _waves(project: Project, items: Items) -> Ints:
    """By item - 1 the wave in which it is drawn by chance; -1 for those that are chosen in another way."""
    plan = plan_of(project, items)
    is_drawn = np.array([how == "random" for how in plan.hows], dtype=np.bool_)
    phase = plan.phase[1:].astype(np.int64)
    return np.where((phase >= 0) & is_drawn[phase], phase, -1)


def _has_range(measure: Measure, levels: Sequence[float]) -> bool:
    try:
        must_have_range(measure, levels)
    except CranfieldError:
        return False
    return True


def _judged_alone(world: World) -> World:
    """Only the documents with a grade: with others between them, sums of the same numbers could differ in a bit."""
    judged = np.flatnonzero(world.grades >= 0)
    place = np.full(len(world.documents), -1, dtype=np.int64)
    place[judged] = np.arange(len(judged))
    kept = [place[order] >= 0 for order in world.orders]
    return replace(
        world,
        documents=tuple(world.documents[at] for at in judged.tolist()),
        grades=world.grades[judged],
        holes=np.empty(0, dtype=np.int64),
        orders=tuple(place[order][of] for order, of in zip(world.orders, kept, strict=True)),
        ranks=tuple(ranks[of] for ranks, of in zip(world.ranks, kept, strict=True)),
    )


def _query(items: Items, query: int, max_grade: float) -> _Query:
    """The documents of a query by id, and where runs have them."""
    own = np.arange(items.starts[query], items.starts[query + 1])
    names = [items.documents[at] for at in items.of_document[own].tolist()]
    order = np.array(sorted(range(len(own)), key=names.__getitem__), dtype=np.int64)
    place = np.empty(len(own), dtype=np.int64)
    place[order] = np.arange(len(own))
    places = items.run_places(query)
    world = World(
        query=items.queries[query],
        documents=tuple(names[at] for at in order.tolist()),
        grades=np.full(len(own), UNJUDGED),
        holes=np.arange(len(own)),
        orders=tuple(place[of - 1 - items.starts[query]] for of in places.items),
        ranks=tuple(ranks.astype(np.float64) for ranks in places.ranks),
        retrieved=places.retrieved,
        max_grade=max_grade,
    )
    return _Query(world, own[order])
