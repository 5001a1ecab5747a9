"""Requests with places for a query."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataError, UsageError
from cranfield.retrieving.templates import (
    filled_json,
    filled_sql,
    filled_url,
    json_template,
    names_in,
    sql_template,
    url_template,
)

KNOWN = ["query", "query_id", "size", "vector", "lang"]
HOSTILE = [
    '"',
    "\\",
    '"}, "x": {"',
    "a{query}b",
    "{size}",
    "100%",
    "a\nb\tc",
    "\0",
    "'; DROP TABLE d; --",
    "é🌱",
    "&x=1#",
]
texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))


@given(texts)
def test_a_text_in_json_comes_back_as_it_was(text):
    body = '{"a": "{query}", "b": {query}, "c": "x {query} y {{ query }}", "n": {size}}'
    filled = json.loads(filled_json(json_template(body, KNOWN, "body"), {"query": text, "size": 7}))
    assert filled == {"a": text, "b": text, "c": f"x {text} y {text}", "n": 7}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_a_text_in_an_address_comes_back_as_it_was(text):
    url = filled_url(
        url_template("http://h/{query_id}/s?q={query}&k={size}", KNOWN), {"query": text, "query_id": text, "size": 7}
    )
    parts = urlsplit(url)
    assert parse_qs(parts.query, keep_blank_values=True) == {"q": [text], "k": ["7"]}
    assert parts.netloc == "h"
    assert parts.path.count("/") == 2


def test_numbers_and_flags_stay_what_they_are_in_json():
    template = json_template('{"n": {size}, "lang": {lang}, "t": "{size}"}', KNOWN, "body")
    assert json.loads(filled_json(template, {"size": 10, "lang": True})) == {"n": 10, "lang": True, "t": "10"}


@pytest.mark.parametrize("text", ["0.5, -1, 2", "[0.5, -1, 2]", "0.5,-1,2"])
def test_a_vector_of_a_column_is_a_list_of_numbers(text):
    template = json_template('{"v": {vector}, "q": {query}}', KNOWN, "body")
    assert json.loads(filled_json(template, {"vector": text, "query": "1, 2"})) == {"v": [0.5, -1, 2], "q": "1, 2"}


@pytest.mark.parametrize("text", ["nan, 1", "1, inf", "1; 2", "a, b"])
def test_no_vector_is_a_text(text):
    assert json.loads(filled_json(json_template('{"v": {vector}}', KNOWN, "body"), {"vector": text})) == {"v": text}


def test_a_misspelt_place_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"body.json: \{qurey\} cannot be filled in. Did you mean query or"):
        json_template('{"q": "{qurey}"}', KNOWN, "body.json")


@pytest.mark.parametrize("body", ["{query}}", '{"q": {query}', "q={query}", '{"q": "{query}}', '{"q": "a" {query}}'])
def test_a_body_that_is_no_json_is_refused_before_anything_is_asked(body):
    with pytest.raises(DataError, match=r"body: the template is not JSON once filled in"):
        json_template(body, KNOWN, "body")


def test_names_are_listed_once():
    assert names_in(url_template("http://h/{lang}?q={query}&p={query}", KNOWN), ("x",)) == ["lang", "query"]


def test_a_statement_gets_parameters_and_never_text():
    statement = (
        "SELECT id -- it's {size}\nFROM d WHERE t LIKE '100%' AND \"a'b\" = {query} AND lang = {lang} LIMIT {size}"
    )
    statement = statement.replace("it's {size}", "it's")
    template = sql_template(statement, KNOWN)
    text, names = filled_sql(template, "%s")
    assert names == ["query", "lang", "size"]
    assert text.endswith("LIKE '100%%' AND \"a'b\" = %s AND lang = %s LIMIT %s")
    assert filled_sql(template, "?")[0].endswith("LIKE '100%' AND \"a'b\" = ? AND lang = ? LIMIT ?")


@pytest.mark.parametrize("statement", ["SELECT '{query}'", "SELECT 'it''s {query}'", 'SELECT "{query}"'])
def test_a_parameter_between_quotes_is_refused(statement):
    with pytest.raises(UsageError, match=r"has \{query\} between quotes"):
        sql_template(statement, KNOWN)
