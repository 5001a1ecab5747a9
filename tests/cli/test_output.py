"""What commands share in showing results."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield.cli import output
from cranfield.cli.output import progress
from cranfield.errors import Finding, UsageError
from cranfield.kernels import CHOICE
from cranfield.show.answer import FORMS, Answer
from cranfield.show.table import Table


def test_warnings_go_to_standard_error_unless_quiet(cranfield, folder):
    (folder / "more.run").write_text("q1 Q0 d1 1 1 x\nq2 Q0 d1 1 1 x\nq3 Q0 d1 1 1 x\n")
    assert "1 query has no judgments (q3)" in cranfield("evaluate", "qrels.txt", "more.run").stderr
    assert cranfield("evaluate", "qrels.txt", "more.run", "--quiet").stderr == ""


def test_no_color_and_no_hint_reach_a_pipe(cranfield):
    done = cranfield("evaluate", "qrels.txt", "bm25.run", "--format", "table")
    assert "\x1b" not in done.stdout + done.stderr
    assert "explain" not in done.stderr


def test_quiet_leaves_what_the_means_are_and_drops_the_warnings(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 x\n")
    shown = cranfield("evaluate", "qrels.txt", "half.run", "-m", "RR", "--format", "table", "--quiet").stdout
    assert "Means over all 2 judged queries" in shown
    assert "no documents" not in shown


@dataclass(frozen=True)
class Example(Answer):
    """An answer with a warning."""

    warnings: tuple[Finding, ...] = (Finding("warning", "odd", "odd", path="a.run"),)

    def verdict(self):
        return "bm25 is best."

    def tables(self):
        return [self.rows()]

    def rows(self):
        return Table({"run": ["bm25"], "AP": [0.25]})

    def to_dict(self):
        return {"run": "bm25", "AP": 0.25}


@click.command()
@output.printing
def example(printing):
    output.show(Example(), printing)


def test_rows_go_to_standard_output_and_sentences_to_standard_error():
    done = CliRunner().invoke(example, [])
    assert done.stdout == "run\tAP\nbm25\t0.2500\n"
    assert done.stderr == "bm25 is best.\nwarning: a.run: odd\n"


def test_a_table_has_verdict_and_warnings_with_it():
    done = CliRunner().invoke(example, ["--format", "table"])
    assert done.stdout.startswith("bm25 is best.\n")
    assert "warning: a.run: odd" in done.stdout
    assert done.stderr == ""


def test_json_has_every_value_in_full_whatever_the_places():
    done = CliRunner().invoke(example, ["--format", "json", "--places", "1"])
    assert json.loads(done.stdout) == {"run": "bm25", "AP": 0.25}


@pytest.mark.parametrize("form", FORMS)
def test_a_quiet_answer_has_no_warnings_in_any_format(form):
    done = CliRunner().invoke(example, ["--format", form, "--quiet"])
    assert done.stderr == ""
    assert "odd" not in done.stdout
    assert "bm25" in done.stdout


def test_a_file_is_written_in_the_format_of_its_name(tmp_path):
    printing = output.Printing("table", 2, quiet=False)
    output.write(Example(), str(tmp_path / "scores.csv"), printing)
    assert (tmp_path / "scores.csv").read_text() == "run,AP\nbm25,0.25\n"


def test_a_file_whose_name_tells_no_format_is_refused_before_anything_is_computed():
    output.require_form(None)
    output.require_form("scores.csv")
    with pytest.raises(UsageError, match=r"scores\.qrels"):
        output.require_form("scores.qrels")


class Terminal:
    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


def watching(monkeypatch):
    """A person at a terminal. Not a fixture: pytest puts its own standard error back after those."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(output, "PATIENCE", 0.0)
    return terminal


def wait_for(terminal, text):
    until = time.monotonic() + 20
    while text not in terminal.text:
        assert time.monotonic() < until
        time.sleep(0.01)


def slow_run(tmp_path):
    path = tmp_path / "slow.run"
    path.write_text("q1 Q0 d1 1 1 t\nq2 Q0 d1 1 1 t\n")
    return cf.read_run(path)


@pytest.mark.parametrize("kernels", ["plain", ""])
def test_which_run_is_read(tmp_path, monkeypatch, kernels):
    terminal = watching(monkeypatch)
    monkeypatch.setenv(CHOICE, kernels)
    with progress(quiet=False) as state:
        scores = cf.evaluate({"q1": {"d1": 1}}, state.watched(slow_run(tmp_path)), "RR")
        assert state.run == "slow"
        wait_for(terminal, "reading slow")
    assert scores["RR"].tolist() == [[1.0]]
    assert terminal.text.endswith("\r\x1b[K")


def test_nothing_where_quiet_is_wanted(tmp_path, monkeypatch):
    terminal = watching(monkeypatch)
    with progress(quiet=True) as state:
        cf.evaluate({"q1": {"d1": 1}}, state.watched(slow_run(tmp_path)), "RR")
    assert terminal.text == ""


def test_plain_loops_count_queries(tmp_path, monkeypatch):
    terminal = watching(monkeypatch)
    monkeypatch.setenv(CHOICE, "plain")
    with progress(quiet=False) as state:
        cf.evaluate({"q1": {"d1": 1}}, state.watched(slow_run(tmp_path)), "RR")
        wait_for(terminal, "2 queries")
