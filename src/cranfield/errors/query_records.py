"""What can be wrong with records of queries that have lists of documents."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding
from cranfield.phrases import shown


def no_query(at: int) -> Finding:
    """A record of which nobody knows what query it is about."""
    advice = "Give every record a query_id, query or question."
    return Finding("error", "record-without-query", "the record names no query", advice, None, at, unit="record")


def query_twice(query: str, at: int) -> Finding:
    """Two records of one query, of which one would be lost."""
    message = f"query {query!r} has a record before this one"
    advice = "Remove one of them, or give the queries ids of their own."
    return Finding("error", "query-twice", message, advice, None, at, unit="record")


def no_list(query: str, name: str, found: object) -> Finding:
    """Something else where other records have a list."""
    message = f"query {query!r} has {shown(found)} as {name}; expected a list of documents"
    return Finding("error", "unknown-structure", message, "Write a list of ids, or leave it out.")


def no_grade(header: Sequence[str]) -> Finding:
    """A rating of which nobody knows what it is about, or what it says."""
    message = f"a rating has the names {', '.join(header)}; expected a document and a grade"
    return Finding("error", "unknown-structure", message, "Write docId and rating for each.")


def document_twice(document: str) -> Finding:
    """Two ratings of a document for one query."""
    message = f"document {document!r} has two ratings for one query"
    return Finding("error", "document-twice", message, "Remove one of them.")


def several_sets(path: str | None, names: Sequence[str]) -> Finding:
    """A file of predictions for several sets of queries."""
    message = f"has predictions for {len(names)} sets of queries: {', '.join(names)}"
    return Finding("error", "several-sets", message, "Save the predictions of one of them to a file.", path)


def several_ratings(path: str | None, query: str, document: str) -> Finding:
    """A pair that several people rated, where one grade was expected."""
    message = f"query {query!r} and document {document!r} have several ratings"
    advice = "Merge them to one grade first: cranfield merge FILE -o qrels.txt"
    return Finding("error", "several-ratings", message, advice, path)
