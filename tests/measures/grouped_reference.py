"""Every measure of several grades as a plain loop over its published formula: slow, obvious, and free of arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.grouped_ranking import GroupedRanking
from tests.measures import reference as of_one_grade
from tests.measures.reference import Case, gained, is_relevant, share

Grades = tuple[float | None, ...]
"""One document's grade by each group, None where a group says nothing of it."""


class Document(NamedTuple):
    name: str
    grades: Grades

    @property
    def graded(self) -> bool:
        return any(grade is not None for grade in self.grades)


class GroupedCase(NamedTuple):
    """One query: its documents by rank, and those that were judged but not retrieved."""

    ranked: tuple[Document, ...]
    missed: tuple[Document, ...]
    owners: tuple[int, ...]
    """The judge that each group belongs to."""

    @property
    def judged(self) -> list[Document]:
        return [document for document in (*self.ranked, *self.missed) if document.graded]

    def top(self, depth: int | None) -> GroupedCase:
        """The query if reading stops at a rank."""
        if depth is None:
            return self
        hidden = tuple(document for document in self.ranked[depth:] if document.graded)
        return self._replace(ranked=self.ranked[:depth], missed=self.missed + hidden)

    def condensed(self) -> GroupedCase:
        """The query without documents that nobody judged."""
        kept = tuple(d for d in self.ranked if any(grade is not None and grade >= 0 for grade in d.grades))
        hidden = tuple(d for d in self.ranked if d.graded and d not in kept)
        return self._replace(ranked=kept, missed=self.missed + hidden)

    def by_group(self, group: int, *, judged_only: bool = False) -> Case:
        """The query as one group sees it."""
        ranked = [document.grades[group] for document in self.ranked]
        if judged_only:
            ranked = [grade for grade in ranked if grade is not None and grade >= 0]
        missed = tuple(d.grades[group] for d in self.missed if d.grades[group] is not None)
        return Case(tuple(ranked), missed, 0.0)

    def grouped_ranking(self, documents: int = 0, groups: int = 0) -> GroupedRanking:
        """The same query as measures get it, padded to some numbers of documents and groups if these are larger."""
        found = [(float(rank), document) for rank, document in enumerate(self.ranked, 1) if document.graded]
        found += [(math.inf, document) for document in self.missed]
        fill = max(documents - len(found), 0)
        last_first = sorted((document.name for _, document in found), reverse=True)
        grades = np.full((max(groups, len(self.owners)), len(found) + fill), -math.inf)
        for column, (_, document) in enumerate(found):
            for group, grade in enumerate(document.grades):
                if grade is not None:
                    grades[group, column] = grade
        return GroupedRanking(
            ranks=np.array([rank for rank, _ in found] + [math.inf] * fill),
            grades=grades,
            retrieved=np.float64(len(self.ranked)),
            places=np.array([float(last_first.index(d.name)) for _, d in found] + [math.inf] * fill),
            owners=np.array([*self.owners, *[-1] * (len(grades) - len(self.owners))], dtype=np.int64),
            max_grade=max((grade for _, d in found for grade in d.grades if grade is not None), default=0.0),
        )


REFERENCES: dict[str, Callable[..., float]] = {}
Params = Mapping[str, Any]


def score(name: str, case: GroupedCase, params: Params) -> float:
    """What a measure must give for one query, NaN where it is undefined."""
    chosen = dict(params)
    judged_only = chosen.pop("judged_only")
    if name.endswith("_avgjg"):  # each judge leaves out what that judge did not judge
        return REFERENCES[name](case, judged_only=judged_only, **chosen)
    return REFERENCES[name](case.condensed() if judged_only else case, **chosen)


def reference(function: Callable[..., float]) -> Callable[..., float]:
    REFERENCES[function.__name__] = function
    return function


# Diversity


def subtopics(case: GroupedCase, rel: float) -> list[int]:
    """Those with a relevant document."""
    groups = range(len(case.owners))
    return [group for group in groups if any(is_relevant(d.grades[group], rel) for d in case.judged)]


def served(document: Document, rel: float) -> list[int]:
    """The subtopics that a document is relevant to."""
    return [group for group, grade in enumerate(document.grades) if is_relevant(grade, rel)]


def novelty(documents: Sequence[Document], alpha: float, rel: float) -> list[float]:
    """What each document gains: less for a subtopic, the more documents served it before."""
    gains, before = [], dict[int, int]()
    for document in documents:
        gains.append(sum((1 - alpha) ** before.get(subtopic, 0) for subtopic in served(document, rel)))
        for subtopic in served(document, rel):
            before[subtopic] = before.get(subtopic, 0) + 1
    return gains


