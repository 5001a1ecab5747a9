"""Which queries saved responses answer, where only their order tells."""

import json

import pytest

import cranfield as cf
from cranfield.formats.query_order import query_order

QUERIES = "query_id\ttext\nq1\tiphone\nq2\tfoo\nq3\tusb cable\n"
REQUEST = [
    {"index": "products"},
    {"query": {"match": {"title": "iphone"}}, "size": 10},
    {},
    {"query": {"multi_match": {"query": "foo", "fields": ["title", "brand"]}}},
    {"index": "products"},
    {"query": {"bool": {"must": [{"match": {"title": {"query": "usb cable"}}}], "filter": [{"term": {"x": "y"}}]}}},
]


def response(*documents, **facts):
    """What Elasticsearch answers to one search of `_msearch`."""
    hits = [{"_index": "products", "_id": one, "_score": 9.0 - at} for at, one in enumerate(documents)]
    return {
        "took": 1,
        "timed_out": False,
        "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
        "hits": {"total": {"value": len(hits), "relation": "eq"}, "max_score": None, "hits": hits},
        "status": 200,
        **facts,
    }


FAILED = {
    "error": {"root_cause": [{"type": "parsing_exception", "reason": "unknown query [mtch]"}], "type": "x"},
    "status": 400,
}
ANSWERS = {"took": 7, "responses": [response("d1", "d2"), response(), response("d9", "d2", timed_out=True)]}
JUDGED = {"q1": ["d1"], "q2": ["d2"], "q3": ["d2"]}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bm25.json").write_text(json.dumps(ANSWERS))
    (tmp_path / "queries.tsv").write_text(QUERIES)
    (tmp_path / "request.ndjson").write_text("".join(json.dumps(line) + "\n" for line in REQUEST))
    return tmp_path


def reciprocal_ranks(run, queries, judged=JUDGED):
    return cf.evaluate(judged, run, "RR", run_queries=queries)["RR"].tolist()


def test_without_queries_responses_in_order_are_refused_and_the_message_says_what_to_give(folder):
    with pytest.raises(cf.DataError, match=r"3 responses(.|\n)*run_queries=\"FILE\""):
        cf.evaluate(JUDGED, folder / "bm25.json", "RR")


def test_a_query_file_gives_their_ids(folder):
    assert reciprocal_ranks(folder / "bm25.json", folder / "queries.tsv") == [[1.0, 0.0, 0.5]]


@pytest.mark.parametrize("queries", [["q1", "q2", "q3"], {"q1": "iphone", "q2": "foo", "q3": "usb cable"}])
def test_so_do_lists_and_dictionaries_for_responses_in_memory(queries):
    assert reciprocal_ranks(ANSWERS, queries) == [[1.0, 0.0, 0.5]]
    assert reciprocal_ranks(ANSWERS["responses"], queries) == [[1.0, 0.0, 0.5]]


def test_the_request_gives_their_texts(folder):
    by_text = {"iphone": ["d1"], "foo": ["d2"], "usb cable": ["d2"]}
    assert reciprocal_ranks(folder / "bm25.json", folder / "request.ndjson", by_text) == [[1.0, 0.0, 0.5]]


def test_empty_timed_out_and_failed_queries_are_three_things(folder):
    scores = cf.evaluate(JUDGED, folder / "bm25.json", "RR", run_queries=folder / "queries.tsv")
    assert [warning.kind for warning in scores.warnings] == ["timed-out", "silent-queries"]
    failed = {"responses": [*ANSWERS["responses"][:2], FAILED]}
    with pytest.raises(cf.DataError, match=r"query 'q3' failed .*parsing_exception: unknown query \[mtch\]"):
        cf.evaluate(JUDGED, failed, "RR", run_queries=["q1", "q2", "q3"])


def test_responses_that_repeat_texts_are_known_by_these_in_any_order(folder):
    def solr(text, document):
        return {"responseHeader": {"params": {"q": text}}, "response": {"numFound": 1, "docs": [{"id": document}]}}

    answers = [solr("usb cable", "d2"), solr("iphone", "d1")]
    assert reciprocal_ranks(answers, folder / "queries.tsv") == [[1.0, 0.0, 1.0]]


def test_another_number_of_queries_is_refused(folder):
    with pytest.raises(cf.DataError, match="3 responses, but 2 queries"):
        cf.read_run(folder / "bm25.json", run_queries=["q1", "q2"])["q1"]


def test_where_no_run_holds_responses_the_order_is_refused():
    for run in ({"q1": ["d1"]}, [("q1", "d1", 1.0)]):
        with pytest.raises(cf.UsageError, match="run_queries= is about saved responses"):
            cf.evaluate(JUDGED, run, "RR", run_queries=["q1"])


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (REQUEST[:5], "an odd number of lines"),
        ([{}, {"query": {"match_all": {}}}], "search 1 of the request looks for no text"),
        (
            [{}, {"query": {"bool": {"should": [{"match": {"a": "x"}}, {"match": {"b": "y"}}]}}}],
            "search 1 of the request looks for 2 texts",
        ),
    ],
)
def test_a_request_that_does_not_tell_is_refused(tmp_path, lines, words):
    (tmp_path / "request.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(cf.DataError, match=words):
        query_order(tmp_path / "request.ndjson")


def test_a_vector_next_to_the_text_does_not_matter(tmp_path):
    body = {
        "query": {
            "hybrid": {"queries": [{"match": {"t": "iphone"}}, {"neural": {"v": {"query_text": "iphone", "k": 5}}}]}
        }
    }
    (tmp_path / "request.ndjson").write_text("{}\n" + json.dumps(body) + "\n")
    assert query_order(tmp_path / "request.ndjson").ids == ("iphone",)


def test_where_nothing_takes_the_queries_the_message_names_what_does(folder):
    with pytest.raises(cf.DataError, match='run_queries="FILE" of evaluate, read_run or convert'):
        cf.pool([folder / "bm25.json"])
    assert len(cf.pool([cf.read_run(folder / "bm25.json", run_queries=folder / "queries.tsv")]).entries) == 4


def test_responses_are_converted_to_a_run(folder):
    cf.convert(folder / "bm25.json", folder / "bm25.run", run_queries=folder / "queries.tsv")
    assert (folder / "bm25.run").read_text().startswith("q1 Q0 d1 1 9.0 bm25\n")
    with pytest.raises(cf.UsageError, match="run_queries="):
        cf.convert(JUDGED, folder / "qrels.txt", kind="judgments", run_queries=["q1"])
