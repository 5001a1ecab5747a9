"""Collections of ir_datasets by name, without a network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import cranfield as cf
from cranfield.errors import DataError

DL19 = Path(__file__).resolve().parents[3] / "shared" / "data" / "02-dl19-passage"
NAME = "ir_datasets:msmarco-passage/trec-dl-2019"


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int


class Text(NamedTuple):
    query_id: str
    text: str

    def default_text(self):
        return self.text


class Doc(NamedTuple):
    doc_id: str
    title: str
    text: str


class Collection:
    """What objects of ir_datasets offer."""

    def dataset_id(self):
        return "garden"

    def has_qrels(self):
        return True

    has_queries = has_docs = has_qrels

    def qrels_iter(self):
        return iter([Qrel("q1", "two words", 2), Qrel("q1", "d2", 0)])

    def queries_iter(self):
        return iter([Text("q1", "why do tomatoes crack")])

    def docs_iter(self):
        return iter([Doc("d2", "Tomatoes", "Water them.")])


def test_an_object_has_judgments_queries_and_documents(tmp_path):
    assert cf.read_judgments(Collection())["q1"] == {"two words": 2, "d2": 0}
    assert cf.read_queries(Collection()).text("q1") == "why do tomatoes crack"
    assert cf.read_documents(Collection())["d2"].title == "Tomatoes"
    assert cf.convert(Collection(), tmp_path / "qrels.csv").count == 2


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(DataError, match="ir_datasets has no such collection") as raised:
        cf.read_judgments("ir_datasets:msmarco-passage/trec-dl-2091")
    assert NAME in raised.value.findings[0].advice


def test_a_collection_without_judgments_names_those_that_have_some():
    with pytest.raises(DataError, match="the collection has no judgments") as raised:
        cf.read_judgments("ir_datasets:msmarco-passage")
    assert "ir_datasets:msmarco-passage/" in raised.value.findings[0].advice


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(DataError, match="needs the package ir_datasets"):
        cf.read_judgments(NAME)


def test_what_was_fetched_before_needs_no_network(tmp_path):
    if not DL19.is_dir():
        pytest.skip("the shared data are not here")
    (tmp_path / "downloads").mkdir()
    qrels, run = DL19 / "qrels.dl19-passage.txt", DL19 / "runs" / "ICT-BERT2.run.gz"
    shutil.copy(qrels, tmp_path / "downloads" / "2f4be390198da108f6845c822e5ada14")
    # The package reads its settings when it is loaded.
    settings = os.environ | {"IR_DATASETS_HOME": str(tmp_path), "IR_DATASETS_SMALL_FILE_SIZE": "0"}
    code = f"import cranfield as cf; print(float(cf.evaluate({NAME!r}, {str(run)!r}, 'nDCG@10')))"
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)
    assert float(done.stdout) == float(cf.evaluate(qrels, run, "nDCG@10"))
    assert float(done.stdout) == pytest.approx(0.66498, abs=5e-6)


def test_a_collection_made_of_files_needs_no_name(tmp_path):
    ir_datasets = pytest.importorskip("ir_datasets")
    texts = {"docs": "d1\tTomatoes crack after rain.\nd2\tWater them.\n", "queries": "q1\twhy do tomatoes crack\n"}
    for name, text in {**texts, "qrels": "q1 0 d1 2\n"}.items():
        (tmp_path / name).write_text(text)
    made = ir_datasets.create_dataset(
        docs_tsv=str(tmp_path / "docs"), queries_tsv=str(tmp_path / "queries"), qrels_trec=str(tmp_path / "qrels")
    )
    runs = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}, "b": {"q1": {"d2": 2.0, "d1": 1.0}}}
    scores = cf.evaluate(made, runs, "nDCG@10")
    assert "why do tomatoes crack" in cf.report(scores, queries=made, documents=made).html
    pool = cf.pool(runs, judgments=made, queries=made, documents=made)
    assert pool.table().to_dict() == {
        "query": ["q1"],
        "query_text": ["why do tomatoes crack"],
        "document": ["d2"],
        "text": ["Water them."],
    }
