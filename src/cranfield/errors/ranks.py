"""What can be wrong or odd about ranks, where a run has no scores and the rank is the position."""

from __future__ import annotations

from cranfield.errors.findings import Finding, Severity
from cranfield.phrases import NAME, option

LARGEST_RANK = 10_000_000
"""Nobody lists more documents for a query; a larger number is an id or a score in the wrong column."""


def impossible_rank(path: str | None, line: int, rank: float, *, unit: str = "line") -> Finding:
    """A rank that no position has: negative, a fraction, or far too large."""
    return Finding(
        "error",
        "impossible-rank",
        f"the rank is {rank:g}; expected a whole number from 1 to {LARGEST_RANK:,}",
        f"Correct it. If the column holds scores, name it so: {option('columns', {'score': NAME})}.",
        path,
        line,
        unit=unit,
    )


def repeated_rank(path: str | None, line: int, query: str, rank: int, *, unit: str = "line") -> Finding:
    """Two documents of one query at the same rank."""
    return Finding(
        "warning",
        "repeated-rank",
        f"query {query!r} has several documents at rank {rank}; they count as tied and take the next ranks",
        "Give each document a rank of its own, or add scores.",
        path,
        line,
        unit=unit,
    )


def gap_in_ranks(
    path: str | None, line: int, query: str, missing: tuple[int, int], severity: Severity, *, unit: str = "line"
) -> Finding:
    """Ranks at which no document is listed; what comes after keeps its rank."""
    first, last = missing
    ranks = f"rank {first}" if first == last else f"ranks {first} to {last}"
    return Finding(
        severity,
        "gap-in-ranks",
        f"query {query!r} has no document at {ranks}; the rank is the position, so what follows does not move up",
        "If the list was filtered and should be closed up, number its ranks again from 1.",
        path,
        line,
        unit=unit,
    )


def ranks_from_zero(path: str | None) -> Finding:
    """Ranks that count from 0."""
    return Finding("warning", "ranks-from-zero", "ranks start at 0; rank 0 is read as position 1", path=path)


def ranks_from_zero_and_one(path: str | None, zero: str, other: str) -> Finding:
    """Some queries have a rank 0 and some have not, so nobody knows which position rank 1 is."""
    return Finding(
        "error",
        "ranks-from-zero-and-one",
        f"query {zero!r} has a rank 0 and query {other!r} has none: rank 1 could be the first or the second position",
        "Number all ranks from 1.",
        path,
    )
