"""How soon the first relevant document comes."""

from __future__ import annotations

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    of_retrieved=True,
    cite="Kantor & Voorhees, Information Retrieval 2(2), 2000, doi:10.1023/A:1009902609570",
    aliases=("recip_rank", "mrr", "reciprocal_rank", "mean_reciprocal_rank"),
    tools={
        "trec_eval": "recip_rank, without a cutoff",
        "ir_measures": "RR; RR@k breaks ties the other way, by document id ascending",
        "ranx": "mrr, mrr@k",
        "cwl_eval": "RR; with graded gains it is cwlRR",
        "MS MARCO": "MRR@10 over all queries of the reference file",
    },
)
def RR(judged: JudgedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Reciprocal rank of the first relevant document, 0 if there is none; MRR when averaged.

    .. math:: \frac{1}{\min \{i \le k : rel_i = 1\}}

    >>> from cranfield.notation import ranking
    >>> print(RR(ranking("-011")).round(4))
    0.3333
    """
    top = judged.top(cutoff)
    return (top.relevant(rel) / top.ranks).max(axis=-1, initial=0.0)


@measure(
    bounds=(1, np.inf),
    undefined="skip",
    lower_is_better=True,
    of_retrieved=True,
    cite="Cooper, Expected search length, American Documentation 19(1), 1968, doi:10.1002/asi.5090190108",
    aliases=("search_length", "searchlength"),
    caution="A query without a relevant document in its ranking has no search length: the mean leaves it out.",
    tools={"cwl_eval": "1/RR"},
)
def SL(judged: JudgedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Search length: the rank of the first relevant document; lower is better.

    .. math:: \min \{i \le k : rel_i = 1\}

    Undefined when no relevant document is in the ranking.

    >>> from cranfield.notation import ranking
    >>> print(SL(ranking("-011")))
    3.0
    """
    top = judged.top(cutoff)
    first = np.where(top.relevant(rel), top.ranks, np.inf).min(axis=-1, initial=np.inf)
    return np.where(np.isinf(first), np.nan, first)[()]
