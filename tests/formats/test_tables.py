import gzip
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings, UsageError
from cranfield.formats import read_judgments, read_run
from tests.formats.reading import judged, kinds, rankings, retrieved, wrong_in_judgments, wrong_in_run

QUERIES, DOCUMENTS, LABELS = ["q1", "q1", "q2"], ["d1", "d2", "d1"], [2, 0, 1]
TABLE = pa.table({"qid": QUERIES, "docno": DOCUMENTS, "label": LABELS})
GRADES = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}
IN_MEMORY = {
    "pandas": lambda: TABLE.to_pandas(),
    "polars": lambda: pl.from_arrow(TABLE),
    "polars, lazy": lambda: pl.from_arrow(TABLE).lazy(),
    "pyarrow": lambda: TABLE,
    "pyarrow, in chunks": lambda: pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1)]),
    "pyarrow, a batch": lambda: TABLE.to_batches()[0],
    "pyarrow, a reader": lambda: TABLE.to_reader(),
    "duckdb": lambda: duckdb.from_arrow(TABLE),
}


@pytest.mark.parametrize("library", IN_MEMORY)
def test_tables_of_every_library(library):
    assert judged(IN_MEMORY[library]()) == GRADES


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "pyarrow, a reader"])
def test_a_run_in_a_table_can_be_read_twice(library):
    run = read_run(IN_MEMORY[library](), columns="score=label")
    assert retrieved(run) == retrieved(run) == GRADES


@pytest.fixture
def without_pyarrow(monkeypatch):
    for module in ("pyarrow", "pyarrow.ipc", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize("library", ["pandas", "polars", "polars, lazy"])
def test_data_frames_need_no_pyarrow(library, without_pyarrow):
    plain = {"qid": QUERIES, "docno": DOCUMENTS, "label": LABELS}
    frame = pd.DataFrame(plain) if library == "pandas" else pl.DataFrame(plain)
    assert judged(frame.lazy() if library == "polars, lazy" else frame) == GRADES


def test_what_needs_pyarrow_names_what_to_install(write, without_pyarrow):
    (finding,) = wrong_in_judgments(write(b"PAR1", "qrels.parquet"))
    assert (finding.kind, finding.advice) == (
        "missing-package",
        'Install it with: pip install "cranfield[arrow]"',
    )
    stream = type("Stream", (), {"__arrow_c_stream__": lambda self: None})()
    assert kinds(wrong_in_judgments(stream)) == ["missing-package"]


@pytest.mark.parametrize(
    "type_",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.binary()],
)
def test_ids_may_be_text_of_any_kind(type_):
    column = pa.array(DOCUMENTS).cast(type_)
    assert judged(TABLE.set_column(1, "docno", column)) == GRADES


@pytest.mark.parametrize("type_", [pa.int8(), pa.uint64(), pa.int64(), pa.decimal128(5, 0)])
def test_grades_may_be_numbers_of_any_kind(type_):
    assert judged(TABLE.set_column(2, "label", pa.array(LABELS, type_))) == GRADES


def test_scores_may_be_of_half_precision():
    column = pa.array(np.array(LABELS, dtype=np.float16))
    assert retrieved(TABLE.set_column(2, "score", column)) == GRADES


def test_whole_numbers_are_ids():
    table = TABLE.set_column(1, "docno", pa.array([10, 2**60, 10]))
    assert judged(table) == {"q1": {"10": 2, str(2**60): 0}, "q2": {"10": 1}}


def test_ids_that_a_gap_made_floats_are_read_with_a_warning_and_the_gap_is_an_error():
    frame = pd.DataFrame({"qid": ["q", "q", "q"], "docno": [1.0, None, 3.0], "label": [1, 1, 1]})
    findings = Findings()
    with pytest.raises(DataError, match="row 2: the document id is missing"):
        read_judgments(frame, findings=findings)
    (warning,) = findings.warnings
    assert (warning.kind, warning.count) == ("float-ids", 2)


@pytest.mark.parametrize(
    "labels", [[1, None, 1], [1.0, float("nan"), 1.0], ["1", "x", "1"], [None, pd.NA, 1], [1, True, 1]]
)
def test_values_that_are_no_numbers_are_errors_with_their_row(labels):
    frame = pd.DataFrame({"qid": ["a", "b", "c"], "docno": ["d"] * 3, "label": pd.Series(labels, dtype=object)})
    findings = wrong_in_judgments(frame)
    assert {finding.kind for finding in findings} == {"grade-not-a-number"}
    assert 2 in {finding.line for finding in findings}
    assert {finding.unit for finding in findings} == {"row"}


def test_truth_values_are_no_grades():
    assert kinds(wrong_in_judgments(pl.DataFrame({"qid": ["q"], "docno": ["d"], "label": [True]}))) == [
        "grade-not-a-number"
    ]


def test_a_rank_column_is_compared_with_the_scores():
    table = {"qid": ["q", "q"], "docno": ["a", "b"], "rank": [1, 2], "score": [0.1, 0.2]}
    findings = Findings()
    rankings(read_run(pa.table(table)), findings)
    assert kinds(findings.warnings) == ["ranks-contradict-scores"]


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
    assert kinds(wrong_in_judgments(write(b"PAR1 and then nothing"))) == ["unreadable"]


def test_a_parquet_file_says_row_in_its_findings(tmp_path):
    path = tmp_path / "run.parquet"
    write_parquet(pa.table({"qid": ["q"] * 3, "docno": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}), path)
    (finding,) = wrong_in_run(path)
    assert str(finding) == f"{path}, row 3: query 'q' lists document 'a' again; it is already on row 1"


def test_a_reader_of_record_batches_is_one_run():
    table = pa.table({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "c"], "score": [2.0, 1.0, 3.0]})
    judgments = {"q1": {"b": 1}, "q2": {"c": 1}}
    for run in (table.to_reader(max_chunksize=1), table.to_batches()[0], table):
        scores = cf.evaluate(judgments, run, "RR")
        assert (scores.runs, scores.values.ravel().tolist()) == (("run",), [0.5, 1.0])


def test_a_spark_frame_is_not_collected_without_a_word():
    class DataFrame:
        __module__ = "pyspark.sql.connect.dataframe"

        def __arrow_c_stream__(self, requested_schema=None):
            raise AssertionError("collected")

    with pytest.raises(UsageError, match=r"Spark data frame.*\n.*df\.write\.parquet"):
        cf.evaluate({"q1": {"a": 1}}, DataFrame(), "RR")


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


@pytest.mark.parametrize("read", [cf.read_queries, cf.read_documents, cf.read_clicks, cf.read_judgments])
@pytest.mark.parametrize("file", [False, True])
def test_rows_without_columns_are_nothing_to_read(read, file, tmp_path):
    table = pa.table({"a": [1, 2]}).select([])
    if file:
        with pa.ipc.new_file(tmp_path / "table.arrow", table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(DataError):
        read(tmp_path / "table.arrow" if file else table)
