"""Labels in every layout people have them in."""

import json

import pandas
import polars
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from tests.formats.label_files import is_same

LONG = """\
query,document,judge,grade
q1,d1,ada,2
q1,d1,ben,1
q1,d2,ada,0
q1,d2,ben,0
q2,d1,ben,3
"""


def _records():
    names, *rows = (line.split(",") for line in LONG.splitlines())
    return [dict(zip(names, row, strict=True)) | {"grade": int(row[3])} for row in rows]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("labels.csv", LONG),
        ("labels.csv.gz", LONG),
        ("labels.tsv", LONG.replace(",", "\t")),
        ("labels.csv", LONG.replace(",", ";")),
        ("labels.csv", LONG.replace("query,document,judge,grade", "Query ID,doc_id,Rater,rating")),
        ("labels.csv", LONG + "q2,d1,ada,\n"),
        ("labels.csv", LONG + "q2,d1,ada,NA\n"),
        ("labels.jsonl", "\n".join(json.dumps(record) for record in _records())),
        ("labels.json", json.dumps(_records())),
        ("labels.txt", "q1 ada d1 2\nq1 ben d1 1\nq1 ada d2 0\nq1 ben d2 0\nq2 ben d1 3\n"),
        ("wide.csv", "query,document,ada,ben\nq1,d1,2,1\nq1,d2,0,0\nq2,d1,,3\n"),
        ("wide.csv", 'query,docid,ada,ben\nq1,d1,2,1\nq1,d2,0,0\n"q2",d1,nan,3\n'),
    ],
)
def test_every_layout_gives_the_same_labels(write_labels, name, text):
    assert is_same(cf.read_labels(write_labels(name, text)))


def test_a_file_for_each_judge_is_named_after_the_file(write_labels):
    ada, ben = write_labels("ada.qrels.txt", "q1 0 d1 2\nq1 0 d2 0\n"), write_labels("ben.csv", LONG_OF_BEN)
    labels = cf.read_labels([ada, ben])
    assert labels.judges == ("ada", "ben")
    assert is_same(cf.read_labels({"ada": ada, "ben": ben}))
    assert is_same(cf.read_labels({"ada": cf.read_judgments(ada), "ben": cf.read_judgments(ben)}))


LONG_OF_BEN = "query,document,grade\nq1,d1,1\nq1,d2,0\nq2,d1,3\n"


def test_a_column_names_the_judge_of_a_file_whatever_the_file_is_called(write_labels):
    files = [
        write_labels(f"sheet ({at}).csv", f"query,document,grade,judge\nq1,d1,{at},{judge}\n")
        for at, judge in enumerate(("ada", "ben"))
    ]
    assert cf.read_labels(files).judges == ("ada", "ben")
    assert cf.read_labels([*files, write_labels("ben.csv", LONG_OF_BEN)]).judges == ("ada", "ben", "ben 2")


def test_a_column_that_says_the_same_in_all_files_names_nobody(write_labels):
    files = [write_labels(f"{name}.csv", "query,document,grade,judge\nq1,d1,1,0\n") for name in ("ada", "ben")]
    assert cf.read_labels(files).judges == ("ada", "ben")


def test_judges_are_chosen_among_files_too(write_labels):
    files = [write_labels(f"{name}.csv", LONG_OF_BEN) for name in ("ada", "ben", "cleo")]
    assert cf.read_labels(files, judges="cleo,ada").judges == ("cleo", "ada")


def test_files_of_one_name_stay_apart(tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ada.txt").write_text("q1 0 d1 2\n")
    labels = cf.read_labels([tmp_path / "first" / "ada.txt", tmp_path / "second" / "ada.txt"])
    assert labels.judges == ("ada", "ada 2")


def test_columns_may_be_named(write_labels):
    path = write_labels("odd.csv", LONG.replace("query,document,judge,grade", "a,b,c,d"))
    assert is_same(cf.read_labels(path, columns="query=a,document=b,judge=c,grade=d"))
    assert is_same(cf.read_labels(path, columns="query,document,judge,grade"))
    bare = write_labels("bare.csv", LONG.partition("\n")[2])
    assert is_same(cf.read_labels(bare, columns="query,document,judge,grade"))


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.Table.from_pylist])
def test_tables_of_every_library_are_read(library):
    assert is_same(cf.read_labels(library(_records())))


