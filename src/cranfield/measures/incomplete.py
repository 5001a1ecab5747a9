"""Measures made for incomplete judgments."""

from __future__ import annotations

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.definition import PerQuery, measure, ratio

EPSILON = 1e-5
"""infAP's smoothing, as in trec_eval."""


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    cite="Buckley & Voorhees, SIGIR 2004, doi:10.1145/1008992.1009000; as corrected in trec_eval 8",
    tools={
        "trec_eval": "bpref",
        "ir_measures": "Bpref",
        "ranx": "bpref, NaN where no document is judged irrelevant",
        "trectools": "counts only grade 0 as irrelevant",
    },
)
def Bpref(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Binary preference: how seldom judged irrelevant documents come before relevant ones.

    .. math:: \frac{1}{R} \sum_{r} \left( 1 - \frac{\min(n_r, R)}{\min(R, N)} \right)

    The sum is over relevant documents retrieved; n_r is the number of documents judged irrelevant above one,
    N the number of documents judged irrelevant at all. Unjudged documents do not count.

    Two relevant documents, the second below one of two irrelevant ones: (1 + 1/2) / 2.

    >>> from cranfield.notation import ranking
    >>> print(Bpref(ranking("1-01|0")))
    0.75
    """
    num_rel = np.asarray(judged.num_rel(rel))
    above = judged.irrelevant(rel).cumsum(axis=-1)
    worst = np.maximum(np.minimum(num_rel, judged.num_irrelevant(rel)), 1)[..., None]
    preferred = 1 - np.minimum(above, num_rel[..., None]) / worst
    return ratio((judged.relevant(rel) * preferred).sum(axis=-1), num_rel)


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    mean="geometric",
    cite="trec_eval (Buckley), gm_bpref; its mean: Robertson, CIKM 2006, doi:10.1145/1183614.1183630",
    aliases=("gm_bpref",),
    tools={
        "trec_eval": "gm_bpref",
        "pytrec_eval": "gm_bpref, whose per-query values are logarithms",
    },
)
def GMBpref(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Binary preference whose mean over queries is geometric, so that poor queries weigh more.

    .. math:: \exp \frac{1}{|Q|} \sum_{q} \ln \max(Bpref_q, 10^{-5})

    Per query it is Bpref; the floor keeps a single zero from making the whole mean zero.

    >>> from cranfield.notation import ranking
    >>> print(GMBpref(ranking("1-01|0")))
    0.75
    """
    return Bpref(rel=rel)(judged)


@measure(
    bounds=(0, 1),
    cite="Yilmaz & Aslam, CIKM 2006, doi:10.1145/1183614.1183633",
    # Passing a pooled document nobody judged changes what is inferred about those above.
    monotone=lambda params: False,
    tools={"trec_eval": "infAP", "ir_measures": "infAP"},
)
def infAP(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Average precision inferred from judgments of a random sample of the pool.

    .. math:: \frac{1}{R} \sum_r \frac{1}{i} (1 + d_r \cdot \frac{rel_r + \epsilon}{rel_r + nonrel_r + 2\epsilon})

    The sum is over relevant documents retrieved; i is the rank of one, and above it stand d_r documents of
    the pool, rel_r of them judged relevant and nonrel_r judged irrelevant. A pooled document that was not
    sampled has a negative grade; a document outside the pool counts as irrelevant. ε is 0.00001.

    >>> from cranfield.notation import ranking
    >>> print(infAP(ranking("1x01|1")).round(4))
    0.5417
    """
    relevant = judged.relevant(rel)
    irrelevant = judged.irrelevant(rel)
    pooled = judged.grades > -np.inf
    rel_above = judged.found(rel) - relevant
    nonrel_above = irrelevant.cumsum(axis=-1) - irrelevant
    pool_above = pooled.cumsum(axis=-1) - pooled
    inferred = (rel_above + EPSILON) / (rel_above + nonrel_above + 2 * EPSILON)
    expected = 1 / judged.ranks + pool_above / judged.ranks * inferred
    return ratio((relevant * expected).sum(axis=-1), judged.num_rel(rel))
