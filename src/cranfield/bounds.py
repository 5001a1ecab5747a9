"""How far a score could move: over the orders of tied documents, and over what unjudged documents may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment, JudgedRanking
from cranfield.arrays import Floats, Ints
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.definition import Measure
from cranfield.measures.scoring import Rows, View, blocks_for, score
from cranfield.tie_expectation import Levels, Ties, formula_of

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
        worst[defined] = score(alignment, chosen, view)
        best[defined] = score(alignment.filled(alignment.judgments.max_grade), chosen, view)
    # A measure of judged documents only does not see what nobody judged.
    blind = np.array([view.judged_only or measure.params["judged_only"] for measure in measures])[:, None]
    ends = np.stack([worst, np.where(blind, worst, best)])
    unknown = ~defined[:, None] | (np.isnan(ends[0]) != np.isnan(ends[1]))
    low, high = np.where(unknown, np.nan, ends.min(axis=0)), np.where(unknown, np.nan, ends.max(axis=0))
    return UnjudgedBounds(low, high, unknown)


def _by_grade(measure: Measure, view: View) -> bool:
    """Whether tied documents in order of their grades give the smallest and largest score."""
    return measure.monotone and not _divides_by_what_depth_finds(measure, view)


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
            exact = not view.judged_only and not _divides_by_what_depth_finds(measures[row], view)
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
