"""`cranfield agree explain`: how the kappa of two judges is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.label_inputs import LabelInputs, label_reading, level, scale
from cranfield.cli.options import Command, numbers, option, require_one_standard_input
from cranfield.cli.output import Printing, printing, show

if TYPE_CHECKING:
    from cranfield.judging.explaining import KappaExplanation


@click.command(cls=Command)
@click.argument("labels", metavar="LABELS...", nargs=-1)
@option(
    "--table",
    metavar="ROWS",
    help="Instead of labels, how often the first judge gave a grade (rows) and the second another (columns): "
    "'70 10; 20 300'.",
)
@level
@scale
@label_reading
@printing
def agree_explain(
    labels: tuple[str, ...],
    table: str | None,
    level: float | None,
    scale: str | None,
    inputs: LabelInputs,
    printing: Printing,
) -> None:
    """How the kappa of two judges is computed: their table, P(A), P(E) and both kappas, step by step.

    \b
        cranfield agree explain ada.qrels ben.qrels
        cranfield agree explain labels.csv --judges ada,ben
        cranfield agree explain --table "70 10; 20 300"
        cranfield agree explain --table "20 5 1; 4 12 3; 0 2 9" --judges ada,ben --scale 0,1,2

    Of more than two judges, --judges names two. With a table that is typed, --judges names the judges and --scale the
    grades.
    """
    from cranfield.judging.agree import agree

    if table is not None:
        show(_of_table(table, labels, level, scale, inputs), printing)
        return
    if not labels:
        raise click.UsageError("Name files with labels, or type a table: --table '70 10; 20 300'.")
    require_one_standard_input(*labels)
    if inputs.judges is not None and len(set(inputs.judges.split(","))) != 2:
        raise click.UsageError("A kappa is about two judges: name two with --judges, such as --judges ada,ben.")
    read = inputs.labels(labels)
    if len(read.judges) != 2 or not read.has_judges:
        raise click.UsageError(_whom(read.judges if read.has_judges else ()))
    # Limits are not shown, so no samples are drawn.
    agreement = agree(
        read, level=level, scale=None if scale is None else numbers(scale, "--scale"), interval="analytic"
    )
    show(agreement.explain(*agreement.labels.judges), printing)


def _of_table(
    table: str, labels: tuple[str, ...], level: float | None, scale: str | None, inputs: LabelInputs
) -> KappaExplanation:
    """How kappa is computed from a table that was typed."""
    from cranfield.judging.explaining import JUDGES, explain_kappa

    given = {
        "LABELS": labels,
        "--level": level is not None,
        "--labels-format": inputs.labels_format,
        "--layout": inputs.layout,
        "--columns": inputs.columns,
    }
    for name, is_given in given.items():
        if is_given:
            raise click.UsageError(f"{name} and --table do not go together; a table has the counts of all labels.")
    names = JUDGES if inputs.judges is None else inputs.judges.split(",")
    grades = None if scale is None else [grade.strip() for grade in scale.split(",")]
    return explain_kappa(table, judges=names, categories=grades)


def _whom(judges: tuple[str, ...]) -> str:
    from cranfield.phrases import listed

    if not judges:
        return "A kappa is about two judges; a table of counts does not show who gave which label."
    if len(judges) == 1:
        return f"A kappa is about two judges; all labels are by {judges[0]}."
    return f"Name two of the judges {listed(judges, 10)}: --judges {','.join(judges[:2])}."
