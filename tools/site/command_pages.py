"""A page for each command, from the help it prints."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from cranfield.cli import COMMANDS, GROUPS, cranfield
from cranfield.cli.options import Grouped
from tools.site.pages import Child, Page


def command_pages() -> Iterator[Page]:
    """The list of commands, and a page for each."""
    children = tuple(Child(name, address(name)) for name in COMMANDS)
    yield Page("commands", _index(), children=children)
    for name in COMMANDS:
        yield Page(address(name), command_page(name))


def addresses() -> dict[str, str]:
    """The page of each command by the anchor it has in docs/commands.md."""
    return {name.replace(" ", "-"): address(name) for name in COMMANDS}


def address(name: str) -> str:
    """The address of a command's page."""
    return f"commands/{name.replace(' ', '-')}"


def _index() -> str:
    parts = [
        "# Commands",
        "Every command with its options, as `cranfield COMMAND --help` prints them. Exit codes are 0 if all is done or "
        "passes, 1 if the answer is no, 2 for wrong usage and 3 for bad or mismatched data "
        "([more](trust.md#exit-codes)).",
    ]
    for group, commands in GROUPS.items():
        rows = [f"| [{name}]({address(name)}.md) | {line} |" for name, line in commands.items()]
        parts += [f"## {group}", "\n".join(["| command | what it does |", "| --- | --- |", *rows])]
    return "\n\n".join(parts)


def command_page(name: str) -> str:
    """One command: what it does, examples, usage, and each option with an anchor of its own."""
    root = click.Context(cranfield, info_name="cranfield", **cranfield.context_settings)
    command = cranfield.get_command(root, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=root)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [
        f"# cranfield {name}",
        *map(_paragraph, re.split(r"\n\s*\n", inspect.cleandoc(command.help or ""))),
        f"## Usage\n\n```text\n{usage}\n```",
        *_options(name, command, context),
    ]
    return "\n\n".join(part for part in parts if part)


def _paragraph(text: str) -> str:
    """A paragraph of a help text; one that stands as it is typed is examples."""
    kept = text.removeprefix("\b\n")
    if kept != text:
        return f"```sh\n{inspect.cleandoc(kept)}\n```"
    return re.sub(r"`cranfield ([a-z -]+)`", _linked, " ".join(text.split()))


def _linked(named: re.Match[str]) -> str:
    return f"[{named[0]}](../{address(named[1])}.md)" if named[1] in COMMANDS else named[0]


def _options(name: str, command: click.Command, context: click.Context) -> Iterator[str]:
    """Options in the groups that the help shows."""
    groups: dict[str, list[str]] = {"Options": []}
    for option in command.get_params(context):
        if isinstance(option, click.Option) and (record := option.get_help_record(context)):
            group = option.group if isinstance(option, Grouped) else "Options"
            groups.setdefault(group, []).append(_option(*record))
    yield f"```{{program}} cranfield {name}\n```"
    for group, options in groups.items():
        if options:
            yield f"## {group}"
            yield from options


def _option(names: str, text: str) -> str:
    said = text.replace("<", "\\<").replace("*", "\\*")
    return f"```{{option}} {names}\n{said}\n```"
