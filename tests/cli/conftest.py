import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from cranfield import demo
from cranfield.cli import cranfield as command
from tests.cli.gate_files import JUDGED, run_file
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
            whole = [Path(sys.executable).parent / "cranfield", *words]
            return subprocess.run(whole, input=stdin, capture_output=True, text=True, env=environment, check=False)
        with ExitStack() as files:
            streams = [files.enter_context(TemporaryFile("w+", encoding="utf-8")) for _ in range(3)]
            streams[0].write(stdin or "")
            streams[0].seek(0)
            code = called(server, words, streams)
            printed = [(stream.seek(0), stream.read())[1] for stream in streams[1:]]
        return subprocess.CompletedProcess(words, code, *printed)

    return call


@pytest.fixture
def collection(folder):
    """The demo collection in the folder where the command is called."""
    for name in ("qrels.txt", "bm25.run"):
        (folder / name).unlink()
    demo.write(folder)
    return folder


class Done(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def at_once(folder):
    """The command in this process, which starts at once."""

    def call(*arguments, stdin=None):
        done = CliRunner().invoke(command, arguments, input=stdin, prog_name="cranfield")
        return Done(done.exit_code, done.stdout, done.stderr)

    return call


@pytest.fixture
def labels(folder):
    """The labels of the demo's judges, and two of its runs."""
    (folder / "labels.csv").write_text(demo.path("labels.csv").read_text())
    for name in ("bm25", "dense"):
        (folder / f"{name}.run").write_bytes(demo.path(f"{name}.run").read_bytes())
    return "labels.csv"


@pytest.fixture
def pool(collection):
    """`cranfield pool` in this process, which is quicker than a new one for each call."""

    def call(*arguments):
        done = CliRunner().invoke(command, ["pool", *arguments], catch_exceptions=False)
        return Done(done.exit_code, done.stdout, done.stderr)

    return call


@pytest.fixture
def clicks(folder):
    """`cranfield clicks` in this process, which is quicker."""

    def call(*arguments, stdin=None):
        return CliRunner().invoke(command, ["clicks", *arguments], input=stdin)

    return call


@pytest.fixture
def gate_files(folder):
    """Judgments and runs that a gate lets pass, or does not."""
    (folder / "qrels.txt").write_text("".join(f"q{query} 0 d1 1\n" for query in JUDGED))
    (folder / "old.run").write_text(run_file([1, 2] * 6))
    (folder / "same.run").write_text(run_file([1, 2] * 6))
    (folder / "bad.run").write_text(run_file([4, 9] * 6))
    (folder / "mixed.run").write_text(run_file([2, 1] * 6))
    (folder / "good.run").write_text(run_file([1, 1] * 6))


@pytest.fixture
def begun(folder, gate_files):
    """A folder with a baseline and rules of RR."""
    arguments = ["gate", "init", "qrels.txt", "old.run", "-m", "RR", "--margin", "0.05"]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    return folder
