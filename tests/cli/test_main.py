"""What all commands share: help, exit codes, errors without tracebacks, pipes."""

import subprocess
import sys
from pathlib import Path

import pytest

from cranfield import demo
from cranfield.cli import COMMANDS


def test_help_lists_every_command_with_its_meaning(cranfield):
    shown = cranfield("--help")
    assert shown.returncode == 0
    for name, meaning in COMMANDS.items():
        assert name in shown.stdout
        assert meaning in shown.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(cranfield, name):
    shown = cranfield(*name.split(), "--help")
    assert shown.returncode == 0
    assert f"Usage: cranfield {name}" in shown.stdout


def test_a_misspelt_command_is_answered_with_the_nearest_one(cranfield):
    done = cranfield("evalute")
    assert done.returncode == 2
    assert "Did you mean evaluate?" in done.stderr


def test_wrong_usage_exits_2(cranfield):
    assert cranfield("evaluate", "qrels.txt").returncode == 2
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "nDXG").returncode == 2
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "--no-such-option").returncode == 2


def test_an_unknown_measure_is_answered_with_near_ones_before_anything_is_read(cranfield):
    done = cranfield("evaluate", "no-such-file", "no-such-run", "-m", "nDXG")
    assert done.returncode == 2
    assert "There is no measure 'nDXG'. Did you mean nDCG" in done.stderr


def test_bad_data_exit_3_with_a_message_and_no_traceback(cranfield, folder):
    (folder / "bad.run").write_text("q1 Q0 d1 1 abc bm25\n")
    done = cranfield("evaluate", "qrels.txt", "bad.run")
    assert done.returncode == 3
    assert "bad.run, line 1" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_missing_file_exits_3(cranfield):
    done = cranfield("evaluate", "qrels.tx", "bm25.run")
    assert done.returncode == 3
    assert "there is no such file" in done.stderr
    assert "qrels.txt" in done.stderr


def test_a_reader_that_goes_away_is_no_error(folder):
    command = f"'{Path(sys.executable).parent / 'cranfield'}' measures --format json | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "{\n"
    assert done.returncode == 0


def test_the_version_is_told(cranfield):
    assert cranfield("--version").stdout.startswith("cranfield, version 0.")


def test_a_closed_or_full_output_is_told_without_a_traceback(folder):
    command = f"'{Path(sys.executable).parent / 'cranfield'}' evaluate qrels.txt bm25.run --quiet"
    for output in (">&-", "> /dev/full"):
        done = subprocess.run(["bash", "-c", f"{command} {output}"], capture_output=True, text=True, check=False)
        assert done.returncode == 3
        assert done.stderr.startswith("cranfield: cannot write:")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("pool", "qrels.txt"), "Judgments are an option: cranfield pool RUN... --judgments QRELS"),
        (("compare", "bm25.run", "qrels.txt"), "The judgments come first: cranfield compare QRELS RUN RUN..."),
        (("similarity", "qrels.txt", "bm25.run"), "Judgments have no place here: cranfield similarity RUN RUN..."),
        (
            ("clicks", "estimate", "clicks.csv", "--run", "qrels.txt"),
            "Judgments have no place here: cranfield clicks estimate LOG...",
        ),
    ],
)
def test_swapped_files_are_answered_with_the_command_that_was_called(cranfield, folder, arguments, advice):
    (folder / "clicks.csv").write_bytes(demo.path("clicks.csv").read_bytes())
    assert advice in cranfield(*arguments).stderr
