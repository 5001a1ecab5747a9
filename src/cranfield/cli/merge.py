"""`cranfield merge`: one grade for each document from the grades of several judges."""

from __future__ import annotations

import click

from cranfield.choices import MergeRule, TiedGrades
from cranfield.cli.label_inputs import LabelInputs, label_reading, level
from cranfield.cli.options import Command, choice, option, require_one_standard_input
from cranfield.cli.output import Printing, echo_data, printing, show
from cranfield.file_endings import JUDGMENTS, endings_of


@click.command(cls=Command)
@click.argument("labels", metavar="LABELS...", nargs=-1, required=True)
@option(
    "--rule", type=choice(MergeRule), default="median", show_default=True, help="Rule to make one grade of several."
)
@option(
    "--tied-grades",
    type=choice(TiedGrades),
    help="Which grade to take when two are tied. [default: lower]",
)
@option(
    "--adjudicator", metavar="JUDGE", help="The judge whose grade counts where others differ, for --rule adjudicated."
)
@option(
    "--adjudicated",
    metavar="FILE",
    help="Sheet with adjudicated grades, as `cranfield agree -o` writes it; rows without a grade follow --rule.",
)
@level
@option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the judgments: {', '.join(endings_of(JUDGMENTS))}; - is standard output as TREC.",
)
@label_reading
@printing
def merge(
    labels: tuple[str, ...],
    rule: MergeRule,
    tied_grades: TiedGrades | None,
    adjudicator: str | None,
    adjudicated: str | None,
    level: float | None,
    output: str | None,
    inputs: LabelInputs,
    printing: Printing,
) -> None:
    """Make judgments from labels: one grade per document from the grades of several judges.

    \b
        cranfield merge labels.csv -o qrels.txt
        cranfield merge labels.csv --adjudicated sheet.csv -o qrels.txt
        cranfield merge labels.csv --rule dawid-skene -o qrels.csv
        cranfield merge ada.qrels ben.qrels cleo.qrels --rule adjudicated --adjudicator cleo -o qrels.txt

    Where judges differ, somebody may decide: `cranfield agree labels.csv -o sheet.csv` writes what they differ about,
    and --adjudicated takes the grades that were filled in. Labels are read as by `cranfield agree`. Without -o every
    judgment is printed.
    """
    from dataclasses import replace

    from cranfield.formats.writing import form_of, trec
    from cranfield.judging.merging import WITHOUT_TIES, require_adjudication
    from cranfield.judging.merging import merge as merged_of

    require_one_standard_input(*labels, adjudicated)
    if tied_grades is not None and rule in WITHOUT_TIES:
        raise click.UsageError(f"--tied-grades has no effect on --rule {rule}, which has no ties.")
    require_adjudication(rule, adjudicator, adjudicated)
    if output not in (None, "-"):
        form_of(str(output), JUDGMENTS, "judgments")
    merged = merged_of(
        inputs.labels(labels),
        rule,
        level=level,
        tied_grades=tied_grades or "lower",
        adjudicator=adjudicator,
        adjudicated=adjudicated,
    )
    if output == "-":
        echo_data(trec(merged.judgments, merged.comments()), merged, printing)
        return
    if output is not None:
        merged.write(output)
    show(replace(merged, with_judgments=output is None), printing)
