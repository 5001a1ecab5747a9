"""The sum behind a score, term by term: one small function per kind of measure.

Weights and gains are not defined a second time here. A sum is additive, so what one document adds is the
measure's own value for a ranking that holds nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.arrays import Floats
from cranfield.explaining.places import Place, Seen
from cranfield.measures import CG, DCG, ERR, RBP, Measure, RBPResidual, nDCG
from cranfield.measures.average import documents_at
from cranfield.measures.gain import largest_gain

Params = Mapping[str, Any]

MOST_PREFIXES = 2_000
"""Of a ranking with more judged documents, each as far as every other would fill the memory."""
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
    fraction: tuple[float, float] | None = None
    """The value as a fraction, of two counts for instance, where it is one."""
    name: str = ""
    """What the value is, where it is not that of one document."""


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
    whose: str = RELEVANT
    """The documents that the terms are of, where each is the same."""
    running: str = ""
    """What the sum down to a rank is called, where it is worth a column."""

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
    """How the score of a measure is calculated; nothing for measures that are no sum over ranks."""
    # Of a user model only the gain per document is the sum that is explained.
    if measure.params.get("expected", "utility") != "utility":
        return None
    if working := WORKINGS.get(measure.name):
        return working(seen, measure.params)
    # Unjudged documents were removed from what is seen, if they were to be.
    as_seen = measure.replaced({"judged_only": False})
    if sum(place.grade is not None for place in seen.places) > MOST_PREFIXES:
        return None
    if measure.name in BY_RANK:
        return _added_by_rank(as_seen, seen)
    if measure.definition.family == "cwl" and measure.name not in LOOKING_AHEAD:
        return _user_model(as_seen, seen)
    return None


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
    cutoff = params["cutoff"]
    if params["norm"] == "retrieved":
        return _count(seen, cutoff, min(cutoff, seen.retrieved), "documents retrieved down to the cutoff")
    return _count(seen, cutoff, cutoff, RANKS)


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
    return Working("gain", tuple(terms), name="CG", running="CG")


def _discounted_gain(seen: Seen, params: Params) -> Working:
    terms = _discounted(_graded(seen, params["cutoff"]), seen, params)
    return Working("gain × discount", terms, name="DCG", running="DCG")


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


def _eleven_points(seen: Seen, params: Params) -> Working:
    at_levels = [_best_from(seen, tenth / 10, params["levels"]) for tenth in range(11)] if seen.relevant else []
    return Working(
        "interpolated precision at each level of recall",
        tuple(_precision_at(place) for place in at_levels),
        len(at_levels),
        "11 levels of recall",
        undefined="there are no relevant documents",
    )


def _interpolated_precision(seen: Seen, params: Params) -> Working:
    level = params["recall"]
    place = _best_from(seen, level, params["levels"]) if seen.relevant else None
    reached = (
        "is never reached."
        if place is None
        else f"is reached, and precision is best from there on at rank {place.rank}."
    )
    return Working(
        "the best precision where recall has reached the level",
        (_precision_at(place),) if place else (),
        empty=0.0 if seen.relevant else math.nan,
        undefined="there are no relevant documents",
        note=f"Recall {level:g} {reached}",
    )


def _best_from(seen: Seen, level: float, levels: Any) -> Place | None:
    """The place with the best precision of those at which recall has reached a level; the first of several."""
    wanted = float(documents_at(level, np.array(float(len(seen.relevant))), levels))
    reached = [place for place in _hits(seen, None) if place.found >= wanted]
    return max(reached, key=lambda place: place.precision, default=None)


def _precision_at(place: Place | None) -> Term:
    if place is None:
        return Term(0, "", 0.0, fraction=(0, 1))
    return Term(place.rank, place.document, place.precision, fraction=(place.found, place.rank))


def _relative_precision(seen: Seen, params: Params) -> Working:
    cutoff = params.get("cutoff")
    most = min(seen.retrieved if cutoff is None else cutoff, len(seen.relevant))
    return _count(seen, cutoff, most, f"{RELEVANT} that could be there")


def _precision_at_multiple(seen: Seen, params: Params) -> Working:
    cutoff = math.trunc(params["multiple"] * len(seen.relevant) + 0.9)
    return _count(seen, cutoff, cutoff, f"ranks down to {params['multiple']:g} R")


def _set_average(seen: Seen, params: Params) -> Working:
    hits, num_rel = len(_hits(seen, None)), len(seen.relevant)
    return Working(
        "the number of relevant documents found, once for each of them",
        tuple(Term(p.rank, p.document, float(hits)) for p in _hits(seen, None)),
        float(seen.retrieved * num_rel),
        "documents retrieved times the relevant documents",
        note=f"Precision {hits}/{seen.retrieved} times recall {hits}/{num_rel}.",
    )


def _number_retrieved(seen: Seen, params: Params) -> Working:
    return Working("1 for each document retrieved", (), empty=float(seen.retrieved))


def _number_relevant(seen: Seen, params: Params) -> Working:
    return Working("1 for each relevant document, retrieved or not", (), empty=float(len(seen.relevant)))


def _one_query(seen: Seen, params: Params) -> Working:
    return Working("1 for the query", (), empty=1.0)


def _irrelevant_retrieved(seen: Seen, params: Params) -> Working:
    terms = tuple(Term(p.rank, p.document, 1.0) for p in seen.top(params["cutoff"]) if p.judged and not p.relevant)
    return Working("1 for each document judged irrelevant", terms)


def _judged(seen: Seen, params: Params) -> Working:
    cutoff = params["cutoff"]
    known = [p for p in seen.top(cutoff) if p.judged or (params["pooled"] == "judged" and p.grade is not None)]
    length = min(seen.retrieved, cutoff or seen.retrieved)
    terms = tuple(Term(p.rank, p.document, 1.0) for p in known)
    over = "documents retrieved down to the cutoff"
    return Working("1 for each judged document", terms, length, over, whose="judged documents")


def _unjudged(seen: Seen, params: Params) -> Working:
    cutoff = params["cutoff"]
    others = min(seen.retrieved, cutoff) - sum(p.judged for p in seen.top(cutoff))
    terms = (Term(0, "", float(others), name="unjudged"),)
    return Working("1 for each unjudged document", terms, cutoff, RANKS)


def _accuracy(seen: Seen, params: Params) -> Working:
    counts = _outcomes(seen, params)
    terms = tuple(Term(0, "", float(counts[name]), name=name) for name in ("tp", "tn"))
    return Working("documents treated rightly", terms, sum(counts.values()), "documents there are", note=_told(counts))


def _fallout(seen: Seen, params: Params) -> Working:
    counts = _outcomes(seen, params)
    terms = (Term(0, "", float(counts["fp"]), name="fp"),)
    irrelevant = counts["fp"] + counts["tn"]
    return Working("irrelevant documents retrieved", terms, irrelevant, "irrelevant documents", note=_told(counts))


def _utility(seen: Seen, params: Params) -> Working:
    counts = _outcomes(seen, params)
    worths = dict(zip(counts, (params[name] for name in "abcd"), strict=True))
    terms = tuple(
        Term(0, "", worths[name] * count, name=f"{worths[name]:g} · {name}") for name, count in counts.items()
    )
    return Working("the worth of each outcome", terms, note=_told(counts))


def _outcomes(seen: Seen, params: Params) -> dict[str, int]:
    """Relevant and other documents, retrieved and not."""
    hits = len(_hits(seen, None))
    known = seen.retrieved + len(seen.grades) - sum(place.grade is not None for place in seen.places)
    size = known if params["docs"] is None else params["docs"]
    false_positives, missed = seen.retrieved - hits, len(seen.relevant) - hits
    return {"tp": hits, "fp": false_positives, "fn": missed, "tn": int(size) - hits - false_positives - missed}


def _told(counts: Mapping[str, int]) -> str:
    return (
        f"Relevant and retrieved: tp = {counts['tp']}; irrelevant and retrieved: fp = {counts['fp']}; relevant and not "
        f"retrieved: fn = {counts['fn']}; neither: tn = {counts['tn']}."
    )


def _binary_preference(seen: Seen, params: Params) -> Working:
    num_rel = len(seen.relevant)
    num_nonrel = sum(0 <= grade < seen.rel for grade in seen.grades.values())
    worst = max(min(num_rel, num_nonrel), 1)
    terms, above = [], 0
    for place in seen.places:
        above += place.judged and not place.relevant
        if place.relevant:
            preferred = 1 - min(above, num_rel) / worst
            terms.append(Term(place.rank, place.document, preferred, {"irrelevant above": above}))
    note = f"Each relevant document gives 1 - min(irrelevant above, R) / {worst}, where R = {num_rel}."
    return Working("preference at each relevant document", tuple(terms), num_rel, RELEVANT, note=note)


def _pairs_in_order(seen: Seen, params: Params) -> Working:
    top, of_judged = seen.top(params["cutoff"]), params["pairs"] == "judged"
    hits = [place for place in top if place.relevant]
    met = [place.rank for place in top if place.judged and not place.relevant]
    if of_judged:
        num_rel = len(seen.relevant)
        num_irrelevant = sum(0 <= grade < seen.rel for grade in seen.grades.values())
        below = [num_irrelevant - sum(rank < place.rank for rank in met) for place in hits]
    else:
        num_rel = len(hits)
        num_irrelevant = min(seen.retrieved, params["cutoff"] or seen.retrieved) - num_rel
        below = [num_irrelevant - (place.rank - place.found) for place in hits]
    terms = [Term(p.rank, p.document, float(count)) for p, count in zip(hits, below, strict=True)]
    if halves := (num_rel - len(hits)) * (num_irrelevant - len(met)) if of_judged else 0:
        terms.append(Term(0, "", halves / 2, name="half of the pairs that were not retrieved"))
    return Working(
        "irrelevant documents below each relevant one",
        tuple(terms),
        num_rel * num_irrelevant,
        "pairs of a relevant and an irrelevant document",
    )


class _Blended(NamedTuple):
    """The ratio of the Q-measure at a document with a gain."""

    place: Place
    gain: float
    ratio: tuple[float, float]

    @property
    def term(self) -> Term:
        part, whole = self.ratio
        return Term(self.place.rank, self.place.document, part / whole, fraction=self.ratio)


def _q_measure(seen: Seen, params: Params) -> Working:
    blended, num_rel = _blended(seen, params)
    most = min(num_rel, params["cutoff"] or num_rel)
    return Working(
        "blended ratio at each document with a gain",
        tuple(one.term for one in blended),
        most,
        "documents with a gain" if most == num_rel else RANKS,
        note=BLENDED,
    )


def _o_measure(seen: Seen, params: Params) -> Working:
    blended, num_rel = _blended(seen, params)
    return _one_ratio("blended ratio at the first document with a gain", blended[:1], num_rel)


def _p_measure(seen: Seen, params: Params) -> Working:
    blended, num_rel = _blended(seen, params)
    best = max(blended, key=lambda one: one.gain, default=None)
    return _one_ratio("blended ratio at the first of the best documents", [best] if best else [], num_rel)


def _one_ratio(adds: str, blended: Sequence[_Blended], num_rel: int) -> Working:
    return Working(
        adds,
        tuple(one.term for one in blended),
        empty=0.0 if num_rel else math.nan,
        undefined="no judged document has a gain",
        note=BLENDED,
    )


def _p_plus(seen: Seen, params: Params) -> Working:
    blended, num_rel = _blended(seen, params)
    best = max(blended, key=lambda one: one.gain, default=None)
    read = blended[: blended.index(best) + 1] if best else []
    return Working(
        "blended ratio at each document with a gain, down to the first of the best",
        tuple(one.term for one in read),
        max(len(read), 1) if num_rel else 0,
        "number of these documents",
        undefined="no judged document has a gain",
        note=BLENDED,
    )


BLENDED = "The blended ratio is (documents with a gain + β · gain so far) / (rank + β · ideal gain so far)."


def _blended(seen: Seen, params: Params) -> tuple[list[_Blended], int]:
    """The ratio at each document with a gain down to the cutoff, and how many documents with a gain were judged."""
    ideal = _gains(_ideal(seen, {"ideal": "judged", "gain": params["gain"], "cutoff": None}), seen, params["gain"])
    documents = _graded(seen, params["cutoff"])
    places = seen.top(params["cutoff"])
    blended: list[_Blended] = []
    total = 0.0
    for place, gain in zip(places, _gains(documents, seen, params["gain"]), strict=True):
        if gain <= 0:
            continue
        total += gain
        best = math.fsum(ideal[: place.rank])
        part = len(blended) + 1 + params["beta"] * total
        blended.append(_Blended(place, gain, (part, place.rank + params["beta"] * best)))
    return blended, sum(gain > 0 for gain in ideal)


def _normalised_reciprocal_rank(seen: Seen, params: Params) -> Working:
    ideal = _ideal(seen, {"ideal": "judged", "gain": params["gain"], "cutoff": params["cutoff"]})
    best = JudgedRanking(
        ranks=np.array([document.rank for document in ideal], dtype=np.float64),
        grades=np.array([document.grade for document in ideal], dtype=np.float64),
        retrieved=np.array(float(len(ideal))),
        judged=np.array([document.grade for document in ideal], dtype=np.float64),
        max_grade=seen.max_grade,
    )
    return replace(
        _expected_reciprocal_rank(seen, params),
        denominator=float(ERR(gain=params["gain"], max_grade=params["max_grade"])(best)),
        over="same of the ideal ranking",
        undefined="no judged document satisfies, so the ideal ranking gains nothing",
    )


def _gain_at_each(seen: Seen, params: Params) -> Working:
    """nDCGrel: what nDCG has come to at each document with a gain."""
    gains = _gains(_graded(seen, None), seen, params["gain"])
    held = [place for place, gain in zip(seen.places, gains, strict=True) if gain > 0]
    judged = [Graded(1, document, grade) for document, grade in seen.grades.items()]
    num_rel = sum(gain > 0 for gain in _gains(judged, seen, params["gain"]))
    own = nDCG(gain=params["gain"])
    terms = [Term(p.rank, p.document, float((own @ p.rank)(seen.judged))) for p in held]
    if num_rel > len(held):
        missed = num_rel - len(held)
        terms.append(Term(0, "", missed * float(own(seen.judged)), name=f"{missed} · nDCG for what was not retrieved"))
    return Working("nDCG at each document with a gain", tuple(terms), num_rel, "documents with a gain")


def _rank_biased_residual(seen: Seen, params: Params) -> Working:
    places = seen.top(params["cutoff"])
    weights = _values(RBP(p=params["p"]), [p.rank for p in places], [1] * len(places))
    terms = [
        Term(p.rank, p.document, 0.0 if p.judged else weight, {"weight": weight})
        for p, weight in zip(places, weights, strict=True)
    ]
    rest = max(0.0, 1 - math.fsum(weights))
    terms.append(Term(len(places) + 1, "", rest, {"weight": rest}))
    note = (
        f"The weight of rank i is (1 - p) pⁱ⁻¹ with p = {params['p']:g}; the last line is all ranks without a document."
    )
    return Working("weight of unjudged documents", tuple(terms), note=note)


BY_RANK = ("binG", "G", "infAP", "Compat", "NCU", "Rndcg")
"""Sums whose term at a rank depends on nothing below it: what the score gains when the ranking goes on to there."""


def _added_by_rank(measure: Measure, seen: Seen) -> Working:
    places = [place for place in seen.places if place.grade is not None]
    so_far = np.asarray(measure(_prefixes(seen, places))).tolist()
    undefined = bool(so_far) and math.isnan(so_far[0])
    added = np.diff(so_far, prepend=0.0).tolist() if not undefined else [0.0] * len(so_far)
    terms = tuple(
        Term(place.rank, place.document, value, {"grade": _grade(place)})
        for place, value in zip(places, added, strict=True)
    )
    nothing = float(measure(_alone(seen, [])))
    return Working(
        "what each judged document adds to the score",
        () if undefined else terms,
        empty=nothing,
        undefined="its definition has no value for these judgments",
        running="so far",
    )


LOOKING_AHEAD = ("cwlAP",)
"""User models in which it depends on documents further down whether a user goes on."""


def _user_model(measure: Measure, seen: Seen) -> Working:
    """The gain of each document by how likely it is looked at, which depends on the documents above it alone."""
    places = [place for place in seen.places if place.grade is not None]
    depths = measure.replaced({"expected": "depth"})

    def gained(judged: JudgedRanking) -> Floats:
        return np.asarray(measure(judged)) * np.asarray(depths(judged))

    so_far = np.append(0.0, gained(_prefixes(seen, places)))
    perfect = measure.params["max_grade"] or seen.max_grade
    reached = gained(_prefixes(seen, places, perfect)) - so_far[:-1]
    added = np.diff(so_far)
    depth = float(depths(seen.judged))
    gains = np.divide(added, reached, out=np.zeros_like(added), where=reached > 0)
    terms = tuple(
        Term(p.rank, p.document, float(add), {"reached": float(reach), "gain": float(gain)})
        for p, add, reach, gain in zip(places, added, reached, gains, strict=True)
    )
    return Working(
        "reached × gain",
        terms,
        depth,
        "documents looked at on average",
        note="`reached` is the probability that a user looks at this rank.",
    )


def _prefixes(seen: Seen, places: Sequence[Place], last: float | None = None) -> JudgedRanking:
    """The ranking as far as each of these places, nothing retrieved below; the last one perhaps with another grade."""
    ranks = np.array([place.rank for place in places], dtype=np.float64)
    grades = np.array([_grade(place) for place in places], dtype=np.float64)
    below = np.triu(np.ones((len(places), len(places)), dtype=bool), 1)
    by_prefix = np.where(below, -np.inf, grades)
    if last is not None:
        np.fill_diagonal(by_prefix, last)
    return _of_query(seen, np.where(below, np.inf, ranks), by_prefix)


def _alone(seen: Seen, places: Sequence[Place]) -> JudgedRanking:
    """The ranking with these judged documents only."""
    return _of_query(
        seen,
        np.array([place.rank for place in places], dtype=np.float64),
        np.array([_grade(place) for place in places], dtype=np.float64),
    )


def _of_query(seen: Seen, ranks: Floats, grades: Floats) -> JudgedRanking:
    judged = seen.judged.judged
    return JudgedRanking(
        ranks=ranks,
        grades=grades,
        retrieved=np.full(ranks.shape[:-1], float(seen.retrieved)),
        judged=np.broadcast_to(judged, (*ranks.shape[:-1], len(judged))),
        max_grade=seen.max_grade,
    )


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
    "ElevenPoint": _eleven_points,
    "IPrec": _interpolated_precision,
    "RelP": _relative_precision,
    "SetRelP": _relative_precision,
    "RprecMult": _precision_at_multiple,
    "SetAP": _set_average,
    "NumQ": _one_query,
    "NumRet": _number_retrieved,
    "NumRel": _number_relevant,
    "NumNonrelRet": _irrelevant_retrieved,
    "Judged": _judged,
    "Unjudged": _unjudged,
    "Accuracy": _accuracy,
    "Fallout": _fallout,
    "Utility": _utility,
    "AUC": _pairs_in_order,
    "Bpref": _binary_preference,
    "GMBpref": _binary_preference,
    "Q": _q_measure,
    "OMeasure": _o_measure,
    "PMeasure": _p_measure,
    "PPlus": _p_plus,
    "nERR": _normalised_reciprocal_rank,
    "nDCGrel": _gain_at_each,
    "RBPResidual": _rank_biased_residual,
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
