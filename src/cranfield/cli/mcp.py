"""`cranfield mcp`: tools for assistants, over standard input and output."""

from __future__ import annotations

from pathlib import Path

import click

from cranfield.cli.options import Command


@click.command(cls=Command)
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="The folder whose files may be read. [default: the current one]",
)
def mcp(root: Path) -> None:
    """Serve evaluate, compare, explain, check and measures to an assistant (Model Context Protocol).

    \b
        cranfield mcp --root ~/search-quality

    An assistant starts this command itself; name it in its configuration. Messages come from standard input, a line
    each, and answers go to standard output. Nothing is written, and no file outside the folder is read.
    """
    import sys

    from cranfield.model_context import ModelContextServer

    for answer in ModelContextServer(root).answers(sys.stdin.buffer):
        click.echo(answer)
