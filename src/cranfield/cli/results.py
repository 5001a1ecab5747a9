"""What commands that compare share: judgments and runs to be scored, and saved scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.scores import Scores

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR")


def scored_or_kept(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    inputs: Inputs,
    *,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    quiet: bool,
    usual: tuple[str, ...] = DEFAULT_MEASURES,
    least: int = 2,
) -> list[Scores]:
    """Saved scores, and those of runs that judgments are given for, in the order they were named.

    Where no measure is named it is the `usual` ones, and at least so many runs are.
    """
    from cranfield.evaluating import evaluate
    from cranfield.formats.kind import is_results
    from cranfield.measures import parse_all
    from cranfield.saved import load

    kept = [path for path in files if path != "-" and is_results(path)]
    paths = [path for path in files if path not in kept]
    given = [load(path) for path in kept]
    if not paths:
        if rel is not None or depth is not None or judged_only:
            option = "--level" if rel is not None else "--depth" if depth is not None else "--judged-only"
            raise click.UsageError(f"{option} changes how runs are scored; saved results are scored already.")
        return [part.with_measures(measures) for part in given] if measures else given
    judgments, *runs = paths
    if not runs:
        what = "Only judgments were given" if not kept else f"Beside the saved results there is only {judgments}"
        raise click.UsageError(f"{what}; name judgments and at least {least if not kept else 1} run.")
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
