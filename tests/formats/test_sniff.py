import pytest

from cranfield.errors import DataError
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


def test_an_svmlight_file_is_named_as_such(write):
    (finding,) = wrong_in_judgments(write("2 qid:1 1:0.5 2:0.1 # d1\n"))
    assert finding.kind == "unsupported-format"


FORMATS = [
    ("q1 0 d1 1\n", Sniffed("trec", "judgments")),
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
