"""What a file holds is told by its columns, and only then by its name."""

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats.data_kinds import data_kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("q1 0 d1 1\n", "judgments"),
        ("q1 Q0 d1 1 2.5 x\n", "run"),
        ("query,document,grade\nq,d,1\n", "judgments"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "judgments"),
        ("query,document,score\nq,d,1.5\n", "run"),
        ("query,document,judge,grade\nq,d,ada,1\n", "labels"),
        ("query,document,ada,ben\nq,d,1,2\n", "labels"),
        ("query,document\nq,d\n", "judgments"),
        ("query_id,text,intent\nq,why,x\n", "queries"),
        ("docno\ttitle\ttext\nd\tt\tx\n", "documents"),
        ('{"qid": "q", "text": "why"}\n{"qid": "r", "text": "how"}\n', "queries"),
        ('{"_id": "d", "title": "t", "text": "x"}\n', "documents"),
        ('[{"query": "q", "document": "d", "rating": 1}]', "judgments"),
        ('{"q": {"d": 1}}', "judgments"),
        ('{"q": {"d": 1.5}}', "run"),
        ('{"user_input": "q", "retrieved_context_ids": ["d"]}\n', "run"),
        ("1 qid:q 1:0.5 # d\n", "judgments"),
    ],
)
def test_columns_tell(write, text, kind):
    assert data_kind(write(text, "x.txt")) == kind


@pytest.mark.parametrize(("name", "kind"), [("queries.jsonl", "queries"), ("corpus.jsonl", "documents")])
def test_names_of_files_tell_where_columns_could_be_either_s(write, name, kind):
    assert data_kind(write('{"_id": "1", "text": "why"}\n{"_id": "2", "text": "how"}\n', name)) == kind


def test_nobody_guesses(write):
    with pytest.raises(DataError, match="queries or documents"):
        data_kind(write('{"_id": "1", "text": "why"}\n{"_id": "2", "text": "how"}\n', "x.jsonl"))


def test_what_was_read_is_what_it_is():
    judgments = cf.read_judgments({"q": {"d": 1}})
    assert data_kind(judgments) == "judgments"
    assert data_kind(cf.read_run({"q": ["d"]})) == "run"
    assert data_kind(cf.read_queries({"q": "why"})) == "queries"
    assert data_kind(cf.read_labels([("q", "d", "ada", 1)])) == "labels"
