"""Measures over several judges: each judge's grades give a score, and their mean is the query's.

A judge's score is that of the ordinary measure; one who found nothing relevant counts 0 there, unless nobody found
anything. Where unjudged documents are left out, each judge leaves out those that he or she did not judge.
"""

from __future__ import annotations

import numpy as np

from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.average import AP
from cranfield.measures.definition import Measure, PerQuery, in_turn, measure, ratio
from cranfield.measures.precision import P, RprecMult
from cranfield.measures.ranges import AboveZero

CITE = "trec_eval (Buckley), qrels_jg"


@measure(
    groups="judge",
    bounds=(0, 1),
    cite=CITE,
    aliases=("map_avgjg",),
    tools={"trec_eval": "map_avgjg, with -R qrels_jg"},
)
def AP_avgjg(judged: GroupedRanking, *, rel: float = 1) -> PerQuery:
    r"""Average precision by the grades of each judge, averaged over judges.

    .. math:: \frac{1}{|J|} \sum_{j \in J} AP_j

    J are the judges of the query. Its judgments name them in the second column of a TREC file, or in a column
    `judge`.

    For the first judge the documents at ranks 1 and 3 are relevant, for the second the one at rank 3:
    the mean of (1 + 2/3) / 2 and 1/3.

    >>> from cranfield.notation import grouped
    >>> print(AP_avgjg(grouped("10 00 11")).round(4))
    0.5833
    """
    return _averaged(AP(rel=rel), judged)


@measure(
    groups="judge",
    additive=True,
    bounds=(0, 1),
    cite=CITE,
    tools={"trec_eval": "P_avgjg, with -R qrels_jg"},
)
def P_avgjg(judged: GroupedRanking, *, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Precision at a cutoff by the grades of each judge, averaged over judges.

    .. math:: \frac{1}{|J|} \sum_{j \in J} P_j@k

    For the first judge two of three documents are relevant, for the second one:

    >>> from cranfield.notation import grouped
    >>> print((P_avgjg @ 3)(grouped("10 00 11")))
    0.5
    """
    return _averaged(P(rel=rel) @ cutoff, judged)


@measure(
    groups="judge",
    additive=True,
    at="multiple",
    bounds=(0, 1),
    cite=CITE,
    aliases=("Rprec_mult_avgjg",),
    tools={"trec_eval": "Rprec_mult_avgjg, with -R qrels_jg"},
)
def RprecMult_avgjg(judged: GroupedRanking, *, rel: float = 1, multiple: AboveZero) -> PerQuery:
    r"""Precision at a multiple of R by the grades of each judge, averaged over judges.

    .. math:: \frac{1}{|J|} \sum_{j \in J} RprecMult_j@m

    R is the number of documents that one judge found relevant: 2 for the first here, 1 for the second.

    >>> from cranfield.notation import grouped
    >>> print((RprecMult_avgjg @ 1)(grouped("10 00 11")))
    0.25
    """
    return _averaged(RprecMult(rel=rel) @ multiple, judged)


def _averaged(measure: Measure, judged: GroupedRanking) -> PerQuery:
    scores = measure(judged.by_group.condensed() if judged.judged_only else judged.by_group)
    judges = judged.owners >= 0
    known = judges & ~np.isnan(scores)
    return ratio(in_turn(np.where(known, scores, 0.0)), np.where(known.any(axis=-1), judges.sum(axis=-1), 0))
