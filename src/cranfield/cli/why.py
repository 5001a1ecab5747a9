"""`cranfield why`: one measure under every profile, and which choice makes the difference."""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Whole
from cranfield.cli.output import chosen_format, echo_json, echo_table


@click.command()
@click.argument("judgments", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="The measure. [default: nDCG@10]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "tsv", "csv", "json", "markdown", "latex"]),
    help="How to print. [default: table on a terminal, tsv in a pipe]",
)
@click.option("--places", type=Whole(0, 17), default=4, show_default=True, help="Decimals shown.")
@ranking_options
@reading_options
def why(
    judgments: str,
    run: str,
    measures: tuple[str, ...],
    form: str | None,
    places: int,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
) -> None:
    """Compute a measure as other tools do, and say what makes the difference.

    \b
        cranfield why qrels.txt bm25.run -m nDCG@10
        cranfield why qrels.txt bm25.run -m AP --format markdown

    Each row is a profile: a named set of choices that gives another tool's numbers. The same choices are made for
    an evaluation by `cranfield evaluate --profile NAME`.
    """
    from cranfield.evaluating import groups_of
    from cranfield.measures import parse
    from cranfield.profile_differences import why as why_of

    if len(measures) > 1:
        raise click.UsageError("One measure is explained at a time; give -m once.")
    if judgments == run == "-":
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    measure = measures[0] if measures else "nDCG@10"
    inputs = Inputs(judgments_format, run_format, columns)
    read = inputs.judgments(judgments, groups_of([parse(measure)]))
    found = why_of(read, inputs.run(run), measure, depth=depth, judged_only=judged_only, rel=rel)
    shown = chosen_format(form)
    if shown == "json":
        echo_json(found.to_dict())
    else:
        echo_table(found.table() if shown == "table" else found.long_table(), shown, places)
