"""`cranfield score`: type a ranking, see the number."""

from __future__ import annotations

import click

from cranfield.cli.inputs import EvaluationChoices, RankingCommand, relevant, typed_evaluation
from cranfield.cli.output import Printing, hint, printing, show


@click.command(cls=RankingCommand)
@click.argument("rankings", metavar="RANKING...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: SetP SetR AP RR nDCG]",
)
@relevant
@typed_evaluation
@printing
def score(
    rankings: tuple[str, ...],
    measures: tuple[str, ...],
    relevant: tuple[int, ...],
    evaluation: EvaluationChoices,
    printing: Printing,
) -> None:
    """Score rankings that you type: one grade per rank, no files needed.

    \b
        cranfield score "1 0 1 1 0" -m AP -m nDCG@5
        cranfield score 1011110001 0100111011 -m AP
        cranfield score "0 1 0 1 0 1 0 0 0 0" --relevant 15 -m P@5 -m R@5
        cranfield score "Y N N Y|+8" "+ - + -" "[3, 2, 0, 1]"

    \b
    1 0 1 1    grades, with blanks or commas between them or nothing
    Y N, R N   relevant or not; so are + and -
    [12, 0]    a list: grades of any size, null for unjudged
    1 - 0      - or ? is an unjudged document
    1 0|1 1    after | the grades of documents that were not retrieved
    1 0|+12    12 relevant documents that were not retrieved

    For several rankings, each score and the mean are shown. `cranfield explain` and `cranfield curve` take rankings in
    the same way.
    """
    from cranfield.ranking_scores import score as scores_of

    answer = scores_of(rankings, measures or None, relevant=relevant or None, **evaluation.chosen())
    show(answer, printing)
    if printing.form == "table":
        example = f"'{answer.rankings[0].text}' -m '{answer.scores.measures[0]}'"
        hint(f"How a score is calculated: cranfield explain {example}", quiet=printing.quiet)
