"""Diversity: a query may mean several things, and a good ranking serves all of them soon.

The judgments grade a document for each subtopic: in the second column of a TREC file, or in a column `subtopic`. A
document counts as relevant to a subtopic or not; a subtopic without any relevant document does not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cranfield.align import remembered
from cranfield.arrays import Floats
from cranfield.errors import UsageError
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.average import AP
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.precision import P
from cranfield.measures.ranges import Weight

ALPHA_NDCG = "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher & MacKinnon, SIGIR 2008, doi:10.1145/1390334.1390446"
INTENT_AWARE = "Agrawal, Gollapudi, Halverson & Ieong, WSDM 2009, doi:10.1145/1498759.1498766"
ERR_CITE = "Chapelle, Metzler, Zhang & Grinspan, CIKM 2009, doi:10.1145/1645953.1646033; " + INTENT_AWARE
DEEPEST = 10_000_000
"""Ranks over which a best score is added up."""
GREEDY = math.e / (math.e - 1)
"""How far above a greedy ideal a ranking may score at most (Nemhauser, Wolsey & Fisher, Mathematical Programming 1978):
down to every rank it gains as documents cover subtopics, which is monotone and submodular."""
NRBP_CITE = "Clarke, Kolla & Vechtomova, ICTIR 2009, doi:10.1007/978-3-642-04417-5_17"


def _are_probabilities(params: Mapping[str, Any]) -> str:
    if not 0 <= params["alpha"] <= 1:
        return f"alpha is a probability, from 0 to 1, not {params['alpha']:g}."
    if not 0 < params.get("beta", 0.5) < 1:
        return f"beta is a probability, between 0 and 1, not {params['beta']:g}."
    return ""


@measure(
    groups="subtopic",
    bounds=(0, 1),
    check=_are_probabilities,
    cite=ALPHA_NDCG + "; collection-independent normalisation: Clarke, Craswell, Soboroff & Ashkan, WSDM 2011, "
    "doi:10.1145/1935826.1935847",
    aliases=("alpha-DCG", "α-DCG", "α_DCG"),
    tools={"ndeval": "alpha-DCG@k", "ir_measures": "alpha_DCG@k", "pyndeval": "alpha-DCG@k"},
)
def alpha_DCG(judged: GroupedRanking, *, alpha: float = 0.5, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Discounted gain in which a subtopic gains less each time it comes again, as a share of the most conceivable.

    .. math:: \frac{\sum_{i \le k} G_i / \log_2(i+1)}{\sum_{i \le k} |S| (1-\alpha)^{i-1} / \log_2(i+1)},
        \quad G_i = \sum_{s \in S_i} (1-\alpha)^{c_{s,i-1}}

    S are the query's subtopics, S_i those the document at rank i is relevant to, and c the number of relevant
    documents a subtopic had before. The divisor is what a ranking would gain if every document served all
    subtopics, whether or not there are such documents; with the best the judgments allow it is alpha_nDCG.

    Two subtopics; the first document serves one, the second both: 1 and 1/2 + 1, of 2 and 2 · 1/2 at the most.

    >>> from cranfield.notation import grouped
    >>> print((alpha_DCG @ 2)(grouped("10 11")).round(4))
    0.7398
    """
    gained = _sum(_gains(judged, alpha, rel), _log_weights(judged.ranks), judged.ranks, cutoff)
    return ratio(gained, _subtopics(judged, rel) * _most(_log_weights, alpha, cutoff))


