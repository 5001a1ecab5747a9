"""`cranfield report`: one page to read, to explore and to send."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.comparing import baselines, different_judgments, testing
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, load_or_evaluate, reading
from cranfield.cli.options import Command, Real, Whole, require_one_standard_input
from cranfield.cli.output import hint, quiet

if TYPE_CHECKING:
    from cranfield.comparing.differences import TestChoices

MEASURES = ("nDCG@10", "AP", "RR", "R@100")


@click.command(cls=Command)
@click.argument("files", metavar="QRELS RUN...", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="File for the page; - is standard output.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The page opens with the first. [default: nDCG@10 AP RR R@100]",
)
@baselines
@click.option("--all-pairs", is_flag=True, help="Correct p for every pair of runs, and show their groups and ranks.")
@click.option("--queries", metavar="FILE", help="Query file: id, text and any columns to slice by.")
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="Slice by a column of --queries, or by `words`, the length of the query. May be repeated.",
)
@click.option("--documents", metavar="FILE", help="Document file (id, title, text), for the ranked lists.")
@click.option(
    "--depth-shown",
    type=Whole(0, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Documents shown of each ranked list; fewer if the page would become too large.",
)
@click.option(
    "--max-megabytes",
    type=Real(0, 1e6, min_open=True),
    default=1.0,
    show_default=True,
    metavar="MB",
    help="Maximum size of the page, not counting the texts of documents.",
)
@click.option(
    "--sensitivity/--no-sensitivity",
    default=None,
    help="Whether to check that conclusions hold with other settings. [default: only if it is quick]",
)
@click.option("--title", metavar="TEXT", help="Title of the page. [default: the runs and the judgments]")
@click.option("--note", metavar="TEXT", help="Plain text for the top of the page; an empty line begins a paragraph.")
@click.option("--author", metavar="NAME", help="Who made the report, for the top of the page.")
@click.option(
    "--date",
    metavar="DATE",
    help="Date for the top of the page, as you write it. [default: none, so that the same input gives the same bytes]",
)
@different_judgments
@testing
@evaluation
@quiet
@reading
def report(
    files: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    queries: str | None,
    by: tuple[str, ...],
    documents: str | None,
    depth_shown: int,
    max_megabytes: float,
    sensitivity: bool | None,
    title: str | None,
    note: str | None,
    author: str | None,
    date: str | None,
    allow_different_judgments: bool,
    testing: TestChoices,
    evaluation: EvaluationChoices,
    quiet: bool,
    inputs: Inputs,
) -> None:
    """Write a page about one run or several: which is better, by how much, where and why.

    \b
        cranfield report qrels.txt bm25.run dense.run -o report.html
        cranfield report qrels.txt *.run -o report.html --queries queries.tsv --documents documents.jsonl
        cranfield report monday.json today.json -o report.html

    The page is one file that needs no network: it can be mailed, printed and opened on a phone. Results saved by
    `--save` may be given instead of judgments and runs, or after them; they have no ranked lists to look into.
    """
    from cranfield.reporting import report as report_on

    require_one_standard_input(*files, queries, documents)
    results = load_or_evaluate(files, measures, inputs, evaluation, quiet=quiet, default_measures=MEASURES, min_runs=1)
    page = report_on(
        results,
        baseline=baselines or None,
        all_pairs=all_pairs,
        queries=queries,
        by=by,
        documents=documents,
        depth_shown=depth_shown,
        max_megabytes=max_megabytes,
        sensitivity=sensitivity,
        title=title,
        note=note,
        author=author,
        date=date,
        allow_different_judgments=allow_different_judgments,
        choices=testing,
    )
    if output == "-":
        click.echo(page.html, nl=False)
        return
    page.save(output)
    if not quiet:
        click.echo(page.contents.first.verdict)
        hint(f"Open {output} in a browser.", quiet=quiet)
