"""What can be wrong or surprising where a system is asked for every query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cranfield.errors.findings import DataError, Finding, UsageError, did_you_mean
from cranfield.phrases import counted, examples, option, short, shown, spoken


def wrong_url(url: str) -> UsageError:
    """An address that cannot be asked."""
    return UsageError(
        f"{short(_without_user(url))!r} is not the address of a search service. Write it with http:// or https://, "
        "without a user and without {} in the name of the host, such as http://127.0.0.1:9200/garden/_search."
    )


def _without_user(url: str) -> str:
    """An address with *** for what stands before its host, which may be a password."""
    return re.sub("//[^/?#]*@", "//***@", url)


def nothing_of_the_query(what: str) -> UsageError:
    """A request that is the same for every query."""
    return UsageError(f"{what} does not contain {{query}}. Write {{query}} where the text of the query belongs.")


def unknown_placeholder(what: str, name: str, known: Sequence[str]) -> UsageError:
    """Something in braces that nothing can be filled in for."""
    near = did_you_mean(name, known)
    places = ", ".join(f"{{{one}}}" for one in known)
    return UsageError(f"{what}: {{{name}}} cannot be filled in. {near + ' ' if near else ''}There are {places}.")


def body_is_not_json(what: str, reason: str) -> DataError:
    """A template that gives no JSON."""
    advice = 'Write JSON with {query} in it, such as {"query": {"match": {"text": {query}}}, "size": {size}}.'
    return DataError(
        [Finding("error", "not-json", f"the template is not JSON once filled in ({reason})", advice, what)]
    )


def quoted_placeholder(name: str) -> UsageError:
    """A parameter of a statement between quotes."""
    return UsageError(
        f"The statement has {{{name}}} between quotes. Write it without quotes: it is passed as a parameter, and no "
        "query can end the statement."
    )


def unused_size() -> UsageError:
    """A number of results that nobody is told."""
    return UsageError("--size needs {size} in the request: write it where the number of results belongs.")


def queries_without_text(path: str | None, queries: Sequence[str]) -> DataError:
    """Queries that say nothing."""
    message = f"{counted(len(queries), 'query')} without a text ({examples(queries)})"
    advice = f"Give a file with the columns query and text, or name the column: {option('columns', {'text': 'NAME'})}."
    return DataError([Finding("error", "no-query-text", message, advice, path)])


def query_without_value(path: str | None, query: str, column: str) -> DataError:
    """A query that lacks what a template wants."""
    message = f"query {query!r} has nothing in the column {column!r}, which the request contains"
    return DataError([Finding("error", "no-query-value", message, "Fill it in, or leave the query out.", path)])


def no_header_value(header: str, variable: str) -> UsageError:
    """A header whose value is not in the environment."""
    return UsageError(
        f"{option('header')}: the environment variable {variable} for {header} is not set, or cannot be sent. "
        f"Set it, such as export {variable}='ApiKey …'."
    )


def wrong_header(text: str) -> UsageError:
    """A header that has no name, or its value in the open."""
    return UsageError(
        f"{option('header')}: write NAME=VARIABLE, where VARIABLE is the environment variable that holds the value, "
        f"not {shown(text)}. Keys are taken from the environment only."
    )


def no_database(path: str) -> DataError:
    """A database that is not there."""
    advice = "Name an SQLite or DuckDB file, or an address such as postgresql://127.0.0.1/garden."
    return DataError([Finding("error", "no-database", "there is no such database", advice, path)])


def database_unusable(path: str, reason: str) -> DataError:
    """A database that cannot be opened."""
    return DataError([Finding("error", "database", f"cannot be opened: {short(reason)}", path=path)])


def output_exists(path: str) -> DataError:
    """A file that would be replaced, and was not made by the same command."""
    advice = f"Name another file, or replace it: {option('restart')}."
    return DataError(
        [Finding("error", "output-exists", "is there already, and was not begun by this request", advice, path)]
    )


def other_requests(path: str, source: str) -> DataError:
    """A log of other requests than those that are asked now."""
    message = f"has the answers to other requests ({short(source)})"
    advice = f"Name another output, or ask everything again: {option('restart')}."
    return DataError([Finding("error", "other-requests", message, advice, path)])


def other_queries(path: str) -> DataError:
    """A run that is complete, but for other queries."""
    message = "is complete for other queries than these"
    advice = f"Name another output, or ask everything again: {option('restart')}."
    return DataError([Finding("error", "other-queries", message, advice, path)])


def damaged_log(path: str, line: int) -> Finding:
    """A line that nobody wrote."""
    advice = f"Remove the file, or ask everything again: {option('restart')}."
    return Finding("error", "damaged-log", "is not a line of a log of requests", advice, path, line)


def log_in_use(path: str) -> Finding:
    """A log that another process writes."""
    return Finding("error", "log-in-use", "another process is making this run", "Wait for it, or end it.", path)


def order_unclear(path: str | None, queries: Sequence[str]) -> DataError:
    """Scores that neither fall nor rise along the results."""
    message = (
        f"results of {counted(len(queries), 'query')} do not come in the order of their scores ({examples(queries)}); "
        "which of the two is the ranking?"
    )
    scores = [option("scores", name) for name in ("higher", "lower", "order")]
    advice = (
        f"{scores[0]}: the highest score is best; {scores[1]}: the lowest, as for distances; {scores[2]}: the results "
        "are ranked as they came. Nothing is asked again."
    )
    return DataError([Finding("error", "order-unclear", message, advice, path)])


def distances(path: str | None) -> Finding:
    """Scores that rise along the results."""
    message = "scores rise from the first result to the last, as distances do; the lowest is taken as the best"
    return Finding(
        "warning", "distances", message, f"{option('scores', 'lower')} says so, and ends this warning.", path
    )


def repeated_document(path: str | None, query: str, document: str, count: int) -> DataError:
    """A document that a query got twice."""
    message = f"query {query!r} got document {document!r} twice; so did {counted(count, 'query')} in all"
    message = message if count > 1 else f"query {query!r} got document {document!r} twice"
    advice = f"{option('duplicates', 'first')} keeps the first. Nothing is asked again."
    return DataError([Finding("error", "repeated-document", message, advice, path)])


def unanswered(run: str, queries: Sequence[str], log: str | None) -> DataError:
    """A run of which some queries were never answered."""
    message = (
        f"{counted(len(queries), 'query')} failed when this run was made ({examples(queries)}); a failure is not an "
        "empty result, and would count as 0"
    )
    average = spoken(command="--average-over answered", python='average_over="answered"')
    advice = f"Make the run again: what was answered is not asked again ({log}). Or leave these queries out: {average}."
    return DataError([Finding("error", "unanswered-queries", message, advice if log else f"Use {average}.", run)])


def unanswered_in_pool(run: str, queries: Sequence[str]) -> Finding:
    """Failed queries of a run from which documents are taken to be judged."""
    return _failed(run, queries, "there the pool has only what other runs found")


def unanswered_in_comparison(run: str, queries: Sequence[str]) -> Finding:
    """Failed queries of a run that is compared with others."""
    return _failed(run, queries, "comparisons with it leave out what failed, because a failure is not an empty result")


def unanswered_in_fusion(run: str, queries: Sequence[str]) -> Finding:
    """Failed queries of a run that is fused with others."""
    return _failed(run, queries, "there the fused run has only what other runs found")


def unanswered_in_copy(run: str, queries: Sequence[str]) -> Finding:
    """Failed queries of a run that is written again, where nothing tells them from empty results."""
    return _failed(run, queries, "the new file does not tell, and an evaluation of it would count them as 0")


def _failed(run: str, queries: Sequence[str], consequence: str) -> Finding:
    message = f"{counted(len(queries), 'query')} failed when this run was made ({examples(queries)}); {consequence}"
    advice = "Make the run again: what was answered is not asked again."
    return Finding("warning", "unanswered-queries", message, advice, run, count=len(queries))


def incomplete(queries: Sequence[str]) -> DataError:
    """A run that is wanted while queries failed."""
    message = f"{counted(len(queries), 'query')} got no answer ({examples(queries)}), so there is no complete run"
    advice = f"Ask again, or take the answered queries alone: {option('partial', 'True', command='partial')}."
    return DataError(
        [
            Finding(
                "error",
                "incomplete-run",
                message,
                advice.replace('"True"', "True").replace("--partial True", "--partial"),
            )
        ]
    )


def no_latencies(runs: Iterable[str]) -> UsageError:
    """Latencies are wanted, and nobody measured any."""
    return UsageError(
        f"--latency needs runs that `cranfield retrieve` made, with their logs; {', '.join(runs)} have none."
    )
