"""`cranfield explain`: how one number arises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Whole
from cranfield.cli.output import echo_json

if TYPE_CHECKING:
    from cranfield.explaining.explanation import Rows


@click.command()
@click.argument("judgments", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("--query", required=True, metavar="ID", help="The query whose score is explained.")
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="The measure. [default: AP]")
@click.option("--rows", metavar="N|all", help="Lines shown of each table. [default: 24]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="How to print; JSON holds every rank and full precision.",
)
@click.option(
    "--plot",
    "figure",
    metavar="FILE",
    help="Also draw precision over recall, rank by rank and interpolated: .svg, .pdf or .png.",
)
@ranking_options
@click.option(
    "--ties",
    type=click.Choice(["document", "document-ascending", "given"]),
    default="document",
    show_default=True,
    help="Order of equal scores: by document id (last first, or ascending), or as given.",
)
@reading_options
def explain(
    judgments: str,
    run: str,
    query: str,
    measures: tuple[str, ...],
    rows: str | None,
    form: str,
    figure: str | None,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    ties: str,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
) -> None:
    """Show how one score arises: the ranking, the precision-recall curve, and the sum term by term.

    \b
        cranfield explain qrels.txt bm25.run --query 301
        cranfield explain qrels.txt bm25.run --query 301 -m nDCG@10
        cranfield explain qrels.txt bm25.run --query 301 -m 'AP(rel=2)' --rows all

    AP, nDCG, DCG, CG, RR, SL, P, R, Rprec, F, SetP, SetR, SetF, Success, RBP and ERR are explained term by
    term, whatever their parameters; of other measures the ranking, the formula and the value are shown.
    """
    import shutil

    from cranfield.evaluating import groups_of
    from cranfield.explaining import explain as explain_one
    from cranfield.measures import parse

    if len(measures) > 1:
        raise click.UsageError("One measure is explained at a time; give -m once.")
    if judgments == run == "-":
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    measure = parse(measures[0] if measures else "AP")
    inputs = Inputs(judgments_format, run_format, columns)
    explanation = explain_one(
        inputs.judgments(judgments, groups_of([measure])),
        inputs.run(run),
        measure,
        query,
        depth=depth,
        judged_only=judged_only,
        ties=ties,  # type: ignore[arg-type]  # click has checked the choices
        rel=rel,
        rows=_rows(rows),
    )
    if figure is not None:
        from cranfield.figures.images import save

        save(explanation.plot(), figure)
    if form == "json":
        echo_json(explanation.to_dict())
    elif form == "markdown":
        click.echo(explanation.markdown(), nl=False)
    else:
        click.echo(explanation.text(shutil.get_terminal_size().columns))


def _rows(text: str | None) -> Rows | None:
    if text is None or text == "all":
        return text  # type: ignore[return-value]  # nothing, or the word itself
    try:
        return Whole().convert(text, None, None)
    except click.BadParameter as error:
        raise click.BadParameter(f"{error.message[:-1]}; or all.", param_hint="--rows") from None
