"""What judging one more document could do to the differences between runs, computed by the measures themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cranfield import errors
from cranfield.align import Alignment, JudgedRanking, align, padded_width
from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.evaluating.aggregate import settle
from cranfield.measures.definition import Measure
from cranfield.pooling.candidates import Candidates

CELLS = 1 << 21
"""Of arrays in which documents are given grades they might have."""
UNJUDGED = -np.inf
"""What a document has for a grade that is not in the judgments at all; to measures it is as if it were not there."""


@dataclass(frozen=True, eq=False)
class World:
    """One query: its documents with the grades they have, and where each run puts them."""

    query: str
    documents: tuple[str, ...]
    grades: Floats
    """A negative one, perhaps infinite, for each document that nobody has judged."""
    holes: Ints
    """Which documents of the pool nobody has judged."""
    orders: tuple[Ints, ...]
    """Of each run, the documents it retrieved, best first."""
    ranks: tuple[Floats, ...]
    """The ranks of these, among all that the run retrieved."""
    retrieved: tuple[int, ...]
    max_grade: float

    def scores(self, measure: Measure, worlds: Floats) -> Floats:
        """By run and world, what a measure gives; undefined scores count as in means, or else as 0.

        A world is a row of grades, one for each document.
        """
        return np.stack([self.scores_of(measure, worlds, run) for run in range(self.runs)])

    def scores_of(self, measure: Measure, worlds: Floats, run: int) -> Floats:
        """The same of one run."""
        width = int(padded_width(np.array([worlds.shape[1]]))[0])
        at_once = max(CELLS // width, 1)
        parts = [
            self._scores(measure, worlds[first : first + at_once], run, width)
            for first in range(0, len(worlds), at_once)
        ]
        return np.concatenate([np.empty(0), *parts])

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.orders)

    def if_judged(self, holes: Ints, grade: float) -> Floats:
        """A world for each of some documents, in which it has a grade, and all others are as they are."""
        worlds = np.tile(self.grades, (len(holes), 1))
        worlds[np.arange(len(holes)), holes] = grade
        return worlds

    def judged_ranking(self, worlds: Floats, run: int, width: int | None = None) -> JudgedRanking:
        """The ranking of one run in every world."""
        room = width or int(padded_width(np.array([worlds.shape[1]]))[0])
        order, ranks = self.orders[run], self.ranks[run]
        return JudgedRanking(
            ranks=np.broadcast_to(_padded(ranks[None], room, np.inf), (len(worlds), room)),
            grades=_padded(worlds[:, order], room, -np.inf),
            retrieved=np.full(len(worlds), float(self.retrieved[run])),
            judged=_padded(-np.sort(-worlds, axis=1), room, -np.inf),
            max_grade=self.max_grade,
        )

    def _scores(self, measure: Measure, worlds: Floats, run: int, width: int) -> Floats:
        scores = np.broadcast_to(measure(self.judged_ranking(worlds, run, width)), len(worlds))
        return np.nan_to_num(settle(measure, np.asarray(scores, dtype=np.float64)))


@dataclass(frozen=True, eq=False)
class Changes:
    """What one more judgment does to the scores of one query."""

    world: World
    levels: tuple[float, ...]
    scores: Floats
    """By run, as things are."""
    changes: Floats
    """By grade, run and hole: the score with this grade, less the score as it is."""

    def influence(self, pairs: Sequence[tuple[int, int]]) -> Floats:
        """Of each hole, the largest change of the difference between two runs, summed over pairs."""
        return np.sum([np.abs(self.changes[:, a] - self.changes[:, b]).max(axis=0) for a, b in pairs], axis=0)


def influence(
    runs: Sequence[Run], candidates: Candidates, judgments: Judgments | None, measure: Measure
) -> dict[tuple[str, str], float]:
    r"""How much judging each unjudged document of a pool could change the comparison of the runs.

    .. math:: \sum_{a < b} \max_g \left| \Delta_{ab}(q \mid d = g) - \Delta_{ab}(q) \right|

    Δ_ab is the difference of the measure between two runs for the query as things are, unjudged documents being
    irrelevant, and given d = g the same if document d had grade g. Grades g are those that the judgments know.
    For differences of AP and one pair of runs see Carterette, Allan & Sitaraman, SIGIR 2006,
    doi:10.1145/1148170.1148219.
    """
    if measure.definition.groups is not None:
        raise errors.pooling.of_one_grade(measure, measure.definition.groups)
    pairs = list(combinations(range(len(runs)), 2))
    return {
        (world.query, world.documents[hole]): value
        for world in worlds_of(runs, candidates, judgments)
        for changes in [changes_of(world, measure, levels_of(judgments))]
        for hole, value in zip(world.holes.tolist(), changes.influence(pairs).tolist(), strict=True)
    }


def changes_of(world: World, measure: Measure, levels: Sequence[float]) -> Changes:
    """The change of every run's score for every hole and every grade it might have."""
    now = world.scores(measure, world.grades[None])[:, 0]
    with_grade = [world.scores(measure, world.if_judged(world.holes, level)) for level in levels]
    changes = np.stack(with_grade) - now[:, None]
    return Changes(world, tuple(levels), now, changes)


