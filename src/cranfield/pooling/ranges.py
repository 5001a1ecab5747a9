"""How far unjudged documents could move the difference between two runs, whatever their grades."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from cranfield import errors
from cranfield.align import JudgedRanking
from cranfield.arrays import Floats, Ints
from cranfield.measures import DCG
from cranfield.measures.definition import Measure
from cranfield.pooling.influence import Changes, World

BY_COUNT = ("AP", "RR", "R", "Rprec", "Success")
"""Measures that only ask whether a document is relevant, and where a relevant one further up is never worse."""
MOST_RANKS = 20
"""Of a larger cutoff there are too many numbers of documents of each grade to try."""
MOST_TRIED = 20_000


class Span(NamedTuple):
    """The smallest and largest difference of one query."""

    low: float
    high: float


Open = Callable[[int], Span]
"""What is possible for one query once so many of its holes, in a given order, have turned out irrelevant."""


Opener = Callable[[tuple[int, int], Ints], Open]
"""The same for two runs, and an order of the holes."""


def open_ranges(changes: Changes, measure: Measure) -> Opener:
    """What unjudged documents of a query leave possible for the differences of runs.

    For measures that add up what each document gives, and for nDCG with a cutoff, it is exact. For AP, RR, R@k, Rprec
    and Success, runs are taken at their best and worst for each number of relevant documents among the holes: that may
    be too wide, but is never too narrow.

    `changes` is what each document does to the sum, of `summed`.
    """
    if _is_sum(measure):
        return lambda pair, order: _of_sum(changes, pair, order)
    if _is_ratio(measure):
        return _ratios(changes, summed(measure))
    if measure.name in BY_COUNT and measure.monotone:
        level = max(*changes.levels, float(measure.params["rel"]))
        return lambda pair, order: _by_count(changes.world, measure, level, pair, order)
    raise errors.pooling.no_bound(measure)


def summed(measure: Measure) -> Measure:
    """The sum that a normalised measure is a share of; any other measure itself."""
    if not _is_ratio(measure):
        return measure
    return DCG(**{name: measure.params[name] for name in ("gain", "discount", "base", "cutoff")})


def must_have_range(measure: Measure, levels: Sequence[float]) -> None:
    """Refuse a measure that nothing is known about, or that would take too much to try."""
    if _is_ratio(measure) and comb(int(measure.at or 0) + len(levels) - 1, len(levels) - 1) > MOST_TRIED:
        raise errors.pooling.too_many_grades(measure, len(levels))
    known = _is_sum(measure) or _is_ratio(measure) or (measure.name in BY_COUNT and measure.monotone)
    if not known or measure.params["judged_only"]:
        raise errors.pooling.no_bound(measure)


def is_exact(measure: Measure) -> bool:
    """Whether a range is what is possible, rather than a limit to it."""
    return _is_sum(measure) or _is_ratio(measure)


def is_sum(measure: Measure) -> bool:
    """Whether every document adds to the score, whatever else is judged."""
    return _is_sum(measure) and not measure.params["judged_only"]


def _is_sum(measure: Measure) -> bool:
    facts = measure.definition
    return facts.additive and facts.of_retrieved and facts.groups is None and facts.mean == "arithmetic"


def _is_ratio(measure: Measure) -> bool:
    """Whether it is a sum over a normaliser that all runs share, and that few documents decide."""
    usual = measure.name == "nDCG" and measure.params["ideal"] == "judged" and measure.monotone
    return usual and measure.at is not None and measure.at <= MOST_RANKS


def _of_sum(changes: Changes, pair: tuple[int, int], order: Ints) -> Open:
    a, b = pair
    apart = (changes.changes[:, a] - changes.changes[:, b])[:, order]
    now = float(changes.scores[a] - changes.scores[b])
    lows, highs = (_left(ends) for ends in (apart.min(axis=0), apart.max(axis=0)))
    return lambda judged: Span(now + float(lows[judged]), now + float(highs[judged]))


def _left(ends: Floats) -> Floats:
    """What those add up to that are left when the first are taken away, for each number of them."""
    return np.concatenate([np.cumsum(ends[::-1])[::-1], [0.0]])


def _ratios(changes: Changes, gain: Measure) -> Opener:
    """The range of a sum over a normaliser that depends on which gains there are, and not on who has them.

    For as many documents of each gain, the sum is largest where the largest gains are with documents that favour the
    first run most. So all numbers of documents of each gain are tried, with the normaliser of each.
    """
    holes = len(changes.world.holes)
    gains = _gains(gain, changes.levels)
    counts = _counts(len(gains), min(holes, int(gain.at or holes)))
    ideals = _ideals(changes.world, gain, changes.levels, counts)
    totals = counts.sum(axis=1)

    def opened(pair: tuple[int, int], order: Ints) -> Open:
        a, b = pair
        per_gain = ((changes.changes[-1, a] - changes.changes[-1, b]) / gains[-1])[order]
        now = float(changes.scores[a] - changes.scores[b])

        def span(judged: int) -> Span:
            left = np.sort(per_gain[judged:])
            fit = totals <= len(left)
            ends = [
                sign * _largest(sign * now, np.cumsum(favour), gains, counts[fit], ideals[fit])
                for sign, favour in ((-1, -left), (1, left[::-1]))
            ]
            return Span(*ends)

        return span

    return opened


def _largest(now: float, favour: Floats, gains: Floats, counts: Ints, ideals: Floats) -> float:
    """The largest share there can be; `favour` adds up what the documents give that favour it most."""
    reach = np.concatenate([[0.0], favour])
    last = np.cumsum(counts[:, ::-1], axis=1)  # the largest gain comes first
    first = last - counts[:, ::-1]
    sums = now + ((reach[last] - reach[first]) * gains[::-1]).sum(axis=1)
    return float(np.where(ideals > 0, sums / np.where(ideals > 0, ideals, 1), 0.0).max())


def _counts(gains: int, most: int) -> Ints:
    """How many documents may have each gain, no more than some in all."""
    chosen: list[tuple[int, ...]] = [()]
    for _ in range(gains):
        chosen = [(*counts, more) for counts in chosen for more in range(most - sum(counts) + 1)]
    return np.array(chosen, dtype=np.int64).reshape(-1, gains)


def _gains(gain: Measure, levels: Sequence[float]) -> Floats:
    """What a document of each grade above 0 gives at the first rank."""
    grades = np.array([[level] for level in levels if level > 0])
    first = JudgedRanking(np.ones_like(grades), grades, np.ones(len(grades)), grades, max(levels))
    return np.asarray(gain(first), dtype=np.float64)


def _ideals(world: World, gain: Measure, levels: Sequence[float], counts: Ints) -> Floats:
    """The best sum there can be, were there so many more documents of each grade."""
    positive = [level for level in levels if level > 0]
    worlds = np.tile(world.grades, (len(counts), 1))
    for at, numbers in enumerate(counts):
        worlds[at, world.holes[: numbers.sum()]] = np.repeat(positive, numbers)
    return np.asarray(gain(world.judged_ranking(worlds, 0).ideal), dtype=np.float64)


def _by_count(world: World, measure: Measure, level: float, pair: tuple[int, int], order: Ints) -> Open:
    def span(judged: int) -> Span:
        left = world.holes[order[judged:]]
        (best_a, worst_a), (best_b, worst_b) = (_extremes(world, measure, level, run, left) for run in pair)
        return Span(float((worst_a - best_b).min()), float((best_a - worst_b).max()))

    return span


def _extremes(world: World, measure: Measure, level: float, run: int, holes: Ints) -> tuple[Floats, Floats]:
    """The best and worst score of a run for every number of relevant documents among the holes."""
    places = np.full(len(world.documents), np.inf)
    places[world.orders[run]] = world.ranks[run]
    best_first = holes[np.argsort(places[holes], kind="stable")]
    within = np.tri(len(holes) + 1, len(holes), -1, dtype=np.bool_)
    worlds = np.tile(world.grades, (2 * (len(holes) + 1), 1))
    for half, ordered in enumerate((best_first, best_first[::-1])):
        part = worlds[half * (len(holes) + 1) : (half + 1) * (len(holes) + 1)]
        part[:, ordered] = np.where(within, level, world.grades[ordered])
    scores = world.scores_of(measure, worlds, run)
    return scores[: len(holes) + 1], scores[len(holes) + 1 :]
