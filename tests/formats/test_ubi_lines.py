"""Compiled loops read OpenSearch UBI as plain ones do, and leave to them whatever there is something to say about."""

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CranfieldError
from cranfield.formats import ubi
from cranfield.kernels import CHOICE, are_compiled
from tests.effort import examples
from tests.formats.click_logs import LOG, contents

pytestmark = pytest.mark.skipif(not are_compiled(), reason="the compiled loops are not there")


def asked(query, *documents, **more):
    return {"query_id": query, "user_query": f"tea {query}", "query_response_hit_ids": list(documents), **more}


def event(query, document=None, action="click", ordinal=None, **more):
    attributes = {"object": {"object_id": document}, "position": {"ordinal": ordinal}}
    return {"query_id": query, "action_name": action, "event_attributes": attributes, **more}


def lines_of(records):
    return "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records)


A, B = asked("1", "a", "b", "c", client_id="c1"), asked("2", "b", "d", client_id="c2")
CLICK = event("1", "b")
SOUND = {
    "queries and clicks": [A, B, CLICK, event("2", "d"), event("2", "d")],
    "clicks before their queries": [CLICK, event("2", "d"), A, B],
    "queries alone": [A, B],
    "queries that list nothing": [A, asked("3"), {"query_id": "4", "user_query": "x", "query_response_id": "r"}, B],
    "queries none of which lists anything": [asked("1"), asked("2")],
    "whole numbers": [asked(1, 7, 8, "9", session_id=12), event(1, 8), event("1", "7"), asked(-2, -7), event(-2, -7)],
    "other names for results": [
        {"query_id": "1", "user_query": "x", "query_response_object_ids": ["a", "b"]},
        {"query_id": "2", "user_query": "x", "query_response_objects_ids": ["c", 4]},
        {"query_id": "3", "query_response_objects_ids": ["c"], "query_response_object_ids": ["d"]},
        {"query_id": "4", "query_response_object_ids": ["d"], "query_response_hit_ids": []},
        {"query_id": "5", "query_response_object_ids": ["d"], "query_response_hit_ids": None},
        event("2", "4"),
    ],
    "results in a text": [
        {"query_id": "1", "user_query": "x", "query_response_hit_ids": "a, b;c"},
        {"query_id": "2", "user_query": "x", "query_response_hit_ids": " [7, 8] "},
        {"query_id": "3", "user_query": "x", "query_response_hit_ids": ""},
        event("2", 8),
    ],
    "texts that are missing": [{"query_id": "1", "query_response_hit_ids": ["a"]}, {**B, "user_query": ""}],
    "texts that are numbers": [{**A, "user_query": 0}, {**B, "user_query": 17}],
    "sessions of events": [
        A,
        B,
        event("1", "b", session_id="s1"),
        event("2", "b", action="view", session_id="s2"),
        event("2", "b", session_id="s3", client_id="c9"),
        event("1", "a", client_id="c9"),
    ],
    "sessions within attributes": [
        A,
        B,
        {**CLICK, "event_attributes": {"session_id": "s1", "object": {"object_id": "b"}}, "client_id": "c9"},
        {
            **event("2", "b"),
            "session_id": "",
            "event_attributes.session_id": "s2",
            "event_attributes": {"session_id": 5},
        },
    ],
    "sessions that are empty": [
        {**A, "session_id": ""},
        {**B, "session_id": 0},
        asked("3", "a"),
        asked("4", "a", session_id=0),
        event("3", "a", session_id="", client_id=0),
    ],
    "impressions": [
        A,
        B,
        event("1", "c", "impression", 2),
        event("1", "z", "impression", "1"),
        event("1", "b", "impression"),
        event("1", "c", "impression", 0),
        event("1", None, "impression", 1),
        event("1", "z"),
        event("1", "a"),
    ],
    "impressions of queries that list nothing": [asked("1"), A | {"query_id": "2"}, event("1", "x", "impression", 1)],
    "positions that are indices": [
        A,
        {**event("1", "b", "impression"), "event_attributes": {"object": {"object_id": "b"}, "position": {"index": 5}}},
        {
            **event("1", "c", "impression"),
            "event_attributes": {"object": {"object_id": "c"}, "position": {"index": "4", "ordinal": None, "x": 9}},
        },
        event("1", "a", "impression", 3.0),
        event("1", "d", "impression", "12.0"),
    ],
    "names with dots": [
        A,
        {"query_id": "1", "action_name": "click", "event_attributes.object.object_id": "b"},
        {
            **event("1", "a", "impression", 1),
            "event_attributes.object.object_id": "c",
            "event_attributes.position.ordinal": 9,
            "event_attributes.position.index": 1,
        },
        {**event("1", "a", "impression"), "event_attributes.position.index": 2, "event_attributes.session_id": "s"},
        {**event("1", "b", "impression", 5), "event_attributes.position.ordinal": None},
    ],
    "clicks on what is not listed": [
        A,
        B,
        event("2", "x"),
        event("1", "x"),
        event("1", "y"),
        event("2"),
        event("2", "b"),
    ],
    "events of unknown queries": [
        A,
        event("9", "a"),
        event("8", "a", "impression", 1),
        event("9", "a"),
        event("7", "a", "x"),
    ],
    "other actions": [A, event("1", "b", "hover"), event("1", "b", "buy"), event("1", "b", "hover"), CLICK],
    "actions with escapes": [A, lines_of([{**CLICK, "action_name": "h\u00f6ver"}]).strip(), CLICK],
    "a bulk request": [{"index": {"_index": "q"}}, A, {"create": {}}, CLICK, {"index": {}, "create": None}, {}],
    "records without a query": [
        A,
        {"action_name": "click", "user_query": "x"},
        {"query_id": None, "index": 1, "other": 2},
        CLICK,
        {"delete": {"_id": 1}},
    ],
    "further fields": [
        {
            **A,
            "timestamp": "2024-01-01T00:00:00Z",
            "application": "shop",
            "query_attributes": {"a": [1.5, {"b": None}]},
        },
        {**CLICK, "timestamp": 17e11, "message": "x", "message_type": None, "tags": [True, False]},
    ],
    "texts beyond ASCII": [
        '{"query_id": "\\u00e9\\n", "user_query": "t\\u00e9 \\ud83d\\ude00 \\"x\\"", '
        '"query_response_hit_ids": ["\\u00e9", "\\\\"]}',
        '{"query_id": "é2", "user_query": "té", "query_response_hit_ids": ["é", "ö"]}',
        '{"query_id": "\\u00e9\\n", "action_name": "\\u0063lick", "event_attributes": {"object": {"object_id": "é"}}}',
        '{"query_id": "\\u00e9\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n", "query_response_hit_ids": ["\\t\\t\\t\\t"]}',
    ],
    "attributes that are no objects": [
        A,
        {**CLICK, "event_attributes": "b"},
        {**CLICK, "event_attributes": {"object": ["b"], "position": 5}},
        {**CLICK, "event_attributes": None},
        {"query_id": "1", "action_name": "click"},
    ],
    "the same query twice": [A, B, CLICK, A, {**A, "session_id": "c1", "client_id": "other"}, event("2", "d")],
    "a document that is listed twice": [asked("1", "a", "b", "a"), event("1", "a"), B],
    "blank lines": ["", lines_of([A]).strip() + "\r", "", lines_of([CLICK]).strip()],
}
ODD = {
    "another query of the same id": [A, CLICK, {**A, "user_query": "coffee"}],
    "other results of the same query": [A, asked("1", "a", "b", "x", client_id="c1")],
    "fewer results of the same query": [A, asked("1", "a", "b", client_id="c1")],
    "another session of the same query": [A, {**A, "client_id": "c7"}],
    "no session of the same query": [A, asked("1", "a", "b", "c")],
    "a position that is none": [A, event("1", "b", "impression", "first"), event("1", "b", ordinal=-1)],
    "a position that is too large": [A, event("1", "b", ordinal=10**9)],
    "a position that is no whole number": [A, event("1", "b", "impression", 1.5)],
    "events without queries": [CLICK, event("1", "a", "view")],
    "wrapped records": [A, {"_source": CLICK}],
    "an answer": [A, {"hits": {"hits": [{"_source": CLICK}]}}],
    "no ids of queries": [asked("", "a"), asked([], "a"), asked(1.5, "a"), asked([1], "a"), asked("\ud800", "a")],
    "no ids of documents": [
        asked("1", "", "b"),
        asked("2", None, 1.5),
        asked("3", {"object_id": "x"}, {"id": 2}),
    ],
    "no lists": [asked("1") | {"query_response_hit_ids": 5}, asked("2") | {"query_response_hit_ids": {"a": 1}}, B],
    "no texts": [{**A, "user_query": ["x"]}, {**B, "user_query": False}],
    "no sessions": [{**A, "client_id": ""}, {**B, "session_id": [1]}, event("1", "a", client_id="", session_id="")],
    "no actions": [A, event("1", "b", 5), event("1", "b", ""), event("1", "b", ["x"])],
    "no objects": [
        A,
        event("1", ""),
        event("1", 1.5),
        event("1", ["b"]),
        {**CLICK, "event_attributes.object.object_id": True},
    ],
    "a name twice": [A, '{"query_id": "1", "query_id": "2", "action_name": "click"}'],
    "a name with escapes": [A, '{"query_id": "1", "action\\u005fname": "click"}'],
    "two values on a line": [A, "{}, {}", CLICK],
    "no JSON": [A, '{"query_id": "1", ', CLICK],
    "no object": [A, "[1]", CLICK],
    "numbers without end": [A, {**CLICK, "timestamp": float("nan")}],
    "a NUL": [A, event("1", "a\0b")],
    "no UBI": [{"session": "s", "query": "q", "documents": ["a"], "clicks": [1]}] * 2,
    "bulk lines alone": [{"index": {}}, {"create": {}}],
    "nothing": [{}, {}],
    "a file in which nothing shows what it is": [
        {"query_id": "1", "user_query": "x"},
        {"query_id": "2", "user_query": "x"},
    ],
}


