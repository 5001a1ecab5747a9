"""Dialects: what other tools and engines compute under the same names.

A dialect makes only the choices that were left open. What the user says counts as it is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield import errors
from cranfield.choices import FlatList, Precision
from cranfield.fusing.definition import METHODS, NORMALISATIONS
from cranfield.fusing.fusion import Fusion, fusion_from, has_flat

Choices = Mapping[str, Any]


@dataclass(frozen=True)
class FusionDialect:
    """How one tool fuses."""

    name: str
    of: str
    """The tool, in the version that was run or read."""
    methods: Mapping[str, Choices]
    """The methods it has, the one it takes unless asked first, and what it decides for each."""
    norms: Mapping[str, str] = field(default_factory=dict)
    """What it computes under the name of a normalisation, where that is another one."""
    flat: FlatList = "middle"
    precision: Precision = "double"
    notes: tuple[str, ...] = ()
    """Where its numbers differ otherwise, or depend on chance."""
    is_run: bool = False
    """Whether it was compared by calling it; else its source was read."""

    def fusion(self, method: str | None, runs: int | None = None, **choices: Any) -> Fusion:
        """A fusion with what is left open chosen as the tool does."""
        rule, stated = METHODS.stated(method or next(iter(self.methods)))
        if rule.name not in self.methods:
            raise errors.fusing.not_in_dialect(self.name, rule.name, list(self.methods))
        given = stated | {name: value for name, value in choices.items() if value is not None}
        decided = {**self.methods[rule.name], **given}
        if rule.reads == "scores":
            norm = NORMALISATIONS.parse(decided["norm"])
            decided["norm"] = self.norms.get(str(norm), str(norm))
            if "flat" not in given and has_flat(norm.rule):
                decided["flat"] = self.flat
        fusion = fusion_from(rule.name, runs=runs, **decided)
        return replace(fusion, precision=self.precision, dialect=self.name)


_ABSENT = {"missing": "absent"}
_SCORES = ("combsum", "combmin", "combmax", "combmed", "combanz", "combmnz")
_RANX_SCORES = (*_SCORES, "combgmnz", "mixed")
_RANX_TRAINED = ("bayesfuse", "mapfuse", "posfuse", "probfuse", "slidefuse")
_RANX_RANKS = ("rrf", "isr", "logisr", "lognisr", "rbc", "borda", *_RANX_TRAINED)

DIALECTS: Mapping[str, FusionDialect] = {
    dialect.name: dialect
    for dialect in (
        FusionDialect(
            "ranx",
            "ranx 0.3.21",
            {
                **{name: {"norm": "minmax", **_ABSENT} for name in _RANX_SCORES},
                **{name: {} for name in _RANX_RANKS},
                "segfuse": {"norm": "minmax", "growth": "ends", **_ABSENT},
            },
            flat="zero",
            notes=(
                "condorcet and w_condorcet give another order for each PYTHONHASHSEED: no numbers to agree with.",
                "the norm max divides scores below 0 by 1e-9; here such a list is refused.",
                "the norm borda lets every list count for every document, so mnz, gmnz, wmnz and mixed multiply by the "
                "number of all lists.",
                "a flat list under the norm sum becomes 0; here its documents have equal shares.",
                "runs whose queries differ are refused there.",
            ),
            is_run=True,
        ),
        FusionDialect(
            "trectools",
            "trectools 0.0.50",
            {
                "rrf": {},
                **{name: {"norm": "none", **_ABSENT} for name in _SCORES},
                "rbc": {"phi": 0.8},
            },
            notes=("combos of three or more runs end in an error of pandas 2 and later.",),
            is_run=True,
        ),
        FusionDialect(
            "elasticsearch",
            "Elasticsearch 9 (source of 05d51c1)",
            {"rrf": {"k": 60}, "combsum": {"norm": "none", **_ABSENT}},
            flat="raw",
            precision="single",
            notes=(
                "combsum is its retriever linear; scores that differ by less than 0.000001 are a flat list there.",
                "minmax of a list whose scores are all below 0 starts its maximum just above 0.",
            ),
        ),
        FusionDialect(
            "opensearch",
            "OpenSearch neural-search (source of 00be312)",
            {
                "combsum": {"norm": "minmax", "scale": "unit", **_ABSENT},
                "rrf": {"k": 60},
            },
            {"minmax": "minmax(least=0.001)", "zscore": "zscore(deviation=sample)"},
            flat="one",
            precision="single",
            notes=(
                "combsum is its arithmetic_mean; rrf is rounded to 10 decimals.",
                "z_score gives a document exactly at the mean the largest raw score, and all below the mean 0.001.",
            ),
        ),
        FusionDialect(
            "qdrant",
            "qdrant-client 1.20.0, local mode",
            {
                "rrf": {"k": 2, "first": 0, "weighting": "rank"},
                "combsum": {"norm": "dbsf", **_ABSENT},
            },
            {"dbsf": "dbsf(deviation=sample)"},
            notes=("combsum is its dbsf; for distances dbsf is reversed there.",),
            is_run=True,
        ),
        FusionDialect(
            "weaviate",
            "Weaviate (source of 0b8effc)",
            {"combsum": {"norm": "minmax", **_ABSENT}, "rrf": {"k": 60, "first": 0}},
            flat="one",
            precision="single",
            notes=("combsum is its relativeScoreFusion, rrf its rankedFusion.",),
        ),
        FusionDialect(
            "vespa",
            "Vespa 8 (source of its global-phase normalizers)",
            {"rrf": {"k": 60}, "combsum": {"norm": "minmax", **_ABSENT}},
            notes=(
                "combsum is a sum of normalize_linear; what is missing depends on the rank profile.",
                "a flat list became 0 in the first versions that had normalize_linear.",
            ),
        ),
        FusionDialect(
            "langchain",
            "langchain-classic 1.0.8",
            {"rrf": {"k": 60}},
            notes=("its EnsembleRetriever has equal weights that sum to 1 unless some are given.",),
            is_run=True,
        ),
        FusionDialect(
            "llamaindex",
            "llama-index-core 0.14.25",
            {
                "combmax": {"norm": "none", **_ABSENT},
                "rrf": {"k": 60, "first": 0},
                "combsum": {"norm": "minmax", **_ABSENT},
            },
            flat="one",
            notes=(
                "combmax is its mode simple, combsum its relative_score and, with norm dbsf, its dist_based_score.",
                "weights are equal and sum to 1 unless some are given.",
                "a flat list of scores up to 0 becomes 0.",
            ),
            is_run=True,
        ),
        FusionDialect(
            "haystack",
            "haystack-ai 3.4.0",
            {
                "rrf": {"k": 60, "scale": "unit"},
                "combmax": {"norm": "dbsf", **_ABSENT},
            },
            flat="raw",
            notes=("combmax is its distribution_based_rank_fusion.",),
            is_run=True,
        ),
        FusionDialect(
            "pyserini",
            "pyserini (source)",
            {"rrf": {"k": 60}, "combsum": {"norm": "none", **_ABSENT}},
            notes=(
                "rrf takes the rank column of the file: of a file that counts from 0, it is rrf(first=0).",
                "combsum is its average, which divides by the number of runs, and, with weights, its interpolation.",
            ),
        ),
        FusionDialect(
            "sentence-transformers",
            "sentence-transformers 6.2.0 (source)",
            {"rrf": {"k": 60}},
            notes=(
                "before July 2026 it counted ranks from 0, and gave a missing document the rank after the last: "
                "rrf(first=0) with --missing last.",
            ),
        ),
    )
}
"""Every dialect by its name."""


def find_dialect(name: str) -> FusionDialect:
    """The dialect of a name; a misspelt one is answered with the nearest."""
    folded = name.strip().lower().replace("_", "-")
    for known, dialect in DIALECTS.items():
        if folded.replace("-", "") == known.replace("-", ""):
            return dialect
    raise errors.fusing.unknown_dialect(name, list(DIALECTS))


def chosen_fusion(
    method: str | None, like: str | None, runs: int, weights: Sequence[float] | None, **choices: Any
) -> Fusion:
    """A fusion as asked for: with a tool's choices, or with those that were published."""
    if like is None:
        return fusion_from(method or "rrf", runs=runs, weights=weights, **choices)
    return find_dialect(like).fusion(method, runs, weights=weights, **choices)
