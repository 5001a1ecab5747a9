"""Where output goes: any encoding, any width, closed and full streams, readers that go away."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cranfield import demo
from cranfield.cli import COMMANDS, output
from cranfield.cli import cranfield as command

COMMAND = shlex.quote(str(Path(sys.executable).parent / "cranfield"))
CALLS = {
    "evaluate": "qrels.txt bm25.run hybrid.run -q --bounds ties --bounds unjudged",
    "compare": "qrels.txt bm25.run dense.run hybrid.run --queries queries.tsv --by intent --resamples 100",
    "plan": "qrels.txt bm25.run hybrid.run",
    "explain": "qrels.txt bm25.run --query q70 -m AP",
    "curve": "qrels.txt bm25.run hybrid.run",
    "why": "qrels.txt bm25.run",
    "similarity": "bm25.run hybrid.run",
    "risk": "qrels.txt bm25.run hybrid.run --baseline bm25",
    "recommendation": "bm25.run",
    "agree": "labels.csv --samples 20",
    "agree explain": "labels.csv --judges ada,ben",
    "merge": "labels.csv",
    "pool": "bm25.run hybrid.run --depth 3",
    "pool simulate": "bm25.run hybrid.run --judgments qrels.txt",
    "pool reusability": "bm25.run hybrid.run --judgments qrels.txt",
    "pool plan": "bm25.run hybrid.run --judgments qrels.txt --width 0.1 -m P@10",
    "clicks": "clicks.csv --model PBM",
    "clicks models": "clicks.csv --model PBM --model DCTR",
    "clicks estimate": "clicks.csv --run bm25.run",
    "check": "qrels.txt bm25.run",
    "measures": "",
}


@pytest.fixture(autouse=True)
def collection(monkeypatch):
    monkeypatch.chdir(demo.path("qrels.txt").parent)


def shell(text, **environment):
    environment = {**os.environ, **environment}
    return subprocess.run(["bash", "-c", text], capture_output=True, env=environment, check=False)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "ascii"])
def test_signs_that_an_encoding_lacks_become_plain_ones(encoding):
    call = f"{COMMAND} compare qrels.txt bm25.run hybrid.run --format table --resamples 100"
    done = shell(call, PYTHONIOENCODING=encoding)
    text = done.stdout.decode(encoding)
    assert done.returncode == 0, done.stderr
    assert "-----" in text
    assert "?" not in text


def test_json_loses_no_sign_in_any_encoding(tmp_path):
    (tmp_path / "qrels.txt").write_text("é中 0 d1 1\n")
    (tmp_path / "a.run").write_text("é中 Q0 d1 1 1 x\n")
    call = f"{COMMAND} evaluate {tmp_path}/qrels.txt {tmp_path}/a.run -q --format json"
    for encoding in ("latin-1", "ascii", "utf-8"):
        done = shell(call, PYTHONIOENCODING=encoding)
        assert "é中" in json.dumps(json.loads(done.stdout.decode(encoding)), ensure_ascii=False)


def test_a_file_whose_name_is_no_text(tmp_path):
    name = os.fsencode(tmp_path) + b"/run\xff.run"
    Path(os.fsdecode(name)).write_text(Path("bm25.run").read_text())
    for form in ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex"):
        call = [Path(sys.executable).parent / "cranfield", "evaluate", "qrels.txt", name, "--format", form]
        done = subprocess.run(call, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("call", ["evaluate qrels.txt bm25.run", "compare qrels.txt bm25.run hybrid.run --resamples 9"])
def test_the_result_counts_where_nobody_reads_the_warnings(stream, call):
    done = shell(f"{COMMAND} {call} {stream}")
    assert done.returncode == 0
    assert done.stdout == shell(f"{COMMAND} {call}").stdout


@pytest.mark.parametrize(("stream", "run", "code"), [("2>&-", "hybrid", 0), ("2>/dev/full", "title", 1)])
def test_a_verdict_is_what_it_is_where_nobody_reads_the_warnings(tmp_path, stream, run, code):
    assert shell(f"{COMMAND} evaluate qrels.txt bm25.run -m nDCG@10 --save {tmp_path}/b.json").returncode == 0
    call = f"{COMMAND} gate qrels.txt {run}.run --baseline {tmp_path}/b.json --margin 0.02 -m nDCG@10"
    assert shell(f"{call} {stream}").returncode == code
    for full in (">&-", ">/dev/full"):
        done = shell(f"{call} {full}")
        assert (done.returncode, done.stderr.startswith(b"cranfield: cannot write: ")) == (3, True)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_for_a_reader_that_goes_away(name):
    done = shell(f"set -o pipefail; {COMMAND} {name} --help | head -n 0")
    assert done.stderr == b""
    assert done.returncode == 0


@pytest.mark.parametrize("name", CALLS)
def test_a_result_for_a_reader_that_goes_away(name):
    done = shell(f"set -o pipefail; {COMMAND} {name} {CALLS[name]} --format json | head -n 0")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("name", CALLS)
def test_every_command_at_every_width(monkeypatch, name):
    for width in (1, 2, 3, 5, 8, 13, 20, 30, 40):
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(output, "terminal_width", lambda width=width: width)
        form = ["--format", "table"]
        done = CliRunner().invoke(command, [name, *CALLS[name].split(), *form])
        assert done.exception is None or isinstance(done.exception, SystemExit), (width, done.exc_info)
        assert done.exit_code == 0, (width, done.output)


WRITERS = {
    "evaluate --save": ("qrels.txt bm25.run", ".json"),
    "compare --save": ("qrels.txt bm25.run hybrid.run --resamples 9", ".json"),
    "compare --plot": ("qrels.txt bm25.run hybrid.run --resamples 9", ".svg"),
    "compare systems --save": ("qrels.txt bm25.run dense.run hybrid.run --system both=[dh]*", ".json"),
    "explain --plot": ("qrels.txt bm25.run --query q70 -m AP", ".png"),
    "curve --output": ("qrels.txt bm25.run", ".svg"),
    "report --output": ("qrels.txt bm25.run hybrid.run", ".html"),
    "gate --junit": ("qrels.txt bm25.run --baseline {baseline} -m nDCG@10 --margin 0.02", ".xml"),
    "gate update --junit": ("qrels.txt hybrid.run --baseline {baseline} --rules {rules}", ".xml"),
    "pool --output": ("bm25.run hybrid.run --depth 3", ".csv"),
    "agree --output": ("labels.csv --samples 20", ".csv"),
    "merge --output": ("labels.csv", ".qrels"),
    "clicks --output": ("clicks.csv --model PBM", ".tsv"),
    "clicks estimate --output": ("clicks.csv --run bm25.run", ".json"),
    "clicks policy --output": ("{bandit}", ".csv"),
    "fuse --output": ("bm25.run dense.run", ".run"),
    "fuse tune --output": ("qrels.txt bm25.run dense.run --method rrf --steps 2", ".run"),
    "fuse tune --plot": ("qrels.txt bm25.run dense.run --method rrf --steps 2", ".svg"),
}
"""Every command with an option that names a file to write."""
READ_ONLY = "/proc/sys/kernel/ostype"
"""A file that nobody may write, not even root."""


@pytest.fixture(scope="module")
def written_before(tmp_path_factory):
    """Files that commands read which write others."""
    folder = tmp_path_factory.mktemp("before")
    data = demo.path("qrels.txt").parent
    names = {name: str(folder / name) for name in ("baseline", "rules", "bandit")}
    rules = ["--rules", names["rules"], "--baseline", names["baseline"]]
    done = CliRunner().invoke(command, ["gate init", str(data / "qrels.txt"), str(data / "bm25.run"), *rules])
    assert done.exit_code == 0, done.output
    (folder / "bandit").write_text("item_id,position,click,propensity_score\n3,1,0,0.5\n3,2,1,0.25\n4,1,1,0.5\n")
    return names


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("none/x", "no such file or directory"),
        ("folder", "is a directory"),
        ("file/x", "not a directory"),
        ("full", "no space left on device"),
        ("read-only", "permission denied"),
    ],
)
def test_a_file_that_cannot_be_written(writer, place, reason, tmp_path, written_before):
    arguments, ending = WRITERS[writer]
    name, _, option = writer.rpartition(" ")
    (tmp_path / "file").write_text("")
    (tmp_path / f"folder{ending}").mkdir()
    for link, file in {"full": "/dev/full", "read-only": READ_ONLY}.items():
        if not Path(file).exists():
            pytest.skip(f"there is no {file} here")
        (tmp_path / f"{link}{ending}").symlink_to(file)
    target = tmp_path / f"{place}{ending}"
    done = CliRunner().invoke(command, [name, *arguments.format(**written_before).split(), option, str(target)])
    assert isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == 3, done.output
    assert f"{target}: cannot be written: {reason}" in done.stderr


def test_every_option_that_names_a_file_to_write_is_tried():
    of_files = {"--output", "--save", "--plot", "--junit"}
    context = click.Context(command)
    options = {
        f"{name} {option}"
        for name in command.list_commands(context)
        for parameter in command.get_command(context, name).params
        for option in of_files & set(parameter.opts)
    }
    # Answers of a live system take time: `retrieve` refuses a file that is there, and its log is written first.
    assert options - {"retrieve --output"} == set(WRITERS)


@pytest.mark.parametrize("option", ["--rules", "--baseline"])
@pytest.mark.parametrize("place", ["none/x", "file/x"])
def test_a_first_baseline_that_cannot_be_written_leaves_no_rules(option, place, tmp_path):
    (tmp_path / "file").write_text("")
    others = {"--rules", "--baseline"} - {option}
    paths = [option, str(tmp_path / place), *others, str(tmp_path / "other")]
    done = CliRunner().invoke(command, ["gate init", "qrels.txt", "bm25.run", *paths])
    assert isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == 3, done.output
    assert f"{tmp_path / place}: cannot be written: there is no such folder" in done.stderr
    assert not (tmp_path / "other").exists()


def test_a_demo_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(command, ["demo", "--write", str(tmp_path / "file" / "x")])
    assert isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == 3, done.output
