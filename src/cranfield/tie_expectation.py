"""Documents with equal scores: their orders, and what a score is on average over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints
from cranfield.measures.definition import Measure

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
            beside = (ranks - above - 1) * ((relevant - 1) / max(size - 1, 1))
            total += float((relevant / size * (found + 1 + beside) / ranks).sum())
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
