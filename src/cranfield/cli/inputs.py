"""What commands that evaluate share: how their inputs are read, and how much of each ranking counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import click

from cranfield.cli.numbers import Real, Whole
from cranfield.cli.options import bundle, option

if TYPE_CHECKING:
    from cranfield.data.judgments import GroupKind, Judgments
    from cranfield.data.run import Run

Command = TypeVar("Command", bound=Callable[..., object])

GROUP = "Reading files"

_READING = (
    click.option(
        "--judgments-format",
        metavar="NAME",
        help="Format of QRELS, instead of guessing: trec, csv, tsv, beir, quepid, jsonl, json, parquet, arrow.",
    ),
    click.option(
        "--run-format",
        metavar="NAME",
        help="Format of a RUN: trec, msmarco, csv, tsv, jsonl, json, parquet, arrow.",
    ),
    click.option(
        "--columns",
        multiple=True,
        metavar="ROLES",
        help="Which column is what: query=qid,document=pid,grade=label; or by position: query,document,score. "
        "With a grade, subtopic or judge it is about QRELS, with a score or rank about a RUN.",
    ),
)
_RANKING = (
    click.option(
        "-l",
        "--level",
        "rel",
        type=Real(),
        metavar="GRADE",
        help="Grade from which a document is relevant. [default: 1]",
    ),
    click.option(
        "-M",
        "--depth",
        type=Whole(),
        metavar="N",
        help="Read no ranking deeper than N documents.",
    ),
    click.option("-J", "--judged-only", is_flag=True, help="Drop unjudged documents and close up the ranks."),
)


@dataclass(frozen=True)
class Inputs:
    """What was said about the inputs."""

    judgments_format: str | None
    run_format: str | None
    columns: tuple[str, ...]

    def judgments(self, path: str, groups: GroupKind | None = None) -> Judgments:
        """The judgments, read; with several grades for a document where the measures want them."""
        from cranfield.formats import read_judgments

        columns = self._columns({"score", "rank"})
        return read_judgments(path, format=self.judgments_format, columns=columns, groups=groups)

    def run(self, path: str) -> Run:
        """A run, ready to be read."""
        from cranfield.formats import read_run
        from cranfield.formats.columns import EXTRA

        return read_run(path, format=self.run_format, columns=self._columns({"grade", *EXTRA}))

    def _columns(self, of_others: set[str]) -> str | None:
        """The last word on columns that does not speak of the other kind of file."""
        mine = [
            text
            for text in self.columns
            if not {role.partition("=")[0].strip() for role in text.split(",")} & of_others
        ]
        return mine[-1] if mine else None


reading = bundle(
    "inputs",
    Inputs,
    option(
        "--judgments-format",
        metavar="NAME",
        group=GROUP,
        help="Format of QRELS, instead of guessing: trec, csv, tsv, beir, quepid, jsonl, json, parquet, arrow.",
    ),
    option(
        "--run-format",
        metavar="NAME",
        group=GROUP,
        help="Format of a RUN, instead of guessing: trec, msmarco, csv, tsv, jsonl, json, parquet, arrow.",
    ),
    option(
        "--columns",
        multiple=True,
        metavar="ROLES",
        group=GROUP,
        help="Which column is what: query=qid,document=pid,grade=label; or by position: query,document,score. "
        "With a grade, subtopic or judge it is about QRELS, with a score or rank about a RUN.",
    ),
)
"""The options of every command that reads judgments and runs."""


def reading_options(command: Command) -> Command:
    """Options that say how files are read."""
    for declared in reversed(_READING):
        command = declared(command)
    return command


def ranking_options(command: Command) -> Command:
    """trec_eval's letters for what counts in a ranking."""
    for declared in reversed(_RANKING):
        command = declared(command)
    return command
