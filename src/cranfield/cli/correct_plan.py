"""`cranfield correct plan`: how many queries people have to judge for an interval that is narrow enough."""

from __future__ import annotations

import click

from cranfield.cli import comparing
from cranfield.cli.correct import baseline, files, measures, only_these_queries, scores_by_both
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, reading
from cranfield.cli.options import Command, Real, option
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@files
@option("--width", type=Real(0, min_open=True), metavar="W", required=True, help="How wide an interval may be.")
@measures
@baseline
@only_these_queries
@comparing.confidence
@evaluation
@printing
@reading
def correct_plan(
    files: tuple[str, ...],
    width: float,
    measures: tuple[str, ...],
    baseline: str | None,
    only_these_queries: bool,
    confidence: float,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """How many queries people have to judge until a corrected interval is narrow enough.

    \b
        cranfield correct plan people.txt model.txt bm25.run hybrid.run --width 0.1
        cranfield correct plan judging.db bm25.run hybrid.run --width 0.05 -m P@10

    Takes what `cranfield correct` takes: a few queries judged by people, drawn at random, show how much scores vary
    and how much of it the model explains. It also tells how many queries it takes without the model.
    """
    from cranfield.correcting.planning import plan_correction

    show(
        plan_correction(
            *scores_by_both(files, measures, evaluation, inputs, quiet=printing.quiet),
            width=width,
            baseline=baseline,
            only_these_queries=only_these_queries,
            confidence=confidence,
        ),
        printing,
    )
