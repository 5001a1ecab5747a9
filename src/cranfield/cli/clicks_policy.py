"""`cranfield clicks policy`: what another policy would have earned."""

from __future__ import annotations

import click

from cranfield.cli.click_inputs import ClickInputs, click_reading, logs
from cranfield.cli.options import Command, Real, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, printing, progress, require_form, show, write


@click.command(cls=Command)
@logs
@option(
    "--policy",
    metavar="POLICY",
    default="uniform",
    show_default=True,
    help="uniform, a table of document and probability, or a run, whose first document is always shown.",
)
@option("--clip", type=Real(0, min_open=True), metavar="N", help="Limit weights to at most N.")
@option("-o", "--output", metavar="FILE", help="Also write the estimates: .csv, .tsv, .json, .jsonl, .md or .tex.")
@seed
@click_reading
@printing
def clicks_policy(
    logs: tuple[str, ...],
    policy: str,
    clip: float | None,
    output: str | None,
    seed: int,
    inputs: ClickInputs,
    printing: Printing,
) -> None:
    """Estimate the clicks that another policy would have earned, by inverse propensity (IPS and SNIPS).

    \b
        cranfield clicks policy bandit.csv
        cranfield clicks policy bandit.csv --policy policy.csv --clip 10

    The log has a column with the probability of everything that was shown.
    """
    from cranfield.click_models.counterfactual import policy_value

    require_one_standard_input(*logs, policy)
    require_form(output)
    with progress(quiet=printing.quiet) as watch:
        watch.run = ", ".join(logs)
        value = policy_value(inputs.log(logs), policy, clip=clip, seed=seed)
    if output is not None:
        write(value, output, printing)
    show(value, printing)
