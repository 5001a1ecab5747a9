"""`cranfield selftest`: whether this installation gives the numbers of other tools."""

from __future__ import annotations

import click

from cranfield.cli.options import Command
from cranfield.cli.output import Printing, printing_checks, show


@click.command(cls=Command)
@printing_checks
@click.pass_context
def selftest(context: click.Context, printing: Printing) -> None:
    """Check this installation against numbers of other tools, on the collection that comes with it.

    \b
        cranfield selftest
        cranfield selftest --format json

    Numbers of other tools may differ by 1e-12, as far as rounding goes; compiled and plain loops must agree to the last
    bit. It takes a second or two, needs no network and writes nothing. The exit code is 1 if a number differs.
    """
    from cranfield.self_testing.self_test import selftest as compare_numbers

    tested = compare_numbers()
    show(tested, printing)
    if not tested.passed:
        context.exit(1)
