import gzip
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats import arrow, spilling
from cranfield.formats.source import as_source
from tests.formats.frames import GRADES, TABLE
from tests.formats.reading import judged, kinds, retrieved, wrong_in_judgments, wrong_in_run


def test_what_needs_pyarrow_names_what_to_install(write, without_pyarrow):
    (finding,) = wrong_in_judgments(write(b"PAR1", "qrels.parquet"))
    assert (finding.kind, finding.advice) == (
        "missing-package",
        "Install it: pip install pyarrow",
    )
    stream = type("Stream", (), {"__arrow_c_stream__": lambda self: None})()
    assert kinds(wrong_in_judgments(stream)) == ["missing-package"]


def write_parquet(table, path):
    pyarrow.parquet.write_table(table, path, row_group_size=2)


def write_stream(table, path):
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_stream(target, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("write_table", [write_parquet, pyarrow.feather.write_feather, write_stream])
def test_parquet_and_arrow_files(tmp_path, write_table):
    path = tmp_path / "table"
    write_table(TABLE.append_column("note", pa.array([["x"]] * 3)), path)
    assert judged(path) == GRADES
    assert retrieved(path, columns="score=label") == GRADES


def test_a_compressed_parquet_file(tmp_path, write):
    write_parquet(TABLE, tmp_path / "plain")
    assert judged(write(gzip.compress((tmp_path / "plain").read_bytes()), "x.parquet.gz")) == GRADES


def test_a_broken_parquet_file_is_an_error(write):
    assert kinds(wrong_in_judgments(write(b"PAR1\x15\x04 and then nothing"))) == ["unreadable"]


def test_a_parquet_file_says_row_in_its_findings(tmp_path):
    path = tmp_path / "run.parquet"
    write_parquet(pa.table({"qid": ["q"] * 3, "docno": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}), path)
    (finding,) = wrong_in_run(path)
    assert str(finding) == f"{path}, row 3: query 'q' lists document 'a' again; it is already on row 1"


@pytest.mark.parametrize("write_file", [pa.ipc.new_file, pa.ipc.new_stream], ids=["file", "stream"])
@pytest.mark.parametrize("role", ["judgments", "run"])
def test_a_text_that_reaches_beyond_its_data_is_refused_and_not_read(tmp_path, write_file, role):
    table = pa.table({"query_id": ["q1", "q2"], "doc_id": ["aaaa", "bbbb"], "score": [1.0, 2.0]})
    with write_file(tmp_path / "table", table.schema) as writer:
        writer.write_table(table)
    data = (tmp_path / "table").read_bytes()
    offsets = np.array([0, 4, 8], np.int32).tobytes()
    assert data.count(offsets) == 1
    (tmp_path / "table").write_bytes(data.replace(offsets, np.array([0, 4, 1 << 30], np.int32).tobytes()))
    pair = ({"q1": {"aaaa": 1}}, tmp_path / "table") if role == "run" else (tmp_path / "table", {"q1": ["aaaa"]})
    with pytest.raises(DataError, match="the table is damaged"):
        cf.evaluate(*pair, "RR")


ROWS = [(f"q{query}", f"d{rank}", 9.0 - rank) for query in range(30) for rank in range(9)]
LABELS = {f"q{query}": {"d0": 1, "d4": 2} for query in range(25)}


def a_table(rows=ROWS):
    return pa.table(dict(zip(("query", "document", "score"), map(list, zip(*rows, strict=True)), strict=True)))


def stream_of(table):
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=7))


def relation_of(table):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.from_arrow(table)


def plan_of(table):
    return pytest.importorskip("polars").from_arrow(table).lazy()


def dataset_of(table):
    import pyarrow.dataset

    return pyarrow.dataset.dataset(table)


STREAMS = {"reader": stream_of, "relation": relation_of, "plan": plan_of, "dataset": dataset_of}


