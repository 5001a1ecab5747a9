import bz2
import gzip
import lzma
import sys

import lz4.frame
import pytest
import zstandard

import cranfield as cf
from tests.formats.reading import judged, kinds, wrong_in_judgments

TEXT = b"q 0 a 1\nq 0 b 0\n"
GRADES = {"q": {"a": 1, "b": 0}}
COMPRESSIONS = {
    "gz": gzip.compress,  # read by isal where that is installed
    "gz without isal": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "lz4": lz4.frame.compress,
}


@pytest.fixture(params=COMPRESSIONS)
def suffix(request, monkeypatch):
    name, _, without = request.param.partition(" without ")
    if without:
        monkeypatch.setitem(sys.modules, without, None)
    return name


def test_compressed_files_are_read_as_they_are(write, suffix):
    assert judged(write(COMPRESSIONS[suffix](TEXT), f"qrels.{suffix}")) == GRADES


def test_the_bytes_tell_the_compression_and_not_the_name(write, suffix):
    assert judged(write(COMPRESSIONS[suffix](TEXT), "qrels.txt")) == GRADES
    assert judged(write(TEXT, f"qrels.{suffix}")) == GRADES


def test_parts_compressed_one_by_one_are_one_file(write, suffix):
    compress = COMPRESSIONS[suffix]
    assert judged(write(compress(TEXT[:8]) + compress(TEXT[8:]))) == GRADES


def test_a_file_that_ends_too_early_is_an_error(write, suffix):
    text = b"".join(b"q%d 0 d%d 1\n" % (at, at * 7919 % 10007) for at in range(5000))
    compressed = COMPRESSIONS[suffix](text)
    (finding,) = wrong_in_judgments(write(compressed[: len(compressed) // 2], f"qrels.{suffix}"))
    assert (finding.kind, "end too early" in finding.message) == ("broken-compression", True)


def test_a_damaged_file_is_an_error(write, suffix):
    damaged = COMPRESSIONS[suffix](TEXT)[:8] + b"\x00garbage that was never compressed"
    assert kinds(wrong_in_judgments(write(damaged, f"qrels.{suffix}"))) == ["broken-compression"]


def test_zstd_without_its_package_names_what_to_install(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    (finding,) = wrong_in_judgments(write(COMPRESSIONS["zst"](TEXT)))
    assert (finding.kind, finding.advice) == (
        "missing-package",
        "Install it: pip install zstandard",
    )


def test_lz4_without_its_package_names_what_to_install(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "lz4.frame", None)
    (finding,) = wrong_in_judgments(write(COMPRESSIONS["lz4"](TEXT)))
    assert (finding.kind, finding.advice) == ("missing-package", "Install it: pip install lz4")


def test_a_text_that_begins_as_bzip2_does_is_a_text(tmp_path):
    (tmp_path / "qrels.txt").write_text("BZh9 0 d1 1\nBZh9 0 d2 0\n")
    assert cf.read_judgments(tmp_path / "qrels.txt").queries == ("BZh9",)
    (tmp_path / "qrels.bz2").write_bytes(bz2.compress(b"q1 0 d1 1\n"))
    assert cf.read_judgments(tmp_path / "qrels.bz2").queries == ("q1",)
