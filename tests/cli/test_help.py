"""`cranfield help`: a command or a measure."""

import pytest

from cranfield.cli import COMMANDS


def test_alone_it_is_the_help_of_the_whole_command(cranfield):
    assert cranfield("help").stdout == cranfield("--help").stdout


@pytest.mark.parametrize("name", ["evaluate", "compare systems", "gate init", "help"])
def test_a_command_is_explained_as_its_own_help_does(cranfield, name):
    done = cranfield("help", *name.split())
    assert done.returncode == 0
    assert done.stdout == cranfield(*name.split(), "--help").stdout
    assert done.stdout.startswith(f"Usage: cranfield {name} ")


def test_the_drop_in_is_explained_though_it_reads_its_own_arguments(cranfield):
    assert cranfield("help", "trec-eval").stdout.startswith("Usage: cranfield trec-eval ")


@pytest.mark.parametrize("name", ["nDCG@10", "ndcg_cut_10", "nDCG"])
def test_a_measure_is_defined_to_be_read_also_in_a_pipe(cranfield, name):
    done = cranfield("help", name)
    assert done.returncode == 0
    assert done.stdout == cranfield("measures", name, "--format", "table").stdout


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("evalute", "evaluate"),
        ("compare systms", "compare systems"),
        ("trec_eval", "trec-eval"),
        ("ndgc@5", "nDCG@5"),
        ("recal", "recall"),
    ],
)
def test_what_is_misspelt_is_answered_with_the_nearest_command_or_measure(cranfield, words, meant):
    done = cranfield("help", *words.split())
    assert done.returncode == 2
    assert f"There is no command or measure '{words}'. Did you mean {meant}?\n" in done.stderr


def test_what_nobody_knows_is_answered_with_the_lists(cranfield):
    done = cranfield("help", "xyzzy")
    assert done.returncode == 2
    assert done.stderr == (
        "cranfield: There is no command or measure 'xyzzy'.\n"
        "`cranfield --help` lists the commands, `cranfield measures` the measures.\n"
    )


def test_the_commands_that_matter_come_first(cranfield):
    shown = cranfield("--help").stdout
    groups = shown.partition("Start here:\n")[2].split("\n\n")
    assert [line.split()[0] for line in groups[0].splitlines()] == ["evaluate", "compare", "report"]
    assert list(COMMANDS)[:3] == ["evaluate", "compare", "report"]
    assert [group.splitlines()[0] for group in groups[1:]] == ["Score:", "Compare:", "Labels:", "Tools:"]