def ideal(case: GroupedCase, alpha: float, rel: float) -> list[Document]:
    """Always the document that gains most next, of equal ones the one whose id is last."""
    left, chosen = list(case.judged), list[Document]()
    while left:
        best = max(left, key=lambda document: (round(novelty([*chosen, document], alpha, rel)[-1], 9), document.name))
        left.remove(best)
        chosen.append(best)
    return chosen


def weighted(gains: Sequence[float], weight: Callable[[int], float], cutoff: int | None = None) -> float:
    return math.fsum(gain * weight(rank) for rank, gain in enumerate(gains[:cutoff], 1))


def by_logarithm(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def by_rank(rank: int) -> float:
    return 1 / rank


def conceivable(case, weight, alpha, rel, cutoff):
    """What a ranking gains in which every document serves all subtopics."""
    return len(subtopics(case, rel)) * weighted([(1 - alpha) ** i for i in range(cutoff)], weight)


@reference
def alpha_DCG(case, *, alpha, rel, cutoff):
    gained = weighted(novelty(case.ranked, alpha, rel), by_logarithm, cutoff)
    return share(gained, conceivable(case, by_logarithm, alpha, rel, cutoff))


@reference
def alpha_nDCG(case, *, alpha, rel, cutoff):
    best = novelty(ideal(case, alpha, rel), alpha, rel)
    return share(weighted(novelty(case.ranked, alpha, rel), by_logarithm, cutoff), weighted(best, by_logarithm, cutoff))


@reference
def ERR_IA(case, *, alpha, rel, cutoff):
    gained = weighted(novelty(case.ranked, alpha, rel), by_rank, cutoff)
    return share(gained, conceivable(case, by_rank, alpha, rel, cutoff))


@reference
def nERR_IA(case, *, alpha, rel, cutoff):
    best = novelty(ideal(case, alpha, rel), alpha, rel)
    return share(weighted(novelty(case.ranked, alpha, rel), by_rank, cutoff), weighted(best, by_rank, cutoff))


@reference
def NRBP(case, *, alpha, beta, rel):
    gained = weighted(novelty(case.ranked, alpha, rel), lambda rank: beta ** (rank - 1))
    return share((1 - (1 - alpha) * beta) * gained, len(subtopics(case, rel)))


@reference
def nNRBP(case, *, alpha, beta, rel):
    best = novelty(ideal(case, alpha, rel), alpha, rel)
    gained = weighted(novelty(case.ranked, alpha, rel), lambda rank: beta ** (rank - 1))
    return share(gained, weighted(best, lambda rank: beta ** (rank - 1)))


@reference
def AP_IA(case, *, rel):
    scores = [of_one_grade.score("AP", case.by_group(s), _plain(rel=rel, AP=True)) for s in subtopics(case, rel)]
    return share(math.fsum(scores), len(scores))


@reference
def P_IA(case, *, rel, cutoff):
    params = _plain(rel=rel, cutoff=cutoff)
    scores = [of_one_grade.score("P", case.by_group(subtopic), params) for subtopic in subtopics(case, rel)]
    return share(math.fsum(scores), len(scores))


@reference
def StRecall(case, *, rel, cutoff):
    seen = {subtopic for document in case.ranked[:cutoff] for subtopic in served(document, rel)}
    return share(len(seen), len(subtopics(case, rel)))


def _plain(*, AP: bool = False, **params: Any) -> dict[str, Any]:
    """The parameters of a measure of one grade."""
    return {"judged_only": False, **({"norm": "relevant", "cutoff": None} if AP else {}), **params}


# Judges


def over_judges(case: GroupedCase, judged_only: bool, name: str, params: Params) -> float:
    """The mean of a measure's scores by the grades of each judge; one who leaves it undefined counts 0."""
    judges = range(len(case.owners))
    scores = [of_one_grade.score(name, case.by_group(judge, judged_only=judged_only), params) for judge in judges]
    return averaged(scores)


def averaged(scores: Sequence[float]) -> float:
    known = [value for value in scores if not math.isnan(value)]
    return math.fsum(known) / len(scores) if known else math.nan


@reference
def AP_avgjg(case, *, judged_only, rel):
    return over_judges(case, judged_only, "AP", _plain(AP=True, rel=rel))


@reference
def P_avgjg(case, *, judged_only, rel, cutoff):
    return over_judges(case, judged_only, "P", _plain(rel=rel, cutoff=cutoff))


@reference
def RprecMult_avgjg(case, *, judged_only, rel, multiple):
    return over_judges(case, judged_only, "RprecMult", _plain(rel=rel, multiple=multiple))


# Samples

EPSILON = 0.00001


def stratum_and_grade(document: Document) -> tuple[int, float] | None:
    """Where a document was drawn from, negative where it was not drawn; nothing if it is not in the pool."""
    return next(((stratum, grade) for stratum, grade in enumerate(document.grades) if grade is not None), None)


def pooled(documents: Sequence[Document]) -> list[tuple[int, float]]:
    return [drawn for document in documents if (drawn := stratum_and_grade(document))]


def stand_for(pool: Sequence[tuple[int, float]]) -> dict[int, float]:
    """How many documents of each stratum one that was judged stands for."""
    by_stratum = {stratum: [grade for other, grade in pool if other == stratum] for stratum, _ in pool}
    return {stratum: share(len(of), sum(grade >= 0 for grade in of)) for stratum, of in by_stratum.items()}


@reference
def xinfAP(case, *, rel, cutoff):
    pool = pooled(case.judged)
    others = stand_for(pool)
    total = 0.0
    for rank, document in enumerate(case.ranked[:cutoff], 1):
        drawn = stratum_and_grade(document)
        if drawn and drawn[1] >= rel:
            above = pooled(case.ranked[: rank - 1])
            expected = 1.0
            for stratum in {stratum for stratum, _ in above}:
                of = [grade for other, grade in above if other == stratum]
                relevant, judged = sum(grade >= rel for grade in of), sum(grade >= 0 for grade in of)
                expected += len(of) * (relevant + EPSILON) / (judged + 3 * EPSILON)
            total += others[drawn[0]] * expected / rank
    return share(total, math.fsum(others[stratum] for stratum, grade in pool if grade >= rel))


@reference
def infNDCG(case, *, gain, cutoff):
    pool, seen = pooled(case.judged), case.ranked[:cutoff]
    others, others_seen = stand_for(pool), stand_for(pooled(seen))
    own = 0.0
    for rank, document in enumerate(seen, 1):
        drawn = stratum_and_grade(document)
        if drawn and drawn[1] >= 0:
            own += others_seen[drawn[0]] * gained(drawn[1], gain) / math.log2(rank + 1)
    judged = [(others[stratum], gained(grade, gain)) for stratum, grade in pool if grade >= 0]
    best = []
    for value in sorted({value for _, value in judged if value > 0}, reverse=True):
        inferred = math.fsum(count for count, other in judged if other == value)
        best += [value] * math.floor(round(inferred, 9) + 0.5)
    return share(own, weighted(best, by_logarithm, cutoff))


# Preferences

Pair = tuple[str, str]


class Judge(NamedTuple):
    """What one judge said of a query."""

    preferred: set[Pair]
    """Of each pair the first document is preferred to the second."""
    grades: dict[str, float]
    """The largest grade of each document."""
    subgroups: int


class Ranked(NamedTuple):
    """The judged documents by name, retrieved ones by rank and then the others, first id first."""

    order: list[str]
    retrieved: int

    def rank(self, document: str) -> int:
        return self.order.index(document)

    def found(self, document: str) -> bool:
        return self.rank(document) < self.retrieved

    def fulfils(self, better: str, worse: str) -> bool:
        return self.found(better) and self.rank(better) < self.rank(worse)

    def counts(self, pair: Pair, pairs: str) -> bool:
        """Whether a preference counts: all do, or where both, or at least one, of its documents was retrieved."""
        found = [self.found(document) for document in pair]
        return {"all": True, "retrieved": all(found), "implied": any(found)}[pairs]


def ranked_by_name(case: GroupedCase) -> Ranked:
    retrieved = [document.name for document in case.ranked if document.graded]
    return Ranked(retrieved + sorted(document.name for document in case.missed), len(retrieved))


def judges(case: GroupedCase) -> list[Judge]:
    found = []
    for judge in range(max(case.owners, default=-1) + 1):
        groups = [group for group, owner in enumerate(case.owners) if owner == judge]
        preferred, largest = set[Pair](), dict[str, float]()
        for group in groups:
            graded = {d.name: d.grades[group] for d in case.judged if (d.grades[group] or 0) >= 0}
            graded = {name: grade for name, grade in graded.items() if grade is not None}
            preferred |= {(a, b) for a in graded for b in graded if graded[a] > graded[b]}
            largest |= {name: max(grade, largest.get(name, 0)) for name, grade in graded.items()}
        while more := {(a, d) for a, b in preferred for c, d in preferred if b == c} - preferred:
            preferred |= more
        found.append(Judge(preferred, largest, len(groups)))
    return found


def fulfilled_and_possible(judge: Judge, ranked: Ranked, pairs: str) -> tuple[int, int]:
    counted = [pair for pair in judge.preferred if ranked.counts(pair, pairs)]
    return sum(ranked.fulfils(*pair) for pair in counted), len(counted)


@reference
def NumPrefs(case):
    return sum(len(judge.preferred) for judge in judges(case))


@reference
def NumPrefsFulfilled(case, *, pairs):
    return sum(fulfilled_and_possible(judge, ranked_by_name(case), pairs)[0] for judge in judges(case))


@reference
def PrefSimp(case, *, pairs):
    counts = [fulfilled_and_possible(judge, ranked_by_name(case), pairs) for judge in judges(case)]
    return share(sum(fulfilled for fulfilled, _ in counts), sum(possible for _, possible in counts))


@reference
def PrefPair(case, *, pairs):
    ranked = ranked_by_name(case)
    said = [pair for judge in judges(case) for pair in judge.preferred if ranked.counts(pair, pairs)]
    about = {frozenset(pair) for pair in said}
    shares = []
    for two in about:
        opinions = [ranked.fulfils(*pair) for pair in said if frozenset(pair) == two]
        shares.append(sum(opinions) / len(opinions))
    return share(math.fsum(shares), len(shares))


@reference
def PrefAvg(case, *, pairs):
    counts = [fulfilled_and_possible(judge, ranked_by_name(case), pairs) for judge in judges(case)]
    return averaged([share(fulfilled, possible) for fulfilled, possible in counts])


@reference
def PrefAvgR(case, *, pairs, counting):
    ranked = ranked_by_name(case)
    balanced = _as_trec_eval_counts if counting == "trec_eval" else _balanced
    shares = [share(*balanced(judge, ranked, pairs)) for judge in judges(case)]
    if counting == "trec_eval" and any(map(math.isnan, shares)):
        return math.nan
    return averaged(shares)


def _in_scope(judge: Judge, ranked: Ranked, pairs: str) -> tuple[list[str], list[str]]:
    """Relevant and irrelevant documents, all of them or those retrieved, by rank."""
    within = ranked.order if pairs == "all" else ranked.order[: ranked.retrieved]
    relevant = [name for name in within if judge.grades.get(name, 0) > 0]
    return relevant, [name for name in within if judge.grades.get(name) == 0]


def _balanced(judge: Judge, ranked: Ranked, pairs: str) -> tuple[int, int]:
    """As many irrelevant documents as relevant ones: the first, or some that stand below all that was retrieved."""
    relevant, irrelevant = _in_scope(judge, ranked, pairs)
    kept = {*relevant, *irrelevant[: len(relevant)]}
    counted = [(a, b) for a, b in judge.preferred if a in kept and b in kept]
    missing = max(len(relevant) - len(irrelevant), 0)
    fulfilled = sum(ranked.fulfils(*pair) for pair in counted) + missing * sum(map(ranked.found, relevant))
    return fulfilled, len(counted) + missing * len(relevant)


def _as_trec_eval_counts(judge: Judge, ranked: Ranked, pairs: str) -> tuple[int, int]:
    """What trec_eval counts: the same up to as many irrelevant documents as relevant ones, but not beyond.

    It divides by all relevant documents even where only retrieved ones are counted; keeps as many irrelevant documents
    as there are relevant ones, retrieved or not, where a judge has several subgroups; and otherwise takes each document
    as preferred to each irrelevant one that it keeps, irrelevant ones and the document itself included.
    """
    relevant, irrelevant = _in_scope(judge, ranked, pairs)
    all_relevant, _ = _in_scope(judge, ranked, "all")
    graded = {*relevant, *irrelevant}
    if len(relevant) >= len(irrelevant):
        counted = [(a, b) for a, b in judge.preferred if a in graded and b in graded]
        missing = len(relevant) - len(irrelevant)
        fulfilled = sum(ranked.fulfils(*pair) for pair in counted) + missing * sum(map(ranked.found, relevant))
        return fulfilled, len(counted) + missing * len(all_relevant)
    if judge.subgroups > 1:
        kept = {*relevant, *irrelevant[: len(all_relevant)]}
        counted = [(a, b) for a, b in judge.preferred if a in kept and b in kept]
        return sum(ranked.fulfils(*pair) for pair in counted), len(counted)
    among = [(a, b) for a, b in judge.preferred if a in graded and b in relevant]
    beside = [(a, b) for a in graded for b in irrelevant[: len(relevant)]]
    return sum(ranked.fulfils(*pair) for pair in among + beside), len(among) + len(beside)
