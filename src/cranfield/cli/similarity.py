"""`cranfield similarity`: how alike runs are, pair by pair, without judgments."""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs
from cranfield.cli.numbers import Real, Whole
from cranfield.cli.output import chosen_format, echo_json, echo_table, echo_warnings, printing_options
from cranfield.cli.progress import progress


@click.command()
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True)
@click.option("-k", type=Whole(), default=10, show_default=True, help="Ranks whose documents are shared.")
@click.option(
    "-p",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="How far down rank-biased overlap reads: the probability to go on to the next rank.",
)
@click.option(
    "--ties",
    type=click.Choice(["b", "a", "w"]),
    default="b",
    show_default=True,
    help="What equal scores mean to rank-biased overlap: a mean over all orders (a), the same corrected so that a run "
    "is fully like itself (b), or all at the first of their ranks (w).",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print every query.")
@printing_options
@click.option(
    "--run-format",
    metavar="NAME",
    help="Format of the runs, instead of guessing: trec, msmarco, csv, tsv, jsonl, json, parquet, arrow.",
)
@click.option(
    "--columns", metavar="ROLES", help="Which column is what: query=qid,document=pid,score=bm25; or by position."
)
@click.option("--quiet", is_flag=True, help="No warnings.")
def similarity(
    runs: tuple[str, ...],
    k: int,
    p: float,
    ties: str,
    per_query: bool,
    form: str | None,
    places: int,
    run_format: str | None,
    columns: str | None,
    quiet: bool,
) -> None:
    """Compare runs with each other, without judgments: what their rankings share.

    \b
        cranfield similarity bm25.run dense.run
        cranfield similarity *.run -k 20 -p 0.95 --format markdown

    RBO is rank-biased overlap (Webber et al. 2010), from 0, nothing shared, to 1, the same ranking. It is extrapolated
    from the ranks seen; whatever may follow, it is from min to min + residual. overlap@k is the share of documents
    that the first k ranks have in common, Jaccard@k that of all documents in either. A query that only one of two runs
    answered counts as 0.
    """
    from dataclasses import replace

    from cranfield.run_similarity import similarity as compare
    from cranfield.similarity_tables import long_table

    if runs.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one run as -.")
    inputs = Inputs(None, run_format, (columns,) if columns else ())
    with progress(quiet=quiet) as watch:
        alike = compare([watch.watched(inputs.run(run)) for run in runs], k=k, p=p, ties=ties)  # type: ignore[arg-type]
    shown = chosen_format(form)
    if shown == "json":
        echo_json(alike.to_dict(per_query=per_query))
    elif shown in ("tsv", "csv", "jsonl"):
        echo_table(long_table(alike, per_query=per_query), shown, places)
    else:
        if per_query:
            echo_table(alike.per_query(), shown, places)
            click.echo()
        echo_table((replace(alike, warnings=()) if quiet else alike).table(), shown, places)
    # A table shows its warnings below itself; other formats may go where nobody reads them.
    echo_warnings(alike.warnings, quiet=quiet or shown == "table")
