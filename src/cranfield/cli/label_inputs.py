"""What commands about labels of several judges share: how these are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.choices import LabelLayout
from cranfield.cli.inputs import GROUP
from cranfield.cli.options import Real, bundle, choice, option

if TYPE_CHECKING:
    from cranfield.data.labels import Labels


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

level = option("-l", "--level", type=Real(), metavar="GRADE", help="Make grades binary: relevant from this grade on.")
scale = option("--scale", metavar="GRADES", help="All grades that could be given, such as 0,1,2,3, if some were not.")
