"""`cranfield convert`: from one file format to another."""

from __future__ import annotations

import click

from cranfield.choices import DataKind, Duplicates
from cranfield.cli.inputs import duplicates, run_queries
from cranfield.cli.options import Command, choice, option, require_one_standard_input
from cranfield.cli.output import Printing, echo_warnings, printing, show
from cranfield.data.judgments import GroupKind


@click.command(cls=Command)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@option("--kind", type=choice(DataKind), help="What IN holds. [default: recognised]")
@option(
    "--to",
    metavar="NAME",
    help="Format of OUT: trec, msmarco, csv, tsv, jsonl, json, parquet, arrow, xlsx, beir, quepid, svmlight or "
    "rank_eval. [default: by the end of its name]",
)
@option("--input-format", metavar="NAME", help="Format of IN, instead of guessing.")
@option("--columns", metavar="ROLES", help="Which column of IN is what: query=qid,document=pid,grade=label.")
@option(
    "--groups",
    type=choice(GroupKind),
    help="For TREC judgments: what the second column is, or of five columns the third and fourth.",
)
@duplicates
@run_queries
@option("--name", metavar="NAME", help="Tag of a TREC run. [default: that of IN]")
@option(
    "--features",
    metavar="RUN",
    multiple=True,
    help="For svmlight: a run whose scores become a feature of the judged documents; may be repeated.",
)
@option("--queries", metavar="FILE", help="For quepid and rank_eval: query file with the texts of the queries.")
@option("--index", metavar="NAME", help="For rank_eval: the index of the documents.")
@printing
def convert(
    source: str,
    target: str,
    kind: DataKind | None,
    to: str | None,
    input_format: str | None,
    columns: str | None,
    groups: GroupKind | None,
    duplicates: Duplicates | None,
    run_queries: str | None,
    name: str | None,
    features: tuple[str, ...],
    queries: str | None,
    index: str | None,
    printing: Printing,
) -> None:
    """Convert judgments, runs, labels, queries and documents from one format to another.

    \b
        cranfield convert bm25.run bm25.parquet
        cranfield convert ratings.csv qrels.txt.gz
        cranfield convert qrels.txt scifact/
        cranfield convert qrels.txt train.svmlight --features bm25.run --features dense.run
        cranfield convert qrels.txt request.json --to rank_eval --index products --queries queries.tsv

    What is converted stays as it is, to the last digit. What the other format cannot hold is an error, or a warning
    where it changes no score. A folder is written as BEIR has it; - is standard output, with --to.
    """
    import sys

    from cranfield.conversion import convert as converted

    require_one_standard_input(source, queries, run_queries, *features)
    conversion = converted(
        source,
        sys.stdout.buffer if target == "-" else target,
        kind=kind,
        to=to,
        format=input_format,
        columns=columns,
        groups=groups,
        duplicates=duplicates,
        run_queries=run_queries,
        name=name,
        features=list(features),
        queries=queries,
        index=index,
    )
    if target != "-":
        show(conversion, printing)
        return
    sys.stdout.flush()
    if not printing.quiet:
        click.echo(conversion.verdict(), err=True)
    echo_warnings(conversion.warnings, quiet=printing.quiet)
