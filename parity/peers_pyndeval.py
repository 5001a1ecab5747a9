"""ndeval's code, called from Python: per query. It orders ties in a way of its own, so there are none in the data."""

from __future__ import annotations

import re

import pyndeval

from parity.data import Diverse, diverse
from parity.rows import Row, compared

_WITH_CUTOFF = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")
_NAMES = [*(f"{name}@{cutoff}" for name in _WITH_CUTOFF for cutoff in (5, 10, 20)), "NRBP", "MAP-IA"]


def compare() -> list[Row]:
    """All of its measures, at its own parameters and at others."""
    data = diverse()
    some = data.with_relevant()
    return [
        *_rows(data, [*_NAMES, "nERR-IA@1", "alpha-nDCG@1", "P-IA@1", "strec@1"]),
        *_rows(some, ["nNRBP"]),
        *_rows(data, _NAMES, relevance_level=2),
        *_rows(data, ["ERR-IA@20", "nERR-IA@20", "alpha-DCG@20", "alpha-nDCG@20"], alpha=0.9),
        *_rows(some, ["NRBP", "nNRBP"], alpha=0.9, beta=0.8),
        *_rows(data, ["nNRBP"], "undefined where no document is relevant"),
        *_rows(data, ["ERR-IA@1", "alpha-DCG@1"], "at rank 1 it does not divide by the number of subtopics"),
    ]


def _rows(data: Diverse, names: list[str], reason: str = "", **options: float) -> list[Row]:
    qrels = [(row["query"], row["subtopic"], row["document"], row["grade"]) for row in data.qrels]
    ranked = [(query, document, score) for query, scores in data.run.items() for document, score in scores.items()]
    found = pyndeval.RelevanceEvaluator(qrels, names, **options).evaluate(ranked)
    said = "".join(f", {name}={value}" for name, value in options.items())
    rows = []
    for name in names:
        values = {query: of_query[name] for query, of_query in found.items()}
        rows.append(compared(f"{name}{said}", _ours(name, options), values, data, reason=reason))
    return rows


def _ours(name: str, options: dict[str, float]) -> str:
    """Its name with the parameters that it takes for all measures at once."""
    given = ",".join(f"{_PARAMETERS[option]}={value}" for option, value in options.items())
    return re.sub(r"(?=@|$)", f"({given})", name, count=1) if given else name


_PARAMETERS = {"relevance_level": "rel", "alpha": "alpha", "beta": "beta"}
