"""What commands about pools share: runs, judgments, and the measure runs are compared by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs
from cranfield.cli.options import Real, Whole, option, require_one_standard_input
from cranfield.cli.output import progress

if TYPE_CHECKING:
    from cranfield.data.judgments import Judgments
    from cranfield.data.run import Run
    from cranfield.measures import Measure

pooled_runs = click.argument("runs", metavar="RUN...", nargs=-1, required=True)
judged = option("--judgments", metavar="QRELS", required=True, help="The judgments.")


def _one(context: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> str | None:
    if len(names) > 1:
        raise click.UsageError(f"Runs are compared by one measure, not by {' and '.join(names)}; give one -m.")
    return names[0] if names else None


measure = option(
    "-m",
    "--measure",
    multiple=True,
    callback=_one,
    metavar="NAME",
    help="The measure runs are compared by. [default: nDCG@10]",
)
level = option(
    "-l", "--level", "rel", type=Real(), metavar="GRADE", help="Grade from which a document is relevant. [default: 1]"
)
depth = option(
    "--depth", type=Whole(), metavar="K", default=100, show_default=True, help="Pool the top K documents of each run."
)
persistence = option(
    "-p",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="Persistence of rank-biased precision, for the strategy rbp.",
)
strata = option(
    "--strata",
    metavar="RANK:RATE,...",
    help="For the strategy sample: last rank of each stratum, and the share of it to judge. "
    "[default: 10:1,50:0.2,100:0.05]",
)


@contextmanager
def pooled(
    runs: tuple[str, ...], judgments: str, inputs: Inputs, *, quiet: bool
) -> Iterator[tuple[list[Run], Judgments]]:
    """Runs and judgments, with progress while they are worked on."""
    require_one_standard_input(*runs, judgments)
    with progress(quiet=quiet) as watch:
        yield [watch.watched(run) for run in inputs.runs(runs)], inputs.judgments(judgments)


def measure_at(name: str | None, rel: float | None, default: str = "nDCG@10") -> str | Measure:
    """A measure at the level of relevance that was asked for; a name for several is refused later."""
    from cranfield.measures import parse_all

    asked = name or default
    parsed = parse_all(asked, rel=rel)
    return parsed[0] if len(parsed) == 1 else asked
