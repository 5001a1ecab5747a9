"""Per query and in the mean, with `make_comparable=True`: a silent query counts 0, as it does here. In which order it
puts ties is not defined, so there are none in the data. Its own tests of fusion and normalisation, which are in its
repository and not in its package, are run with our functions in place of its own, and have to pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ranx
from ranx.metrics import interpolated_precision_at_recall

import cranfield as cf
from cranfield.errors import Findings
from cranfield.fusing.dialects import DIALECTS
from cranfield.fusing.fused_run import fused_run
from cranfield.fusing.training import trained_fusion
from parity.data import Data, binary, graded
from parity.fusions import WEIGHTS, Ranked, fused_row, runs
from parity.rows import Row, compared, merged

ABSENT = {"fuse condorcet, w_condorcet": "another order for each PYTHONHASHSEED"}

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


_METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((method, {}) for method in ("sum", "min", "max", "med", "anz", "mnz")),
    *((method, {"weights": WEIGHTS}) for method in ("wsum", "wmnz", "mixed")),
    ("gmnz", {"gamma": 2.5}),
)
"""Its methods of scores with parameters."""
_NORMS = ("min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda")
_COUNTS = ("mnz", "gmnz", "wmnz", "mixed")
"""Methods that count the lists which have a document."""
_RANKS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((method, {}) for method in ("rrf", "isr", "log_isr", "logn_isr", "bordafuse")),
    ("rrf", {"k": 10}),
    ("logn_isr", {"sigma": 0.5}),
    ("rbc", {"phi": 0.9}),
    ("w_bordafuse", {"weights": WEIGHTS}),
)
_TRAINED: tuple[tuple[str, dict[str, Any]], ...] = (
    *((method, {}) for method in ("bayesfuse", "mapfuse", "posfuse", "segfuse")),
    ("probfuse", {"n_segments": 5}),
    ("slidefuse", {"w": 3}),
)
_OURS = {"n_segments": "segments", "w": "window"}


def _fusions(data: Data) -> Iterator[Row]:
    """Every method and normalisation it has, on three runs; of one document alone there is nothing to normalise."""
    several = runs(shortest=2)
    for norm in _NORMS:
        # Normalised by Borda, every list has every document there.
        methods = [own for own in _METHODS if norm != "borda" or own[0] not in _COUNTS]
        yield merged([_fused(method, norm, params, several) for method, params in methods])
    for method, params in _RANKS:
        yield _fused(method, None, params, several)
    for method, params in _TRAINED:
        yield _trained(method, params, several, data)


def _fused(method: str, norm: str | None, params: dict[str, Any], several: list[dict[str, Ranked]]) -> Row:
    theirs = ranx.fuse([ranx.Run(own) for own in several], norm=norm, method=method, params=dict(params)).to_dict()
    said = "".join(f", {name}={value}" for name, value in params.items())
    choices = {"norm": norm} if norm else {}
    return fused_row(f"fuse {method}, norm={norm}{said}", theirs, "ranx", method, shortest=2, **choices, **params)


def _trained(method: str, params: dict[str, Any], several: list[dict[str, Ranked]], data: Data) -> Row:
    """Both learn from all queries and fuse the same: what a user should not do, but is the same arithmetic."""
    qrels = {query: data.qrels[query] for query in several[0]}
    theirs = [ranx.Run(own) for own in several]
    norm = "min-max" if method == "segfuse" else None
    learnt = {method: getattr(ranx.fusion, f"{method}_train")(ranx.Qrels(qrels), theirs, *_segments(params))}
    named = {"log_odds": learnt[method]} if method == "bayesfuse" else {"probs": learnt[method]}
    named = {"map_scores": learnt[method]} if method == "mapfuse" else named
    given = named | {name: value for name, value in params.items() if name == "w"}
    expected = ranx.fuse(theirs, norm=norm, method=method, params=given).to_dict()
    fusion = DIALECTS["ranx"].fusion(method, len(several), **{_OURS[name]: value for name, value in params.items()})
    read = [cf.read_run(own) for own in several]
    model = trained_fusion(read, fusion, qrels).fusion
    apart = [
        abs(score - expected[ranking.query][document])
        for ranking in fused_run(read, model).rankings(Findings())
        for document, score in zip(ranking.documents, ranking.scores.tolist(), strict=True)
    ]
    said = "".join(f", {name}={value}" for name, value in params.items())
    return Row(f"fuse {method}{said}", f"fuse {model}", len(apart), max(apart), "fused")


def _segments(params: dict[str, Any]) -> list[int]:
    return [params["n_segments"]] if "n_segments" in params else []
