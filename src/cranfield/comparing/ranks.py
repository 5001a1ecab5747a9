"""Which ranks systems may have: intervals for places in a table."""

from __future__ import annotations

from typing import NamedTuple

from cranfield.arrays import Bools


class RankInterval(NamedTuple):
    """The best and the worst rank that a system may have; 1 is the first."""

    best: int
    worst: int


def rank_intervals(better_than: Bools) -> list[RankInterval]:
    r"""For each system the ranks that it may have among all, simultaneously.

    .. math:: [\,1 + \#\{i : i \text{ better than } j\},\; m - \#\{i : j \text{ better than } i\}\,]

    `better_than` says which systems are significantly better than which (see `better`), with p-values corrected for
    all pairs. If those tests err in no pair with probability 1 - alpha, then with that probability all intervals
    together hold the ranks that the systems have over all queries there could be, of systems with equal means every
    rank they share (Mogstad, Romano, Shaikh & Wilhelm, Review of Economic Studies 91(1), 2024,
    doi:10.1093/restud/rdad006; Al Mohamad, Goeman & van Zwet, arXiv:1708.02729).

    The first is better than the third; the second does not differ significantly from either:

    >>> import numpy as np
    >>> better_than = np.array([[False, False, True], [False, False, False], [False, False, False]])
    >>> rank_intervals(better_than)
    [RankInterval(best=1, worst=2), RankInterval(best=1, worst=3), RankInterval(best=2, worst=3)]
    """
    systems = len(better_than)
    best = 1 + better_than.sum(axis=0)
    worst = systems - better_than.sum(axis=1)
    return [RankInterval(*limits) for limits in zip(best.tolist(), worst.tolist(), strict=True)]
