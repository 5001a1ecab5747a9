"""`cranfield explain`: how one score is calculated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.choices import TieOrder
from cranfield.cli.inputs import Inputs, RankingChoices, RankingCommand, are_typed, ranking, reading, relevant
from cranfield.cli.options import Whole, choice, require_one_standard_input
from cranfield.cli.output import Printing, printing, show

if TYPE_CHECKING:
    from cranfield.explaining.explanation import Explanation, Rows
    from cranfield.measures import Measure


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


@click.command(cls=RankingCommand)
@click.argument("sources", metavar="QRELS RUN | RANKING", nargs=-1, required=True)
@click.option("--query", metavar="ID", help="The query whose score is explained, where files are given.")
@relevant
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="The measure. [default: AP]")
@click.option(
    "--rows",
    type=_Rows(),
    metavar="N|all",
    help="Lines shown of each table; tsv, csv, json and jsonl have every rank. [default: 24]",
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
    sources: tuple[str, ...],
    query: str | None,
    relevant: tuple[int, ...],
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
        cranfield explain "1 0 1 1" -m AP
        cranfield explain "3 2 3 0 0 1" -m 'DCG(discount=jk)' --places 2
        cranfield explain "Y N N Y" --relevant 10 -m R@3

    A ranking may be typed instead of files: one grade per rank, as `cranfield score --help` shows. Measures that are a
    sum are explained term by term, whatever their parameters; for others the ranking, the formula and the value are
    shown.
    """
    from cranfield.measures import parse

    if len(measures) > 1:
        raise click.UsageError("One measure is explained at a time; give -m once.")
    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    measure = parse(measures[0] if measures else "AP")
    if are_typed(sources):
        if query is not None:
            raise click.UsageError("--query works with files only, and a ranking was typed.")
        inputs.require_files()
        explanation = _of_ranking(sources, measure, relevant, rows, ranking)
    else:
        if relevant:
            raise click.UsageError(
                "--relevant is for a ranking that is typed; with files, the judgments show what is relevant."
            )
        explanation = _of_files(sources, measure, query, rows, ties, ranking, inputs)
    if figure is not None:
        from cranfield.figures.images import save

        save(explanation.plot(), figure)
    show(explanation, printing)


def _of_ranking(
    texts: tuple[str, ...], measure: Measure, relevant: tuple[int, ...], rows: Rows | None, ranking: RankingChoices
) -> Explanation:
    """How the score of a ranking is calculated that was typed."""
    from cranfield.explaining.explanation import explain_typed
    from cranfield.notation import several

    ranking.require_files()
    read = several(texts, relevant=relevant or None, rel=1 if ranking.rel is None else ranking.rel)
    if len(read) > 1:
        raise click.UsageError("One ranking is explained at a time; give one, in quotes.")
    return explain_typed(read, 1, measure, rows=rows, **ranking.chosen())


def _of_files(
    sources: tuple[str, ...],
    measure: Measure,
    query: str | None,
    rows: Rows | None,
    ties: TieOrder,
    ranking: RankingChoices,
    inputs: Inputs,
) -> Explanation:
    """How the score of a query is calculated from files."""
    from cranfield.evaluating.evaluation import groups_of
    from cranfield.explaining import explain as explanation_of

    if len(sources) != 2:
        raise click.UsageError("Name judgments and a run, QRELS RUN, or type a ranking such as '1 0 1 1'.")
    if query is None:
        raise click.UsageError("Missing option '--query': the query whose score is explained.")
    judgments, run = sources
    require_one_standard_input(judgments, run)
    read = inputs.judgments(judgments, groups_of([measure]))
    return explanation_of(read, inputs.run(run), measure, query, ties=ties, rows=rows, **ranking.chosen())
