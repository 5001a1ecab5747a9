"""Queries: what is known of each beside its id."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.data.queries import Queries, QueryRows
from cranfield.errors import DataError

KNOWN = cf.read_queries({"q1": {"text": "crack", "intent": "problem"}, "q2": {"intent": "howto"}})


def test_texts_and_columns_are_asked_by_query():
    assert KNOWN.text("q1") == "crack"
    assert KNOWN.column("intent") == {"q1": "problem", "q2": "howto"}
    assert KNOWN.column("text") == {"q1": "crack", "q2": ""}
    assert KNOWN.names == ["text", "intent"]
    assert "q1" in KNOWN
    assert list(KNOWN) == ["q1", "q2"]


def test_what_is_not_known_is_no_text():
    assert KNOWN.text("q2") == ""
    assert KNOWN.text("q9") == ""
    assert cf.read_queries({"q1": {"intent": "x"}}).text("q1") == ""


def test_a_misspelt_column_is_answered_with_the_nearest():
    with pytest.raises(DataError, match=r"no column 'intnet'; the columns are text, intent\nDid you mean intent"):
        KNOWN.column("intnet")
    with pytest.raises(DataError, match="no column 'text'"):
        cf.read_queries({"q1": {"intent": "x"}}).column("text")


def test_it_shows_what_it_knows():
    assert repr(KNOWN) == "Queries(2 queries: text, intent)"
    assert repr(cf.read_queries([{"qid": "q1"}])) == ("Queries(1 query: ids only)")
    assert repr(cf.read_queries(demo.path("queries.tsv"))) == "Queries(70 queries: text, intent)"


def test_blocks_may_have_different_columns():
    blocks = [
        QueryRows([1], ["q1"], None, {"intent": ["howto"]}),
        QueryRows([2], ["q2"], ["crack"], {"length": [1]}),
    ]
    found = Queries.from_rows(blocks)
    assert found.columns == {"intent": ("howto", None), "length": (None, 1)}
    assert found.texts == ("", "crack")


def test_a_query_comes_once():
    blocks = [QueryRows([1], ["q1"], None, {}), QueryRows([2], ["q1"], None, {})]
    with pytest.raises(DataError, match="line 2: query 'q1' comes again; it is already on line 1"):
        Queries.from_rows(blocks)


def test_no_query_at_all():
    with pytest.raises(DataError, match="no queries found"):
        Queries.from_rows([])
