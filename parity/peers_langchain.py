"""`EnsembleRetriever` of langchain-classic. It returns documents in their order without scores: the difference is how
far our scores ever rise from one of its documents to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_classic.retrievers import EnsembleRetriever
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from parity.fusions import RUNS, WEIGHTS, Ranked, fused_row
from parity.rows import Row


def compare() -> list[Row]:
    """Reciprocal rank fusion, weighted as it always is."""
    return [
        fused_row("c=60", _retrieving([1 / RUNS] * RUNS), "langchain", "rrf", weights=[1 / RUNS] * RUNS),
        fused_row(f"c=60, weights={WEIGHTS}", _retrieving(WEIGHTS), "langchain", "rrf", weights=WEIGHTS),
        fused_row("c=5", _retrieving(WEIGHTS, c=5), "langchain", "rrf", weights=WEIGHTS, k=5),
    ]


class _Listed(BaseRetriever):
    """A retriever that returns a list."""

    ranked: list[str]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(page_content=name) for name in self.ranked]


def _retrieving(weights: Sequence[float], c: int = 60) -> Callable[[Sequence[Ranked]], list[str]]:
    def fused(lists: Sequence[Ranked]) -> list[str]:
        retrievers = [_Listed(ranked=[*own]) for own in lists]
        found = EnsembleRetriever(retrievers=retrievers, weights=[*weights], c=c).invoke("query")
        return [document.page_content for document in found]

    return fused
