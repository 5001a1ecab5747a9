import json

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

QUERIES = {f"q{q}": {f"d{d}": {"ada": d % 3, "ben": (d + q) % 3} for d in range(8)} for q in range(6)}


def test_nested_names_tell_their_levels_where_judges_are_few(write_labels):
    inside = cf.read_labels(QUERIES)
    outside = {
        judge: {query: {d: by[judge] for d, by in documents.items()} for query, documents in QUERIES.items()}
        for judge in ("ada", "ben")
    }
    between = {
        query: {judge: {d: by[judge] for d, by in documents.items()} for judge in ("ada", "ben")}
        for query, documents in QUERIES.items()
    }
    for nested in (outside, between):
        labels = cf.read_labels(write_labels("nested.json", json.dumps(nested)))
        assert labels.judges == inside.judges == ("ada", "ben")
        assert len(labels) == len(inside) == 96
        assert set(labels.queries) == set(QUERIES)


def test_levels_that_nobody_can_tell_are_to_be_said():
    few = {"q1": {"d1": {"ada": 1, "ben": 0}, "d2": {"ada": 1, "ben": 1}}}
    with pytest.raises(DataError, match="cannot tell which of the three levels names the judges"):
        cf.read_labels(few)
    assert cf.read_labels(few, columns="query,document,judge").judges == ("ada", "ben")
    with pytest.raises(UsageError, match="which level is query, document and judge"):
        cf.read_labels(few, columns="query,document,grade")


def test_a_book_of_quepid_leaves_out_what_nobody_could_rate(write_labels):
    judged = [
        {"rating": 3.0, "unrateable": False, "rater": "ada"},
        {"rating": 1.0, "unrateable": True, "rater": "ben"},
        {"rating": None, "judge_later": True, "rater": None},
    ]
    book = {"name": "b", "query_doc_pairs": [{"query_text": "red shoes", "doc_id": "7", "judgements": judged}]}
    labels = cf.read_labels(write_labels("book.json", json.dumps(book)))
    assert len(labels) == 1
    assert "2 rows say that the document could not be rated" in str(labels.warnings[0])


def test_a_book_whose_judgements_are_no_list_of_them_is_told(write_labels):
    for judgements in ([5, None], {"ada": 1}):
        pair = {"query_text": "q", "doc_id": "d", "judgements": judgements}
        with pytest.raises(DataError, match="the judgements of pair 1 of the book are no list of them"):
            cf.read_labels(write_labels("book.json", json.dumps({"query_doc_pairs": [pair]})))
