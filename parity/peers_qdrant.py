"""Asked as anyone asks it, in the local mode of the client: a collection with a vector for each run, whose product with
the query is the score, and a query that fuses what they return.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qdrant_client import QdrantClient, models

from parity.fusions import RUNS, WEIGHTS, Ranked, fused_row
from parity.rows import Row

NAMES = [f"run{at}" for at in range(RUNS)]


def compare() -> list[Row]:
    """Reciprocal rank fusion and distribution-based score fusion."""
    return [
        fused_row("fusion rrf", _asking(models.FusionQuery(fusion=models.Fusion.RRF)), "qdrant", "rrf"),
        fused_row("rrf, k=60", _asking(models.RrfQuery(rrf=models.Rrf(k=60))), "qdrant", "rrf", k=60),
        fused_row(
            f"rrf, weights={WEIGHTS}",
            _asking(models.RrfQuery(rrf=models.Rrf(weights=WEIGHTS))),
            "qdrant",
            "rrf",
            weights=WEIGHTS,
        ),
        fused_row("fusion dbsf", _asking(models.FusionQuery(fusion=models.Fusion.DBSF)), "qdrant", "combsum"),
    ]


def _asking(query: models.FusionQuery | models.RrfQuery) -> Callable[[Sequence[Ranked]], Ranked]:
    def fused(lists: Sequence[Ranked]) -> Ranked:
        client = QdrantClient(":memory:")
        product = models.VectorParams(size=1, distance=models.Distance.DOT)
        client.create_collection("fused", vectors_config=dict.fromkeys(NAMES, product))
        documents = sorted(set().union(*lists))
        points = [
            models.PointStruct(
                id=number,
                vector={name: [own[document]] for name, own in zip(NAMES, lists, strict=True) if document in own},
            )
            for number, document in enumerate(documents)
        ]
        client.upsert("fused", points)
        limit = len(documents)
        every = [models.Prefetch(query=[1.0], using=name, limit=limit) for name in NAMES]
        found = client.query_points("fused", prefetch=every, query=query, limit=limit).points
        return {documents[point.id]: point.score for point in found}

    return fused
