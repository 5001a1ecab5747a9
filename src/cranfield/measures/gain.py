"""Cumulated gain: graded relevance, discounted by rank, compared with the best there could be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.errors import UsageError
from cranfield.measures.definition import PerQuery, measure, ratio

Gains = tuple[tuple[float, float], ...]
Gain = Literal["linear", "exponential"] | Gains
Discount = Literal["log2", "jk"]
Ideal = Literal["judged", "retrieved"]

LARGEST_EXPONENT = 1000
"""2^1024 is infinite; sums of some thousands of such gains must stay finite too."""

JARVELIN_KEKALAINEN = "Järvelin & Kekäläinen, TOIS 20(4), 2002, doi:10.1145/582415.582418"


def _gains_rise(params: Mapping[str, Any]) -> bool:
    if isinstance(params["gain"], str):
        return True
    gains = dict(params["gain"])
    # A grade that is not named gains itself: those between, below and above the named ones count as well.
    grades = sorted({*gains, *range(-1, math.floor(max(gains, default=0)) + 2)})
    rising = [max(gains.get(grade, grade), 0) for grade in grades]
    return rising == sorted(rising)


@measure(
    additive=True,
    bounds=(0, np.inf),
    of_retrieved=True,
    monotone=_gains_rise,
    cite=JARVELIN_KEKALAINEN,
    tools={"cwl_eval": "the expected total utility of a user who reads k documents"},
)
def CG(judged: JudgedRanking, *, gain: Gain = "linear", cutoff: int | None = None) -> PerQuery:
    r"""Cumulated gain: the sum of the gains of the documents retrieved.

    .. math:: \sum_{i \le k} g_i

    >>> from cranfield.notation import ranking
    >>> print(CG(ranking("2-1|1")))
    3.0
    """
    return _gains(judged.top(cutoff), gain).grades.clip(min=0).sum(axis=-1)


@measure(
    additive=True,
    bounds=(0, np.inf),
    of_retrieved=True,
    monotone=_gains_rise,
    cite=JARVELIN_KEKALAINEN,
    aliases=("dcg_burges",),
    tools={
        "trec_eval": "dcg, by name only, from version 10 on",
        "ranx": "dcg; dcg_burges is gain=exponential",
        "scikit-learn": "dcg_score, averaged over the orders of tied documents",
    },
)
def DCG(
    judged: JudgedRanking,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2",
    base: float = 2,
    cutoff: int | None = None,
) -> PerQuery:
    r"""Discounted cumulated gain: gains summed, each divided by a function of its rank.

    .. math:: \sum_{i \le k} \frac{g_i}{\log_2(i+1)}

    `gain` is the grade itself (`linear`), 2^grade - 1 (`exponential`) or a mapping from grade to gain, where grades
    that are not named keep their own value.
    `discount=jk` is Järvelin and Kekäläinen's own: none before rank `base`, 1/log_base(i) from there on.

    Grade 2 first, an unjudged document, grade 1 third: 2 + 1/2.

    >>> from cranfield.notation import ranking
    >>> print(DCG(ranking("2-1|1")))
    2.5
    >>> print(DCG(discount="jk")(ranking("2-1|1")).round(4))
    2.6309
    """
    return _dcg(_gains(judged, gain).top(cutoff), discount, base)


@measure(
    divides_by_found=lambda params: params["ideal"] == "retrieved",
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=_gains_rise,
    cite=JARVELIN_KEKALAINEN + "; discount and exponential gain: Burges et al., ICML 2005, doi:10.1145/1102351.1102363",
    aliases=("ndcg", "ndcg_cut", "ndcg_burges"),
    tools={
        "trec_eval": "ndcg, ndcg_cut_k; -l does not touch it",
        "ir_measures": "nDCG; dcg='exp-log2' is gain=exponential",
        "ranx": "ndcg; ndcg_burges is gain=exponential",
        "gdeval": "gain=exponential",
        "scikit-learn": "ideal=retrieved, averaged over the orders of tied documents",
        "torchmetrics": "ideal=retrieved",
        "TensorFlow Ranking": "gain=exponential, ideal=retrieved",
        "cwl_eval": "NDCG is another measure: it compares with k documents of the largest gain",
    },
)
def nDCG(
    judged: JudgedRanking,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2",
    base: float = 2,
    ideal: Ideal = "judged",
    cutoff: int | None = None,
) -> PerQuery:
    r"""Discounted gain of a ranking, as a share of the best its judgments allow.

    .. math:: \sum_{i \le k} \frac{g_i}{\log_2(i+1)} \Big/ \sum_{i \le k} \frac{g^*_i}{\log_2(i+1)}

    g_i is the gain at rank i; g* are the gains of all judged documents, highest first. `ideal=retrieved`
    compares with the best order of the retrieved documents only. Gain and discount are those of DCG.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found.
    That is 2 + 1/2 out of 2 + 0.631 + 1/2:

    >>> from cranfield.notation import ranking
    >>> print(nDCG(ranking("2-1|1")).round(4))
    0.7985
    """
    gains = _gains(judged, gain)
    best = gains.ideal if ideal == "judged" else gains.ideal_retrieved
    return ratio(_dcg(gains.top(cutoff), discount, base), _dcg(best.top(cutoff), discount, base))


def _gains(judged: JudgedRanking, gain: Gain) -> JudgedRanking:
    """The ranking with gains in place of grades."""
    if gain == "linear":
        return judged
    return judged.regraded(exponential if gain == "exponential" else dict(gain))


def exponential(grades: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """2^grade - 1; nothing for a negative grade."""
    if grades.max(initial=0) > LARGEST_EXPONENT:
        raise UsageError(
            f"2 to the power of a grade of {grades.max():g} is beyond any number there is.\n"
            "Exponential gain is meant for grades such as 0 to 4: take gain=linear, or map grades to gains."
        )
    return np.exp2(grades.clip(min=0)) - 1


def _dcg(gains: JudgedRanking, discount: Discount, base: float) -> PerQuery:
    return (gains.grades.clip(min=0) * _weights(gains.ranks, discount, base)).sum(axis=-1)


def _weights(ranks: npt.NDArray[np.float64], discount: Discount, base: float) -> npt.NDArray[np.float64]:
    if discount == "log2":
        return 1 / np.log2(ranks + 1)
    undiscounted = ranks < base
    return np.where(undiscounted, 1.0, np.log(base) / np.log(np.where(undiscounted, base, ranks)))
