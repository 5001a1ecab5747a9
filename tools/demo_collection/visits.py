"""The click log of the demo collection: people who look at results from the top and tire on the way down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tools.demo_collection.chance import Chance
from tools.demo_collection.pages import Page
from tools.demo_collection.questions import Query
from tools.demo_collection.rankers import Ranking
from tools.demo_collection.relevance import grade, relevance

SESSIONS = 1_500
EXAMINATION = (0.96, 0.82, 0.68, 0.55, 0.44, 0.36, 0.30, 0.25, 0.21, 0.18)
"""The true probability that a result is looked at, by position: what a click model should find again."""
ATTRACTION = (0.08, 0.30, 0.60, 0.90)
"""The true probability of a click on a result that was looked at, by its grade."""
SWAP = 0.5
"""How often two neighbours change places, from the top down, so that position and relevance can be separated."""


class Visit(NamedTuple):
    """One result that one person was shown."""

    session: str
    query: str
    position: int
    document: str
    clicked: int


def visits(results: dict[str, Ranking], queries: Sequence[Query], pages: Sequence[Page], chance: Chance) -> list[Visit]:
    """All sessions; some queries are asked far more often than others."""
    page_of = {page.doc_id: page for page in pages}
    asked = _popular(queries, chance)
    log: list[Visit] = []
    for number in range(1, SESSIONS + 1):
        query = chance.pick(asked)
        shown = [page_of[document] for document in _shown(results[query.query_id], chance)]
        log += _visit(f"s{number:04}", query, shown, chance)
    return log


def _popular(queries: Sequence[Query], chance: Chance) -> list[Query]:
    """Each query as often as its popularity asks for: the n-th in proportion to 1/n."""
    return [
        query for rank, query in enumerate(chance.shuffled(queries), start=1) for _ in range(1 + len(queries) // rank)
    ]


def _shown(ranking: Ranking, chance: Chance) -> list[str]:
    documents = list(ranking)[: len(EXAMINATION)]
    for place in range(len(documents) - 1):
        if chance.happens(SWAP):
            documents[place : place + 2] = reversed(documents[place : place + 2])
    return documents


def _visit(session: str, query: Query, shown: Sequence[Page], chance: Chance) -> Iterator[Visit]:
    for position, page in enumerate(shown, start=1):
        wanted = ATTRACTION[grade(relevance(query, page))]
        clicked = chance.happens(EXAMINATION[position - 1] * wanted)
        yield Visit(session, query.query_id, position, page.doc_id, int(clicked))
