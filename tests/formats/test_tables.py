import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings, UsageError
from cranfield.formats import read_run
from tests.formats.frames import DOCUMENTS, GRADES, LABELS, QUERIES, TABLE
from tests.formats.reading import judged, kinds, rankings, retrieved

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


@pytest.mark.parametrize("library", ["pandas", "polars", "polars, lazy"])
def test_data_frames_need_no_pyarrow(library, without_pyarrow):
    plain = {"qid": QUERIES, "docno": DOCUMENTS, "label": LABELS}
    frame = pd.DataFrame(plain) if library == "pandas" else pl.DataFrame(plain)
    assert judged(frame.lazy() if library == "polars, lazy" else frame) == GRADES


def test_a_rank_column_is_compared_with_the_scores():
    table = {"qid": ["q", "q"], "docno": ["a", "b"], "rank": [1, 2], "score": [0.1, 0.2]}
    findings = Findings()
    rankings(read_run(pa.table(table)), findings)
    assert kinds(findings.warnings) == ["ranks-contradict-scores"]


def test_a_spark_frame_is_not_collected_without_a_word():
    class DataFrame:
        __module__ = "pyspark.sql.connect.dataframe"

        def __arrow_c_stream__(self, requested_schema=None):
            raise AssertionError("collected")

    with pytest.raises(UsageError, match=r"Spark data frame.*\n.*cranfield\.spark\.evaluate"):
        cf.evaluate({"q1": {"a": 1}}, DataFrame(), "RR")


@pytest.mark.parametrize("read", [cf.read_queries, cf.read_documents, cf.read_clicks, cf.read_judgments])
@pytest.mark.parametrize("file", [False, True])
def test_rows_without_columns_are_nothing_to_read(read, file, tmp_path):
    table = pa.table({"a": [1, 2]}).select([])
    if file:
        with pa.ipc.new_file(tmp_path / "table.arrow", table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(DataError):
        read(tmp_path / "table.arrow" if file else table)


def test_a_stream_of_batches_is_one_run():
    table = pa.table({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d1"], "score": [2.0, 1.0, 3.0]})
    stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1))
    scores = cf.evaluate({"q1": {"d2": 1}, "q2": {"d1": 1}}, stream, "RR")
    assert scores.runs == ("run",)
    assert scores.mean("RR").value == 0.75
