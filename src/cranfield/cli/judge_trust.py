"""`cranfield judge trust`: can a model judge here?"""

from __future__ import annotations

import click

from cranfield.cli.options import Command
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("store", metavar="STORE")
@click.option(
    "--model", metavar="NAME", default="", help="The model, as the store calls it. [default: the one with most labels]"
)
@click.option(
    "--used-by",
    multiple=True,
    metavar="RUN",
    help="A run whose system uses this model: does the model favour it? May be repeated.",
)
@printing
def judge_trust(store: str, model: str, used_by: tuple[str, ...], printing: Printing) -> None:
    """Compare a model's labels with people's: can it judge here?

    \b
        cranfield judge trust judging.db
        cranfield judge trust judging.db --used-by hybrid --format markdown

    It shows agreement with people, compared with that between people, what the model overrates, whether made-up
    documents fool it, and whether runs change places when it judges.
    """
    from cranfield.assessing.model_trust import trust

    show(trust(store, model=model, used_by=used_by), printing)
