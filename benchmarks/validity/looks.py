"""How often "likely" names the wrong run, where labels of a comparison are looked at while they come in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import cranfield
from benchmarks.validity.shares import Share
from cranfield.assessing.decisive import weights_of
from cranfield.assessing.likely import ERROR as ERROR
from cranfield.assessing.likely import PLACES, SIDES, Drawn, Sampled, of_sample, of_worlds, strata_of
from cranfield.assessing.plan import STRATA, waves_of
from cranfield.formats import read_judgments, read_runs
from cranfield.measures import Measure
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.choosing import one_measure
from cranfield.pooling.influence import UNJUDGED, World, levels_of, worlds_of
from cranfield.pooling.ranges import is_sum as is_sum

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

GARDEN = Path(cranfield.__file__).parent / "demo" / "collection"
PAIRS = (("hybrid", "bm25"), ("hybrid", "title"), ("dense", "bm25"), ("hybrid", "dense"))
HARDEST = (PAIRS[0], PAIRS[-1])
"""Of what takes long only a large and a small difference."""
DEPTH = 10
DRAWS = 100
"""Completed sets of labels at a look; the command draws more."""
WITHOUT_PLAN = 1.959964
"""Standard errors of somebody who looks after every label."""


@dataclass(frozen=True, eq=False)
class Judging:
    """Two runs, every document of which has a grade: what judges would say."""

    run: str
    baseline: str
    measure: Measure
    worlds: tuple[World, ...]
    """By query; run 0 is the baseline."""
    truth: tuple[Floats, ...]
    """By query the grades of its documents."""
    levels: tuple[float, ...]
    differences: Floats
    """By query, with all grades."""
    query: Ints
    """Of each document that matters its query, …"""
    place: Ints
    """… its place in the query's world, …"""
    strata: Ints
    """… and the stratum from which it is drawn."""

    @property
    def matter(self) -> int:
        """How many documents the runs differ on."""
        return len(self.query)


class Decision(NamedTuple):
    """When one run was called ahead, and whether that is wrong."""

    labels: int
    is_wrong: bool


class Decisions(NamedTuple):
    """Of many trials."""

    wrong: Share
    labels: float
    """The median; all that matter where nothing became likely."""

    @classmethod
    def of(cls, decisions: list[Decision]) -> Decisions:
        wrong = sum(decision.is_wrong for decision in decisions)
        return cls(Share(wrong, len(decisions)), float(np.median([decision.labels for decision in decisions])))


@cache
def judging(run: str, baseline: str, measure_name: str) -> Judging:
    """Two runs of the collection that comes with the package, and their documents among the first ten."""
    measure = one_measure(measure_name)
    judgments = read_judgments(str(GARDEN / "qrels.txt"))
    runs = read_runs([str(GARDEN / f"{name}.run") for name in (baseline, run)])
    worlds = tuple(worlds_of(runs, candidates_of(runs, DEPTH), None))
    truth = tuple(
        np.array([judgments[world.query].get(document, 0.0) for document in world.documents]) for world in worlds
    )
    differences = np.array([_difference(world, measure, grades) for world, grades in zip(worlds, truth, strict=True)])
    query, place, best = [], [], []
    for at, world in enumerate(worlds):
        ranks = np.full((2, len(world.documents)), np.inf)
        for which in (0, 1):
            ranks[which, world.orders[which]] = world.ranks[which]
        weights = [_weights(measure, of) for of in ranks]
        for document in np.flatnonzero(weights[0] != weights[1]).tolist():
            query.append(at)
            place.append(document)
            best.append(ranks[:, document].min())
    strata = np.searchsorted(STRATA, best)
    levels = levels_of(judgments)
    return Judging(run, baseline, measure, worlds, truth, levels, differences, np.array(query), np.array(place), strata)


def _weights(measure: Measure, ranks: Floats) -> Floats:
    weights = np.zeros(len(ranks))
    has_rank = np.isfinite(ranks)
    weights[has_rank] = weights_of(measure, ranks[has_rank].astype(np.int64))
    return weights


def _difference(world: World, measure: Measure, grades: Floats) -> float:
    baseline, run = world.scores(measure, grades[None])[:, 0]
    return float(run - baseline)


