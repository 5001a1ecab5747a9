"""`cranfield check`: what is wrong or suspicious in files, alone and together."""

from __future__ import annotations

import click

from cranfield.cli.numbers import Whole
from cranfield.cli.output import echo_json


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="How to print.")
@click.option("--input-format", metavar="NAME", help="Format of the files, instead of guessing.")
@click.option("--columns", metavar="ROLES", help="Which column is what: query=qid,document=pid,grade=label.")
@click.option("--limit", type=Whole(), default=20, show_default=True, help="Errors listed per file.")
def check(files: tuple[str, ...], form: str, input_format: str | None, columns: str | None, limit: int) -> None:
    """Tell what files hold, what is wrong with them, and whether judgments and runs fit together.

    \b
        cranfield check qrels.txt bm25.run dense.run.gz
        cranfield check *.run --format json

    The exit code is 1 when something is wrong that would stop an evaluation.
    """
    import sys

    from cranfield.check_tables import text
    from cranfield.checking import check as check_files

    report = check_files(files, format=input_format, columns=columns, limit=limit)
    if form == "json":
        echo_json(report.to_dict())
    else:
        click.echo(text(report))
    if not report.ok:
        sys.exit(1)
