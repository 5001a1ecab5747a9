"""Queries and documents are written with all their fields."""

import io

import pytest

import cranfield as cf
from cranfield.errors import CranfieldError, Findings
from cranfield.formats.documents import Document
from cranfield.formats.text_writing import AT_ONCE, LaterFieldError, write_documents, write_queries


def documents_as(form, documents, **choices):
    stream, findings = io.BytesIO(), Findings()
    count = write_documents(stream, form, documents, f"out.{form}", findings, **choices)
    return stream.getvalue().decode(), count, findings.warnings


def test_queries_keep_their_columns(tmp_path):
    path = tmp_path / "queries.csv"
    path.write_text("query_id,text,intent\nq1,=why,buy\n")
    stream = io.BytesIO()
    write_queries(stream, "csv", cf.read_queries(path), "out.csv")
    assert stream.getvalue().decode() == "query_id,text,intent\nq1,=why,buy\n"


def test_a_column_named_like_one_of_beirs_is_refused():
    queries = cf.read_queries([{"query_id": "q1", "text": "a", "_id": "x"}], columns={"query": "query_id"})
    with pytest.raises(CranfieldError, match="_id"):
        write_queries(io.BytesIO(), "beir", queries, "out.jsonl")


def test_of_a_document_that_comes_twice_the_first_counts():
    text, count, warnings = documents_as("csv", [("d1", Document("", "one")), ("d1", Document("", "two"))])
    assert (text, count, len(warnings)) == ("document,text\nd1,one\n", 1, 1)


def test_a_title_that_comes_late_needs_a_column_from_the_start():
    late = [(f"d{number}", Document("", "a")) for number in range(AT_ONCE)] + [("last", Document("Title", "a"))]
    with pytest.raises(LaterFieldError):
        documents_as("csv", late)
    assert documents_as("csv", late, all_fields=True)[0].endswith("last,Title,a,\n")
