import gc
import gzip
import io
import os
import sys
import tempfile
import threading

import pytest

import cranfield as cf
from cranfield.formats import read_run
from cranfield.formats.source import BLOCK, as_source, run_name
from tests.formats.reading import judged, kinds, retrieved, wrong_in_judgments

TEXT = b"q 0 a 1\nq 0 b 0\n"
GRADES = {"q": {"a": 1, "b": 0}}


def test_a_missing_file_is_answered_with_the_nearest_name(write):
    path = write(TEXT, "qrels.txt")
    (finding,) = wrong_in_judgments(path.with_name("qrel.txt"))
    assert (finding.kind, finding.advice) == ("no-such-file", f"Did you mean {path}?")


def test_a_folder_without_files_is_an_error(tmp_path):
    assert kinds(wrong_in_judgments(tmp_path)) == ["no-such-file"]


def test_a_file_that_may_not_be_read_is_an_error(write, monkeypatch):
    path = write(TEXT)
    monkeypatch.setattr(os, "access", lambda *_: False)
    (finding,) = wrong_in_judgments(path)
    assert (finding.kind, finding.message) == ("unreadable", "cannot be read: permission denied")


def test_a_path_no_system_can_have_is_an_error():
    assert kinds(wrong_in_judgments("a\0b")) == ["unreadable"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_as_a_file(tmp_path):
    pipe = tmp_path / "bm25.run"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"q Q0 a 1 2 t\np Q0 b 1 1 t\nq Q0 c 2 1 t\n"])
    writer.start()
    run = read_run(pipe)
    writer.join()
    assert run.name == "bm25"
    assert retrieved(run) == {"q": {"a": 2, "c": 1}, "p": {"b": 1}}


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"\x00\x01\x02 binary", "qrels.bin", "not-text"),
        (b"\x00\x01\x02 binary", "qrels.gz", "misnamed-compression"),
        (b"PK\x03\x04 and so on", "qrels.zip", "is-archive"),
        (b"PK\x03\x04 and so on", "Ratings.XLSX", "unreadable"),
        (b"\n<!DOCTYPE html><html><body>404</body></html>", "qrels.txt", "is-markup"),
        (b'<?xml version="1.0"?><top/>', "qrels.txt", "is-markup"),
        (gzip.compress("q 0 d 1\n".encode("utf-16"), mtime=0), "qrels.txt.gz", "wrong-encoding"),
        ("q 0 d 1\n".encode("utf-16")[:-1], "qrels.txt", "wrong-encoding"),
        (b"q 0 d 1\rq 0 e 1\r", "qrels.txt", "wrong-line-ends"),
    ],
)
def test_files_that_hold_no_text_are_named_for_what_they_are(write, content, name, kind):
    assert kinds(wrong_in_judgments(write(content, name))) == [kind]


def test_a_byte_order_mark_is_no_part_of_the_first_id(write):
    assert judged(write(b"\xef\xbb\xbf" + TEXT)) == GRADES


def test_standard_input_is_read_and_may_be_compressed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    assert judged("-") == GRADES


def test_a_run_from_standard_input_can_be_read_twice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"q Q0 a 1 2 t\np Q0 b 1 1 t\nq Q0 c 2 1 t\n")))
    run = read_run("-")
    assert run.name == "stdin"
    assert retrieved(run) == retrieved(run) == {"q": {"a": 2, "c": 1}, "p": {"b": 1}}


@pytest.mark.parametrize("opened", [io.BytesIO(TEXT), io.StringIO(TEXT.decode())])
def test_open_files_are_read_whether_text_or_bytes(opened):
    assert judged(opened) == GRADES


def test_the_copy_of_a_stream_is_removed_when_nobody_needs_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    run = read_run(io.BytesIO(b"q Q0 a 1 2 t\n"))
    assert len(list(tmp_path.iterdir())) == 1
    del run
    gc.collect()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.k1=0.9.run", "bm25.k1=0.9"),
        ("dense.v2.jsonl.zst", "dense.v2"),
        ("a/b/run42", "run42"),
        ("BM25.TXT", "BM25"),
        ("input.bm25", "input.bm25"),
    ],
)
def test_a_run_is_named_after_its_file(path, name):
    assert run_name(path) == name


def test_blocks_end_at_line_ends_and_know_their_first_line(write):
    lines = [b"x" * (at % 97) for at in range(3 * BLOCK // 48)]
    source = as_source(write(b"\n".join(lines)))
    assert source is not None
    blocks = list(source.blocks())
    assert len(blocks) > 2
    assert [line for block in blocks for line in block.lines] == lines
    assert all(lines[block.first_line - 1] == block.lines[0] for block in blocks)


def test_json_takes_no_more_room_than_there_is_text(monkeypatch, write):
    """Room for the largest file that is read would end a process with little memory."""
    asked = []

    class Reading(io.BytesIO):
        def read(self, size=-1):
            asked.append(size)
            return super().read(size)

    source = as_source(write('{"q1": {"d1": 1}}', "qrels.json"))
    monkeypatch.setattr(type(source), "open", lambda self: Reading(b'{"q1": {"d1": 1}}'))
    assert source.text() == b'{"q1": {"d1": 1}}'
    assert set(asked) == {BLOCK}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_text_in_utf_16_is_read_as_if_it_were_utf_8(tmp_path, encoding):
    path = tmp_path / "ratings.txt"
    text = "query\tdoc\trating\nk\u00e4se\td1\t1\n" + "brot \U0001f35e\td2\t0\n" * 1
    path.write_bytes(text.encode(encoding) if encoding == "utf-16" else ("\ufeff" + text).encode(encoding))
    assert cf.read_judgments(path).queries == ("k\u00e4se", "brot \U0001f35e")


def test_a_large_run_in_utf_16_has_the_scores_of_the_same_in_utf_8(tmp_path):
    text = "".join(f"q{at // 100} Q0 d{at % 100} 1 {1 / (at + 1)} t\n" for at in range(20_000))
    (tmp_path / "a.run").write_text(text)
    (tmp_path / "b.run").write_bytes(text.encode("utf-16"))
    judged = {f"q{at}": {"d3": 1, "d50": 2} for at in range(200)}
    scores = cf.evaluate(judged, [tmp_path / "a.run", tmp_path / "b.run"], "nDCG RR")
    assert scores.values[:, 0].tolist() == scores.values[:, 1].tolist()
