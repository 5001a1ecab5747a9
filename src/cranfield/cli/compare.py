"""`cranfield compare`: which run is better, by how much, and is it real?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.comparing import comparing_options, given_results
from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.output import chosen_format, echo_json, echo_sections, echo_table, printing_options

if TYPE_CHECKING:
    from cranfield.compare.comparison import Comparison
    from cranfield.compare.sensitivity import Sensitivity

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR")


@click.command()
@click.argument("files", metavar="QRELS RUN RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The verdict is about the first. [default: nDCG@10 AP RR]",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    help="What to compare with, by name; may be repeated. [default: the first run]",
)
@click.option("--all-pairs", is_flag=True, help="Compare every two runs.")
@comparing_options
@click.option(
    "--movers", type=click.IntRange(min=0), default=5, show_default=True, help="Queries shown that moved most."
)
@click.option(
    "--queries",
    metavar="FILE",
    help="What is known of queries: a table with their ids, texts and other columns.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="Compare in slices too, by a column of --queries; `words` counts those of the text. May be repeated.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Also: does the conclusion hold with other measures, ties, thresholds, queries and tests?",
)
@click.option("--save", metavar="FILE", help="Keep every query's scores in a file, to compare with later.")
@click.option(
    "--allow-different-judgments",
    is_flag=True,
    help="Compare saved results of different judgments on the queries they share.",
)
@ranking_options
@printing_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def compare(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    test: str,
    correction: str,
    interval: str,
    confidence: float,
    tie: float,
    resamples: int,
    seed: int,
    movers: int,
    queries: str | None,
    by: tuple[str, ...],
    sensitivity: bool,
    save: str | None,
    allow_different_judgments: bool,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    form: str | None,
    places: int,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Compare runs: how far apart are they, and is that real?

    \b
        cranfield compare qrels.txt bm25.run dense.run
        cranfield compare qrels.txt *.run --baseline bm25 -m nDCG@10 -m AP
        cranfield compare qrels.txt *.run --all-pairs --test tukey
        cranfield compare qrels.txt bm25.run dense.run --queries queries.tsv --by intent
        cranfield compare qrels.txt bm25.run dense.run --sensitivity
        cranfield compare monday.json today.json

    Runs are compared query by query with a baseline, by default the first. Results that `--save` kept may stand in
    place of judgments and runs, or beside them.
    """
    from cranfield.compare.comparison import compare as compare_all

    inputs = Inputs(judgments_format, run_format, columns)
    if (*files, queries).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    given = given_results(files, measures, inputs, rel, depth, judged_only, quiet, least=2, usual=DEFAULT_MEASURES)
    comparison = compare_all(
        given,
        baseline=baselines or None,
        all_pairs=all_pairs,
        test=test,  # type: ignore[arg-type]  # click has checked the choices
        correction=correction,  # type: ignore[arg-type]
        interval=interval,  # type: ignore[arg-type]
        confidence=confidence,
        tie=tie,
        resamples=resamples,
        seed=seed,
        queries=queries,
        by=by,
        allow_different_judgments=allow_different_judgments,
    )
    if save is not None:
        from cranfield.results import save as save_results

        save_results(comparison.results, save)
    _echo(comparison, comparison.sensitivity() if sensitivity else None, chosen_format(form), places, movers, quiet)


def _echo(comparison: Comparison, varied: Sensitivity | None, form: str, places: int, movers: int, quiet: bool) -> None:
    from cranfield.compare import slice_words, words

    if form == "json":
        echo_json({**comparison.to_dict(), **({"sensitivity": varied.to_dict()} if varied else {})})
    elif form in ("tsv", "csv", "jsonl"):
        from cranfield.compare import sensitivity_words

        echo_table(sensitivity_words.long_table(varied) if varied else words.long_table(comparison), form, places)
    elif form == "latex":
        click.echo(words.latex(comparison, places), nl=False)
        for slicing in comparison.slicings:
            click.echo()
            echo_table(slice_words.table(comparison, slicing), form, places)
        if varied:
            click.echo()
            echo_table(varied.table(), form, places)
    else:
        parts = words.sections(comparison, places, movers)
        if varied:
            parts += [varied.verdict(), varied.table()]
        echo_sections(parts, form, places)
    if form not in ("table", "markdown") and not quiet:
        for warning in comparison.results.warnings:
            click.echo(f"warning: {warning}", err=True)
