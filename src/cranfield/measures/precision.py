"""Precision, recall and their relatives at a cutoff."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.ranges import AboveZero, Weight
from cranfield.measures.sets import CLEVERDON, VAN_RIJSBERGEN, f_measure

PrecisionNorm = Literal["k", "retrieved"]


@measure(
    additive=True,
    bounds=(0, 1),
    of_retrieved=True,
    cite=CLEVERDON,
    aliases=("precision", "prec"),
    tools={
        "trec_eval": "P_k",
        "ir_measures": "P@k",
        "ranx": "precision@k",
        "cwl_eval": "P@k; with graded gains it is cwlP",
        "TruLens": "norm=retrieved",
        "Evidently": "norm=retrieved",
        "Elasticsearch": "precision of _rank_eval is norm=retrieved",
        "OpenSearch": "Precision@k of Search Relevance Workbench is norm=retrieved, rounded to two decimals, with a "
        "relevance level that it takes from the ratings",
    },
)
def P(judged: JudgedRanking, *, rel: float = 1, norm: PrecisionNorm = "k", cutoff: int) -> PerQuery:
    r"""Precision at k: the share of the first k ranks that holds a relevant document.

    .. math:: \frac{1}{k} \sum_{i \le k} rel_i

    A run with fewer than k documents is still divided by k. Tools differ in this: `norm` is `k`, or `retrieved` to
    divide by the smaller of k and the number of documents retrieved; with none of them it is undefined.

    Three of the five first documents are relevant. A run that returned only two, one of them relevant, has 1/5, and of
    what it retrieved 1/2:

    >>> from cranfield.notation import ranking
    >>> print((P @ 5)(ranking("1-011|1")))
    0.6
    >>> print((P @ 5)(ranking("1-|1")), (P(norm="retrieved") @ 5)(ranking("1-|1")))
    0.2 0.5
    """
    top = judged.top(cutoff)
    hits = top.num_rel_ret(rel)
    return ratio(hits, top.retrieved) if norm == "retrieved" else hits / np.float64(cutoff)


@measure(
    additive=True,
    bounds=(0, 1),
    cite=CLEVERDON,
    aliases=("recall", "context_recall"),
    tools={
        "trec_eval": "recall_k",
        "ir_measures": "R@k",
        "ranx": "recall@k",
        "BEIR": "Recall@k; R_cap@k is another measure, RelP@k",
    },
)
def R(judged: JudgedRanking, *, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Recall at k: the share of all relevant documents found in the first k ranks.

    .. math:: \frac{1}{R} \sum_{i \le k} rel_i

    >>> from cranfield.notation import ranking
    >>> print((R @ 5)(ranking("1-011|1")))
    0.75
    """
    return ratio(judged.top(cutoff).num_rel_ret(rel), judged.num_rel(rel))


