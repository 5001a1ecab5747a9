"""`cranfield trec-eval`: trec_eval's arguments in, its bytes out."""

from __future__ import annotations

import click


class _Untouched(click.Command):
    """A command that reads its own arguments, -h and -v among them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hand the arguments on as they are."""
        ctx.params["arguments"] = tuple(args)
        return []

    def get_help(self, ctx: click.Context) -> str:
        """What -h prints."""
        from cranfield.compat.trec_eval.help import OPTIONS

        return OPTIONS


@click.command("trec-eval", cls=_Untouched)
@click.pass_context
def trec_eval(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Evaluate a run as trec_eval does."""
    from cranfield.compat.trec_eval import trec_eval as evaluated

    outcome = evaluated(arguments)
    click.echo(outcome.output, nl=False)
    for message in outcome.messages:
        click.echo(message, err=True)
    ctx.exit(outcome.code)
