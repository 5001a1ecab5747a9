"""`cranfield fuse potential`: how much fusion could gain at most."""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import Command, require_one_standard_input
from cranfield.cli.output import Printing, printing, progress, show


@click.command(cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True)
@click.option("-m", "--measure", default="nDCG@10", show_default=True, metavar="NAME", help="The measure.")
@printing
@reading
def fuse_potential(judgments: str, runs: tuple[str, ...], measure: str, printing: Printing, inputs: Inputs) -> None:
    """Show how much fusion could gain at most: what each run finds that others do not, and the best choice per query.

    \b
        cranfield fuse potential qrels.txt bm25.run dense.run
        cranfield fuse potential qrels.txt *.run -m R@100 --format json

    Both limits are chosen with the judgments. They tell when fusion is not worth trying, and promise nothing.
    """
    from cranfield.fusing.potential import fusion_potential

    require_one_standard_input(judgments, *runs)
    read = inputs.judgments(judgments)
    with progress(quiet=printing.quiet) as watch:
        potential = fusion_potential(read, [watch.watched(run) for run in inputs.runs(runs)], measure)
    show(potential, printing)
