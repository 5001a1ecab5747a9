"""`cranfield compare systems`: systems that were run several times, with different seeds."""

from __future__ import annotations

import click

from cranfield.choices import Correction
from cranfield.cli.comparing import confidence, correction, different_judgments, measures, save
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, load_or_evaluate, reading
from cranfield.cli.options import Command, require_one_standard_input
from cranfield.cli.output import Printing, printing, show


@click.command("compare systems", cls=Command)
@click.argument("files", metavar="QRELS RUN RUN...", nargs=-1, required=True)
@click.option(
    "--system",
    "systems",
    multiple=True,
    required=True,
    metavar="NAME=RUNS",
    help="Runs of one system, by name or pattern: dense='dense-*'. May be repeated.",
)
@measures
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="SYSTEM",
    help="The system to compare with, by name; may be repeated. [default: the first system]",
)
@click.option("--all-pairs", is_flag=True, help="Compare every two systems.")
@save
@different_judgments
@correction
@confidence
@evaluation
@printing
@reading
def compare_systems(
    files: tuple[str, ...],
    systems: tuple[str, ...],
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    save: str | None,
    allow_different_judgments: bool,
    correction: Correction,
    confidence: float,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compare systems that were run several times, with different seeds.

    \b
        cranfield compare systems qrels.txt bm25.run dense-*.run --system dense='dense-*'
        cranfield compare systems saved.json --system dense='dense-*' --system hybrid='hybrid-*' --all-pairs

    Intervals and tests cover the variation between queries and between seeds. A run that belongs to no --system is a
    system of its own. Results saved by `--save` may be given instead of judgments and runs, or after them.
    """
    from cranfield.comparing.systems import compare_systems as compare_all

    members = _members(systems)
    require_one_standard_input(*files)
    comparison = compare_all(
        load_or_evaluate(files, measures, inputs, evaluation, quiet=printing.quiet),
        members,
        baseline=baselines or None,
        all_pairs=all_pairs,
        correction=correction,
        confidence=confidence,
        allow_different_judgments=allow_different_judgments,
    )
    if save is not None:
        from cranfield.evaluating.saved_scores import save as save_results

        save_results(comparison.results, save)
    show(comparison, printing)


def _members(systems: tuple[str, ...]) -> dict[str, list[str]]:
    """The patterns of each system's runs."""
    members: dict[str, list[str]] = {}
    for text in systems:
        name, equals, pattern = text.partition("=")
        if not (name and equals and pattern):
            raise click.UsageError(f"--system takes NAME=RUNS, such as dense='dense-*', not {text!r}.")
        members.setdefault(name, []).append(pattern)
    return members
