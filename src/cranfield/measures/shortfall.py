"""Gain discounted by how far a ranking has fallen behind the ideal one, instead of by rank."""

from __future__ import annotations

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.gain import Gain, at_ranks, gains_of


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    cite="trec_eval (Buckley), binG, an experiment of 2008",
    tools={"trec_eval": "binG"},
)
def binG(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Binary G: relevant documents, each discounted by how many others stand above it.

    .. math:: \frac{1}{R} \sum_{i} \frac{rel_i}{\log_2(2 + n_i)}

    n_i is the number of documents above rank i that are not relevant, judged or not. Unlike the discount of DCG it
    does not grow with the relevant documents above: those cannot be reproached with their rank.

    Relevant documents at ranks 1 and 3, one never found: (1 + 1/log2(3)) / 3.

    >>> from cranfield.notation import ranking
    >>> print(binG(ranking("1-1|1")).round(4))
    0.5436
    """
    relevant = judged.relevant(rel)
    others = np.where(relevant, judged.ranks - judged.found(rel), 0.0)
    return ratio((relevant / np.log2(2 + others)).sum(axis=-1), judged.num_rel(rel))


@measure(
    bounds=(0, 1),
    # Late in a ranking the first of two good documents makes up for much of the shortfall, and the second profits:
    # the better of the two may gain more there.
    monotone=lambda params: False,
    cite="trec_eval (Buckley), G, an experiment of 2008",
    tools={"trec_eval": "G, G.1=3,2=9; -l (the lowest relevant grade) does not change it"},
)
def G(judged: JudgedRanking, *, gain: Gain = "linear") -> PerQuery:
    r"""Gains, each discounted by how far the ranking has fallen behind the ideal one.

    .. math:: \sum_i \frac{g_i}{\log_2(2 + \sum_{j \le i} (\max(g^*_j, 1) - g_j))} \Big/ \sum_j g^*_j

    g_i is the gain at rank i, as for DCG; g* are the gains of all judged documents, highest first, and 0 after them.
    A rank costs what the ideal ranking gains there, but 1 at least; what was gained down to it, the document itself
    included, is taken off. A perfect ranking scores 1 if no gain lies between 0 and 1.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found. Nothing is lost at rank 1; at
    rank 3 the cost is 2 + 1 + 1 and the gain 2 + 1. That is 2 + 1/log2(3) out of 4:

    >>> from cranfield.notation import ranking
    >>> print(G(ranking("2-1|1")).round(4))
    0.6577
    """
    gained = gains_of(judged, gain)
    own, best = gained.grades.clip(min=0), gained.ideal.grades.clip(min=0)
    # Every rank costs 1, and the first ones what the ideal ranking gains there beyond that.
    cost = np.where(own > 0, judged.ranks, 0.0) + at_ranks((best - 1).clip(min=0).cumsum(axis=-1), judged.ranks)
    # Rounding may leave a cost a little below the gains that make it up.
    shortfall = np.where(own > 0, (cost - own.cumsum(axis=-1)).clip(min=0), 0.0)
    return ratio((own / np.log2(2 + shortfall)).sum(axis=-1), best.sum(axis=-1))
