"""Per user and in the mean: users are queries, items documents, and every interaction is relevant. It takes ranks, so
there are no ties.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from rectools.metrics import MAP, MRR, NDCG, F1Beta, HitRate, Precision, Recall
from rectools.metrics.base import MetricAtK

from parity.data import Data, binary
from parity.rows import Row, compared

ABSENT = {
    "Accuracy, MCC, PartialAUC, PAP": "no measures of ranked retrieval",
    "SufficientReco, UnrepeatedReco, CoveredUsers, Intersection": "about the lists alone, or two models",
}

_METRICS: Mapping[str, tuple[str, MetricAtK]] = {
    "Precision(k=5)": ("P@5", Precision(k=5)),
    "Precision(k=5, r_precision=True)": ("RelP@5", Precision(k=5, r_precision=True)),
    "Recall(k=10)": ("R@10", Recall(k=10)),
    "F1Beta(k=10)": ("F@10", F1Beta(k=10)),
    "F1Beta(k=10, beta=2)": ("F(beta=2)@10", F1Beta(k=10, beta=2)),
    "HitRate(k=3)": ("Success@3", HitRate(k=3)),
    "MAP(k=10)": ("AP@10", MAP(k=10)),
    "MAP(k=10, divide_by_k=True)": ("AP(norm=k)@10", MAP(k=10, divide_by_k=True)),
    "MRR(k=10)": ("RR@10", MRR(k=10)),
    "NDCG(k=10, divide_by_achievable=True)": ("nDCG@10", NDCG(k=10, divide_by_achievable=True)),
}


def compare() -> list[Row]:
    """Its measures of relevance on binary judgments."""
    # A user without interactions does not exist there.
    data = binary().with_relevant()
    unreachable = "divides by the gain of k relevant items, even where there are fewer"
    return [
        *(_row(name, *of, data) for name, of in _METRICS.items()),
        _row("NDCG(k=10)", "nDCG@10", NDCG(k=10), data, unreachable),
    ]


def _row(name: str, ours: str, metric: MetricAtK, data: Data, reason: str = "") -> Row:
    found = metric.calc_per_user(_recommended(data), _interactions(data))
    return compared(name, ours, found.to_dict(), data, mean=float(found.mean()), reason=reason)


def _recommended(data: Data) -> pd.DataFrame:
    rows = [
        (query, document, rank)
        for query, ranked in data.run.items()
        for rank, (document, _) in enumerate(sorted(ranked.items(), key=lambda pair: -pair[1]), 1)
    ]
    return pd.DataFrame(rows, columns=["user_id", "item_id", "rank"])


def _interactions(data: Data) -> pd.DataFrame:
    pairs = [(query, document) for query, judged in data.qrels.items() for document, grade in judged.items() if grade]
    return pd.DataFrame(pairs, columns=["user_id", "item_id"])
