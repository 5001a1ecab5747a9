"""`cranfield clicks estimate`: what clicks say of other rankings, without position bias."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.choices import Duplicates
from cranfield.cli.click_inputs import ClickInputs, click_reading, fitting, logs
from cranfield.cli.inputs import duplicates
from cranfield.cli.options import Command, Real, numbers, option, require_one_standard_input
from cranfield.cli.output import Printing, printing, progress, require_form, show, write

if TYPE_CHECKING:
    from cranfield.click_models.model import Fitting


@click.command(cls=Command)
@logs
@option("--run", "runs", multiple=True, required=True, metavar="RUN", help="A ranking to score; may be repeated.")
@option(
    "-m",
    "--measure",
    metavar="NAME",
    default="DCG@10",
    show_default=True,
    help="What to estimate: DCG@10, P@5, CTR@3 or another cutoff.",
)
@option(
    "--propensities",
    metavar="HOW",
    default="PBM",
    show_default=True,
    help="Examination probability of each rank: learnt by PBM, from the log (log), or numbers by rank.",
)
@option("--clip", type=Real(0, min_open=True), metavar="N", help="Use N for propensities below N.")
@option("-o", "--output", metavar="FILE", help="Also write the scores: .csv, .tsv, .json, .jsonl, .md or .tex.")
@fitting
@click_reading
@duplicates
@printing
def clicks_estimate(
    logs: tuple[str, ...],
    runs: tuple[str, ...],
    measure: str,
    propensities: str,
    clip: float | None,
    output: str | None,
    fitting: Fitting,
    inputs: ClickInputs,
    duplicates: Duplicates | None,
    printing: Printing,
) -> None:
    """Score runs from the clicks on other rankings, weighted by inverse propensity to remove position bias.

    \b
        cranfield clicks estimate clicks.csv --run new.run
        cranfield clicks estimate clicks.csv --run bm25.run --run hybrid.run -m P@5
    """
    from cranfield.click_models.counterfactual import unbiased_scores

    require_one_standard_input(*logs, *runs)
    require_form(output)
    named = propensities.casefold() in ("pbm", "log")
    with progress(quiet=printing.quiet) as watch:
        watch.run = ", ".join(logs)
        log = inputs.log(logs)
        watch.doing, watch.run = "fitting", "click models"
        scores = unbiased_scores(
            log,
            list(runs),
            measure,
            propensities=propensities if named else numbers(propensities, "--propensities"),
            clip=clip,
            fitting=fitting,
            duplicates=duplicates,
        )
    if output is not None:
        write(scores, output, printing)
    show(scores, printing)
