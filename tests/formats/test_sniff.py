import io
import json

import pyarrow as pa
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats import kind_of, read_judgments, read_run
from cranfield.formats.columns import Columns, parse_columns
from cranfield.formats.sniff import Sniffed, sniff
from cranfield.formats.source import as_source
from tests.formats.reading import kinds, wrong_in_judgments, wrong_in_run

RUN = "q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1 tag\nq2 Q0 d1 1 0.5 tag\n"


def test_a_run_given_as_judgments_is_recognised(write):
    (finding,) = wrong_in_judgments(write(RUN, "bm25.run"))
    assert finding.kind == "swapped-arguments"
    assert finding.advice == "Give the judgments first, then the run."


def test_judgments_given_as_a_run_are_recognised(write):
    assert kinds(wrong_in_run(write("q1 0 d1 1\n"))) == ["swapped-arguments"]


HIT = '{"_id": "d1", "_score": 1.5}'
SEARCH = f'{{"took": 5, "timed_out": false, "hits": {{"hits": [{HIT}]}}}}'


FORMATS = [
    ("q1 0 d1 1\n", Sniffed("trec", "judgments")),
    ("[q] 0 d1 1\n", Sniffed("trec", "judgments")),
    ("{ Q0 d1 1 2.5 tag\n", Sniffed("trec", "run")),
    ("2 qid:1 1:0.5 2:0.1 # d1\n", Sniffed("svmlight", "judgments")),
    ("q1 Q0 d1 1 2.5 tag\n", Sniffed("trec", "run")),
    ("# a comment\n\nq1 0 d1 1\n", Sniffed("trec", "judgments")),
    ("q1 d1 1\nq1 d2 2\n", Sniffed("msmarco", "run")),
    ("q1 d1 1\nq2 d2 1\n", Sniffed("trec", "judgments")),
    ("query,document,grade\nq1,d1,1\n", Sniffed("csv", "judgments")),
    ("query;document;score\nq1;d1;1\n", Sniffed("csv", "run")),
    ("query\tdocument\tgrade\nq1\td1\t1\n", Sniffed("tsv", "judgments")),
    ("red shoes\td1\t1\n", Sniffed("tsv")),
    ('{"query": "q1", "document": "d1", "grade": 1}\n', Sniffed("jsonl")),
    ('{"q1": {"d1": 1}}\n', Sniffed("json")),
    ('{"q1": ["d1"]}\n{"q2": ["d1"]}\n', Sniffed("jsonl")),
    ('[{"query": "q1"}]\n', Sniffed("json")),
    ('{\n"q1": {"d1": 1}}\n', Sniffed("json")),
    (b"PAR1", Sniffed("parquet")),
    (b"ARROW1", Sniffed("arrow")),
]


@pytest.mark.parametrize(("content", "expected"), FORMATS)
def test_a_file_is_known_by_its_first_bytes(write, content, expected):
    assert sniff(as_source(write(content)), Columns()) == expected


def test_where_ranks_and_grades_look_alike_what_is_wanted_decides(write):
    source = as_source(write("q1 d1 1\nq2 d2 1\n"))
    assert sniff(source, Columns(), "run").format == "msmarco"
    assert sniff(source, Columns(), "judgments").format == "trec"


def test_columns_that_are_named_tell_how_lines_are_split(write):
    source = as_source(write("q1,d1,1\n"))
    assert sniff(source, parse_columns("query,document,grade")).format == "csv"


def test_a_file_of_comments_holds_nothing(write):
    with pytest.raises(DataError, match="no judgments found"):
        sniff(as_source(write("# nothing\n")), Columns(), "judgments")


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


@pytest.mark.parametrize("query", ["PAR1", "PAR10", "ARROW1"])
def test_a_query_may_be_called_like_the_mark_of_another_format(tmp_path, query):
    for name, between in (("spaces", " "), ("tabs", "\t")):
        (tmp_path / name).write_text(between.join((query, "0", "d1", "2")) + "\n")
        assert cf.read_judgments(tmp_path / name)[query] == {"d1": 2}
