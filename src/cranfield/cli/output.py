"""What all commands share in showing results: formats, warnings, hints."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cranfield.cli.numbers import Whole
from cranfield.cli.options import Decorator, bundle, option

if TYPE_CHECKING:
    from cranfield.errors import Finding
    from cranfield.show.answer import Answer, Form

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
quiet = option("--quiet", is_flag=True, group=GROUP, help="Print no warnings, hints or progress.")
"""Also for commands that write files and print no answer."""


def _format(default: str | None, help: str) -> Decorator:
    return option("--format", "form", type=click.Choice(FORMATS), default=default, group=GROUP, help=help)


printing = bundle(
    "printing",
    _printing,
    _format(None, "Output format. [default: table on a terminal, tsv in a pipe]"),
    _PLACES,
    quiet,
)
"""The options of every command that prints an answer."""

printing_for_logs = bundle("printing", _printing, _format("table", "Output format. [default: table]"), _PLACES, quiet)
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
    if form in (*ROW_FORMS, "latex") and not printing.quiet:
        for sentence in answer.sentences():
            click.echo(sentence, err=True)
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


def echo_json(value: object) -> None:
    """Print JSON that every parser reads: undefined numbers must have become null before."""
    from cranfield.cli.streams import can_be_written
    from cranfield.show.answer import json_text

    text = json_text(value)
    # JSON can spell every sign in ASCII, so nothing need be replaced.
    click.echo(text if can_be_written(text) else json_text(value, ascii_only=True), nl=False)


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


def styled(text: str, *, fg: str | None = None, dim: bool | None = None, bold: bool | None = None) -> str:
    """Text in a style, where a terminal shows it and the user does not mind (NO_COLOR)."""
    return click.style(text, fg=fg, dim=dim, bold=bold) if _colored() else text


def _colored() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
