"""Counts: how much was asked, returned, relevant, judged."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio

Pooled = Literal["unjudged", "judged"]
"""What a pooled document with a negative grade counts as."""


@measure(
    additive=True, bounds=(1, 1), mean="sum", aliases=("num_q",), tools={"trec_eval": "num_q", "ir_measures": "NumQ"}
)
def NumQ(judged: JudgedRanking) -> PerQuery:
    r"""Number of queries evaluated.

    .. math:: 1

    >>> from cranfield.notation import ranking
    >>> print(NumQ(ranking("10|1")))
    1.0
    """
    return np.ones_like(judged.retrieved)[()]


@measure(
    additive=True,
    bounds=(0, np.inf),
    mean="sum",
    aliases=("num_ret",),
    tools={"trec_eval": "num_ret", "ir_measures": "NumRet"},
)
def NumRet(judged: JudgedRanking) -> PerQuery:
    r"""Number of documents retrieved.

    .. math:: n

    >>> from cranfield.notation import ranking
    >>> print(NumRet(ranking("1-0|1")))
    3.0
    """
    return np.asarray(judged.retrieved)[()]


@measure(
    additive=True,
    bounds=(0, np.inf),
    mean="sum",
    aliases=("num_rel",),
    tools={"trec_eval": "num_rel; with -c it ignores -l, the lowest relevant grade", "ir_measures": "NumRel"},
)
def NumRel(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Number of relevant documents there are, retrieved or not.

    .. math:: R

    >>> from cranfield.notation import ranking
    >>> print(NumRel(ranking("1-0|1")))
    2.0
    """
    return judged.num_rel(rel)


@measure(
    additive=True,
    bounds=(0, np.inf),
    mean="sum",
    aliases=("num_rel_ret", "hits"),
    of_retrieved=True,
    tools={
        "trec_eval": "num_rel_ret",
        "ir_measures": "NumRelRet",
        "ranx": "hits; the mean over queries, not the sum",
    },
)
def NumRelRet(judged: JudgedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Number of relevant documents retrieved, in the top k if there is a cutoff.

    .. math:: \sum_{i \le k} rel_i

    >>> from cranfield.notation import ranking
    >>> print(NumRelRet(ranking("1-0|1")))
    1.0
    """
    return judged.top(cutoff).num_rel_ret(rel)


@measure(
    additive=True,
    bounds=(0, np.inf),
    mean="sum",
    lower_is_better=True,
    # With a cutoff, one judged irrelevant that moves up past an unjudged one is counted.
    monotone=lambda params: False,
    aliases=("num_nonrel_judged_ret",),
    tools={"trec_eval": "num_nonrel_judged_ret"},
)
def NumNonrelRet(judged: JudgedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Number of documents retrieved that were judged irrelevant, in the top k if there is a cutoff.

    .. math:: |\{i \le k : 0 \le g_i < rel\}|

    Unjudged documents do not count, nor do pooled ones with a negative grade.

    >>> from cranfield.notation import ranking
    >>> print(NumNonrelRet(ranking("1-0|0")))
    1.0
    """
    return judged.top(cutoff).irrelevant(rel).sum(axis=-1, dtype=np.float64)


@measure(
    additive=True,
    of_unjudged=True,
    bounds=(0, 1),
    undefined="skip",
    cite="Büttcher, Clarke, Yeung & Soboroff, SIGIR 2007, doi:10.1145/1277741.1277755 (on unjudged documents)",
    aliases=("coverage",),
    tools={
        "OpenSearch": "Coverage@k of Search Relevance Workbench, rounded to two decimals, 0 if nothing was retrieved",
        "ir_measures": "Judged with pooled=judged, ties by document id ascending",
        "trec_eval": "unj_k in version 10 is another measure: Unjudged@k",
        "pyserini": "judged.k, over all rows of all queries at once",
        "BEIR": "1 - Hole@k, where a document judged for any query counts as judged",
    },
)
def Judged(judged: JudgedRanking, *, pooled: Pooled = "unjudged", cutoff: int | None = None) -> PerQuery:
    r"""Share of the documents retrieved that somebody judged.

    .. math:: \frac{|\{i \le k : d_i \text{ judged}\}|}{\min(k, n)}

    n is the number of documents retrieved. A pooled document with a negative grade is not judged, unless
    `pooled=judged` says so.

    Three documents, the second unjudged:

    >>> from cranfield.notation import ranking
    >>> print(Judged(ranking("1-0|1")).round(4))
    0.6667
    """
    top = judged.top(cutoff)
    known = top.grades >= 0 if pooled == "unjudged" else top.grades > -np.inf
    return ratio(known.sum(axis=-1), top.retrieved)


@measure(
    additive=True,
    of_unjudged=True,
    bounds=(0, 1),
    lower_is_better=True,
    cite="trec_eval 10, unj",
    aliases=("unj", "hole"),
    tools={
        "trec_eval": "unj_k, from version 10 on",
        "trectools": "get_unjudged",
        "BEIR": "Hole@k, where a document judged for any other query counts as judged too",
    },
)
def Unjudged(judged: JudgedRanking, *, cutoff: int) -> PerQuery:
    r"""Share of the first k ranks that holds a document nobody judged; lower is better.

    .. math:: \frac{1}{k} |\{i \le k : d_i \text{ unjudged}\}|

    A run with fewer than k documents is still divided by k, so it is 1 - Judged@k only where k were retrieved.
    A pooled document with a negative grade is not judged.

    >>> from cranfield.notation import ranking
    >>> print((Unjudged @ 4)(ranking("1-0")))
    0.25
    """
    top = judged.top(cutoff)
    return (top.retrieved - (top.grades >= 0).sum(axis=-1)) / np.float64(cutoff)
