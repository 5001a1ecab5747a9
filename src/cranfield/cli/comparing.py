"""What commands that compare share: how differences are tested, and what may stand in place of judgments and runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from cranfield.cli.inputs import Inputs
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.evaluate import Scores
    from cranfield.results import Results

Command = TypeVar("Command", bound=Callable[..., object])

_COMPARING = (
    click.option(
        "--test",
        type=click.Choice(["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"]),
        default="randomization",
        show_default=True,
        help="What p comes from; tukey allows for all pairs by itself.",
    ),
    click.option(
        "--correction",
        type=click.Choice(["holm", "bonferroni", "benjamini-hochberg", "none"]),
        default="holm",
        show_default=True,
        help="How p allows for the number of comparisons under one measure.",
    ),
    click.option(
        "--interval",
        type=click.Choice(["t", "bca"]),
        default="t",
        show_default=True,
        help="Intervals from Student's t or from the bootstrap.",
    ),
    click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Of intervals; 1 less this is what p is compared with.",
    ),
    click.option(
        "--tie",
        type=click.FloatRange(min=0),
        default=0.0,
        show_default=True,
        metavar="DIFFERENCE",
        help="Scores of a query that differ by no more than this are equal.",
    ),
    click.option(
        "--resamples",
        type=click.IntRange(min=1),
        default=100_000,
        show_default=True,
        help="Random patterns of a test that cannot count all.",
    ),
    click.option(
        "--seed", type=int, default=0, show_default=True, help="Where chance begins; the same gives the same."
    ),
)


def comparing_options(command: Command) -> Command:
    """How differences are tested, and how sure is sure."""
    for option in reversed(_COMPARING):
        command = option(command)
    return command


def given_results(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    inputs: Inputs,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    quiet: bool,
    *,
    least: int,
    usual: tuple[str, ...],
) -> list[Scores | Results]:
    """Results that were kept, and scores of the runs beside judgments, in the order they were named.

    At least so many runs must be named, and these measures are usual where none is.
    """
    from cranfield.evaluate import evaluate
    from cranfield.measures import parse_all
    from cranfield.results import is_results, load

    kept = [path for path in files if path != "-" and is_results(path)]
    paths = [path for path in files if path not in kept]
    given: list[Scores | Results] = [load(path) for path in kept]
    if not paths:
        return given
    judgments, *runs = paths
    if not runs:
        what = "Only judgments were given" if not kept else f"Beside the saved results there is only {judgments}"
        raise click.UsageError(f"{what}; name judgments and at least {1 if kept else least} run.")
    # Before anything is read: a typo should not cost minutes.
    named = [str(measure) for measure in given[0].measures] if given and not measures else measures
    asked = parse_all(tuple(named) or usual, rel=rel)
    with progress(quiet=quiet) as watch:
        scores = evaluate(
            inputs.judgments(judgments),
            [watch.watched(inputs.run(run)) for run in runs],
            asked,
            depth=depth,
            judged_only=judged_only,
            rel=rel,
        )
    return [scores, *given] if files.index(judgments) == 0 else [*given, scores]
