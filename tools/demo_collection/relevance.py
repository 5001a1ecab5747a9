"""How relevant a document really is to a query, and what three judges say about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor
from statistics import median_low
from typing import NamedTuple

from tools.demo_collection.chance import Chance
from tools.demo_collection.pages import Answer, Page
from tools.demo_collection.questions import OVERVIEW, Query
from tools.demo_collection.rankers import Runs

MAX_GRADE = 3

OTHER_FACT = 1.8
"""The right plant and aspect, but another fact than the one asked for."""
WHOLE_GROUP = 1.1
"""The right aspect of the plant's whole group."""
SIBLING = 0.3
"""The right aspect of another plant of the group."""
SAME_TOPIC = 0.25
"""Some other aspect of the right plant."""
ASIDE = 0.1
"""A page that names the plant, and no more."""
OVERVIEW_PART = 1.3
"""A page on one aspect, for someone who asked about the plant as a whole."""

POOL_DEPTHS = {"title": 10, "bm25": 10, "hybrid": 10, "dense": 9}
"""How far down each run was judged: the dense one came late, when there was little time left."""
SURE_RANK = 3
"""What any run ranked so high was judged for certain."""
LEFT_OUT = 0.05
"""The share of the rest of the pool that nobody got to."""
ABSENT = 0.12
"""How often one of the three judges left out a document that the others judged."""
OBSCURITY = 0.25
"""How far a document's wording hides its true relevance, from all judges alike."""
LITTLE_DOUBT = 0.7
"""How much of their usual noise judges show over what has hardly anything to do with the query."""


@dataclass(frozen=True)
class Judge:
    """A judge: how much higher than others they grade, and how unsteadily."""

    name: str
    kindness: float
    unsteadiness: float

    def grade(self, seen: float, doubt: float, chance: Chance) -> int:
        """What this judge makes of a document, the more freely the more room for doubt there is."""
        return grade(seen + doubt * (self.kindness + chance.normal(self.unsteadiness)))


JUDGES = (Judge("ada", 0.0, 0.5), Judge("ben", 0.2, 0.55), Judge("cleo", -0.2, 0.55))


class Label(NamedTuple):
    """What one judge said about one document."""

    query: str
    document: str
    judge: str
    grade: int


def relevance(query: Query, page: Page) -> float:
    """How well a page serves a query, from 0 to 3, before anybody looked at it."""
    if page.topic == query.topic.name:
        return _of_same_topic(query, page)
    if page.group != query.topic.group:
        return 0.0
    if not page.topic:
        return WHOLE_GROUP if page.aspect == query.aspect else 0.0
    return SIBLING if any(answer.aspect == query.aspect for answer in page.answers) else 0.0


def grade(value: float) -> int:
    """The grade nearest to a degree of relevance."""
    return min(max(floor(value + 0.5), 0), MAX_GRADE)


def pool(runs: Runs, chance: Chance) -> list[tuple[str, str]]:
    """The queries and documents that were judged, in order."""
    highest: dict[tuple[str, str], int] = {}
    for name, depth in POOL_DEPTHS.items():
        for query, ranking in runs[name].items():
            for rank, document in enumerate(list(ranking)[:depth], start=1):
                highest[query, document] = min(rank, highest.get((query, document), rank))
    return [pair for pair in sorted(highest) if highest[pair] <= SURE_RANK or not chance.happens(LEFT_OUT)]


def labels(
    pairs: Iterable[tuple[str, str]], queries: Sequence[Query], pages: Sequence[Page], chance: Chance
) -> list[Label]:
    """What the judges say about the pool."""
    query_of = {query.query_id: query for query in queries}
    page_of = {page.doc_id: page for page in pages}
    given = []
    for query, document in pairs:
        value = relevance(query_of[query], page_of[document])
        doubt = 1.0 if value > SIBLING else LITTLE_DOUBT
        seen = value + chance.normal(OBSCURITY * doubt)
        absent = chance.pick(JUDGES) if chance.happens(ABSENT) else None
        given += [
            Label(query, document, judge.name, judge.grade(seen, doubt, chance))
            for judge in JUDGES
            if judge is not absent
        ]
    return given


def merged(labels: Iterable[Label]) -> dict[tuple[str, str], int]:
    """One grade for each pair: the median of its labels, the lower of two."""
    grades: dict[tuple[str, str], list[int]] = {}
    for label in labels:
        grades.setdefault((label.query, label.document), []).append(label.grade)
    return {pair: median_low(given) for pair, given in grades.items()}


def _of_same_topic(query: Query, page: Page) -> float:
    if query.aspect == OVERVIEW:
        return MAX_GRADE if page.is_profile else OVERVIEW_PART if page.answers else ASIDE
    if not page.answers:
        return ASIDE
    return max(_value(query, answer) * clarity for answer, clarity in page.answers.items())


def _value(query: Query, answer: Answer) -> float:
    if answer.aspect != query.aspect:
        return SAME_TOPIC
    return MAX_GRADE if query.number in (None, answer.number) else OTHER_FACT
