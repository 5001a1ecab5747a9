import subprocess
import sys
from pathlib import Path

import pytest

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\n"
RUN = """\
q1 Q0 d1 1 3.0 bm25
q1 Q0 d9 2 2.0 bm25
q1 Q0 d3 3 1.0 bm25
q2 Q0 d2 1 1.0 bm25
q2 Q0 d1 2 0.5 bm25
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with judgments and a run, where the command is called."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cranfield(folder):
    """The command as a user calls it, in a process of its own."""

    def call(*arguments, stdin=None, environment=None):
        return subprocess.run(
            [Path(sys.executable).parent / "cranfield", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )

    return call
