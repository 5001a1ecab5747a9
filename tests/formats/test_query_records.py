"""Records of queries with lists of documents, in the shapes that tools write."""

from __future__ import annotations

import json

import pytest

import cranfield as cf
from cranfield import DataError

RAGAS = [
    {
        "user_input": "when to sow?",
        "retrieved_context_ids": ["c2", "c1"],
        "reference_context_ids": ["c1"],
        "response": "x",
    },
    {"user_input": "how deep?", "retrieved_context_ids": [], "reference_context_ids": ["c7", "c8"], "response": "y"},
]
SENTENCE_TRANSFORMERS = [
    {
        "query_id": "q1",
        "query": "sow",
        "results": [{"corpus_id": "d2", "score": 0.9}, {"corpus_id": "d1", "score": 0.7}],
    },
    {"query_id": "q2", "query": "deep", "results": [{"corpus_id": "d1", "score": 0.5}]},
]
OPENSEARCH = {
    "name": "ESCI Judgments",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {"query": "q1", "ratings": [{"rating": "1.0", "docId": "d1"}, {"rating": "0.4", "docId": "d2"}]},
        {"query": "q2", "ratings": [{"rating": "0.9", "docId": "d1"}]},
    ],
}
QUEPID_CASE = {
    "case_name": "shop",
    "queries": [
        {
            "query_text": "q1",
            "options": {},
            "ratings": [{"doc_id": "d1", "rating": 1.0, "user_email": "a@b"}, {"doc_id": "d2", "rating": 0.4}],
        },
        {"query_text": "q2", "options": {}, "ratings": [{"doc_id": "d1", "rating": 0.9}]},
    ],
}
QUEPID_RATINGS = {
    "queries": [{"query": "q1", "ratings": {"d1": 1.0, "d2": 0.4}}, {"query": "q2", "ratings": {"d1": 0.9}}]
}
RRE = {
    "id_field": "id",
    "queries": [
        {"placeholders": {"$query": "q1"}, "relevant_documents": {"d1": {"gain": 1.0}, "d2": {"gain": 0.4}}},
        {"placeholders": {"$query": "q2"}, "relevant_documents": {"d1": {"gain": 0.9}}},
    ],
}
GRADES = {"q1": {"d1": 1.0, "d2": 0.4}, "q2": {"d1": 0.9}}


def book(*judgements):
    pairs = [("q1", "d1"), ("q1", "d2"), ("q2", "d1")]
    rated = [
        {"query_text": query, "doc_id": document, "position": 1, "judgements": list(of_pair)}
        for (query, document), of_pair in zip(pairs, judgements, strict=True)
    ]
    return {"name": "shop", "scale": [0, 1], "query_doc_pairs": rated}


def written(folder, value, name="file.json"):
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def grades_of(given):
    judgments = cf.read_judgments(given)
    return {
        query: {document: judgments.grades[row] for document, row in judgments.rows_of(query).items()}
        for query in judgments.queries
    }


class TestRagas:
    def test_one_file_has_what_was_found_and_what_is_relevant(self, tmp_path):
        pandas = pytest.importorskip("pandas")
        for given in (
            RAGAS,
            written(tmp_path, RAGAS),
            written(tmp_path, lines(RAGAS), "file.jsonl"),
            written(tmp_path, lines(RAGAS[:1]), "one.jsonl"),
            pandas.DataFrame(RAGAS),
        ):
            scores = cf.evaluate(given, given, "RR R@2")
            assert scores["RR"][0, 0] == 0.5
            assert scores["R@2"].tolist()[0][:1] == [1]

    def test_a_query_that_found_nothing_counts_as_0_and_is_listed(self):
        scores = cf.evaluate(RAGAS, RAGAS, "RR")
        assert scores["RR"].tolist() == [[0.5, 0]]
        assert "no documents for 1 of 2 judged queries (how deep?)" in str(scores.warnings[0])


class TestSentenceTransformers:
    def test_predictions_are_a_run(self, tmp_path):
        for given in (SENTENCE_TRANSFORMERS, written(tmp_path, lines(SENTENCE_TRANSFORMERS), "p.jsonl")):
            assert cf.evaluate({"q1": {"d1": 1}, "q2": {"d1": 1}}, given, "RR")["RR"].tolist() == [[0.5, 1]]

    def test_check_says_what_they_are(self, tmp_path):
        (file,) = cf.check([written(tmp_path, lines(SENTENCE_TRANSFORMERS), "p.jsonl")]).files
        assert (file.kind, file.format) == ("run", "json: a record per query")


