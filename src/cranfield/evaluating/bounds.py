"""How far a score could move: over the orders of tied documents, and over what unjudged documents may be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment, JudgedRanking
from cranfield.arrays import Floats, Ints
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.definition import Measure
from cranfield.measures.scoring import Rows, View, blocks_for, score

DRAWN_ORDERS = 250
"""How many orders are drawn where neither all can be tried nor a formula is known."""


class Ties(NamedTuple):
    """The ties of one query that hold judged documents."""

    groups: list[Ints]
    """Which of the query's judged documents are tied with each other."""
    sizes: list[int]
    """How many documents, judged or not, share each group's score."""

    @classmethod
    def of(cls, above: Ints, tied: Ints) -> Ties:
        """From how many documents stand above each judged one, and how many are level with it."""
        groups = [np.flatnonzero(above == start) for start in np.unique(above[tied > 1])]
        return cls(groups, [int(tied[members[0]]) for members in groups])

    @property
    def orders(self) -> int:
        """In how many ways the judged documents can stand."""
        return math.prod(math.perm(size, len(group)) for group, size in zip(self.groups, self.sizes, strict=True))

    def all_places(self) -> Ints:
        """The place inside its group that each document takes, one row per order."""
        each = [permutations(range(size), len(group)) for group, size in zip(self.groups, self.sizes, strict=True)]
        return np.array([[place for group in choice for place in group] for choice in product(*each)])

    def drawn_places(self, rng: np.random.Generator) -> Ints:
        """The same for orders drawn at random."""
        shuffled = (
            rng.random((DRAWN_ORDERS, size)).argsort(axis=1)[:, : len(group)]
            for group, size in zip(self.groups, self.sizes, strict=True)
        )
        return np.concatenate(list(shuffled), axis=1)

    def rotated_places(self) -> Ints:
        """The same for each group turned through all its places, the others at rest."""
        at_rest = np.concatenate([np.arange(len(group)) for group in self.groups])
        ends = np.cumsum([len(group) for group in self.groups])
        rows = []
        for end, group, size in zip(ends, self.groups, self.sizes, strict=True):
            turned = np.tile(at_rest, (size, 1))
            turned[:, end - len(group) : end] = (np.arange(size)[:, None] + np.arange(len(group))) % size
            rows.append(turned)
        return np.concatenate(rows)

    def mean_of_rotated(self, scores: Floats) -> Floats:
        """The expected score of measures that are sums over documents, from their scores in rotated places.

        In a full turn of a group each document takes each place once. A sum over documents sees no more than
        that, and sees each group apart from the others.
        """
        parts = np.split(scores, np.cumsum(self.sizes)[:-1], axis=-1)
        turned = np.sum([part.mean(axis=-1) for part in parts], axis=0)
        return turned - (len(parts) - 1) * scores[..., 0]


class Levels(NamedTuple):
    """A ranking as groups of equal score, best first: what McSherry and Najork's formulas need."""

    above: list[int]
    sizes: list[int]
    relevant: list[int]
    num_rel: float

    @classmethod
    def of(cls, above: Ints, tied: Ints, relevant: npt.NDArray[np.bool_], num_rel: float) -> Levels:
        """From the judged documents of a query."""
        starts, first = np.unique(above, return_index=True)
        counts = [int(relevant[above == start].sum()) for start in starts]
        return cls(starts.tolist(), tied[first].tolist(), counts, num_rel)


def formula_of(measure: Measure) -> Callable[[Levels, int | None], float] | None:
    """The expected score of a measure over all orders of tied documents, by cutoff, where one is known.

    McSherry & Najork, Computing information retrieval performance measures efficiently in the presence of
    tied scores, ECIR 2008, doi:10.1007/978-3-540-78646-7_38.
    """
    formula = _FORMULAS.get(measure.name)
    params = measure.params
    if formula is None or params["judged_only"] or (params.get("norm") == "retrieved" and params["cutoff"]):
        return None
    return lambda levels, cutoff: formula(levels, cutoff, params)


