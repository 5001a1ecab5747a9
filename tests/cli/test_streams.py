"""Where output goes: any encoding, any width, closed and full streams, readers that go away."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.parametrize(
    "call",
    [
        "report qrels.txt bm25.run hybrid.run -o",
        "evaluate qrels.txt bm25.run --save",
        "compare qrels.txt bm25.run hybrid.run --resamples 9 --save",
        "curve qrels.txt bm25.run -o",
        "gate init qrels.txt bm25.run --rules /tmp/no-such-rules.toml --baseline",
        "merge labels.csv -o",
        "clicks clicks.csv --model PBM -o",
        "pool bm25.run hybrid.run -o",
        "demo --write",
    ],
)
def test_a_file_that_cannot_be_written(call, tmp_path):
    suffix = ".svg" if call.startswith("curve") else ".html" if call.startswith("report") else ".json"
    (tmp_path / f"folder{suffix}").mkdir()
    (tmp_path / "file").write_text("")
    for target in (tmp_path / "none" / f"x{suffix}", tmp_path / f"folder{suffix}", tmp_path / "file" / f"x{suffix}"):
        if call.startswith("demo") and "file" not in target.parts:
            continue
        done = CliRunner().invoke(command, [*call.split(), str(target)])
        assert isinstance(done.exception, SystemExit), (target, done.exc_info)
        assert done.exit_code in {2, 3}, (target, done.output)
