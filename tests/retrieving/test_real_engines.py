"""Search engines that are libraries, asked through `cf.retrieve` for the queries of the garden."""

import json
import warnings
from importlib.resources import files

import pytest

import cranfield as cf

GARDEN = files("cranfield.demo") / "collection"


@pytest.fixture(scope="module")
def documents():
    with (GARDEN / "documents.jsonl").open(encoding="utf-8") as lines:
        return list(map(json.loads, lines))


def means(search):
    retrieval = cf.retrieve(str(GARDEN / "queries.tsv"), search)
    assert retrieval.is_complete
    scores = cf.evaluate(str(GARDEN / "qrels.txt"), retrieval.run, ["nDCG@10", "R@100"])
    return retrieval, [round(scores.mean(measure).value, 4) for measure in scores.measures]


def test_bm25s_gives_the_score_that_others_measured_with_it(documents):
    bm25s = pytest.importorskip("bm25s")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own
        engine = bm25s.BM25()
        texts = [f"{one['title']} {one['text']}" for one in documents]
        engine.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)

        def search(text):
            words = bm25s.tokenize(text, stopwords="en", show_progress=False)
            ((places,), (scores,)) = engine.retrieve(words, k=100, show_progress=False)
            return [(documents[at]["doc_id"], score) for at, score in zip(places, scores, strict=True) if score > 0]

        retrieval, (ndcg, _) = means(search)
    assert ndcg == 0.4746
    assert retrieval.log.count("empty") == 2


def test_tantivy_gives_a_run_as_good_as_its_like(documents):
    tantivy = pytest.importorskip("tantivy")
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    for name in ("title", "text"):
        builder.add_text_field(name, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer(heap_size=15_000_000, num_threads=1)
    for one in documents:
        writer.add_document(tantivy.Document(id=one["doc_id"], title=one["title"], text=one["text"]))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(text):
        hits = searcher.search(index.parse_query(text, ["title", "text"]), 100).hits
        return [(searcher.doc(address)["id"][0], score) for score, address in hits]

    _, (ndcg, recall) = means(search)
    assert ndcg == pytest.approx(0.5449, abs=0.005)
    assert recall == pytest.approx(0.9551, abs=0.005)
