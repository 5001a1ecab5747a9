"""Measures that follow a user down the ranking until they stop; `cwl` has those of the family that RBP began."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking, remembered
from cranfield.measures.definition import PerQuery, measure
from cranfield.measures.gain import Gain, Gains, gains_of, gains_rise, largest_gain
from cranfield.measures.ranges import AboveZero, Probability
from cranfield.measures.reading import Expected, Reading, bounds, told

RbpGain = Literal["binary", "graded"] | Gains
MOFFAT_ZOBEL = "Moffat & Zobel, TOIS 27(1), 2008, doi:10.1145/1416950.1416952"
CHAPELLE = "Chapelle, Metzler, Zhang & Grinspan, CIKM 2009, doi:10.1145/1645953.1646033"


@measure(
    additive=True,
    bounds=bounds,
    of_retrieved=True,
    monotone=gains_rise,
    cite=MOFFAT_ZOBEL,
    tools={
        "ir_measures": "RBP(p=0.8)",
        "NTCIREVAL": "p=0.95, gain=graded or a gain for each grade",
        "cwl_eval": "RBP@0.9, which looks at 1000 documents; NPV-r@0.25 is RBP(p=0.8), as p = 1 / (1 + r)",
        "trec_eval": "rbp, from version 10 on, p=0.9; its gains are undefined (it reads uninitialised memory)",
        "trectools": "p=0.8, averaged over the orders of tied documents",
        "ranx": "rbp.95, which multiplies by raw grades and can exceed 1",
    },
)
def RBP(
    judged: JudgedRanking,
    *,
    p: Probability = 0.8,
    rel: float = 1,
    gain: RbpGain = "binary",
    expected: Expected = "utility",
    cutoff: int | None = None,
) -> PerQuery:
    r"""Rank-biased precision: gain per document for a user who goes on to the next with probability p.

    .. math:: (1 - p) \sum_{i \le k} g_i \, p^{i-1}

    The gain is 1 for a relevant document (`binary`) or the grade divided by the collection's largest
    grade (`graded`); gains given for each grade are divided by the largest of them. What unjudged documents
    could add is RBPResidual.

    As a model of the C/W/L family it tells more than the gain per document: `expected` is as for INST. A user looks at
    1 / (1 - p) documents, whatever they are.

    Relevant documents at ranks 1 and 3: 0.2 · (1 + 0.64).

    >>> from cranfield.notation import ranking
    >>> print(RBP(ranking("1-1|1")).round(4))
    0.328
    """
    top = judged.top(cutoff)
    gains = top.relevant(rel) if gain == "binary" else _shares(top, "linear" if gain == "graded" else gain)
    reached, depth = p ** (top.ranks - 1), np.full(top.ranks.shape[:-1], 1 / (1 - p))
    return told(expected, gains.astype(np.float64), Reading(reached, depth, reached, depth))


@measure(
    additive=True,
    of_unjudged=True,
    bounds=(0, 1),
    lower_is_better=True,
    cite=MOFFAT_ZOBEL,
    aliases=("rbp_resid",),
    tools={
        "trec_eval": "rbp_resid, from version 10 on, p=0.9; 0 where all documents retrieved are judged",
        "cwl_eval": "-r gives the same for every measure",
    },
)
def RBPResidual(judged: JudgedRanking, *, p: Probability = 0.8, cutoff: int | None = None) -> PerQuery:
    r"""What RBP would gain if every document nobody judged were perfect: its uncertainty.

    .. math:: 1 - (1 - p) \sum_{i \le k,\, d_i \text{ judged}} p^{i-1}

    It is the weight of the unjudged documents and of everything below the last rank.

    Judged documents at ranks 1 and 3 carry 0.2 · (1 + 0.64) of the weight:

    >>> from cranfield.notation import ranking
    >>> print(RBPResidual(ranking("1-1|1")).round(4))
    0.672
    """
    top = judged.top(cutoff)
    return 1 - (1 - p) * ((top.grades >= 0) * p ** (top.ranks - 1)).sum(axis=-1)


@measure(
    bounds=(0, 1),
    of_retrieved=True,
    monotone=gains_rise,
    cite=CHAPELLE,
    aliases=("expected_reciprocal_rank",),
    tools={
        "gdeval": "ERR@k with max_grade=4, whatever the judgments",
        "ir_measures": "ERR@k by gdeval, so max_grade=4",
        "NTCIREVAL": "gain=linear or a gain for each grade",
        "cwl_eval": "NERR8 to NERR11 are what comes near it",
        "RankEval": "the largest grade of each query, so scores of two queries cannot be compared",
    },
)
def ERR(
    judged: JudgedRanking, *, gain: Gain = "exponential", max_grade: AboveZero | None = None, cutoff: int | None = None
) -> PerQuery:
    r"""Expected reciprocal rank at which a user is satisfied and stops.

    .. math:: \sum_{i \le k} \frac{1}{i} \, s_i \prod_{j<i} (1 - s_j), \quad s_i = \frac{2^{g_i} - 1}{2^M}

    g_i is the grade at rank i and M is `max_grade`, by default the largest grade of the whole collection. With another
    `gain` than the exponential one, s_i is the gain divided by 1 + the largest gain there is.

    With grades up to 2, a 2 satisfies with probability 3/4 and a 1 with 1/4: 3/4 + 1/3 · 1/4 · 1/4.

    >>> from cranfield.notation import ranking
    >>> print(ERR(ranking("2-1|1")).round(4))
    0.7708
    """
    return reciprocal_rank_of_stop(satisfying(judged, gain, max_grade).top(cutoff))


def reciprocal_rank_of_stop(satisfying: JudgedRanking) -> PerQuery:
    """Expected reciprocal rank, given the probability that each document satisfies."""
    satisfied = satisfying.grades.clip(min=0)
    unsatisfied = np.cumprod(1 - satisfied, axis=-1)
    before = np.concatenate([np.ones_like(unsatisfied[..., :1]), unsatisfied[..., :-1]], axis=-1)
    return (satisfied * before[..., : satisfied.shape[-1]] / satisfying.ranks).sum(axis=-1)


@remembered
def satisfying(judged: JudgedRanking, gain: Gain, max_grade: float | None) -> JudgedRanking:
    """The ranking with the probability that a document satisfies its reader in place of its grade."""
    # A whole number may be larger than NumPy's.
    largest = float(largest_gain("linear" if gain == "exponential" else gain, judged.max_grade, max_grade))
    if gain == "exponential":
        # (2^g - 1) / 2^M, without forming powers that may be too large.
        return judged.regraded(lambda grades: np.exp2(grades.clip(min=0, max=largest) - largest) - np.exp2(-largest))
    return gains_of(judged, gain).regraded(lambda gains: gains.clip(min=0, max=largest) / (largest + 1))


def _shares(judged: JudgedRanking, gain: Gain) -> npt.NDArray[np.float64]:
    """Each document's gain as a share of the largest there is."""
    largest = largest_gain(gain, judged.max_grade)
    return gains_of(judged, gain).grades.clip(min=0, max=largest) / largest
