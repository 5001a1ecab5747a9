"""Average precision and precision interpolated over recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.ranges import RecallLevel

Norm = Literal["relevant", "retrieved", "min", "k"]
Levels = Literal["exact", "trec_eval-9", "trec_eval-10"]

BUCKLEY_VOORHEES = "Buckley & Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, 2005"
MANNING = "Manning, Raghavan & Schütze, Introduction to Information Retrieval, 2008, sec. 8.4"


def _needs_cutoff(params: Mapping[str, Any]) -> str:
    if params["norm"] in ("min", "k") and params["cutoff"] is None:
        return f"AP(norm={params['norm']}) divides by a cutoff and needs one: AP(norm={params['norm']})@10."
    return ""


@measure(
    divides_by_found=lambda params: params["norm"] == "retrieved",
    bounds=(0, 1),
    # With more relevant documents than k, or fewer, even the best top k is only a part of R, or of k.
    normalised=lambda params: params["cutoff"] is None or params["norm"] in ("retrieved", "min"),
    cite=BUCKLEY_VOORHEES,
    aliases=(
        *("map", "map_cut", "average_precision", "mean_average_precision", "avgprec"),
        *("context_precision", "contextual_precision"),
    ),
    # Over the relevant documents found, a late find lowers the average: `1--` scores 1, `1-1` scores 5/6.
    monotone=lambda params: params["norm"] != "retrieved" or params["cutoff"] is None,
    check=_needs_cutoff,
    tools={
        "trec_eval": "map, map_cut_k",
        "ir_measures": "AP, AP@k",
        "ranx": "map, map@k",
        "NTCIREVAL": "AP; its AP@k is norm=min",
        "cwl_eval": "the EU of TrAP; its AP is norm=retrieved; with graded gains it is cwlAP",
        "torchmetrics": "norm=retrieved",
        "ragas": "context precision is norm=retrieved over a model's verdicts",
        "recommenders": "map_at_k is norm=min",
        "sentence-transformers": "norm=min",
        "scikit-learn": "average_precision_score merges tied scores into one step",
    },
)
def AP(judged: JudgedRanking, *, rel: float = 1, norm: Norm = "relevant", cutoff: int | None = None) -> PerQuery:
    r"""Average precision: the mean of the precision at each relevant document, zero where one is not found.

    .. math:: \frac{1}{R} \sum_{i \le k} rel_i \, P@i

    Tools differ in the denominator. `norm` is `relevant` (R, all relevant documents), `retrieved` (the
    relevant documents in the ranking or its top k), `min` (the smaller of k and R) or `k`.

    Relevant documents at ranks 1 and 3, one never found: (1/1 + 2/3) / 3.

    >>> from cranfield.notation import ranking
    >>> print(AP(ranking("101|1")).round(4))
    0.5556
    >>> print(AP(norm="retrieved")(ranking("101|1")).round(4))
    0.8333
    """
    top = judged.top(cutoff)
    total = (top.relevant(rel) * (top.found(rel) / top.ranks)).sum(axis=-1)
    return ratio(total, _denominator(norm, judged.num_rel(rel), top.num_rel_ret(rel), cutoff))


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    mean="geometric",
    cite="Robertson, On GMAP, CIKM 2006, doi:10.1145/1183614.1183630",
    aliases=("gm_map",),
    tools={
        "trec_eval": "gm_map",
        "pytrec_eval": "gm_map, whose per-query values are logarithms",
        "trectools": "the same floor",
    },
)
def GMAP(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Average precision whose mean over queries is geometric, so that poor queries weigh more.

    .. math:: \exp \frac{1}{|Q|} \sum_{q} \ln \max(AP_q, 10^{-5})

    Per query it is AP; the floor keeps a single zero from making the whole mean zero.

    >>> from cranfield.notation import ranking
    >>> print(GMAP(ranking("101|1")).round(4))
    0.5556
    """
    return AP(rel=rel)(judged)


