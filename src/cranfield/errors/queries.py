"""What can be wrong with what is known of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.errors.findings import Finding, UsageError, nearest
from cranfield.errors.ids import would_meet
from cranfield.phrases import NAME, examples, option, short, spoken

KNOWN = "query, qid, query_id, id or topic"


def no_query_column(path: str | None, names: Sequence[str], known: Iterable[str]) -> Finding:
    """No column has a name that ids of queries have."""
    near = [(name, like[0]) for name in names if (like := nearest(name, known, 1))]
    hint = f"Did you mean {near[0][1]} by {near[0][0]}? " if near else ""
    shown = examples([short(name, 40) for name in names], 10)
    return Finding(
        "error",
        "missing-column",
        f"no column gives the ids of queries; the columns are {shown}",
        f"{hint}Call it {KNOWN}"
        + spoken(command=".", python=f", or name it with {option('columns', {'query': NAME})}."),
        path,
    )


def several_query_columns(path: str | None, role: str, candidates: Sequence[str]) -> Finding:
    """Several columns could hold the ids, or the texts, of queries."""
    what = "ids" if role == "query" else "texts"
    return Finding(
        "error",
        "ambiguous-columns",
        f"several columns could give the {what} of queries: {', '.join(candidates)}",
        "Rename all but one"
        + spoken(command=".", python=f", or name it with {option('columns', {role: candidates[0]})}."),
        path,
    )


def column_twice(path: str | None, name: str) -> Finding:
    """Two columns of one name: one of them would be lost."""
    return Finding("error", "column-twice", f"two columns are called {name!r}", "Rename one of them.", path)


def query_twice(path: str | None, line: int, query: str, first_line: int, *, unit: str = "line") -> Finding:
    """A query that comes again: whatever it says there would be lost."""
    message = f"query {query!r} comes again; it is already on {unit} {first_line}"
    return Finding("error", "query-twice", message, "Keep each query once.", path, line, unit=unit)


def no_queries(path: str | None, found: str) -> Finding:
    """Data in a shape that queries do not have."""
    return Finding(
        "error",
        "unknown-structure",
        f"{found}; expected {{query: text}}, {{query: {{column: value}}}} or a list of records",
        "Rewrite it in one of these shapes, or as a table with a row per query.",
        path,
    )


def unreadable_queries(value: object) -> UsageError:
    """A Python object that cannot be queries."""
    return UsageError(
        f"cannot read queries from {type(value).__name__}. Give a path, a file object, {{query: text}}, "
        "{query: {column: value}}, rows of (query, text), records or a table."
    )


def queries_never_meet(path: str | None, judged: Sequence[str], known: Sequence[str]) -> Finding:
    """Nothing is known of any query that was evaluated."""
    return Finding(
        "error",
        "query-ids-never-meet",
        f"has none of the evaluated queries: those are {examples(judged)}; here they are {examples(known)}",
        would_meet(judged, known) or "Check that they are the queries of this collection.",
        path or "queries",
    )


def too_many_slices(column: str, values: Sequence[str], queries: int) -> UsageError:
    """A column that makes a slice of nearly every query."""
    return UsageError(
        f"{column} has {len(values):,} different values for {queries:,} queries ({examples(values)}), and a slice "
        "needs several queries.\nChoose a column with fewer values, or put values together in a column of their own."
    )
