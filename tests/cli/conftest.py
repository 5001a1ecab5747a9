import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests.cli.server import called, started

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


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A process that calls the command without loading it anew each time."""
    with started(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def cranfield(folder, server):
    """The command as a user calls it, in a process of its own; a new one where the environment is another."""

    def call(*arguments, stdin=None, environment=None):
        words = list(map(str, arguments))
        if environment is not None:
            command = [Path(sys.executable).parent / "cranfield", *words]
            return subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment, check=False)
        with ExitStack() as files:
            streams = [files.enter_context(TemporaryFile("w+", encoding="utf-8")) for _ in range(3)]
            streams[0].write(stdin or "")
            streams[0].seek(0)
            code = called(server, words, streams)
            printed = [(stream.seek(0), stream.read())[1] for stream in streams[1:]]
        return subprocess.CompletedProcess(words, code, *printed)

    return call