def _ap(levels: Levels, cutoff: int | None, params: Mapping[str, Any]) -> float:
    total, found = 0.0, 0
    for above, size, relevant in zip(levels.above, levels.sizes, levels.relevant, strict=True):
        if relevant:
            ranks = _ranks(above, size, cutoff)
            of_level = (ranks - above - 1) * ((relevant - 1) / max(size - 1, 1))
            total += float((relevant / size * (found + 1 + of_level) / ranks).sum())
        found += relevant
    k = math.inf if params.get("cutoff") is None else params["cutoff"]
    norm = {"retrieved": found, "min": min(k, levels.num_rel), "k": k}.get(params.get("norm", ""), levels.num_rel)
    return total / norm if norm and levels.num_rel else math.nan


def _rr(levels: Levels, cutoff: int | None, params: Mapping[str, Any]) -> float:
    above, chances = _first(levels)
    ranks = above + 1 + np.arange(len(chances))
    return float((chances / ranks)[: _kept(ranks, cutoff)].sum())


def _success(levels: Levels, cutoff: int | None, params: Mapping[str, Any]) -> float:
    above, chances = _first(levels)
    return float(chances[: _kept(above + 1 + np.arange(len(chances)), cutoff)].sum())


def _first(levels: Levels) -> tuple[int, Floats]:
    """Documents above the first group with a relevant one, and how likely each place of it comes first."""
    for above, size, relevant in zip(levels.above, levels.sizes, levels.relevant, strict=True):
        if relevant:
            # The chance that the first of r relevant among n is at place i: C(n-i, r-1) / C(n, r).
            chances, left = [], 1.0
            for place in range(size - relevant + 1):
                here = left * relevant / (size - place)
                chances.append(here)
                left -= here
            return above, np.array(chances)
    return 0, np.empty(0)


def _ranks(above: int, size: int, cutoff: int | None) -> Floats:
    ranks = np.arange(above + 1.0, above + size + 1)
    return ranks[: _kept(ranks, cutoff)]


def _kept(ranks: npt.NDArray[Any], cutoff: int | None) -> int:
    return len(ranks) if cutoff is None else int((ranks <= cutoff).sum())


_FORMULAS: Mapping[str, Callable[[Levels, int | None, Mapping[str, Any]], float]] = {
    "AP": _ap,
    "GMAP": _ap,
    "RR": _rr,
    "Success": _success,
}


ALL_ORDERS = 1000
"""Where a query's ties have fewer orders than this, all are tried."""


@dataclass(frozen=True)
class TieBounds:
    """Scores by measure and query over all orders of tied documents; NaN where that is not defined."""

    low: Floats
    expected: Floats
    high: Floats
    drawn: npt.NDArray[np.bool_]
    """By measure and query: the expected score is a mean over random orders, for want of anything exact."""
    unknown: npt.NDArray[np.bool_]
    """By measure and query: smallest and largest are not known, or the score is undefined in some orders only."""

    @property
    def named(self) -> dict[str, Floats]:
        """The bounds by name, as they are shown."""
        return {"low": self.low, "expected": self.expected, "high": self.high}


@dataclass(frozen=True)
class UnjudgedBounds:
    """Scores by measure and query if unjudged documents were all irrelevant, or all of the best grade."""

    low: Floats
    high: Floats
    unknown: npt.NDArray[np.bool_]
    """By measure and query: no bound is known, or the score is undefined in one of the two cases only."""

    @property
    def named(self) -> dict[str, Floats]:
        """The bounds by name, as they are shown."""
        return {"low": self.low, "high": self.high}


