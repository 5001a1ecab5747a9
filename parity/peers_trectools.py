"""Per query, over the queries the run answered: it takes its means over those. It orders ties in two ways, so there are
none in the data.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
from trectools import TrecEval, TrecQrel, TrecRun
from trectools import fusion as trectools_fusion

from parity.data import Data, graded
from parity.fusions import Ranked, fused_row
from parity.rows import Row, compared

ABSENT = {"get_ubpref, get_urbp, get_alpha_urbp": "understandability, from judgments of a second kind"}

Column = pd.DataFrame | pd.Series


_CALLS: Mapping[str, tuple[str, Callable[[TrecEval], Column]]] = {
    "get_precision(depth=5)": ("P@5", lambda tool: tool.get_precision(5, per_query=True)),
    "get_precision(depth=10, removeUnjudged=True)": (
        "P(judged_only=True)@10",
        lambda tool: tool.get_precision(10, per_query=True, removeUnjudged=True),
    ),
    "get_recall(depth=10)": ("R@10", lambda tool: tool.get_recall(10, per_query=True)),
    "get_recall(depth=10, removeUnjudged=True)": (
        "R(judged_only=True)@10",
        lambda tool: tool.get_recall(10, per_query=True, removeUnjudged=True),
    ),
    "get_map()": ("AP@1000", lambda tool: tool.get_map(per_query=True)),
    "get_map(depth=10)": ("AP@10", lambda tool: tool.get_map(10, per_query=True)),
    "get_rprec()": ("Rprec", lambda tool: tool.get_rprec(per_query=True)),
    "get_reciprocal_rank()": ("RR@1000", lambda tool: tool.get_reciprocal_rank(per_query=True)),
    "get_reciprocal_rank(depth=10)": ("RR@10", lambda tool: tool.get_reciprocal_rank(10, per_query=True)),
    "get_ndcg()": ("nDCG@1000", lambda tool: tool.get_ndcg(per_query=True)),
    "get_ndcg(depth=10)": ("nDCG@10", lambda tool: tool.get_ndcg(10, per_query=True)),
    "get_ndcg(depth=10, trec_eval=False)": (
        "nDCG(gain=exponential)@10",
        lambda tool: tool.get_ndcg(10, per_query=True, trec_eval=False),
    ),
    "get_ndcg(depth=10, removeUnjudged=True)": (
        "nDCG(judged_only=True)@10",
        lambda tool: tool.get_ndcg(10, per_query=True, removeUnjudged=True),
    ),
    "get_rbp()": ("RBP@1000", lambda tool: tool.get_rbp(per_query=True)[0]),
    "get_rbp(p=0.95, depth=10)": ("RBP(p=0.95)@10", lambda tool: tool.get_rbp(0.95, 10, per_query=True)[0]),
    "get_rbp(removeUnjudged=True)": (
        "RBP(judged_only=True)@1000",
        lambda tool: tool.get_rbp(per_query=True, removeUnjudged=True)[0],
    ),
    "get_unjudged()": ("Unjudged@10", lambda tool: tool.get_unjudged(per_query=True)),
    "get_retrieved_documents()": ("NumRet", lambda tool: tool.get_retrieved_documents(per_query=True)),
    "get_relevant_documents()": ("NumRel", lambda tool: tool.get_relevant_documents(per_query=True)),
    "get_relevant_retrieved_documents()": (
        "NumRelRet",
        lambda tool: tool.get_relevant_retrieved_documents(per_query=True),
    ),
}


def compare() -> list[Row]:
    """Its measures on graded judgments, and where they differ why."""
    data = graded().answered()
    both = data.with_irrelevant()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it uses pandas in ways that pandas warns of
        return [
            *(_row(name, ours, data, call) for name, (ours, call) in _CALLS.items()),
            _geometric(both),
            _row("get_bpref()", "Bpref", both, lambda tool: tool.get_bpref(per_query=True)),
            _row(
                "get_bpref()",
                "Bpref",
                data,
                lambda tool: tool.get_bpref(per_query=True),
                reason="undefined where no document is judged irrelevant",
            ),
            _row(
                "get_rbp(depth=10)[1]",
                "RBPResidual@10",
                data,
                lambda tool: tool.get_rbp(depth=10, per_query=True)[1],
                reason="ranks between the last document and the depth count nothing",
            ),
            *_fusions(),
        ]


def _row(name: str, ours: str, data: Data, call: Callable[[TrecEval], Column], reason: str = "") -> Row:
    column = call(TrecEval(_run(data), _qrels(data)))
    return compared(name, ours, _by_query(column, data), data, reason=reason)


def _geometric(data: Data) -> Row:
    """It has the geometric mean only, and no values of queries."""
    mean = float(TrecEval(_run(data), _qrels(data)).get_geometric_map())
    return compared("get_geometric_map()", "GMAP", {}, data, mean=mean)


def _fusions() -> list[Row]:
    """Scores of two runs, for which `combos` works; ranks of three."""
    scores = [
        fused_row(f"combos({name!r})", _fused("combos", strategy=name), "trectools", name, count=2)
        for name in ("sum", "min", "max", "med", "anz", "mnz")
    ]
    ranks = [
        fused_row("reciprocal_rank_fusion", _fused("reciprocal_rank_fusion"), "trectools", "rrf"),
        fused_row("rank_biased_precision_fusion", _fused("rank_biased_precision_fusion"), "trectools", "rbc"),
    ]
    return scores + ranks


def _fused(function: str, **choices: Any) -> Callable[[Sequence[Ranked]], Ranked]:
    def fused(lists: Sequence[Ranked]) -> Ranked:
        runs = [_run_of({"1": ranked}) for ranked in lists]
        found = getattr(trectools_fusion, function)(runs, **choices).run_data
        return {document: float(score) for document, score in zip(found["docid"], found["score"], strict=True)}

    return fused


def _by_query(column: Column, data: Data) -> dict[str, float]:
    """Its values by query; a query that it leaves out, or leaves empty, found nothing relevant."""
    values = column.iloc[:, 0] if isinstance(column, pd.DataFrame) else column
    found: dict[Any, float] = values.fillna(0.0).to_dict()
    return {query: float(found.get(query, 0.0)) for query in data.qrels}


def _run(data: Data) -> TrecRun:
    return _run_of(data.run)


def _run_of(rankings: Mapping[str, Ranked]) -> TrecRun:
    run = TrecRun()
    run.run_data = pd.DataFrame(
        [
            (query, "Q0", document, rank, score, "run")
            for query, ranked in rankings.items()
            for rank, (document, score) in enumerate(sorted(ranked.items(), key=lambda pair: -pair[1]), 1)
        ],
        columns=["query", "q0", "docid", "rank", "score", "system"],
    )
    return run


def _qrels(data: Data) -> TrecQrel:
    qrels = TrecQrel()
    qrels.qrels_data = pd.DataFrame(
        [(query, "0", document, grade) for query, judged in data.qrels.items() for document, grade in judged.items()],
        columns=["query", "q0", "docid", "rel"],
    )
    return qrels
