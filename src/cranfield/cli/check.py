"""`cranfield check`: what is wrong or suspicious in files, alone and together."""

from __future__ import annotations

import click

from cranfield.cli.options import Command, Whole
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--input-format", metavar="NAME", help="Format of the files, instead of guessing.")
@click.option("--columns", metavar="ROLES", help="Which column is what: query=qid,document=pid,grade=label.")
@click.option("--limit", type=Whole(), default=20, show_default=True, help="Errors listed per file.")
@printing
def check(
    files: tuple[str, ...], input_format: str | None, columns: str | None, limit: int, printing: Printing
) -> None:
    """Show what files hold, what is wrong with them, and whether judgments and runs fit together.

    \b
        cranfield check qrels.txt bm25.run dense.run.gz
        cranfield check *.run --format json

    The exit code is 1 when something is wrong that would stop an evaluation.
    """
    import sys

    from cranfield.checking import check as check_files

    checks = check_files(files, format=input_format, columns=columns, limit=limit)
    show(checks, printing)
    if not checks.ok:
        sys.exit(1)
