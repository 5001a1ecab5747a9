"""Every measure as a plain loop over its published formula: slow, obvious, and free of arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from cranfield.align import JudgedRanking


class Case(NamedTuple):
    """One query: the grade at each rank, None where unjudged, and what was judged but not retrieved."""

    ranked: tuple[float | None, ...]
    missed: tuple[float, ...]
    max_grade: float
    """The largest grade of the whole collection."""

    @property
    def judged(self) -> list[float]:
        return [grade for grade in self.ranked if grade is not None] + list(self.missed)

    def judged_ranking(self, width: int | None = None) -> JudgedRanking:
        """The same query as measures get it, padded to a width if one is given."""
        found = [(rank, grade) for rank, grade in enumerate(self.ranked, 1) if grade is not None]
        fill = max(width - len(found), 0) if width else 0
        return JudgedRanking(
            ranks=np.array([float(rank) for rank, _ in found] + [math.inf] * fill),
            grades=np.array([float(grade) for _, grade in found] + [-math.inf] * fill),
            retrieved=np.float64(len(self.ranked)),
            judged=np.array(
                sorted(map(float, self.judged), reverse=True) + [-math.inf] * ((width or 0) - len(self.judged))
            ),
            max_grade=self.max_grade,
        )


REFERENCES: dict[str, Callable[..., float]] = {}
Params = Mapping[str, Any]


def score(name: str, case: Case, params: Params) -> float:
    """What a measure must give for one query, NaN where it is undefined."""
    chosen = dict(params)
    all_judged = case.judged
    ranked = list(case.ranked)
    if chosen.pop("judged_only"):
        ranked = [grade for grade in ranked if grade is not None and grade >= 0]
    return REFERENCES[name](_Query(ranked, all_judged, case.max_grade), **chosen)


class _Query(NamedTuple):
    ranked: list[float | None]
    judged: list[float]
    max_grade: float

    def hits(self, rel: float, cutoff: int | None = None) -> int:
        return sum(is_relevant(grade, rel) for grade in self.ranked[:cutoff])

    def num_rel(self, rel: float) -> int:
        return sum(is_relevant(grade, rel) for grade in self.judged)


def is_relevant(grade: float | None, rel: float) -> bool:
    return grade is not None and grade >= rel


def is_irrelevant(grade: float | None, rel: float) -> bool:
    """Judged, and found wanting: neither an unjudged document nor one that is only pooled."""
    return grade is not None and 0 <= grade < rel


def share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def reference(function: Callable[..., float]) -> Callable[..., float]:
    REFERENCES[function.__name__] = function
    return function


@reference
def P(query, *, rel, norm="k", cutoff):
    if norm == "retrieved":
        return share(query.hits(rel, cutoff), len(query.ranked[:cutoff]))
    return query.hits(rel, cutoff) / cutoff


@reference
def R(query, *, rel, cutoff):
    return share(query.hits(rel, cutoff), query.num_rel(rel))


@reference
def RelP(query, *, rel, cutoff):
    return share(query.hits(rel, cutoff), min(cutoff, query.num_rel(rel)))


@reference
def F(query, *, beta, rel, cutoff):
    return van_rijsbergen(P(query, rel=rel, cutoff=cutoff), R(query, rel=rel, cutoff=cutoff), beta)


@reference
def Success(query, *, rel, cutoff):
    return 1.0 if query.hits(rel, cutoff) else 0.0


@reference
def Rprec(query, *, rel):
    relevant = query.num_rel(rel)
    return share(query.hits(rel, relevant), relevant)


@reference
def RprecMult(query, *, rel, multiple):
    cutoff = int(multiple * query.num_rel(rel) + 0.9)
    return share(query.hits(rel, cutoff), cutoff)


@reference
def SetP(query, *, rel):
    return share(query.hits(rel), len(query.ranked))


@reference
def SetR(query, *, rel):
    return share(query.hits(rel), query.num_rel(rel))


@reference
def SetF(query, *, beta, rel):
    precision = SetP(query, rel=rel)
    return van_rijsbergen(0.0 if math.isnan(precision) else precision, SetR(query, rel=rel), beta)


def van_rijsbergen(precision: float, recall: float, beta: float) -> float:
    if precision == recall == 0:
        return 0.0
    return (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)


@reference
def SetRelP(query, *, rel):
    return share(query.hits(rel), min(len(query.ranked), query.num_rel(rel)))


@reference
def SetAP(query, *, rel):
    return SetP(query, rel=rel) * SetR(query, rel=rel)


@reference
def Utility(query, *, a, b, c, d, rel, docs):
    true_positive, false_positive, false_negative, true_negative = contingency(query, rel, docs)
    return float(a * true_positive + b * false_positive + c * false_negative + d * true_negative)


@reference
def Accuracy(query, *, rel, docs):
    true_positive, false_positive, false_negative, true_negative = contingency(query, rel, docs)
    right = true_positive + true_negative
    return share(right, right + false_positive + false_negative)


@reference
def Fallout(query, *, rel, docs):
    _, false_positive, _, true_negative = contingency(query, rel, docs)
    return share(false_positive, false_positive + true_negative)


def contingency(query, rel, docs) -> tuple[int, int, int, int]:
    missed = len(query.judged) - sum(grade is not None for grade in query.ranked)
    size = docs if docs is not None else len(query.ranked) + missed
    true_positive = query.hits(rel)
    false_positive = len(query.ranked) - true_positive
    false_negative = query.num_rel(rel) - true_positive
    return true_positive, false_positive, false_negative, size - true_positive - false_positive - false_negative


@reference
def AP(query, *, rel, norm, cutoff):
    total, found = 0.0, 0
    for rank, grade in enumerate(query.ranked[:cutoff], 1):
        if is_relevant(grade, rel):
            found += 1
            total += found / rank
    relevant = query.num_rel(rel)
    if norm == "k":
        return total / cutoff if relevant else math.nan
    wholes = {"relevant": relevant, "retrieved": found, "min": min(relevant, cutoff or relevant)}
    return share(total, wholes[norm])


@reference
def AUC(query, *, rel, pairs, cutoff):
    top = query.ranked[:cutoff]
    if pairs == "retrieved":
        relevant = [rank for rank, grade in enumerate(top) if is_relevant(grade, rel)]
        irrelevant = [rank for rank, grade in enumerate(top) if not is_relevant(grade, rel)]
    else:
        relevant, irrelevant = (
            [rank for rank, grade in enumerate(top) if sort(grade, rel)]
            + [math.inf] * sum(sort(grade, rel) for grade in _not_in(query.judged, top))
            for sort in (is_relevant, is_irrelevant)
        )
    in_order = [1 if first < second else 0.5 if first == second else 0 for first in relevant for second in irrelevant]
    return share(sum(in_order), len(in_order))


def _not_in(grades: list[float], top: list[float | None]) -> list[float]:
    """The grades that are left when those of a top are taken away."""
    left = list(grades)
    for grade in top:
        if grade is not None:
            left.remove(grade)
    return left


@reference
def GMAP(query, *, rel):
    return AP(query, rel=rel, norm="relevant", cutoff=None)


@reference
def YAAP(query, *, rel):
    relevant = query.num_rel(rel)
    total = sum(query.hits(rel, rank) / rank for rank, grade in enumerate(query.ranked, 1) if is_relevant(grade, rel))
    return math.log((1 + total) / (1 + relevant - total)) if relevant else math.nan


@reference
def IPrec(query, *, rel, levels, recall):
    relevant = query.num_rel(rel)
    if not relevant:
        return math.nan
    wanted = {
        "exact": math.ceil(Fraction(str(recall)) * relevant),
        "trec_eval-9": int(recall * relevant + 0.9),
        "trec_eval-10": math.floor(Fraction(recall * relevant) + Fraction(1, 2)),
    }[levels]
    best = 0.0
    for rank in range(1, len(query.ranked) + 1):
        found = query.hits(rel, rank)
        if found >= wanted:
            best = max(best, found / rank)
    return best


@reference
def ElevenPoint(query, *, rel, levels):
    return sum(IPrec(query, rel=rel, levels=levels, recall=tenth / 10) for tenth in range(11)) / 11


@reference
def RR(query, *, rel, cutoff):
    first = SL(query, rel=rel, cutoff=cutoff)
    return 0.0 if math.isnan(first) else 1 / first


@reference
def SL(query, *, rel, cutoff):
    for rank, grade in enumerate(query.ranked[:cutoff], 1):
        if is_relevant(grade, rel):
            return rank
    return math.nan


def gained(grade: float | None, gain: Any) -> float:
    """What a document of a grade gives its reader; never less than nothing."""
    if grade is None:
        return 0.0
    if gain == "exponential":
        return 2.0 ** max(grade, 0) - 1
    return max(0.0, grade if gain == "linear" else dict(gain).get(grade, grade))


@reference
def CG(query, *, gain, cutoff):
    return float(sum(gained(grade, gain) for grade in query.ranked[:cutoff]))


@reference
def DCG(query, *, gain, discount, base, cutoff):
    return discounted([gained(grade, gain) for grade in query.ranked[:cutoff]], discount, base)


@reference
def nDCG(query, *, gain, discount, base, ideal, cutoff):
    known = query.judged if ideal == "judged" else query.ranked
    best = sorted((gained(grade, gain) for grade in known), reverse=True)[:cutoff]
    own = DCG(query, gain=gain, discount=discount, base=base, cutoff=cutoff)
    return share(own, discounted(best, discount, base))


def dcg_and_ideal(query, gain, rank):
    """DCG at a rank, and that of the ideal ranking."""
    tops = [gained(grade, gain) for grade in query.ranked], best_gains(query, gain)
    return [discounted(gains[:rank], "log2", 2) for gains in tops]


def best_gains(query, gain) -> list[float]:
    return sorted((gained(grade, gain) for grade in query.judged), reverse=True)


@reference
def nDCGrel(query, *, gain):
    relevant = sum(one > 0 for one in best_gains(query, gain))
    points = [rank for rank, grade in enumerate(query.ranked, 1) if gained(grade, gain) > 0]
    points += [10**6] * (relevant - len(points))
    return mean_ndcg(query, gain, points)


@reference
def Rndcg(query, *, gain):
    best = [one for one in best_gains(query, gain) if one > 0]
    points = [rank for rank, one in enumerate(best, 1) if rank == len(best) or one > best[rank]]
    if len(query.ranked) > len(best) + 1:
        points.append(len(query.ranked))
    return mean_ndcg(query, gain, points) if best else math.nan


def mean_ndcg(query, gain, points: list[int]) -> float:
    total = 0.0
    for rank in points:
        own, ideal = dcg_and_ideal(query, gain, rank)
        total += own / ideal
    return share(total, len(points))


@reference
def binG(query, *, rel):
    total, others = 0.0, 0
    for grade in query.ranked:
        if is_relevant(grade, rel):
            total += 1 / math.log2(2 + others)
        else:
            others += 1
    return share(total, query.num_rel(rel))


@reference
def G(query, *, gain):
    best = best_gains(query, gain)
    total = cost = so_far = 0.0
    for place, grade in enumerate(query.ranked):
        cost += max(best[place], 1) if place < len(best) else 1
        so_far += gained(grade, gain)
        total += gained(grade, gain) / math.log2(2 + cost - so_far)
    return share(total, sum(best))


def discounted(gains: list[float], discount: str, base: float) -> float:
    total = 0.0
    for rank, gain in enumerate(gains, 1):
        if discount == "log2":
            total += gain / math.log2(rank + 1)
        else:
            total += gain if rank < base else gain / math.log(rank, base)
    return total


@reference
def RBP(query, *, p, rel, gain, expected, cutoff):
    if expected != "utility":
        depth = 1 / (1 - p)
        per_document = RBP(query, p=p, rel=rel, gain=gain, expected="utility", cutoff=cutoff)
        return {"total_utility": per_document * depth, "cost": 1.0, "total_cost": depth, "depth": depth}[expected]
    gain = "linear" if gain == "graded" else gain
    total = 0.0
    for rank, grade in enumerate(query.ranked[:cutoff], 1):
        if gain == "binary":
            total += is_relevant(grade, rel) * p ** (rank - 1)
        else:
            most = most_gained(gain, query.max_grade, None)
            total += min(gained(grade, gain), most) / most * p ** (rank - 1)
    return (1 - p) * total


def most_gained(gain: Any, collection: float, max_grade: float | None) -> float:
    """The largest gain of any whole grade up to the largest, and of any grade that has a gain of its own."""
    largest = collection if max_grade is None else max_grade
    named = [] if isinstance(gain, str) else [grade for grade, _ in gain if max_grade is None or grade <= max_grade]
    grades = [*range(math.floor(max(largest, 0)) + 1), largest, *named]
    return max(gained(grade, gain) for grade in grades) or 1.0


@reference
def RBPResidual(query, *, p, cutoff):
    weights = ((1 - p) * p ** (rank - 1) for rank, grade in enumerate(query.ranked[:cutoff], 1) if is_judged(grade))
    return 1 - sum(weights)


@reference
def ERR(query, *, gain, max_grade, cutoff):
    most = most_gained(gain, query.max_grade, max_grade)
    return err([min(gained(grade, gain), most) / (most + 1) for grade in query.ranked[:cutoff]])


@reference
def nERR(query, *, gain, max_grade, cutoff):
    most = most_gained(gain, query.max_grade, max_grade)
    best = [min(one, most) / (most + 1) for one in best_gains(query, gain)[:cutoff]]
    return share(ERR(query, gain=gain, max_grade=max_grade, cutoff=cutoff), err(best))


def err(satisfied: list[float]) -> float:
    total, reaches = 0.0, 1.0
    for rank, probability in enumerate(satisfied, 1):
        total += reaches * probability / rank
        reaches *= 1 - probability
    return total


def told(expected: str, gains: list[float], goes_on: list[float], stops: list[float] | None = None) -> float:
    """One of the five numbers of a user model, from the gain at each rank and how likely one goes on after it."""
    reached, attention, last_one = 1.0, [], []
    for onward, stop in zip(goes_on, stops or [1 - onward for onward in goes_on], strict=True):
        attention.append(reached)
        last_one.append(reached * stop)
        reached *= onward
    depth = math.fsum(attention)
    weights = [share / depth for share in attention]
    so_far = list(accumulate(gains))
    return {
        "utility": math.fsum(weight * gain for weight, gain in zip(weights, gains, strict=True)),
        "total_utility": math.fsum(chance * total for chance, total in zip(last_one, so_far, strict=True)),
        "cost": math.fsum(weights),
        "total_cost": math.fsum(chance * rank for rank, chance in enumerate(last_one, 1)),
        "depth": 1 / weights[0],
    }[expected]


def gains_down_to(last: int, query, min_grade, max_grade) -> list[float]:
    """The gain at each rank, nothing where no document is or nobody judged it."""
    high = query.max_grade if max_grade is None else max_grade
    grades = [min_grade if grade is None else grade for grade in query.ranked[:last]]
    grades += [min_grade] * (last - len(grades))
    if high <= min_grade:
        return [0.0] * last
    return [(min(max(grade, min_grade), high) - min_grade) / (high - min_grade) for grade in grades]


@reference
def INST(query, *, T, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    wanted = (T + T - total for total in accumulate(gains))
    goes_on = [((rank + more - 1) / (rank + more)) ** 2 for rank, more in enumerate(wanted, 1)]
    return told(expected, gains, goes_on)


@reference
def INSQ(query, *, T, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    goes_on = [((rank + 2 * T - 1) / (rank + 2 * T)) ** 2 for rank in range(1, max_depth + 1)]
    return told(expected, gains, goes_on)


@reference
def SDCG(query, *, min_grade, max_grade, expected, cutoff):
    gains = gains_down_to(cutoff, query, min_grade, max_grade)
    goes_on = [math.log(rank + 1) / math.log(rank + 2) for rank in range(1, cutoff)]
    return told(expected, gains, [*goes_on, 0.0])


@reference
def Q(query, *, beta, gain, cutoff):
    relevant = sum(one > 0 for one in best_gains(query, gain))
    ratios = blended_ratios(query, beta, gain, cutoff)
    return share(sum(ratios.values()), min(relevant, cutoff or relevant))


@reference
def OMeasure(query, *, beta, gain, cutoff):
    ratios = blended_ratios(query, beta, gain, cutoff)
    return defined(query, gain, ratios[min(ratios)] if ratios else 0.0)


@reference
def PMeasure(query, *, beta, gain, cutoff):
    ratios = blended_ratios(query, beta, gain, cutoff)
    return defined(query, gain, ratios[preferred_rank(query, gain, ratios)] if ratios else 0.0)


@reference
def PPlus(query, *, beta, gain, cutoff):
    ratios = blended_ratios(query, beta, gain, cutoff)
    if not ratios:
        return defined(query, gain, 0.0)
    down_to = [ratio for rank, ratio in ratios.items() if rank <= preferred_rank(query, gain, ratios)]
    return sum(down_to) / len(down_to)


@reference
def NCU(query, *, stop, utility, beta, gamma, stops, gain):
    stops = gain if stops is None else stops
    relevant = [grade for grade in query.judged if gained(grade, gain) > 0]
    total = 0.0
    for number, (rank, ratio) in enumerate(blended_ratios(query, beta, gain, None).items()):
        users = gamma**number if stop == "rank-biased" else gained(query.ranked[rank - 1], stops)
        total += users * (ratio if utility == "blended" else (number + 1) / rank)
    if stop == "rank-biased":
        return share(total, sum(gamma**number for number in range(len(relevant))))
    return share(total, sum(gained(grade, stops) for grade in relevant))


def blended_ratios(query, beta, gain, cutoff) -> dict[int, float]:
    """The blended ratio at the rank of each relevant document."""
    best, ratios, so_far, ideal = best_gains(query, gain), {}, 0.0, 0.0
    for rank, grade in enumerate(query.ranked[:cutoff], 1):
        so_far += gained(grade, gain)
        ideal += best[rank - 1] if rank <= len(best) else 0.0
        if gained(grade, gain) > 0:
            ratios[rank] = (len(ratios) + 1 + beta * so_far) / (rank + beta * ideal)
    return ratios


def preferred_rank(query, gain, ranks) -> int:
    return min(ranks, key=lambda rank: (-gained(query.ranked[rank - 1], gain), rank))


def defined(query, gain, score: float) -> float:
    return score if any(one > 0 for one in best_gains(query, gain)) else math.nan


@reference
def Compat(query, *, p, normalize):
    names = [f"d{rank}" for rank in range(len(query.ranked))]
    judged = [(grade, name) for grade, name in zip(query.ranked, names, strict=True) if grade is not None]
    missed = list(query.judged)
    for grade, _ in judged:
        missed.remove(grade)
    judged += [(grade, f"m{number}") for number, grade in enumerate(missed)]
    # Sorting is stable: of equal grades those retrieved stay first.
    ideal = [name for grade, name in sorted(judged, key=lambda pair: -pair[0]) if grade > 0]
    best = rbo(ideal, ideal, p)
    if not best:
        return math.nan
    return rbo(names, ideal, p) / (best if normalize else 1.0)


def rbo(ranking: list[str], ideal: list[str], p: float) -> float:
    weights = [p**depth for depth in range(1000)]
    shared = (len({*ranking[:depth]} & {*ideal[:depth]}) / depth for depth in range(1, 1001))
    return sum(weight * share for weight, share in zip(weights, shared, strict=True)) / sum(weights)


@reference
def BPM(query, *, T, hb, hc, median, min_grade, max_grade, max_depth, expected, cutoff):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    goes_on, gained = [], Fraction(0)
    hope, patience = Fraction(T), Fraction(cutoff)
    for rank, gain in enumerate(gains, 1):
        exact = Fraction(gain).limit_denominator(1000)
        gained += exact
        goes_on.append(float(gained < hope and rank < patience))
        hope += Fraction(hb) * (exact - Fraction(str(median)))
        patience += Fraction(hc) * (exact - Fraction(str(median)))
    return told(expected, gains, goes_on)


@reference
def NERR8(query, *, min_grade, max_grade, expected, cutoff):
    gains = gains_down_to(cutoff, query, min_grade, max_grade)
    return told(expected, gains, [*(1 - gain for gain in gains[:-1]), 0.0])


@reference
def NERR9(query, *, min_grade, max_grade, expected, cutoff):
    gains = gains_down_to(cutoff, query, min_grade, max_grade)
    return told(expected, gains, [*(rank / (rank + 1) * (1 - g) for rank, g in enumerate(gains[:-1], 1)), 0.0])


@reference
def NERR10(query, *, p, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    return told(expected, gains, [p * (1 - gain) for gain in gains])


@reference
def NERR11(query, *, T, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    goes_on = [((rank + 2 * T - 1) / (rank + 2 * T)) ** 2 * (1 - gain) for rank, gain in enumerate(gains, 1)]
    return told(expected, gains, goes_on)


@reference
def cwlP(query, *, min_grade, max_grade, expected, cutoff):
    gains = gains_down_to(cutoff, query, min_grade, max_grade)
    return told(expected, gains, [1.0] * (cutoff - 1) + [0.0])


@reference
def cwlRR(query, *, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    return told(expected, gains, [float(total == 0) for total in accumulate(gains)])


@reference
def cwlAP(query, *, min_grade, max_grade, expected):
    gains = gains_down_to(max(len(query.ranked), 1), query, min_grade, max_grade)
    by_rank = [gain / rank for rank, gain in enumerate(gains, 1)]
    to_come = [sum(by_rank[first:]) for first in range(len(gains) + 1)]
    goes_on = [after / here if after else 0.0 for here, after in pairwise(to_come)]
    return told(expected, gains, goes_on)


@reference
def TBG(query, *, halflife, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    return told(expected, gains, [0.5 ** (1 / halflife)] * (max_depth - 1) + [0.0])


@reference
def U(query, *, L, min_grade, max_grade, max_depth, expected):
    last = min(max_depth, math.ceil(L))
    gains = gains_down_to(last, query, min_grade, max_grade)
    left = [L - rank for rank in range(last)]
    return told(expected, gains, [*(after / here for here, after in pairwise(left)), 0.0])


@reference
def IFT(query, *, rule, T, b1, R1, A, b2, R2, min_grade, max_grade, max_depth, expected):
    gains = gains_down_to(max_depth, query, min_grade, max_grade)
    goes_on, stops = [], []
    for rank, gained in enumerate(accumulate(gains), 1):
        hope, slowness = b1 * math.exp(R1 * (T - gained)), b2 * math.exp(R2 * (A - gained / rank))
        goal, rate = hope / (1 + hope), 1 / (1 + slowness)
        goes_on.append({"goal": goal, "rate": rate, "both": goal * rate}[rule])
        # What is left of 1 has few digits where one goes on almost surely.
        enough, slow = 1 / (1 + hope), slowness / (1 + slowness)
        stops.append({"goal": enough, "rate": slow, "both": enough + goal * slow}[rule])
    return told(expected, gains, goes_on, stops)


@reference
def SET(query, *, beta, offset, min_grade, max_grade, expected, cutoff):
    gains = gains_down_to(cutoff, query, min_grade, max_grade)
    worths = [(rank + offset) ** beta - (rank + offset - 1) ** beta for rank in range(1, cutoff + 1)]
    return told(expected, gains, [*(after / here for here, after in pairwise(worths)), 0.0])


@reference
def Bpref(query, *, rel):
    relevant = query.num_rel(rel)
    irrelevant = sum(is_irrelevant(grade, rel) for grade in query.judged)
    total, above = 0.0, 0
    for grade in query.ranked:
        if is_irrelevant(grade, rel):
            above += 1
        if is_relevant(grade, rel):
            total += 1 - min(above, relevant) / min(relevant, irrelevant) if above else 1
    return share(total, relevant)


@reference
def GMBpref(query, *, rel):
    return Bpref(query, rel=rel)


@reference
def infAP(query, *, rel):
    total = 0.0
    for rank, grade in enumerate(query.ranked, 1):
        if is_relevant(grade, rel):
            before = query.ranked[: rank - 1]
            pooled = sum(other is not None for other in before)
            found = sum(is_relevant(other, rel) for other in before)
            wanting = sum(is_irrelevant(other, rel) for other in before)
            total += 1 / rank + pooled / rank * (found + 1e-5) / (found + wanting + 2e-5)
    return share(total, query.num_rel(rel))


def is_judged(grade: float | None) -> bool:
    return grade is not None and grade >= 0


@reference
def Judged(query, *, pooled, cutoff):
    top = query.ranked[:cutoff]
    known = is_judged if pooled == "unjudged" else lambda grade: grade is not None
    return share(sum(map(known, top)), len(top))


@reference
def NumQ(query):
    return 1.0


@reference
def NumRet(query):
    return float(len(query.ranked))


@reference
def NumRel(query, *, rel):
    return float(query.num_rel(rel))


@reference
def NumRelRet(query, *, rel, cutoff):
    return float(query.hits(rel, cutoff))


@reference
def NumNonrelRet(query, *, rel, cutoff):
    return float(sum(is_irrelevant(grade, rel) for grade in query.ranked[:cutoff]))


@reference
def Unjudged(query, *, cutoff):
    return sum(not is_judged(grade) for grade in query.ranked[:cutoff]) / cutoff
