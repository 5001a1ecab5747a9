"""Training of fusions on judged queries, so that no query is fused by what was learnt from itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield import errors, formats
from cranfield.arguments import require_whole
from cranfield.arrays import Bools
from cranfield.data.run import Run
from cranfield.errors import DataError, Findings
from cranfield.fusing.fusion import Fusion
from cranfield.fusing.joining import Joining
from cranfield.fusing.lists import QueryLists

FOLDS = 5
EXAMPLES = 100
"""Ids that are looked at for why relevant documents and those of runs never meet."""


@dataclass(frozen=True, eq=False)
class TrainedFusion:
    """A fusion for every query: of those in training, each learnt without it; of others, learnt from all of them."""

    fusion: Fusion
    """Learnt from all training queries."""
    out_of_fold: Mapping[str, Fusion]
    folds: int
    seed: int

    def of(self, query: str) -> Fusion:
        """The fusion for a query, which never saw it."""
        return self.out_of_fold.get(query, self.fusion)


def trained_fusion(
    runs: Sequence[Run], fusion: Fusion, judgments: object, *, folds: int = FOLDS, seed: int = 0
) -> TrainedFusion:
    """Learn a fusion from judged queries: one for each fold of them, from the others, and one from all."""
    require_whole(folds, "folds", least=2)
    require_whole(seed, "seed", least=0)
    hits, relevant = _training_hits(runs, formats.read_judgments(judgments), fusion.depth)
    if len(hits) < folds:
        raise errors.fusing.too_few_to_train(len(hits), folds)
    fold_of = fold_numbers([*hits], folds, seed)

    def learnt(queries: Sequence[str]) -> Fusion:
        train = fusion.method.rule.train
        assert train is not None  # whoever calls this has a method that learns
        counts = [relevant[query] for query in queries]
        own: list[Any] = [[hits[query][at] for query in queries] for at in range(len(runs))]
        return replace(fusion, model=tuple(train(of_run, counts, **fusion.method.params) for of_run in own))

    models = [learnt([query for query in hits if fold_of[query] != fold]) for fold in range(folds)]
    return TrainedFusion(learnt([*hits]), {query: models[fold] for query, fold in fold_of.items()}, folds, seed)


def fold_numbers(queries: Sequence[str], folds: int, seed: int | Sequence[int]) -> dict[str, int]:
    """The fold of each query, drawn at random, all as large as can be; whatever order the queries are given in.

    >>> sorted(fold_numbers(["q1", "q2", "q3", "q4"], 2, seed=0).values())
    [0, 0, 1, 1]
    """
    ordered = sorted(queries)
    drawn = np.random.default_rng(seed).permutation(len(ordered)).tolist()
    return {ordered[at]: place % folds for place, at in enumerate(drawn)}


def _training_hits(
    runs: Sequence[Run], judgments: Any, depth: int | None
) -> tuple[dict[str, list[Bools]], dict[str, int]]:
    """By training query, the relevance of each run's documents by rank, and how many documents are relevant."""
    grades: dict[str, dict[str, float]] = {}
    starts = judgments.starts.tolist()
    for query, start, end in zip(judgments.queries, starts, starts[1:], strict=False):
        own = zip(judgments.documents[start:end], judgments.grades[start:end].tolist(), strict=True)
        grades[query] = {document: grade for document, grade in own if grade >= 1}
    hits: dict[str, list[Bools]] = {}
    retrieved: list[str] = []
    for lists in Joining(runs, Findings(), depth):
        if lists.query in grades:
            hits[lists.query] = _hits(lists, grades[lists.query])
            retrieved += lists.documents[: EXAMPLES if len(retrieved) < EXAMPLES else 0]
    if hits and not any(row.any() for rows in hits.values() for row in rows):
        relevant = [document for query in hits for document in grades[query]]
        raise DataError([errors.fusing.nothing_to_learn(judgments.path, relevant[:EXAMPLES], retrieved)])
    return hits, {query: len(grades[query]) for query in hits}


def _hits(lists: QueryLists, relevant: Mapping[str, float]) -> list[Bools]:
    is_relevant = np.array([document in relevant for document in lists.documents], dtype=np.bool_)
    rows: list[Bools] = []
    for ranked in lists.lists:
        row = np.zeros(int(ranked.ranks[-1]) if len(ranked.ranks) else 0, dtype=np.bool_)
        row[ranked.ranks.astype(np.int64) - 1] = is_relevant[ranked.places]
        rows.append(row)
    return rows
