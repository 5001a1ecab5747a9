"""A search service as a system, as a stand-in on loopback speaks for engines that cannot be installed here."""

import time
from urllib.parse import quote

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.formats.queries import read_queries
from cranfield.requesting.failures import Failure
from cranfield.retrieving import service
from cranfield.retrieving.retrieval import RetrievalChoices, retrieve_from
from cranfield.retrieving.searching import BUILT_IN, search_queries
from cranfield.retrieving.service import ServiceChoices, ServiceSystem

BODY = '{"q": {query}, "size": {size}}'
DOCUMENTS, SCORES = ("d3", "d1", "d2"), (7.5, 4.25, 4.0)


def system(url, body=BODY, **choices):
    return ServiceSystem(ServiceChoices(url, body, **choices), BUILT_IN)


def search(url, text="tomatoes", body=BODY, **choices):
    (query,) = search_queries(read_queries({"q1": text}), [], 10)
    return system(url, body, **choices).search(query)


def failure(*given, **more):
    with pytest.raises(Failure) as raised:
        search(*given, **more)
    return raised.value


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("shape", ["elasticsearch", "opensearch", "solr", "vespa"])
def test_an_engine_is_known_by_its_name_and_by_its_answer(engine, shape, named):
    result = search(engine.url(shape), engine=shape if named else None)
    assert result == (DOCUMENTS, SCORES, 40)
    assert search(engine.url(shape), "nothing", engine=shape if named else None) == ((), None, 0)


@pytest.mark.parametrize("shape", ["qdrant", "qdrant-search"])
def test_points_of_qdrant_have_numbers_as_ids(engine, shape):
    assert search(engine.url(shape), engine="qdrant") == (("3", "1", "2"), SCORES, None)
    assert search(engine.url(shape), "nothing").documents == ()


def test_plain_json_is_a_list_of_objects_or_of_ids(engine):
    assert search(engine.url("plain")) == (DOCUMENTS, SCORES, 40)
    assert search(engine.url("plain"), engine="json").documents == DOCUMENTS
    assert search(engine.url("ids")) == (DOCUMENTS, None, None)
    assert search(engine.url("ids"), "nothing").documents == ()


def test_places_can_be_told(engine):
    paths = {"hits": "hits.hits", "id": "_id", "score": "_score", "total": "hits.total.value"}
    assert search(engine.url("elasticsearch"), paths=paths) == (DOCUMENTS, SCORES, 40)
    assert search(engine.url("chroma"), paths={"hits": "ids.0"}) == (DOCUMENTS, None, None)


def test_a_query_is_sent_as_it_is(engine):
    text = 'say "hi" {size} 100% \\ \n é🌱 & = ?'
    search(engine.url("plain"), text)
    search(engine.url("plain") + "?q={query}&n={size}", text, body=None)
    (post, _, headers, body), (get, path, _, _) = engine.requests
    assert (post, body) == ("POST", {"q": text, "size": 10})
    assert headers["Content-Type"] == "application/json"
    assert (get, path) == ("GET", f"/plain?q={quote(text, safe='')}&n=10")
    assert engine.asked == {text: 2}


FAULTS = [
    ("elasticsearch", "broken always", "server error", "answered 503: no nodes"),
    ("elasticsearch", "cut off", "cut off", "ended before"),
    ("elasticsearch", "half json", "cut off", "ends in the middle"),
    ("elasticsearch", "timed out", "timed out", "time was over"),
    ("vespa", "timed out", "timed out", "time was over"),
    ("elasticsearch", "partial", "incomplete", "a part of the index did not answer"),
    ("solr", "partial", "timed out", "time was over"),
    ("solr", "syntax", "rejected", "answered 400: cannot parse this"),
    ("vespa", "soft error", "rejected", "Invalid query parameter"),
    ("qdrant", "soft error", "rejected", "bad vector"),
    ("elasticsearch", "html", "wrong JSON", "not JSON"),
    ("elasticsearch", "other json", "wrong JSON", "no results were found in the answer: an object with message"),
    ("plain", "nan", "wrong JSON", "not JSON"),
    ("plain", "deep", "wrong JSON", "not JSON"),
    ("plain", "no id", "unreadable", "no id that a run can hold"),
    ("elasticsearch", "redirect", "redirected", "203.0.113.7; nothing was sent there"),
    ("elasticsearch", "forbidden", "not allowed", "answered 401"),
]


@pytest.mark.parametrize(("shape", "fault", "kind", "detail"), FAULTS)
@pytest.mark.parametrize("named", [True, False])
def test_every_fault_is_a_failure_of_its_kind_and_never_an_empty_result(engine, shape, fault, kind, detail, named):
    name = {"plain": "json"}.get(shape, shape) if named else None
    found = failure(engine.url(shape), fault, engine=name)
    assert found.kind == kind
    assert detail in found.detail


