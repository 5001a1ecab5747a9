"""The endings of names that are written stand in one table."""

import pytest
from click.testing import CliRunner

from cranfield.cli import cranfield as command
from cranfield.file_endings import ENDINGS, JUDGMENTS, RUNS, SHEETS, endings_of


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("retrieve", RUNS),
        ("fuse", RUNS),
        ("merge", JUDGMENTS),
        ("clicks", JUDGMENTS),
        ("agree", SHEETS),
        ("pool", SHEETS),
    ],
)
def test_help_lists_all_endings_that_a_command_writes(name, forms):
    shown = " ".join(CliRunner().invoke(command, [name, "--help"]).output.split())
    assert ", ".join(endings_of(forms)) in shown


def test_every_form_has_an_ending():
    assert {*RUNS, *JUDGMENTS, *SHEETS} <= set(ENDINGS.values())
