"""The measures of NTCIR: precision and graded gain blended into one ratio, read where a user may stop."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking, remembered
from cranfield.arrays import Floats
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.gain import Gain, at_ranks, gains_of, gains_rise
from cranfield.measures.ranges import AboveZero, Decay, Weight
from cranfield.measures.user import CHAPELLE, reciprocal_rank_of_stop, satisfying

Flags = npt.NDArray[np.bool_]
Stop = Literal["graded-uniform", "rank-biased"]
Utility = Literal["blended", "precision"]

SAKAI_Q = "Sakai, AIRS 2004, doi:10.1007/978-3-540-31871-2_22; beta: IPM 43(2), 2007, doi:10.1016/j.ipm.2006.07.020"
SAKAI_SONG = "Sakai & Song, SIGIR 2011, doi:10.1145/2009916.2010055"
SAKAI_O = "Sakai, IPSJ Digital Courier 2, 2006, doi:10.2197/ipsjdc.2.174"
SAKAI_P = "Sakai, IPSJ Digital Courier 3, 2007, doi:10.2197/ipsjdc.3.643"


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=gains_rise,
    cite=f"{SAKAI_Q}; at a cutoff: {SAKAI_SONG}",
    aliases=("Q-measure", "QMeasure", "Q_measure"),
    tools={"NTCIREVAL": "Q-measure, Q@k"},
)
def Q(judged: JudgedRanking, *, beta: Weight = 1, gain: Gain = "linear", cutoff: int | None = None) -> PerQuery:
    r"""Q-measure: average precision for graded relevance, the mean of the blended ratio at each relevant document.

    .. math:: \frac{1}{\min(k, R)} \sum_{i \le k} rel_i BR_i, \quad BR_i = \frac{C_i + \beta G_i}{i + \beta G^*_i}

    A document with a gain above 0 is relevant; gains are those of DCG. R is how many relevant documents were judged,
    C_i how many stand down to rank i. G_i is the sum of the gains down to rank i and G* that of the ideal ranking. The
    ratio BR blends precision with gain as a share of the ideal: with a small beta it is precision, and Q is AP; with a
    large one it is cumulated gain, which forgives late ranks.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found. The ratio is 3/3 at rank 1 and
    (2 + 3) / (3 + 4) at rank 3:

    >>> from cranfield.notation import ranking
    >>> print(Q(ranking("2-1|1")).round(4))
    0.5714
    """
    gained = gains_of(judged, gain).top(cutoff)
    total = (_relevant(gained) * _blended(gained, beta)).sum(axis=-1)
    return ratio(total, np.minimum(_num_rel(gained), np.inf if cutoff is None else cutoff))


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=gains_rise,
    cite=SAKAI_O,
    aliases=("O-measure", "O_measure"),
    tools={"NTCIREVAL": "O-measure, without a cutoff"},
)
def OMeasure(judged: JudgedRanking, *, beta: Weight = 1, gain: Gain = "linear", cutoff: int | None = None) -> PerQuery:
    r"""O-measure: reciprocal rank for graded relevance, the blended ratio at the first relevant document.

    .. math:: \frac{1 + \beta g_i}{i + \beta G^*_i}, \quad i = \min \{j \le k : g_j > 0\}

    g_i is the gain at rank i and G* the sum of the ideal gains, as for Q. For a user who reads the first document
    that has anything to offer; 0 if there is none in the ranking.

    A document of grade 1 second, where grades 2 and 1 would be ideal: (1 + 1) / (2 + 3).

    >>> from cranfield.notation import ranking
    >>> print(OMeasure(ranking("-12|1")))
    0.4
    """
    gained = gains_of(judged, gain).top(cutoff)
    relevant = _relevant(gained)
    first = relevant & (relevant.cumsum(axis=-1) == 1)
    return _where_any_is_relevant(gained, (first * _blended(gained, beta)).sum(axis=-1))


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    # The ratio counts relevant documents passed on the way: `-12` scores 5/6 and `-21` scores 3/5.
    monotone=lambda params: False,
    cite=SAKAI_P,
    aliases=("P-measure", "P_measure"),
    tools={"NTCIREVAL": "P-measure, without a cutoff"},
)
def PMeasure(judged: JudgedRanking, *, beta: Weight = 1, gain: Gain = "linear", cutoff: int | None = None) -> PerQuery:
    r"""P-measure: the blended ratio at the preferred rank, that of the first among the best documents found.

    .. math:: BR_p, \quad p = \min \{i \le k : g_i = \max_{j \le k} g_j\}

    g_i is the gain at rank i; gains and the ratio BR are those of Q. For a user who knows what they look for and
    stops there; 0 if no relevant document is in the ranking.

    The best document, of grade 2, is third: (2 + 3) / (3 + 4).

    >>> from cranfield.notation import ranking
    >>> print(PMeasure(ranking("-12|1")).round(4))
    0.7143
    """
    gained = gains_of(judged, gain).top(cutoff)
    best = _best(gained)
    preferred = best & (best.cumsum(axis=-1) == 1)
    return _where_any_is_relevant(gained, (preferred * _blended(gained, beta)).sum(axis=-1))


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    # As for PMeasure.
    monotone=lambda params: False,
    cite=SAKAI_P,
    aliases=("P+", "P-plus", "P_plus", "PPlusMeasure"),
    tools={"NTCIREVAL": "P-plus, without a cutoff"},
)
def PPlus(judged: JudgedRanking, *, beta: Weight = 1, gain: Gain = "linear", cutoff: int | None = None) -> PerQuery:
    r"""P-plus: the mean of the blended ratio at the relevant documents down to the preferred rank.

    .. math:: \frac{1}{C_p} \sum_{i \le p} rel_i BR_i

    p is the preferred rank of PMeasure, C_p the number of relevant documents down to it; gains and the ratio BR are
    those of Q. Of the users of P-measure, some are content with what they meet on the way.

    Grade 1 second, the best document third: the mean of (1 + 1) / (2 + 3) and (2 + 3) / (3 + 4).

    >>> from cranfield.notation import ranking
    >>> print(PPlus(ranking("-12|1")).round(4))
    0.5571
    """
    gained = gains_of(judged, gain).top(cutoff)
    best = _best(gained)
    down_to_best = _relevant(gained) & (best.cumsum(axis=-1) - best == 0)
    total = (down_to_best * _blended(gained, beta)).sum(axis=-1)
    return _where_any_is_relevant(gained, total / np.maximum(down_to_best.sum(axis=-1), 1))


@measure(
    bounds=(0, 1),
    # Stop values of one's own may leave nobody who stops, and then there is no score.
    normalised=lambda params: params["stops"] is None or params["stop"] == "rank-biased",
    # A document at which more users stop is worth more below, where as many relevant ones were read before it.
    monotone=lambda params: params["stop"] == "rank-biased" and gains_rise(params),
    cite="Sakai & Robertson, Modelling a user population for designing information retrieval metrics, EVIA 2008",
    aliases=("NCUgu,P", "NCUgu,BR", "NCUrb,P", "NCUrb,BR", "NCUguP", "NCUguBR", "NCUrbP", "NCUrbBR"),
    tools={"NTCIREVAL": "NCUgu,P; NCUgu,BR; NCUrb,P; NCUrb,BR"},
)
def NCU(
    judged: JudgedRanking,
    *,
    stop: Stop = "graded-uniform",
    utility: Utility = "blended",
    beta: Weight = 1,
    gamma: Decay = 0.95,
    stops: Gain | None = None,
    gain: Gain = "linear",
) -> PerQuery:
    r"""Normalised cumulative utility: what users gain who each stop at some relevant document.

    .. math:: \sum_{i} p_i U_i

    p_i is the share of users who stop at rank i. With `stop=graded-uniform`, users stop at any relevant document, at
    each in proportion to its `stops` value, by default its gain; those who wanted one that was not found gain nothing.
    With `stop=rank-biased`, a share gamma goes on from each relevant document to the next, as many as were judged. U_i
    is what those have who stop at rank i: the ratio BR of Q (`blended`) or precision. If users stopped at all relevant
    documents alike, these would be Q and AP.

    Grade 2 first, an unjudged document, grade 1 third; another 1 was never found. Half of the users stop first, where
    BR is 1, and a quarter third, where it is (2 + 3) / (3 + 4):

    >>> from cranfield.notation import ranking
    >>> print(NCU(ranking("2-1|1")).round(4))
    0.6786

    Rank-biased with gamma 1/2, 4/7 stop first and 2/7 third; precision there is 1 and 2/3:

    >>> print(NCU(stop="rank-biased", utility="precision", gamma=0.5)(ranking("2-1|1")).round(4))
    0.7619
    """
    gained = gains_of(judged, gain)
    found = _relevant(gained).cumsum(axis=-1)
    if stop == "rank-biased":
        weights = gamma ** (found - 1.0)
        users = (gamma ** np.arange(gained.judged.shape[-1]) * (gained.judged > 0)).sum(axis=-1)
    else:
        weights = _stop_values(judged, gain, stops)
        users = _stop_values(judged.ideal, gain, stops).sum(axis=-1)
    utilities = _relevant(gained) * _blended(gained, beta if utility == "blended" else 0.0)
    return ratio((weights * utilities).sum(axis=-1), users)


@measure(
    bounds=(0, 1),
    normalised=lambda params: True,
    monotone=gains_rise,
    cite=f"{CHAPELLE}; over its ideal: {SAKAI_SONG}",
    tools={"NTCIREVAL": "nERR@k, with gain=linear or a gain for each grade"},
)
def nERR(
    judged: JudgedRanking, *, gain: Gain = "exponential", max_grade: AboveZero | None = None, cutoff: int | None = None
) -> PerQuery:
    r"""Expected reciprocal rank as a share of the best the judgments allow.

    .. math:: ERR@k \, / \, ERR^*@k

    ERR* is the ERR of all judged documents, those with the largest gain first.

    ERR is 3/4 + 1/3 · 1/4 · 1/4; the ideal ranking has 2, 1, 1 and 3/4 + 1/2 · 1/4 · 1/4 + 1/3 · 1/4 · 3/4 · 1/4:

    >>> from cranfield.notation import ranking
    >>> print(nERR(ranking("2-1|1")).round(4))
    0.9673
    """
    satisfied = satisfying(judged, gain, max_grade)
    best = reciprocal_rank_of_stop(satisfied.ideal.top(cutoff))
    return ratio(reciprocal_rank_of_stop(satisfied.top(cutoff)), best)


@remembered
def _blended(gained: JudgedRanking, beta: float) -> Floats:
    """The blended ratio at each judged document, given gains in place of grades."""
    best = gained.ideal.grades.clip(min=0).cumsum(axis=-1)
    so_far = _relevant(gained).cumsum(axis=-1) + beta * gained.grades.clip(min=0).cumsum(axis=-1)
    return so_far / (gained.ranks + beta * at_ranks(best, gained.ranks))


def _relevant(gained: JudgedRanking) -> Flags:
    return gained.grades > 0


def _best(gained: JudgedRanking) -> Flags:
    """Which documents gain as much as any in the ranking."""
    most = gained.grades.max(axis=-1, initial=0.0)
    return _relevant(gained) & (gained.grades == most[..., None])


def _num_rel(gained: JudgedRanking) -> PerQuery:
    return (gained.judged > 0).sum(axis=-1, dtype=np.float64)


def _where_any_is_relevant(gained: JudgedRanking, scores: PerQuery) -> PerQuery:
    return np.where(_num_rel(gained) == 0, np.nan, scores)[()]


def _stop_values(judged: JudgedRanking, gain: Gain, stops: Gain | None) -> Floats:
    """How strongly each document makes users stop; not at all one that gains nothing."""
    values = gains_of(judged, gain if stops is None else stops).grades.clip(min=0)
    return np.where(_relevant(gains_of(judged, gain)), values, 0.0)
