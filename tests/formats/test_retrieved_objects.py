"""What retrievers of other libraries return, in classes that have the same attributes as theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield import DataError

JUDGED = {"q1": {"d1": 1}}


@dataclass
class LangChain:
    """A document of LangChain: its id may be missing, and its score is next to it."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class Node:
    node_id: str
    text: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class LlamaIndex:
    """A node of LlamaIndex with its score."""

    node: Node
    score: float | None = None


@dataclass
class Haystack:
    id: str
    content: str = ""
    meta: dict[str, Any] = field(default_factory=dict)
    score: float | None = None


class Tensor:
    """A tensor of one number."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


RETURNED = {
    "LangChain": [LangChain("x", id="d2"), LangChain("y", id="d1")],
    "LangChain, ids in metadata": [LangChain("x", {"doc_id": "d2", "page": 3}), LangChain("y", {"doc_id": "d1"})],
    "LangChain with scores": [(LangChain("x", id="d2"), np.float32(0.9)), (LangChain("y", id="d1"), np.float32(0.4))],
    "LangChain with distances": [(LangChain("x", id="d2"), 0.1), (LangChain("y", id="d1"), 0.8)],
    "LlamaIndex": [LlamaIndex(Node("d2"), 0.9), LlamaIndex(Node("d1"), 0.9)],
    "LlamaIndex without scores": [LlamaIndex(Node("d2")), LlamaIndex(Node("d1"))],
    "LlamaIndex, nodes alone": [Node("d2"), Node("d1")],
    "Haystack": [Haystack("d2", score=0.9), Haystack("d1", score=0.4)],
    "records": [{"id": "d2", "score": 0.9}, {"id": "d1", "score": 0.4}],
    "records of chunks": [{"chunk_id": "d2", "similarity": Tensor(0.9)}, {"chunk_id": "d1", "similarity": Tensor(0.4)}],
}


@pytest.mark.parametrize("returned", RETURNED.values(), ids=RETURNED.keys())
def test_results_rank_in_the_order_in_which_they_were_returned(returned):
    assert cf.evaluate(JUDGED, {"q1": returned}, "RR")["RR"].tolist() == [[0.5]]
    assert cf.evaluate(JUDGED, {"a": {"q1": returned}, "b": {"q1": returned[::-1]}}, "RR")["RR"].tolist() == [
        [0.5],
        [1],
    ]


def test_scores_are_kept_where_they_fall():
    (ranking,) = cf.read_run({"q1": RETURNED["Haystack"]}).rankings(cf.errors.Findings())
    assert ranking.scores.tolist() == [0.9, 0.4]


def test_a_result_without_an_id_is_an_error_that_says_what_to_do():
    with pytest.raises(DataError, match="result 2 of a query is a LangChain without an id"):
        cf.evaluate(JUDGED, {"q1": [LangChain("x", id="d2"), LangChain("y", {"page": 3})]}, "RR")
