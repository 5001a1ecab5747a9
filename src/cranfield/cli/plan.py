"""`cranfield plan`: what can these queries show, and how many does a difference need?"""

from __future__ import annotations

import click

from cranfield.cli.comparing import baselines, measures
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, load_or_evaluate, reading
from cranfield.cli.options import Command, Real, Whole, require_one_standard_input, seed
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("files", metavar="[QRELS RUN RUN... | RESULTS...]", nargs=-1)
@click.option(
    "--difference",
    type=Real(0, min_open=True),
    metavar="SIZE",
    help="Smallest difference that matters: how many queries does it need?",
)
@click.option(
    "--power",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="Statistical power.",
)
@click.option(
    "--alpha",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Significance level (false-positive rate).",
)
@click.option(
    "--deviation",
    type=Real(0, min_open=True),
    metavar="SIZE",
    help="Standard deviation of differences over queries, if there are no runs yet; 0.2 to 0.3 is usual.",
)
@measures
@baselines
@click.option("--all-pairs", is_flag=True, help="Plan for every pair of runs.")
@click.option(
    "--comparisons",
    type=Whole(),
    metavar="N",
    help="Number of comparisons to divide alpha by. [default: all that are made]",
)
@seed
@evaluation
@printing
@reading
def plan(
    files: tuple[str, ...],
    difference: float | None,
    power: float,
    alpha: float,
    deviation: float | None,
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    comparisons: int | None,
    seed: int,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Estimate how many queries a difference needs, and which difference your queries can detect.

    \b
        cranfield plan qrels.txt bm25.run dense.run
        cranfield plan qrels.txt bm25.run dense.run --difference 0.02
        cranfield plan saved.json --difference 0.02 --power 0.9
        cranfield plan --deviation 0.25 --difference 0.02

    The number of queries depends on how much the differences between two systems vary from query to query, which is
    estimated from your runs. Results saved by `--save` may be given instead of judgments and runs. For the number of
    labels, see `cranfield pool plan` and, where people correct a model, `cranfield correct plan`.
    """
    from cranfield.comparing.planning import plan as design

    require_one_standard_input(*files)
    results = load_or_evaluate(files, measures, inputs, evaluation, quiet=printing.quiet)
    show(
        design(
            results if files else None,
            difference=difference,
            deviation=deviation,
            power=power,
            alpha=alpha,
            baseline=baselines or None,
            all_pairs=all_pairs,
            comparisons=comparisons,
            seed=seed,
        ),
        printing,
    )
