"""Only `formats/` reads and writes files: whatever holds for one file then holds for all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cranfield

ROOT = Path(cranfield.__file__).parent
TOUCH_FILES = {"open", "fdopen", "read_text", "read_bytes", "write_bytes", "mmap", "file_digest", "connect"}
ELSEWHERE = {
    "__init__.py": {"open"},  # its own stub, before anything else is loaded
    "assessing/store/filesystem.py": {"read_text"},  # the list of mounts, which the system writes
    "assessing/store/owner.py": {"open"},  # the lock beside a store
    "assessing/store/served.py": {"open"},  # a request over HTTP
    "assessing/store/sqlite.py": {"connect", "open"},  # SQLite reads and writes its file; "open" makes it durable
    "cli/streams.py": {"open"},  # the null device, where standard output was closed
    "demo/__init__.py": {"read_bytes", "write_bytes"},  # files that come with the package, and copies of them
    "requesting/downloads.py": {"open"},  # a request over HTTP
    "requesting/transport.py": {"open"},  # likewise
    "reporting/build.py": {"read_text"},  # style and script that come with the package
    "retrieving/databases.py": {"connect"},  # databases that are asked, which read their own files
    "self_testing/self_test.py": {"read_bytes", "read_text"},  # numbers and a collection that come with the package
    "show/templates.py": {"read_text"},  # likewise
    "assessing/web/pages.py": {"read_text"},  # likewise
    "assessing/web/serving.py": {"connect"},  # asks the system for this machine's address
}


def calls(tree: ast.AST) -> Iterator[str]:
    """The names of functions and methods that are called and touch files."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            of_path = name == "write_text" and isinstance(function, ast.Attribute)  # elsewhere our own function
            if name in TOUCH_FILES or of_path:
                yield name


@pytest.mark.parametrize(
    "module", sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py")), ids=lambda name: name
)
def test_only_formats_reads_and_writes_files(module):
    if not module.startswith("formats/"):
        assert set(calls(ast.parse((ROOT / module).read_text(encoding="utf-8")))) == ELSEWHERE.get(module, set())


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("Path(p).write_text(t)", ["write_text"]),
        ("write_text(p, t)", []),
        ("open(p)", ["open"]),
        ("os.open(p)", ["open"]),
        ("p.read_bytes()", ["read_bytes"]),
    ],
)
def test_access_to_files_is_recognised(source, found):
    assert list(calls(ast.parse(source))) == found
