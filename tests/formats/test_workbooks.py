"""Workbooks that people save, and those that are written for them."""

from __future__ import annotations

import sys

import pytest
import xlsxwriter

import cranfield as cf
from cranfield import DataError
from cranfield.formats.documents import read_documents

RUN = {"q1": ["d2", "d1"], "red shoes": ["d1"]}


def workbook(path, **sheets):
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                sheet.write_row(at, 0, row)
    return str(path)


RATED = [["query", "doc", "rating"], ["q1", "d1", 2], ["q1", "d2", 0], ["red shoes", "d1", 1.5]]


class TestReading:
    def test_a_sheet_is_read_like_the_csv_that_it_could_be_saved_as(self, tmp_path):
        path = workbook(tmp_path / "ratings.xlsx", Sheet1=RATED)
        expected = cf.evaluate({"q1": {"d1": 2, "d2": 0}, "red shoes": {"d1": 1.5}}, RUN, "nDCG RR")
        assert cf.evaluate(path, RUN, "nDCG RR").values.tolist() == expected.values.tolist()

    def test_a_run_is_called_after_its_file(self, tmp_path):
        rows = [["query", "doc", "score"], ["q1", "d1", 2.5], ["q1", "d2", 1]]
        scores = cf.evaluate({"q1": {"d2": 1}}, workbook(tmp_path / "bm25.xlsx", Sheet1=rows), "RR")
        assert (scores.runs, scores["RR"].tolist()) == (("bm25",), [[0.5]])

    def test_numbers_are_ids_without_decimals_and_grades_not_given_are_still_to_do(self, tmp_path):
        rows = [["query_id", "doc_id", "grade"], [7, 123, 1], [7, 124, None], [7, 125, "?"]]
        judgments = cf.read_judgments(workbook(tmp_path / "half.xlsx", Sheet1=rows))
        assert (judgments.queries, list(judgments.documents)) == (("7",), ["123"])
        assert "2 of 3 rows have no grade" in str(judgments.warnings[0])

    def test_empty_sheets_do_not_matter_and_of_several_the_one_with_queries_and_documents_is_read(self, tmp_path):
        notes = [["Please rate every result"], ["0 is bad"]]
        path = workbook(tmp_path / "a.xlsx", Notes=notes, Ratings=RATED, Sheet3=[])
        assert len(cf.read_judgments(path)) == 3

    def test_of_several_sheets_with_queries_and_documents_none_is_chosen(self, tmp_path):
        path = workbook(tmp_path / "a.xlsx", Ada=RATED, Ben=RATED)
        with pytest.raises(DataError, match=r"has several sheets \('Ada', 'Ben'\)"):
            cf.read_judgments(path)

    def test_titles_above_the_header_are_left_out_and_rows_keep_their_numbers(self, tmp_path):
        path = workbook(tmp_path / "a.xlsx", Ratings=[["Ratings of spring", "", ""], ["by Ada"], *RATED])
        assert cf.read_judgments(path)["q1"] == {"d1": 2, "d2": 0}
        path = workbook(tmp_path / "b.xlsx", Ratings=[["Ratings of spring"], [], *RATED, ["q1", "d9", "good"]])
        with pytest.raises(DataError, match=r"b\.xlsx, line 7: the grade is 'good'"):
            cf.read_judgments(path)

    def test_merged_cells_of_a_column_count_for_each_row(self, tmp_path):
        with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
            sheet = book.add_worksheet("Ratings")
            sheet.merge_range("B2:D2", "Ratings of spring")
            sheet.write_row("B3", ["query", "doc", "rating"])
            sheet.merge_range("B4:B5", "q1")
            sheet.write_row("C4", ["d1", 2])
            sheet.write_row("C5", ["d2", 0])
            sheet.write_row("B6", ["q2", "00123", 1])
        judgments = cf.read_judgments(tmp_path / "a.xlsx")
        assert {query: judgments[query] for query in judgments} == {"q1": {"d1": 2, "d2": 0}, "q2": {"00123": 1}}

    def test_a_row_has_the_number_that_it_has_in_the_sheet(self, tmp_path):
        with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
            sheet = book.add_worksheet("Ratings")
            for at, row in enumerate([["Ratings of spring"], *RATED, ["q1", "d9", "good"]], start=14):
                sheet.write_row(at, 2, row)
        with pytest.raises(DataError, match=r"line 20: the grade is 'good'"):
            cf.read_judgments(tmp_path / "a.xlsx")

    def test_queries_labels_and_documents_are_read_too(self, tmp_path):
        queries = workbook(tmp_path / "queries.xlsx", Sheet1=[["query_id", "text"], ["q1", "leeks, in autumn"]])
        assert cf.read_queries(queries).texts == ("leeks, in autumn",)
        labels = [["query", "doc", "judge", "label"], ["q1", "d1", "ada", 1], ["q1", "d1", "ben", 0]]
        assert cf.read_labels(workbook(tmp_path / "labels.xlsx", Sheet1=labels)).judges == ("ada", "ben")
        texts = workbook(tmp_path / "docs.xlsx", Sheet1=[["doc_id", "title", "text"], ["d1", "Leeks", "two\nlines"]])
        assert read_documents(texts, ["d1"])["d1"].text == "two\nlines"

    @pytest.mark.parametrize("content", [b"PK\x03\x04 and so on", b"PK\x03\x04"])
    def test_a_damaged_one_is_an_error(self, tmp_path, content):
        path = tmp_path / "ratings.xlsx"
        path.write_bytes(content)
        with pytest.raises(DataError, match="the workbook cannot be read"):
            cf.read_judgments(path)

    def test_an_empty_one_has_no_rows(self, tmp_path):
        with pytest.raises(DataError, match="rows"):
            cf.read_judgments(workbook(tmp_path / "a.xlsx", Sheet1=[]))

    def test_a_text_file_of_that_name_is_read_as_what_it_is(self, tmp_path):
        path = tmp_path / "ratings.xlsx"
        path.write_text("q1 0 d1 1\n")
        assert len(cf.read_judgments(path)) == 1


