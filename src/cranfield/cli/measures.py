"""`cranfield measures`: the catalogue; one definition in full."""

from __future__ import annotations

import click

from cranfield.cli.options import Command
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("name", required=False)
@printing
def measures(name: str | None, printing: Printing) -> None:
    """List the measures, or show the full definition of one.

    \b
        cranfield measures
        cranfield measures nDCG
        cranfield measures ndcg_cut_10
    """
    from cranfield.catalogue import Catalogue, entries, entry

    show(Catalogue((entry(name),), in_full=True) if name else Catalogue(tuple(entries())), printing)