def levels_of(judgments: Judgments | None) -> tuple[float, ...]:
    """The grades that a document may have: those that were given, and at least 0 and 1."""
    given: set[float] = set() if judgments is None else set(judgments.grades[judgments.grades >= 0].tolist())
    return tuple(sorted(given | {0.0, 1.0} if max(given, default=0.0) <= 0 else given | {0.0}))


def worlds_of(runs: Sequence[Run], candidates: Candidates, judgments: Judgments | None) -> Iterator[World]:
    """Every query of the pool that any run answered, its documents and where the runs have them."""
    together = with_holes(candidates, judgments)
    alignments = [align(run, together, must_meet=False) for run in runs]
    largest = max(levels_of(judgments))
    for query in candidates.of:
        at = together.position[query]
        yield _world(query, at, together, alignments, candidates, largest)


def with_holes(candidates: Candidates, judgments: Judgments | None) -> Judgments:
    """The judgments of the pool's queries, and in them every document of the pool, judged or not."""
    graded: dict[str, dict[str, float]] = {
        query: judgments[query] if judgments is not None and query in judgments else {} for query in candidates.of
    }
    for query, documents in candidates.documents.items():
        for document in documents:
            graded[query].setdefault(document, UNJUDGED)
    counts = [len(of) for of in graded.values()]
    return Judgments(
        queries=tuple(graded),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        documents=tuple(document for of in graded.values() for document in of),
        grades=np.array([grade for of in graded.values() for grade in of.values()], dtype=np.float64),
    )


def _world(
    query: str,
    at: int,
    judgments: Judgments,
    alignments: Sequence[Alignment],
    candidates: Candidates,
    largest: float,
) -> World:
    start, end = int(judgments.starts[at]), int(judgments.starts[at + 1])
    grades, documents = judgments.grades[start:end], tuple(judgments.documents[start:end])
    pooled = set(candidates.documents[query])
    own = [slice(alignment.starts[at], alignment.starts[at + 1]) for alignment in alignments]
    return World(
        query=query,
        documents=documents,
        grades=grades,
        holes=np.flatnonzero((grades < 0) & [document in pooled for document in documents]),
        orders=tuple(a.rows[part] - start for a, part in zip(alignments, own, strict=True)),
        ranks=tuple(a.ranks[part].astype(np.float64) for a, part in zip(alignments, own, strict=True)),
        retrieved=tuple(int(a.retrieved[at]) for a in alignments),
        max_grade=largest,
    )


def _padded(lines: Floats, width: int, filler: float) -> Floats:
    full = np.full((lines.shape[0], width), filler)
    full[:, : lines.shape[1]] = lines
    return full
