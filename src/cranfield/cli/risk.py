"""`cranfield risk`: what runs gain and lose against a baseline."""

from __future__ import annotations

from dataclasses import replace

import click

from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, reading
from cranfield.cli.options import Command, Real, require_one_standard_input
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--baseline",
    metavar="RUN",
    required=True,
    help="The run to compare with: one of the runs, by name or path, or the path of another run.",
)
@click.option(
    "--loss-weight",
    type=Real(0, 1e9),
    default=1.0,
    show_default=True,
    help="How much more a loss weighs than a gain; with 0 both weigh the same.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: nDCG@10 AP]",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print what each query adds to URisk.")
@evaluation
@printing
@reading
def risk(
    judgments: str,
    runs: tuple[str, ...],
    baseline: str,
    loss_weight: float,
    measures: tuple[str, ...],
    per_query: bool,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compare what runs gain over a baseline with what they lose.

    \b
        cranfield risk qrels.txt bm25.run dense.run hybrid.run --baseline bm25
        cranfield risk qrels.txt hybrid.run --baseline bm25.run -m nDCG@10 --loss-weight 5 -q

    URisk is the mean gain with losses counted 1 + loss weight times, TRisk the same in standard errors. GeoRisk
    combines a run's mean score with its risk against all runs, as a geometric mean.
    """
    from cranfield.risk_sensitivity import risk as risk_against

    require_one_standard_input(judgments, *runs, baseline)
    plan = evaluation.plan(measures, ("nDCG@10", "AP"))
    sources = inputs.runs(runs)
    names, paths = [run.name for run in sources], [run.path for run in sources]
    at = next((of.index(baseline) for of in (paths, names) if baseline in of), len(sources))
    if at == len(sources):
        _require_file(baseline, names)
        sources.append(inputs.run(baseline))
    scores = inputs.scores(plan, judgments, sources, quiet=printing.quiet)
    risks = risk_against(scores, scores.runs[at], loss_weight=loss_weight)
    show(replace(risks, with_queries=per_query), printing)


def _require_file(baseline: str, names: list[str]) -> None:
    """A baseline that is no file may be the name of a run, misspelt."""
    from difflib import get_close_matches

    from cranfield import errors
    from cranfield.formats.source import is_there

    near = get_close_matches(baseline, names)
    if near and baseline != "-" and not is_there(baseline):
        raise errors.DataError([errors.files.no_such_file(baseline, near)])
