"""Reference from the code: every option of every command, every public name of Python."""

import click
import pytest

import cranfield as cf
from cranfield.cli import COMMANDS, cranfield
from cranfield.measures import Measure
from tools.site.command_pages import addresses, command_page
from tools.site.pages import plain
from tools.site.python_pages import public_names, python_pages

PYTHON = {page.name: page.text for page in python_pages()}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "trec-eval"])
def test_every_option_of_a_command_has_a_place_of_its_own(name):
    text = command_page(name)
    command = cranfield.get_command(click.Context(cranfield), name)
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert f"{option.opts[-1]}" in text
    assert text.count("```{option}") >= 1
    assert "- `-h, --help`: Show this message and exit." in plain(text)


def test_links_into_the_page_of_all_commands_find_the_page_of_each():
    assert addresses()["pool-plan"] == "commands/pool-plan"


def test_commands_that_a_help_text_names_are_links():
    assert "[`cranfield compare systems`](../commands/compare-systems.md)" in command_page("compare")


def test_every_public_name_is_described_once():
    text = "\n".join(PYTHON.values())
    for name in public_names():
        assert text.count(f"\n## cranfield.{name}\n") == 1, name


def test_every_function_has_its_signature_and_its_words():
    text = "\n".join(PYTHON.values())
    for name in public_names():
        value = getattr(cf, name)
        if callable(value) and not isinstance(value, Measure):
            kind = "class" if isinstance(value, type) else "function"
            assert f"``````{{py:{kind}}} cranfield.{name}" in text, name


def test_names_that_a_docstring_mentions_are_links():
    assert "{py:obj}`Judgments <cranfield.Judgments>`" in PYTHON["python-reference/evaluate"]


def test_a_signature_has_types_and_defaults():
    assert "profile: str | Profile | None = None, average_over" in PYTHON["python-reference/evaluate"]