def outcome(sources, **options):
    """All that is read, or what is said instead."""
    try:
        log = cf.read_clicks(sources, **options)
    except CranfieldError as error:
        return str(error)
    arrays = log.starts, log.session, log.query, log.document, log.clicked
    ids = tuple(log.sessions), tuple(log.queries), tuple(log.documents)
    return [(each.dtype, each.tolist()) for each in arrays], ids, log.propensity, log.path, log.warnings, log.actions


def both(sources, monkeypatch, **options):
    """What is read without compiled loops and with them, and how many files these left to the plain ones."""
    monkeypatch.setenv(CHOICE, "plain")
    plain = outcome(sources, **options)
    monkeypatch.setenv(CHOICE, "compiled")
    added, add = [], ubi.Ubi.add
    with monkeypatch.context() as watched:
        watched.setattr(ubi.Ubi, "add", lambda self, rows: added.append(rows.path) or add(self, rows))
        compiled = outcome(sources, **options)
    return plain, compiled, len(set(added))


def written(directory, records, name="ubi.jsonl"):
    path = Path(directory) / name
    data = lines_of(records).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", SOUND)
def test_what_real_logs_hold_is_read_by_compiled_loops_as_by_plain_ones(name, tmp_path, monkeypatch):
    plain, compiled, left = both(written(tmp_path, SOUND[name]), monkeypatch)
    assert compiled == plain
    assert not left


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_said_in_the_words_of_plain_loops(name, tmp_path, monkeypatch):
    plain, compiled, _ = both(written(tmp_path, ODD[name]), monkeypatch)
    assert compiled == plain


