"""`cranfield clicks models`: which click model predicts clicks of held-out sessions best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.choices import ModelCriterion
from cranfield.cli.click_inputs import ClickInputs, click_reading, fitting, held_out, logs, models
from cranfield.cli.options import Command, choice, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, printing, progress, show

if TYPE_CHECKING:
    from cranfield.click_models.model import Fitting


@click.command(cls=Command)
@logs
@models
@held_out
@option(
    "--by",
    type=choice(ModelCriterion),
    default="log-likelihood",
    show_default=True,
    help="Criterion to order models.",
)
@option("--ranks", "with_ranks", is_flag=True, help="Also show the perplexity at each rank.")
@seed
@fitting
@click_reading
@printing
def clicks_models(
    logs: tuple[str, ...],
    models: tuple[str, ...],
    held_out: float | None,
    by: ModelCriterion,
    with_ranks: bool,
    seed: int,
    fitting: Fitting,
    inputs: ClickInputs,
    printing: Printing,
) -> None:
    """Compare click models by how well they predict the clicks of held-out sessions.

    \b
        cranfield clicks models clicks.csv
        cranfield clicks models clicks.csv --model PBM --model DCM --ranks
    """
    from dataclasses import replace

    from cranfield.click_models.held_out import compare_click_models

    require_one_standard_input(*logs)
    with progress(quiet=printing.quiet) as watch:
        watch.run = ", ".join(logs)
        log = inputs.log(logs)
        watch.doing, watch.run = "fitting", "click models"
        comparison = compare_click_models(log, models or None, fitting=fitting, held_out=held_out, by=by, seed=seed)
    show(replace(comparison, with_ranks=with_ranks), printing)
