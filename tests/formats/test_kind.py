import io
import json

import pyarrow as pa
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.formats import kind_of, read_judgments, read_run

JUDGMENTS = [
    "q 0 d 1\n",
    "# a comment\n\nq 0 d 1\n",
    "q d 1\np d 1\n",
    "q d 0\n",
    "topic\t0\tdoc\t1\n",
    "query-id\tcorpus-id\tscore\nq\td\t1\n",
    "query,docid,rating\nq,d,1\n",
    '{"q": {"d": 1}}',
    '{"qid": "q", "docno": "d", "label": 1}\n',
    '[{"qid": "q", "docno": "d", "label": 1}]',
]
RUNS = [
    "q Q0 d 1 2.5 t\n",
    "q Q0 d 1 2.5\n",
    "q d 1\nq e 2\n",
    "qid,docno,score\nq,d,1\n",
    "qid;docno;rank\nq;d;1\n",
    '{"q": {"d": 1.5}}',
    '{"q": ["d"]}',
    '{"qid": "q", "docno": "d", "score": 1}\n',
]


@pytest.mark.parametrize("text", JUDGMENTS)
def test_judgments_are_recognised(write, text):
    assert kind_of(write(text)) == "judgments"


@pytest.mark.parametrize("text", RUNS)
def test_runs_are_recognised(write, text):
    assert kind_of(write(text)) == "run"


def test_open_files_and_objects_are_recognised():
    assert kind_of(io.StringIO("q 0 d 1\n")) == "judgments"
    assert kind_of(read_judgments({"q": {"d": 1}})) == "judgments"
    assert kind_of(read_run(name="x", source={"q": {"d": 1}})) == "run"
    assert kind_of(pa.table({"qid": ["q"], "docno": ["d"], "score": [1.0]})) == "run"


def test_a_parquet_file_is_recognised_by_its_columns(tmp_path):
    path = tmp_path / "x"
    pyarrow.parquet.write_table(pa.table({"qid": ["q"], "docno": ["d"], "label": [1]}), path)
    assert kind_of(path) == "judgments"


SCORES = {"q1": {"a": 12.5, "b": 11.25, "c": 3.5}, "q2": {"a": 7.125, "c": 6.5}}
GRADES = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0, "c": 1}}


class TestSwapped:
    def test_dictionaries_the_wrong_way_round_are_refused(self):
        with pytest.raises(cf.DataError, match="seem to be swapped"):
            cf.evaluate(SCORES, GRADES, "nDCG")
        assert cf.evaluate(GRADES, SCORES, "nDCG").values.shape == (1, 1, 2)

    def test_so_are_json_files_of_them(self, tmp_path):
        (tmp_path / "scores.json").write_text(json.dumps(SCORES))
        (tmp_path / "grades.json").write_text(json.dumps(GRADES))
        with pytest.raises(cf.DataError, match="seem to be swapped"):
            cf.evaluate(tmp_path / "scores.json", tmp_path / "grades.json", "nDCG")

    @pytest.mark.parametrize(
        ("judgments", "run"),
        [
            ({"q1": {"a": 0.5, "b": 1.0, "c": 0.5}}, {"q1": {"a": 2, "b": 1, "c": 1}}),
            (SCORES, {"q1": {"a": 2.5, "b": 0, "c": 1}}),
            (SCORES, {"q1": {"a": 120, "b": 80, "c": 80}}),
            (SCORES, {"q1": ["a", "b", "c"]}),
            (cf.read_judgments(SCORES), GRADES),
        ],
        ids=["half grades", "scores", "large scores", "lists", "judgments that are said to be such"],
    )
    def test_what_may_be_meant_is_scored(self, judgments, run):
        assert cf.evaluate(judgments, run, "nDCG").values.size
