"""The tests of what changed since the last commit, or of the last commit if nothing has: `make quick`."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src/cranfield")
ELSEWHERE = {
    "src/cranfield/kernels": "tests/kernels",
    "benchmarks/validity": "tests/test_validity.py",
    "benchmarks": "tests/test_benchmarks.py",
    "fuzzing": "tests/test_fuzzing.py",
    "docs": "tests/test_docs.py",
    "examples": "tests/test_examples.py",
    ".github": "tests/test_repository.py",
    "README.md": "tests/test_docs.py",
    "ARCHITECTURE.md": "tests/test_docs.py",
}
"""Tests of what has none of its own name, the narrowest first."""
ANYWAY = ["tests/evaluating/test_evaluation.py", "tests/cli/test_evaluate.py"]
"""What is tested of a change that nothing else is known to be about."""
MOST = 12
"""Files that import something, beyond which a minute would not do."""


def main() -> int:
    """Run them; the exit code is pytest's."""
    paths = changed()
    chosen = tests_of(paths)
    print(f"{len(paths)} changed, tested by {' '.join(chosen) or 'nothing'}", flush=True)
    if left_out := importers_left_out(paths, chosen):
        print(f"{len(left_out)} more files import what changed: {' '.join(left_out)}", flush=True)
    if not chosen:
        return 0
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *chosen]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def changed() -> list[Path]:
    """Files that differ from the last commit and are still there; if none does, those of the last commit."""
    now = [*_git("diff", "--name-only", "HEAD"), *_git("ls-files", "--others", "--exclude-standard")]
    names = now or _git("diff-tree", "--no-commit-id", "--name-only", "-r", "--root", "-m", "--first-parent", "HEAD")
    return [Path(name) for name in dict.fromkeys(names) if (ROOT / name).is_file()]


def tests_of(paths: Iterable[Path]) -> list[str]:
    """What pytest is to run for these files."""
    paths = list(paths)
    chosen = [test for path in paths for test in _tests_of(path)]
    if not chosen and any(path.suffix == ".py" for path in paths):
        chosen = ANYWAY
    inside = [test for test in dict.fromkeys(chosen) if (ROOT / test).exists()]
    return [test for test in inside if not any(test != other and Path(test).is_relative_to(other) for other in inside)]


def importers_left_out(paths: Iterable[Path], chosen: Iterable[str]) -> list[str]:
    """Tests that import what changed, but would take longer than a minute together with those that are chosen."""
    modules = [_module(path) for path in paths if path.suffix == ".py" and path.is_relative_to(PACKAGE)]
    others = dict.fromkeys(test for module in modules for test in _importers(module))
    return [test for test in others if not any(Path(test).is_relative_to(other) for other in chosen)]


def _tests_of(path: Path) -> list[str]:
    if path.parts[0] == "tests":
        return _of_a_test(path)
    near = [tests for place, tests in ELSEWHERE.items() if path.is_relative_to(place)][:1]
    if path.is_relative_to(PACKAGE):
        own = [str(path)] if path.suffix == ".py" else []
        mirrored = [str(test) for test in _mirrored(path) if (ROOT / test).exists()]
        return [*own, *near, *mirrored, *_importers(_module(path))[:MOST]]
    return [*([str(path)] if path.suffix == ".md" and path.parts[0] in {"docs", "README.md"} else []), *near]


def _of_a_test(path: Path) -> list[str]:
    if path.name.startswith("test_"):
        return [str(path)]
    if path.name == "conftest.py" and len(path.parts) > 2:
        return [str(path.parent)]
    return _importers(".".join(path.with_suffix("").parts))[:MOST]


def _mirrored(path: Path) -> list[Path]:
    """Where the tests of a module are by its name: `a/b.py` in `a/test_b.py`, `test_a.py` or, of a package, `a`."""
    inside = path.relative_to(PACKAGE).with_suffix("")
    if inside.name == "__init__":
        return [Path("tests", inside.parent) if inside.parent.parts else Path("tests/test_init.py")]
    package = [Path("tests", f"test_{inside.parts[0]}.py")] if len(inside.parts) > 1 else []
    return [Path("tests", inside.parent, f"test_{inside.name}.py"), *package]


def _module(path: Path) -> str:
    parts = path.relative_to("src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _importers(module: str) -> list[str]:
    """Tests that import a module by its name."""
    return [test for test in _all_tests() if module in _imported(test)] if module != "cranfield" else []


@cache
def _all_tests() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob("test_*.py"))]


@cache
def _imported(test: str) -> set[str]:
    """Every module that a file imports, and every `a.b` of `from a import b`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / test).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments, "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name]


if __name__ == "__main__":
    sys.exit(main())
