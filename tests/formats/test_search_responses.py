"""Saved answers of search engines, in the shapes that their documentation shows."""

from __future__ import annotations

import json
from typing import ClassVar

import pytest

import cranfield as cf
from cranfield import DataError

JUDGED = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 1, "d4": 0}}
ORDER = {"q1": ["d3", "d2", "d1"], "q2": ["d4", "d1"]}


def elastic(documents, **also):
    hits = [
        {"_index": "shop", "_id": one, "_score": 9.5 - at, "_source": {"title": "x"}}
        for at, one in enumerate(documents)
    ]
    shards = {"total": 5, "successful": 5, "skipped": 0, "failed": 0}
    total = {"value": len(hits), "relation": "eq"}
    return {"took": 5, "timed_out": False, "_shards": shards, "hits": {"total": total, "hits": hits}} | also


def solr(documents):
    docs = [{"id": one, "score": 9.5 - at} for at, one in enumerate(documents)]
    header = {"status": 0, "QTime": 3, "params": {"q": "garden"}}
    return {"responseHeader": header, "response": {"numFound": len(docs), "start": 0, "docs": docs}}


def vespa(documents):
    root = {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": len(documents)}, "coverage": {"coverage": 100}}
    children = [
        {"id": f"id:shop:product::{one}", "relevance": 0.9 - at / 10, "source": "shop", "fields": {}}
        for at, one in enumerate(documents)
    ]
    return {"root": root | ({"children": children} if children else {})}


def typesense(documents):
    hits = [{"document": {"id": one, "title": "x"}, "highlights": [], "text_match": 578} for one in documents]
    return {"found": len(hits), "hits": hits, "page": 1, "request_params": {"q": "garden"}, "search_time_ms": 1}


def meilisearch(documents):
    hits = [{"product_id": one, "title": "x"} for one in documents]
    return {"hits": hits, "query": "garden", "processingTimeMs": 1, "limit": 20, "offset": 0, "estimatedTotalHits": 9}


def qdrant(documents):
    points = [{"id": one, "version": 3, "score": 0.9 - at / 10} for at, one in enumerate(documents)]
    return {"result": {"points": points}, "status": "ok", "time": 0.001}


def qdrant_search(documents):
    return qdrant(documents) | {"result": qdrant(documents)["result"]["points"]}


def pinecone(documents):
    return {"matches": [{"id": one, "score": 0.9 - at / 10} for at, one in enumerate(documents)], "namespace": ""}


ENGINES = [elastic, solr, vespa, typesense, meilisearch, qdrant, qdrant_search, pinecone]


def run_of(value, **how):
    return {
        ranking.query: list(ranking.documents) for ranking in cf.read_run(value, **how).rankings(cf.errors.Findings())
    }


def written(folder, value, name="run.json"):
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


@pytest.mark.parametrize("engine", ENGINES)
class TestEveryEngine:
    def test_answers_by_query_are_a_run(self, engine, tmp_path):
        answers = {query: engine(documents) for query, documents in ORDER.items()}
        expected = cf.evaluate(JUDGED, ORDER, "nDCG@10 AP").values
        for given in (answers, written(tmp_path, answers), {"bm25": answers, "other": answers}):
            scores = cf.evaluate(JUDGED, given, "nDCG@10 AP")
            assert scores.values[:, 0].tolist() == expected[:, 0].tolist()

    def test_answers_on_lines_with_their_queries_are_a_run(self, engine, tmp_path):
        lines = [{"query_id": query, "response": engine(documents)} for query, documents in ORDER.items()]
        path = written(tmp_path, "".join(json.dumps(line) + "\n" for line in lines), "run.jsonl")
        assert run_of(path) == run_of(lines) == ORDER
        path = written(tmp_path, json.dumps(lines[0]) + "\n", "one.jsonl")
        assert run_of(path) == {"q1": ORDER["q1"]}

    def test_a_query_without_hits_has_no_documents_and_is_listed(self, engine, tmp_path):
        path = written(tmp_path, {"q1": engine(["d1"]), "q2": engine([])})
        scores = cf.evaluate(JUDGED, path, "RR")
        assert scores["RR"].tolist() == [[1, 0]]
        assert "no documents for 1 of 2 judged queries (q2); it counts as 0" in str(scores.warnings[0])

    def test_one_answer_belongs_to_the_query_that_its_file_is_called_after(self, engine, tmp_path):
        assert run_of(written(tmp_path, engine(["d3", "d2"]), "q1.json")) == {"q1": ["d3", "d2"]}

    def test_check_calls_it_a_run(self, engine, tmp_path):
        path = written(tmp_path, {query: engine(documents) for query, documents in ORDER.items()})
        assert cf.check([path]).files[0].kind == "run"


class TestOrder:
    def test_hits_keep_their_order_where_scores_tie_or_are_missing(self):
        answer = elastic(["d1", "d9", "d3"])
        for score in (1.0, None):
            for hit in answer["hits"]["hits"]:
                hit["_score"] = score
            assert run_of({"q1": answer}) == {"q1": ["d1", "d9", "d3"]}

    def test_scores_are_kept_where_they_say_the_same_order(self):
        (ranking,) = cf.read_run({"q1": elastic(["d1", "d9"])}).rankings(cf.errors.Findings())
        assert ranking.scores.tolist() == [9.5, 8.5]


class TestSeveralAnswersInOrder:
    def test_without_queries_they_are_refused(self, tmp_path):
        path = written(tmp_path, {"took": 3, "responses": [elastic(["d1"]), elastic(["d2"])]})
        with pytest.raises(DataError, match="2 responses of a search engine, in the order of the queries, without"):
            cf.evaluate(JUDGED, path, "RR")

    def test_the_texts_of_queries_are_their_ids_where_answers_repeat_them(self):
        answers = [solr(["d1"]), solr(["d2"])]
        answers[1]["responseHeader"]["params"]["q"] = "shed"
        assert run_of(answers) == {"garden": ["d1"], "shed": ["d2"]}
        several = {"results": [meilisearch(["d1"]), meilisearch(["d2"]) | {"query": "shed"}]}
        assert run_of(several) == {"garden": ["d1"], "shed": ["d2"]}


class TestFailures:
    FAILED: ClassVar = {
        "error": {"root_cause": [{"type": "parsing_exception", "reason": "no [x]"}], "type": "y"},
        "status": 400,
    }

    @pytest.mark.parametrize(
        ("failed", "reason"),
        [
            (FAILED, "parsing_exception: no \\[x\\]"),
            ({"responseHeader": {"status": 400}, "error": {"msg": "undefined field", "code": 400}}, "undefined field"),
            ({"root": {"id": "toplevel", "fields": {}, "errors": [{"code": 4, "summary": "Bad query"}]}}, "Bad query"),
        ],
    )
    def test_a_failed_query_is_an_error_and_no_empty_result(self, failed, reason, tmp_path):
        path = written(tmp_path, {"q1": elastic(["d1"]), "q2": failed})
        with pytest.raises(DataError, match=f"query 'q2' failed in the search engine .*{reason}"):
            cf.evaluate(JUDGED, path, "RR")

    def test_queries_that_timed_out_are_a_warning(self, tmp_path):
        path = written(tmp_path, {"q1": elastic(["d1"], timed_out=True), "q2": elastic(["d1"])})
        (warning,) = cf.evaluate(JUDGED, path, "RR").warnings
        assert "1 of 2 queries timed out (q1); their results are incomplete" in str(warning)

    def test_parts_of_the_index_that_failed_are_a_warning(self):
        shards = {"total": 5, "successful": 4, "failed": 1}
        (warning,) = cf.evaluate(JUDGED, {"q1": elastic(["d1"], _shards=shards), "q2": elastic(["d1"])}, "RR").warnings
        assert "a part of the index did not answer 1 of 2 queries (q1)" in str(warning)

    def test_something_else_among_answers_is_an_error(self):
        with pytest.raises(DataError, match="query 'q2' has no response of a search engine"):
            cf.evaluate(JUDGED, {"q1": elastic(["d1"]), "q2": {"d1": 3}}, "RR")

    def test_a_hit_without_an_id_is_an_error(self):
        answer = elastic(["d1", "d2"])
        del answer["hits"]["hits"][1]["_id"]
        with pytest.raises(DataError, match="hit 2 of query 'q1' has no document id"):
            cf.evaluate(JUDGED, {"q1": answer}, "RR")

    @pytest.mark.parametrize(
        "hits", [[None], ["d1"], [[]], [{"_id": {"a": 1}}], [{"_id": None}], [{}], [{"_id": True}]]
    )
    def test_hits_of_any_other_shape_are_errors(self, hits):
        answer = elastic(["d1"])
        answer["hits"]["hits"] = hits
        with pytest.raises(DataError, match="has no document id"):
            cf.evaluate(JUDGED, {"q1": answer}, "RR")

    def test_a_document_twice_is_an_error(self):
        with pytest.raises(DataError, match="d1"):
            cf.evaluate(JUDGED, {"q1": elastic(["d1", "d1"])}, "RR")

    def test_answers_are_no_judgments(self, tmp_path):
        with pytest.raises(DataError, match="holds responses of a search engine, which have no grades"):
            cf.evaluate(written(tmp_path, {"q1": elastic(["d1"])}), ORDER, "RR")


def rank_eval(rated, failures=None):
    details = {
        query: {
            "metric_score": 0.5,
            "unrated_docs": [],
            "hits": [
                {"hit": {"_index": "shop", "_id": one, "_score": 9.0 - at}, "rating": grade}
                for at, (one, grade) in enumerate(hits)
            ],
            "metric_details": {},
        }
        for query, hits in rated.items()
    }
    return {"metric_score": 0.5, "details": details, "failures": failures or {}}


class TestRankEval:
    REQUEST: ClassVar = {
        "requests": [
            {
                "id": "q1",
                "request": {"query": {}},
                "ratings": [{"_index": "shop", "_id": "d1", "rating": 1}, {"_index": "shop", "_id": "d3", "rating": 2}],
            },
            {"id": "q2", "request": {"query": {}}, "ratings": [{"_index": "shop", "_id": "d1", "rating": 1}]},
        ],
        "metric": {"dcg": {"k": 20}},
    }
    RESPONSE: ClassVar = rank_eval({"q1": [("d3", 2), ("d2", None)], "q2": [("d4", None), ("d1", 1)]})

    def test_ratings_of_the_request_are_judgments_and_hits_of_the_response_a_run(self, tmp_path):
        request, response = written(tmp_path, self.REQUEST, "request.json"), written(tmp_path, self.RESPONSE)
        scores = cf.evaluate(request, response, "nDCG RR")
        expected = cf.evaluate(
            {"q1": {"d1": 1, "d3": 2}, "q2": {"d1": 1}}, {"q1": ["d3", "d2"], "q2": ["d4", "d1"]}, "nDCG RR"
        )
        assert scores.values.tolist() == expected.values.tolist()
        assert cf.evaluate(self.REQUEST, self.RESPONSE, "nDCG RR").values.tolist() == expected.values.tolist()

    def test_grades_of_the_response_alone_are_told_to_be_incomplete(self, tmp_path):
        response = written(tmp_path, self.RESPONSE)
        scores = cf.evaluate(response, response, "nDCG")
        assert "grades only of documents that were found" in " ".join(map(str, scores.warnings))

    def test_failures_are_errors(self):
        response = rank_eval({"q1": [("d3", 2)]}, {"q2": {"error": {"type": "parsing_exception", "reason": "x"}}})
        with pytest.raises(DataError, match="query 'q2' failed in the search engine"):
            cf.evaluate(self.REQUEST, response, "nDCG")

    def test_a_request_is_no_run(self, tmp_path):
        with pytest.raises(DataError, match="is a _rank_eval request, which has ratings and no results"):
            cf.evaluate(JUDGED, written(tmp_path, self.REQUEST), "nDCG")

    def test_one_id_in_two_indices_is_two_documents(self):
        hits = [{"hit": {"_index": index, "_id": "1", "_score": 1.0}, "rating": 1} for index in ("books", "films")]
        response = {
            "metric_score": 1,
            "details": {"q1": {"metric_score": 1, "unrated_docs": [], "hits": hits}},
            "failures": {},
        }
        assert run_of(response) == {"q1": ["books/1", "films/1"]}

    @pytest.mark.parametrize(
        "hits", [[{}], [None], [{"hit": None}], [{"hit": {"_id": None}, "rating": 1}], 0.5, {"hit": 1}]
    )
    def test_hits_of_any_other_shape_are_errors(self, hits):
        with pytest.raises(DataError):
            cf.evaluate(JUDGED, {"metric_score": 1, "details": {"q1": {"hits": hits}}, "failures": {}}, "RR")


def test_two_answers_to_a_query_are_an_error():
    records = [{"query_id": "q1", "response": elastic(["d1"])}, {"query_id": "q1", "response": elastic(["d2"])}]
    with pytest.raises(DataError, match="query 'q1' has two responses"):
        run_of(records)


def test_the_object_that_a_client_gives_is_read_like_its_json():
    class Response:
        def __init__(self, body):
            self.body = body

    assert run_of({query: Response(elastic(documents)) for query, documents in ORDER.items()}) == ORDER


def test_a_score_too_large_for_a_number_with_decimals_tells_no_order():
    response = elastic(["d2", "d1"])
    response["hits"]["hits"][0]["_score"] = 10**400
    assert run_of({"q1": response}) == {"q1": ["d2", "d1"]}
