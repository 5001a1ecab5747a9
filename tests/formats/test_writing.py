"""Judgments that are written are read as they were."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import sys
from typing import ClassVar

import lz4.frame
import pytest
import zstandard

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.file_endings import IMAGES, JUDGMENTS
from cranfield.formats.compression import SUFFIXES
from cranfield.formats.writing import form_of, trec, write_judgments, write_text
from cranfield.show.table import Table
from tests.formats.reading import grades


def test_what_is_written_is_read_again():
    judged = {"q1": {"d1": 2.0, "d2": 0.1 + 0.2}, "é\u20281": {"\ufeffd": -1.0, "#d": 1e100}}
    assert grades(cf.read_judgments(io.StringIO(trec(cf.read_judgments(judged))))) == judged


@pytest.mark.parametrize("query", ["two words", "#1", "\ufeffq1", " q"])
def test_a_query_that_would_be_read_otherwise_is_not_written(query):
    with pytest.raises(DataError, match=r"cannot be written to a TREC file"):
        trec(cf.read_judgments({query: {"d1": 1}}))


IDS = ["'=x", "=x", "-abc", "a\rb", "a\nb", 'say "no"', "a,b", "a\tb", " d ", "#d", "\u2028", "7"]


@pytest.mark.parametrize("ending", [".csv", ".TSV", ".jsonl", ".parquet"])
def test_every_id_comes_back_from_a_table(tmp_path, ending):
    table = Table({"query": ["q"] * len(IDS), "document": IDS, "grade": [1.5] * len(IDS)})
    path = tmp_path / f"judged{ending}"
    write_judgments(path, cf.read_judgments({"q": ["d"]}), [], table)
    assert list(cf.read_judgments(path)["q"]) == IDS
    if ending != ".parquet":
        assert b"\r\n" not in path.read_bytes()


class TestAFileThatIsThere:
    """Its content is worth something until there is other content."""

    def test_keeps_its_content_where_the_new_one_cannot_be_written(self, tmp_path, monkeypatch):
        path = tmp_path / "baseline.json"
        path.write_text("old")

        class FullDisk(io.BytesIO):
            def write(self, content):
                raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("cranfield.formats.writing.compressed", lambda raw, name: FullDisk())
        with pytest.raises(DataError, match="no space left on device"):
            write_text(path, "new content")
        assert path.read_text() == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == ["baseline.json"]

    def test_keeps_its_permissions_and_the_links_to_it(self, tmp_path):
        path, link = tmp_path / "baseline.json", tmp_path / "latest.json"
        path.write_text("old")
        path.chmod(0o640)
        link.symlink_to(path)
        write_text(link, "new")
        assert (link.is_symlink(), path.read_text(), path.stat().st_mode & 0o777) == (True, "new", 0o640)
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["baseline.json", "latest.json"]

    def test_is_added_to_where_that_is_wanted(self, tmp_path):
        write_text(tmp_path / "summary.md", "one\n")
        write_text(tmp_path / "summary.md", "two\n", append=True)
        assert (tmp_path / "summary.md").read_text() == "one\ntwo\n"


class TestCompression:
    """The end of a name says how a file is compressed, whoever writes it."""

    OPENED: ClassVar = {
        ".gz": gzip.open,
        ".bz2": bz2.open,
        ".xz": lzma.open,
        ".zst": zstandard.open,
        ".lz4": lz4.frame.open,
        "": open,
    }

    @pytest.mark.parametrize("ending", [*SUFFIXES, ".GZ", ""])
    def test_what_is_written_is_what_other_programs_read(self, tmp_path, ending):
        path = tmp_path / f"qrels.txt{ending}"
        write_text(path, "q1 0 d1 2\n")
        with self.OPENED[ending.lower()](path, "rb") as opened:
            assert opened.read() == b"q1 0 d1 2\n"
        assert cf.read_judgments(path)["q1"] == {"d1": 2}

    @pytest.mark.parametrize("ending", SUFFIXES)
    def test_the_same_content_is_the_same_file(self, tmp_path, ending):
        for name in ("a", "b"):
            write_text(tmp_path / f"{name}{ending}", "content\n")
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()

    def test_zstd_without_its_package_names_what_to_install(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "zstandard", None)
        monkeypatch.setitem(sys.modules, "compression.zstd", None)
        with pytest.raises(DataError, match="writing zstd files needs the package zstandard"):
            write_text(tmp_path / "a.zst", "a\n")
        assert list(tmp_path.iterdir()) == []

    def test_pictures_and_workbooks_are_not_compressed_again(self):
        with pytest.raises(UsageError, match=r"a\.svg\.gz: the name does not show the format"):
            form_of("a.svg.gz", IMAGES, "a figure")


def test_an_id_that_no_text_can_hold_is_refused(tmp_path):
    table = Table({"query": ["q"], "document": ["a\0b"], "grade": [1]})
    with pytest.raises(DataError, match="has a NUL character, which no text file can hold"):
        write_judgments(tmp_path / "judged.csv", cf.read_judgments({"q": ["d"]}), [], table)


def test_a_name_that_tells_no_format_is_wrong_usage():
    with pytest.raises(UsageError, match=r"a.docx: the name does not show the format to write judgments in"):
        form_of("a.docx", JUDGMENTS, "judgments")
    assert form_of("a.QRELS", JUDGMENTS, "judgments") == "trec"


class TestTexts:
    def test_lines_end_with_lf_on_every_system(self, tmp_path, monkeypatch):
        monkeypatch.setattr("os.linesep", "\r\n")
        write_text(tmp_path / "a.txt", "é\nb\n")
        write_text(tmp_path / "a.txt", "c\n", append=True)
        assert (tmp_path / "a.txt").read_bytes() == "é\nb\nc\n".encode()

    @pytest.mark.parametrize("name", ["nowhere/a.txt", "a\0b.txt", ""])
    def test_a_file_that_cannot_be_written_is_told(self, tmp_path, name):
        with pytest.raises(DataError, match="cannot be written"):
            write_text(f"{tmp_path}/{name}", "a\n")

    @pytest.mark.parametrize(
        "write",
        [
            lambda path: cf.report(cf.evaluate({"q": ["d"]}, {"q": ["d"]}, "RR")).save(path),
            lambda path: cf.save(cf.evaluate({"q": ["d"]}, {"q": ["d"]}, "RR"), path),
        ],
        ids=["report", "results"],
    )
    def test_so_is_everything_else_that_has_a_name_no_file_can_have(self, tmp_path, write):
        with pytest.raises(DataError, match="cannot be written: embedded null byte"):
            write(tmp_path / "a\0b")
