"""The paired randomization test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.arguments import Rng, as_seed, require_whole
from cranfield.arrays import Floats
from cranfield.comparing.paired import (
    SystemPairs,
    all_pairs,
    defined,
    mean,
    score_table,
    value_per_query,
    without_noise,
)
from cranfield.comparing.significance_tests.pairwise import random_signs, resampled
from cranfield.comparing.significance_tests.signed_sums import exact_tail
from cranfield.comparing.significance_tests.significance import Significance, as_probability, without_test

PERMUTATIONS = 100_000


def randomization_test(differences: npt.ArrayLike, *, permutations: int = PERMUTATIONS, rng: Rng = 0) -> Significance:
    r"""Fisher's randomization test: could the two systems' names have been drawn by lot for every query?

    .. math:: p = \frac{\#\{s \in \{-1, 1\}^n : |\sum s_i d_i| \ge |\sum d_i|\}}{2^n}

    If the systems do not differ, exchanging their scores for a query, which changes the sign of its difference, makes
    an equally likely result. p is the share of all such patterns whose mean difference is at least as large. Nothing
    is supposed about distributions (Fisher, The Design of Experiments, 1935, section 21; Smucker, Allan & Carterette,
    CIKM 2007, doi:10.1145/1321440.1321528, recommend it, with the mean difference as its statistic).

    All 2^n patterns are counted where that is quick: up to 24 differences that are not 0, and for differences that
    are multiples of one step, as those of P@10 are, also far more. Otherwise p is counted from random patterns, those
    of a seed; its standard error then is √(p (1 - p) / permutations) and its least value 1 / (permutations + 1).
    Sums count as equal that differ by no more than 1e-9 of the sum of all \|d\|, so rounding does not move p.

    Undefined differences are left out; where there is none, p is 1.

    2 + 1 + 1 is reached by all signs alike only, 2 of 8 patterns:

    >>> randomization_test([2, 1, 1]).p
    0.25
    """
    column = value_per_query(differences)
    return randomization_tests([column, np.zeros_like(column)], permutations=permutations, rng=rng)[0]


def randomization_tests(
    scores: npt.ArrayLike, pairs: SystemPairs | None = None, *, permutations: int = PERMUTATIONS, rng: Rng = 0
) -> list[Significance]:
    """The randomization test of many pairs of systems, by default of all, on the queries that both have a score for.

    All pairs with the same queries share their random signs, so what each says is what `randomization_test` says of
    it alone, with the same seed.

    >>> [pair.p for pair in randomization_tests([[3, 4, 5], [1, 2, 4], [1, 2, 3]])]
    [0.25, 0.25, 1.0]
    """
    table = score_table(scores)
    require_whole(permutations, "permutations")
    seed = as_seed(rng)
    return resampled(
        table,
        all_pairs(len(table)) if pairs is None else pairs,
        without_chance=_exact,
        weighted=lambda values: values,
        blocks=lambda queries: random_signs(queries, permutations, seed),
        resamples=permutations,
    )


def _exact(differences: Floats) -> Significance | None:
    kept = without_noise(defined(differences))
    if outcome := without_test(kept):
        return outcome
    p = exact_tail(np.abs(kept), abs(float(kept.sum())))
    return None if p is None else Significance(mean(kept), mean(kept), as_probability(p), len(kept), "exact")
