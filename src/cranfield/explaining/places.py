"""One query's ranking as a measure sees it, with recall and precision at every rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures import IPrec

LEVELS = tuple(tenth / 10 for tenth in range(11))
"""The recall levels at which the curve is drawn."""


@dataclass(frozen=True)
class Place:
    """One rank: the document there, and how the ranking stands once it is read."""

    rank: int
    in_run: int
    """Its rank in the run; another one where unjudged documents were left out."""
    document: str
    grade: float | None
    """None where nobody judged the document; negative where it was pooled, but not judged."""
    relevant: bool
    found: int
    """Relevant documents up to here."""
    recall: float | None
    """None where no document is relevant."""
    precision: float
    interpolated: float | None
    """At a relevant document, the best precision from here on."""
    chunk: str | None = None
    """The chunk that stands for the document, where chunks were retrieved."""

    @property
    def judged(self) -> bool:
        """Whether somebody gave it a grade."""
        return self.grade is not None and self.grade >= 0


@dataclass(frozen=True)
class Seen:
    """What a measure gets to see of one query."""

    places: tuple[Place, ...]
    grades: Mapping[str, float]
    """Every judged document of the query."""
    max_grade: float
    """The largest grade of the whole collection."""
    rel: float
    """Grade from which a document is relevant."""
    retrieved: int
    """How many documents there are; more than places where ranks have gaps."""

    def top(self, cutoff: int | None) -> tuple[Place, ...]:
        """The places down to a rank."""
        return self.places if cutoff is None else tuple(place for place in self.places if place.rank <= cutoff)

    @cached_property
    def relevant(self) -> tuple[str, ...]:
        """All relevant documents there are, best grade first."""
        relevant = [document for document, grade in self.grades.items() if grade >= self.rel]
        return tuple(sorted(relevant, key=lambda document: -self.grades[document]))

    @cached_property
    def missed(self) -> tuple[str, ...]:
        """Relevant documents that the ranking does not hold, best grade first."""
        held = {place.document for place in self.places}
        return tuple(document for document in self.relevant if document not in held)

    @cached_property
    def judged(self) -> JudgedRanking:
        """The same without ids, as measures read it."""
        graded = [(place.rank, place.grade) for place in self.places if place.grade is not None]
        return JudgedRanking(
            ranks=np.array([rank for rank, _ in graded], dtype=np.float64),
            grades=np.array([grade for _, grade in graded], dtype=np.float64),
            retrieved=np.float64(self.retrieved),  # type: ignore[arg-type]  # a scalar is an array of no axes
            judged=np.array(sorted(self.grades.values(), reverse=True), dtype=np.float64),
            max_grade=self.max_grade,
        )

    @cached_property
    def curve(self) -> dict[float, float]:
        """The best precision at or beyond each level of recall; nothing where no document is relevant."""
        if not self.relevant:
            return {}
        return {level: float(IPrec(rel=self.rel, recall=level)(self.judged)) for level in LEVELS}


def see(
    documents: Sequence[tuple[int, str]],
    grades: Mapping[str, float],
    *,
    rel: float,
    max_grade: float,
    depth: int | None = None,
    judged_only: bool = False,
    chunks: Mapping[str, str] = MappingProxyType({}),
) -> Seen:
    """Ranks and documents, best first, as a measure sees them: cut at a depth, then without the unjudged if so asked.

    >>> [(place.rank, place.precision) for place in see([(1, "a"), (2, "b")], {"b": 1}, rel=1, max_grade=1).places]
    [(1, 0.0), (2, 0.5)]
    """
    read = [(at, document) for at, document in documents if depth is None or at <= depth]
    kept = [(at, document) for at, document in read if not judged_only or grades.get(document, -1) >= 0]
    ranks = range(1, len(kept) + 1) if judged_only else [at for at, _ in kept]
    retrieved = len(kept) if judged_only or not documents else min(documents[-1][0], depth or documents[-1][0])
    hits = [grades.get(document, -np.inf) >= rel for _, document in kept]
    found = list(accumulate(hits, initial=0))[1:]
    precision = [float(count / rank) for rank, count in zip(ranks, found, strict=True)]
    at_hits = (value if hit else 0.0 for value, hit in zip(reversed(precision), reversed(hits), strict=True))
    best = list(accumulate(at_hits, max))[::-1]
    num_rel = sum(grade >= rel for grade in grades.values())
    places = tuple(
        Place(
            rank=ranks[index],
            in_run=at,
            document=document,
            grade=grades.get(document),
            relevant=hits[index],
            found=found[index],
            recall=found[index] / num_rel if num_rel else None,
            precision=precision[index],
            interpolated=best[index] if hits[index] else None,
            chunk=chunks.get(document),
        )
        for index, (at, document) in enumerate(kept)
    )
    return Seen(places, grades, max_grade, rel, retrieved)
