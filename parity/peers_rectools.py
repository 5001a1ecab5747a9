"""Per user and in the mean: users are queries, items documents, and every interaction is relevant. It takes ranks, so
there are no ties. Beyond relevance, `cranfield recommendation` is compared, with the judged items as interactions and
attributes that are made up; the diversity of a list takes its distances from SciPy.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from rectools.metrics import (
    MAP,
    MRR,
    NDCG,
    AvgRecPopularity,
    CatalogCoverage,
    F1Beta,
    HitRate,
    Intersection,
    IntraListDiversity,
    MeanInvUserFreq,
    PairwiseDistanceCalculator,
    Precision,
    Recall,
    Serendipity,
)
from rectools.metrics.base import MetricAtK
from scipy.spatial.distance import cosine, jaccard

import cranfield as cf
from parity.data import COLLECTION, Data, binary
from parity.rows import Row, compared, largest

ABSENT = {
    "Accuracy, MCC, PartialAUC, PAP": "no measures of ranked retrieval",
    "DebiasConfig": "it drops interactions with popular items at random; debiased recall weighs all of them",
    "SufficientReco, UnrepeatedReco, CoveredUsers": "about the form of lists",
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
        *_beyond_relevance(data),
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


_ITEMS = [f"d{number:03d}" for number in range(COLLECTION)]


def _beyond_relevance(data: Data) -> list[Row]:
    """Coverage, novelty, popularity and diversity of the same lists."""
    attributes = _attributes()
    lists, taken = _recommended(data), _interactions(data)
    users = taken["user_id"].nunique()
    reference = {user: {item: -score for item, score in ranked.items()} for user, ranked in data.run.items()}
    ours, weighed = (
        cf.recommendation(
            {"reversed": reference, "run": data.run},
            k=10,
            items=_ITEMS,
            interactions=taken,
            judgments=data.qrels,
            attributes=attributes,
            similarity=similarity,
        ).runs["run"]
        for similarity in ("jaccard", "cosine")
    )
    coverage = CatalogCoverage(k=10, normalize=True).calc(lists, _ITEMS)
    novelty = MeanInvUserFreq(k=10).calc_per_user(lists, taken)
    popularity = AvgRecPopularity(k=10).calc_per_user(lists, taken) / users
    rows = [
        Row("CatalogCoverage(k=10, normalize=True)", "coverage", 1, abs(coverage - ours.coverage), data.name),
        _user_row("MeanInvUserFreq(k=10)", "novelty", novelty, ours.users, ours.per_user["novelty"], data),
        _user_row(
            "AvgRecPopularity(k=10) / users", "popularity", popularity, ours.users, ours.per_user["popularity"], data
        ),
    ]
    serendipity = Serendipity(k=10).calc_per_user(lists, taken, taken, _ITEMS)
    shared = Intersection(k=10).calc_per_user(lists, _recommended(data._replace(run=reference)))
    # Users of whom nothing is known are left out here, and 0 there.
    found = np.nan_to_num(ours.per_user["serendipity"])
    rows += [
        _user_row("Serendipity(k=10)", "serendipity", serendipity, ours.users, found, data),
        _user_row("Intersection(k=10)", "intersection", shared, ours.users, ours.per_user["intersection"], data),
    ]
    for metric, run in (("jaccard", ours), ("cosine", weighed)):
        found = IntraListDiversity(k=10, distance_calculator=_Distances(attributes, metric)).calc_per_user(lists)
        name = f"IntraListDiversity(k=10) of {metric} distances"
        # A list of one item has no diversity here, and 0 there.
        values = np.nan_to_num(run.per_user["diversity"])
        rows.append(_user_row(name, f"diversity, similarity={metric}", found, run.users, values, data))
    return rows


def _user_row(
    theirs: str, ours: str, found: pd.Series, users: Sequence[str], values: npt.NDArray[np.float64], data: Data
) -> Row:
    pairs = [(float(found[user]), value) for user, value in zip(users, values.tolist(), strict=True)]
    return Row(theirs, ours, len(pairs), largest(pairs), data.name)


class _Distances(PairwiseDistanceCalculator):
    """Distances between items as SciPy computes them."""

    def __init__(self, attributes: Mapping[str, Sequence[str]], metric: str) -> None:
        names = sorted({name for known in attributes.values() for name in known})
        self.rows = {item: [name in known for name in names] for item, known in attributes.items()}
        self.metric = metric

    def _get_distances_for_item_pairs(self, items_0: Sequence[str], items_1: Sequence[str]) -> npt.NDArray[np.float64]:
        kind = np.float64 if self.metric == "cosine" else np.bool_
        one, other = (np.array([self.rows[item] for item in items], dtype=kind) for items in (items_0, items_1))
        distance = {"cosine": cosine, "jaccard": jaccard}[self.metric]
        return np.array([distance(a, b) for a, b in zip(one, other, strict=True)])


def _attributes() -> dict[str, list[str]]:
    rng = random.Random("cranfield parity attributes")
    return {item: rng.sample(["jazz", "pop", "rock", "live", "choir", "solo"], rng.randint(1, 4)) for item in _ITEMS}
