"""The sum behind a score, term by term: one small function per kind of measure.

Weights and gains are not defined a second time here. A sum is additive, so what one document adds is the
measure's own value for a ranking that holds nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.explaining.places import Place, Seen
from cranfield.measures import CG, DCG, ERR, RBP, Measure, RBPResidual
from cranfield.measures.gain import largest_gain

Params = Mapping[str, Any]

RELEVANT = "relevant documents"
RANKS = "ranks down to the cutoff"


class Graded(NamedTuple):
    """A document with a grade at a rank, of the ranking or of the ideal one."""

    rank: int
    document: str
    grade: float


@dataclass(frozen=True)
class Term:
    """What one document adds."""

    rank: int
    document: str
    value: float
    factors: Mapping[str, float] = field(default_factory=dict)
    """What the value is made of, by name."""
    fraction: tuple[int, int] | None = None
    """The value as a fraction of two counts, where it is one."""


@dataclass(frozen=True)
class Working:
    """A score as a sum of terms, divided by something if there is a denominator."""

    adds: str
    """What each term is."""
    terms: tuple[Term, ...]
    denominator: float | None = None
    over: str = ""
    """What the denominator counts, or is called."""
    name: str = "sum"
    """What the sum is called."""
    ideal: tuple[Term, ...] = ()
    """The terms of the ideal ranking, whose sum is the denominator."""
    empty: float = 0.0
    """The score when there is no term at all."""
    undefined: str = ""
    """Why there may be no score."""
    note: str = ""
    residual: float | None = None
    """What unjudged documents could add at most."""

    @property
    def total(self) -> float:
        """The sum of all terms."""
        return math.fsum(term.value for term in self.terms)

    @property
    def result(self) -> float:
        """What the terms make: the score."""
        if self.denominator is None:
            return self.total if self.terms else self.empty
        return self.total / self.denominator if self.denominator else math.nan

    @property
    def why_undefined(self) -> str:
        """Why the result is not a number."""
        return self.undefined or f"it divides by the {self.over}, and there are none"


def work(measure: Measure, seen: Seen) -> Working | None:
    """How the score of a measure arises; nothing for measures that are no plain sum."""
    working = WORKINGS.get(measure.name)
    # Of RBP only the gain per document is the sum that is explained.
    explained = working is not None and measure.params.get("expected", "utility") == "utility"
    return working(seen, measure.params) if working and explained else None


def _average_precision(seen: Seen, params: Params) -> Working:
    hits = _hits(seen, params.get("cutoff"))
    terms = tuple(Term(p.rank, p.document, p.precision, fraction=(p.found, p.rank)) for p in hits)
    return Working("precision at each relevant document", terms, *_averaged_over(seen, params, len(hits)))


def _averaged_over(seen: Seen, params: Params, found: int) -> tuple[float, str]:
    """What AP divides by, and what it is called."""
    num_rel, cutoff = len(seen.relevant), params.get("cutoff")
    match params.get("norm"):
        case "retrieved":
            return found, f"{RELEVANT} retrieved"
        case "min":
            return min(num_rel, cutoff or num_rel), f"{RELEVANT} that the cutoff leaves room for"
        case "k" if num_rel and cutoff:
            return cutoff, RANKS
        case _:
            return num_rel, RELEVANT


def _precision(seen: Seen, params: Params) -> Working:
    return _count(seen, params["cutoff"], params["cutoff"], RANKS)


def _recall(seen: Seen, params: Params) -> Working:
    return _count(seen, params.get("cutoff"), len(seen.relevant), RELEVANT)


def _set_precision(seen: Seen, params: Params) -> Working:
    return _count(seen, None, seen.retrieved, "documents retrieved")


def _r_precision(seen: Seen, params: Params) -> Working:
    return _count(seen, len(seen.relevant), len(seen.relevant), RELEVANT)


def _relevant_retrieved(seen: Seen, params: Params) -> Working:
    return _count(seen, params["cutoff"], None, "")


def _f_measure(seen: Seen, params: Params) -> Working:
    square = params["beta"] ** 2
    cutoff, num_rel = params.get("cutoff"), len(seen.relevant)
    length, of = (cutoff, "k") if cutoff else (seen.retrieved, "n")
    hits = _hits(seen, cutoff)
    return Working(
        "1 + β² for each relevant document",
        tuple(Term(p.rank, p.document, 1 + square) for p in hits),
        square * num_rel + length if num_rel else 0.0,
        f"sum β² R + {of}",
        undefined="there are no relevant documents",
        note=(
            f"Each relevant document found counts 1 + β² = {1 + square:g} times. "
            f"R = {num_rel}, {of} = {length}, β² = {square:g}."
        ),
    )


def _reciprocal_rank(seen: Seen, params: Params) -> Working:
    first = _hits(seen, params["cutoff"])[:1]
    terms = tuple(Term(p.rank, p.document, 1 / p.rank, fraction=(1, p.rank)) for p in first)
    return Working("1 / rank of the first relevant document", terms, note=_first(first))


def _search_length(seen: Seen, params: Params) -> Working:
    first = _hits(seen, params["cutoff"])[:1]
    return Working(
        "rank of the first relevant document",
        tuple(Term(p.rank, p.document, float(p.rank)) for p in first),
        empty=math.nan,
        undefined="no relevant document is in the ranking",
        note=_first(first),
    )


def _success(seen: Seen, params: Params) -> Working:
    first = _hits(seen, params["cutoff"])[:1]
    terms = tuple(Term(p.rank, p.document, 1.0) for p in first)
    return Working("1 if there is a relevant document", terms, note=_first(first))


def _cumulated_gain(seen: Seen, params: Params) -> Working:
    documents = _graded(seen, params["cutoff"])
    gains = _gains(documents, seen, params["gain"])
    terms = (Term(d.rank, d.document, gain, {"gain": gain}) for d, gain in zip(documents, gains, strict=True))
    return Working("gain", tuple(terms), name="CG")


def _discounted_gain(seen: Seen, params: Params) -> Working:
    return Working("gain × discount", _discounted(_graded(seen, params["cutoff"]), seen, params), name="DCG")


def _normalised_gain(seen: Seen, params: Params) -> Working:
    ideal = _discounted(_ideal(seen, params), seen, params)
    whose = "judged document" if params["ideal"] == "judged" else "document retrieved"
    return Working(
        "gain × discount",
        _discounted(_graded(seen, params["cutoff"]), seen, params),
        math.fsum(term.value for term in ideal),
        "same of the ideal ranking",
        name="DCG",
        ideal=ideal,
        undefined=f"no {whose} has a gain, so the ideal ranking gains nothing",
    )


def _rank_biased(seen: Seen, params: Params) -> Working:
    places = seen.top(params["cutoff"])
    weights = _values(RBP(p=params["p"]), [p.rank for p in places], [1] * len(places))
    # Alone at rank 1, a document's RBP for p = 1/2 is half its gain.
    halves = RBP(p=0.5, rel=params["rel"], gain=params["gain"])
    grades = [_grade(place) for place in places]
    gains = [2 * half for half in _values(halves, [1] * len(places), grades, seen.max_grade)]
    terms = (
        Term(p.rank, p.document, weight * gain, {"weight": weight, "gain": gain})
        for p, weight, gain in zip(places, weights, gains, strict=True)
    )
    return Working(
        "weight × gain",
        tuple(terms),
        note=f"The weight of rank i is (1 - p) pⁱ⁻¹ with p = {params['p']:g}.",
        residual=float(RBPResidual(p=params["p"], cutoff=params["cutoff"])(seen.judged)),
    )


def _expected_reciprocal_rank(seen: Seen, params: Params) -> Working:
    places = seen.top(params["cutoff"])
    # Alone at rank 1, a document's ERR is the probability that it satisfies.
    first = ERR(gain=params["gain"], max_grade=params["max_grade"])
    satisfied = _values(first, [1] * len(places), [_grade(p) for p in places], seen.max_grade)
    terms, reached = [], 1.0
    for place, probability in zip(places, satisfied, strict=True):
        stops = reached * probability
        factors = {"reached": reached, "satisfied": probability, "stops here": stops}
        terms.append(Term(place.rank, place.document, stops / place.rank, factors))
        reached *= 1 - probability
    return Working("stops here / rank", tuple(terms), note=_satisfied_with(params, seen.max_grade))


def _satisfied_with(params: Params, collection: float) -> str:
    if params["gain"] == "exponential":
        largest = collection if params["max_grade"] is None else params["max_grade"]
        return f"A grade g satisfies with probability (2^g - 1) / 2^M, where M = {largest:g}."
    largest = largest_gain(params["gain"], collection, params["max_grade"])
    return f"A gain g satisfies with probability g / (1 + G), where G = {largest:g}."


WORKINGS: dict[str, Callable[[Seen, Params], Working]] = {
    "AP": _average_precision,
    "GMAP": _average_precision,
    "P": _precision,
    "R": _recall,
    "SetP": _set_precision,
    "SetR": _recall,
    "Rprec": _r_precision,
    "NumRelRet": _relevant_retrieved,
    "F": _f_measure,
    "SetF": _f_measure,
    "RR": _reciprocal_rank,
    "SL": _search_length,
    "Success": _success,
    "CG": _cumulated_gain,
    "DCG": _discounted_gain,
    "nDCG": _normalised_gain,
    "RBP": _rank_biased,
    "ERR": _expected_reciprocal_rank,
}


def _hits(seen: Seen, cutoff: int | None) -> list[Place]:
    return [place for place in seen.top(cutoff) if place.relevant]


def _count(seen: Seen, cutoff: int | None, denominator: float | None, over: str) -> Working:
    terms = tuple(Term(p.rank, p.document, 1.0) for p in _hits(seen, cutoff))
    return Working("1 for each relevant document", terms, denominator, over)


def _first(hits: Sequence[Place]) -> str:
    if not hits:
        return "No relevant document is in the ranking."
    return f"The first relevant document is {hits[0].document}, at rank {hits[0].rank}."


def _discounted(documents: Sequence[Graded], seen: Seen, params: Params) -> tuple[Term, ...]:
    gains = _gains(documents, seen, params["gain"])
    ranks = [document.rank for document in documents]
    discounts = _values(DCG(discount=params["discount"], base=params["base"]), ranks, [1] * len(ranks))
    return tuple(
        Term(d.rank, d.document, gain * discount, {"gain": gain, "discount": discount})
        for d, gain, discount in zip(documents, gains, discounts, strict=True)
    )


def _ideal(seen: Seen, params: Params) -> list[Graded]:
    """The documents that an ideal ranking would hold, most gain first."""
    held = {place.document for place in seen.places}
    pool = [d for d in seen.grades if params["ideal"] == "judged" or d in held]
    gains = _gains([Graded(1, d, seen.grades[d]) for d in pool], seen, params["gain"])
    best = sorted(zip(pool, gains, strict=True), key=lambda pair: -pair[1])[: params["cutoff"]]
    return [Graded(rank, document, seen.grades[document]) for rank, (document, _) in enumerate(best, 1)]


def _graded(seen: Seen, cutoff: int | None) -> list[Graded]:
    return [Graded(place.rank, place.document, _grade(place)) for place in seen.top(cutoff)]


def _gains(documents: Sequence[Graded], seen: Seen, gain: Any) -> list[float]:
    ranks, grades = [d.rank for d in documents], [d.grade for d in documents]
    return _values(CG(gain=gain), ranks, grades, seen.max_grade)


def _grade(place: Place) -> float:
    # What a measure makes of a document nobody judged is what it makes of a place that is not there.
    return -math.inf if place.grade is None else place.grade


def _values(measure: Measure, ranks: Sequence[float], grades: Sequence[float], max_grade: float = 1.0) -> list[float]:
    """The measure of each document alone: rankings of one document each, all in one array."""
    alone = JudgedRanking(
        ranks=np.array(ranks, dtype=np.float64)[:, None],
        grades=np.array(grades, dtype=np.float64)[:, None],
        retrieved=np.ones(len(ranks)),
        judged=np.array(grades, dtype=np.float64)[:, None],
        max_grade=max_grade,
    )
    return [float(value) for value in np.asarray(measure(alone))]