@measure(
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    cite="trec_eval (Buckley), relative_P; as capped recall: Thakur et al., BEIR, NeurIPS 2021, arXiv:2104.08663",
    aliases=("relative_p", "r_cap", "recall_cap"),
    tools={"trec_eval": "relative_P_k", "BEIR": "R_cap@k"},
)
def RelP(judged: JudgedRanking, *, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Relative precision at k: precision as a share of the best that k ranks and R documents allow.

    .. math:: \frac{\sum_{i \le k} rel_i}{\min(k, R)}

    With fewer relevant documents than ranks it is recall, otherwise precision.

    Three of the four relevant documents there are came in the first five ranks; with two ranks, one of two could:

    >>> from cranfield.notation import ranking
    >>> print((RelP @ 5)(ranking("1-011|1")), (RelP @ 2)(ranking("1-011|1")))
    0.75 0.5
    """
    return ratio(judged.top(cutoff).num_rel_ret(rel), np.minimum(judged.num_rel(rel), cutoff))


@measure(
    additive=True,
    bounds=(0, 1),
    cite=VAN_RIJSBERGEN,
    aliases=("f1", "f_measure"),
    tools={"ranx": "f1@k", "Evidently": "FBetaTopK"},
)
def F(judged: JudgedRanking, *, beta: Weight = 1, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Weighted harmonic mean of precision and recall at k; beta > 1 favours recall.

    .. math:: \frac{(\beta^2 + 1) P@k \, R@k}{\beta^2 P@k + R@k}

    P@5 is 3/5 and R@5 is 3/4:

    >>> from cranfield.notation import ranking
    >>> print((F @ 5)(ranking("1-011|1")).round(4))
    0.6667
    """
    hits = judged.top(cutoff).num_rel_ret(rel)
    return f_measure(hits, float(cutoff), judged.num_rel(rel), beta)


@measure(
    bounds=(0, 1),
    of_retrieved=True,
    cite="Craswell & Hawking, Overview of the TREC 2004 Web track (S@1, S@5, S@10)",
    aliases=("success", "hit_rate", "hitrate", "hit", "hr", "accuracy", "top_k_accuracy"),
    tools={
        "trec_eval": "success_k",
        "ir_measures": "Success@k",
        "ranx": "hit_rate@k",
        "NTCIREVAL": "Hit@k",
        "BEIR": "Accuracy@k",
        "DPR": "top-k accuracy",
    },
)
def Success(judged: JudgedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Whether a relevant document is among the first k; the hit rate when averaged.

    .. math:: \max_{i \le k} rel_i

    >>> from cranfield.notation import ranking
    >>> print((Success @ 1)(ranking("-1")), (Success @ 2)(ranking("-1")))
    0.0 1.0
    """
    return np.where(judged.top(cutoff).relevant(rel).any(axis=-1), 1.0, 0.0)[()]


@measure(
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    cite="Buckley & Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, 2005",
    aliases=("r-precision", "r_precision", "rprecision"),
    tools={
        "trec_eval": "Rprec",
        "ir_measures": "Rprec",
        "ranx": "r-precision",
        "trectools": "RPrec, which reads no deeper than 1000",
    },
)
def Rprec(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""R-precision: precision at rank R, the number of relevant documents there are.

    .. math:: \frac{1}{R} \sum_{i \le R} rel_i

    Three relevant documents exist, two of them in the first three ranks:

    >>> from cranfield.notation import ranking
    >>> print(Rprec(ranking("1-1|1")).round(4))
    0.6667
    """
    num_rel = judged.num_rel(rel)
    within = judged.ranks <= np.asarray(num_rel)[..., None]
    return ratio((judged.relevant(rel) & within).sum(axis=-1), num_rel)


@measure(
    additive=True,
    bounds=(0, 1),
    at="multiple",
    cite="trec_eval (Buckley), Rprec_mult",
    aliases=("rprec_mult",),
    tools={"trec_eval": "Rprec_mult_x; 0 where the cutoff is 0"},
)
def RprecMult(judged: JudgedRanking, *, rel: float = 1, multiple: AboveZero) -> PerQuery:
    r"""Precision at a multiple of R, the number of relevant documents there are.

    .. math:: \frac{1}{k} \sum_{i \le k} rel_i, \quad k = \lfloor x R + 0.9 \rfloor

    Small multiples show how good the top is and large ones how well the rest was found, at points that mean the
    same for queries with few and with many relevant documents. Undefined where x R is below 0.1, so that k is 0.

    Three relevant documents exist; half of three is read as two ranks, and twice three is six:

    >>> from cranfield.notation import ranking
    >>> print((RprecMult @ 0.5)(ranking("1-1|1")), (RprecMult @ 2)(ranking("1-1|1")).round(4))
    0.5 0.3333
    """
    cutoff = np.trunc(multiple * judged.num_rel(rel) + 0.9)
    within = judged.ranks <= np.asarray(cutoff)[..., None]
    return ratio((judged.relevant(rel) & within).sum(axis=-1), cutoff)
