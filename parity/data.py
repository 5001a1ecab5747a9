"""Made-up judgments and runs, the same every time."""

from __future__ import annotations

import random
from typing import NamedTuple

QUERIES = 60
COLLECTION = 400
"""Documents there are."""


class Data(NamedTuple):
    """Judgments and a run as most tools take them: `{query: {document: value}}`."""

    name: str
    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]

    def answered(self) -> Data:
        """Without the queries that the run is silent about, for tools that do not know of those."""
        return self._only("answered", [query for query in self.qrels if query in self.run])

    def with_relevant(self) -> Data:
        """Only the queries with a relevant document."""
        return self._only("some relevant", [query for query, of in self.qrels.items() if max(of.values()) > 0])

    def with_irrelevant(self) -> Data:
        """Only the queries with both a relevant and an irrelevant document, for tools that need both."""
        return self._only(
            "some irrelevant",
            [query for query, judged in self.qrels.items() if min(judged.values()) <= 0 < max(judged.values())],
        )

    def _only(self, name: str, queries: list[str]) -> Data:
        return Data(
            f"{self.name}, {name}",
            {query: self.qrels[query] for query in queries},
            {query: self.run[query] for query in queries if query in self.run},
        )


class Diverse(NamedTuple):
    """Judgments that grade a document for each subtopic of a query, row by row, and a run."""

    name: str
    qrels: list[dict[str, str | int]]
    run: dict[str, dict[str, float]]

    def with_relevant(self) -> Diverse:
        """Only the queries with a relevant document."""
        kept = {row["query"] for row in self.qrels if row["grade"]}
        return Diverse(
            f"{self.name}, some relevant",
            [row for row in self.qrels if row["query"] in kept],
            {query: ranked for query, ranked in self.run.items() if query in kept},
        )


def graded() -> Data:
    """Grades 0 to 4, no two equal scores; unjudged documents, silent queries, queries without relevant documents."""
    return _made("graded", grades=(0, 0, 0, 1, 1, 2, 3, 4), ties=False)


def tied() -> Data:
    """The same with few different scores, so that most documents are tied."""
    return _made("tied", grades=(0, 0, 0, 1, 1, 2, 3, 4), ties=True)


def binary() -> Data:
    """Grades 0 and 1 only."""
    return _made("binary", grades=(0, 0, 1), ties=False)


def sampled() -> Data:
    """Some documents of the pool were never judged: their grade is -1."""
    return _made("sampled", grades=(-1, -1, 0, 0, 1, 2), ties=False)


def diverse() -> Diverse:
    """One to six subtopics a query, grades 0 to 2; a document may serve several, some subtopics nothing at all."""
    data = _made("diverse", grades=(0, 1, 2), ties=False)
    rng = random.Random("cranfield parity subtopics")
    rows: list[dict[str, str | int]] = []
    for query, judged in data.qrels.items():
        subtopics = [str(number) for number in range(1, rng.randint(1, 6) + 1)]
        for document, grade in judged.items():
            for subtopic in subtopics:
                of_subtopic = grade if rng.random() < 0.4 else 0
                rows.append({"query": query, "subtopic": subtopic, "document": document, "grade": of_subtopic})
    return Diverse(data.name, rows, data.run)


def _made(name: str, grades: tuple[int, ...], *, ties: bool) -> Data:
    rng = random.Random(f"cranfield parity {name}")
    documents = [f"d{number:03d}" for number in range(COLLECTION)]
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(1, QUERIES + 1):
        query = str(100 + number)  # gdeval takes whole numbers only
        pool = rng.sample(documents, rng.randint(4, 80))
        qrels[query] = _judged(pool, number, grades, rng)
        if number % 20:  # every twentieth query is silent
            run[query] = _ranked(pool, documents, ties, rng)
    return Data(name, qrels, run)


def _judged(pool: list[str], number: int, grades: tuple[int, ...], rng: random.Random) -> dict[str, int]:
    if number % 15 == 7:
        return dict.fromkeys(pool, 0)
    if number % 15 == 11:  # nobody judged a document irrelevant
        return {document: rng.choice([grade for grade in grades if grade > 0]) for document in pool}
    judged = {document: rng.choice(grades) for document in pool}
    # pytrec_eval fails on a query whose grades are all negative.
    return judged | {pool[0]: max(0, judged[pool[0]])}


def _ranked(pool: list[str], documents: list[str], ties: bool, rng: random.Random) -> dict[str, float]:
    """Documents and scores, half of them from the pool, in no order."""
    depth = rng.choice([1, 3, 10, 50, 120])
    found = rng.sample(pool, min(len(pool), -(-depth // 2)))
    others = sorted(set(documents) - set(pool))
    retrieved = [*found, *rng.sample(others, depth - len(found))]
    if ties:
        return {document: float(rng.randint(1, 5)) for document in retrieved}
    # Single precision, in which some tools hold scores, tells these apart.
    levels = rng.sample(range(1, 4096), depth)
    return {document: level / 64 for document, level in zip(retrieved, levels, strict=True)}
