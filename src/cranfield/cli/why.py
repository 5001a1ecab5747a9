"""`cranfield why`: one measure under every profile, and which choice makes the difference."""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, RankingChoices, only_queries, option_name, ranking, reading
from cranfield.cli.options import Command, numbers, require_one_standard_input
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="The measure. [default: nDCG@10]")
@click.option("--fuse", "fusion", metavar="METHOD", help="Fuse several runs by this method, as each tool does: rrf.")
@click.option("--norm", metavar="NAME", help="For --fuse: normalisation of scores. [default: as each tool has it]")
@click.option("--weights", metavar="W,W...", help="For --fuse: weight of each run, in their order.")
@ranking
@only_queries
@printing
@reading
def why(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    fusion: str | None,
    norm: str | None,
    weights: str | None,
    ranking: RankingChoices,
    only_queries: str | None,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compute a measure as other tools do, and show which setting makes the difference.

    \b
        cranfield why qrels.txt bm25.run -m nDCG@10
        cranfield why qrels.txt bm25.run -m AP --format markdown

    With --fuse, runs are fused as each engine and library does it, and the choice that moves the measure is named:

    \b
        cranfield why qrels.txt bm25.run dense.run --fuse rrf

    Else each row is a profile: a named set of choices that gives another tool's numbers. `cranfield evaluate
    --profile NAME` makes the same choices.
    """
    from cranfield.evaluating.evaluation import groups_of
    from cranfield.evaluating.profile_differences import why as differences
    from cranfield.measures import parse

    if len(measures) > 1:
        raise click.UsageError("One measure is explained at a time; give -m once.")
    require_one_standard_input(judgments, *runs)
    measure = measures[0] if measures else "nDCG@10"
    _require_fusion_options(runs, fusion, norm, weights, ranking)
    read = inputs.judgments(judgments, groups_of([parse(measure)]))
    if fusion is None:
        run = inputs.run(runs[0])
        show(differences(read, run, measure, only_queries=only_queries, **ranking.chosen()), printing)
        return
    from cranfield.fusing.dialect_differences import why_fusion

    shares = None if weights is None else numbers(weights, "--weights")
    show(
        why_fusion(read, inputs.runs(runs), measure, fusion, norm=norm, weights=shares, only_queries=only_queries),
        printing,
    )


def _require_fusion_options(
    runs: tuple[str, ...], fusion: str | None, norm: str | None, weights: str | None, ranking: RankingChoices
) -> None:
    """Refuse options that have no effect."""
    if fusion is None:
        if len(runs) > 1:
            raise click.UsageError("One run is explained at a time; to fuse several, add --fuse METHOD.")
        for name, value in (("--norm", norm), ("--weights", weights)):
            if value is not None:
                raise click.UsageError(f"{name} needs --fuse METHOD.")
    elif chosen := list(ranking.chosen()):
        name = option_name(chosen[0])
        raise click.UsageError(f"{name} has no effect with --fuse; fuse the runs, and give it to `cranfield evaluate`.")
