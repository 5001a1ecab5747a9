"""Measures estimated from a sample: documents are drawn from strata of the pool, from each at a rate of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.gain import DCG, Gain, gains_of
from cranfield.measures.incomplete import EPSILON

YILMAZ = "Yilmaz, Kanoulas & Aslam, SIGIR 2008, doi:10.1145/1390334.1390437"


@measure(
    groups="stratum",
    bounds=(0, 1),
    # As for infAP: what is passed on the way changes what is inferred about the others.
    monotone=lambda params: False,
    cite=YILMAZ,
    tools={"sample_eval.pl": "infAP, reading 1000 documents: xinfAP@1000"},
)
def xinfAP(judged: GroupedRanking, *, rel: float = 1, cutoff: int | None = None) -> PerQuery:
    r"""Extended inferred AP: average precision estimated from judgments of a stratified sample of the pool.

    .. math:: \frac{1}{\hat R} \sum_s \frac{N_s}{n_s} \sum_{r \in s} \hat P_r, \quad
              \hat P_r = \frac{1}{i} \left( 1 + \sum_t N_{t,r} \frac{rel_{t,r} + \epsilon}{n_{t,r} + 3 \epsilon} \right)

    A stratum s has N_s documents, n_s of them were judged; the others have a negative grade. A judged document stands
    for N_s / n_s of its stratum, and R̂ is what all relevant ones stand for. The inner sum is over relevant documents
    retrieved; i is the rank of one, and above it stand N_{t,r} documents of stratum t, n_{t,r} of them judged and
    rel_{t,r} relevant. A document outside the pool counts as irrelevant. ε is 0.00001.

    All of the first stratum was judged and half of the second. At rank 1 precision is 1. At rank 3 the first stratum
    has one relevant document above, the second one nobody judged: that is taken to be relevant with probability 1/3,
    so precision is (1 + 1 + 1/3) / 3. The document there stands for two: (1 + 2 · 7/9) / 3.

    >>> from cranfield.notation import grouped
    >>> print(xinfAP(grouped("1- -x -1")).round(3))
    0.852
    """
    strata = judged.top(cutoff).by_group
    pooled, sampled, relevant = strata.grades > -np.inf, strata.grades >= 0, strata.relevant(rel)
    inferred = _above(pooled) * (_above(relevant) + EPSILON) / (_above(sampled) + 3 * EPSILON)
    precision = (1 + inferred.sum(axis=-2)) / judged.ranks
    total = (relevant * precision[..., None, :]).sum(axis=-1)
    stands_for = _stands_for(strata.judged)
    return ratio((stands_for * total).sum(axis=-1), (stands_for * strata.num_rel(rel)).sum(axis=-1))


@measure(
    groups="stratum",
    bounds=(0, np.inf),
    # A document may stand for more others than a better one.
    monotone=lambda params: False,
    cite=YILMAZ,
    tools={
        "sample_eval.pl": "infNDCG, reading 1000 documents: infNDCG@1000; "
        "where more than 1000 relevant documents are inferred, it adds one of each lower grade"
    },
)
def infNDCG(judged: GroupedRanking, *, gain: Gain = "linear", cutoff: int | None = None) -> PerQuery:
    r"""Inferred nDCG: estimated from judgments of a stratified sample of the pool.

    .. math:: \sum_s \frac{N'_s}{n'_s} \sum_{r \in s} \frac{g_r}{\log_2(i+1)} \Big/
              \sum_{i \le k} \frac{\hat g^*_i}{\log_2(i+1)}

    Of the documents retrieved, N'_s are in stratum s and n'_s of those were judged: each stands for N'_s / n'_s. The
    gain g_r is that of DCG. The ideal ranking has as many documents of each gain as the judged ones of that gain stand
    for in the whole pool, as a whole number. It is an estimate and may exceed 1.

    Half of the second stratum was judged: the document at rank 3 stands for two. 1 + 2 · 1/2, of an ideal ranking of
    three documents, 1 + 0.631 + 1/2:

    >>> from cranfield.notation import grouped
    >>> print(infNDCG(grouped("1- -x -1")).round(4))
    0.9386
    """
    strata = judged.top(cutoff).by_group
    drawn = replace(strata, grades=np.where(strata.grades >= 0, strata.grades, -np.inf))
    own = (_stands_for(strata.grades) * DCG(gain=gain)(drawn)).sum(axis=-1)
    gains = np.where(strata.judged >= 0, gains_of(strata.ideal, gain).grades.clip(min=0), 0.0)
    return ratio(own, _ideal_dcg(gains, strata.judged, cutoff))


def _ideal_dcg(gains: Floats, judged: Floats, cutoff: int | None) -> PerQuery:
    """The DCG of as many documents of each gain, highest first, as the judged ones stand for."""
    pooled, sampled = _counts(judged)
    ideal, ranked = np.zeros(gains.shape[:-2]), np.zeros(gains.shape[:-2], dtype=np.int64)
    for gain in np.unique(gains[gains > 0])[::-1]:
        inferred = ((gains == gain).sum(axis=-1) * pooled / np.maximum(sampled, 1)).sum(axis=-1)
        # Thirds and such may add up to a little less than a half that they are.
        last = ranked + np.floor(np.round(inferred, 9) + 0.5).astype(np.int64)
        ideal = ideal + gain * (_discounts(last, cutoff) - _discounts(ranked, cutoff))
        ranked = last
    return ideal[()]


def _discounts(ranks: Ints, cutoff: int | None) -> Floats:
    """The sum of the discounts from rank 1 to some ranks, or to the cutoff."""
    reached = np.minimum(ranks, cutoff) if cutoff is not None else ranks
    sums = np.cumsum(1 / np.log2(np.arange(2.0, int(reached.max(initial=0)) + 2)))
    return np.concatenate([[0.0], sums])[reached]


def _stands_for(grades: Floats) -> Floats:
    """How many documents of each stratum a judged one stands for; none where none was judged."""
    pooled, sampled = _counts(grades)
    return pooled / np.maximum(sampled, 1) * (sampled > 0)


def _counts(grades: Floats) -> tuple[Ints, Ints]:
    """The documents of each stratum, and those of them that were judged."""
    return (grades > -np.inf).sum(axis=-1), (grades >= 0).sum(axis=-1)


def _above(chosen: npt.NDArray[np.bool_]) -> Ints:
    """How many of some documents of each stratum stand above each document."""
    counted: Ints = chosen.cumsum(axis=-1) - chosen
    return counted
