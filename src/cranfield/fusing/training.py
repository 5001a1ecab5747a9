"""Training of fusions on judged queries, so that no query is fused by what was learnt from itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cranfield import errors, formats
from cranfield.arguments import require_whole
from cranfield.arrays import Bools
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import DataError, Findings
from cranfield.fusing.fusion import Fusion
from cranfield.fusing.joining import Joining
from cranfield.fusing.lists import QueryLists

FOLDS = 5
LEAST_TO_LEARN = 3
"""Folds, where fusions that learn are chosen in them: one is left out, one is scored, and one is learnt from."""
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
    data = training_data(runs, formats.read_judgments(judgments), fusion.depth)
    if len(data.hits) < folds:
        raise errors.fusing.too_few_to_train(len(data.hits), folds)
    learning = FoldLearning(data, (fold_numbers([*data.hits], folds, seed),), folds)
    out_of_fold = {query: learning.fusion(fusion, 0, fold, query) for query, fold in learning.numbers[0].items()}
    return TrainedFusion(learning.final(fusion), out_of_fold, folds, seed)


@dataclass(frozen=True, eq=False)
class TrainingData:
    """What methods that learn look at, by training query."""

    hits: Mapping[str, list[Bools]]
    """The relevance of each run's documents, by rank."""
    relevant: Mapping[str, int]
    """How many documents are relevant."""
    path: str | None = None
    """The file of the judgments."""

    def learnt(self, fusion: Fusion, queries: Sequence[str]) -> Fusion:
        """A fusion that has learnt from some queries."""
        train = fusion.method.rule.train
        assert train is not None  # whoever calls this has a method that learns
        if not queries:
            raise errors.fusing.too_few_to_train(len(self.hits), FOLDS)
        counts = [self.relevant[query] for query in queries]
        by_run: list[Any] = [[*own] for own in zip(*(self.hits[query] for query in queries), strict=True)]
        return replace(fusion, model=tuple(train(own, counts, **fusion.method.params) for own in by_run))


@dataclass(eq=False)
class FoldLearning:
    """Fusions that learn while queries are in folds, cut several times: none learns from the query that it fuses."""

    data: TrainingData
    numbers: Sequence[Mapping[str, int]]
    """Of each split, the fold of each query."""
    folds: int
    _known: dict[tuple[str, int, frozenset[int]], Fusion] = field(default_factory=dict)

    def fusion(self, fusion: Fusion, split: int, fold: int, query: str) -> Fusion:
        """The fusion for a query while one fold is left out, which may be another than its own: it learnt from neither.

        So what is chosen for a fold was learnt, scored and chosen without its queries.
        """
        numbers = self.numbers[split]
        out = frozenset({fold, numbers.get(query, fold)})
        key = (str(fusion), split, out)
        if key not in self._known:
            self._known[key] = self.data.learnt(fusion, [own for own in self.data.hits if numbers.get(own) not in out])
        return self._known[key]

    def final(self, fusion: Fusion) -> Fusion:
        """The fusion that learnt from all queries."""
        return self.data.learnt(fusion, [*self.data.hits])


def fold_numbers(queries: Sequence[str], folds: int, seed: int | Sequence[int]) -> dict[str, int]:
    """The fold of each query, drawn at random, all as large as can be; whatever order the queries are given in.

    >>> sorted(fold_numbers(["q1", "q2", "q3", "q4"], 2, seed=0).values())
    [0, 0, 1, 1]
    """
    ordered = sorted(queries)
    drawn = np.random.default_rng(seed).permutation(len(ordered)).tolist()
    return {ordered[at]: place % folds for place, at in enumerate(drawn)}


def training_data(runs: Sequence[Run], judgments: Judgments, depth: int | None) -> TrainingData:
    """The relevance of what runs return for judged queries; refused where nothing is relevant."""
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
    return TrainingData(hits, {query: len(grades[query]) for query in hits}, judgments.path)


def _hits(lists: QueryLists, relevant: Mapping[str, float]) -> list[Bools]:
    is_relevant = np.array([document in relevant for document in lists.documents], dtype=np.bool_)
    rows: list[Bools] = []
    for ranked in lists.lists:
        row = np.zeros(int(ranked.ranks[-1]) if len(ranked.ranks) else 0, dtype=np.bool_)
        row[ranked.ranks.astype(np.int64) - 1] = is_relevant[ranked.places]
        rows.append(row)
    return rows
