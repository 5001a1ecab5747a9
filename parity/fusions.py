"""Made-up runs to fuse, and a row for what a tool makes of them next to what we do."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import cranfield as cf
from cranfield.errors import Findings
from parity.data import graded
from parity.rows import Row

Ranked = dict[str, float]
"""Documents and scores, best first."""
RUNS = 3
WEIGHTS = [0.2, 0.5, 0.3]


def runs(count: int = RUNS, *, shortest: int = 1) -> list[dict[str, Ranked]]:
    """Runs that share queries and some documents, without two equal scores in a list, by query and best first."""
    rng = random.Random("cranfield parity fusion")
    drawn: list[dict[str, Ranked]] = [{} for _ in range(count)]
    for query, documents in graded().run.items():
        for own in drawn:
            length = rng.randint(min(shortest, len(documents)), len(documents))
            some = rng.sample(sorted(documents), length)
            scores = sorted((documents[document] for document in some), reverse=True)
            own[query] = dict(zip(some, scores, strict=True))
    return [{query: ranked for query, ranked in own.items() if len(ranked) >= shortest} for own in drawn]


def fused_row(
    theirs: str,
    call: Callable[[Sequence[Ranked]], Ranked | list[str]] | Mapping[str, Ranked],
    like: str,
    method: str,
    *,
    count: int = RUNS,
    shortest: int = 1,
    data: str = "fused",
    **choices: Any,
) -> Row:
    """What a tool gives each document of each query, or gave; of an order alone, how far our scores contradict it."""
    several = runs(count, shortest=shortest)
    queries = [query for query in several[0] if all(query in own for own in several)]
    ours = cf.fuse([{query: own[query] for query in queries} for own in several], method, like=like, **choices)
    apart = []
    for ranking in ours.rankings(Findings()):
        mine = dict(zip(ranking.documents, ranking.scores.tolist(), strict=True))
        query = ranking.query
        found = call([own[query] for own in several]) if callable(call) else call[query]
        if set(found) != set(mine):
            raise ValueError(f"{theirs}: other documents than ours for query {ranking.query}")
        if isinstance(found, dict):
            apart += [abs(mine[document] - score) for document, score in found.items()]
        else:
            values = [mine[document] for document in found]
            apart += [max(0.0, after - before) for before, after in pairwise(values)] or [0.0]
    return Row(theirs, f"fuse {ours.fusion}", len(apart), max(apart), data)