class TestWriting:
    def test_a_pool_has_an_empty_column_for_the_grade_and_is_read_back_without_options(self, tmp_path):
        runs = {"a": {"q1": ["=1+1", "d2"]}, "b": {"q1": ["00123", "d2"]}}
        cf.pool(runs).write(tmp_path / "to-judge.xlsx")
        judgments = cf.read_judgments(workbook_with_grades(tmp_path / "to-judge.xlsx", tmp_path / "judged.xlsx"))
        assert sorted(judgments.documents) == ["00123", "=1+1", "d2"]
        assert set(judgments.grades) == {1.0}

    def test_the_same_table_is_the_same_file(self, tmp_path):
        for name in ("a.xlsx", "b.xlsx"):
            cf.pool({"a": RUN}).write(tmp_path / name)
        assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()

    def test_without_the_package_it_says_how_to_install_it(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "xlsxwriter", None)
        with pytest.raises(cf.UsageError, match="pip install XlsxWriter"):
            cf.pool({"a": RUN}).write(tmp_path / "a.xlsx")
        monkeypatch.setitem(sys.modules, "python_calamine", None)
        with pytest.raises(DataError, match="pip install python-calamine"):
            cf.read_judgments(_written(tmp_path))


def _written(folder):
    path = folder / "c.xlsx"
    path.write_bytes(b"PK\x03\x04")
    return path


def workbook_with_grades(path, target):
    """The sheet as somebody fills it in."""
    from python_calamine import CalamineWorkbook

    head, *rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()
    place = head.index("grade")
    return workbook(target, judge=[head, *([*row[:place], 1, *row[place + 1 :]] for row in rows)])
