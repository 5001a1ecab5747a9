"""JSON of other tools: what is a hit list is read, and all else is refused in one sentence that says what it is."""

import json

import pytest

import cranfield as cf
from cranfield.errors import Findings
from cranfield.formats.foreign_json import SHAPES, described, foreign_shape

BOTH = ["d1", "d2"]
ALGOLIA = {"hits": [{"objectID": "d1"}, {"objectID": "d2"}], "nbHits": 2, "processingTimeMS": 1, "query": "iphone"}
EVALUATION = {
    "id": "e1",
    "searchConfigurationId": "c",
    "searchText": "iphone",
    "judgmentIds": ["j"],
    "documentIds": BOTH,
    "metrics": [{"metric": "NDCG@10", "value": 0.9}],
}
RESPONSES = {
    "Weaviate": {"data": {"Get": {"Article": [{"_additional": {"id": one, "distance": 0.1}} for one in BOTH]}}},
    "Milvus": {"code": 0, "data": [{"id": "d1", "distance": 0.9}, {"id": "d2", "distance": 0.5}]},
    "Chroma": {"ids": [BOTH], "distances": [[0.1, 0.2]], "documents": [["a", "b"]], "metadatas": [[None, None]]},
    "Azure AI Search": {
        "@odata.context": "https://x/$metadata#docs(*)",
        "value": [{"@search.score": 1.2, "chunk_id": "d1"}, {"@search.score": 1.3, "chunk_id": "d2"}],
    },
    "Algolia": ALGOLIA,
    "Coveo": {
        "totalCount": 2,
        "duration": 9,
        "results": [{"uniqueId": "d1", "score": 9}, {"uniqueId": "d2", "score": 8}],
    },
    "Vectara": {"search_results": [{"document_id": "d1", "score": 0.9}, {"document_id": "d2", "score": 0.5}]},
    "Bedrock": {
        "retrievalResults": [
            {"content": {"text": "x"}, "location": {"s3Location": {"uri": one}}, "score": 1 / (at + 1)}
            for at, one in enumerate(BOTH)
        ]
    },
    "OpenAI": {
        "object": "vector_store.search_results.page",
        "search_query": ["iphone"],
        "data": [{"file_id": "d1", "score": 0.9}, {"file_id": "d2", "score": 0.5}],
    },
    "Google Discovery Engine": {"results": [{"document": {"id": one}} for one in BOTH], "attributionToken": "x"},
    "Pinecone": {"result": {"hits": [{"_id": "d1", "_score": 0.9}, {"_id": "d2", "_score": 0.5}]}, "usage": {}},
    "Redis": {"total_results": 2, "results": [{"id": "d1"}, {"id": "d2"}]},
    "Marqo": {"hits": [{"_id": "d1", "_score": 0.9}, {"_id": "d2", "_score": 0.5}], "processingTimeMs": 3},
    "Quickwit": {"num_hits": 2, "hits": [{"id": "d1"}, {"id": "d2"}], "elapsed_time_micros": 3},
}
REFUSED = {
    "a reranker": {"object": "list", "data": [{"index": 1, "relevance_score": 0.9}]},
    "DeepEval test cases": [{"input": "q", "actual_output": "a", "retrieval_context": ["a text"]}],
    "DeepEval results": {"test_results": [{"metrics_data": [{"name": "Faithfulness"}]}]},
    "promptfoo": {"evalId": "e", "results": {"results": [{"vars": {}, "score": 1}]}, "config": {}},
    "Label Studio": [{"id": 1, "data": {"query": "q"}, "annotations": [{"result": []}], "predictions": []}],
    "LangSmith": [{"id": "r", "run_type": "retriever", "inputs": {"query": "x"}, "outputs": {}}],
    "an OpenSearch experiment": {
        "took": 1,
        "hits": {
            "hits": [{"_id": "e1", "_source": {"searchConfigurationList": ["c"], "results": [{"queryText": "x"}]}}]
        },
    },
    "Vectara's first API": {"responseSet": [{"response": [{"text": "x", "score": 0.9}], "document": [{"id": "d1"}]}]},
    "grouped results of Solr": {"responseHeader": {"status": 0}, "grouped": {"brand": {"groups": []}}},
    "grouped results of Qdrant": {"status": "ok", "result": {"groups": [{"id": "x", "hits": []}]}},
    "grouped results of Typesense": {"found": 1, "grouped_hits": [{"group_key": ["x"], "hits": []}]},
    "aggregations of Elasticsearch": {"took": 1, "timed_out": False, "aggregations": {"x": {"buckets": []}}},
    "an answer of a language model": {
        "id": "c",
        "object": "chat.completion",
        "choices": [{"message": {"content": ""}}],
    },
    "a vector store's list of documents": {"ids": BOTH, "documents": ["a", "b"], "metadatas": [None, None]},
    "an object with type and features": {"type": "FeatureCollection", "features": []},
    "an object with foo": {"foo": {"bar": [1, 2, 3]}},
}