def tie_bounds(alignment: Alignment, measures: Sequence[Measure], view: View) -> TieBounds:
    """The smallest, expected and largest score over all orders of documents with equal scores.

    Where the orders are too many to try, smallest and largest come from putting tied documents worst or best
    grade first; for measures that a better document further up may harm, they are then NaN. The expected score
    is then exact for measures that are sums over documents and for those with a formula, else a mean over orders
    drawn at random.
    """
    expected = score(alignment, measures, view)
    low, high = expected.copy(), expected.copy()
    drawn, unknown = np.zeros(expected.shape, dtype=np.bool_), np.zeros(expected.shape, dtype=np.bool_)
    by_grade = np.array([_by_grade(measure, view) for measure in measures])
    ends = np.full((2, *expected.shape), np.nan)
    if by_grade.any():
        chosen = [measure for measure, known in zip(measures, by_grade.tolist(), strict=True) if known]
        ends[:, by_grade] = [score(end, chosen, view) for end in (alignment.worst_ties(), alignment.best_ties())]
    for rows, query in _tied_queries(alignment, measures):
        at, chosen = (rows, query.position), [measures[row] for row in rows]
        if query.ties.orders < ALL_ORDERS:
            scores = query.scores(query.ties.all_places(), chosen, view)
            expected[at] = scores.mean(axis=1)
            known = np.full(len(chosen), fill_value=True)
        else:
            scores, known = ends[:, rows, query.position].T, by_grade[rows]
            expected[at], drawn[at] = query.expected(chosen, view)
        undefined = np.isnan(scores)
        unknown[at] = ~known | (undefined.any(axis=1) & ~undefined.all(axis=1))
        low[at] = np.where(unknown[at], np.nan, scores.min(axis=1))
        high[at] = np.where(unknown[at], np.nan, scores.max(axis=1))
    return TieBounds(low, expected, high, drawn, unknown)


def tie_ends(alignment: Alignment, measures: Sequence[Measure], view: View) -> Floats | None:
    """Scores by measure and query with tied documents ordered worst grade first, and best grade first.

    None where no order of ties can matter: documents with equal scores have equal grades, or no measure looks so far.
    It is quick, as every evaluation asks for it; `tie_bounds` knows more.
    """
    limits = [_least(measure.at, view.depth) for measure in measures]
    deepest = None if None in limits else max(limit for limit in limits if limit is not None)
    if not _has_mixed_ties(alignment, deepest):
        return None
    return np.stack([score(end, measures, view) for end in (alignment.worst_ties(), alignment.best_ties())])


def _has_mixed_ties(alignment: Alignment, deepest: int | None) -> bool:
    """Whether documents with the same score have different grades, above some rank; an unjudged one is different."""
    tied = alignment.tied > 1
    if deepest is not None:
        tied &= alignment.above < deepest
    if not tied.any():
        return False
    owner = np.repeat(np.arange(len(alignment.starts) - 1), np.diff(alignment.starts))[tied]
    above, grades, sizes = alignment.above[tied], alignment.grades[tied], alignment.tied[tied]
    # Judged documents stand in the order of their ranks, so that those of one group are neighbours.
    begins = np.flatnonzero(np.r_[True, (owner[1:] != owner[:-1]) | (above[1:] != above[:-1])])
    judged = np.diff(np.r_[begins, len(owner)])
    spread = np.maximum.reduceat(grades, begins) != np.minimum.reduceat(grades, begins)
    return bool(np.any(spread | (judged < sizes[begins])))


def unjudged_bounds(alignment: Alignment, measures: Sequence[Measure], view: View) -> UnjudgedBounds:
    """The score if every unjudged document retrieved were irrelevant, and if each had the best grade.

    Defined for measures that look at retrieved documents only. Recall, average precision and nDCG also
    depend on how many relevant documents nobody has found, and no bound on that is known.
    """
    worst = np.full((len(measures), len(alignment.judgments.queries)), np.nan)
    best = worst.copy()
    defined = np.array([m.definition.of_retrieved and m.monotone for m in measures])
    if defined.any():
        chosen = [measure for measure, chosen in zip(measures, defined.tolist(), strict=True) if chosen]
        as_it_is = view._replace(unjudged_grade=None)
        worst[defined] = score(alignment, chosen, as_it_is)
        best[defined] = score(alignment.filled(alignment.judgments.max_grade), chosen, as_it_is)
    # A measure of judged documents only does not see what nobody judged.
    blind = np.array([view.judged_only or measure.params["judged_only"] for measure in measures])[:, None]
    ends = np.stack([worst, np.where(blind, worst, best)])
    unknown = ~defined[:, None] | (np.isnan(ends[0]) != np.isnan(ends[1]))
    low, high = np.where(unknown, np.nan, ends.min(axis=0)), np.where(unknown, np.nan, ends.max(axis=0))
    return UnjudgedBounds(low, high, unknown)


