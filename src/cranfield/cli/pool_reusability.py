"""`cranfield pool reusability`: are the judgments fair to a run that had no part in the pool?"""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import Command, Whole, option
from cranfield.cli.output import Printing, printing, show
from cranfield.cli.pool_inputs import judged, level, measure, measure_at, pooled, pooled_runs


@click.command(cls=Command)
@pooled_runs
@judged
@measure
@level
@option(
    "--depth", type=Whole(), metavar="K", default=10, show_default=True, help="Pool the top K documents of each run."
)
@option(
    "--group",
    "groups",
    multiple=True,
    metavar="TEAM=RUN,RUN",
    help="Runs that are left out together; may be repeated.",
)
@reading
@printing
def pool_reusability(
    runs: tuple[str, ...],
    judgments: str,
    measure: str | None,
    rel: float | None,
    depth: int,
    groups: tuple[str, ...],
    inputs: Inputs,
    printing: Printing,
) -> None:
    """What each run would score if the documents that only it found were not judged.

    \b
        cranfield pool reusability *.run --judgments qrels.txt
        cranfield pool reusability *.run --judgments qrels.txt --group city=bm25,title

    This is the leave-one-out test of a pool (Zobel, SIGIR 1998): large changes mean that the judgments are not fair to
    a new run.
    """
    from cranfield.pooling.reuse import read_groups, reusability

    teams = read_groups(groups)
    with pooled(runs, judgments, inputs, quiet=printing.quiet) as (sources, known):
        answer = reusability(sources, known, measure_at(measure, rel), groups=teams, rel=rel, depth=depth)
    show(answer, printing)
