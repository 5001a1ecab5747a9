import json

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats.clicks import read_clicks
from tests.formats.click_logs import contents, written

QUERIES = [
    {
        "query_id": "1",
        "user_query": "red shoes",
        "client_id": "c1",
        "query_response_id": "r1",
        "query_response_hit_ids": ["a", "b"],
    },
    {"query_id": "2", "user_query": "red shoes", "client_id": "c1", "query_response_hit_ids": ["b", "a"]},
]


def event(query, action, document, ordinal=None, **more):
    attributes = {"object": {"object_id": document}, "position": {"ordinal": ordinal}}
    return {"action_name": action, "query_id": query, "client_id": "c1", "event_attributes": attributes, **more}


EVENTS = [event("1", "click", "b", 2, session_id="s1"), event("2", "product_hover", "a", 2, session_id="s2")]


SHOES = [("s1", "red shoes", ["a", "b"], [0, 1]), ("s2", "red shoes", ["b", "a"], [0, 0])]


def lines_of(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def test_opensearch_ubi_queries_and_events_are_put_together(tmp_path):
    queries = written(tmp_path, "ubi_queries.ndjson", lines_of(QUERIES))
    events = written(tmp_path, "ubi_events.ndjson", lines_of(EVENTS))
    assert contents(cf.read_clicks([queries, events])) == SHOES
    assert contents(cf.read_clicks([events, queries])) == SHOES
    assert contents(cf.read_clicks(written(tmp_path, "all.jsonl", lines_of([*EVENTS, *QUERIES])))) == SHOES


def test_opensearch_exports_are_unwrapped(tmp_path):
    hits = [{"_index": "ubi", "_id": at, "_source": record} for at, record in enumerate([*QUERIES, *EVENTS])]
    assert contents(cf.read_clicks(written(tmp_path, "dump.jsonl", lines_of(hits)))) == SHOES
    bulk = [line for record in [*QUERIES, *EVENTS] for line in ({"index": {"_index": "ubi"}}, record)]
    assert contents(cf.read_clicks(written(tmp_path, "bulk.ndjson", lines_of(bulk)))) == SHOES
    answer = json.dumps({"took": 1, "hits": {"total": 4, "hits": hits}})
    assert contents(cf.read_clicks(written(tmp_path, "answer.json", answer))) == SHOES


def test_what_people_saw_counts_more_than_what_was_found_for_them():
    seen = [event("1", "impression", "b", 1), event("1", "impression", "a", 2), event("1", "click", "a", 2)]
    (first, _) = contents(cf.read_clicks([*QUERIES, *seen]))
    assert first[2:] == (["b", "a"], [0, 1])


def test_other_actions_may_count_as_clicks():
    assert contents(cf.read_clicks([*QUERIES, *EVENTS], clicks=["click", "product_hover"]))[1][3] == [0, 1]


def test_ubi_events_that_belong_nowhere_are_told():
    lost = [event("9", "click", "a"), event("1", "click", "z"), event("1", "click", "a")]
    log = cf.read_clicks([*QUERIES, *lost, {"query_id": "3", "user_query": "x", "query_response_hit_ids": []}])
    told = [str(warning) for warning in log.warnings]
    assert told == [
        "1 event of queries that are not there (9) left out",
        "1 click on objects that their query's response does not list (z) left out",
        "1 of 3 queries that list no results (3) left out",
    ]
    assert contents(log)[0][3] == [1, 0]


def test_ubi_events_alone_are_no_log():
    with pytest.raises(DataError, match="2 events of OpenSearch UBI, but no queries: ubi_queries is missing"):
        cf.read_clicks([event("1", "click", "a"), event("1", "view", "a")])


ASKED = {"query_id": "1", "user_query": "tea", "client_id": "c", "query_response_hit_ids": ["a", "b"]}


CLICK = {"query_id": "1", "action_name": "click", "event_attributes": {"object": {"object_id": "b"}}}


class TestUbiTwice:
    def test_a_query_id_with_two_lists_of_results_is_refused(self):
        other = {**ASKED, "query_response_hit_ids": ["b", "c"]}
        message = "row 2: query_id '1' comes again with another text, session or list of results than on row 1"
        with pytest.raises(DataError, match=message):
            read_clicks([ASKED, other, CLICK])

    def test_the_same_query_twice_counts_once(self):
        assert len(read_clicks([ASKED, ASKED, CLICK])) == 1

    def test_a_record_without_a_query_id_is_told(self):
        log = read_clicks([ASKED, CLICK, {"action_name": "click", "user_query": "x"}])
        assert "row 3: a record without query_id is left out" in str(log.warnings[0])

    def test_a_position_that_is_none_is_refused(self):
        attributes = {"object": {"object_id": "b"}, "position": {"ordinal": "first"}}
        seen = {"query_id": "1", "action_name": "impression", "event_attributes": attributes}
        with pytest.raises(DataError, match="the position is 'first'"):
            read_clicks([ASKED, seen, CLICK])
