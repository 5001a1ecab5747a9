"""The demo collection can be found and copied out."""

import subprocess
import sys
from pathlib import Path

import pytest

from cranfield import demo
from cranfield.errors import UsageError

FILES = [
    "README.md",
    "bm25.run",
    "clicks.csv",
    "dense.run",
    "documents.jsonl",
    "hybrid.run",
    "labels.csv",
    "qrels.txt",
    "queries.tsv",
    "title.run",
]


def test_the_collection_is_ten_files() -> None:
    assert demo.names() == FILES


def test_every_file_is_where_its_path_says() -> None:
    assert all(demo.path(name).is_file() for name in demo.names())


def test_a_misspelt_file_is_answered_with_the_nearest_right_one() -> None:
    with pytest.raises(UsageError, match=r"no file 'bm25\.rum'.\nDid you mean bm25\.run"):
        demo.path("bm25.rum")


def test_a_name_like_no_other_is_answered_with_all_of_them() -> None:
    with pytest.raises(UsageError, match=r"It has README\.md, bm25\.run"):
        demo.path("???")


def test_writing_makes_the_directory_and_copies_every_file(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "demo"
    written = demo.write(target)
    assert written == [target / name for name in FILES]
    assert all(path.read_bytes() == demo.path(path.name).read_bytes() for path in written)


def test_a_directory_may_be_given_as_text(tmp_path: Path) -> None:
    assert demo.write(str(tmp_path))[0] == tmp_path / "README.md"


def test_writing_again_is_fine_and_restores_what_is_missing(tmp_path: Path) -> None:
    demo.write(tmp_path)
    (tmp_path / "qrels.txt").unlink()
    demo.write(tmp_path)
    assert (tmp_path / "qrels.txt").read_bytes() == demo.path("qrels.txt").read_bytes()


def test_files_that_are_not_of_the_demo_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.run").write_text("mine")
    demo.write(tmp_path)
    assert (tmp_path / "mine.run").read_text() == "mine"


def test_a_file_that_differs_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("my own judgments")
    with pytest.raises(UsageError) as refused:
        demo.write(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path} already has a file that differs from the demo: qrels.txt\n"
        "Nothing was written. Choose another directory, or move these away first."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["qrels.txt"]
    assert (tmp_path / "qrels.txt").read_text() == "my own judgments"


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("")
    with pytest.raises(UsageError, match="needs a directory"):
        demo.write(tmp_path / "demo")


def test_finding_the_files_does_not_import_numpy() -> None:
    # The package's own __init__ may import numpy, so only what the demo adds to it is counted.
    code = (
        "import sys, cranfield; before = set(sys.modules); import cranfield.demo; "
        "print(*sorted(name.partition('.')[0] if name[:9] != 'cranfield' else name "
        "for name in set(sys.modules) - before))"
    )
    added = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "numpy" not in added.split()
