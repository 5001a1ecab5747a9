"""How commands declare their options: in groups that every command shares, one meaning to a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, get_args

import click

from cranfield.cli.numbers import SEEDS, Whole

Decorator = Callable[[Any], Any]
"""click's decorators add to a function's parameters and give it back."""

OTHERS = "Options"


class Grouped(click.Option):
    """An option that stands in a group of its command's help."""

    group = OTHERS


class Command(click.Command):
    """A command whose help lists options in groups: its own first, then those that commands share."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each group under its name."""
        groups: dict[str, list[tuple[str, str]]] = {OTHERS: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                groups.setdefault(getattr(parameter, "group", OTHERS), []).append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


def choice(literal: Any) -> click.Choice[str]:
    """The choices of an option, from the type of the argument it becomes."""
    return click.Choice(get_args(literal))


def option(*names: str, group: str = OTHERS, **facts: Any) -> Decorator:
    """An option of a command, in a group of its help."""
    return click.option(*names, cls=type("Grouped", (Grouped,), {"group": group}), **facts)


seed = option("--seed", type=Whole(0, SEEDS), default=0, show_default=True, help="Random seed.")
"""Of every command that draws at random."""


def bundle(name: str, made: Callable[..., object], *options: Decorator) -> Decorator:
    """Options that belong together: the command is given one value, made of what they were set to."""

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        mine = list(_names(options))

        @wraps(function)
        def with_bundle(*arguments: Any, **given: Any) -> object:
            facts = {key: given.pop(key) for key in mine}
            return function(*arguments, **given, **{name: made(**facts)})

        for decorator in reversed(options):
            decorator(with_bundle)
        return with_bundle

    return decorate


def _names(options: Iterable[Decorator]) -> Iterator[str]:
    """The names of the values that options give."""

    def command() -> None: ...

    for decorator in options:
        decorator(command)
    for parameter in getattr(command, "__click_params__", []):
        yield parameter.name


def require_one_standard_input(*paths: str | None) -> None:
    """Refuse to read standard input twice."""
    if paths.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")


def numbers(text: str, name: str) -> list[float]:
    """Numbers with commas between them."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{name} takes numbers with commas between them, not {text!r}.") from None
