"""`cranfield plan`: what can these queries show, and how many does a difference need?"""

from __future__ import annotations

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import SEEDS, Real, Whole
from cranfield.cli.output import chosen_format, echo_json, echo_sections, echo_table, printing_options
from cranfield.cli.results import scored_or_kept


@click.command()
@click.argument("files", metavar="[QRELS RUN RUN... | RESULTS...]", nargs=-1)
@click.option(
    "--difference",
    type=Real(0, min_open=True),
    metavar="SIZE",
    help="The smallest difference that matters: how many queries does it need?",
)
@click.option(
    "--power",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="The chance with which a difference is to be shown.",
)
@click.option(
    "--alpha",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The chance of finding a difference where there is none.",
)
@click.option(
    "--deviation",
    type=Real(0, min_open=True),
    metavar="SIZE",
    help="How much differences vary from query to query, where there are no runs yet; 0.2 to 0.3 is usual.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The verdict is about the first. [default: nDCG@10 AP RR]",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    help="What to compare with, by name; may be repeated. [default: the first run]",
)
@click.option("--all-pairs", is_flag=True, help="Plan for every two runs.")
@click.option(
    "--comparisons",
    type=Whole(),
    metavar="N",
    help="For how many comparisons alpha is divided. [default: as many as there are]",
)
@click.option("--seed", type=Whole(0, SEEDS), default=0, show_default=True, help="Random seed.")
@ranking_options
@printing_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def plan(
    files: tuple[str, ...],
    difference: float | None,
    power: float,
    alpha: float,
    deviation: float | None,
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    comparisons: int | None,
    seed: int,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    form: str | None,
    places: int,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """How many queries does a difference need, and what can these show?

    \b
        cranfield plan qrels.txt bm25.run dense.run
        cranfield plan qrels.txt bm25.run dense.run --difference 0.02
        cranfield plan saved.json --difference 0.02 --power 0.9
        cranfield plan --deviation 0.25 --difference 0.02

    Runs tell how much the differences between two systems vary from query to query, and that decides how many queries
    it takes. Results that `--save` kept may stand in place of judgments and runs.
    """
    from cranfield.comparing.planning import plan as plan_for

    if files.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    inputs = Inputs(judgments_format, run_format, columns)
    given = scored_or_kept(files, measures, inputs, rel=rel, depth=depth, judged_only=judged_only, quiet=quiet)
    design = plan_for(
        given if files else None,
        difference=difference,
        deviation=deviation,
        power=power,
        alpha=alpha,
        baseline=baselines or None,
        all_pairs=all_pairs,
        comparisons=comparisons,
        seed=seed,
    )
    shown = chosen_format(form)
    if shown == "json":
        echo_json(design.to_dict())
    elif shown in ("table", "markdown"):
        echo_sections([design.verdict(places), design.table()], shown, places)
    elif shown == "latex":
        echo_table(design.table(), shown, places)
    else:
        echo_table(design.long_table(), shown, places)
