"""Wilcoxon's signed-rank test."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.comparing.paired import TOLERANCE, defined, mean, without_noise
from cranfield.comparing.significance_tests.signed_sums import lattice_tail
from cranfield.comparing.significance_tests.significance import Significance, as_probability, without_test
from cranfield.errors import UsageError

Zeros = Literal["wilcoxon", "pratt"]

EXACT_RANKS = 50
"""Up to so many ranks p is counted over all sign patterns; with more, the normal approximation differs little."""


def signed_rank_test(
    differences: npt.ArrayLike,
    *,
    zeros: Zeros = "wilcoxon",
    method: Literal["exact", "normal approximation"] | None = None,
) -> Significance:
    r"""Wilcoxon's signed-rank test: are the larger differences in favour of one system?

    .. math:: W^+ = \sum_{i : d_i > 0} r_i

    r_i is the rank of \|d_i\| among all, the mean rank where several are equal. If the systems do not differ, every
    rank is as likely to count for one as for the other. Up to 50 ranks p counts all those sign patterns, with ties as
    they are; beyond, W is taken to be normal with mean Σr/2 and variance Σr²/4, which is the usual correction for ties
    and zeros, without one for continuity. Like the sign test it is not about means (Wilcoxon, Biometrics Bulletin 1(6),
    1945, doi:10.2307/3001968; doubts about its use in retrieval: Smucker, Allan & Carterette, CIKM 2007,
    doi:10.1145/1321440.1321528).

    Differences of 0 are left out before ranking, as Wilcoxon did, or, with `zeros="pratt"`, after it (Pratt, JASA
    54(287), 1959, doi:10.2307/2282543). Undefined ones are left out; where all are 0, p is 1.

    Of the ranks 1, 2, 3 only 1 is against: W+ is 5, and W+ is 0, 1, 5 or 6 in 4 of 8 patterns.

    >>> result = signed_rank_test([-0.1, 0.2, 0.3])
    >>> print(result.statistic, result.p)
    5.0 0.5
    """
    if zeros not in get_args(Zeros):
        raise UsageError(f"zeros is {' or '.join(get_args(Zeros))}, not {zeros!r}.")
    kept = without_noise(defined(differences))
    if outcome := without_test(kept):
        return outcome
    ranked = kept if zeros == "pratt" else kept[kept != 0]
    ranks = mean_ranks(np.abs(ranked))
    signs = np.sign(ranked)
    chosen = method or ("exact" if int((signs != 0).sum()) <= EXACT_RANKS else "normal approximation")
    p = _exact(ranks, signs) if chosen == "exact" else _normal(ranks, signs)
    return Significance(mean(kept), float(ranks[signs > 0].sum()), p, len(kept), chosen)


def mean_ranks(values: Floats) -> Floats:
    """Ranks from the smallest, 1, on; those that are equal but for rounding share the mean of theirs.

    >>> mean_ranks(np.array([0.5, 0.3 - 0.2, 0.2 - 0.1]))
    array([3. , 1.5, 1.5])
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    begins = np.diff(ordered, prepend=-np.inf) > TOLERANCE * np.abs(values).max(initial=0)
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(values))
    ranks = np.empty(len(values))
    ranks[order] = ((starts + 1 + ends) / 2)[np.cumsum(begins) - 1]
    return ranks


def _exact(ranks: Floats, signs: Floats) -> float:
    twice = np.rint(2 * ranks[signs != 0]).astype(np.int64)  # mean ranks are whole or halves
    return as_probability(lattice_tail(twice, abs(int((twice * signs[signs != 0]).sum()))))


def _normal(ranks: Floats, signs: Floats) -> float:
    z = float((ranks * signs).sum()) / math.sqrt(float((ranks[signs != 0] ** 2).sum()))
    return as_probability(math.erfc(abs(z) / math.sqrt(2)))
