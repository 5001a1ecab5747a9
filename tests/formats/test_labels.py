"""Labels in every layout people have them in."""

import gzip
import json

import numpy as np
import pandas
import polars
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

GRADES = [[2, 0, np.nan], [1, 0, 3]]
"""Of ada and ben, for q1 d1, q1 d2 and q2 d1."""
LONG = """\
query,document,judge,grade
q1,d1,ada,2
q1,d1,ben,1
q1,d2,ada,0
q1,d2,ben,0
q2,d1,ben,3
"""


def _is_same(labels, grades=GRADES):
    assert labels.judges == ("ada", "ben")
    assert np.array_equal(labels.grades, grades, equal_nan=True)
    return True


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode())) if name.endswith(".gz") else path.write_text(text)
        return path

    return written


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
def test_every_layout_gives_the_same_labels(write, name, text):
    assert _is_same(cf.read_labels(write(name, text)))


def test_a_file_for_each_judge_is_named_after_the_file(write):
    ada, ben = write("ada.qrels.txt", "q1 0 d1 2\nq1 0 d2 0\n"), write("ben.csv", LONG_OF_BEN)
    labels = cf.read_labels([ada, ben])
    assert labels.judges == ("ada", "ben")
    assert _is_same(cf.read_labels({"ada": ada, "ben": ben}))
    assert _is_same(cf.read_labels({"ada": cf.read_judgments(ada), "ben": cf.read_judgments(ben)}))


LONG_OF_BEN = "query,document,grade\nq1,d1,1\nq1,d2,0\nq2,d1,3\n"


def test_judges_are_chosen_among_files_too(write):
    files = [write(f"{name}.csv", LONG_OF_BEN) for name in ("ada", "ben", "cleo")]
    assert cf.read_labels(files, judges="cleo,ada").judges == ("cleo", "ada")


def test_ranks_beside_the_judges_columns_are_no_labels(write):
    labels = cf.read_labels(write("ranks.csv", "query,document,position,ada,ben\nq1,d1,1,0,2\n"))
    assert labels.judges == ("ada", "ben")


def test_files_of_one_name_stay_apart(tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ada.txt").write_text("q1 0 d1 2\n")
    labels = cf.read_labels([tmp_path / "first" / "ada.txt", tmp_path / "second" / "ada.txt"])
    assert labels.judges == ("ada", "ada 2")


def test_columns_of_judges_are_found_by_their_numbers_or_named(write):
    path = write(
        "ratings.csv",
        "query,docid,name,agent_1_rating,agent_2_rating,final_rating\nshoes,d1,Shoe,2,1,2\nshoes,d2,Boot,0,,1\n",
    )
    assert cf.read_labels(path).judges == ("agent_1_rating", "agent_2_rating")
    chosen = cf.read_labels(path, judges="agent_2_rating,final_rating")
    assert np.array_equal(chosen.grades, [[1, np.nan], [2, 1]], equal_nan=True)


def test_rows_without_ids_are_items(write):
    labels = cf.read_labels(write("eyes.csv", "r.eye,l.eye\n1st grade,2nd grade\n1st grade,1st grade\n"))
    assert labels.judges == ("r.eye", "l.eye")
    assert labels.categories == ("1st grade", "2nd grade")
    assert not labels.has_queries


def test_a_row_for_each_judge_is_told_by_its_first_column(write):
    labels = cf.read_labels(write("c.csv", "observer,u1,u2,u3\nA,1,2,\nB,1,,3\n"))
    assert labels.judges == ("A", "B")
    assert labels.documents == ("u1", "u2", "u3")


def test_the_same_item_column_may_name_items_without_queries(write):
    labels = cf.read_labels(write("items.csv", "item,rater1,rater2\na,1,1\nb,0,1\n"))
    assert (labels.documents, labels.has_queries) == (("a", "b"), False)


def test_columns_may_be_named(write):
    path = write("odd.csv", LONG.replace("query,document,judge,grade", "a,b,c,d"))
    assert _is_same(cf.read_labels(path, columns="query=a,document=b,judge=c,grade=d"))
    assert _is_same(cf.read_labels(path, columns="query,document,judge,grade"))
    bare = write("bare.csv", LONG.partition("\n")[2])
    assert _is_same(cf.read_labels(bare, columns="query,document,judge,grade"))


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.Table.from_pylist])
def test_tables_of_every_library_are_read(library):
    assert _is_same(cf.read_labels(library(_records())))


def test_a_wide_frame_may_have_gaps():
    frame = pandas.DataFrame(
        {"query": ["q1", "q1", "q2"], "document": ["d1", "d2", "d1"], "ada": GRADES[0], "ben": GRADES[1]}
    )
    assert _is_same(cf.read_labels(frame))


def test_parquet_is_read(tmp_path):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(_records()), tmp_path / "labels.parquet")
    assert _is_same(cf.read_labels(tmp_path / "labels.parquet"))


QUERIES = {f"q{q}": {f"d{d}": {"ada": d % 3, "ben": (d + q) % 3} for d in range(8)} for q in range(6)}


def test_nested_names_tell_their_levels_where_judges_are_few(write):
    inside = cf.read_labels(QUERIES)
    outside = {
        judge: {query: {d: by[judge] for d, by in documents.items()} for query, documents in QUERIES.items()}
        for judge in ("ada", "ben")
    }
    between = {
        query: {judge: {d: by[judge] for d, by in documents.items()} for judge in ("ada", "ben")}
        for query, documents in QUERIES.items()
    }
    for nested in (outside, between):
        labels = cf.read_labels(write("nested.json", json.dumps(nested)))
        assert labels.judges == inside.judges == ("ada", "ben")
        assert len(labels) == len(inside) == 96
        assert set(labels.queries) == set(QUERIES)


