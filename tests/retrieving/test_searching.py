"""What a system is asked."""

import pytest

from cranfield.errors import DataError
from cranfield.formats.queries import read_queries
from cranfield.requesting.failures import Failure
from cranfield.retrieving.searching import document_id, request_hash, search_queries

QUERIES = [{"qid": "q1", "text": "frost", "lang": "en"}, {"qid": "q2", "text": "neige", "lang": "fr"}]


def test_a_query_has_what_can_be_filled_in():
    first, second = search_queries(read_queries(QUERIES), ["query", "lang"], 5)
    assert first.values == {"query": "frost", "query_id": "q1", "size": 5, "lang": "en"}
    assert (second.query, second.text) == ("q2", "neige")


def test_a_query_without_a_text_is_refused():
    with pytest.raises(DataError, match=r"1 query without a text \(q3\)"):
        search_queries(read_queries([*QUERIES, {"qid": "q3", "text": " "}]), ["query"], None)


def test_queries_that_are_ids_alone_are_refused():
    with pytest.raises(DataError, match="2 queries without a text"):
        search_queries(read_queries([{"qid": "q1"}, {"qid": "q2"}]), ["query"], None)


def test_a_list_of_texts_is_what_to_search_for():
    first, second = search_queries(read_queries(["frost", "late frost"]), ["query"], 5)
    assert first.values == {"query": "frost", "query_id": "frost", "size": 5}
    assert (second.query, second.text) == ("late frost", "late frost")


def test_a_query_that_lacks_a_column_is_refused():
    with pytest.raises(DataError, match="query 'q3' has nothing in the column 'lang'"):
        search_queries(read_queries([*QUERIES, {"qid": "q3", "text": "x"}]), ["query", "lang"], None)


def test_another_request_has_another_hash():
    assert request_hash(["a", "b"]) != request_hash(["ab"])
    assert request_hash({"a": 1, "b": 2}) == request_hash({"b": 2, "a": 1})


@pytest.mark.parametrize("value", [None, "", " ", True, 1.5, [], {}, "a\0b"])
def test_what_is_no_id_is_a_failure(value):
    with pytest.raises(Failure, match="no id that a run can hold"):
        document_id(value)
