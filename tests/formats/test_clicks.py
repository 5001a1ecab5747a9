"""Click logs in every form, and what is wrong with some."""

import gzip
import json
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError, UsageError
from cranfield.formats.clicks import read_clicks

HEADER = "session,query,position,document,clicked\n"
LOG = HEADER + "s1,q1,1,a,0\ns1,q1,2,b,1\ns2,q1,1,b,1\ns2,q1,2,a,0\ns2,q2,1,c,0\n"
IMPRESSIONS = [("s1", "q1", ["a", "b"], [0, 1]), ("s2", "q1", ["b", "a"], [1, 0]), ("s2", "q2", ["c"], [0])]


def contents(log):
    """A log as plain values, impression by impression."""
    return [
        (
            log.sessions[log.session[at]],
            log.queries[log.query[at]],
            [log.documents[code] for code in log.document[log.starts[at] : log.starts[at + 1]]],
            log.clicked[log.starts[at] : log.starts[at + 1]].astype(int).tolist(),
        )
        for at in range(len(log))
    ]


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_per_result_becomes_impressions(tmp_path):
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", LOG))) == IMPRESSIONS


def test_tabs_semicolons_other_names_and_compression_are_all_right(tmp_path):
    tsv = LOG.replace(",", "\t").replace("session", "session_id").replace("document", "doc_id")
    assert contents(cf.read_clicks(written(tmp_path, "log.tsv", tsv))) == IMPRESSIONS
    semicolons = LOG.replace(",", ";").replace("position", "rank").replace("clicked", "is_click")
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", semicolons))) == IMPRESSIONS
    packed = tmp_path / "log.csv.gz"
    packed.write_bytes(gzip.compress(LOG.encode()))
    assert contents(cf.read_clicks(packed)) == IMPRESSIONS


def test_columns_may_be_named(tmp_path):
    path = written(tmp_path, "log.csv", LOG.replace("document", "sku").replace("clicked", "hit"))
    assert contents(cf.read_clicks(path, columns={"document": "sku", "clicked": "hit"})) == IMPRESSIONS
    with pytest.raises(UsageError, match="'score' is nothing that a click log has"):
        cf.read_clicks(path, columns={"score": "sku"})
    with pytest.raises(DataError, match="sku2"):
        cf.read_clicks(path, columns={"document": "sku2"})


def test_results_stand_in_the_order_of_their_positions(tmp_path):
    mixed = HEADER + "s1,q1,2,b,1\ns1,q1,1,a,0\n"
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", mixed))) == IMPRESSIONS[:1]


def test_positions_may_begin_at_0_and_be_left_out():
    rows = [
        {"session": "s1", "query": "q1", "position": p, "document": d, "clicked": c}
        for p, d, c in [(0, "a", 0), (1, "b", 1)]
    ]
    assert contents(cf.read_clicks(rows)) == IMPRESSIONS[:1]
    for row in rows:
        del row["position"]
    assert contents(cf.read_clicks(rows)) == IMPRESSIONS[:1]


def test_an_impression_id_tells_apart_what_session_and_query_do_not(tmp_path):
    text = "impression_id,session,query,position,document,clicked\n" + "".join(
        f"{impression},s1,q1,{position},{document},0\n"
        for position, document in ((1, "a"), (2, "b"))
        for impression in ("i1", "i2")
    )
    log = cf.read_clicks(written(tmp_path, "log.csv", text))
    assert contents(log) == [("s1", "q1", ["a", "b"], [0, 0])] * 2


def test_rows_of_one_session_and_query_that_do_not_follow_each_other_are_two_impressions(tmp_path):
    text = HEADER + "s1,q1,1,a,0\ns1,q2,1,a,0\ns1,q1,1,a,1\n"
    assert len(cf.read_clicks(written(tmp_path, "log.csv", text))) == 3