@measure(
    groups="subtopic",
    bounds=(0, GREEDY),
    check=_are_probabilities,
    cite=ALPHA_NDCG,
    aliases=("alpha-nDCG", "α-nDCG", "α_nDCG"),
    tools={
        "ndeval": "alpha-nDCG@k",
        "ir_measures": "alpha_nDCG@k",
        "pyndeval": "alpha-nDCG@k",
        "TensorFlow Ranking": "alpha_dcg, without the ideal",
    },
)
def alpha_nDCG(judged: GroupedRanking, *, alpha: float = 0.5, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Discounted gain in which a subtopic gains less each time it comes again, as a share of the best possible.

    .. math:: \sum_{i \le k} \frac{G_i}{\log_2(i+1)} \Big/ \sum_{i \le k} \frac{G^*_i}{\log_2(i+1)},
        \quad G_i = \sum_{s \in S_i} (1-\alpha)^{c_{s,i-1}}

    S_i are the subtopics that the document at rank i is relevant to, and c the number of relevant documents a
    subtopic had before. The ideal ranking takes at each rank the document that gains most; of equal ones the one
    whose id is last. To find the very best order is intractable, so a ranking may score a little above 1, though
    never above e / (e - 1).

    The document that serves both subtopics should have come first: 1 + 1.5 / 1.585 of 2 + 0.5 / 1.585.

    >>> from cranfield.notation import grouped
    >>> print((alpha_nDCG @ 2)(grouped("10 11")).round(4))
    0.8406
    """
    gained = _sum(_gains(judged, alpha, rel), _log_weights(judged.ranks), judged.ranks, cutoff)
    ideal = _ideal_gains(judged, alpha, rel, cutoff)
    return ratio(gained, (ideal * _log_weights(_ranks(ideal.shape[-1]))).sum(axis=-1))


@measure(
    groups="subtopic",
    bounds=(0, 1),
    check=_are_probabilities,
    cite=ERR_CITE,
    aliases=("ERR-IA",),
    tools={"ndeval": "ERR-IA@k", "ir_measures": "ERR_IA@k", "pyndeval": "ERR-IA@k"},
)
def ERR_IA(judged: GroupedRanking, *, alpha: float = 0.5, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Expected reciprocal rank over subtopics, as a share of the most conceivable.

    .. math:: \frac{\sum_{i \le k} G_i / i}{\sum_{i \le k} |S| (1-\alpha)^{i-1} / i},
        \quad G_i = \sum_{s \in S_i} (1-\alpha)^{c_{s,i-1}}

    A relevant document satisfies a user who wants its subtopic with probability alpha. S, S_i and c are those of
    alpha_DCG, and so is the divisor: what a ranking would gain if every document served all subtopics.

    >>> from cranfield.notation import grouped
    >>> print((ERR_IA @ 2)(grouped("10 11")))
    0.7
    """
    gained = _sum(_gains(judged, alpha, rel), 1 / judged.ranks, judged.ranks, cutoff)
    return ratio(gained, _subtopics(judged, rel) * _most(np.reciprocal, alpha, cutoff))


@measure(
    groups="subtopic",
    bounds=(0, GREEDY),
    check=_are_probabilities,
    cite=ERR_CITE,
    aliases=("nERR-IA",),
    tools={"ndeval": "nERR-IA@k", "ir_measures": "nERR_IA@k", "pyndeval": "nERR-IA@k"},
)
def nERR_IA(judged: GroupedRanking, *, alpha: float = 0.5, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Expected reciprocal rank over subtopics, as a share of the best the judgments allow.

    .. math:: \sum_{i \le k} \frac{G_i}{i} \Big/ \sum_{i \le k} \frac{G^*_i}{i}

    Gains and ideal ranking are those of alpha_nDCG; the weight of a rank is that of ERR.

    >>> from cranfield.notation import grouped
    >>> print((nERR_IA @ 2)(grouped("10 11")).round(4))
    0.7778
    """
    gained = _sum(_gains(judged, alpha, rel), 1 / judged.ranks, judged.ranks, cutoff)
    ideal = _ideal_gains(judged, alpha, rel, cutoff)
    return ratio(gained, (ideal / _ranks(ideal.shape[-1])).sum(axis=-1))


@measure(
    groups="subtopic",
    bounds=(0, 1),
    cite=NRBP_CITE,
    check=_are_probabilities,
    tools={"ndeval": "NRBP", "ir_measures": "NRBP", "pyndeval": "NRBP"},
)
def NRBP(judged: GroupedRanking, *, alpha: float = 0.5, beta: Weight = 0.5, rel: float = 1) -> PerQuery:
    r"""Novelty- and rank-biased precision: RBP over subtopics, each gaining less when it comes again.

    .. math:: \frac{1 - (1-\alpha)\beta}{|S|} \sum_i \beta^{i-1} \sum_{s \in S_i} (1-\alpha)^{c_{s,i-1}}

    beta is the user's patience: the probability to go on to the next document.

    3/4 of half of 1 + 1/2 · 1.5:

    >>> from cranfield.notation import grouped
    >>> print(NRBP(grouped("10 11")).round(4))
    0.6562
    """
    gained = _sum(_gains(judged, alpha, rel), beta ** (judged.ranks - 1), judged.ranks, None)
    return ratio((1 - (1 - alpha) * beta) * gained, _subtopics(judged, rel))


@measure(
    groups="subtopic",
    bounds=(0, GREEDY),
    cite=NRBP_CITE,
    check=_are_probabilities,
    tools={"ndeval": "nNRBP", "ir_measures": "nNRBP", "pyndeval": "nNRBP"},
)
def nNRBP(judged: GroupedRanking, *, alpha: float = 0.5, beta: Weight = 0.5, rel: float = 1) -> PerQuery:
    r"""Novelty- and rank-biased precision, as a share of the best the judgments allow.

    .. math:: \sum_i \beta^{i-1} G_i \Big/ \sum_i \beta^{i-1} G^*_i

    Gains and ideal ranking are those of alpha_nDCG.

    >>> from cranfield.notation import grouped
    >>> print(nNRBP(grouped("10 11")).round(4))
    0.7778
    """
    gained = _sum(_gains(judged, alpha, rel), beta ** (judged.ranks - 1), judged.ranks, None)
    ideal = _ideal_gains(judged, alpha, rel, None)
    return ratio(gained, (ideal * beta ** (_ranks(ideal.shape[-1]) - 1)).sum(axis=-1))


@measure(
    groups="subtopic",
    bounds=(0, 1),
    cite=INTENT_AWARE,
    aliases=("MAP-IA", "AP-IA", "map_ia"),
    tools={"ndeval": "MAP-IA", "ir_measures": "AP_IA", "pyndeval": "MAP-IA"},
)
def AP_IA(judged: GroupedRanking, *, rel: float = 1) -> PerQuery:
    r"""Average precision for each subtopic, averaged over subtopics.

    .. math:: \frac{1}{|S|} \sum_{s \in S} AP_s

    The mean of (1 + 1) / 2 for the first subtopic and 1/2 for the second:

    >>> from cranfield.notation import grouped
    >>> print(AP_IA(grouped("10 11")))
    0.75
    """
    return ratio(np.nansum(AP(rel=rel)(judged.by_group), axis=-1), _subtopics(judged, rel))


@measure(
    groups="subtopic",
    additive=True,
    bounds=(0, 1),
    cite=INTENT_AWARE,
    aliases=("P-IA", "precision_ia"),
    tools={"ndeval": "P-IA@k", "ir_measures": "P_IA@k", "pyndeval": "P-IA@k", "TensorFlow Ranking": "precision_ia"},
)
def P_IA(judged: GroupedRanking, *, rel: float = 1, cutoff: int) -> PerQuery:
    r"""Precision at a cutoff for each subtopic, averaged over subtopics.

    .. math:: \frac{1}{|S|} \sum_{s \in S} P_s@k

    >>> from cranfield.notation import grouped
    >>> print((P_IA @ 2)(grouped("10 11")))
    0.75
    """
    return ratio((P(rel=rel) @ cutoff)(judged.by_group).sum(axis=-1), _subtopics(judged, rel))


@measure(
    groups="subtopic",
    bounds=(0, 1),
    cite="Zhai, Cohen & Lafferty, SIGIR 2003, doi:10.1145/860435.860440",
    aliases=("strec", "S-recall", "subtopic_recall"),
    tools={"ndeval": "strec@k", "ir_measures": "StRecall@k", "pyndeval": "strec@k"},
)
def StRecall(judged: GroupedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Subtopic recall: the share of subtopics that at least one retrieved document is relevant to.

    .. math:: \frac{|\bigcup_{i \le k} S_i|}{|S|}

    >>> from cranfield.notation import grouped
    >>> print((StRecall @ 1)(grouped("10 11")), (StRecall @ 2)(grouped("10 11")))
    0.5 1.0
    """
    seen = _relevant(judged.top(cutoff), rel).any(axis=-1)
    return ratio(seen.sum(axis=-1), _subtopics(judged, rel))


def _relevant(judged: GroupedRanking, rel: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which retrieved documents are relevant to which subtopic."""
    return (judged.grades >= rel) & (judged.ranks < np.inf)[..., None, :]


def _subtopics(judged: GroupedRanking, rel: float) -> Floats:
    """How many subtopics have a relevant document, retrieved or not."""
    return (judged.grades >= rel).any(axis=-1).sum(axis=-1, dtype=np.float64)


@remembered
def _gains(judged: GroupedRanking, alpha: float, rel: float) -> Floats:
    """What each document gains: for each of its subtopics less, the more often that came before."""
    relevant = _relevant(judged, rel)
    before = relevant.cumsum(axis=-1) - relevant
    return np.where(relevant, (1 - alpha) ** before, 0.0).sum(axis=-2)


def _sum(gains: Floats, weights: Floats, ranks: Floats, cutoff: int | None) -> PerQuery:
    read = ranks < np.inf if cutoff is None else ranks <= cutoff
    return np.where(read, gains * weights, 0.0).sum(axis=-1)


def _most(weights: Callable[[Floats], Floats], alpha: float, cutoff: int) -> float:
    """What a subtopic would gain if every document were relevant to it."""
    # Powers of 1 - alpha vanish long before a cutoff that somebody set very high.
    vanished = 2 if alpha == 1 else math.inf if alpha == 0 else -800 / math.log1p(-alpha)
    depth = math.ceil(min(cutoff, vanished))
    if depth > DEEPEST:
        raise UsageError(
            f"With alpha={alpha:g} all ranks to the cutoff count; a cutoff must be at most {DEEPEST}, not {cutoff}."
        )
    ranks = _ranks(depth)
    return float((weights(ranks) * (1 - alpha) ** (ranks - 1)).sum())


@remembered
def _ideal_gains(judged: GroupedRanking, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """The gains at each rank of a ranking that always takes the document that gains most."""
    by_id = np.argsort(judged.places, axis=-1)
    relevant = np.take_along_axis(judged.grades, by_id[..., None, :], axis=-1) >= rel
    left = np.asarray(relevant.any(axis=-2))
    weights = np.ones(relevant.shape[:-1])
    depth = left.shape[-1] if cutoff is None else min(cutoff, left.shape[-1])
    gains = np.zeros((*left.shape[:-1], depth))
    for rank in range(min(depth, int(left.sum(axis=-1).max(initial=0)))):
        offered = np.zeros(left.shape)
        for subtopic in range(relevant.shape[-2]):  # in order, so that equal gains are equal to the last bit
            offered += np.where(relevant[..., subtopic, :], weights[..., subtopic, None], 0.0)
        offered = np.where(left, offered, -1.0)
        best = offered.argmax(axis=-1)[..., None]
        gains[..., rank] = np.take_along_axis(offered, best, axis=-1)[..., 0].clip(min=0)
        taken = np.take_along_axis(relevant, best[..., None, :], axis=-1)[..., 0]
        weights = np.where(taken, weights * (1 - alpha), weights)
        np.put_along_axis(left, best, False, axis=-1)  # noqa: FBT003 - NumPy names no value
    return gains


def _log_weights(ranks: Floats) -> Floats:
    return 1 / np.log2(ranks + 1)


def _ranks(depth: int) -> Floats:
    return np.arange(1.0, depth + 1)
