"""Tests of equivalence: two one-sided tests (TOST), with any two-sided test of differences that is symmetric."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cranfield.arguments import require_positive
from cranfield.arrays import Floats
from cranfield.comparing.paired import SystemPairs, score_table, value_per_query
from cranfield.comparing.significance_tests.pairwise import pairwise
from cranfield.comparing.significance_tests.significance import NO_DIFFERENCE, Significance
from cranfield.comparing.significance_tests.student import t_test

TwoSidedTests = Callable[[Floats, SystemPairs], list[Significance]]
"""A test of pairs of rows; p is the same on both sides of 0."""


def equivalence_test(differences: npt.ArrayLike, margin: float) -> Significance:
    r"""Two one-sided t tests: is the mean difference within a margin, on either side of 0?

    .. math:: p = \max\big(P(T \ge \tfrac{\bar d + m}{s_d / \sqrt n}),\; P(T \le \tfrac{\bar d - m}{s_d / \sqrt n})\big)

    Each tests one side: that the mean is not below -m, and that it is not above m. Both have to be significant, so p is
    the larger one and needs no correction for being two (Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15(6),
    1987, doi:10.1007/BF01068419). At level 0.05 that is so exactly where the 90% interval of the mean lies within the
    margin. "No significant difference" does not show it: few queries find no difference either.

    The mean is 0, its standard error 1/√3, and the margin is √12 standard errors away:

    >>> print(round(equivalence_test([-1, 0, 1], margin=2).p, 4))
    0.0371
    """
    column = value_per_query(differences)
    table = np.array([column, np.zeros_like(column)])
    pair = SystemPairs(np.array([0]), np.array([1]))
    return equivalence_tests(table, pair, margin, lambda scores, pairs: pairwise(scores, pairs, t_test))[0]


def equivalence_tests(
    scores: npt.ArrayLike, pairs: SystemPairs, margin: float, tests: TwoSidedTests
) -> list[Significance]:
    """The same for pairs of systems by a chosen test, on the queries that both have a score for.

    The first system's scores are moved by the margin, up and down, and tested against the second's. Of a test whose
    statistic is as likely on either side, half of its p is that of one side. The randomization test then supposes that
    differences are spread alike around the margin, as Student's t does of their means.

    >>> from cranfield.comparing.significance_tests.randomization import randomization_tests
    >>> pair = SystemPairs(np.array([0]), np.array([1]))
    >>> equivalence_tests([[3, 4, 5], [3, 5, 4]], pair, 2, randomization_tests)[0].p
    0.125
    """
    require_positive(margin, "margin")
    table = score_table(scores)
    systems = len(table)
    moved = np.concatenate([table + margin, table - margin, table])
    sides = [tests(moved, SystemPairs(pairs.first + shift, pairs.second + 2 * systems)) for shift in (0, systems)]
    return [_both(above, below) for above, below in zip(*sides, strict=True)]


def _both(above: Significance, below: Significance) -> Significance:
    """The outcome of both sides: that of the less significant one."""
    sides = [(_one_sided(above, 1), above), (_one_sided(below, -1), below)]
    p, decisive = max(sides, key=lambda side: math.inf if math.isnan(side[0]) else side[0])
    reason = "" if decisive.reason == NO_DIFFERENCE else decisive.reason
    difference = (above.difference + below.difference) / 2
    return Significance(
        difference, decisive.statistic, p, decisive.queries, decisive.method, decisive.resamples, reason
    )


def _one_sided(outcome: Significance, sign: int) -> float:
    """The p of one side. A mean that is on the other side has one of half or more, whatever exactly it is."""
    if outcome.reason == NO_DIFFERENCE:
        return 1.0
    return outcome.p / 2 if sign * outcome.difference > 0 else 1 - outcome.p / 2
