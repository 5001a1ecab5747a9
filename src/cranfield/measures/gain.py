"""Cumulated gain: graded relevance, discounted by rank, compared with the best there could be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking, remembered
from cranfield.errors import UsageError
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.ranges import AboveOne

Gains = tuple[tuple[float, float], ...]
Gain = Literal["linear", "exponential"] | Gains
Discount = Literal["log2", "jk"]
Ideal = Literal["judged", "retrieved"]

LARGEST_EXPONENT = 1000
"""2^1024 is infinite; sums of some thousands of such gains must stay finite too."""

JARVELIN_KEKALAINEN = "Järvelin & Kekäläinen, TOIS 20(4), 2002, doi:10.1145/582415.582418"


def gains_rise(params: Mapping[str, Any]) -> bool:
    """Whether a better grade never gains less."""
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
    monotone=gains_rise,
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
    return gains_of(judged.top(cutoff), gain).grades.clip(min=0).sum(axis=-1)


@measure(
    additive=True,
    bounds=(0, np.inf),
    of_retrieved=True,
    monotone=gains_rise,
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
    base: AboveOne = 2,
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
    return _dcg(gains_of(judged, gain).top(cutoff), discount, base)


@measure(
    divides_by_found=lambda params: params["ideal"] == "retrieved",
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=gains_rise,
    cite=JARVELIN_KEKALAINEN + "; discount and exponential gain: Burges et al., ICML 2005, doi:10.1145/1102351.1102363",
    aliases=("ndcg", "ndcg_cut", "ndcg_burges", "MSnDCG"),
    tools={
        "trec_eval": "ndcg, ndcg_cut_k; -l (the lowest relevant grade) does not change it",
        "ir_measures": "nDCG; dcg='exp-log2' is gain=exponential",
        "ranx": "ndcg; ndcg_burges is gain=exponential",
        "gdeval": "gain=exponential",
        "NTCIREVAL": "MSnDCG@k; its nDCG@k is discount=jk, where base is its -logb",
        "scikit-learn": "ideal=retrieved, averaged over the orders of tied documents",
        "torchmetrics": "ideal=retrieved",
        "TensorFlow Ranking": "gain=exponential, ideal=retrieved",
        "cwl_eval": "NDCG is another measure, SDCG: it compares with k documents of the largest gain",
    },
)
def nDCG(
    judged: JudgedRanking,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2",
    base: AboveOne = 2,
    ideal: Ideal = "judged",
    cutoff: int | None = None,
) -> PerQuery:
    r"""Discounted gain of a ranking, as a share of the best its judgments allow.

    .. math:: \sum_{i \le k} \frac{g_i}{\log_2(i+1)} \Big/ \sum_{i \le k} \frac{g^*_i}{\log_2(i+1)}

    g_i is the gain of the document at rank i: its grade, and 0 if it was not judged. g* are the gains of all judged
    documents, highest first; `ideal=retrieved` compares with the best order of the retrieved documents only. `gain` and
    `discount` change both, as in DCG.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found.
    That is 2 + 1/2 out of 2 + 0.631 + 1/2:

    >>> from cranfield.notation import ranking
    >>> print(nDCG(ranking("2-1|1")).round(4))
    0.7985
    """
    gains = gains_of(judged, gain)
    best = gains.ideal if ideal == "judged" else gains.ideal_retrieved
    return ratio(_dcg(gains.top(cutoff), discount, base), _dcg(best.top(cutoff), discount, base))


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=gains_rise,
    cite="trec_eval (Buckley), ndcg_rel, an experiment; nDCG: " + JARVELIN_KEKALAINEN,
    aliases=("ndcg_rel",),
    tools={"trec_eval": "ndcg_rel, ndcg_rel.1=3,2=9; -l (the lowest relevant grade) does not change it"},
)
def nDCGrel(judged: JudgedRanking, *, gain: Gain = "linear") -> PerQuery:
    r"""Mean of nDCG at the rank of each document with a gain, as AP is of precision.

    .. math:: \frac{1}{R} \left( \sum_{i : g_i > 0} nDCG@i + (R - r) \cdot nDCG \right)

    R is the number of judged documents with a gain above 0, and r how many of them were retrieved. A document that
    was not found counts with nDCG of the whole ranking.

    Grade 2 first, where nDCG is 1; grade 1 third, where it is 2.5 / 3.1309, as it is at the end:

    >>> from cranfield.notation import ranking
    >>> print(nDCGrel(ranking("2-1|1")).round(4))
    0.8657
    """
    gained = gains_of(judged, gain)
    own = _discounted(gained).cumsum(axis=-1)
    best = _discounted(gained.ideal).cumsum(axis=-1)
    at_end = nDCG(gain=gain)(judged)
    relevant, num_rel = gained.grades > 0, (gained.judged > 0).sum(axis=-1)
    in_ranking = np.where(relevant, own / np.where(relevant, at_ranks(best, judged.ranks), 1.0), 0.0).sum(axis=-1)
    return ratio(in_ranking + (num_rel - relevant.sum(axis=-1)) * at_end, num_rel)


@measure(
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=gains_rise,
    cite="trec_eval (Buckley), Rndcg, an experiment; nDCG: " + JARVELIN_KEKALAINEN,
    tools={"trec_eval": "Rndcg, Rndcg.1=3,2=9; 0 where -l, the lowest relevant grade, leaves no relevant document"},
)
def Rndcg(judged: JudgedRanking, *, gain: Gain = "linear") -> PerQuery:
    r"""Mean of nDCG at the ranks where the gain of the ideal ranking falls, as R-precision is precision at R.

    .. math:: \frac{1}{|B|} \sum_{b \in B} nDCG@b

    B has the last rank of each gain above 0 in the ideal ranking: with two documents of grade 2 and three of grade 1
    these are 2 and 5. A ranking that goes on for two ranks or more beyond the last of them has its own last rank in B
    as well.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found. The ideal ranking falls after ranks
    1 and 3, where nDCG is 1 and 2.5 / 3.1309:

    >>> from cranfield.notation import ranking
    >>> print(Rndcg(ranking("2-1|1")).round(4))
    0.8992
    """
    gained = gains_of(judged, gain)
    best = gained.ideal.grades.clip(min=0)
    falls = best > np.concatenate([best[..., 1:], np.zeros_like(best[..., :1])], axis=-1)
    ideal = _discounted(gained.ideal).cumsum(axis=-1)
    share = np.where(falls, 1 / np.where(falls, ideal, 1.0), 0.0)
    num_rel = (best > 0).sum(axis=-1)
    beyond = (judged.retrieved > num_rel + 1) & (num_rel > 0)
    # A document counts at every point that is not above it.
    at_end = np.where(beyond, ratio(1, ideal.max(axis=-1, initial=0.0)), 0.0)
    above = at_ranks(share.cumsum(axis=-1), judged.ranks - 1)
    counts = (share.sum(axis=-1) + at_end)[..., None] - above
    total = np.where(gained.grades > 0, _discounted(gained) * counts, 0.0).sum(axis=-1)
    return ratio(total, falls.sum(axis=-1) + beyond)


def at_ranks(by_rank: npt.NDArray[np.float64], ranks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What a running total of the ideal ranking has come to at some ranks; after its end it stays as it is."""
    before_first = np.zeros_like(by_rank[..., :1]) if by_rank.shape[-1] else np.zeros((*by_rank.shape[:-1], 1))
    totals = np.concatenate([before_first, by_rank], axis=-1)
    places = np.minimum(ranks, by_rank.shape[-1]).astype(np.int64)
    return np.take_along_axis(totals, places, axis=-1)


