"""`cranfield correct`: scores by a model's labels, corrected by the queries that people judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield.choices import Correction
from cranfield.cli import comparing
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, reading
from cranfield.cli.options import Command, option, require_one_standard_input
from cranfield.cli.output import Printing, printing, show

if TYPE_CHECKING:
    from cranfield.data.judgments import Judgments
    from cranfield.evaluating.scores import Scores

baseline = option("--baseline", metavar="RUN", help="The run to compare with, by name. [default: the first run]")
only_these_queries = option(
    "--only-these-queries",
    is_flag=True,
    help="Estimate the means over exactly these queries, not over a larger set they are a sample of.",
)


files = click.argument("files", metavar="(QRELS MODEL_QRELS | STORE) RUN...", nargs=-1, required=True)
measures = option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The verdict is about the first. [default: nDCG@10]",
)


@click.command(cls=Command)
@files
@measures
@baseline
@only_these_queries
@comparing.confidence
@comparing.correction
@evaluation
@printing
@reading
def correct(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    baseline: str | None,
    only_these_queries: bool,
    confidence: float,
    correction: Correction,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Correct scores that come from a model's labels, with judgments of people.

    \b
        cranfield correct people.txt model.txt bm25.run hybrid.run
        cranfield correct people.txt model.txt bm25.run -m nDCG@10 -m P@10
        cranfield correct judging.db bm25.run hybrid.run

    QRELS are people's judgments of some queries, drawn at random; MODEL_QRELS are a model's labels of these queries
    and of others. A STORE of `cranfield judge` has both; queries that people judged completely count as judged by
    people. The estimate is what people's judgments of all queries would give, and its interval holds however wrong the
    model is: the better the model agrees with people, the narrower it is (prediction-powered inference). `cranfield
    correct plan` tells how many queries people have to judge.
    """
    from cranfield.correcting.correction import correct as corrected

    show(
        corrected(
            *scores_by_both(files, measures, evaluation, inputs, quiet=printing.quiet),
            baseline=baseline,
            only_these_queries=only_these_queries,
            confidence=confidence,
            correction=correction,
        ),
        printing,
    )


def scores_by_both(
    files: Sequence[str], measures: Sequence[str], evaluation: EvaluationChoices, inputs: Inputs, *, quiet: bool
) -> tuple[Scores, Scores]:
    """Scores of runs by people's judgments and by a model's."""
    require_one_standard_input(*files)
    plan = evaluation.plan(measures, ("nDCG@10",))
    both, runs = _judged(files)
    by_people, by_model = (inputs.scores(plan, judged, runs, quiet=quiet) for judged in both)
    return by_people, by_model


def _judged(files: Sequence[str]) -> tuple[Sequence[str | Judgments], Sequence[str]]:
    """People's judgments and a model's, and the paths of the runs."""
    from cranfield.formats.judging_store import judged_by_both
    from cranfield.formats.sniff import container
    from cranfield.formats.source import as_source

    source = as_source(files[0]) if files[0] != "-" else None
    from_store = source is not None and container(source) == "store"
    if len(files) < (2 if from_store else 3):
        raise click.UsageError("Name people's judgments, the model's, and at least one run; or a store and a run.")
    if source is not None and from_store:
        return judged_by_both(source), files[1:]
    return files[:2], files[2:]