@pytest.mark.parametrize("clicks", [("hover", "buy"), ("click", "impression"), (), ("h\ud800ver", "höver"), [""] * 99])
def test_other_actions_count_as_clicks(clicks, tmp_path, monkeypatch):
    records = [*SOUND["other actions"], *SOUND["impressions"][1:], *SOUND["actions with escapes"][1:]]
    plain, compiled, _ = both(written(tmp_path, records), monkeypatch, clicks=clicks)
    assert compiled == plain


class TestSeveralFiles:
    def test_queries_and_events_are_put_together_from_any_file(self, tmp_path, monkeypatch):
        queries = written(tmp_path, [A, B, asked("3")], "queries.jsonl.gz")
        events = written(
            tmp_path, [CLICK, event("3", "b", "impression", 1), {"x": 1}, event("9", "a")], "events.ndjson"
        )
        for files in ([queries, events], [events, queries]):
            plain, compiled, left = both(files, monkeypatch)
            assert compiled == plain
            assert not left

    @pytest.mark.parametrize("name", ODD)
    def test_where_one_is_odd_all_are_read_by_plain_loops(self, name, tmp_path, monkeypatch):
        first = written(tmp_path, [A, {"x": 1}, event("1", "b", "hover"), CLICK], "first.jsonl")
        odd, last = written(tmp_path, ODD[name], "odd.jsonl"), written(tmp_path, [B, {"x": 2}], "last.jsonl")
        for files in ([first, odd, last], [odd, first], [first, last, odd]):
            plain, compiled, _ = both(files, monkeypatch)
            assert compiled == plain

    def test_queries_that_a_later_file_repeats_count_once(self, tmp_path, monkeypatch):
        first, again = written(tmp_path, [A, B, A], "first.jsonl"), written(tmp_path, [B, CLICK, A], "again.jsonl")
        plain, compiled, left = both([first, again, first], monkeypatch)
        assert compiled == plain
        assert not left

    def test_a_query_that_a_later_file_changes_is_refused(self, tmp_path, monkeypatch):
        first = written(tmp_path, [B, A, {"x": 1}], "first.jsonl")
        again = written(tmp_path, [CLICK, asked("1", "b")], "again.jsonl")
        plain, compiled, _ = both([first, again], monkeypatch)
        assert compiled == plain
        assert "comes again with another text, session or list of results than on line 2" in compiled

    def test_other_logs_keep_their_ids(self, tmp_path, monkeypatch):
        lists = [{"session": "c1", "query": "tea 1", "documents": ["z", "b"], "clicks": [1, 0]}] * 2
        other = written(tmp_path, lists, "lists.jsonl")
        ubi_file = written(tmp_path, [A, B, CLICK])
        for files in ([other, ubi_file], [ubi_file, other]):
            plain, compiled, _ = both(files, monkeypatch)
            assert compiled == plain
        (tmp_path / "results.csv").write_text(LOG)
        plain, compiled, _ = both([ubi_file, tmp_path / "results.csv"], monkeypatch)
        assert compiled == plain

    def test_a_table_of_queries_goes_with_lines_of_events(self, tmp_path, monkeypatch):
        table = tmp_path / "queries.csv"
        table.write_text("query_id,user_query,query_response_hit_ids\n1,tea,a|b\n2,tea,b\n")
        events = written(tmp_path, [event("1", "b"), event("2", "b"), {"x": 1}])
        for files in ([events, table], [table, events]):
            plain, compiled, _ = both(files, monkeypatch)
            assert compiled == plain


