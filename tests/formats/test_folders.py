"""Folders that are a run, or a collection."""

from __future__ import annotations

import gzip
import json

import pytest

import cranfield as cf
from cranfield import DataError

JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}


def answer(*documents):
    return {"took": 1, "hits": {"hits": [{"_id": one, "_score": None} for one in documents]}}


class TestAnAnswerForEachQuery:
    def test_is_a_run_called_after_the_folder(self, tmp_path):
        folder = tmp_path / "bm25"
        folder.mkdir()
        (folder / "q1.json").write_text(json.dumps(answer("d2", "d1")))
        (folder / "q2.json.gz").write_bytes(gzip.compress(json.dumps(answer("d1")).encode()))
        (folder / ".DS_Store").write_text("x")
        scores = cf.evaluate(JUDGED, str(folder), "RR")
        assert scores.runs == ("bm25",)
        assert scores["RR"].tolist() == [[0.5, 1]]
        assert cf.evaluate(JUDGED, [folder, {"q1": ["d1"]}], "RR")["RR"].tolist() == [[0.5, 1], [1, 0]]

    def test_one_query_in_two_files_is_an_error(self, tmp_path):
        for name in ("q1.json", "q1.txt"):
            (tmp_path / name).write_text(json.dumps(answer("d1")))
        with pytest.raises(DataError, match="query 'q1' has two responses"):
            cf.evaluate(JUDGED, str(tmp_path), "RR")

    @pytest.mark.parametrize("content", ["q1 Q0 d1 1 1 x", '{"q1": {"d1": 1}}', "", "\x00"])
    def test_another_file_in_it_is_named(self, tmp_path, content):
        (tmp_path / "a.json").write_text(json.dumps(answer("d1")))
        (tmp_path / "other").write_text(content)
        with pytest.raises(DataError, match="is a folder, and other in it is not a response of a search engine"):
            cf.evaluate(JUDGED, str(tmp_path), "RR")

    def test_an_empty_folder_is_no_run(self, tmp_path):
        with pytest.raises(DataError, match="there are no files"):
            cf.evaluate(JUDGED, str(tmp_path), "RR")


class TestACollectionAsBeirHasIt:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "Leeks", "text": "In autumn."}\n')
        (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "when to pick leeks", "metadata": {}}\n')
        (tmp_path / "qrels").mkdir()
        (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
        return tmp_path

    def test_gives_judgments_queries_and_documents(self, folder):
        assert cf.evaluate(folder, {"q1": ["d2", "d1"]}, "RR")["RR"].tolist() == [[0.5]]
        assert cf.read_queries(folder).texts == ("when to pick leeks",)

    def test_has_the_judgments_of_the_test_split_or_of_the_only_one(self, folder):
        (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td1\t1\n")
        assert cf.read_judgments(folder).queries == ("q1",)
        (folder / "qrels" / "test.tsv").unlink()
        assert cf.read_judgments(folder).queries == ("q2",)

    def test_with_several_splits_wants_one_to_be_named(self, folder):
        (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "train.tsv")
        (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td1\t1\n")
        with pytest.raises(DataError, match=r"has judgments for several splits: dev\.tsv, train\.tsv"):
            cf.read_judgments(folder)

    def test_without_judgments_is_a_folder_like_any_other(self, folder):
        (folder / "qrels" / "test.tsv").unlink()
        with pytest.raises(DataError, match=r"has corpus\.jsonl and queries\.jsonl"):
            cf.read_judgments(folder)
