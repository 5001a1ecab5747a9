"""The sign test."""

from __future__ import annotations

import numpy.typing as npt

from cranfield.arguments import require_not_negative
from cranfield.comparing.effects import wins_ties_losses
from cranfield.comparing.paired import defined, mean, without_noise
from cranfield.comparing.significance_tests.significance import Significance, as_probability, without_test


def sign_test(differences: npt.ArrayLike, *, threshold: float = 0.0) -> Significance:
    r"""The sign test: do wins and losses come as often as heads and tails?

    .. math:: p = \min\Big(1,\; 2 \sum_{i \le \min(w, l)} \binom{w + l}{i} 2^{-(w + l)}\Big)

    w counts the queries for which the first system is better, l those for which it is worse; those that differ by no
    more than `threshold` are ties and left out. The statistic is w. How much better a system is does not count, so
    the test says something of queries, not of means (van Rijsbergen, Information Retrieval, 1979, chapter 7).

    Undefined differences are left out; where no query is won or lost, p is 1.

    Nine wins and one loss are 2 (1 + 10) of 1,024 equally likely outcomes:

    >>> sign_test([1] * 9 + [-1]).p == 22 / 1024
    True
    """
    kept = without_noise(defined(differences))
    if outcome := without_test(kept):
        return outcome
    wins, _, losses = wins_ties_losses(kept, require_not_negative(threshold, "threshold"))
    return Significance(mean(kept), wins, _two_sided(wins, losses), len(kept), "exact")


def _two_sided(wins: int, losses: int) -> float:
    from scipy.special import bdtr

    if wins == losses:
        return 1.0
    return as_probability(2 * bdtr(min(wins, losses), wins + losses, 0.5))
