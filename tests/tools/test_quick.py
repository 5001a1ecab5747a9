"""Which tests `make quick` chooses for a change."""

import subprocess
from pathlib import Path

import pytest

from tools import quick


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("src/cranfield/align.py", "src/cranfield/align.py"),
        ("src/cranfield/align.py", "tests/test_align.py"),
        ("src/cranfield/cli/evaluate.py", "tests/cli/test_evaluate.py"),
        ("src/cranfield/comparing/significance_tests/student.py", "tests/comparing/significance_tests/test_student.py"),
        ("src/cranfield/kernels/compiled.pyx", "tests/kernels"),
        ("src/cranfield/__init__.py", "tests/test_init.py"),
        ("tests/evaluating/test_bounds.py", "tests/evaluating/test_bounds.py"),
        ("tests/cli/conftest.py", "tests/cli"),
        ("tests/measures/reference.py", "tests/evaluating/test_bounds.py"),
        ("benchmarks/validity/__init__.py", "tests/test_validity.py"),
        ("benchmarks/bench.py", "tests/test_benchmarks.py"),
        ("fuzzing/seeds.py", "tests/test_fuzzing.py"),
        ("docs/compare.md", "docs/compare.md"),
        ("docs/compare.md", "tests/test_docs.py"),
    ],
)
def test_a_file_has_the_tests_of_its_name_and_those_that_import_it(path, test):
    assert test in quick.tests_of([Path(path)])


def test_every_module_has_some():
    for path in (quick.ROOT / quick.PACKAGE).rglob("*.py"):
        assert quick.tests_of([path.relative_to(quick.ROOT)]), path


def test_importers_beyond_a_minute_are_listed_as_left_out():
    changed, importers = [Path("src/cranfield/formats/__init__.py")], set(quick._importers("cranfield.formats"))
    chosen = quick.tests_of(changed)
    left_out = quick.importers_left_out(changed, chosen)
    assert len(importers) > quick.MOST
    assert {test for test in importers if not test.startswith("tests/formats/")} <= {*chosen, *left_out}
    assert left_out
    assert not {*chosen} & {*left_out}


def test_a_folder_holds_its_files_once():
    chosen = quick.tests_of([Path("tests/cli/conftest.py"), Path("tests/cli/test_main.py")])
    assert chosen == ["tests/cli"]


def test_code_that_no_test_is_known_of_is_tested_by_an_evaluation():
    assert quick.tests_of([Path("setup.py")]) == quick.ANYWAY
    assert quick.tests_of([Path("Makefile")]) == []


def test_what_changed_is_what_is_not_committed_and_else_the_last_commit(tmp_path, monkeypatch):
    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=tmp_path, check=True)

    monkeypatch.setattr(quick, "ROOT", tmp_path)
    for name in ("committed.py", "edited.py", "gone.py"):
        (tmp_path / name).write_text("")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "all")
    assert {path.name for path in quick.changed()} == {"committed.py", "edited.py", "gone.py"}
    (tmp_path / "edited.py").write_text("1")
    (tmp_path / "new one.py").write_text("")
    (tmp_path / "gone.py").unlink()
    assert {path.name for path in quick.changed()} == {"edited.py", "new one.py"}
