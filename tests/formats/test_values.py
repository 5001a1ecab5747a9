from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings
from cranfield.formats import read_judgments
from cranfield.formats.values import Checked, as_id, is_missing
from tests.formats.frames import DOCUMENTS, GRADES, LABELS, TABLE
from tests.formats.reading import judged, retrieved, wrong_in_judgments


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
    "labels", [[1, "two", 1], [1.0, float("inf"), 1.0], ["1", "x", "1"], [None, [2], 1], ["1.5", "1,5", 1]]
)
def test_values_that_are_no_numbers_are_errors_with_their_row(labels):
    frame = pd.DataFrame({"qid": ["a", "b", "c"], "docno": ["d"] * 3, "label": pd.Series(labels, dtype=object)})
    findings = wrong_in_judgments(frame)
    assert {finding.kind for finding in findings} == {"grade-not-a-number"}
    assert 2 in {finding.line for finding in findings}
    assert {finding.unit for finding in findings} == {"row"}


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, "", "n/a", "?", "-"])
def test_a_grade_that_is_missing_is_a_document_that_is_not_judged_yet(missing):
    grades = pd.Series([1, missing, 0], dtype=object)
    judgments = read_judgments(pd.DataFrame({"qid": ["a"] * 3, "docno": ["d", "e", "f"], "label": grades}))
    assert judgments["a"] == {"d": 1, "f": 0}
    (warning,) = judgments.warnings
    assert (warning.kind, warning.count) == ("not-judged-yet", 1)
    assert str(warning) == "1 of 3 rows has no grade; its document counts as not judged"


def test_bytes_that_are_no_text_are_no_ids():
    with pytest.raises(cf.DataError, match="document"):
        cf.read_run([("q", b"\xff", 1.0)])["q"]
    assert cf.read_run([("q", b"d1", 1.0)])["q"] == {"d1": 1.0}


def test_categories_of_polars_are_ids():
    frame = pl.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    assert cf.read_run(frame.with_columns(pl.col("docno").cast(pl.Categorical)))["q"] == {"a": 2.0, "b": 1.0}


ANY_UUID = UUID(int=7)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("q1", "q1"),
        (b"q1", "q1"),
        (7, "7"),
        (np.int64(7), "7"),
        (7.0, "7"),
        (Decimal("7"), "7"),
        (UUID(int=7), f"{UUID(int=7)}"),
    ],
)
def test_an_id_is_a_text_or_a_whole_number(value, text):
    assert as_id(value) == text


@pytest.mark.parametrize(
    "value", [None, True, 7.5, float("nan"), Decimal("7.5"), Decimal("NaN"), ["q1"], b"\xff", "\ud800", "q\0", b"q\0"]
)
def test_nothing_else_is_an_id(value):
    assert as_id(value) is None


@pytest.mark.parametrize("value", [None, float("nan"), pd.NA, pd.NaT])
def test_what_libraries_write_for_nothing_is_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, "", False, "nan"])
def test_what_is_empty_or_zero_is_not_missing(value):
    assert not is_missing(value)


def test_rows_in_which_something_is_wrong_are_left_out_and_told():
    findings = Findings()
    checked = Checked([2, 3, 4], "row", "a.csv", findings)
    rows = checked.judgments({"query": ["q1", "q1", None], "document": ["d1", "d2", "d3"], "grade": [1, "x", 0]})
    assert (list(rows.queries), list(rows.documents), list(rows.grades)) == (["q1"], ["d1"], [1])
    assert [(finding.line, finding.kind) for finding in findings.errors] == [
        (4, "bad-query-id"),
        (3, "grade-not-a-number"),
    ]