@remembered
def gains_of(judged: JudgedRanking, gain: Gain) -> JudgedRanking:
    """The ranking with gains in place of grades."""
    if gain == "linear":
        return judged
    return judged.regraded(exponential if gain == "exponential" else dict(gain))


def largest_gain(gain: Gain, collection: float, max_grade: float | None = None) -> float:
    """The most a document can gain: that of the collection's best grade, or of a better one that is given or named.

    Where nothing gains anything, any number will do.
    """
    named = {} if isinstance(gain, str) else dict(gain)
    largest = collection if max_grade is None else max_grade
    unnamed = math.floor(largest)
    while unnamed in named:
        unnamed -= 1
    reached = [grade for grade in named if max_grade is None or grade <= max_grade]
    return max(named.get(grade, grade) for grade in (largest, unnamed, 0, *reached)) or 1.0


def exponential(grades: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """2^grade - 1; nothing for a negative grade."""
    if grades.max(initial=0) > LARGEST_EXPONENT:
        raise UsageError(
            f"2 to the power of a grade of {grades.max():g} is too large to compute.\n"
            "Exponential gain is meant for grades such as 0 to 4: take gain=linear, or map grades to gains."
        )
    return np.exp2(grades.clip(min=0)) - 1


def _dcg(gains: JudgedRanking, discount: Discount, base: float) -> PerQuery:
    return _discounted(gains, discount, base).sum(axis=-1)


@remembered
def _discounted(gains: JudgedRanking, discount: Discount = "log2", base: float = 2) -> npt.NDArray[np.float64]:
    if discount == "log2":
        weights = 1 / np.log2(gains.ranks + 1)
    else:
        undiscounted = gains.ranks < base
        weights = np.where(undiscounted, 1.0, np.log(base) / np.log(np.where(undiscounted, base, gains.ranks)))
    return gains.grades.clip(min=0) * weights
