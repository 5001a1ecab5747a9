"""How near a ranking comes to an ideal one: judgments that say which document is better, not by how much."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.ranges import Probability

DEPTH = 1000
"""How deep the two rankings are compared, as in the authors' script."""


@measure(
    bounds=(0, 1),
    normalised=lambda params: params["normalize"],
    cite="Clarke, Vtyurina & Smucker, TOIS 39(3), 2021, doi:10.1145/3451161",
    aliases=("compatibility",),
    tools={
        "compatibility.py": "the authors' script; it orders equal scores by document id, first in byte order first",
        "ir_measures": "Compat; it reads as deep as the longer of ranking and ideal ranking, not 1000 ranks, and where "
        "scores are negative its ideal ranking puts missed documents first",
    },
)
def Compat(judged: JudgedRanking, *, p: Probability = 0.95, normalize: bool = True) -> PerQuery:
    r"""Compatibility: rank-biased overlap of a ranking with the ideal ranking that is nearest to it.

    .. math:: \sum_{d \le 1000} p^{d-1} \frac{|A_d \cap I_d|}{d} \Big/ \sum_{d \le 1000} p^{d-1} \frac{|I_d|}{d}

    A_d are the first d documents of the ranking and I_d those of the ideal ranking: all documents with a grade above
    0, highest first. Only the order of grades matters, so they may come from preferences. Equal grades are in the
    order of the ranking, and what was not retrieved comes after. `normalize=False` divides by the sum of all weights
    instead, so that an ideal ranking with few documents scores less than 1.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found. With p = 1/2 the weights from depths
    1, 2 and 3 on add up to 1.386, 0.386 and 0.136. The ranking shares the 2 from depth 1 on and the 1 from depth 3;
    the ideal ranking would have a document more at each of the three: (1.386 + 0.136) / (1.386 + 0.386 + 0.136).

    >>> from cranfield.notation import ranking
    >>> print(Compat(p=0.5)(ranking("2-1|1")).round(4))
    0.7976
    """
    tails = _tails(p)
    wanted = judged.grades > 0
    both = np.where(wanted, np.maximum(judged.ranks, judged.ideal_ranks), np.inf)
    overlap = tails[_depths(both)].sum(axis=-1)
    ideal = tails[_depths(np.where(judged.judged > 0, judged.ideal.ranks, np.inf))].sum(axis=-1)
    if normalize:
        return ratio(overlap, ideal)
    return np.where(ideal == 0, np.nan, overlap / (p ** np.arange(DEPTH)).sum())[()]


def _tails(p: float) -> npt.NDArray[np.float64]:
    """What a document adds that both rankings hold from some depth on: the weights of all depths from there."""
    depths = np.arange(1.0, DEPTH + 1)
    weights = np.append(p ** (depths - 1) / depths, 0.0)
    return weights[::-1].cumsum()[::-1]


def _depths(ranks: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    return (np.minimum(ranks, DEPTH + 1) - 1).astype(np.int64)
