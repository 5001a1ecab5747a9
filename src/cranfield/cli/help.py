"""`cranfield help`: what a command does, or how a measure is defined."""

from __future__ import annotations

import click

from cranfield.cli.options import Command


@click.command(cls=Command)
@click.argument("name", nargs=-1)
@click.pass_context
def help(ctx: click.Context, name: tuple[str, ...]) -> None:
    """Show the help of a command, or the definition of a measure.

    \b
        cranfield help evaluate
        cranfield help compare systems
        cranfield help nDCG@10
    """
    from cranfield.cli import COMMANDS, OTHER_NAMES

    root = ctx.find_root()
    commands = root.command
    assert isinstance(commands, click.Group)
    topic = " ".join(name)
    topic = OTHER_NAMES.get(topic, topic)
    if not topic.strip():
        click.echo(root.get_help())
    elif topic in COMMANDS:
        command = commands.get_command(root, topic)
        assert command is not None
        click.echo(command.get_help(click.Context(command, parent=root, info_name=topic)))
    else:
        _show_measure(topic, commands.get_command(root, "measures"), ctx)


def _show_measure(name: str, command: click.Command | None, ctx: click.Context) -> None:
    """The definition of a measure, as `cranfield measures` shows it."""
    from cranfield.catalogue import entry
    from cranfield.cli import COMMANDS
    from cranfield.errors import UsageError
    from cranfield.errors.findings import nearest
    from cranfield.measures.names import near_measures

    try:
        entry(name)
    except UsageError:
        near = nearest(name, COMMANDS, 1, likeness=0.75) or near_measures(name)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(
            f"There is no command or measure {name!r}.{hint}\n"
            "`cranfield --help` lists the commands, `cranfield measures` the measures."
        ) from None
    assert command is not None
    with command.make_context("measures", ["--format", "table", "--", name], parent=ctx.find_root()) as measures:
        command.invoke(measures)
