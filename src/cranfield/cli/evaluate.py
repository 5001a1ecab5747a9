"""`cranfield evaluate`: one row per run, with intervals, coverage, ties and unjudged documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.output import chosen_format, echo_json, echo_table, echo_warnings, fitting, hint, printing_options
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.scores import Scores
    from cranfield.show.table import Table


@click.command()
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: nDCG@10 AP RR R@100 Judged@10]",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print every query's score.")
@click.option(
    "--profile",
    metavar="NAME",
    help="Make the choices that are left open as another tool does: trec_eval-10, trec_eval-9, pytrec_eval, "
    "ir_measures, ranx, ndeval, gdeval, msmarco, beir, sklearn, textbook.",
)
@click.option(
    "--queries",
    type=click.Choice(["judged", "answered"]),
    help="Average over all judged queries (a silent one counts 0), or over those a run answered. [default: judged]",
)
@click.option(
    "--without-relevant",
    type=click.Choice(["keep", "drop"]),
    help="Whether queries without a relevant document count. [default: keep]",
)
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help="Average over all judged queries: the default, spelt as in trec_eval.",
)
@ranking_options
@click.option(
    "--ties",
    type=click.Choice(["document", "document-ascending", "given", "average", "bounds"]),
    help="Order of equal scores: by document id (last first, or ascending), as given; the average over all orders; "
    "or show the range over them. [default: document]",
)
@click.option(
    "--unjudged",
    type=click.Choice(["irrelevant", "bounds"]),
    default="irrelevant",
    show_default=True,
    help="What unjudged documents count as; or show the range from worst to best case.",
)
@click.option(
    "--undefined",
    type=click.Choice(["zero", "skip"]),
    help="What an undefined score becomes in a mean. [default: as the measure says]",
)
@click.option(
    "--precision",
    type=click.Choice(["double", "single"]),
    help="How exactly scores are compared; single is trec_eval's up to version 9. [default: double]",
)
@click.option(
    "--identical",
    type=click.Choice(["keep", "drop"]),
    help="What happens to documents whose id is the query's own. [default: keep]",
)
@click.option("--save", metavar="FILE", help="Keep every query's scores in a file, to compare with later.")
@printing_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def evaluate(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_query: bool,
    profile: str | None,
    queries: str | None,
    without_relevant: str | None,
    complete: bool,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    ties: str | None,
    unjudged: str,
    undefined: str | None,
    precision: str | None,
    identical: str | None,
    save: str | None,
    form: str | None,
    places: int,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Score one or several runs against judgments.

    \b
        cranfield evaluate qrels.txt bm25.run dense.run.gz
        cranfield evaluate qrels.txt bm25.run -m nDCG@10 -m 'AP(rel=2)' -q
        zcat bm25.run.gz | cranfield evaluate qrels.tsv - --format json

    Files may be TREC, BEIR, MS MARCO, CSV, TSV, JSON, JSONL, Parquet or Arrow, compressed or not; `-` is
    standard input. Measures may be spelt as here (`nDCG@10`), or as in trec_eval, ir_measures or ranx.
    """
    from cranfield.evaluating import evaluation

    if complete and queries == "answered":
        raise click.UsageError("-c averages over all judged queries, --queries answered over fewer; choose one.")
    if (judgments, *runs).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    # Before anything is read: a typo should not cost minutes.
    asked = evaluation(
        profile,
        measures or None,
        {
            "queries": "judged" if complete else queries,
            "without_relevant": without_relevant,
            "ties": None if ties == "bounds" else ties,
            "precision": precision,
            "identical": identical,
            "depth": depth,
            "judged_only": judged_only,
            "rel": rel,
            "undefined": undefined,
        },
    )
    inputs = Inputs(judgments_format, run_format, columns)
    read = inputs.judgments(judgments, asked.groups)
    with progress(quiet=quiet) as watch:
        scores = asked.scores(read, [watch.watched(inputs.run(run)) for run in runs])
    if save is not None:
        from cranfield.saved import save as save_results

        save_results(scores, save)
    shown = chosen_format(form)
    if shown == "json":
        _echo_json(scores, per_query=per_query, ties=ties == "bounds", unjudged=unjudged == "bounds")
    elif shown in ("tsv", "csv", "jsonl"):
        from cranfield.score_tables import long_table

        bounds = {"ties": ties == "bounds", "unjudged": unjudged == "bounds"}
        echo_table(long_table(scores, per_query=per_query, **bounds), shown, places)
    else:
        for position, table in enumerate(_tables(scores, per_query, ties == "bounds", unjudged == "bounds", quiet)):
            click.echo("\n" * bool(position), nl=False)
            echo_table(fitting(table, shown, places), shown, places)
    # A table shows its warnings below itself; other formats may go where nobody reads them.
    echo_warnings(scores.warnings, quiet=quiet or shown == "table")
    weakest = _weakest(scores)
    if shown == "table" and weakest is not None:
        example = f"{judgments} {runs[0]} --query {weakest} -m '{scores.measures[0]}'"
        hint(f"How a number arises: cranfield explain {example}", quiet=quiet)


def _weakest(scores: Scores) -> str | None:
    """The first run's query with the lowest score of those it answered, if it answered any."""
    silent = set(scores.provenance.runs[0].silent or ())
    answered = [at for at, query in enumerate(scores.queries) if query not in silent]
    return scores.queries[answered[scores.values[0, 0][answered].argmin()]] if answered else None


def _echo_json(scores: Scores, *, per_query: bool, ties: bool, unjudged: bool) -> None:
    shown = scores.to_dict(per_query=per_query, ties=ties, unjudged=unjudged)
    echo_json(shown)


def _tables(scores: Scores, per_query: bool, ties: bool, unjudged: bool, quiet: bool) -> Iterator[tuple[Table, ...]]:
    """Tables for people: queries if asked, means, how far ties and unjudged documents could move them.

    Of each, all the shapes it can take.
    """
    from dataclasses import replace

    from cranfield.score_tables import bounds_table

    if per_query:
        yield (scores.per_query(),)
    summary = scores.summary()
    summary = replace(summary, warnings=()) if quiet else summary
    yield summary.table(), summary.table_by_measure()
    if ties:
        yield (bounds_table(scores, "ties"),)
    if unjudged:
        yield (bounds_table(scores, "unjudged"),)
