"""Tables are written part by part, and no part shows."""

import io
import sys

import pytest

from cranfield.errors import DataError
from cranfield.file_endings import TABLES
from cranfield.formats.table_writing import larger_parts, write_table

WHOLE = {"query": ["q1", "q1", "q2"], "grade": [2, None, 0]}
PARTS = [{name: column[:1] for name, column in WHOLE.items()}, {name: column[1:] for name, column in WHOLE.items()}]


def written(form, parts):
    stream = io.BytesIO()
    write_table(stream, form, parts, f"out.{form}")
    return stream.getvalue()


@pytest.mark.parametrize("form", TABLES)
def test_parts_are_one_table(form):
    assert written(form, PARTS) == written(form, [WHOLE])


def test_texts_are_what_other_programs_read():
    assert written("csv", PARTS) == b"query,grade\nq1,2\nq1,\nq2,0\n"
    assert written("json", PARTS) == (
        b'[\n{"query": "q1", "grade": 2},\n{"query": "q1", "grade": null},\n{"query": "q2", "grade": 0}\n]\n'
    )
    assert written("json", [{"query": []}]) == b"[]\n"


def test_a_text_cannot_become_a_formula_unless_it_may():
    stream = io.BytesIO()
    write_table(stream, "csv", [{"a": ["=1+2"]}], "x.csv", as_formulas=True)
    assert (written("csv", [{"a": ["=1+2"]}]), stream.getvalue()) == (b"a\n'=1+2\n", b"a\n=1+2\n")


def test_small_parts_are_joined():
    parts = [{"a": [number]} for number in range(5)]
    assert list(larger_parts(parts, 2)) == [{"a": [0, 1]}, {"a": [2, 3]}, {"a": [4]}]


@pytest.mark.parametrize(("text", "message"), [("a" * 40_000, "32,767"), (" a", "blanks"), ("a\x07", "control")])
def test_what_a_workbook_would_change_is_refused(text, message):
    with pytest.raises(DataError, match=message):
        written("xlsx", [{"a": [text]}])


def test_a_sheet_has_an_end(monkeypatch):
    monkeypatch.setattr("cranfield.formats.workbooks.MOST_ROWS", 2)
    with pytest.raises(DataError, match="a sheet of a workbook has at most 2 rows"):
        written("xlsx", [WHOLE])


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_missing_package_is_named(form, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"writing (Parquet|Arrow) needs the package pyarrow"):
        written(form, [WHOLE])


def test_values_of_several_types_are_no_column_of_parquet():
    with pytest.raises(DataError, match="cannot be written"):
        written("parquet", [{"a": [1, "b"]}])
