"""Per query and in the mean, with `make_comparable=True`: a silent query counts 0, as it does here. In which order it
puts ties is not defined, so there are none in the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ranx
from ranx.metrics import interpolated_precision_at_recall

import cranfield as cf
from cranfield.errors import Findings
from parity.data import Data, binary, graded
from parity.rows import Row, compared

ABSENT: dict[str, str] = {}

_NAMES = (
    *("precision", "precision@5", "precision@10-l2"),
    *("recall@5", "recall@100-l2"),
    *("f1", "f1@10", "f1@10-l2"),
    *("r-precision", "r-precision-l2"),
    *("mrr", "mrr@5", "mrr@10-l2"),
    *("map", "map@10", "map@100-l2"),
    *("dcg", "dcg@10", "dcg_burges", "dcg_burges@10"),
    *("ndcg", "ndcg@10", "ndcg_burges", "ndcg_burges@10"),
    *("hit_rate@1", "hit_rate@10", "hit_rate@5-l2"),
)
_OTHERWISE_HERE = {
    "recall": "SetR",
    "hit_rate": "Success@1000",
    "ndcg@10-l2": "nDCG(gain={1:0})@10",
    "dcg@10-l2": "DCG(gain={1:0})@10",
}
"""What is spelt otherwise, or not spelt at all, here."""
_HITS = {"hits": "NumRelRet", "hits-l2": "NumRelRet(rel=2)"}
_LEVELS = [f"{level / 10:g}" for level in range(11)]


def compare() -> list[Row]:
    """Its metrics on graded judgments; where it takes grades for relevance, on binary ones as well."""
    data = graded()
    return [
        *(_row(name, _OTHERWISE_HERE.get(name, name), data, mean=True) for name in (*_NAMES, *_OTHERWISE_HERE)),
        *(_row(name, ours, data) for name, ours in _HITS.items()),
        _row("hits", "NumRelRet", data, mean=True, reason="a mean over queries, where a count has a sum here"),
        *_interpolated(data),
        _row("rbp.80", "RBP", binary(), mean=True),
        _row("rbp.95", "RBP(p=0.95)", binary(), mean=True),
        _row("rbp.80", "RBP", data, mean=True, reason="multiplies by raw grades, and may exceed 1"),
        *(_row(name, name, data, mean=True, profile="ranx") for name in ("map", "ndcg@10", "mrr@10", "precision@5")),
        _row("bpref", "Bpref", data.with_irrelevant()),
        _row("bpref", "Bpref", data, reason="undefined where no document is judged irrelevant, or none relevant"),
        *_fusions(data),
    ]


def _row(name: str, ours: str, data: Data, *, mean: bool = False, reason: str = "", profile: str | None = None) -> Row:
    run = ranx.Run(data.run)
    average = ranx.evaluate(ranx.Qrels(data.qrels), run, name, make_comparable=True)
    scores = ranx.evaluate(ranx.Qrels(data.qrels), run, name, return_mean=False, make_comparable=True)
    found = dict(zip(ranx.Qrels(data.qrels).keys(), scores.tolist(), strict=True))
    return compared(name, ours, found, data, mean=float(average) if mean else None, reason=reason, profile=profile)


def _interpolated(data: Data) -> Iterator[Row]:
    """Interpolated precision at eleven levels of recall, which it computes for plots."""
    qrels = ranx.Qrels(data.qrels)
    run = ranx.Run(data.run).make_comparable(qrels)
    by_query = interpolated_precision_at_recall(qrels.to_typed_list(), run.to_typed_list())
    for at, level in enumerate(_LEVELS):
        found = dict(zip(qrels.keys(), by_query[:, at].tolist(), strict=True))
        yield compared(f"interpolated_precision_at_recall[{level}]", f"IPrec(levels=trec_eval-9)@{level}", found, data)


_WEIGHTS = [0.3, 0.7]
_FUSIONS: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    *((method, "min-max", {}) for method in ("sum", "min", "max", "med", "anz", "mnz")),
    *(("sum", norm, {}) for norm in ("max", "zmuv", "rank", "borda")),
    *((method, "min-max", {"weights": _WEIGHTS}) for method in ("wsum", "wmnz", "mixed")),
    *((method, None, {}) for method in ("rrf", "isr", "log_isr", "logn_isr", "bordafuse")),
    ("rbc", None, {"phi": 0.9}),
)
"""Methods of fusion, normalisations and parameters."""


def _fusions(data: Data) -> Iterator[Row]:
    """Fused scores of the run and of the same documents in another order; one document has nothing to normalise."""
    first = {query: documents for query, documents in data.run.items() if len(documents) > 1}
    other = {query: _turned(documents) for query, documents in first.items()}
    for method, norm, params in _FUSIONS:
        runs = [ranx.Run(first), ranx.Run(other)]
        theirs = ranx.fuse(runs, norm=norm, method=method, params=dict(params)).to_dict()
        ours = cf.fuse([first, other], method, norm=norm, like="ranx", **params)
        apart = [
            abs(score - theirs[ranking.query][document])
            for ranking in ours.rankings(Findings())
            for document, score in zip(ranking.documents, ranking.scores.tolist(), strict=True)
        ]
        yield Row(f"fuse {method}", f"fuse {ours.fusion}", len(apart), max(apart), data.name)


def _turned(documents: dict[str, float]) -> dict[str, float]:
    """Every other document, with the scores the other way round, highest first."""
    some = sorted(documents, key=documents.__getitem__)[::2]
    scores = sorted((documents[document] for document in some), reverse=True)
    return dict(zip(some, scores, strict=True))
