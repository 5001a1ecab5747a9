"""How a user reads a ranking who may stop after any document, and what that gives: the arithmetic of C/W/L.

A model says how likely a user who has looked at rank i goes on to rank i + 1: its continuation probability C_i, which
may depend on what was gained so far. From it follow how likely each rank is reached, V_i = C_1 ... C_{i-1}; the share
of attention it gets, W_i = V_i / (V_1 + V_2 + ...); and how likely it is the last one, L_i = V_i - V_{i+1}.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.arrays import Floats
from cranfield.measures.definition import Bounds, PerQuery

Gains = Callable[[Floats], Floats]
"""From grades to gains between 0 and 1."""
Expected = Literal["utility", "total_utility", "cost", "total_cost", "depth"]
"""What is computed for a user: gain and cost per document and in total, and how many documents are looked at."""


def bounds(params: Mapping[str, Any]) -> Bounds:
    """The range of what is expected: every document costs 1 and gains 1 at most, and the first is looked at."""
    known: dict[Expected, Bounds] = {"utility": (0, 1), "cost": (1, 1), "depth": (1, np.inf)}
    return known.get(params["expected"], (0, np.inf))


class Reading(NamedTuple):
    """How one ranking, or each of several, is read; totals are of those users who do not go on below the last rank."""

    reached: Floats
    """How likely each document is looked at."""
    depth: Floats
    """How many documents are looked at, on average."""
    reached_in_total: Floats
    """How likely each document is looked at by a user who counts in totals."""
    depth_in_total: Floats
    """How many documents such users look at; others look at none."""

    @classmethod
    def to_the_last(cls, reached: Floats, depth: Floats, last: int, beyond: Floats | float = 0.0) -> Reading:
        """Where some of those who reach the last rank would go on beyond it."""
        return cls(reached, depth, reached - np.asarray(beyond)[..., None], depth - last * beyond)


def told(expected: Expected, gains: Floats, reading: Reading) -> PerQuery:
    """One of the five numbers."""
    match expected:
        case "utility":
            return (gains * reading.reached).sum(axis=-1) / reading.depth
        case "total_utility":
            return (gains * reading.reached_in_total).sum(axis=-1)
        case "cost":
            return np.ones_like(reading.depth)
        case "total_cost":
            return reading.depth_in_total
        case "depth":
            return reading.depth


def read(
    judged: JudgedRanking, reaches: Floats, min_grade: float, max_grade: float | None, expected: Expected
) -> PerQuery:
    """What is computed for a user who reaches each rank, and the one below the last, whatever the documents are."""
    last = len(reaches) - 1
    seen = judged.top(last)
    gains = scale(judged, min_grade, max_grade)(seen.grades)
    depth = np.full(seen.ranks.shape[:-1], reaches[:-1].sum())
    return told(expected, gains, Reading.to_the_last(_at(seen.ranks, reaches), depth, last, reaches[-1]))


def read_until_satisfied(
    judged: JudgedRanking, reaches: Floats, min_grade: float, max_grade: float | None, expected: Expected
) -> PerQuery:
    """The same of a user whom each document besides satisfies with a probability that is its gain."""
    last = len(reaches) - 1
    # The depth is a sum over one place more than the arrays are wide.
    seen = judged.cut(last)
    gains = scale(judged, min_grade, max_grade)(seen.grades)
    one = np.ones((*gains.shape[:-1], 1))
    unsatisfied = np.concatenate([one, np.cumprod(1 - gains, axis=-1)], axis=-1)
    # Down to each document, and then to the last rank, as many go on as those before left unsatisfied.
    ends = np.minimum.accumulate(np.concatenate([seen.ranks, last * one], axis=-1)[..., ::-1], axis=-1)[..., ::-1]
    stretches = np.diff(np.append(0.0, reaches[:-1].cumsum())[ends.astype(np.int64)], axis=-1, prepend=0.0)
    reading = Reading.to_the_last(
        unsatisfied[..., :-1] * _at(seen.ranks, reaches),
        (unsatisfied * stretches).sum(axis=-1),
        last,
        unsatisfied[..., -1] * reaches[-1],
    )
    return told(expected, gains, reading)


def read_adaptively(
    judged: JudgedRanking,
    last: int,
    stops: Callable[[Floats], npt.NDArray[Any]],
    min_grade: float,
    max_grade: float | None,
    expected: Expected,
) -> PerQuery:
    """The same of a user who decides after each document whether to stop, from the gains down to it."""
    seen, gains = judged.top(last), scale(judged, min_grade, max_grade)
    per_query, width = seen.ranks.shape[:-1], seen.ranks.shape[-1]
    queries = math.prod(per_query)
    places = _places(seen.ranks.reshape(queries, width), last)
    reached, in_total = np.empty((2, queries, width))
    depth, depth_in_total = np.empty((2, queries))
    for some, grades in seen.by_rank(last):
        stop = np.asarray(stops(gains(grades)), dtype=np.float64)
        nothing = np.zeros((len(stop), 1))
        reaches = np.concatenate([nothing + 1, np.cumprod(1 - stop[:, :-1], axis=-1), nothing], axis=-1)
        ends = reaches[:, :-1] * stop
        ends_below = np.concatenate([ends[:, ::-1].cumsum(axis=-1)[:, ::-1], nothing], axis=-1)
        reached[some] = np.take_along_axis(reaches, places[some], axis=-1)
        in_total[some] = np.take_along_axis(ends_below, places[some], axis=-1)
        depth[some] = reaches.sum(axis=-1)
        depth_in_total[some] = ends_below.sum(axis=-1)
    reading = Reading(
        reached.reshape(seen.ranks.shape),
        depth.reshape(per_query),
        in_total.reshape(seen.ranks.shape),
        depth_in_total.reshape(per_query),
    )
    return told(expected, gains(seen.grades), reading)


def until(last: int, weight: Callable[[Floats], Floats]) -> Floats:
    """How likely each rank is reached where ranks have a weight, the first the largest, and there is a last one."""
    weights = weight(np.arange(1.0, last + 1))
    return np.append(weights / weights[0], 0.0)


def scale(judged: JudgedRanking, min_grade: float, max_grade: float | None) -> Gains:
    """Gains from 0 at one grade to 1 at another, which is the collection's largest unless given."""
    high = judged.max_grade if max_grade is None else max_grade
    if high <= min_grade:
        return np.zeros_like
    return lambda grades: (grades.clip(min_grade, high) - min_grade) / (high - min_grade)


def _at(ranks: Floats, by_rank: Floats) -> Floats:
    """What stands at each document's rank; for one that does not count, what stands last."""
    return by_rank[_places(ranks, len(by_rank) - 1)]


def _places(ranks: Floats, last: int) -> npt.NDArray[np.int64]:
    return np.minimum(ranks - 1, last).astype(np.int64)
