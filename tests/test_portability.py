"""What would go wrong on Windows or macOS alone, as far as the code shows it here; the workflows run the rest there."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cranfield as cf
from cranfield import demo
from tests.conftest import ROOT

SOURCE = ROOT / "src" / "cranfield"
MODULES = {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}
OF_ONE_SYSTEM = {"fcntl", "grp", "msvcrt", "pwd", "resource", "termios", "winreg"}
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            yield name, node, {keyword.arg for keyword in node.keywords}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_text_is_read_and_written_in_an_encoding_that_is_named(module):
    without = [
        node.lineno
        for name, node, keywords in calls(MODULES[module])
        if name in ("read_text", "write_text", "TextIOWrapper") and isinstance(node.func, ast.Attribute)
        if "encoding" not in keywords and len(node.args) < 2 and not _is_ours(module, name)
    ]
    assert without == []


def _is_ours(module, name):
    """Our own `write_text` takes a path and a text, and has one encoding."""
    return name == "write_text" and not module.startswith(("formats/", "demo/"))


def test_modules_of_one_system_are_imported_where_the_system_is_asked_for():
    found = {}
    for module, tree in MODULES.items():
        guarded = {
            id(node) for branch in ast.walk(tree) if isinstance(branch, ast.If | ast.Try) for node in ast.walk(branch)
        }
        functions = {id(node) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for node in ast.walk(f)}
        for node in ast.walk(tree):
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            if names & OF_ONE_SYSTEM and id(node) not in guarded | functions:
                found[module] = names
    assert found == {}


def test_what_is_written_does_not_depend_on_the_encoding_of_the_system(tmp_path):
    (tmp_path / "runs.csv").write_text(
        "query,document,score\nGrüße,д1,2\nGrüße,文2,1\n", encoding="utf-8", newline="\n"
    )
    old = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    for name, more in {"new.run": {}, "old.run": old}.items():
        command = [Path(sys.executable).parent / "cranfield", "convert", "runs.csv", name, "--quiet"]
        done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **more}, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    written = (tmp_path / "new.run").read_bytes()
    assert written == (tmp_path / "old.run").read_bytes()
    assert "Grüße Q0 д1 1".encode() in written
    assert b"\r" not in written


@pytest.mark.parametrize("name", ["aux.run", "CON", "é ü.run", "a" * 200 + ".run"])
def test_files_may_have_names_that_some_systems_keep_for_themselves(tmp_path, name):
    (tmp_path / name).write_bytes(demo.path("bm25.run").read_bytes())
    scores = cf.evaluate(demo.path("qrels.txt"), tmp_path / name, "AP")
    assert scores.runs == (name.removesuffix(".run"),)


def test_no_process_is_forked():
    forks = [
        (module, name) for module, tree in MODULES.items() for name, _, _ in calls(tree) if name in ("fork", "forkpty")
    ]
    assert forks == []
    text = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    assert "import multiprocessing" not in text
    assert "ProcessPoolExecutor" not in text


def test_every_file_of_the_repository_can_be_checked_out_on_every_system():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no clone")
    names = [name for name in listed.stdout.split("\0") if name]
    folded = [name.casefold() for name in names]
    assert len(set(folded)) == len(names), "two names that differ in case alone"
    for name in names:
        assert not set(name) & set('<>:"|?*\\'), name
        assert len(name) < 200, name
        for part in name.split("/"):
            assert part.split(".")[0].casefold() not in RESERVED, name
            assert part == part.rstrip(". "), name
