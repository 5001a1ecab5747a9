"""How sure labels of a random sample make the difference between two runs, looked at only at planned numbers of labels.

Documents that matter are drawn in waves (`plan.py`), and a look comes when a wave is labelled. Each look may err by
its part of 2.5%: somebody who looked after every label and stopped when the result pleased would err more often than
promised.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple
from zlib import crc32

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.evaluating.aggregate import CONFIDENCE, t_limit
from cranfield.measures.definition import Measure
from cranfield.pooling.influence import World

ERROR = 0.025
"""How often "likely" may name the wrong run, all looks together."""
DRAWS = 500
"""Completed sets of labels that are drawn at a look, where a measure is no sum."""
FEWEST_DRAWS = 50
MOST_CELLS = 4_000_000
"""Of more documents times draws, fewer are drawn."""
ALIKE = 2.0
"""How many labels of a query the shares of all queries are worth: documents of one query are more alike than others."""


def limit(number: int, freedom: float = math.inf) -> float:
    """How many standard errors a difference must be away from 0, with so many looks (Bonferroni).

    >>> round(limit(1), 2), round(limit(5), 2), round(limit(5, freedom=19), 2)
    (1.96, 2.58, 2.86)
    """
    part = ERROR / max(number, 1)
    return NormalDist().inv_cdf(1 - part) if math.isinf(freedom) else t_limit(freedom, 2 * part)


class Sampled(NamedTuple):
    """What a random sample of labels says of a mean difference, were all documents labelled."""

    difference: float
    error: float
    """Its standard error, from not having labelled the rest."""
    labels: int
    freedom: float = math.inf
    """Degrees of freedom of the error, where it is not known better than Student's t does."""

    def is_likely(self, number: int) -> bool:
        """Whether it is far enough from 0 for one of so many looks."""
        return abs(self.difference) > limit(number, self.freedom) * self.error


def of_sample(added: Floats, matter: int, known: float, queries: int) -> Sampled:
    r"""From what each labelled document adds to the sum of differences over queries.

    .. math:: \hat D = K + M \bar e, \quad se = M \sqrt{(1 - n/M)\, s^2 / n}

    both divided by the number of queries. K is what was known before, e what each of n documents drawn from M adds.

    >>> of_sample(np.array([0.1, 0.0, 0.1, 0.0]), 8, 0.0, 2)
    Sampled(difference=0.2, error=0.081..., labels=4, freedom=inf)
    """
    count = len(added)
    if not count:
        return Sampled(known / queries, math.inf, 0)
    spread = float(np.var(added, ddof=1)) if count > 1 else math.inf
    error = matter * math.sqrt((1 - count / matter) * spread / count) if count < matter else 0.0
    return Sampled((known + matter * float(np.mean(added))) / queries, error / queries, count)


def labels_for(sample: Sampled, matter: int, planned: Sequence[int]) -> int:
    """At which look a difference of this size is likely, if the rest is like the sample; all documents, if at none."""
    if not 0 < sample.labels < matter or math.isinf(sample.error):
        return matter
    # error² = c · (1 - n/M) / n, so that n is where limit · error falls below the difference.
    scale = sample.error**2 * sample.labels / (1 - sample.labels / matter) * limit(len(planned)) ** 2
    enough = scale / (sample.difference**2 + scale / matter) if scale else 0.0
    return next((look for look in planned if look > max(enough, sample.labels - 1)), matter)


SIDES, PLACES = 3, 4
"""Strata of a pair of runs: the one above, below or at the same rank in the first; and of each, whether it is in both
rankings and among the first three of any."""
FIRST = 3


def strata_of(world: World, pair: tuple[int, int], cutoff: float | None) -> Ints:
    """The stratum of each document: in one run or in both, where, and in which of them further up."""
    ranks = np.full((2, len(world.documents)), np.inf)
    for row, run in enumerate(pair):
        ranks[row, world.orders[run]] = world.ranks[run]
    ranks[ranks > (cutoff or np.inf)] = np.inf
    side = np.where(ranks[0] < ranks[1], 0, np.where(ranks[0] > ranks[1], 2, 1))
    place = 2 * np.isfinite(ranks).all(axis=0) + (ranks.min(axis=0) > FIRST)
    return np.asarray(PLACES * side + place)