@pytest.mark.parametrize("held", [0, 1 << 27], ids=["in a file", "in memory"])
@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("rows", [ROWS, Random(2).sample(ROWS, len(ROWS))], ids=["grouped", "shuffled"])
def test_what_streams_give_is_kept_where_there_is_room_and_read_as_often_as_needed(
    monkeypatch, tmp_path, held, kind, rows
):
    monkeypatch.setattr(spilling, "HELD", held)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    whole = cf.evaluate(LABELS, a_table(), "AP nDCG@5")
    run = cf.read_run(STREAMS[kind](a_table(rows)))
    assert len(list(tmp_path.iterdir())) == (held == 0)
    for _ in range(2):
        np.testing.assert_array_equal(cf.evaluate(LABELS, run, "AP nDCG@5").values, whole.values)


GOING = """
import gc
import sys
import tempfile
from pathlib import Path

import pyarrow as pa

import cranfield as cf
from cranfield.formats import spilling

spilling.HELD = 0
tempfile.tempdir = sys.argv[1]
table = pa.table({"query": ["q", "q"], "document": ["d", "e"], "score": [1.0, 2.0]})
run = cf.read_run(pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1)))
assert cf.evaluate({"q": {"d": 1}}, run, "RR").mean("RR").value == 0.5
assert len(list(Path(tempfile.tempdir).iterdir())) == 1
del run
gc.collect()
assert list(Path(tempfile.tempdir).iterdir()) == []
"""


def test_the_file_of_a_stream_is_removed_with_the_run(tmp_path):
    # In a process of its own: what counts the lines that tests reach keeps functions, and what they refer to.
    subprocess.run([sys.executable, "-c", GOING, tmp_path], check=True)


@pytest.mark.parametrize("kind", STREAMS)
def test_a_stream_without_rows_is_no_run(kind):
    with pytest.raises(DataError, match="no rankings found"):
        cf.evaluate(LABELS, STREAMS[kind](a_table().slice(0, 0)), "AP")


def test_a_stream_that_breaks_off_is_told():
    def breaking():
        yield from a_table().to_batches(max_chunksize=7)[:3]
        raise OSError("the connection was reset")

    with pytest.raises(DataError, match="the connection was reset"):
        cf.evaluate(LABELS, pa.RecordBatchReader.from_batches(a_table().schema, breaking()), "AP")


def test_no_room_for_a_stream_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(spilling, "HELD", 0)
    monkeypatch.setattr(arrow, "temporary_file", lambda: Path("/dev/full"))
    monkeypatch.setattr(arrow, "remove_with", lambda *given: None)
    with pytest.raises(cf.CranfieldError, match="a stream that can be read only once is kept there") as raised:
        cf.evaluate(LABELS, stream_of(a_table()), "AP")
    assert "Free some space" in str(raised.value)


def test_a_dataset_of_files_is_read_where_it_is_and_only_the_columns_that_count(tmp_path, monkeypatch):
    import pyarrow.dataset as ds

    monkeypatch.setattr(spilling, "HELD", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    table = a_table()
    unread = pa.array([b"x"] * len(table)).cast(pa.binary())
    ds.write_dataset(table.append_column("notes", unread), tmp_path / "run", format="parquet")
    scores = cf.evaluate(LABELS, ds.dataset(tmp_path / "run"), "AP")
    np.testing.assert_array_equal(scores.values, cf.evaluate(LABELS, table, "AP").values)


def test_texts_that_rows_share_are_read_by_their_numbers(tmp_path):
    pyarrow.parquet.write_table(a_table(), tmp_path / "shared.parquet")
    pyarrow.parquet.write_table(a_table(), tmp_path / "plain.parquet", use_dictionary=False)
    seen = []
    for name in ("shared", "plain"):
        table = arrow.file_table(as_source(str(tmp_path / f"{name}.parquet")))
        (arrays,) = table.arrays([0, 1], 1000)
        seen.append(pa.types.is_dictionary(arrays[0].type))
        assert arrays[0].cast(pa.string()).to_pylist() == [query for query, *_ in ROWS]
    assert seen == [True, False]
