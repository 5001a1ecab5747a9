"""`cranfield measures`: the catalogue; one definition in full."""

from __future__ import annotations

import click

from cranfield.cli.output import echo_json


@click.command()
@click.argument("name", required=False)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="How to print.")
def measures(name: str | None, form: str) -> None:
    """List the measures, or give the full definition of one.

    \b
        cranfield measures
        cranfield measures nDCG
        cranfield measures ndcg_cut_10
    """
    from cranfield.catalogue import entries, entry, listing

    chosen = [entry(name)] if name else entries()
    if form == "json":
        echo_json([one.to_dict() for one in chosen])
    elif name:
        click.echo(chosen[0].text())
    else:
        click.echo(listing(chosen))
