"""`cranfield compare`: which run is better, by how much, and is it significant?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cranfield.cli.comparing import baselines, different_judgments, equivalence, measures, save, testing
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, load_or_evaluate, reading
from cranfield.cli.options import Command, Whole, require_one_standard_input
from cranfield.cli.output import Printing, WorstChoices, printing_scores, show, worst

if TYPE_CHECKING:
    from cranfield.comparing.differences import TestChoices


@click.command(cls=Command)
@click.argument("files", metavar="QRELS RUN RUN...", nargs=-1, required=True)
@measures
@baselines
@click.option("--all-pairs", is_flag=True, help="Compare every two runs.")
@click.option(
    "--standardise",
    "--standardize",
    is_flag=True,
    help="Standardise each query's scores over all runs (z-scores) before comparing.",
)
@click.option(
    "--movers",
    type=Whole(0),
    metavar="N",
    help="Queries that gained most and lost most, N of each. [default: 5 in table and markdown, else 0]",
)
@worst
@click.option("--queries", metavar="FILE", help="Query file: id, text and any columns to slice by.")
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="Compare in slices too, by a column of --queries, or by `words`, the length of the query. May be repeated.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Also check whether the conclusion holds with other measures, ties, thresholds, queries and tests.",
)
@equivalence
@click.option(
    "--agreement", is_flag=True, help="Also report the rank correlation (Kendall's tau) of runs between measures."
)
@click.option(
    "--latency",
    is_flag=True,
    help="Show latencies of runs made by `cranfield retrieve` in every format. Without this, only table, markdown and "
    "json show them.",
)
@click.option("--plot", "figure", metavar="FILE", help="Draw the differences with their intervals: .svg, .pdf or .png.")
@save
@different_judgments
@testing
@evaluation
@printing_scores("markdown", "latex")
@reading
def compare(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    standardise: bool,
    movers: int | None,
    worst: WorstChoices,
    queries: str | None,
    by: tuple[str, ...],
    sensitivity: bool,
    equivalence: float | None,
    agreement: bool,
    latency: bool,
    figure: str | None,
    save: str | None,
    allow_different_judgments: bool,
    testing: TestChoices,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compare runs: which is better, by how much, and is the difference significant?

    \b
        cranfield compare qrels.txt bm25.run dense.run
        cranfield compare qrels.txt *.run --baseline bm25 -m nDCG@10 -m AP
        cranfield compare qrels.txt *.run --all-pairs --test tukey
        cranfield compare qrels.txt bm25.run dense.run --queries queries.tsv --by intent
        cranfield compare qrels.txt bm25.run dense.run --sensitivity
        cranfield compare qrels.txt bm25.run cheaper.run --equivalence 0.02
        cranfield compare qrels.txt *.run -m nDCG@10 -m AP -m RR --agreement
        cranfield compare monday.json today.json

    Runs are compared query by query with a baseline, by default the first. Results saved by `--save` may be given
    instead of judgments and runs, or after them. `cranfield compare systems` compares systems with several runs each.
    """
    from cranfield.comparing.comparison import compare as compare_runs

    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    require_one_standard_input(*files, queries)
    uses_queries = by or movers or worst.worst or (movers is None and printing.form in ("table", "markdown"))
    if queries is not None and not uses_queries:
        raise click.UsageError(f"--queries needs --by COLUMN, --movers N or --worst N with --format {printing.form}.")
    results = load_or_evaluate(files, measures, inputs, evaluation, quiet=printing.quiet)
    comparison = compare_runs(
        results,
        baseline=baselines or None,
        all_pairs=all_pairs,
        standardise=standardise,
        queries=queries,
        by=by,
        equivalence=equivalence,
        allow_different_judgments=allow_different_judgments,
        choices=testing,
    )
    if latency and comparison.latency is None:
        from cranfield import errors

        raise errors.retrieving.no_latencies(comparison.results.runs)
    if save is not None:
        from cranfield.evaluating.saved_scores import save as save_results

        save_results(comparison.results, save)
    if figure is not None:
        from cranfield.figures.images import save as save_figure

        save_figure(comparison.plot(), figure)
    digits = printing.digits(comparison.results)
    if printing.percent and standardise:
        raise click.UsageError("--percent multiplies scores, and --standardise compares deviations; choose one.")
    comparison = replace(comparison, digits=digits, paper=printing.paper)
    answer = replace(
        comparison,
        mover_count=movers,
        with_sensitivity=comparison.sensitivity() if sensitivity else None,
        with_agreement=comparison.agreement() if agreement else None,
        with_latency=latency,
        with_worst=worst.of(comparison.results, comparison.queries, digits),
    )
    show(answer, printing)
