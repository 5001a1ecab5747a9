import json

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats.clicks import read_clicks
from tests.formats.click_logs import IMPRESSIONS, contents, written


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
        "1 of 1 impressions show a document twice; each position counts as a separate view"
    ]


@pytest.mark.parametrize(
    "click", ["9" * 5000, 10**400, 10**5000, "²", "1_0", 3], ids=lambda value: f"{type(value).__name__}"
)
def test_a_click_on_a_rank_that_is_not_shown_is_refused(click):
    with pytest.raises(DataError, match="which is not among the 2 documents shown"):
        read_clicks([{"session": "s", "query": "q", "documents": ["a", "b"], "clicks": [click]}])


def test_a_list_that_is_nested_too_deeply_is_refused():
    with pytest.raises(DataError):
        read_clicks([{"session": "s", "query": "q", "documents": "[" * 100_000, "clicks": "x"}])
