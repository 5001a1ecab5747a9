"""How commands declare their options."""

from typing import Literal

import click
import pytest
from click.testing import CliRunner

from cranfield.cli.options import Command, bundle, choice, numbers, option, require_one_standard_input


def test_standard_input_can_be_read_once(cranfield):
    assert cranfield("evaluate", "-", "-").returncode == 2


@click.command(cls=Command)
@bundle("pair", lambda left, right: (left, right), option("--left"), option("--right", group="Shared"))
@option("--side", type=choice(Literal["up", "down"]))
def example(pair, side):
    click.echo(f"{pair} {side}")


def test_a_bundle_reaches_the_command_as_one_value():
    assert CliRunner().invoke(example, ["--left", "1", "--right", "2"]).stdout == "('1', '2') None\n"


def test_help_lists_the_options_of_a_command_before_those_it_shares():
    lines = [line.split() for line in CliRunner().invoke(example, ["--help"]).stdout.splitlines()]
    assert [line[0] for line in lines if line and line[0].startswith(("-", "Options", "Shared"))] == [
        "Options:",
        "--left",
        "--side",
        "--help",
        "Shared:",
        "--right",
    ]


def test_the_choices_of_an_option_are_those_of_its_type():
    assert CliRunner().invoke(example, ["--side", "up"]).stdout == "(None, None) up\n"
    refused = CliRunner().invoke(example, ["--side", "left"])
    assert refused.exit_code == 2
    assert "'up', 'down'" in refused.stderr


def test_numbers_have_commas_between_them():
    assert numbers("1,.5, 2", "--shares") == [1, 0.5, 2]
    with pytest.raises(click.UsageError, match="--shares takes numbers with commas between them, not '1;2'"):
        numbers("1;2", "--shares")


def test_one_file_may_be_standard_input():
    require_one_standard_input("-", "a.run", None)
    with pytest.raises(click.UsageError, match="can be read only once"):
        require_one_standard_input("-", "a.run", "-")
