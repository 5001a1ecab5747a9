"""The bootstrap test."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_whole
from cranfield.arrays import Floats
from cranfield.comparing.paired import (
    SystemPairs,
    all_pairs,
    defined,
    deviation,
    mean,
    score_table,
    value_per_query,
    without_noise,
)
from cranfield.comparing.significance_tests.pairwise import random_samples, resampled
from cranfield.comparing.significance_tests.significance import NO_VARIANCE, Significance, without_test

SAMPLES = 100_000
FEWEST = 5
TOO_FEW = f"fewer than {FEWEST} queries are too few to draw samples from"


def bootstrap_test(differences: npt.ArrayLike, *, samples: int = SAMPLES, rng: Rng = 0) -> Significance:
    r"""The bootstrap test by shifting: how far would means stray from 0 if queries were drawn again?

    .. math:: p = \frac{1 + \#\{b : |\bar d^*_b - \bar d| \ge |\bar d|\}}{1 + B}

    Each of B samples draws n queries with replacement, and d*_b is its mean difference. Shifted by the mean, the
    differences are a population in which the systems do not differ (Smucker, Allan & Carterette, CIKM 2007,
    doi:10.1145/1321440.1321528, after Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989). A sample's
    means vary by √((n - 1) / n) too little, so with few queries p is too small; the randomization test's is not.

    Undefined differences are left out. Where all are 0, p is 1; where all are the same, nothing varies and p is NaN,
    as it is with fewer than 5 queries, which give too few different samples.

    >>> print(round(bootstrap_test([1, 2, 3, 0, -1]).p, 2))
    0.16
    """
    column = value_per_query(differences)
    return bootstrap_tests([column, np.zeros_like(column)], samples=samples, rng=rng)[0]


def bootstrap_tests(
    scores: npt.ArrayLike, pairs: SystemPairs | None = None, *, samples: int = SAMPLES, rng: Rng = 0
) -> list[Significance]:
    """The bootstrap test of many pairs of systems, by default of all, on the queries that both have a score for.

    All pairs with the same queries share their random samples, so what each says is what `bootstrap_test` says of it
    alone, with the same seed.

    >>> scores = [[0.5, 0.7, 0.2, 0.1, 0], [0.4, 0.3, 0.3, 0, 0], [0.4, 0.3, 0.3, 0, 0]]
    >>> [pair.reason for pair in bootstrap_tests(scores)]
    ['', '', 'the systems score the same for every query']
    """
    table = score_table(scores)
    require_whole(samples, "samples")
    seed = as_seed(rng)
    return resampled(
        table,
        all_pairs(len(table)) if pairs is None else pairs,
        without_chance=_degenerate,
        weighted=lambda values: values - values.mean(axis=1, keepdims=True),
        blocks=lambda queries: random_samples(queries, samples, seed),
        resamples=samples,
    )


def _degenerate(differences: Floats) -> Significance | None:
    kept = without_noise(defined(differences))
    if outcome := without_test(kept, needs_variance=True):
        return outcome
    if len(kept) < FEWEST:
        return Significance(mean(kept), mean(kept), math.nan, len(kept), reason=TOO_FEW)
    if not deviation(kept):
        return Significance(mean(kept), mean(kept), math.nan, len(kept), reason=NO_VARIANCE)
    return None
