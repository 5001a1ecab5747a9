"""`cranfield why`: one measure under every profile, and which choice makes the difference."""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, RankingChoices, only_queries, ranking, reading
from cranfield.cli.options import Command, require_one_standard_input
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="The measure. [default: nDCG@10]")
@ranking
@only_queries
@printing
@reading
def why(
    judgments: str,
    run: str,
    measures: tuple[str, ...],
    ranking: RankingChoices,
    only_queries: str | None,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compute a measure as other tools do, and show which setting makes the difference.

    \b
        cranfield why qrels.txt bm25.run -m nDCG@10
        cranfield why qrels.txt bm25.run -m AP --format markdown

    Each row is a profile: a named set of choices that gives another tool's numbers. `cranfield evaluate
    --profile NAME` makes the same choices.
    """
    from cranfield.evaluating.evaluation import groups_of
    from cranfield.evaluating.profile_differences import why as differences
    from cranfield.measures import parse

    if len(measures) > 1:
        raise click.UsageError("One measure is explained at a time; give -m once.")
    require_one_standard_input(judgments, run)
    measure = measures[0] if measures else "nDCG@10"
    read = inputs.judgments(judgments, groups_of([parse(measure)]))
    show(differences(read, inputs.run(run), measure, only_queries=only_queries, **ranking.chosen()), printing)