@measure(
    bounds=(-np.inf, np.inf),
    cite="Robertson, On smoothing average precision, ECIR 2012, LNCS 7224, pp. 158-169",
    tools={
        "trec_eval": "yaap, by name only; version 9 counts a query without results as 0 under -c, not a low score here"
    },
)
def YAAP(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Yet another average precision: AP smoothed and put on a logarithmic scale without ends.

    .. math:: \ln \frac{1 + s}{1 + R - s}

    s is R times AP, the sum of the precisions at the relevant documents found. It orders the runs of one query as AP
    does, but a step from 0.01 to 0.02 counts for more than one from 0.50 to 0.51. AP of 1/2 is 0; the ends, where
    nothing is found or all of it first, are -ln(1 + R) and ln(1 + R).

    Relevant documents at ranks 1 and 3, one never found: ln (1 + 5/3) / (1 + 3 - 5/3).

    >>> from cranfield.notation import ranking
    >>> print(YAAP(ranking("101|1")).round(4))
    0.1335
    """
    num_rel = judged.num_rel(rel)
    total = np.nan_to_num(AP(rel=rel)(judged)) * num_rel
    return np.where(num_rel == 0, np.nan, np.log((1 + total) / (1 + num_rel - total)))[()]


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    at="recall",
    cite=MANNING,
    aliases=("iprec_at_recall",),
    tools={
        "trec_eval": "iprec_at_recall_r; levels=trec_eval-9 or trec_eval-10 by version",
        "ir_measures": "IPrec@r, as trec_eval 9",
        "ranx": "interpolated precision, as trec_eval 9",
    },
)
def IPrec(judged: JudgedRanking, *, rel: float = 1, levels: Levels = "exact", recall: RecallLevel) -> PerQuery:
    r"""Interpolated precision: the best precision at any rank where recall has reached a level.

    .. math:: \max_{i : R@i \ge r} P@i

    The level is turned into a number of relevant documents: `exact` is the least number whose share of R is
    at least r; trec_eval up to 9 takes r·R + 0.9 without its fraction, trec_eval 10 rounds r·R.
    A level that is never reached scores 0.

    Recall reaches 1/3 at rank 1 and 2/3 at rank 3, where precision is 2/3:

    >>> from cranfield.notation import ranking
    >>> print((IPrec @ 0.5)(ranking("101|1")).round(4))
    0.6667
    """
    found, num_rel = judged.found(rel), judged.num_rel(rel)
    enough = judged.relevant(rel) & (found >= np.asarray(documents_at(recall, num_rel, levels))[..., None])
    best = np.where(enough, found / judged.ranks, 0.0).max(axis=-1, initial=0.0)
    return np.where(num_rel == 0, np.nan, best)[()]


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    cite=MANNING,
    aliases=("11pt_avg", "11pt", "11-point"),
    tools={
        "trec_eval": "11pt_avg; levels=trec_eval-9 or trec_eval-10 by version",
    },
)
def ElevenPoint(judged: JudgedRanking, *, rel: float = 1, levels: Levels = "exact") -> PerQuery:
    r"""Mean of the interpolated precision at the eleven recall levels 0, 0.1, …, 1.

    .. math:: \frac{1}{11} \sum_{r \in \{0, 0.1, \dots, 1\}} \max_{i : R@i \ge r} P@i

    Precision 1 up to recall 1/3, then 2/3 up to recall 2/3, then nothing: (4·1 + 3·2/3) / 11.

    >>> from cranfield.notation import ranking
    >>> print(ElevenPoint(ranking("101|1")).round(4))
    0.5455
    """
    at_levels = [IPrec(rel=rel, levels=levels, recall=tenth / 10)(judged) for tenth in range(11)]
    return np.stack(at_levels, axis=-1).sum(axis=-1) / 11


def documents_at(recall: float, num_rel: PerQuery, levels: Levels) -> PerQuery:
    """How many relevant documents a level of recall asks for."""
    wanted = recall * num_rel
    match levels:
        case "trec_eval-9":
            return np.trunc(wanted + 0.9)
        case "trec_eval-10":
            return np.floor(wanted + 0.5)
        case _:
            # 0.07 · 100 is 7.000000000000001 in binary and must ask for 7 documents, not 8.
            return np.ceil(np.round(wanted, 9))


def _denominator(norm: Norm, num_rel: PerQuery, found: PerQuery, cutoff: int | None) -> PerQuery:
    match norm:
        case "retrieved":
            return found
        case "min":
            return np.minimum(num_rel, np.inf if cutoff is None else cutoff)
        case "k":
            return np.where(num_rel == 0, 0.0, np.inf if cutoff is None else cutoff)
        case _:
            return num_rel