def documents(source):
    findings = Findings()
    found = {one.query: list(one.documents) for one in cf.read_run(source).rankings(findings)}
    findings.stop_if_wrong()
    return found


@pytest.mark.parametrize("engine", RESPONSES)
def test_responses_as_plain_as_a_list_of_hits_are_read(tmp_path, engine):
    for name, indent in (("q1", None), ("q2", 1)):
        (tmp_path / f"{name}.json").write_text(json.dumps(RESPONSES[engine], indent=indent))
        assert documents(tmp_path / f"{name}.json") == {name: BOTH}
    assert documents({"q1": RESPONSES[engine], "q2": RESPONSES[engine]}) == {"q1": BOTH, "q2": BOTH}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("indent", [None, 1])
def test_others_are_refused_in_one_sentence_that_names_them(tmp_path, what, indent):
    (tmp_path / "file.json").write_text(json.dumps(REFUSED[what], indent=indent))
    for read in (documents, cf.read_judgments):
        with pytest.raises(cf.DataError) as error:
            read(tmp_path / "file.json")
        (finding,) = error.value.findings
        assert len(str(finding)) < 250
        if read is documents:
            assert what in str(finding)


@pytest.mark.parametrize("what", [name for name in REFUSED if isinstance(REFUSED[name], dict)])
def test_so_they_are_in_memory(what):
    with pytest.raises(cf.DataError, match=what):
        documents(REFUSED[what])


def test_results_of_an_evaluation_in_opensearch_are_a_run_by_the_texts_of_queries(tmp_path):
    other = {**EVALUATION, "id": "e2", "searchText": "usb"}
    stored = {"took": 1, "hits": {"hits": [{"_id": one["id"], "_source": one} for one in (EVALUATION, other)]}}
    (tmp_path / "results.json").write_text(json.dumps(stored))
    assert documents(tmp_path / "results.json") == {"iphone": BOTH, "usb": BOTH}
    (tmp_path / "one.json").write_text(json.dumps(EVALUATION))
    assert documents(tmp_path / "one.json") == {"iphone": BOTH}


def test_batches_of_vector_stores_need_the_queries(tmp_path):
    qdrant = {"status": "ok", "result": [[{"id": "d1", "score": 0.9}], [{"id": "d2", "score": 0.5}]]}
    points = {
        "status": "ok",
        "result": [{"points": [{"id": "d1", "score": 0.9}]}, {"points": [{"id": "d2", "score": 0.5}]}],
    }
    chroma = {"ids": [["d1"], ["d2"]], "distances": [[0.1], [0.2]]}
    for value in (qdrant, points, chroma):
        with pytest.raises(cf.DataError, match="2 responses of a search engine, in the order of the queries"):
            documents(value)
        run = cf.read_run(value, run_queries=["q1", "q2"])
        assert (list(run["q1"]), list(run["q2"])) == (["d1"], ["d2"])


def test_several_answers_of_algolia_are_known_by_the_texts_they_repeat():
    assert documents({"results": [ALGOLIA, {**ALGOLIA, "query": "usb"}]}) == {"iphone": BOTH, "usb": BOTH}


def test_a_table_that_has_documents_is_a_table_whatever_else_it_has():
    rows = [{"query": "q1", "document": "d1", "score": 1.0, "retrieval_context": "text"}]
    assert documents(rows) == {"q1": ["d1"]}


def test_an_empty_list_of_hits_that_nobody_signed_is_no_answer():
    assert documents({"value": []}) == {"value": []}
    assert foreign_shape({"q1": ["d1"]}) is None


def test_every_shape_says_what_to_do():
    assert all(shape.advice.endswith(".") for shape in SHAPES)
    assert described({}) == "a dictionary"
