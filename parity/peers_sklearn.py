"""Each query is a sample: its retrieved documents with their scores, an unjudged one counting 0. `ndcg_score` and
`dcg_score` average over the orders of tied documents, as `ties=average` does here.
Classification is compared with sets: of all documents of the collection, those retrieved are the positive ones. Left
out are queries with a single document or without a relevant one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt
import sklearn.metrics as sk

from parity.data import COLLECTION, Data, graded, tied
from parity.rows import Row, compared

ABSENT = {
    "coverage_error, label_ranking_loss, top_k_accuracy_score": "no measures of ranked retrieval",
    "cohen_kappa_score": "agreement of judges, not of a ranking with judgments",
}

Floats = npt.NDArray[np.float64]
Sample = Callable[[Floats, Floats], float]
"""From grades and scores of a query's documents to one number."""

_WITH_TIES: Mapping[str, tuple[str, Sample]] = {
    "ndcg_score": ("nDCG(ideal=retrieved)", lambda true, scores: sk.ndcg_score([true], [scores])),
    "ndcg_score(k=10)": ("nDCG(ideal=retrieved)@10", lambda true, scores: sk.ndcg_score([true], [scores], k=10)),
    "ndcg_score of 2**grade - 1": (
        "nDCG(gain=exponential,ideal=retrieved)",
        lambda true, scores: sk.ndcg_score([2**true - 1], [scores]),
    ),
    "dcg_score": ("DCG", lambda true, scores: sk.dcg_score([true], [scores])),
    "dcg_score(k=5)": ("DCG@5", lambda true, scores: sk.dcg_score([true], [scores], k=5)),
}
_WITHOUT_TIES: Mapping[str, tuple[str, Sample]] = {
    "ndcg_score(ignore_ties=True)": (
        "nDCG(ideal=retrieved)",
        lambda true, scores: sk.ndcg_score([true], [scores], ignore_ties=True),
    ),
    "average_precision_score": (
        "AP(norm=retrieved)",
        lambda true, scores: sk.average_precision_score(true > 0, scores),
    ),
    "label_ranking_average_precision_score": (
        "AP(norm=retrieved)",
        lambda true, scores: sk.label_ranking_average_precision_score([true > 0], [scores]),
    ),
    "roc_auc_score": ("AUC(pairs=retrieved)", lambda true, scores: sk.roc_auc_score(true > 0, scores)),
}
_OF_PROFILE = (("ndcg_score", "nDCG"), ("ndcg_score(k=10)", "nDCG@10"), ("dcg_score", "DCG"))
_OF_SETS: Mapping[str, tuple[str, Sample]] = {
    "precision_score": ("SetP", lambda true, found: sk.precision_score(true > 0, found)),
    "recall_score": ("SetR", lambda true, found: sk.recall_score(true > 0, found)),
    "f1_score": ("SetF", lambda true, found: sk.f1_score(true > 0, found)),
    "fbeta_score(beta=2)": ("SetF(beta=2)", lambda true, found: sk.fbeta_score(true > 0, found, beta=2)),
    "accuracy_score": (f"Accuracy(docs={COLLECTION})", lambda true, found: sk.accuracy_score(true > 0, found)),
}


def compare() -> list[Row]:
    """Ranking metrics without and with ties, and classification metrics of sets."""
    data = _answerable(graded())
    average_precision = _WITHOUT_TIES["average_precision_score"][1]
    return [
        *(_row(name, *of, data) for name, of in (_WITH_TIES | _WITHOUT_TIES).items()),
        _row("average_precision_score", "AP", average_precision, data, "sees only what was retrieved"),
        *(_row(name, *of, _answerable(tied()), ties="average") for name, of in _WITH_TIES.items()),
        *(_row(name, ours, _WITH_TIES[name][1], _answerable(tied()), profile="sklearn") for name, ours in _OF_PROFILE),
        _row("average_precision_score", "AP", average_precision, data, profile="sklearn"),
        *(_set_row(name, *of, data) for name, of in _OF_SETS.items()),
    ]


def _row(
    name: str,
    ours: str,
    sample: Sample,
    data: Data,
    reason: str = "",
    ties: Literal["average"] | None = None,
    profile: str | None = None,
) -> Row:
    found = {query: sample(*_retrieved(data, query)) for query in data.run}
    return compared(name, ours, found, data, reason=reason, ties=ties, profile=profile)


def _set_row(name: str, ours: str, sample: Sample, data: Data) -> Row:
    found = {query: sample(*_collection(data, query)) for query in data.run}
    return compared(name, ours, found, data)


def _retrieved(data: Data, query: str) -> tuple[Floats, Floats]:
    ranked = data.run[query]
    grades = [data.qrels[query].get(document, 0) for document in ranked]
    return np.array(grades, dtype=np.float64), np.array(list(ranked.values()))


def _collection(data: Data, query: str) -> tuple[Floats, npt.NDArray[np.bool_]]:
    documents = [f"d{number:03d}" for number in range(COLLECTION)]
    grades = [data.qrels[query].get(document, 0) for document in documents]
    return np.array(grades), np.array([document in data.run[query] for document in documents])


def _answerable(data: Data) -> Data:
    """Queries of several documents, one of them relevant: of others it has nothing, or something arbitrary, to say."""
    found = {
        query: ranked
        for query, ranked in data.run.items()
        if len(ranked) > 1 and any(data.qrels[query].get(document, 0) > 0 for document in ranked)
    }
    return data._replace(run=found).answered()