class Drawn(NamedTuple):
    """One query whose unlabelled documents get grades drawn at random."""

    world: World
    strata: Ints
    """Of each document."""
    counts: Floats
    """By stratum and grade, the random labels of this query."""


class Completed(NamedTuple):
    """What a mean difference is expected to be once all labels are there, and its 95% interval over queries."""

    sample: Sampled
    interval_low: float
    interval_high: float


def of_worlds(
    queries: Sequence[Drawn],
    measure: Measure,
    levels: Sequence[float],
    pair: tuple[int, int],
    rng: np.random.Generator,
    most: int = DRAWS,
) -> Completed:
    """The same for any measure: unlabelled documents are given grades, many times, as random labels have them.

    Shares of grades are those of the stratum, drawn from a Dirichlet distribution as few labels leave them open, and
    vary from query to query. Carterette, Allan & Sitaraman, SIGIR 2006, doi:10.1145/1148170.1148219, do so for AP with
    one share for all documents. The interval over queries follows Rubin's rules for multiple imputation: it allows for
    other queries and for labels not given yet.
    """
    cells = sum(len(of.world.documents) for of in queries)
    draws = max(min(most, MOST_CELLS // max(cells, 1)), min(most, FEWEST_DRAWS))
    counts = np.sum([of.counts for of in queries], axis=0)
    shares = _dirichlet(np.broadcast_to(_weights(counts), (draws, *counts.shape)), rng)
    apart = np.stack([_differences(of, measure, levels, pair, shares, rng) for of in queries])
    return _completed(apart, int(counts.sum()))


def _weights(counts: Floats) -> Floats:
    """By stratum and grade, what shares are drawn from: its labels, and one as all strata like it have them.

    Documents at the same rank in both runs do not matter by themselves, so that nobody draws them: they are taken to
    be like those that are in both at different ranks.
    """
    by_side = counts.reshape(SIDES, PLACES, -1)
    everywhere = by_side.sum(axis=(0, 1)) + 1 / counts.shape[1]
    places = by_side.sum(axis=0) + everywhere / everywhere.sum()
    weights = by_side + places / places.sum(axis=-1, keepdims=True)
    weights[1] = places
    return weights.reshape(counts.shape)


def _completed(apart: Floats, labels: int) -> Completed:
    """Of differences by query and draw."""
    number, draws = apart.shape
    means = apart.mean(axis=0)
    difference, between = float(means.mean()), float(means.var(ddof=1))
    sample = Sampled(difference, math.sqrt(between), labels, max(labels - 1, 1))
    if number < 2:
        return Completed(sample, math.nan, math.nan)
    within = float(apart.var(axis=0, ddof=1).mean()) / number
    half = t_limit(number - 1, 1 - CONFIDENCE) * math.sqrt(within + (1 + 1 / draws) * between)
    return Completed(sample, difference - half, difference + half)


def _dirichlet(alpha: Floats, rng: np.random.Generator) -> Floats:
    # A gamma variable of a tiny shape is often 0: without the rest there would be nothing to divide by.
    drawn = rng.standard_gamma(alpha) + 1e-300
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def _differences(
    of: Drawn,
    measure: Measure,
    levels: Sequence[float],
    pair: tuple[int, int],
    shares: Floats,
    rng: np.random.Generator,
) -> Floats:
    """The difference of one query in every draw."""
    holes = np.flatnonzero(of.world.grades < 0)
    worlds = np.tile(of.world.grades, (len(shares), 1))
    own = _dirichlet(ALIKE * shares + of.counts, rng)
    worlds[:, holes] = _grades(own[:, of.strata[holes]], levels, rng)
    run, baseline = (of.world.scores_of(measure, worlds, which) for which in pair)
    return run - baseline


def _grades(shares: Floats, levels: Sequence[float], rng: np.random.Generator) -> Floats:
    """A grade for each draw and document, by its shares."""
    below = np.cumsum(shares, axis=-1)[..., :-1]
    which = (rng.random(shares.shape[:-1])[..., None] > below).sum(axis=-1)
    return np.asarray(levels, dtype=np.float64)[which]


def rng_of(seed: int, *about: object) -> np.random.Generator:
    """Random numbers that depend on what they are for, and on nothing else."""
    return np.random.default_rng([seed, crc32("\0".join(map(str, about)).encode("utf-8", "surrogatepass"))])
