import gzip

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError
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
