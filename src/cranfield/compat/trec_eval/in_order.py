"""Sums as trec_eval adds them: rank by rank, and every term in the order of its own operations.

Added in another order a sum may end in other bits, and a value exactly between two printed ones is then printed as the
other: (1/1 + 2/7 + 3/14) / 16 is 3/32, which trec_eval prints as 0.0937. So nothing here is added pairwise, divided
before it is added, or multiplied by 1/x where trec_eval divides by x. Logarithms are the C library's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking, remembered
from cranfield.arrays import Floats
from cranfield.compat.trec_eval.quirks import MINUS_NAN, Score, Setting, accepted
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures import RBP, Measure, RBPResidual
from cranfield.measures.definition import in_turn
from cranfield.measures.gain import Gain, at_ranks, gains_of
from cranfield.measures.incomplete import EPSILON

MOST_LOGARITHMS = 1 << 16
"""Whole numbers up to which logarithms are looked up in a table."""


def average_precision(measure: Measure, setting: Setting) -> Score:
    """The precisions at relevant documents down to the cutoff, added up and divided by R."""

    def score(judged: JudgedRanking) -> Floats:
        total = _down_to(_precisions(judged, setting.level), judged, measure.at)
        return _divided(total, judged.num_rel(setting.level))

    return score


def average_precision_over_judges(measure: Measure, setting: Setting) -> Score:
    """The same of each judge, one judge after the other."""
    of_judge = average_precision(measure, setting)

    def score(judged: GroupedRanking) -> Floats:
        seen = judged.by_group.condensed() if judged.judged_only else judged.by_group
        return _divided(in_turn(of_judge(seen)), (judged.owners >= 0).sum(axis=-1))

    return score


def yaap(measure: Measure, setting: Setting) -> Score:
    """The logarithm of a ratio in which the sum stands above and below."""

    def score(judged: JudgedRanking) -> Floats:
        total, num_rel = _precisions(judged, setting.level)[..., -1], judged.num_rel(setting.level)
        return np.where(num_rel == 0, 0.0, logarithms((1 + total) / (1 + num_rel - total)))

    return score


def bpref(measure: Measure, setting: Setting) -> Score:
    """What each relevant document keeps of its preferences, added up and divided by R."""

    def score(judged: JudgedRanking) -> Floats:
        num_rel = np.asarray(judged.num_rel(setting.level))
        num_nonrel = ((judged.judged >= 0) & (judged.judged < setting.level)).sum(axis=-1)
        above = ((judged.grades >= 0) & (judged.grades < setting.level)).cumsum(axis=-1)
        worst = np.maximum(np.minimum(num_nonrel, num_rel), 1)[..., None]
        kept = 1 - np.minimum(above, num_rel[..., None]) / worst
        return _divided(in_turn(np.where(judged.relevant(setting.level), kept, 0.0)), num_rel)

    return score


def inferred_ap(measure: Measure, setting: Setting) -> Score:
    """The precisions that are expected at relevant documents, added up and divided by R."""

    def score(judged: JudgedRanking) -> Floats:
        relevant = judged.relevant(setting.level)
        irrelevant = ((judged.grades >= 0) & (judged.grades < setting.level)).cumsum(axis=-1)
        unjudged = ((judged.grades < 0) & (judged.grades > -np.inf)).cumsum(axis=-1)
        rel_above = judged.found(setting.level) - 1.0
        # At the first rank nothing is above, whatever the rank is divided by.
        above = np.where(relevant & (judged.ranks > 1), judged.ranks - 1, 1.0)
        pooled = (rel_above + irrelevant + unjudged) / above
        share = (rel_above + EPSILON) / (rel_above + irrelevant + 2 * EPSILON)
        expected = 1.0 / (above + 1.0) + above / (above + 1.0) * pooled * share
        terms = np.where(judged.ranks > 1, expected, 1.0)
        return _divided(in_turn(np.where(relevant, terms, 0.0)), judged.num_rel(setting.level))

    return score


def binary_g(measure: Measure, setting: Setting) -> Score:
    """Relevant documents, discounted by the others above them, added up and divided by R."""

    def score(judged: JudgedRanking) -> Floats:
        relevant = judged.relevant(setting.level)
        others = np.where(relevant, judged.ranks - judged.found(setting.level), 0.0)
        terms = np.where(relevant, 1.0 / _log2(2 + others), 0.0)
        return _divided(in_turn(terms), judged.num_rel(setting.level))

    return score


def g(setting: Setting, gain: Gain) -> Score:
    """Gains, discounted by what the ranking costs more than it gained."""

    def score(judged: JudgedRanking) -> Floats:
        own, best = _own_and_best(judged, gain)
        counts = own > 0
        cost = _costs(best, np.where(counts, judged.ranks, 0.0))
        shortfall = np.where(counts, 2 + cost - np.add.accumulate(own, axis=-1), 2.0)
        with np.errstate(divide="ignore"):  # what costs exactly 1 is divided by 0, as in C
            terms = np.where(counts, own / _log2(shortfall), 0.0)
        return _divided(in_turn(terms), in_turn(best))

    return score


def dcg(setting: Setting, gain: Gain) -> Score:
    """Discounted gains, added up."""
    return lambda judged: _dcg(judged, gain)[..., -1]


def ideal_dcg(setting: Setting, gain: Gain) -> Score:
    """The same of the ideal ranking, whatever was retrieved."""
    return lambda judged: _ideal_dcg(judged, gain)[..., -1]


def ndcg(setting: Setting, gain: Gain) -> Score:
    """One divided by the other."""
    return lambda judged: _divided(_dcg(judged, gain)[..., -1], _ideal_dcg(judged, gain)[..., -1])


def ndcg_at(measure: Measure, setting: Setting) -> Score:
    """The same down to a cutoff."""

    def score(judged: JudgedRanking) -> Floats:
        own, ideal = _dcg(judged, "linear"), _ideal_dcg(judged, "linear")
        last = ideal.shape[-1] if measure.at is None else int(min(measure.at, ideal.shape[-1]))
        return _divided(_down_to(own, judged, measure.at), ideal[..., last - 1])

    return score


def ndcg_at_relevant(setting: Setting, gain: Gain) -> Score:
    """nDCG at each document with a gain, and at the end for those never found."""

    def score(judged: JudgedRanking) -> Floats:
        own, ideal = _dcg(judged, gain), _ideal_dcg(judged, gain)
        gains, best = _own_and_best(judged, gain)
        relevant, num_rel = gains > 0, (best > 0).sum(axis=-1)
        at_rank = np.where(relevant, at_ranks(ideal, judged.ranks), 1.0)
        in_ranking = in_turn(np.where(relevant, own / at_rank, 0.0))
        missed = (num_rel - relevant.sum(axis=-1)) * own[..., -1]
        return _divided(in_ranking + _divided(missed, ideal[..., -1]), num_rel)

    return score


def ndcg_at_falls(setting: Setting, gain: Gain) -> Score:
    """nDCG where the gain of the ideal ranking falls, and at the end of a ranking that goes on beyond.

    -l does not touch it, except where it leaves no relevant document: 0. Without any gain it is 0/0.
    """

    def score(judged: JudgedRanking) -> Floats:
        own, ideal = _dcg(judged, gain), _ideal_dcg(judged, gain)
        best = _own_and_best(judged, gain)[1]
        falls = best > np.concatenate([best[..., 1:], np.zeros_like(best[..., :1])], axis=-1)
        total = in_turn(np.where(falls, _by_rank(own, judged.ranks) / np.where(falls, ideal, 1.0), 0.0))
        num_rel = (best > 0).sum(axis=-1)
        beyond = (judged.retrieved > num_rel + 1) & (num_rel > 0)
        total = np.where(beyond, total + _divided(own[..., -1], ideal[..., -1]), total)
        mean = np.where(num_rel == 0, MINUS_NAN, _divided(total, falls.sum(axis=-1) + beyond))
        return np.where(judged.num_rel(setting.level) == 0, 0.0, mean)

    return score


def rbp(setting: Setting, p: float, gains: Mapping[float, float]) -> Score:
    """Gains are divided by the query's own largest one, if that is above 1.

    trec_eval finds the largest starting from memory that nobody set; this is what it finds where that holds nothing
    that matters.
    """
    accepted(RBP, p=p)

    def score(judged: JudgedRanking) -> Floats:
        gained = gains_of(judged, tuple(gains.items())) if gains else judged
        largest = np.maximum(gained.judged.max(axis=-1, initial=0.0), max(1.0, *gains.values(), 0.0))
        shares = gained.grades.clip(min=0) / np.asarray(largest)[..., None]
        return (1.0 - p) * in_turn(shares * _reached(judged, p))

    return score


def rbp_residual(setting: Setting, p: float, gains: Mapping[float, float]) -> Score:
    """0 where every document retrieved is judged, although the rest of the ranking is unknown there too."""
    accepted(RBPResidual, p=p)

    def score(judged: JudgedRanking) -> Floats:
        depth = int(np.max(judged.retrieved, initial=0.0))
        if not depth:
            return np.zeros_like(judged.retrieved)
        powers = _powers(p, depth + 1)
        retrieved = np.asarray(judged.retrieved).reshape(-1)
        weights = np.empty_like(retrieved)
        known = replace(judged, grades=np.where(judged.grades >= 0, judged.grades, -np.inf))
        for some, grades in known.by_rank(depth):
            unjudged = (grades < 0) & (np.arange(depth) < retrieved[some, None])
            weights[some] = in_turn(np.where(unjudged, powers[:depth], 0.0))
        residual = powers[retrieved.astype(np.int64)] + (1 - p) * weights
        return np.where(weights == 0, 0.0, residual).reshape(np.shape(judged.retrieved))

    return score


def geometric(scored: Callable[[Measure, Setting], Score], floor: float) -> Callable[[Measure, Setting], Score]:
    """A score as the logarithm that a geometric mean adds up, of at least the floor."""

    def of(measure: Measure, setting: Setting) -> Score:
        score = scored(measure, setting)
        return lambda judged: logarithms(np.maximum(score(judged), floor))

    return of


def logarithms(numbers: Floats) -> Floats:
    """Natural logarithms, of a number for each query."""
    flat = [math.log(number) for number in np.asarray(numbers).reshape(-1).tolist()]
    return np.array(flat, dtype=np.float64).reshape(np.shape(numbers))


@remembered
def _precisions(judged: JudgedRanking, rel: float) -> Floats:
    """The precisions at relevant documents, added up down to each document."""
    at_relevant = np.where(judged.relevant(rel), judged.found(rel) / judged.ranks, 0.0)
    return np.add.accumulate(at_relevant, axis=-1)


@remembered
def _own_and_best(judged: JudgedRanking, gain: Gain) -> tuple[Floats, Floats]:
    """The gains of the ranking and of the ideal one; a negative gain is none."""
    gained = gains_of(judged, gain)
    return gained.grades.clip(min=0), gained.ideal.grades.clip(min=0)


@remembered
def _dcg(judged: JudgedRanking, gain: Gain) -> Floats:
    """Discounted gains, added up down to each document."""
    own, _ = _own_and_best(judged, gain)
    return np.add.accumulate(own / _log2(np.where(own > 0, judged.ranks, 1.0) + 1), axis=-1)


@remembered
def _ideal_dcg(judged: JudgedRanking, gain: Gain) -> Floats:
    """Discounted gains of the ideal ranking, added up down to each rank."""
    _, best = _own_and_best(judged, gain)
    return np.add.accumulate(best / _log2(np.arange(2.0, best.shape[-1] + 2)), axis=-1)


def _down_to(sums: Floats, judged: JudgedRanking, cutoff: float | None) -> Floats:
    """What a sum of terms that are not negative has come to at a rank."""
    if cutoff is None:
        return sums[..., -1]
    return np.where(judged.ranks <= cutoff, sums, 0.0).max(axis=-1, initial=0.0)


def _by_rank(sums: Floats, ranks: Floats) -> Floats:
    """The same at each rank, as far down as the array is wide."""
    width = sums.shape[-1]
    dense = np.zeros((*sums.shape[:-1], width + 1))
    np.put_along_axis(dense, np.minimum(ranks - 1, width).astype(np.int64), sums, axis=-1)
    return np.maximum.accumulate(dense[..., :width], axis=-1)


def _divided(part: Floats, whole: npt.ArrayLike) -> Floats:
    """A share of something, 0 where there is nothing to share."""
    nothing = np.asarray(whole) == 0
    return np.where(nothing, 0.0, part / np.where(nothing, 1, whole))


def _costs(best: Floats, ranks: Floats) -> Floats:
    """What the ranks down to each document cost: what the ideal ranking gains there, and 1 at least."""
    costs, width = np.maximum(best, 1.0), best.shape[-1]
    if (best == np.trunc(best)).all():
        return at_ranks(np.add.accumulate(costs, axis=-1), ranks) + np.maximum(ranks - width, 0.0)
    # Below the ideal ranking each rank costs 1; added to a fraction one by one, which many at once need not equal.
    to_ranks = np.empty_like(ranks)
    for query in np.ndindex(ranks.shape[:-1]):
        below = np.ones(max(int(ranks[query].max(initial=0.0)) - width, 0))
        to_ranks[query] = at_ranks(np.add.accumulate(np.concatenate([costs[query], below])), ranks[query])
    return to_ranks


def _reached(judged: JudgedRanking, p: float) -> Floats:
    """How likely each document is reached; nothing for places without a document."""
    last = np.where(np.isinf(judged.ranks), 0.0, judged.ranks).astype(np.int64)
    powers = np.append(0.0, _powers(p, int(last.max(initial=0)) + 1))
    return powers[last]


def _powers(p: float, count: int) -> Floats:
    """1, p, p · p, ..., each from the one before."""
    return np.multiply.accumulate(np.append(1.0, np.full(count - 1, p)))


def _log2(numbers: Floats) -> Floats:
    """Binary logarithms as the C library gives them, to the last bit."""
    largest = numbers.max(initial=1.0)
    if largest < MOST_LOGARITHMS and (numbers == np.trunc(numbers)).all() and numbers.min(initial=1.0) >= 0:
        return _logarithms(1 << int(largest).bit_length())[numbers.astype(np.int64)]
    distinct, places = np.unique(numbers, return_inverse=True)
    logs = np.array([_log2_in_c(number) for number in distinct.tolist()])
    return logs[places].reshape(numbers.shape)


def _log2_in_c(number: float) -> float:
    # Grades at C's limits cancel by rounding; C has a value for the logarithm of anything.
    if number > 0:
        return math.log2(number)
    return -math.inf if number == 0 else math.nan


@lru_cache
def _logarithms(count: int) -> Floats:
    """Of the numbers 1, 2, ...; in place of 0 is that of 1."""
    return np.array([0.0, *(math.log2(number) for number in range(1, count))])
