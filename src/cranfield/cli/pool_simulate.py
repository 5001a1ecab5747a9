"""`cranfield pool simulate`: how soon strategies find the relevant documents."""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import Command, option, seed
from cranfield.cli.output import Printing, printing, show
from cranfield.cli.pool_inputs import depth, judged, level, persistence, pooled, pooled_runs


@click.command(cls=Command)
@pooled_runs
@judged
@option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    help="A strategy to compare with depth: rrf, rbp, mtf, mm-ns, thompson; may be repeated. [default: all]",
)
@depth
@level
@persistence
@seed
@reading
@printing
def pool_simulate(
    runs: tuple[str, ...],
    judgments: str,
    strategies: tuple[str, ...],
    depth: int,
    rel: float | None,
    p: float,
    seed: int,
    inputs: Inputs,
    printing: Printing,
) -> None:
    """How soon each strategy would have found the relevant documents, replayed on complete judgments.

    \b
        cranfield pool simulate *.run --judgments qrels.txt
        cranfield pool simulate *.run --judgments qrels.txt --strategy mtf --depth 50

    The budget is shared by all queries. Documents without a judgment are left out.
    """
    from cranfield.pooling.simulation import simulate_pool

    with pooled(runs, judgments, inputs, quiet=printing.quiet) as (sources, known):
        simulation = simulate_pool(
            sources,
            known,
            strategies=["depth", *strategies] if strategies else None,
            depth=depth,
            rel=1.0 if rel is None else rel,
            p=p,
            seed=seed,
        )
    show(simulation, printing)
