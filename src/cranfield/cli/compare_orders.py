"""`cranfield compare orders`: do two sets of judgments, or two measures, rank runs in the same order?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield.cli.comparing import confidence
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, load_or_evaluate, reading
from cranfield.cli.options import Command, require_one_standard_input, seed
from cranfield.cli.output import Printing, printing, show

if TYPE_CHECKING:
    from cranfield.evaluating.scores import Scores


@click.command("compare orders", cls=Command)
@click.argument("first", metavar="QRELS")
@click.argument("second", metavar="QRELS")
@click.argument("runs", metavar="RUN RUN...", nargs=-1)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: all that both results have; of judgments and runs nDCG@10 AP RR]",
)
@click.option(
    "--other-measure",
    "other_measures",
    multiple=True,
    metavar="NAME",
    help="The measure by which the second order is made, if it is another one; as often as -m.",
)
@confidence
@seed
@evaluation
@printing
@reading
def compare_orders(
    first: str,
    second: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    other_measures: tuple[str, ...],
    confidence: float,
    seed: int,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compare how two sets of judgments, or two measures, rank the same runs: Kendall's tau and other coefficients.

    \b
        cranfield compare orders experts.txt clicks.txt *.run
        cranfield compare orders experts.txt clicks.txt *.run -m nDCG@10 --other-measure AP
        cranfield compare orders experts.json clicks.json

    Each of the two QRELS may be a file saved by `--save` instead; RUNs are scored by those that are judgments. For the
    order of runs by several measures of one set of judgments, use `cranfield compare --agreement`. `cranfield tau` is
    the same command.
    """
    from cranfield.comparing.order_agreement import order_agreement

    require_one_standard_input(first, second, *runs)
    if len(other_measures) not in (0, len(measures)):
        raise click.UsageError("--other-measure is the measure of the second order; give it as often as -m.")

    one = _scores(first, runs, measures, inputs, evaluation, quiet=printing.quiet)
    two = _scores(second, runs, other_measures or measures, inputs, evaluation, quiet=printing.quiet)
    if runs and one.detail is None and two.detail is None:
        raise click.UsageError(f"{first} and {second} are saved results, whose runs are scored already; give no runs.")
    agreement = order_agreement(
        one,
        two,
        confidence=confidence,
        seed=seed,
        measures=measures if other_measures else None,
        other_measures=other_measures or None,
    )
    show(agreement, printing)


def _scores(
    path: str, runs: Sequence[str], names: Sequence[str], inputs: Inputs, evaluation: EvaluationChoices, *, quiet: bool
) -> Scores:
    """Saved results, or the scores of runs by judgments."""
    from cranfield.formats.sniff import is_results

    is_saved = path != "-" and is_results(path)
    if not is_saved and len(runs) < 2:
        inputs.judgments(path)  # a file that is missing, or no judgments, is told first
        raise click.UsageError(
            f"{path} holds judgments; name at least two runs after the two sets of judgments, or two files saved by "
            "`--save`."
        )
    # With runs there is something to score, by the other judgments.
    choices = EvaluationChoices() if is_saved and runs else evaluation
    (scores,) = load_or_evaluate([path, *([] if is_saved else runs)], names, inputs, choices, quiet=quiet)
    return scores
