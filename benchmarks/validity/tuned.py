"""How often the best of many fusions seems better than a run, where none of them is."""

from __future__ import annotations

import numpy as np

from benchmarks.validity.populations import Floats
from benchmarks.validity.shares import Share, share
from cranfield.fusing.fusion import fusion_from
from cranfield.fusing.tuning import TuningScores, search_p

FAMILIES = 20
"""Methods and normalisations."""
WEIGHTS = 10
"""Of each."""
QUERIES = 50
PERMUTATIONS = 499
ALPHA = 0.05


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
