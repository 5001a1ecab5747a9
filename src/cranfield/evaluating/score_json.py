"""Scores as plain values: what `cranfield evaluate --format json` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Bools
from cranfield.evaluating import aggregate
from cranfield.evaluating.score_tables import mean_bounds
from cranfield.evaluating.scores import RunFacts, Scores
from cranfield.measures import Measure
from cranfield.show.table import finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.evaluating.bounds import TieBounds, UnjudgedBounds


def as_dict(scores: Scores, *, per_query: bool = False, ties: bool = False, unjudged: bool = False) -> dict[str, Any]:
    """Means, and if wanted every query's scores and how far ties and unjudged documents could move the means."""
    of_ties = scores.tie_bounds() if ties else {}
    of_unjudged = scores.unjudged_bounds() if unjudged else {}
    without, chunks = scores.provenance.judgments.without_relevant, scores.provenance.judgments.chunks
    facts = scores.provenance.runs
    return {
        "cranfield": VERSION,
        "settings": settings_dict(scores),
        "queries": {
            "judged": len(scores.queries),
            "evaluated": int(scores.counted[0].any(axis=0).sum()),
            "silent": _in_order(scores, (query for run in facts for query in run.silent or ())),
            "unknown": list(dict.fromkeys(query for run in facts for query in run.unknown)),
            "without_relevant": None if without is None else list(without),
        },
        "only_relevant": scores.provenance.judgments.only_relevant,
        **({} if chunks is None else {"chunks": chunks}),
        "warnings": [str(warning) for warning in scores.warnings],
        "runs": [
            _run_dict(scores, at, per_query, of_ties.get(name), of_unjudged.get(name))
            for at, name in enumerate(scores.runs)
        ],
    }


def settings_dict(scores: Scores) -> dict[str, Any]:
    """The settings of an evaluation, those of measures that a profile evaluates differently among them."""
    usual = scores.settings.to_dict()
    other = {
        measure.canonical: {
            field.name: getattr(settings, field.name)
            for field in fields(settings)
            if getattr(settings, field.name) != usual.get(field.name)
        }
        for measure, settings in zip(scores.measures, scores.provenance.settings, strict=True)
    }
    exceptions = {measure: differing for measure, differing in other.items() if differing}
    judgments = scores.provenance.judgments
    return {
        **usual,
        **({"exceptions": exceptions} if exceptions else {}),
        "judgments": judgments.path,
        "max_grade": judgments.max_grade,
        "confidence": aggregate.CONFIDENCE,
    }


def judgments_dict(scores: Scores) -> dict[str, Any]:
    """What the runs were judged by."""
    judgments = scores.provenance.judgments
    return {
        "path": judgments.path,
        "sha256": judgments.sha256,
        "queries": judgments.queries,
        "judgments": judgments.judgments,
        **({"only_relevant": True} if judgments.only_relevant else {}),
        **({} if judgments.chunks is None else {"chunks": judgments.chunks}),
    }


def facts_dict(facts: RunFacts, evaluated: int) -> dict[str, Any]:
    """What is known of a run's documents and queries; `evaluated` of them are in its mean."""
    known: dict[str, Any] = {}
    if facts.silent is not None:
        silent, unknown = list(facts.silent), list(facts.unknown)
        known["queries"] = {"evaluated": evaluated, "silent": silent, "unknown": unknown}
    if facts.ties is not None:
        known["ties"] = facts.ties._asdict()
    if facts.unjudged is not None:
        known["unjudged"] = {**facts.unjudged._asdict(), "judged_at_10": facts.judged_at_10}
    if facts.chunks is not None:
        known["chunks"] = facts.chunks
    return known


def _run_dict(
    scores: Scores, at: int, per_query: bool, ties: TieBounds | None, unjudged: UnjudgedBounds | None
) -> dict[str, Any]:
    facts = scores.provenance.runs[at]
    known = facts_dict(facts, int(scores.counted[0, at].sum()))
    shown: dict[str, Any] = {
        "name": scores.runs[at],
        "path": facts.path,
        "queries": known.get("queries"),
        "measures": {str(measure): _measure_dict(scores, measure, at, per_query) for measure in scores.measures},
        "ties": known.get("ties"),
        "unjudged": known.get("unjudged"),
        **({} if facts.chunks is None else {"chunks": facts.chunks}),
    }
    if ties is not None:
        shown["ties"]["bounds"] = _bounds_dict(scores, at, ties)
        shown["ties"]["simulated"] = int(ties.drawn.any(axis=0).sum())
    if unjudged is not None:
        shown["unjudged"]["bounds"] = _bounds_dict(scores, at, unjudged)
    return shown


def _measure_dict(scores: Scores, measure: Measure, at: int, per_query: bool) -> dict[str, Any]:
    mean = scores.mean(measure, scores.runs[at])
    interval = [mean.low, mean.high] if math.isfinite(mean.low) and math.isfinite(mean.high) else None
    shown: dict[str, Any] = {
        "canonical": measure.canonical,
        "mean": finite(mean.value),
        "interval": interval,
        "undefined": mean.undefined,
    }
    if per_query:
        shown["per_query"] = query_values(scores, scores.measures.index(measure), at)
    return shown


def query_values(scores: Scores, row: int, at: int) -> dict[str, float | None]:
    """The score of every query that counts for one measure and run; None where it is undefined."""
    counted: Bools = scores.counted[row, at]
    values = scores.values[row, at][counted].tolist()
    return dict(zip(_names(scores, counted), map(finite, values), strict=True))


def _bounds_dict(scores: Scores, at: int, bounds: TieBounds | UnjudgedBounds) -> dict[str, Any]:
    return {
        str(measure): {name: finite(value) for name, value in mean_bounds(scores, at, row, bounds).items()}
        for row, measure in enumerate(scores.measures)
    }


def _names(scores: Scores, chosen: Bools) -> list[str]:
    return [scores.queries[at] for at in np.flatnonzero(chosen)]


def _in_order(scores: Scores, queries: Iterable[str]) -> list[str]:
    chosen = set(queries)
    return [query for query in scores.queries if query in chosen]
