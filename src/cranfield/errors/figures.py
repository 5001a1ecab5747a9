"""Curves that cannot be drawn."""

from __future__ import annotations

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import option


def no_curve(query: str, path: str | None, rel: float) -> UsageError:
    """Nothing is relevant to the one query that was asked for."""
    return UsageError(
        f"Query {query!r} has no document of grade {rel:g} or more in {path or 'the judgments'}, so it has no curve."
    )


def no_characteristic(rel: float, query: str) -> UsageError:
    """The one query that was asked for lacks documents of one sort."""
    return UsageError(f"Query {query!r} has no curve of this kind: {_both_sorts(rel)}.")


def no_characteristics(path: str | None, rel: float) -> Finding:
    """No query has what a receiver operating characteristic needs."""
    message = f"no query has a curve of this kind: {_both_sorts(rel)}"
    advice = f"Draw precision over recall instead: {option('kind', 'pr11')}."
    return Finding("error", "no-characteristic", message, advice, path)


def _both_sorts(rel: float) -> str:
    return f"it needs judged documents of grade {rel:g} or more, and of less"
