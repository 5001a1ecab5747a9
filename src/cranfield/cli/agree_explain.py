"""`cranfield agree explain`: how the kappa of two judges is computed."""

from __future__ import annotations

import click

from cranfield.cli.label_inputs import LabelInputs, kappa_of_table, label_reading, level, require_labels, scale, table
from cranfield.cli.options import Command, numbers, require_one_standard_input
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("labels", metavar="LABELS...", nargs=-1)
@table
@level
@scale
@label_reading
@printing
@click.pass_context
def agree_explain(
    context: click.Context,
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

    If there are more than two judges, --judges names two. With --table it names the judges,
    and --scale the grades.
    """
    from cranfield.judging.agree import agree

    if table is not None:
        show(kappa_of_table(context, table), printing)
        return
    require_labels(labels)
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


def _whom(judges: tuple[str, ...]) -> str:
    from cranfield.phrases import listed

    if not judges:
        return "A kappa is about two judges; a table of counts does not show who gave which label."
    if len(judges) == 1:
        return f"A kappa is about two judges; all labels are by {judges[0]}."
    return f"Name two of the judges {listed(judges, 10)}: --judges {','.join(judges[:2])}."