def test_a_large_answer_is_not_read_to_its_end(engine, monkeypatch):
    monkeypatch.setattr(service, "MOST_BYTES", 1 << 20)
    assert failure(engine.url("plain"), "huge").kind == "too large"


def test_a_slow_answer_timed_out(engine):
    began = time.monotonic()
    assert failure(engine.url("plain"), "slow", timeout=0.1).kind == "timeout"
    assert time.monotonic() - began < 0.9


def test_faults_that_pass_are_tried_again_and_all_else_is_listed(engine, tmp_path):
    queries = read_queries(
        {"q1": "busy", "q2": "broken", "q3": "nothing", "q4": "syntax", "q5": "timed out", "q6": "tomatoes"}
    )
    waits = []
    retrieval = retrieve_from(
        system(engine.url("elasticsearch")),
        queries,
        RetrievalChoices(at_once=3, tries=3),
        output=tmp_path / "bm25.run",
        sleep=waits.append,
    )
    outcomes = [record.outcome for record in retrieval.log.records.values()]
    assert outcomes == ["results", "results", "empty", "failed", "timed out", "results"]
    assert engine.asked == {"busy": 2, "broken": 3, "nothing": 1, "syntax": 1, "timed out": 3, "tomatoes": 1}
    assert 0.01 in waits
    engine.healthy = True
    retrieval = retrieve_from(
        system(engine.url("elasticsearch")), queries, RetrievalChoices(), output=tmp_path / "bm25.run"
    )
    assert engine.asked["tomatoes"] == 1
    assert retrieval.is_complete
    assert retrieval.log.records["q3"].outcome == "empty"
    scores = cf.evaluate({query: {"d3": 1} for query in queries}, tmp_path / "bm25.run", "RR")
    assert scores.mean("RR").value == pytest.approx(5 / 6)


def test_keys_come_from_the_environment_and_are_written_nowhere(engine, monkeypatch, tmp_path):
    monkeypatch.setenv("SEARCH_KEY", "key-123")
    asked = system(engine.url("elasticsearch"), headers=["Authorization=SEARCH_KEY", "X-Other=SEARCH_KEY"])
    queries = read_queries({"q1": "tomatoes", "q2": "forbidden"})
    retrieval = retrieve_from(asked, queries, RetrievalChoices(partial=True), output=tmp_path / "bm25.run")
    assert engine.requests[0][2]["Authorization"] == "key-123"
    assert "401: *** is wrong" in retrieval.verdict()
    everything = [str(retrieval), repr(retrieval), str(retrieval.to_dict()), repr(asked.asked)]
    everything += [path.read_text() for path in tmp_path.iterdir()]
    assert len(everything) == 6
    assert not [text for text in everything if "key-123" in text]


def test_a_key_in_the_address_is_not_written_either(engine, tmp_path):
    asked = system(engine.url("plain") + "?q={query}&key=key-123", body=None)
    retrieve_from(asked, read_queries({"q1": "tomatoes"}), RetrievalChoices(), output=tmp_path / "bm25.run")
    assert not [path for path in tmp_path.iterdir() if "key-123" in path.read_text()]


@pytest.mark.parametrize(
    "header", ["Authorization", "=KEY", "Authorization=Bearer x", "A b=KEY", "A=", "A=1KEY", "A:b=KEY"]
)
def test_a_header_names_a_variable(header):
    with pytest.raises(UsageError, match="write NAME=VARIABLE"):
        system("http://127.0.0.1/", headers=[header])


@pytest.mark.parametrize("value", [None, "", "a\nb", "é"])
def test_a_header_without_a_value_is_refused(monkeypatch, value):
    monkeypatch.delenv("SEARCH_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("SEARCH_KEY", value)
    with pytest.raises(UsageError, match="SEARCH_KEY for Authorization is not set"):
        system("http://127.0.0.1/", headers=["Authorization=SEARCH_KEY"])


@pytest.mark.parametrize(
    "url",
    [
        *("", "127.0.0.1:9200", "ftp://h/{query}", "file:///etc/passwd", "http://", "http://ada:pw@h/", "http://h:x/"),
        *("http://{query}/", "http://h.{query}/", "http://[::1/", "http://h/ {query}", "http://h/\n"),
    ],
)
def test_an_address_is_checked(url):
    with pytest.raises(UsageError, match="is not the address of a search service") as refused:
        system(url)
    assert "pw@" not in str(refused.value)


def test_a_request_without_the_query_is_refused():
    with pytest.raises(UsageError, match=r"The request does not contain \{query\}"):
        system("http://127.0.0.1/?n={size}", body=None)


def test_an_unknown_engine_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"There is no engine 'elastic'. Did you mean elasticsearch"):
        system("http://127.0.0.1/", engine="elastic")
