"""`QueryFusionRetriever` over retrievers that return the lists, with one query and a model that is never asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from parity.fusions import RUNS, WEIGHTS, Ranked, fused_row
from parity.rows import Row

EQUAL = [1 / RUNS] * RUNS


def compare() -> list[Row]:
    """Its four modes."""
    return [
        fused_row("simple", _retrieving("simple"), "llamaindex", "combmax"),
        fused_row("reciprocal_rerank", _retrieving("reciprocal_rerank"), "llamaindex", "rrf"),
        fused_row("relative_score", _retrieving("relative_score"), "llamaindex", "combsum", weights=EQUAL),
        fused_row(
            f"relative_score, weights={WEIGHTS}",
            _retrieving("relative_score", WEIGHTS),
            "llamaindex",
            "combsum",
            weights=WEIGHTS,
        ),
        fused_row(
            "dist_based_score", _retrieving("dist_based_score"), "llamaindex", "combsum", norm="dbsf", weights=EQUAL
        ),
    ]


class _Listed(BaseRetriever):
    """A retriever that returns a list."""

    def __init__(self, ranked: Ranked) -> None:
        self.ranked = ranked
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        # It takes nodes of the same text for the same.
        return [NodeWithScore(node=TextNode(id_=name, text=name), score=score) for name, score in self.ranked.items()]


def _retrieving(mode: str, weights: Sequence[float] | None = None) -> Callable[[Sequence[Ranked]], Ranked]:
    def fused(lists: Sequence[Ranked]) -> Ranked:
        retriever = QueryFusionRetriever(
            [_Listed(ranked) for ranked in lists],
            llm=MockLLM(),
            mode=mode,
            num_queries=1,
            similarity_top_k=10_000,
            use_async=False,
            retriever_weights=None if weights is None else [*weights],
        )
        return {found.node.node_id: found.score for found in retriever.retrieve("query")}

    return fused
