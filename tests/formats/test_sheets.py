"""Sheets that people fill in."""

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.formats.sheets import Texts, read_texts, with_grade, write_sheet
from cranfield.show.table import Table

PAIRS = [("q1", "d1"), ("q2", "d2")]
QUERIES = {"q1": "why do tomatoes crack", "q2": "pruning"}


def test_ids_stand_next_to_what_they_stand_for():
    texts, missing = read_texts(
        QUERIES, {"d1": {"title": "Splitting", "text": "Dry, then wet."}, "d2": "Cut."}, PAIRS, "it"
    )
    assert missing == []
    assert texts.columns(PAIRS) == {
        "query": ["q1", "q2"],
        "query_text": ["why do tomatoes crack", "pruning"],
        "document": ["d1", "d2"],
        "title": ["Splitting", ""],
        "text": ["Dry, then wet.", "Cut."],
    }


def test_titles_do_where_there_are_titles_and_not_everything_is_wanted():
    assert "text" not in Texts(None, cf.read_documents([("d1", "Splitting", "Dry.")])).columns(PAIRS, in_full=False)
    assert "text" in Texts(None, cf.read_documents([("d1", "Dry.")])).columns(PAIRS, in_full=False)


def test_what_has_no_text_is_told():
    _, (missing,) = read_texts({"q1": "why"}, None, PAIRS, "the labels")
    assert str(missing) == "1 of 2 queries of the labels has no text (q2)"


def test_texts_of_another_collection_are_an_error():
    with pytest.raises(DataError, match="none of the 2 documents of the labels is in it"):
        read_texts(None, {"x": "text"}, PAIRS, "the labels")


def test_the_empty_column_stands_where_it_is_to_be_filled_in():
    assert list(with_grade(Table({"query": ["q"], "text": ["t"], "change": [0.5]}), "text").columns) == [
        "query",
        "text",
        "grade",
        "change",
    ]


@pytest.mark.parametrize(("text", "begins"), [("Blaukraut", b"query"), ("Weißkohl", b"\xef\xbb\xbfquery")])
def test_csv_has_a_byte_order_mark_where_a_spreadsheet_needs_it(tmp_path, text, begins):
    path = tmp_path / "sheet.csv"
    write_sheet(path, Table({"query": ["q1"], "document": ["d1"], "text": [text], "grade": [2]}))
    assert path.read_bytes().startswith(begins)
    assert cf.read_judgments(path)["q1"] == {"d1": 2}


def test_tsv_has_none(tmp_path):
    write_sheet(tmp_path / "sheet.tsv", Table({"query": ["q1"], "text": ["Weißkohl"]}))
    assert (tmp_path / "sheet.tsv").read_bytes().startswith(b"query")


def test_no_text_becomes_a_formula(tmp_path):
    write_sheet(tmp_path / "sheet.csv", Table({"query": ["q1"], "document": ["=d1"], "grade": [1]}))
    assert "'=d1" in (tmp_path / "sheet.csv").read_text()
    assert cf.read_judgments(tmp_path / "sheet.csv")["q1"] == {"=d1": 1}


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"ends in \.csv, \.tsv, \.jsonl, \.xlsx"):
        write_sheet(tmp_path / "sheet.pdf", Table({"query": []}))
