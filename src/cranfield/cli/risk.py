"""`cranfield risk`: what runs gain and lose against a baseline."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Real
from cranfield.cli.output import chosen_format, echo_json, echo_table, echo_warnings, printing_options
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.risk_sensitivity import Risk


@click.command()
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--baseline",
    metavar="RUN",
    required=True,
    help="What to compare with: one of the runs, by name or path, or the path of another one.",
)
@click.option(
    "--alpha",
    type=Real(0, 1e9),
    default=1.0,
    show_default=True,
    help="How much more a loss weighs than a gain; with 0 both weigh the same.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: nDCG@10 AP]",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print what each query adds to URisk.")
@ranking_options
@printing_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def risk(
    judgments: str,
    runs: tuple[str, ...],
    baseline: str,
    alpha: float,
    measures: tuple[str, ...],
    per_query: bool,
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
    """Weigh what runs gain over a baseline against what they lose.

    \b
        cranfield risk qrels.txt bm25.run dense.run hybrid.run --baseline bm25
        cranfield risk qrels.txt hybrid.run --baseline bm25.run -m nDCG@10 --alpha 5 -q

    URisk is the mean gain with losses counted 1 + alpha times, TRisk the same in standard errors, GeoRisk a
    mean and a risk against all runs together in one number.
    """
    from cranfield.evaluating import evaluate
    from cranfield.measures import parse_all
    from cranfield.risk_sensitivity import risk as risk_of

    if (judgments, *runs, baseline).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    asked = parse_all(measures or ("nDCG@10", "AP"), rel=rel)
    inputs = Inputs(judgments_format, run_format, columns)
    read = [inputs.run(path) for path in runs]
    names = [run.name for run in read]
    at = runs.index(baseline) if baseline in runs else names.index(baseline) if baseline in names else len(runs)
    if at == len(runs):
        _must_be_there(baseline, names)
        read.append(inputs.run(baseline))
    with progress(quiet=quiet) as watch:
        scores = evaluate(
            inputs.judgments(judgments),
            [watch.watched(run) for run in read],
            asked,
            depth=depth,
            judged_only=judged_only,
            rel=rel,
        )
    _echo(risk_of(scores, scores.runs[at], alpha=alpha), chosen_format(form), per_query, places, quiet)


def _must_be_there(baseline: str, names: list[str]) -> None:
    """A baseline that is no file may be the name of a run, misspelt."""
    from difflib import get_close_matches

    from cranfield import errors
    from cranfield.formats.source import is_there

    near = get_close_matches(baseline, names)
    if near and baseline != "-" and not is_there(baseline):
        raise errors.DataError([errors.files.no_such_file(baseline, near)])


def _echo(found: Risk, form: str, per_query: bool, places: int, quiet: bool) -> None:
    if form == "json":
        echo_json(found.to_dict(per_query=per_query))
    elif form in ("tsv", "csv", "jsonl"):
        from cranfield.risk_tables import long_table

        echo_table(long_table(found, per_query=per_query), form, places)
    else:
        if per_query:
            echo_table(found.per_query(), form, places)
            click.echo()
        table = found.table()
        echo_table(replace(table, notes=found.notes) if quiet else table, form, places)
    # A table shows its warnings below itself; other formats may go where nobody reads them.
    echo_warnings(found.scores.warnings, quiet=quiet or form == "table")