class TestMTEB:
    def test_predictions_of_one_set_are_a_run(self, tmp_path):
        given = {"mteb_model_meta": {"name": "m"}, "default": {"test": {"q1": {"d2": 0.9, "d1": 0.7}}}}
        path = written(tmp_path, given)
        assert cf.evaluate({"q1": {"d1": 1}}, path, "RR")["RR"].tolist() == [[0.5]]
        assert cf.check([path]).files[0].format == "json: MTEB predictions"

    def test_of_several_sets_one_has_to_be_chosen(self, tmp_path):
        given = {"mteb_model_meta": {}, "en": {"test": {"q1": {"d2": 0.9}}}, "de": {"test": {"q1": {"d2": 0.9}}}}
        with pytest.raises(DataError, match="has predictions for 2 sets of queries: en/test, de/test"):
            cf.evaluate({"q1": {"d1": 1}}, written(tmp_path, given), "RR")


@pytest.mark.parametrize("given", [OPENSEARCH, QUEPID_CASE, QUEPID_RATINGS, RRE], ids=["SRW", "case", "ratings", "RRE"])
class TestRatings:
    def test_are_judgments(self, given, tmp_path):
        assert grades_of(given) == grades_of(written(tmp_path, given)) == GRADES

    def test_check_calls_them_judgments(self, given, tmp_path):
        assert cf.check([written(tmp_path, given)]).files[0].kind == "judgments"


def test_judgments_that_opensearch_answers_with_are_read_as_they_are_stored(tmp_path):
    stored = {"took": 1, "hits": {"hits": [{"_index": "search-relevance-judgment", "_id": "1", "_source": OPENSEARCH}]}}
    assert grades_of(written(tmp_path, stored)) == GRADES


class TestBooksOfQuepid:
    ADA, BEN = {"rating": 1.0, "user_email": "ada@x"}, {"rating": 0.0, "user_email": "ben@x"}

    def test_with_one_rating_for_each_pair_are_judgments(self, tmp_path):
        path = written(tmp_path, book([self.ADA], [self.BEN], [self.ADA]))
        assert grades_of(path) == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}

    def test_with_several_have_to_be_merged_first(self, tmp_path):
        path = written(tmp_path, book([self.ADA, self.BEN], [self.BEN], [self.ADA]))
        with pytest.raises(DataError, match="query 'q1' and document 'd1' have several ratings"):
            cf.read_judgments(path)
        assert sorted(cf.read_labels(path).judges) == ["ada@x", "ben@x"]

    def test_ratings_that_were_put_off_are_not_judged_yet(self, tmp_path):
        path = written(tmp_path, book([self.ADA], [{"judge_later": True, "rating": None}], [self.ADA]))
        assert grades_of(path) == {"q1": {"d1": 1}, "q2": {"d1": 1}}


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("records", "message"),
        [
            ([RAGAS[0], {**RAGAS[1], "user_input": None}], "record 2: the record names no query"),
            ([RAGAS[0], RAGAS[0]], "record 2: query 'when to sow\\?' has a record before this one"),
            (
                [RAGAS[0], {**RAGAS[1], "retrieved_context_ids": "c1"}],
                "has 'c1' as retrieved_context_ids; expected a list",
            ),
        ],
    )
    def test_is_an_error_that_names_the_file(self, records, message, tmp_path):
        path = written(tmp_path, records)
        with pytest.raises(DataError, match=f"file.json.*{message}"):
            cf.evaluate(RAGAS, path, "RR")

    def test_ratings_of_nothing_and_of_one_document_twice_are_errors(self, tmp_path):
        given = {"judgmentRatings": [{"query": "q", "ratings": [{"rating": 1}]}]}
        with pytest.raises(DataError, match="a rating has the names rating; expected a document and a grade"):
            cf.read_judgments(written(tmp_path, given))
        twice = {
            "judgmentRatings": [{"query": "q", "ratings": [{"docId": "d", "rating": 1}, {"docId": "d", "rating": 0}]}]
        }
        with pytest.raises(DataError, match="document 'd' has two ratings for one query"):
            cf.read_judgments(twice)
