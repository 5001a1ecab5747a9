"""`cranfield explain`: how one score is calculated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.choices import TieOrder
from cranfield.cli.inputs import Inputs, RankingChoices, ranking, reading
from cranfield.cli.numbers import Whole
from cranfield.cli.options import Command, choice, require_one_standard_input
from cranfield.cli.output import Printing, printing, show

if TYPE_CHECKING:
    from cranfield.explaining.explanation import Rows


class _Rows(Whole):
    """A number of lines, or all."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or the word."""
        if value == "all":
            return value
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(f"{error.message[:-1]}; or all.", param, ctx)


@click.command(cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("--query", required=True, metavar="ID", help="The query whose score is explained.")
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="The measure. [default: AP]")
@click.option(
    "--rows",
    type=_Rows(),
    metavar="N|all",
    help="Lines shown of each table; rows for programs and JSON hold every rank. [default: 24]",
)
@click.option(
    "--plot",
    "figure",
    metavar="FILE",
    help="Also draw precision over recall, rank by rank and interpolated: .svg, .pdf or .png.",
)
@click.option(
    "--ties",
    type=choice(TieOrder),
    default="document",
    show_default=True,
    help="Order of documents with equal scores: by id (descending or ascending), or as given.",
)
@ranking
@printing
@reading
def explain(
    judgments: str,
    run: str,
    query: str,
    measures: tuple[str, ...],
    rows: Rows | None,
    figure: str | None,
    ties: TieOrder,
    ranking: RankingChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Show how one score is calculated: the ranking, the precision-recall curve, and the sum term by term.

    \b
        cranfield explain qrels.txt bm25.run --query 301
        cranfield explain qrels.txt bm25.run --query 301 -m nDCG@10
        cranfield explain qrels.txt bm25.run --query 301 -m 'AP(rel=2)' --rows all

    AP, nDCG, DCG, CG, RR, SL, P, R, Rprec, F, SetP, SetR, SetF, Success, RBP and ERR are explained term by
    term, whatever their parameters; of other measures the ranking, the formula and the value are shown.
    """
    from cranfield.evaluating import groups_of
    from cranfield.explaining import explain as explanation_of
    from cranfield.measures import parse

    if len(measures) > 1:
        raise click.UsageError("One measure is explained at a time; give -m once.")
    require_one_standard_input(judgments, run)
    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    measure = parse(measures[0] if measures else "AP")
    read = inputs.judgments(judgments, groups_of([measure]))
    explanation = explanation_of(read, inputs.run(run), measure, query, ties=ties, rows=rows, **ranking.chosen())
    if figure is not None:
        from cranfield.figures.images import save

        save(explanation.plot(), figure)
    show(explanation, printing)
