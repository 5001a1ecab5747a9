"""What those have who evaluate retrieval for language models: chunks, gold without grades, long data frames."""

import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from tests.formats.reading import judged, kinds, retrieved, wrong_in_judgments

GOLD = {"q1": {"c1": 1, "c2": 1}, "q2": {"c3": 1}}
ROWS = [("q1", "c1"), ("q1", "c2"), ("q2", "c3")]


@pytest.mark.parametrize("name", ["chunk_id", "passage_id", "node_id", "chunkId", "chunk", "node", "doc_id"])
def test_chunks_passages_and_nodes_are_documents(name):
    assert judged(pd.DataFrame({"question_id": ["q1"], name: ["c1"], "relevance": [1]})) == {"q1": {"c1": 1}}


@pytest.mark.parametrize("library", [pd, pl])
def test_a_table_without_grades_lists_what_is_relevant(library):
    questions, chunks = zip(*ROWS, strict=True)
    assert judged(library.DataFrame({"question_id": questions, "chunk_id": chunks})) == GOLD
    texts = {"question": ["why?", "why?", "how?"], "answer": ["so", "so", "thus"]}
    assert judged(library.DataFrame({"question_id": questions, "chunk_id": chunks, **texts})) == GOLD


def test_so_does_a_file(write):
    lines = "\n".join(f"{question},{chunk}" for question, chunk in ROWS)
    assert judged(write(f"question_id,chunk_id\n{lines}\n")) == GOLD
    assert judged(write('{"question_id": "q2", "chunk_id": "c3"}\n{"question_id": "q2", "chunk_id": "c4"}\n')) == {
        "q2": {"c3": 1, "c4": 1}
    }


@pytest.mark.parametrize("name", ["points", "stars", "rank", "score_2"])
def test_a_column_that_may_hold_grades_is_not_passed_over(name):
    frame = pd.DataFrame({"question_id": ["q1"], "chunk_id": ["c1"], name: [2]})
    assert kinds(wrong_in_judgments(frame)) in (["missing-column"], ["swapped-arguments"])


@pytest.mark.parametrize("name", ["relevant", "is_relevant", "label"])
def test_yes_and_no_are_grades(name, write):
    frame = pd.DataFrame({"qid": ["q1", "q1"], "chunk_id": ["c1", "c2"], name: [True, False]})
    assert judged(frame) == {"q1": {"c1": 1, "c2": 0}}
    assert judged(write(frame.to_csv(index=False))) == {"q1": {"c1": 1, "c2": 0}}
    assert judged({"q1": {"c1": True, "c2": False}}) == {"q1": {"c1": 1, "c2": 0}}


def test_documents_may_come_with_their_scores_in_pairs():
    assert retrieved({"q1": [("c1", 0.2), ("c2", 0.7)]}) == {"q1": {"c1": 0.2, "c2": 0.7}}
    scores = cf.evaluate(GOLD, {"dense": {"q1": [("c9", 0.2), ("c2", 0.7)], "q2": [("c3", 1.0)]}}, "RR")
    assert scores.mean("RR", "dense").value == 1


def test_a_document_that_comes_twice_in_pairs_is_still_an_error():
    with pytest.raises(cf.DataError, match=r"dense, .* lists document 'c1' again"):
        cf.evaluate(GOLD, {"dense": {"q1": [("c1", 0.2), ("c1", 0.1)]}}, "RR")


class TestOneLongTable:
    """The results of all configurations, with a column that names each."""

    FRAME = pd.DataFrame(
        {
            "config": ["bm25", "bm25", "dense", "dense"],
            "question_id": ["q1", "q2", "q1", "q2"],
            "chunk_id": ["c9", "c3", "c1", "c8"],
            "score": [2.5, 1.5, 0.9, 0.8],
        }
    )

    @pytest.mark.parametrize("name", ["config", "system", "run", "run_id", "Configuration"])
    def test_each_configuration_is_a_run(self, name):
        scores = cf.evaluate(GOLD, self.FRAME.rename(columns={"config": name}), "RR")
        assert scores.runs == ("bm25", "dense")
        assert [scores.mean("RR", run).value for run in scores.runs] == [0.5, 0.5]

    @pytest.mark.parametrize("form", [pl.from_pandas, lambda frame: frame.to_dict("records")])
    def test_in_whatever_form(self, form):
        assert cf.evaluate(GOLD, form(self.FRAME), "RR").runs == ("bm25", "dense")

    def test_a_table_without_such_a_column_is_one_run(self):
        alone = self.FRAME[self.FRAME.config == "dense"].drop(columns="config")
        assert len(cf.evaluate(GOLD, alone, "RR").runs) == 1

    def test_an_error_names_the_configuration(self):
        twice = pd.concat([self.FRAME, self.FRAME.tail(1)])
        with pytest.raises(cf.DataError, match=r"dense, .* lists document 'c8' again"):
            cf.evaluate(GOLD, twice, "RR")