@pytest.mark.parametrize(
    "clicks",
    [
        [[0, 1], [1, 0], [0]],
        [["b"], ["b"], []],
        [[2], [1], []],
        [[False, True], [True, False], [False]],
        [[{"document": "b", "time": 3}], [{"document": "b"}], []],
    ],
)
def test_a_line_per_impression_has_clicks_as_flags_ids_or_ranks(tmp_path, clicks):
    records = [
        {"session": session, "query": query, "documents": documents, "clicks": clicked}
        for (session, query, documents, _), clicked in zip(IMPRESSIONS, clicks, strict=True)
    ]
    path = written(tmp_path, "log.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    assert contents(cf.read_clicks(path)) == IMPRESSIONS
    assert contents(cf.read_clicks(records)) == IMPRESSIONS
    assert contents(cf.read_clicks(written(tmp_path, "log.json", json.dumps(records, indent=1)))) == IMPRESSIONS


def test_ranks_may_be_named_as_such():
    rows = [{"query": "q", "documents": ["1", "2", "3"], "clicked_ranks": [3, 1]}]
    assert contents(cf.read_clicks(rows))[0][3] == [1, 0, 1]


def test_lists_may_stand_in_fields_of_csv(tmp_path):
    for documents, clicks in (("a|b", "0|1"), ("a b", "b"), ("a;b", "0;1")):
        text = f"session,query,documents,clicks\ns1,q1,{documents},{clicks}\n"
        assert contents(cf.read_clicks(written(tmp_path, "log.csv", text))) == IMPRESSIONS[:1]
    quoted = 'session,query,documents,clicks\ns1,q1,"[""a"", ""b""]","[0, 1]"\n'
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", quoted))) == IMPRESSIONS[:1]


def test_the_sessions_of_neural_click_models_are_read(tmp_path):
    line = "s1\tq1\t[278, 1138]\t[1, 1]\t[0, 1]\t[2, 0]\n"
    assert contents(cf.read_clicks(written(tmp_path, "log.txt", line))) == [("s1", "q1", ["278", "1138"], [0, 1])]


def test_tables_of_other_libraries_and_parquet_are_read(tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    path = written(tmp_path, "log.csv", LOG)
    assert contents(cf.read_clicks(pandas.read_csv(path))) == IMPRESSIONS
    frame = polars.read_csv(path)
    assert contents(cf.read_clicks(frame)) == IMPRESSIONS
    frame.write_parquet(tmp_path / "log.parquet")
    assert contents(cf.read_clicks(tmp_path / "log.parquet")) == IMPRESSIONS
    lists = polars.DataFrame({"session": ["s1"], "query": ["q1"], "documents": [["a", "b"]], "clicks": [[0, 1]]})
    assert contents(cf.read_clicks(lists)) == IMPRESSIONS[:1]


def test_several_files_are_one_log(tmp_path):
    one = written(tmp_path, "one.csv", HEADER + "s1,q1,1,a,0\n")
    two = written(tmp_path, "two.csv", HEADER + "s2,q1,1,a,1\n")
    assert len(cf.read_clicks([one, two])) == 2
    lines = written(tmp_path, "log.jsonl", '{"session":"s1","query":"q","documents":["a"],"clicks":[1]}\n')
    assert len(cf.read_clicks([lines, lines])) == 2


def test_files_of_different_columns_are_not_read_together(tmp_path):
    one = written(tmp_path, "one.csv", LOG)
    two = written(tmp_path, "two.csv", "query,position,document,clicked\nq9,1,a,0\n")
    with pytest.raises(DataError, match="only a part of the log tells the session of its results"):
        cf.read_clicks([one, two])


def test_a_row_without_session_and_query_is_an_impression_of_its_own(tmp_path):
    path = written(tmp_path, "log.csv", "item_id,position,click,propensity_score\n3,1,0,0.5\n3,2,1,0.25\n")
    log = cf.read_clicks(path)
    assert len(log) == 2
    assert log.propensity.tolist() == [0.5, 0.25]


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


WRONG = [
    (HEADER + "s1,q1,1,a,2\n", "log.csv, line 2: clicked is '2'; expected 0 or 1"),
    (HEADER + "s1,q1,1,a,\n", "line 2: clicked is ''; expected 0 or 1"),
    (
        HEADER + "s1,q1,1,a,0\ns1,q1,1,b,0\n",
        "line 3: query 'q1' has another result at position 1 of the same impression",
    ),
    (HEADER + "s1,q1,first,a,0\n", "line 2: the position is 'first'; expected a whole number"),
    (HEADER + "s1,q1,-1,a,0\n", "line 2: the position is '-1'; expected a whole number"),
    (HEADER + "s1,,1,a,0\n", "line 2: the query id is missing"),
    (HEADER + "s1,q1,1,,0\n", "line 2: the document id is missing"),
    (HEADER + "s1,q1,1,a\n", "line 2: 4 columns where the first line has 5"),
    (HEADER, "no impressions found"),
    ("query,document,grade\nq1,d1,1\n", "these columns are no click log: query, document, grade"),
    (
        "session,query,document,clicked\ns1,q1,a,0\ns1,q1,a,1\n",
        "line 3: query 'q1' shows document 'a' twice in one impression",
    ),
    (
        "impression,session,query,document,clicked\ni1,s1,q1,a,0\ni1,s2,q1,b,1\n",
        "line 3: impression 'i1' has another session here than before",
    ),
    (
        "item_id,click,propensity\na,0,0\n",
        "line 2: the propensity is '0'; expected a probability from 1e-12 to 1",
    ),
    ("item_id,click,propensity\na,0,1.5\n", "the propensity is '1.5'"),
    ("item_id,click,propensity\na,0,much\n", "the propensity is 'much'"),
    ("item_id,click,propensity\na,0,nan\n", "the propensity is 'nan'"),
    ("document,doc,clicked\na,b,0\n", "several columns could give the document: document, doc"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[-40:] for _, message in WRONG])
def test_what_is_wrong_in_rows_is_told_with_its_line(tmp_path, text, message):
    with pytest.raises(DataError) as raised:
        cf.read_clicks(written(tmp_path, "log.csv", text))
    assert message in str(raised.value)


WRONG_LISTS = [
    ({"documents": ["a", "b"], "clicks": ["c"]}, "a click on 'c', which is not among the 2 documents shown"),
    ({"documents": ["a", "b"], "clicks": [3]}, "a click on 3, which is not among the 2 documents shown"),
    ({"documents": [], "clicks": []}, "the impression has no documents"),
    ({"documents": None, "clicks": []}, "the impression has no documents"),
    ({"documents": ["a", "b"], "clicks": [0, 1, 1]}, "3 clicks of 0 or 1 for 2 documents"),
    ({"documents": ["a", "b", "c"], "clicks": [1, 1]}, "2 clicks of 0 or 1 for 3 documents"),
    ({"documents": ["a", "b"], "clicks": [0, 2]}, "clicked is 2; expected 0 or 1"),
    ({"documents": 7, "clicks": []}, "documents is 7; expected a list"),
    ({"documents": ["a", ""], "clicks": []}, "the document id is missing"),
    ({"documents": ["a", "b"], "clicks": [], "propensity": [0.5]}, "1 propensities for 2 documents"),
    ({"documents": ["a", "b"], "clicks": [], "propensity": [0.5, 0]}, "the propensity is 0; expected"),
]


@pytest.mark.parametrize(("record", "message"), WRONG_LISTS)
def test_what_is_wrong_in_lists_is_told(record, message):
    with pytest.raises(DataError) as raised:
        cf.read_clicks([{"session": "s", "query": "q", **record}])
    assert f"row 1: {message}" in str(raised.value)


def test_a_list_that_does_show_a_document_twice_is_a_warning():
    log = cf.read_clicks([{"session": "s", "query": "q", "documents": ["a", "a"], "clicks": [0, 1]}])
    assert [str(warning) for warning in log.warnings] == [
        "1 of 1 impressions show a document twice; each place counts as a look of its own"
    ]


def test_gaps_between_positions_are_a_warning(tmp_path):
    log = cf.read_clicks(written(tmp_path, "log.csv", HEADER + "s1,q1,1,a,0\ns1,q1,4,b,1\n"))
    assert "in 1 of 1 impressions positions have gaps" in str(log.warnings[0])


@pytest.mark.parametrize("given", [7, None, {"a": 1}, b"bytes"])
def test_objects_that_hold_no_clicks_are_refused(given):
    with pytest.raises(UsageError, match="cannot read clicks from"):
        cf.read_clicks(given)


def test_nothing_is_no_log(tmp_path):
    for nothing in ([], written(tmp_path, "log.csv", "")):
        with pytest.raises(DataError, match="no impressions found"):
            cf.read_clicks(nothing)


def test_a_log_is_a_log():
    log = cf.read_clicks(demo.path("clicks.csv"))
    assert cf.read_clicks(log) is log
    assert repr(log).startswith("ClickLog(1,500 impressions of 70 queries in 1,500 sessions")


impressions = st.lists(
    st.tuples(
        st.sampled_from("st"),
        st.sampled_from("pq"),
        st.lists(st.tuples(st.sampled_from("abcde"), st.booleans()), min_size=1, max_size=5, unique_by=lambda r: r[0]),
    ),
    min_size=1,
    max_size=8,
)


@given(impressions)
def test_rows_with_ids_and_lists_give_the_same_log(drawn):
    rows = [
        {"impression": str(at), "session": s, "query": q, "position": rank, "document": d, "clicked": int(c)}
        for at, (s, q, results) in enumerate(drawn)
        for rank, (d, c) in enumerate(results, 1)
    ]
    lists = [
        {"session": s, "query": q, "documents": [d for d, _ in results], "clicks": [int(c) for _, c in results]}
        for s, q, results in drawn
    ]
    by_rank = sorted(rows, key=lambda row: row["position"])
    expected = [(s, q, [d for d, _ in results], [int(c) for _, c in results]) for s, q, results in drawn]
    assert contents(cf.read_clicks(rows)) == contents(cf.read_clicks(lists)) == expected
    assert sorted(contents(cf.read_clicks(by_rank))) == sorted(expected)


@given(impressions, st.integers(0, 5))
def test_some_impressions_are_a_log_of_their_own(drawn, seed):
    lists = [
        {"session": s, "query": q, "documents": [d for d, _ in results], "clicks": [int(c) for _, c in results]}
        for s, q, results in drawn
    ]
    log = cf.read_clicks(lists)
    chosen = np.random.default_rng(seed).random(len(log)) < 0.5
    assert contents(log.select(chosen)) == [one for one, kept in zip(contents(log), chosen, strict=True) if kept]


def test_rows_without_columns_are_no_log():
    with pytest.raises(DataError, match=r"these columns are no click log: \(none\)"):
        cf.read_clicks([{}])


def test_ubi_events_alone_are_no_log():
    with pytest.raises(DataError, match="2 events of OpenSearch UBI, but no queries: ubi_queries is missing"):
        cf.read_clicks([event("1", "click", "a"), event("1", "view", "a")])


def test_positions_of_rows_that_cannot_be_put_together_are_not_used():
    rows = [{"item_id": "a", "position": n % 3 + 1, "click": 1, "propensity_score": 0.5} for n in range(6)]
    log = cf.read_clicks(rows)
    assert log.depth == 1
    assert [str(warning) for warning in log.warnings] == [
        "without session, query or impression each of 6 rows counts as an impression of its own, at rank 1; "
        "positions are not used"
    ]


# What nobody would notice in the numbers


def result(**columns):
    return {"session": "s", "query": "q", "position": 1, "document": "a", "clicked": 1, **columns}


@pytest.mark.parametrize(
    "position",
    ["1_0", "9" * 400, "9" * 5000, 10**400, 10**5000, -1, 1.5, "", True, "²", math.inf],
    ids=lambda value: type(value).__name__,
)
def test_a_position_that_is_no_small_whole_number_is_refused(position):
    with pytest.raises(DataError, match=r"row 1: the position is .*; expected a whole number"):
        read_clicks([result(position=position)])


@pytest.mark.parametrize(
    "click", ["9" * 5000, 10**400, 10**5000, "²", "1_0", 3], ids=lambda value: f"{type(value).__name__}"
)
def test_a_click_on_a_rank_that_is_not_shown_is_refused(click):
    with pytest.raises(DataError, match="which is not among the 2 documents shown"):
        read_clicks([{"session": "s", "query": "q", "documents": ["a", "b"], "clicks": [click]}])


def test_a_list_that_is_nested_too_deeply_is_refused():
    with pytest.raises(DataError):
        read_clicks([{"session": "s", "query": "q", "documents": "[" * 100_000, "clicks": "x"}])


def test_a_time_that_no_calendar_has_stops_nothing(tmp_path):
    table = pa.table(
        {
            **{name: [value] * 2 for name, value in result().items()},
            "position": [1, 2],
            "document": ["a", "b"],
            "time": pa.array([2**62, 2**61], pa.timestamp("us")),
        }
    )
    pq.write_table(table, tmp_path / "log.parquet")
    assert len(read_clicks(tmp_path / "log.parquet").document) == len(read_clicks(table).document) == 2
    queries = pa.table({"qid": ["q"], "text": ["t"], "when": pa.array([2**62], pa.timestamp("us"))})
    assert cf.read_queries(queries).text("q") == "t"


def test_two_columns_of_one_name_are_refused(tmp_path):
    (tmp_path / "log.csv").write_text("session,query,position,document,clicked,clicked\ns,q,1,a,0,1\n")
    with pytest.raises(DataError, match="two columns are called 'clicked'"):
        read_clicks(tmp_path / "log.csv")


class TestRowsApart:
    def test_an_impression_that_other_rows_interrupt_is_refused(self):
        rows = [result(), result(session="t"), result(position=2, document="b"), result(session="t", position=2)]
        with pytest.raises(DataError, match="row 3: an impression goes on here that other rows have interrupted"):
            read_clicks(rows)

    def test_a_list_that_is_shown_again_is_another_impression(self):
        rows = [result(), result(query="p"), result(), result(position=2, document="b")]
        assert len(read_clicks(rows)) == 3

    def test_without_positions_it_is_a_warning(self):
        rows = [result(), result(query="p"), result(document="b")]
        log = read_clicks([{name: row[name] for name in row if name != "position"} for row in rows])
        assert "1 of 3 impressions have the session and query of an earlier one" in str(log.warnings[0])

    def test_with_ids_of_impressions_rows_may_stand_anywhere(self):
        rows = [result(impression_id=1), result(impression_id=2), result(impression_id=1, position=2, document="b")]
        assert len(read_clicks(rows)) == 2


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


def test_rows_without_columns_are_no_clicks():
    with pytest.raises(cf.DataError, match="clicks"):
        cf.read_clicks([[]])
