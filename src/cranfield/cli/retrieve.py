"""`cranfield retrieve`: from a live engine, or a database, to a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cranfield.choices import Duplicates, ScoreOrder
from cranfield.cli.options import Command, Real, Whole, choice
from cranfield.cli.output import Printing, count_shown, printing, show
from cranfield.file_endings import RUNS, endings_of

if TYPE_CHECKING:
    from cranfield.data.queries import Queries
    from cranfield.retrieving.searching import SearchSystem

FAILED = 1
ROLES = ("hits", "id", "score", "total", "error")


@click.command(cls=Command)
@click.option("--queries", metavar="FILE", required=True, help="Query file: id, text and any columns to fill in.")
@click.option("-o", "--output", metavar="FILE", required=True, help=f"Run to write: {', '.join(endings_of(RUNS))}.")
@click.option("--url", metavar="URL", help="Address of a search service, with {query} in it or in --body.")
@click.option("--body", metavar="FILE|JSON", help="JSON to send (POST), with {query}; what is filled in is escaped.")
@click.option(
    "--engine",
    metavar="NAME",
    help="Search engine whose response format to expect: elasticsearch, opensearch, solr, vespa, qdrant, typesense, "
    "meilisearch, pinecone, json. [default: recognised from the response]",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="ROLE=PLACE",
    help="Path to a field of the JSON response: hits=data.0.items, id=doc.key, score=doc.rank. Roles: hits, id, score, "
    "total, error.",
)
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="NAME=VARIABLE",
    help="Header whose value is in an environment variable, such as Authorization=SEARCH_KEY; never stored or shown.",
)
@click.option(
    "--database", metavar="FILE|URL", help="Database for --sql: SQLite or DuckDB file, postgresql:// address."
)
@click.option(
    "--sql",
    metavar="STATEMENT|FILE",
    help="Statement with {query}, or a .sql file: a row for each document, best first, with its id and score, if any.",
)
@click.option("--size", type=Whole(1, 1_000_000), metavar="N", help="Results of a query, for {size}. [default: 100]")
@click.option("--at-once", type=Whole(1, 256), default=1, show_default=True, metavar="N", help="Requests at a time.")
@click.option("--rate", type=Real(0.001, 1e6), metavar="N", help="Requests a second, at most.")
@click.option("--timeout", type=Real(0.1, 3600), default=30.0, show_default=True, help="Seconds for an answer.")
@click.option("--tries", type=Whole(1, 100), default=6, show_default=True, metavar="N", help="Tries for a query.")
@click.option(
    "--scores",
    type=choice(ScoreOrder),
    help="What is best: the highest score, the lowest, or what came first. [default: as the results show]",
)
@click.option(
    "--duplicates", type=choice(Duplicates), help="Keep the first of equal documents. [default: stop if there are any]"
)
@click.option("--name", metavar="NAME", help="Name of the run. [default: that of the file]")
@click.option("--partial", is_flag=True, help="Write a run of the answered queries even if others failed.")
@click.option("--restart", is_flag=True, help="Remove the output and its log, and ask everything again.")
@printing
def retrieve(
    queries: str,
    output: str,
    url: str | None,
    body: str | None,
    engine: str | None,
    paths: tuple[str, ...],
    headers: tuple[str, ...],
    database: str | None,
    sql: str | None,
    size: int | None,
    at_once: int,
    rate: float | None,
    timeout: float,
    tries: int,
    scores: ScoreOrder | None,
    duplicates: Duplicates | None,
    name: str | None,
    partial: bool,
    restart: bool,
    printing: Printing,
) -> None:
    """Ask a live system for every query, and write its results as a run.

    \b
        cranfield retrieve --queries queries.tsv -o bm25.run --url http://127.0.0.1:9200/garden/_search \\
            --body '{"query": {"match": {"text": {query}}}, "size": {size}, "_source": false}'
        cranfield retrieve --queries queries.tsv -o solr.run \\
            --url 'http://127.0.0.1:8983/solr/garden/select?q={query}&defType=edismax&fl=id,score&rows={size}'
        cranfield retrieve --queries queries.tsv -o fts.run --database garden.db \\
            --sql "SELECT id, -bm25(docs) FROM docs WHERE docs MATCH {query} ORDER BY rank LIMIT {size}"

    Every answer is saved at once in a log next to the run (OUTPUT.requests.jsonl): after a crash the same command goes
    on and asks nothing twice. A query that failed or timed out is listed, and is never written as an empty result; the
    exit status is then 1. The log also has how long each query took, which `cranfield compare` reports.
    """
    from cranfield import errors
    from cranfield.formats.queries import read_queries
    from cranfield.retrieving.retrieval import RetrievalChoices, retrieve_from

    known = read_queries(queries)
    service = {"url": url, "body": body, "engine": engine, "path": paths, "header": headers}
    with closing(_system(known, service, database, sql, timeout)) as system:
        if size is not None and "size" not in system.names:
            raise errors.retrieving.unused_size()
        retrieval = retrieve_from(
            system,
            known,
            RetrievalChoices(at_once, rate, tries, scores, duplicates, partial, restart),
            size=size,
            output=output,
            name=name,
            watch=count_shown(quiet=printing.quiet),
        )
    show(retrieval, printing)
    if not retrieval.is_complete:
        raise SystemExit(FAILED)


def _system(
    queries: Queries, service: Mapping[str, Any], database: str | None, sql: str | None, timeout: float
) -> SearchSystem:
    """The system that the options name."""
    from cranfield.formats.source import text_of
    from cranfield.retrieving.databases import DatabaseSystem
    from cranfield.retrieving.searching import BUILT_IN

    known = [*BUILT_IN, *(name for name in queries.columns if name not in BUILT_IN)]
    of_service = [f"--{name}" for name, value in service.items() if value]
    if service["url"] is not None and database is None and sql is None:
        return _service(service, known, timeout)
    if database is None or sql is None:
        raise click.UsageError("Say what to ask: --url, or --database with --sql.")
    if of_service:
        raise click.UsageError(f"{of_service[0]} is about a service, --database about a database; choose one.")
    return DatabaseSystem(database, text_of(sql) if sql.endswith(".sql") else sql, known, timeout)


def _service(service: Mapping[str, Any], known: Sequence[str], timeout: float) -> SearchSystem:
    from cranfield.formats.source import text_of
    from cranfield.retrieving.service import ServiceChoices, ServiceSystem

    body: str | None = service["body"]
    is_file = body is not None and not body.lstrip().startswith(("{", "["))
    choices = ServiceChoices(
        service["url"],
        text_of(body) if body is not None and is_file else body,
        body if body is not None and is_file else "--body",
        service["engine"],
        _places(service["path"]),
        service["header"],
        timeout,
    )
    return ServiceSystem(choices, known)


def _places(given: Sequence[str]) -> dict[str, str]:
    """Where an answer has what."""
    places = dict(text.partition("=")[::2] for text in given)
    for role, place in places.items():
        if role not in ROLES or not place:
            raise click.UsageError(f"--path is ROLE=PLACE, where the role is one of {', '.join(ROLES)}.")
    return places
