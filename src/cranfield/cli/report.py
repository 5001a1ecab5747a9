"""`cranfield report`: one page to read, to explore and to send on."""

from __future__ import annotations

import click

from cranfield.cli.comparing import comparing_options
from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Real, Whole
from cranfield.cli.output import hint
from cranfield.cli.results import scored_or_kept

MEASURES = ("nDCG@10", "AP", "RR", "R@100")


@click.command()
@click.argument("files", metavar="QRELS RUN...", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the page goes; - is standard output.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The page opens with the first. [default: nDCG@10 AP RR R@100]",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    help="What to compare with at first, by name. [default: the first run]",
)
@click.option("--all-pairs", is_flag=True, help="Correct p for every pair of runs, and show their groups and ranks.")
@click.option("--queries", metavar="FILE", help="What is known of queries: ids, texts and other columns.")
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="Slice by a column of --queries; `words` counts those of the text. May be repeated.",
)
@click.option("--documents", metavar="FILE", help="Titles and texts of documents, for the ranked lists.")
@click.option(
    "--depth-shown",
    type=Whole(0, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Documents of each ranked list, less where the page would become too large.",
)
@click.option(
    "--size",
    type=Real(0, 1e6, min_open=True),
    default=1.0,
    show_default=True,
    metavar="MB",
    help="How large the page may become for its lists, texts of documents aside.",
)
@click.option(
    "--sensitivity/--no-sensitivity",
    default=None,
    help="Whether conclusions hold with other choices. [default: where it takes no time]",
)
@click.option("--title", metavar="TEXT", help="What the page is called.")
@comparing_options
@click.option(
    "--allow-different-judgments",
    is_flag=True,
    help="Report saved results of different judgments on the queries they share.",
)
@ranking_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
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
    size: float,
    sensitivity: bool | None,
    title: str | None,
    test: str,
    correction: str,
    interval: str,
    confidence: float,
    tie: float,
    resamples: int,
    seed: int,
    allow_different_judgments: bool,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Write a page about one run or several: who is better, by how much, where and why.

    \b
        cranfield report qrels.txt bm25.run dense.run -o report.html
        cranfield report qrels.txt *.run -o report.html --queries queries.tsv --documents documents.jsonl
        cranfield report monday.json today.json -o report.html

    The page is one file that needs no network: it can be mailed, printed and opened on a phone. Results that `--save`
    kept may stand in place of judgments and runs, or beside them; they have no ranked lists to look into.
    """
    from cranfield.reporting import report as report_on

    if (*files, queries, documents).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    inputs = Inputs(judgments_format, run_format, columns)
    given = scored_or_kept(
        files,
        measures,
        inputs,
        rel=rel,
        depth=depth,
        judged_only=judged_only,
        quiet=quiet,
        usual=MEASURES,
        least=1,
    )
    made = report_on(
        given,
        baseline=baselines or None,
        all_pairs=all_pairs,
        queries=queries,
        by=by,
        documents=documents,
        depth_shown=depth_shown,
        size=size,
        sensitivity=sensitivity,
        title=title,
        test=test,  # type: ignore[arg-type]  # click has checked the choices
        correction=correction,  # type: ignore[arg-type]
        interval=interval,  # type: ignore[arg-type]
        confidence=confidence,
        tie=tie,
        resamples=resamples,
        seed=seed,
        allow_different_judgments=allow_different_judgments,
    )
    if output == "-":
        click.echo(made.html, nl=False)
        return
    made.save(output)
    if not quiet:
        click.echo(made.contents.first.verdict)
        hint(f"Open {output} in a browser.", quiet=quiet)
