"""What commands about labels of several judges share: how these are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cranfield.choices import LabelLayout
from cranfield.cli.inputs import GROUP
from cranfield.cli.options import Real, bundle, choice, option

if TYPE_CHECKING:
    from cranfield.data.labels import Labels
    from cranfield.judging.explaining import KappaExplanation


@dataclass(frozen=True)
class LabelInputs:
    """How labels are read."""

    judges: str | None
    labels_format: str | None
    layout: LabelLayout | None
    columns: str | None

    def labels(self, paths: tuple[str, ...]) -> Labels:
        """The labels of these files, of the judges that were named."""
        from cranfield.formats.labels import read_labels

        return read_labels(
            list(paths), format=self.labels_format, columns=self.columns, judges=self.judges, layout=self.layout
        )


label_reading = bundle(
    "inputs",
    LabelInputs,
    option(
        "--judges",
        metavar="NAMES",
        help="Judges to use, in this order; or the columns that hold their labels, such as Ann,Bob. [default: all]",
    ),
    option(
        "--labels-format",
        metavar="NAME",
        group=GROUP,
        help="Format of LABELS, instead of guessing: trec, csv, tsv, jsonl, json, parquet, arrow.",
    ),
    option(
        "--layout",
        type=choice(LabelLayout),
        group=GROUP,
        help="Layout of a table, instead of guessing: a row per label; a column per judge; a row per item with the "
        "number of labels of each category; or the table of two judges.",
    ),
    option(
        "--columns",
        metavar="ROLES",
        group=GROUP,
        help="Which column is what: query=qid,document=pid,judge=who,grade=stars; or by position; or the levels of "
        "nested JSON: query,document,judge.",
    ),
)
"""The options of every command that reads labels."""

level = option(
    "-l", "--level", type=Real(), metavar="GRADE", help="Make grades binary: relevant if at least this grade."
)
scale = option("--scale", metavar="GRADES", help="All grades that could be given, such as 0,1,2,3, if some were not.")
table = option(
    "--table",
    metavar="ROWS",
    help="Kappa from a table of counts instead of LABELS: a row for each grade of the first judge, a column for each "
    "of the second, as in '70 10; 20 300'. --judges names the judges, --scale the grades.",
)

_WITH_TABLE = {"table", "judges", "scale", "form", "places", "quiet"}
"""What says something about a table that is typed."""


def require_labels(labels: tuple[str, ...]) -> None:
    """Refuse to begin without labels."""
    if not labels:
        raise click.UsageError("Name files with labels, or type a table: --table '70 10; 20 300'.")


def kappa_of_table(context: click.Context, table: str) -> KappaExplanation:
    """How kappa is computed from a table that was typed; options about labels are refused."""
    from cranfield.judging.explaining import JUDGES, explain_kappa

    for parameter in context.command.params:
        name = parameter.name or ""
        is_given = context.get_parameter_source(name) not in (None, click.core.ParameterSource.DEFAULT)
        if is_given and name not in _WITH_TABLE and context.params.get(name) not in (None, ()):
            shown = "LABELS" if isinstance(parameter, click.Argument) else max(parameter.opts, key=len)
            raise click.UsageError(f"{shown} cannot be used with --table, which has counts and no single labels.")
    judges, scale = context.params["judges"], context.params["scale"]
    names = JUDGES if judges is None else judges.split(",")
    grades = None if scale is None else [grade.strip() for grade in scale.split(",")]
    return explain_kappa(table, judges=names, categories=grades)
