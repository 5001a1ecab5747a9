"""`DocumentJoiner`, given the lists of documents that retrievers return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from haystack import Document
from haystack.components.joiners import DocumentJoiner

from parity.fusions import WEIGHTS, Ranked, fused_row
from parity.rows import Row


def compare() -> list[Row]:
    """Its two modes that fuse."""
    rrf, dbsf = "reciprocal_rank_fusion", "distribution_based_rank_fusion"
    return [
        fused_row(rrf, _joining(rrf), "haystack", "rrf"),
        fused_row(f"{rrf}, weights={WEIGHTS}", _joining(rrf, weights=WEIGHTS), "haystack", "rrf", weights=WEIGHTS),
        fused_row(dbsf, _joining(dbsf), "haystack", "combmax"),
    ]


def _joining(mode: str, **choices: Any) -> Callable[[Sequence[Ranked]], Ranked]:
    joiner = DocumentJoiner(join_mode=mode, **choices)

    def fused(lists: Sequence[Ranked]) -> Ranked:
        documents = [[Document(id=name, score=score) for name, score in own.items()] for own in lists]
        return {document.id: document.score for document in joiner.run(documents=documents)["documents"]}

    return fused