def test_levels_that_nobody_can_tell_are_to_be_said():
    few = {"q1": {"d1": {"ada": 1, "ben": 0}, "d2": {"ada": 1, "ben": 1}}}
    with pytest.raises(DataError, match="cannot tell which of the three levels names the judges"):
        cf.read_labels(few)
    assert cf.read_labels(few, columns="query,document,judge").judges == ("ada", "ben")
    with pytest.raises(UsageError, match="which level is query, document and judge"):
        cf.read_labels(few, columns="query,document,grade")


def test_a_book_of_quepid_leaves_out_what_nobody_could_rate(write):
    judged = [
        {"rating": 3.0, "unrateable": False, "rater": "ada"},
        {"rating": 1.0, "unrateable": True, "rater": "ben"},
        {"rating": None, "judge_later": True, "rater": None},
    ]
    book = {"name": "b", "query_doc_pairs": [{"query_text": "red shoes", "doc_id": "7", "judgements": judged}]}
    labels = cf.read_labels(write("book.json", json.dumps(book)))
    assert len(labels) == 1
    assert "2 rows say that the document could not be rated" in str(labels.warnings[0])


def test_rows_that_cannot_be_rated_are_no_labels(write):
    path = write("rows.csv", "query,doc_id,rater,rating,unrateable\nq,d,ada,1,0\nq,d,ben,0,1\nq,d,cleo,,0\n")
    labels = cf.read_labels(path)
    assert len(labels) == 1
    assert [warning.kind for warning in labels.warnings] == ["unrateable", "empty-grades"]
    assert "1 of 3 rows has no grade; it is a label that was not given" in str(labels.warnings[1])


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
        ("query,document,a,b\nq1,d1,good,2\n", "cannot tell which columns hold the judges' labels: a, b"),
        ("query,document,judge,judge\nq1,d1,a,b\n", "two columns are called 'judge'"),
        ("query,document,judge,grade\nq1,d1,ada,1e999\n", "expected a number of at most"),
        ('{"q1": 3}', "cannot tell which columns hold the judges' labels: q1"),
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
def test_what_is_wrong_is_told_with_its_place(write, text, message):
    with pytest.raises(DataError) as error:
        cf.read_labels(write("labels.txt", text))
    assert message in str(error.value)


def test_unknown_columns_and_judges_are_told(write):
    path = write("wide.csv", "query,document,ada,ben\nq1,d1,2,1\n")
    with pytest.raises(DataError, match="adda"):
        cf.read_labels(path, judges="adda,ben")
    with pytest.raises(UsageError, match="there is no judge 'cloe'"):
        cf.read_labels(write("long.csv", LONG), judges="ada,cloe")
    with pytest.raises(UsageError, match="names each judge once"):
        cf.read_labels(path, judges="ada,ada")
    with pytest.raises(UsageError, match="cannot read judgments from int"):
        cf.read_labels(3)


def test_what_is_odd_in_one_of_several_files_is_told_with_its_name(write):
    ada = write("ada.qrels", "q1 0 d1 2\nq1 0 d2 0\nq1 0 d2 0\n")
    ben = write("ben.csv", "query,document,grade\nq1,d1,-1\nq1,d2,\n")
    labels = cf.read_labels([ada, ben])
    assert labels.judges == ("ada", "ben")
    assert [(warning.kind, warning.path, warning.line) for warning in labels.warnings] == [
        ("labelled-twice", str(ada), 3),
        ("empty-grades", str(ben), None),
        ("negative-labels", str(ben), None),
    ]
    with pytest.raises(DataError, match=r"ada2.qrels, line 2: .* the grade 1, but 2 on line 1"):
        cf.read_labels([write("ada2.qrels", "q1 0 d1 2\nq1 0 d1 1\n"), ben])


def test_endings_of_labels_are_no_part_of_a_name(write):
    ada, ben = write("ada.qrels.gz", "q1 0 d1 2\n"), write("ben.labels", "q1 0 d1 1\n")
    assert cf.read_labels([ada, ben]).judges == ("ada", "ben")


@pytest.mark.parametrize("label", ["1,5", "50%", "-0,5"])
def test_numbers_with_a_decimal_comma_or_a_percent_sign_are_no_texts(write, label):
    text = f"query;document;judge;grade\nq1;d1;ada;{label}\nq1;d1;ben;{label}\n"
    with pytest.raises(DataError, match=rf"line 2: the grade is '{label}'; expected a number such as 1.5"):
        cf.read_labels(write("labels.csv", text))


def test_texts_that_differ_in_case_only_are_told(write):
    labels = cf.read_labels(write("labels.csv", "ann,bob\nyes,Yes\nno,no\n"))
    (warning,) = labels.warnings
    assert "labels that differ in case or blanks only count as different: 'Yes' and 'yes'" in str(warning)


def test_a_book_whose_judgements_are_no_list_of_them_is_told(write):
    for judgements in ([5, None], {"ada": 1}):
        pair = {"query_text": "q", "doc_id": "d", "judgements": judgements}
        with pytest.raises(DataError, match="the judgements of pair 1 of the book are no list of them"):
            cf.read_labels(write("book.json", json.dumps({"query_doc_pairs": [pair]})))


def test_a_table_without_columns_holds_no_labels():
    with pytest.raises(cf.DataError, match="labels"):
        cf.read_labels(pyarrow.table({}))


def test_a_judge_without_labels_whose_name_holds_a_nul_is_refused():
    with pytest.raises(cf.DataError, match="NUL"):
        cf.read_labels({"query": ["q1"], "document": ["d1"], "a": [1], "b\0": [None]})