def planned(of: Judging, trials: int, rng: np.random.Generator, *, exchangeable: bool) -> Decisions:
    """Looks at the end of each wave, each with its part of the error; as the command does."""
    return Decisions.of([_planned(of, *drawn) for drawn in _drawn(of, trials, rng, exchangeable=exchangeable)])


def at_will(of: Judging, trials: int, rng: np.random.Generator, *, exchangeable: bool) -> Decisions:
    """A look after every label from the tenth on, and stopping when it pleases; only for sums."""
    return Decisions.of([_at_will(of, *drawn) for drawn in _drawn(of, trials, rng, exchangeable=exchangeable)])


def _drawn(
    of: Judging, trials: int, rng: np.random.Generator, *, exchangeable: bool
) -> Iterator[tuple[Ints, Floats, np.random.Generator]]:
    """Waves of the documents, and a sign for each query: where runs are exchangeable, chance swaps them."""
    for _ in range(trials):
        signs = rng.choice([-1.0, 1.0], len(of.worlds)) if exchangeable else np.ones(len(of.worlds))
        yield waves_of(rng.random(of.matter), of.strata), signs, rng


def _planned(of: Judging, waves: Ints, signs: Floats, rng: np.random.Generator) -> Decision:
    truth = float(np.mean(signs * of.differences))
    ends = range(int(waves.max()))
    added = _added(of, signs) if is_sum(of.measure) else None
    for wave in ends:
        chosen = np.flatnonzero(waves <= wave)
        if added is not None:
            sample = of_sample(added[chosen], of.matter, 0.0, len(of.worlds))
        else:
            sample = _completed(of, chosen, signs, rng)
        if sample.is_likely(len(ends)):
            return Decision(len(chosen), sample.difference * truth <= 0)
    return Decision(of.matter, is_wrong=False)


def _at_will(of: Judging, waves: Ints, signs: Floats, rng: np.random.Generator) -> Decision:
    added = _added(of, signs)[np.lexsort((rng.random(of.matter), waves))]
    count = np.arange(1, of.matter + 1)
    mean = np.cumsum(added) / count
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.maximum(np.cumsum(added**2) - count * mean**2, 0) / (count - 1)
        error = np.sqrt((1 - count / of.matter) * spread / count)
    sure = np.flatnonzero((np.abs(mean) > WITHOUT_PLAN * error) & (count >= 10) & (count < of.matter) & (error > 0))
    if not len(sure):
        return Decision(of.matter, is_wrong=False)
    return Decision(int(count[sure[0]]), bool(mean[sure[0]] * np.mean(signs * of.differences) <= 0))


@cache
def _alone(of: Judging) -> Floats:
    """What each document that matters adds to the sum of differences over queries."""
    added = np.empty(of.matter)
    for at, (query, place) in enumerate(zip(of.query.tolist(), of.place.tolist(), strict=True)):
        grades = np.full(len(of.truth[query]), UNJUDGED)
        grades[place] = of.truth[query][place]
        added[at] = _difference(of.worlds[query], of.measure, grades)
    return added


def _added(of: Judging, signs: Floats) -> Floats:
    return _alone(of) * signs[of.query]


def _completed(of: Judging, chosen: Ints, signs: Floats, rng: np.random.Generator) -> Sampled:
    """What a look says where a measure is no sum."""
    grades = [np.full(len(truth), UNJUDGED) for truth in of.truth]
    for query, place in zip(of.query[chosen].tolist(), of.place[chosen].tolist(), strict=True):
        grades[query][place] = of.truth[query][place]
    drawn = []
    for query, known in enumerate(grades):
        world = replace(of.worlds[query], grades=known)
        if signs[query] < 0:
            world = replace(world, orders=world.orders[::-1], ranks=world.ranks[::-1], retrieved=world.retrieved[::-1])
        strata = strata_of(world, (1, 0), of.measure.at)
        counts = np.zeros((SIDES * PLACES, len(of.levels)))
        judged = np.flatnonzero(known >= 0)
        np.add.at(counts, (strata[judged], np.searchsorted(of.levels, known[judged])), 1)
        drawn.append(Drawn(world, strata, counts))
    return of_worlds(drawn, of.measure, of.levels, (1, 0), rng, DRAWS).sample
