"""`cranfield compare`: which run is better, by how much, and is it real?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.output import chosen_format, echo_json, echo_table, printing_options
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.compare.comparison import Comparison
    from cranfield.evaluate import Scores
    from cranfield.results import Results
    from cranfield.table import Table

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
@click.option(
    "--test",
    type=click.Choice(["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"]),
    default="randomization",
    show_default=True,
    help="What p comes from; tukey allows for all pairs by itself.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bonferroni", "benjamini-hochberg", "none"]),
    default="holm",
    show_default=True,
    help="How p allows for the number of comparisons under one measure.",
)
@click.option(
    "--interval",
    type=click.Choice(["t", "bca"]),
    default="t",
    show_default=True,
    help="Intervals from Student's t or from the bootstrap.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of intervals; 1 less this is what p is compared with.",
)
@click.option(
    "--tie",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    metavar="DIFFERENCE",
    help="Scores of a query that differ by no more than this are equal.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="Random patterns of a test that cannot count all.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins; the same gives the same.")
@click.option(
    "--movers", type=click.IntRange(min=0), default=5, show_default=True, help="Queries shown that moved most."
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
        cranfield compare monday.json today.json

    Runs are compared query by query with a baseline, by default the first. Results that `--save` kept may stand in
    place of judgments and runs, or beside them.
    """
    from cranfield.compare.comparison import compare as compare_all

    inputs = Inputs(judgments_format, run_format, columns)
    given = _given(files, measures, inputs, rel, depth, judged_only, quiet)
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
        allow_different_judgments=allow_different_judgments,
    )
    if save is not None:
        from cranfield.results import save as save_results

        save_results(comparison.results, save)
    _echo(comparison, chosen_format(form), places, movers, quiet)


def _given(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    inputs: Inputs,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    quiet: bool,
) -> list[Scores | Results]:
    """Results that were kept, and scores of the runs beside judgments, in the order they were named."""
    from cranfield.evaluate import evaluate
    from cranfield.measures import parse_all
    from cranfield.results import is_results, load

    if files.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    kept = [path for path in files if path != "-" and is_results(path)]
    paths = [path for path in files if path not in kept]
    given: list[Scores | Results] = [load(path) for path in kept]
    if not paths:
        return given
    judgments, *runs = paths
    if not runs:
        what = "Only judgments were given" if not kept else f"Beside the saved results there is only {judgments}"
        raise click.UsageError(f"{what}; name judgments and at least {2 if not kept else 1} run.")
    # Before anything is read: a typo should not cost minutes.
    named = [str(measure) for measure in given[0].measures] if given and not measures else measures
    asked = parse_all(tuple(named) or DEFAULT_MEASURES, rel=rel)
    with progress(quiet=quiet) as watch:
        scores = evaluate(
            inputs.judgments(judgments),
            [watch.watched(inputs.run(run)) for run in runs],
            asked,
            depth=depth,
            judged_only=judged_only,
            rel=rel,
        )
    return [scores, *given] if files.index(judgments) == 0 else [*given, scores]


def _echo(comparison: Comparison, form: str, places: int, movers: int, quiet: bool) -> None:
    from cranfield.compare import words

    if form == "json":
        echo_json(comparison.to_dict())
    elif form in ("tsv", "csv", "jsonl"):
        echo_table(words.long_table(comparison), form, places)
    elif form == "latex":
        click.echo(words.latex(comparison, places), nl=False)
    else:
        click.echo(comparison.verdict(places))
        tables: list[Table] = [words.table(comparison)]
        if len(comparison.results.runs) > 2:
            tables.append(words.standings(comparison))
        if movers:
            tables.append(words.movers(comparison, movers))
        for table in tables:
            click.echo()
            echo_table(table, form, places)
    if form not in ("table", "markdown") and not quiet:
        for warning in comparison.warnings:
            click.echo(f"warning: {warning}", err=True)
