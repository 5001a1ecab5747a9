"""`cranfield compare orders`: do two sets of judgments rank runs in the same order?"""

from __future__ import annotations

import click

from cranfield.cli.comparing import confidence
from cranfield.cli.options import Command, seed
from cranfield.cli.output import Printing, printing, show


@click.command("compare orders", cls=Command)
@click.argument("first", metavar="RESULTS")
@click.argument("second", metavar="RESULTS")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: all that both results have]",
)
@confidence
@seed
@printing
def compare_orders(
    first: str, second: str, measures: tuple[str, ...], confidence: float, seed: int, printing: Printing
) -> None:
    """Compare how two sets of judgments order the same runs.

    \b
        cranfield evaluate qrels.txt *.run --save experts.json
        cranfield evaluate clicks.txt *.run --save clicks.json
        cranfield compare orders experts.json clicks.json

    RESULTS are files saved by `--save`. Runs and measures that both have are compared by Kendall's tau and other
    coefficients. For the order of runs by several measures, use `cranfield compare --agreement`.
    """
    from cranfield.comparing.order_agreement import order_agreement
    from cranfield.evaluating.saved_scores import load

    results = [load(path) for path in (first, second)]
    one, two = [part.with_measures(measures) for part in results] if measures else results
    show(order_agreement(one, two, confidence=confidence, seed=seed), printing)
