"""`cranfield recommendation`: what lists of items offer beyond relevance."""

from __future__ import annotations

from dataclasses import replace

import click

from cranfield.cli.inputs import Inputs
from cranfield.cli.numbers import Whole
from cranfield.cli.output import chosen_format, echo_json, echo_table, echo_warnings, fitting, printing_options
from cranfield.cli.progress import progress


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-k",
    "--cutoff",
    "k",
    type=Whole(),
    default=10,
    show_default=True,
    help="How many items of each list count.",
)
@click.option("--items", metavar="FILE", help="All items there are, one a line: for coverage and Gini.")
@click.option(
    "--interactions",
    metavar="FILE",
    help="Which user had which item before: for novelty and popularity, and for coverage without --items.",
)
@click.option("--attributes", metavar="FILE", help="What is known of an item, one attribute a line: for diversity.")
@click.option(
    "--similarity",
    type=click.Choice(["jaccard", "cosine"]),
    default="jaccard",
    show_default=True,
    help="How alike two items are, by their attributes; cosine takes weights.",
)
@click.option("-q", "--per-user", is_flag=True, help="Print novelty, popularity and diversity of every list.")
@click.option(
    "--ties",
    type=click.Choice(["document", "document-ascending", "given"]),
    default="document",
    show_default=True,
    help="Order of equal scores: by item id (last first, or ascending), or as given.",
)
@printing_options
@click.option(
    "--run-format",
    metavar="NAME",
    help="Format of a RUN: trec, msmarco, csv, tsv, jsonl, json, parquet, arrow.",
)
@click.option("--columns", multiple=True, metavar="ROLES", help="Which column of a RUN is what: query,document,score.")
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def recommendation(
    runs: tuple[str, ...],
    k: int,
    items: str | None,
    interactions: str | None,
    attributes: str | None,
    similarity: str,
    per_user: bool,
    ties: str,
    form: str | None,
    places: int,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Tell what recommendations offer beyond relevance: coverage, novelty, diversity, personalisation.

    \b
        cranfield recommendation als.run mostpop.run --interactions train.tsv
        cranfield recommendation als.run -k 20 --items items.txt --attributes genres.csv

    In a RUN users are queries and items documents. Interactions are user and item, perhaps with a count; attributes
    are item and attribute, perhaps with a weight; each as text, CSV, TSV, JSON, JSONL, Parquet or Arrow.
    """
    from cranfield.recommending import recommendation as recommendation_of

    if (*runs, items, interactions, attributes).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    inputs = Inputs(None, run_format, columns)
    with progress(quiet=quiet) as watch:
        found = recommendation_of(
            [watch.watched(inputs.run(run)) for run in runs],
            k=k,
            items=items,
            interactions=interactions,
            attributes=attributes,
            similarity=similarity,  # type: ignore[arg-type]  # click has checked the choices
            ties=ties,  # type: ignore[arg-type]
        )
    shown = chosen_format(form)
    if shown == "json":
        echo_json(found.to_dict(per_user=per_user))
    elif per_user and shown in ("tsv", "csv", "jsonl"):
        echo_table(found.per_user(), shown, places)
    else:
        if per_user:
            echo_table(found.per_user(), shown, places)
            click.echo()
        table = fitting((found.table(), found.table_by_number()), shown, places)
        echo_table(replace(table, notes=found.notes) if quiet else table, shown, places)
    # A table shows its warnings below itself; other formats may go where nobody reads them.
    echo_warnings(found.warnings, quiet=quiet or shown == "table")