def test_a_log_of_many_blocks_is_read_as_by_plain_loops(tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    records = []
    for at in range(9000):
        documents = [f"d{number}" for number in rng.choice(3000, 10, replace=False)]
        records.append(asked(f"q{at}", *documents, client_id=f"c{at // 3}"))
        actions = rng.choice(["click", "impression", "x"], rng.integers(3))
        records += [event(f"q{rng.integers(at + 2)}", *one) for one in zip(documents, actions, strict=False)]
    plain, compiled, left = both(written(tmp_path, records), monkeypatch)
    assert compiled == plain
    assert not left


def test_a_block_in_which_nothing_shows_what_it_is_is_read_as_by_plain_loops(tmp_path, monkeypatch):
    alone = [{"query_id": f"x{at}", "user_query": "tea" * 20} for at in range(9000)]
    plain, compiled, _ = both(written(tmp_path, [A, *alone, CLICK]), monkeypatch)
    assert compiled == plain


ids = st.sampled_from(["1", "2", 7, 3, "é", "x"])
few = st.sampled_from(["a", "b", "c", 7, "7", "é"])
odd = st.sampled_from([None, "", 0, True, 1.5, "-0", -1, [], ["a"], {}, {"a": 1}, "a\0", "\ud800", "x" * 40, 10**20])
usual = st.one_of(st.none(), few, ids)


def now_and_then(common, rare):
    """Mostly one, and in one of sixty cases the other."""
    return st.integers(0, 59).flatmap(lambda at: rare if at == 59 else common)


def some(**fields):
    """Objects with all, some or none of these names."""
    return st.fixed_dictionaries({}, optional={name: now_and_then(value, odd) for name, value in fields.items()})


lists = st.lists(now_and_then(few, odd), max_size=5) | st.sampled_from(["a|b", "[7, 8]", "a b, c", "['a']"])
positions = st.one_of(st.none(), st.integers(0, 4), st.sampled_from(["2", "3.0", 2.0, "x", 1e3]))
attributes = some(
    session_id=usual, object=some(object_id=usual, other=usual), position=some(ordinal=positions, index=positions)
)
queries = st.builds(
    lambda known, rest: known | rest,
    st.fixed_dictionaries({"query_id": ids}),
    some(
        user_query=usual,
        session_id=usual,
        client_id=usual,
        query_response_id=usual,
        query_response_hit_ids=lists,
        query_response_object_ids=lists,
        timestamp=usual,
    ),
)
events = st.builds(
    lambda known, rest, dotted: known | rest | dotted,
    st.fixed_dictionaries(
        {"query_id": ids, "action_name": st.sampled_from(["click", "click", "impression", "hover", "höver"])}
    ),
    some(event_attributes=attributes, session_id=usual, client_id=usual, user_query=usual),
    now_and_then(
        st.just({}),
        some(**{"event_attributes.object.object_id": usual, "event_attributes.position.ordinal": positions}),
    ),
)
strange = st.sampled_from(
    [{}, {"index": {}}, {"create": 1}, {"x": 1}, {"query_id": None}, "{", "", " ", "[]", '{"_source": {}}', "{}\r"]
)
records = now_and_then(queries | events, strange)


@examples(150)
@given(st.lists(st.lists(records, min_size=1, max_size=7), min_size=1, max_size=3), st.booleans())
def test_whatever_a_log_holds_both_say_the_same(files, escaped):
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as monkeypatch:
        paths = []
        for at, held in enumerate(files):
            text = "".join(
                (record if isinstance(record, str) else json.dumps(record, ensure_ascii=escaped)) + "\n"
                for record in held
            )
            paths.append(Path(directory) / f"{at}.jsonl")
            paths[-1].write_bytes(text.encode(errors="replace"))
        plain, compiled, _ = both(paths, monkeypatch)
        assert compiled == plain


logs = st.tuples(
    st.lists(queries, max_size=6, unique_by=lambda record: str(record["query_id"])), st.lists(events, max_size=12)
).flatmap(lambda parts: st.permutations([asked("always", "a", "b"), *parts[0], *parts[1]]))


@examples(150)
@given(logs)
def test_whatever_happens_to_queries_both_say_the_same(held):
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as monkeypatch:
        plain, compiled, _ = both(written(directory, held), monkeypatch)
        assert compiled == plain


def test_a_log_can_be_shown_after_it_was_read_by_compiled_loops(tmp_path):
    log = cf.read_clicks(written(tmp_path, SOUND["impressions"]))
    assert contents(log)[0] == ("c1", "tea 1", ["c", "z", "b"], [0, 1, 0])


def test_compiled_loops_take_results_by_the_names_that_plain_ones_do():
    from cranfield.kernels.compiled import NAMES_OF_UBI

    names = [name.decode() for name in NAMES_OF_UBI[0]]
    assert tuple(name for name in names if name in ubi._RESPONSES) == ubi._RESPONSES
    assert ubi.is_ubi(names)
