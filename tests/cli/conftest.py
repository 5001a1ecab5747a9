import json
import os
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


@pytest.fixture(scope="session")
def server():
    """A process that calls the command without loading it anew each time."""
    command = [sys.executable, Path(__file__).parent / "server.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        yield running
        running.stdin.close()


@pytest.fixture
def cranfield(folder, server, tmp_path_factory):
    """The command as a user calls it, in a process of its own; a new one where the environment is another."""

    def call(*arguments, stdin=None, environment=None):
        words = list(map(str, arguments))
        if environment is not None:
            command = [Path(sys.executable).parent / "cranfield", *words]
            return subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment, check=False)
        streams = [tmp_path_factory.mktemp("streams") / name for name in ("in", "out", "err")]
        for path, text in zip(streams, (stdin or "", "", ""), strict=True):
            path.write_text(text, encoding="utf-8")
        request = {
            "arguments": words,
            "folder": str(Path.cwd()),
            "environment": dict(os.environ),
            "streams": list(map(str, streams)),
        }
        print(json.dumps(request), file=server.stdin, flush=True)
        code = int(server.stdout.readline())
        return subprocess.CompletedProcess(words, code, *(path.read_text(encoding="utf-8") for path in streams[1:]))

    return call
