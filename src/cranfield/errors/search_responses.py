"""What can be wrong with saved answers of search engines."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding
from cranfield.phrases import counted, listed, option, short, spoken


def failed(path: str | None, query: str, reason: str) -> Finding:
    """A query that the engine could not answer, which is not the same as no results."""
    return Finding(
        "error",
        "failed-query",
        f"query {query!r} failed in the search engine ({short(reason)}); a failure is not an empty result",
        "Run the query again, or remove its response; a query without one counts as 0 and is listed.",
        path,
    )


def timed_out(path: str | None, queries: Sequence[str], count: int) -> Finding:
    """Queries whose time was over before everything was searched."""
    names = listed(list(queries), 3)
    message = f"{len(queries):,} of {counted(count, 'query')} timed out ({names}); their results are incomplete"
    return Finding("warning", "timed-out", message, "Run these queries again with a longer timeout.", path)


def parts_failed(path: str | None, queries: Sequence[str], count: int) -> Finding:
    """Queries that a part of the index did not answer."""
    names = listed(list(queries), 3)
    message = (
        f"a part of the index did not answer {len(queries):,} of {counted(count, 'query')} ({names}); "
        "their results are incomplete"
    )
    return Finding("warning", "parts-failed", message, "Run these queries again.", path)


def without_queries(path: str | None, count: int) -> Finding:
    """Answers in the order of the queries, of which nothing says which they are."""
    return Finding(
        "error",
        "responses-without-queries",
        f"{counted(count, 'response')} of a search engine, in the order of the queries, without their ids",
        f"Say which queries they answer: {option('run_queries', 'FILE')}"
        f"{spoken(command='', python=' of evaluate, read_run or convert')} is a query file in the same order, or the "
        "request that was sent. Or save them with ids: {query id: response}, or a file per query in a folder.",
        path,
    )


def other_count(path: str | None, count: int, queries: str | None, known: int) -> Finding:
    """More or fewer answers than there are queries."""
    asked = counted(known, "query") + (f" in {queries}" if queries else "")
    message = f"{counted(count, 'response')}, but {asked}; their order does not tell which is which"
    return Finding("error", "responses-without-queries", message, "Give the queries that were asked, in order.", path)


def half_request(path: str | None) -> Finding:
    """A request to `_msearch` of an odd number of lines."""
    message = "a request to _msearch has two lines for each search, and this has an odd number of lines"
    return Finding("error", "half-request", message, "Check that the file is complete.", path)


def no_text_in_request(path: str | None, at: int, texts: Sequence[str]) -> Finding:
    """A search in which several texts are looked for, or none."""
    what = f"looks for {len(texts)} texts ({listed(list(texts), 3)})" if texts else "looks for no text"
    message = f"search {at:,} of the request {what}; expected one, by which the query is known"
    return Finding("error", "no-query-text", message, "Give a query file in the same order instead.", path)


def query_twice(path: str | None, query: str) -> Finding:
    """Two answers to one query, of which one would be lost."""
    return Finding("error", "query-twice", f"query {query!r} has two responses", "Remove one of them.", path)


def hit_without_id(path: str | None, query: str, rank: int) -> Finding:
    """A hit of which nobody knows which document it is."""
    return Finding(
        "error",
        "hit-without-id",
        f"hit {rank:,} of query {query!r} has no document id",
        "Ask the search engine for ids, or write a row for each hit: query,document,score.",
        path,
    )


def other_answer(path: str | None, query: str, found: str) -> Finding:
    """Something else among answers of a search engine."""
    return Finding(
        "error",
        "unknown-structure",
        f"query {query!r} has no response of a search engine ({found}), as other queries have",
        "Remove the entry, or run the query again.",
        path,
    )


def grades_of_hits_alone(path: str | None) -> Finding:
    """Grades from a `_rank_eval` response, which has only those of documents that were found."""
    return Finding(
        "warning",
        "grades-of-hits-alone",
        "a _rank_eval response has grades only of documents that were found: recall, AP and nDCG come out too high",
        "Give the _rank_eval request as judgments; its ratings are complete.",
        path,
    )


def no_results(path: str | None) -> Finding:
    """A request where results were expected."""
    return Finding(
        "error",
        "no-results",
        "is a _rank_eval request, which has ratings and no results",
        "Give it as the judgments, and the response as the run.",
        path,
    )


def no_grades(path: str | None) -> Finding:
    """Results where grades were expected."""
    return Finding(
        "error",
        "no-grades",
        "holds responses of a search engine, which have no grades",
        "Give it as a run; judgments have a grade for each query and document.",
        path,
    )
