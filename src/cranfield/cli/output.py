"""What all commands share in showing results: formats, warnings, hints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import click

from cranfield.cli.numbers import Whole
from cranfield.cli.options import Decorator, bundle, option

if TYPE_CHECKING:
    from cranfield.errors import Finding
    from cranfield.show.answer import Answer, Form
    from cranfield.show.table import Table

Command = TypeVar("Command", bound=Callable[..., object])

FORMATS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex")
GROUP = "Output"


@dataclass(frozen=True)
class Printing:
    """How an answer is printed."""

    form: Form
    places: int
    quiet: bool
    is_chosen: bool = True
    """Whether the format was asked for."""


def _printing(form: Form | None, places: int, quiet: bool) -> Printing:
    return Printing(form or ("table" if sys.stdout.isatty() else "tsv"), places, quiet, form is not None)


_PLACES = option("--places", type=Whole(0, 17), default=4, show_default=True, group=GROUP, help="Decimals shown.")
_QUIET = option("--quiet", is_flag=True, group=GROUP, help="Print no warnings, hints or progress.")


def _format(default: str | None, help: str) -> Decorator:
    return option("--format", "form", type=click.Choice(FORMATS), default=default, group=GROUP, help=help)


printing = bundle(
    "printing",
    _printing,
    _format(None, "Output format. [default: table on a terminal, tsv in a pipe]"),
    _PLACES,
    _QUIET,
)
"""The options of every command that prints an answer."""

printing_for_logs = bundle("printing", _printing, _format("table", "Output format. [default: table]"), _PLACES, _QUIET)
"""The same for a command whose output people read in the log of CI, which is a pipe."""


def show(answer: Answer, printing: Printing) -> None:
    """Print an answer in the format asked for: the one place where commands print results."""
    from cranfield.show.answer import ROW_FORMS

    form, places = printing.form, printing.places
    if printing.quiet:
        answer = answer.quiet()
    if form == "json":
        echo_json(answer.to_dict())
    elif form == "table":
        click.echo(answer.text(places, color=_colored(), width=terminal_width()))
    else:
        click.echo(answer.form(form, places), nl=False)
    if form in ROW_FORMS and not printing.quiet and (verdict := answer.verdict()):
        click.echo(verdict, err=True)
    # Tables show warnings below themselves; other formats may go where nobody reads them.
    echo_warnings(answer.warnings, quiet=printing.quiet or form in ("table", "markdown"))


def require_form(path: str | None) -> None:
    """Refuse a file whose name does not tell the format of an answer, before anything is computed."""
    from cranfield.formats.writing import form_of
    from cranfield.show.answer import FORMS

    if path is not None:
        form_of(path, FORMS[1:], "results")


def write(answer: Answer, path: str, printing: Printing) -> None:
    """Write an answer to a file, in the format that its name ends with."""
    from cranfield.formats.writing import form_of, write_text
    from cranfield.show.answer import FORMS

    write_text(path, answer.form(form_of(path, FORMS[1:], "results"), printing.places))


def echo_data(text: str, answer: Answer, printing: Printing) -> None:
    """Print what an answer gives to another program, such as judgments; what it says of itself goes elsewhere."""
    click.echo(text, nl=False)
    if not printing.quiet:
        click.echo(answer.verdict(), err=True)
    echo_warnings(answer.warnings, quiet=printing.quiet)


def printing_options(command: Command) -> Command:
    """How a table is printed: its format, and its decimals."""
    format_ = click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        help="How to print. [default: table on a terminal, tsv in a pipe]",
    )
    places = click.option("--places", type=Whole(0, 17), default=4, show_default=True, help="Decimals shown.")
    return format_(places(command))


def chosen_format(wanted: str | None) -> str:
    """What was asked for; else a table for a person, tab-separated values for a pipe."""
    return wanted or ("table" if sys.stdout.isatty() else "tsv")


def echo_table(table: Table, form: str, places: int) -> None:
    """Print a table in one of the formats."""
    if form == "table":
        click.echo(table.text(places, color=_colored(), width=terminal_width()))
    elif form == "jsonl":
        click.echo(table.jsonl(), nl=False)
    else:
        render = {"tsv": table.tsv, "csv": table.csv, "markdown": table.markdown, "latex": table.latex}[form]
        click.echo(render(places), nl=False)


def echo_sections(parts: Iterable[str | Table], form: str, places: int) -> None:
    """Print sentences and tables with a blank line between them; sentences are broken where a terminal ends."""
    from cranfield.show.table import literal, wrapped

    for position, part in enumerate(parts):
        click.echo("\n" * bool(position), nl=False)
        if isinstance(part, str):
            click.echo(wrapped(part) if form == "table" else literal(part))
        else:
            echo_table(part, form, places)


def echo_json(value: object) -> None:
    """Print JSON that every parser reads: undefined numbers must have become null before."""
    import json

    from cranfield.cli.streams import can_be_written

    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # JSON can spell every sign in ASCII, so nothing need be replaced.
    click.echo(text if can_be_written(text) else json.dumps(value, indent=2, allow_nan=False))


def terminal_width() -> int:
    """Columns there are; as good as endless when nobody looks at a screen."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000


def echo_warnings(findings: Iterable[Finding], *, quiet: bool) -> None:
    """Warnings go to standard error, so that they reach the person and not the pipe."""
    if quiet:
        return
    for finding in findings:
        click.echo(f"{styled('warning', fg='yellow')}: {finding}", err=True)


def hint(text: str, *, quiet: bool) -> None:
    """A next step, for a person at a terminal only."""
    if not quiet and sys.stdout.isatty():
        click.echo(styled(text, dim=True), err=True)


def styled(text: str, **style: str | bool) -> str:
    """Text in a style, where a terminal shows it and the user does not mind (NO_COLOR)."""
    return click.style(text, **style) if _colored() else text  # type: ignore[arg-type]  # click's own keywords


def _colored() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
