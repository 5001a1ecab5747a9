"""`cranfield pool plan`: how many labels a difference between runs needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.choices import PlanStrategy
from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import Command, Real, Whole, choice, option
from cranfield.cli.output import Printing, printing, show
from cranfield.cli.pool_inputs import judged, level, measure, measure_at, pooled, pooled_runs, strata

if TYPE_CHECKING:
    from cranfield.pooling.label_plan import LabelPlan
    from cranfield.pooling.sampling_plan import SamplePlan


@click.command(cls=Command)
@pooled_runs
@judged
@option("--width", type=Real(0), metavar="W", required=True, help="How wide the range of a difference may be.")
@option(
    "--strategy",
    type=choice(PlanStrategy),
    default="comparison",
    show_default=True,
    help="Judge first what could change the comparison most, until unjudged documents can move a difference by no more "
    "than the width; or draw a sample, until its interval is no wider.",
)
@measure
@level
@option("--depth", type=Whole(), metavar="K", help="Pool the top K documents of each run. [default: 100]")
@strata
@reading
@printing
def pool_plan(
    runs: tuple[str, ...],
    judgments: str,
    width: float,
    strategy: PlanStrategy,
    measure: str | None,
    rel: float | None,
    depth: int | None,
    strata: str | None,
    inputs: Inputs,
    printing: Printing,
) -> None:
    """Estimate how many labels it takes to know a difference between runs closely enough.

    \b
        cranfield pool plan *.run --judgments qrels.txt --width 0.05
        cranfield pool plan *.run --judgments qrels.txt --width 0.05 --strategy sample --strata 5:0.5,30:0.1

    With --strategy sample the measure must be a sum over documents, such as P@10, the default.
    """
    from cranfield.pooling.choosing import DEEP
    from cranfield.pooling.label_plan import labels_needed
    from cranfield.pooling.sampling_plan import DEFAULT_SUM, sample_size

    if strategy == "sample" and depth is not None:
        raise click.UsageError("--depth has no effect on a sample: its --strata say how deep it goes.")
    if strategy != "sample" and strata is not None:
        raise click.UsageError("--strata needs --strategy sample.")
    with pooled(runs, judgments, inputs, quiet=printing.quiet) as (sources, known):
        plan: LabelPlan | SamplePlan
        if strategy == "sample":
            plan = sample_size(sources, known, width, measure_at(measure, rel, DEFAULT_SUM), strata=strata)
        else:
            plan = labels_needed(sources, known, width, measure_at(measure, rel), depth=depth or DEEP)
    show(plan, printing)