def _by_grade(measure: Measure, view: View) -> bool:
    """Whether tied documents in order of their grades give the smallest and largest score."""
    # A grade for unjudged documents puts these between judged ones.
    is_graded = view.unjudged_grade is not None
    return measure.monotone and not is_graded and not _divides_by_what_depth_finds(measure, view)


def _divides_by_what_depth_finds(measure: Measure, view: View) -> bool:
    """Whether the order of ties decides, through the depth, what a measure divides by."""
    condensed = view.judged_only or measure.params["judged_only"]
    return view.depth is not None and (measure.definition.divides_by_found(measure.params) or condensed)


def _tied_queries(alignment: Alignment, measures: Sequence[Measure]) -> Iterator[tuple[Rows, _TiedQuery]]:
    """Queries with a judged document in a tie, as the measures of some rows see them."""
    for rows, blocks in blocks_for(alignment, measures):
        for block, judged in blocks:
            for place, position in enumerate(block.tolist()):
                own = slice(alignment.starts[position], alignment.starts[position + 1])
                above, tied = alignment.above[own], alignment.tied[own]
                if np.any(tied > 1):
                    name = alignment.judgments.queries[position]
                    ties = Ties.of(above, tied)
                    one = judged.at(place)
                    yield rows, _TiedQuery(name, position, one, above, tied, alignment.grades[own], ties)


class _TiedQuery(NamedTuple):
    """A query with a judged document in a tie."""

    name: str
    position: int
    judged: JudgedRanking | GroupedRanking
    above: Ints
    tied: Ints
    grades: Floats
    ties: Ties

    def scores(self, places: Ints, measures: Sequence[Measure], view: View) -> Floats:
        """Scores by measure and order, the order given by each tied document's place in its group."""
        ranks = np.tile(self.above + 1, (len(places), 1))
        ranks[:, np.concatenate(self.ties.groups)] += places
        seen = view(self.judged.in_orders(ranks))
        return np.stack([np.broadcast_to(measure(seen), len(places)) for measure in measures])

    def expected(self, measures: Sequence[Measure], view: View) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """The expected score of each measure, and whether it had to be drawn."""
        found = np.full(len(measures), np.nan)
        sums = np.array([_is_sum(measure, view) for measure in measures])
        if sums.any():
            chosen = [measures[row] for row in np.flatnonzero(sums).tolist()]
            found[sums] = self.ties.mean_of_rotated(self.scores(self.ties.rotated_places(), chosen, view))
        drawn = ~sums
        for row in np.flatnonzero(drawn).tolist():
            as_judged = not view.judged_only and view.unjudged_grade is None
            exact = as_judged and not _divides_by_what_depth_finds(measures[row], view)
            if (formula := formula_of(measures[row])) and exact:
                found[row] = formula(self._levels(measures[row]), _least(measures[row].at, view.depth))
                drawn[row] = False
        if drawn.any():
            # Seeded by the query's own id, so that no query's result depends on another.
            places = self.ties.drawn_places(np.random.default_rng(crc32(self.name.encode())))
            chosen = [measures[row] for row in np.flatnonzero(drawn).tolist()]
            found[drawn] = self.scores(places, chosen, view).mean(axis=1)
        return found, drawn

    def _levels(self, measure: Measure) -> Levels:
        rel = measure.params["rel"]
        assert isinstance(self.judged, JudgedRanking)  # measures of several grades have no formula
        return Levels.of(self.above, self.tied, self.grades >= rel, float(self.judged.num_rel(rel)[0]))


def _is_sum(measure: Measure, view: View) -> bool:
    """Whether the score is a sum of what each document gives at its rank, in what the measure sees."""
    # Closing up the ranks ties each document's rank to its neighbours.
    condensed = view.judged_only or measure.params["judged_only"]
    return measure.definition.additive and not condensed and not _divides_by_what_depth_finds(measure, view)


def _least(cutoff: float | None, depth: int | None) -> int | None:
    given = [int(limit) for limit in (cutoff, depth) if limit is not None]
    return min(given, default=None)
