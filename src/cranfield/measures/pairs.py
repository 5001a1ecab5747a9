"""How often a relevant document comes before an irrelevant one."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio

PairsOf = Literal["judged", "retrieved"]


@measure(
    bounds=(0, 1),
    # A query whose judged documents are all relevant, or all irrelevant, tells nothing about any run.
    undefined="skip",
    caution=(
        "With pairs=retrieved, a query has no score if none of its relevant documents was retrieved, and is left out "
        "of the mean: a run may gain by finding less. Do not choose a system by it."
    ),
    # A cutoff may let in an irrelevant document, or leave out one that was in the right order.
    monotone=lambda params: params["cutoff"] is None,
    divides_by_found=lambda params: True,
    cite="Hanley & McNeil, Radiology 143(1), 1982, doi:10.1148/radiology.143.1.7063747",
    aliases=("roc_auc", "roc_auc_score", "pair_accuracy", "PairAccuracy"),
    tools={
        "scikit-learn": "roc_auc_score of the judged documents, those not retrieved with the same lowest score",
        "ir_measures": "Accuracy is pairs=retrieved; it stops where only relevant documents were retrieved",
        "LightFM": "auc_score takes every item of the collection that is not known to be relevant for irrelevant",
    },
)
def AUC(judged: JudgedRanking, *, rel: float = 1, pairs: PairsOf = "judged", cutoff: int | None = None) -> PerQuery:
    r"""Area under the ROC curve: the share of pairs of a relevant and an irrelevant document in the right order.

    .. math:: \frac{1}{R N} \sum_r \sum_n ([r \text{ before } n] + \frac{1}{2} [\text{neither retrieved}])

    The sums are over the R relevant and the N irrelevant documents. A random order has 1/2 on average. Undefined where
    a query has no relevant or no irrelevant document.

    `pairs` says which documents take part. Of `judged` ones, those that were not retrieved, or not in the top k, come
    last and in no order: a pair of them counts a half, and so does every pair if nothing was retrieved. Unjudged
    documents do not count. Of `retrieved` ones, or those in the top k, all that are not relevant count as irrelevant,
    judged or not, and what was not retrieved does not count.

    Two relevant documents, one of them first and one not retrieved; two irrelevant ones, one retrieved. The first
    document is before both, the other one after one and level with the other: (2 + 1/2) / 4. Of the documents
    retrieved, the only relevant one is first:

    >>> from cranfield.notation import ranking
    >>> print(AUC(ranking("1-0|1 0")))
    0.625
    >>> print(AUC(pairs="retrieved")(ranking("1-0|1 0")))
    1.0
    """
    top = judged.top(cutoff)
    hits = top.num_rel_ret(rel)
    if pairs == "retrieved":
        num_pairs = hits * (top.retrieved - hits)
        above = np.where(top.relevant(rel), top.ranks - top.found(rel), 0.0)
        return ratio(num_pairs - above.sum(axis=-1), num_pairs)
    num_rel, num_irrelevant = judged.num_rel(rel), judged.num_irrelevant(rel)
    missed, unmet = num_rel - hits, num_irrelevant - top.irrelevant(rel).sum(axis=-1)
    in_order = (top.irrelevant(rel) * top.found(rel)).sum(axis=-1) + unmet * (hits + missed / 2)
    return ratio(in_order, num_rel * num_irrelevant)