def test_parquet_is_read(tmp_path):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(_records()), tmp_path / "labels.parquet")
    assert is_same(cf.read_labels(tmp_path / "labels.parquet"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no labels found"),
        ("query,document,judge,grade\n", "no labels found"),
        ("query,document,judge,grade\nq1,d1,ada,\n", "no labels found"),
        ("query,document,judge,grade\nq1,d1,ada,2\nq1,d1,ben,high\n", "line 3: the grade is 'high', where others are"),
        ("query,document,judge,grade\nq1,d1,ada,2\nq1,d1,ada,0\n", "line 3: ada gives query 'q1', document 'd1' the"),
        ("query,document,judge,grade\nq1,d1,,2\n", "line 2: the judge id is missing"),
        ("query,document,judge,grade\n,d1,ada,2\n", "line 2: the query id is missing"),
        ("query,document,judge,grade\nq1,d1,ada\n", "line 2: 3 columns where the first line has 4"),
        ("query,judge,grade\nq1,ada,2\n", "document"),
        ("query,document,a,b\nq1,d1,good,2\n", "cannot recognise the columns with the judges' labels: a, b"),
        ("query,document,judge,judge\nq1,d1,a,b\n", "two columns are called 'judge'"),
        ("query,document,judge,grade\nq1,d1,ada,1e999\n", "expected a number of at most"),
        ('{"q1": 3}', "cannot recognise the columns with the judges' labels: q1"),
        (
            '{"query": "q", "document": "d", "judge": "j", "grade": [1]}\n'
            '{"query": "q", "document": "d", "judge": "k", "grade": 2}',
            "the grade is [1], where others are",
        ),
        ('{"q1": {"d1": {"ada": {"x": 1}}}}', "names are nested 4 deep"),
        ('{"query_doc_pairs": [{"doc_id": 1}]}', "pair 1 of the book has no query_text"),
        ("[1, 2]", "the file holds a list"),
        ("{", "not valid JSON"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(write_labels, text, message):
    with pytest.raises(DataError) as error:
        cf.read_labels(write_labels("labels.txt", text))
    assert message in str(error.value)


def test_unknown_columns_and_judges_are_told(write_labels):
    path = write_labels("wide.csv", "query,document,ada,ben\nq1,d1,2,1\n")
    with pytest.raises(DataError, match="adda"):
        cf.read_labels(path, judges="adda,ben")
    with pytest.raises(UsageError, match="there is no judge 'cloe'"):
        cf.read_labels(write_labels("long.csv", LONG), judges="ada,cloe")
    with pytest.raises(UsageError, match="must name each judge once"):
        cf.read_labels(path, judges="ada,ada")
    with pytest.raises(UsageError, match="cannot read judgments from int"):
        cf.read_labels(3)


def test_what_is_odd_in_one_of_several_files_is_told_with_its_name(write_labels):
    ada = write_labels("ada.qrels", "q1 0 d1 2\nq1 0 d2 0\nq1 0 d2 0\n")
    ben = write_labels("ben.csv", "query,document,grade\nq1,d1,-1\nq1,d2,\n")
    labels = cf.read_labels([ada, ben])
    assert labels.judges == ("ada", "ben")
    assert [(warning.kind, warning.path, warning.line) for warning in labels.warnings] == [
        ("labelled-twice", str(ada), 3),
        ("empty-grades", str(ben), None),
        ("negative-labels", str(ben), None),
    ]
    with pytest.raises(DataError, match=r"ada2.qrels, line 2: .* the grade 1, but 2 on line 1"):
        cf.read_labels([write_labels("ada2.qrels", "q1 0 d1 2\nq1 0 d1 1\n"), ben])


def test_endings_of_labels_are_no_part_of_a_name(write_labels):
    ada, ben = write_labels("ada.qrels.gz", "q1 0 d1 2\n"), write_labels("ben.labels", "q1 0 d1 1\n")
    assert cf.read_labels([ada, ben]).judges == ("ada", "ben")


@pytest.mark.parametrize("label", ["1,234", "50%", "0,5%"])
def test_numbers_with_a_percent_sign_or_of_thousands_are_no_texts(write_labels, label):
    text = f"query;document;judge;grade\nq1;d1;ada;{label}\nq1;d1;ben;{label}\n"
    with pytest.raises(DataError, match=rf"line 2: the grade is '{label}'; expected a number such as 1.5"):
        cf.read_labels(write_labels("labels.csv", text))


def test_texts_that_differ_in_case_only_are_told(write_labels):
    labels = cf.read_labels(write_labels("labels.csv", "ann,bob\nyes,Yes\nno,no\n"))
    (warning,) = labels.warnings
    assert "labels that differ in case or blanks only count as different: 'Yes' and 'yes'" in str(warning)


def test_a_table_without_columns_holds_no_labels():
    with pytest.raises(cf.DataError, match="labels"):
        cf.read_labels(pyarrow.table({}))
