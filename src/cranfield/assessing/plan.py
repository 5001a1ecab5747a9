"""Which items come in which phase, and how each was chosen: all that is fixed before the first label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Bools, Floats, Ints
from cranfield.assessing.decisive import best_ranks, decisive
from cranfield.assessing.items import GOLD, POOL, Items
from cranfield.assessing.project import Project
from cranfield.assessing.state import Counts, draws
from cranfield.measures.definition import Measure
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.choosing import layers_to, one_measure
from cranfield.pooling.judge_sheets import LEAST_SHARED
from cranfield.pooling.strata import sampled

FIRST_LOOK = 20
"""Labels after which a comparison is looked at first; then after twice as many, and so on."""
WARM_UP = {"comparison": 3, "mtf": 5, "mm-ns": 5, "thompson": 5}
"""How deep a pool is judged before a strategy learns."""
STRATA = (3, 10)
"""The last ranks of the strata from which `decide` draws."""
NEVER = -1
"""The phase of items that nobody is asked about in turn."""


class Chosen(NamedTuple):
    """How an item came to be judged; stored with its label, as only some labels are a sample."""

    how: str
    """random, sample, depth, warm-up, explore, influence, bandit, gold or repeat."""
    probability: float | None = None
    """With which it was drawn by the end of its phase."""

    def to_dict(self) -> dict[str, Any]:
        """As it is stored with an event."""
        return {"chosen": self.how, **({} if self.probability is None else {"probability": self.probability})}


@dataclass(frozen=True, eq=False)
class Plan:
    """The phases of a project: all of one are judged before the next begins."""

    project: Project
    items: Items
    phase: npt.NDArray[np.int16]
    """By item; `NEVER` for what nobody is asked about in turn."""
    hows: tuple[str, ...]
    """By phase."""
    probabilities: Floats
    """By item; NaN where an item was not drawn."""
    learns: bool
    """Whether the last phase is chosen by a strategy that learns from labels."""

    @cached_property
    def order(self) -> Floats:
        """By item - 1: items with smaller numbers come first within a query; drawn, and the same for all judges."""
        return draws(self.project.seed, "order", len(self.items))

    @cached_property
    def query_order(self) -> Ints:
        """By query, its place among all; drawn, and the same for all judges, so that labels of one pair come soon."""
        return np.argsort(np.argsort(draws(self.project.seed, "queries", len(self.items.queries))))

    @cached_property
    def shared(self) -> Bools:
        """By item, whether every judge labels it; drawn in advance, whatever a strategy prefers."""
        share, pool = self.project.shared, np.flatnonzero(self.phase != NEVER)
        chosen = np.zeros(len(self.items) + 1, dtype=np.bool_)
        if share > 0 and len(pool):
            count = min(len(pool), max(LEAST_SHARED, round(share * len(pool))))
            drawn = draws(self.project.seed, "shared", len(self.items))[pool - 1]
            chosen[pool[np.argsort(drawn, kind="stable")[:count]]] = True
        return chosen

    def wanted(self, judges: int) -> Counts:
        """By item, how many labels of people it is to get, if so many judge."""
        wanted = np.zeros(len(self.items) + 1, dtype=np.int16)
        wanted[self.phase != NEVER] = self.project.labels
        wanted[self.shared] = max(judges, self.project.labels)
        wanted[1:][self.items.part == GOLD] = judges
        return wanted

    def chosen(self, item: int) -> Chosen:
        """How an item is chosen unless a strategy that learns has chosen it."""
        if self.items.part[item - 1] == GOLD:
            return Chosen("gold")
        phase = int(self.phase[item])
        if phase == NEVER:
            return Chosen("asked")
        probability = float(self.probabilities[item])
        return Chosen(self.hows[phase], None if probability != probability else probability)


def plan_of(project: Project, items: Items) -> Plan:
    """The phases of a project by its strategy; without two runs to compare there is but one."""
    pool = items.part == POOL
    strategy = project.strategy
    if strategy == "sample" and items.places:
        return _sampled(project, items, pool)
    if strategy in WARM_UP and items.places:
        early = best_ranks(items) <= WARM_UP[strategy]
        learned = "influence" if strategy == "comparison" else "bandit"
        return _phases(project, items, pool, np.where(early, 0, 1), ("warm-up", learned), learns=True)
    if strategy == "decide" and len(items.places) > 1:
        return _decided(project, items, pool)
    return _phases(project, items, pool, np.zeros(len(items), dtype=np.int16), ("depth",))


def measure_of(project: Project) -> Measure:
    """What runs are compared by."""
    return one_measure(project.measure)


def _phases(
    project: Project,
    items: Items,
    pool: Bools,
    phase: npt.NDArray[Any],
    hows: tuple[str, ...],
    probabilities: Floats | None = None,
    *,
    learns: bool = False,
) -> Plan:
    """Phases and probabilities are given by item - 1."""
    drawn = np.full(len(items), np.nan) if probabilities is None else probabilities
    by_item = np.concatenate([[NEVER], np.where(pool, phase, NEVER)]).astype(np.int16)
    return Plan(project, items, by_item, hows, np.concatenate([[np.nan], drawn]), learns)


def _decided(project: Project, items: Items, pool: Bools) -> Plan:
    """Waves of 20, 20, 40, 80, … documents on which runs differ, each wave by chance; then the rest.

    When a wave is through, all that is labelled is a random sample of 20, 40, 80, … documents, though judges had the
    documents of one query together. Ranks near the top and further down have their shares in each (`STRATA`).
    """
    matter = np.flatnonzero(pool & decisive(items, measure_of(project)))
    strata = np.searchsorted(STRATA, best_ranks(items)[matter])
    wave = waves_of(draws(project.seed, "decide", len(items))[matter], strata)
    waves = int(wave.max(initial=-1)) + 1
    phase = np.full(len(items), waves)
    phase[matter] = wave
    probabilities = np.full(len(items), np.nan)
    ends = np.minimum(FIRST_LOOK * 2.0 ** np.arange(waves), len(matter))
    probabilities[matter] = (ends / max(len(matter), 1))[wave]
    return _phases(project, items, pool, phase, (*["random"] * waves, "depth"), probabilities)


def waves_of(drawn: Floats, strata: Ints) -> Ints:
    """By document its wave, from numbers drawn by chance: 20 in the first, 20 in the next, then 40, 80, …

    >>> np.bincount(waves_of(np.random.default_rng(0).random(100), np.arange(100) % 2)).tolist()
    [20, 20, 40, 20]
    """
    place = _spread(drawn, strata)
    wave = np.zeros(len(drawn), dtype=np.int64)
    late = place >= FIRST_LOOK
    wave[late] = 1 + np.floor(np.log2(place[late] / FIRST_LOOK)).astype(np.int64)
    return wave


def _spread(drawn: Floats, strata: Ints) -> Ints:
    """An order drawn by chance; any beginning of it has its share of each stratum."""
    fractions = np.empty(len(drawn))
    for stratum in np.unique(strata):
        own = np.flatnonzero(strata == stratum)
        ranks = np.argsort(np.argsort(drawn[own], kind="stable"), kind="stable")
        fractions[own] = (ranks + 0.5) / len(own)
    return np.argsort(np.lexsort((drawn, fractions)), kind="stable")


def _sampled(project: Project, items: Items, pool: Bools) -> Plan:
    """Only the documents that a stratified sample has."""
    candidates = candidates_in(items, project.depth)
    numbers = {
        (items.queries[query], items.documents[document]): at
        for at, (query, document) in enumerate(zip(items.of_query.tolist(), items.of_document.tolist(), strict=True))
    }
    phase, probabilities = np.full(len(items), NEVER), np.full(len(items), np.nan)
    for one in sampled(candidates, layers_to(project.depth), project.seed):
        at = numbers.get((one.query, one.document))
        if at is not None and one.drawn:
            phase[at], probabilities[at] = 0, one.probability
    return _phases(project, items, pool, phase, ("sample",), probabilities)


def candidates_in(items: Items, depth: int, query: int | None = None) -> Candidates:
    """The first documents of every run, of all queries or of one, from where runs have the items."""
    queries = range(len(items.queries)) if query is None else [query]
    of = {}
    for number in queries:
        places = items.run_places(number)
        of[items.queries[number]] = tuple(
            tuple(items.documents[items.of_document[item - 1]] for item in own[ranks <= depth].tolist())
            for own, ranks in zip(places.items, places.ranks, strict=True)
        )
    return Candidates(items.runs, depth, of)
