"""`cranfield similarity`: how alike runs are, pair by pair, without judgments."""

from __future__ import annotations

import click

from cranfield.choices import RboTies
from cranfield.cli.inputs import Inputs, run_reading
from cranfield.cli.options import Command, Real, Whole, choice, require_one_standard_input
from cranfield.cli.output import Printing, printing, progress, show


@click.command(cls=Command)
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True)
@click.option("-k", type=Whole(), default=10, show_default=True, help="Cutoff of overlap@k and Jaccard@k.")
@click.option(
    "-p",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="Persistence of rank-biased overlap: the probability of going on to the next rank; higher values look deeper.",
)
@click.option(
    "--rbo-ties",
    type=choice(RboTies),
    default="b",
    show_default=True,
    help="How rank-biased overlap treats tied scores: the mean over all orders (a), the same corrected so that a run "
    "is identical to itself (b), or all at the first of their ranks (w).",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print every query.")
@printing
@run_reading
def similarity(
    runs: tuple[str, ...],
    k: int,
    p: float,
    rbo_ties: RboTies,
    per_query: bool,
    inputs: Inputs,
    printing: Printing,
) -> None:
    """Compare runs with each other, without judgments: what their rankings share.

    \b
        cranfield similarity bm25.run dense.run
        cranfield similarity *.run -k 20 -p 0.95 --format markdown

    RBO is rank-biased overlap (Webber et al. 2010), from 0, nothing shared, to 1, the same ranking. It is extrapolated
    from the ranks seen; documents further down could make it as low as min and as high as min + residual. overlap@k is
    the share of documents that the first k ranks have in common, Jaccard@k that of all documents in either. A query
    that only one of two runs answered counts as 0.
    """
    from dataclasses import replace

    from cranfield.run_similarity import similarity as compare

    require_one_standard_input(*runs)
    with progress(quiet=printing.quiet) as watch:
        alike = compare([watch.watched(run) for run in inputs.runs(runs)], k=k, p=p, ties=rbo_ties)
    show(replace(alike, with_queries=per_query), printing)
