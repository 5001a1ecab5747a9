"""What tuning a fusion claims, where the truth is known: how often a gain that is none, and what its intervals hold."""

from __future__ import annotations

import numpy as np

from benchmarks.validity.populations import Floats
from benchmarks.validity.shares import Share, share
from cranfield.comparing.intervals import Interval, standard_error_interval, t_interval
from cranfield.comparing.significance_tests.pairwise import random_samples
from cranfield.fusing.fusion import fusion_from
from cranfield.fusing.selection import choose_in_folds, resampled_means
from cranfield.fusing.tuning import SAMPLES, TuningScores, search_p

FAMILIES = 20
"""Methods and normalisations."""
WEIGHTS = 10
"""Of each."""
QUERIES = 50
PERMUTATIONS = 499
ALPHA = 0.05


FOLDS, REPEATS = 5, 20
SPREAD = 0.03
"""The standard deviation of what configurations truly gain, where they differ."""


def equally_good(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Scores of a run, and of configurations by families, for queries of different difficulty: all equally good.

    Neighbours within a family score alike, as those of a weight do; differences between any two are symmetric.

    >>> run, configurations = equally_good(np.random.default_rng(0))
    >>> run.shape, configurations.shape
    ((50,), (200, 50))
    """
    difficulty = rng.normal(0.5, 0.2, QUERIES)
    run = difficulty + rng.normal(0, 0.1, QUERIES)
    families = rng.normal(0, 0.1, (FAMILIES, 1, QUERIES))
    steps = rng.normal(0, 0.03, (FAMILIES, WEIGHTS, QUERIES)).cumsum(axis=1)
    return run, difficulty + (families + steps).reshape(-1, QUERIES)


def rejected(trials: int, rng: np.random.Generator) -> dict[str, Share]:
    """The share of tunings without a gain whose p is significant: corrected for all configurations, and naive."""
    significant: dict[str, list[bool]] = {"corrected": [], "naive": []}
    fusion = fusion_from("rrf")
    for _ in range(trials):
        run, configurations = equally_good(rng)
        scores = TuningScores(
            queries=tuple(map(str, range(QUERIES))),
            fusions=(fusion,) * len(configurations),
            configurations=configurations,
            runs=("run",),
            singles=run[np.newaxis],
            untuned=run,
        )
        for name, p in zip(significant, search_p(scores, PERMUTATIONS, 0), strict=True):
            significant[name].append(p <= ALPHA)
    return {name: share(outcomes) for name, outcomes in significant.items()}


def covered(trials: int, rng: np.random.Generator, spread: float = 0.0) -> dict[str, Share]:
    """How many intervals hold the true gain: out of fold, of what folds chose and of the final one; and others.

    The others are Student's t of the same scores, as if nothing had been chosen, and in sample. With a spread, families
    differ in what they truly gain.
    """
    held: dict[str, list[bool]] = {"of folds": [], "of the final": [], "plain t": [], "in sample": []}
    bounds = [WEIGHTS] * FAMILIES
    for _ in range(trials):
        run, configurations = equally_good(rng)
        true = np.repeat(rng.normal(0, spread, FAMILIES), WEIGHTS) if spread else np.zeros(len(configurations))
        gains = configurations + true[:, np.newaxis] - run
        folds = np.array([rng.permutation(QUERIES) % FOLDS for _ in range(REPEATS)])
        choices = choose_in_folds(gains, bounds, folds)
        of_folds = float(true[[rows[own] for rows, own in zip(choices.chosen, folds, strict=True)]].mean())
        counts = np.vstack([*random_samples(QUERIES, SAMPLES, rng)])
        interval = standard_error_interval(choices.mean_scores, resampled_means(gains, bounds, folds, counts))
        best = int(gains.sum(axis=1).argmax())
        held["of folds"].append(_holds(interval, of_folds))
        held["of the final"].append(_holds(interval, float(true[choices.final])))
        held["plain t"].append(_holds(t_interval(choices.mean_scores), of_folds))
        held["in sample"].append(_holds(t_interval(gains[best]), float(true[best])))
    return {name: share(outcomes) for name, outcomes in held.items()}


def _holds(interval: Interval, truth: float) -> bool:
    return bool(interval.low - 1e-12 <= truth <= interval.high + 1e-12)
