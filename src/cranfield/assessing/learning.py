"""What a strategy that learns would have judged next in a query: labels so far are replayed, nothing is remembered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from cranfield.assessing.items import IMPORTED, Items
from cranfield.assessing.plan import candidates_in, measure_of
from cranfield.assessing.project import Project
from cranfield.assessing.state import State
from cranfield.pooling.adaptive import played_alone
from cranfield.pooling.influence import UNJUDGED, World, changes_of

MOST_RUNS = 5
"""Up to so many runs each is compared with each; of more, each with the first."""
RELEVANT = 1.0
"""The lowest grade of what bandits look for."""


def ranked_by_strategy(project: Project, state: State, query: int) -> list[int]:
    """The items of a query that have no grade yet, those first that the strategy would have judged next."""
    if project.strategy == "comparison":
        return _by_influence(project, state, query)
    return list(_by_bandit(project, state, query))


def world_of(items: Items, state: State, query: int, levels: Sequence[float]) -> World:
    """A query with the grades its items have now, and where each run puts them."""
    own = items.of(query)
    merged = [state.merged(item) for item in own]
    grades = np.array([UNJUDGED if grade is None else grade for grade in merged])
    asked = items.part[own.start - 1 : own.stop - 1] != IMPORTED
    places = items.run_places(query)
    return World(
        query=items.queries[query],
        documents=tuple(map(str, own)),
        grades=grades,
        holes=np.flatnonzero((grades < 0) & asked),
        orders=tuple(own_items.astype(np.int64) - own.start for own_items in places.items),
        ranks=tuple(ranks.astype(np.float64) for ranks in places.ranks),
        retrieved=places.retrieved,
        max_grade=max(levels),
    )


def _by_influence(project: Project, state: State, query: int) -> list[int]:
    levels = [level for level in project.scale if level >= 0]
    world = world_of(state.items, state, query, levels)
    if not len(world.holes):
        return []
    pairs = list(combinations(range(world.runs), 2))
    if world.runs > MOST_RUNS:
        pairs = [(run, 0) for run in range(1, world.runs)]
    influence = changes_of(world, measure_of(project), levels).influence(pairs)
    first = state.items.of(query).start
    return (world.holes[np.argsort(-influence, kind="stable")] + first).tolist()


def _by_bandit(project: Project, state: State, query: int) -> Iterator[int]:
    items = state.items
    own = items.of(query)
    numbers = {items.documents[items.of_document[item - 1]]: item for item in own}

    def outcome(_: str, document: str) -> bool | None:
        grade = state.merged(numbers[document])
        return None if grade is None else grade >= RELEVANT

    candidates = candidates_in(items, project.depth, query)
    for step in played_alone(candidates, items.queries[query], project.strategy, outcome, project.seed):
        if step.relevant is None:
            yield numbers[step.document]
