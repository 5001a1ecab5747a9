"""Progress is shown to a person who waits, and to nobody else."""

from __future__ import annotations

import sys
import time

import pytest

import cranfield as cf
from cranfield.cli import progress as module
from cranfield.cli.progress import progress
from cranfield.kernels import CHOICE


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
    monkeypatch.setattr(module, "PATIENCE", 0.0)
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
