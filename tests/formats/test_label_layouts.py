"""Which layout a table of labels has: judges, ids, crowds, counts."""

import pandas
import polars
import pyarrow
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

ANN = [0, 1, 2, 0, 3]
BOB = [0, 1, 2, 1, 3]


@pytest.fixture
def write(tmp_path):
    def written(text, name="labels.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def _table(name, values):
    rows = zip(values, ANN, BOB, strict=True)
    return f"{name},Ann,Bob\n" + "".join(f"{value},{ann},{bob}\n" for value, ann, bob in rows)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Subject", [1, 2, 3, 4, 5]),
        ("id", [0, 1, 2, 3, 4]),
        ("unit", "abcde"),
        ("index", [3, 1, 2, 0, 4]),
        ("row", [1, 2, 3, 4, 5]),
        ("text", ["a cat", "a dog", "a cat", "an owl", "a cow"]),
        ("Group", ["G1", "G1", "G2", "G2", "G2"]),
        ("", [0, 1, 2, 3, 4]),
        ("Unnamed: 0", [0, 1, 2, 3, 4]),
        ("ticket", [101, 102, 103, 104, 105]),
        ("remark", ["good", "odd", "fine", "well", "so"]),
    ],
)
def test_a_column_of_ids_texts_or_groups_is_no_judge_and_the_output_says_so(write, name, values):
    found = cf.agree(write(_table(name, values)))
    assert found.labels.judges == ("Ann", "Bob")
    assert found["agreement"].value == pytest.approx(0.8)
    shown = name or "a column without a name"
    told = f"Judges, by column: Ann, Bob. Not read as labels: {shown}; judges= names"
    assert found.notes[0].startswith(told)
    assert told.split(";")[0] in str(found).replace("\n", " ")
    assert found.notes[0] in found.to_dict()["notes"]
    assert found.notes[0] in found.rows().columns["reason"]


@pytest.mark.parametrize(
    "library",
    [dict, pandas.DataFrame, polars.DataFrame, pyarrow.table, lambda rows: pandas.DataFrame(rows).to_dict("records")],
)
def test_a_column_of_ids_is_no_judge_in_tables_of_python_either(library):
    assert cf.read_labels(library({"Subject": [1, 2, 3, 4, 5], "Ann": ANN, "Bob": BOB})).judges == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("ticket", [1, 2, 3, 4, 5]),
        ("ticket", [0, 1, 2, 3, 4]),
        ("gender", ["m", "m", "f", "f", "f"]),
        ("site", [70, 70, 80, 80, 80]),
    ],
)
def test_a_column_that_may_be_a_judge_or_not_is_to_be_told(write, name, values):
    path = write(_table(name, values))
    with pytest.raises(
        DataError, match=r"cannot recognise the columns with the judges' labels: .* Bob\nName them: judges="
    ):
        cf.read_labels(path)
    assert cf.read_labels(path, judges="Ann,Bob").judges == ("Ann", "Bob")


@pytest.mark.parametrize(
    "text",
    [
        "Ann,Bob,Cleo\n0,0,0\n1,1,1\n2,2,2\n3,2,3\n4,4,3\n",
        "Ann,Bob\n1,1\n2,2\n3,3\n4,3\n",
        "Ann,Bob,Cleo\n0.31,0.35,0.3\n0.5,0.44,0.49\n0.91,0.92,0.88\n0.1,0.2,0.15\n0.7,0.6,0.66\n",
        "Ann,Bob,Cleo\n3,1,1\n0,0,1\n2,2,2\n",
        "Ann,Bob,Cleo\n3,1,1\n3,0,1\n3,2,2\n",
    ],
)
def test_a_judge_whose_grades_all_differ_is_a_judge(write, text):
    assert cf.read_labels(write(text)).judges == tuple(text.partition("\n")[0].split(","))


@pytest.mark.parametrize(
    "header",
    [
        "item,worker,label",
        "task,worker,label",
        "unit,annotator,answer",
        "question,worker,answer",
        "_unit_id,_worker_id,sentiment",
        "task,performer,label",
    ],
)
def test_a_crowd_s_items_workers_and_labels_are_read_without_queries(write, header):
    labels = cf.read_labels(write(f"{header}\na,w1,1\na,w2,0\nb,w1,1\nb,w2,1\n"))
    assert (labels.judges, labels.documents, labels.has_queries) == (("w1", "w2"), ("a", "b"), False)
    assert cf.agree(labels)["agreement"].value == 0.5


def test_a_crowd_s_columns_may_stand_in_any_order_and_beside_a_query(write):
    assert cf.read_labels(write("worker,label,task\nw1,1,a\nw2,0,a\n")).judges == ("w1", "w2")
    assert cf.read_labels(write("query,doc,worker,label\nq,a,w1,1\nq,a,w2,0\n")).has_queries
    assert cf.read_labels({"task": ["a", "a"], "worker": ["v", "w"], "label": [1, 1]}).judges == ("v", "w")


def test_a_crowd_s_column_of_labels_is_to_be_named_where_there_are_several(write):
    path = write("task,worker,x,y\na,v,1,0\na,w,1,1\n")
    with pytest.raises(DataError, match=r'no column gives the grade(.|\n)*columns=\{"grade": NAME\}'):
        cf.read_labels(path)


def test_a_worker_who_labels_an_item_twice_is_told_by_item(write):
    with pytest.raises(DataError, match="line 3: w gives item 'a' the grade 0, but 1 on line 2"):
        cf.read_labels(write("task,worker,label\na,w,1\na,w,0\n"))


FLEISS = (
    "1,2,3,4,5\n0,0,0,0,14\n0,2,6,4,2\n0,0,3,5,6\n0,3,9,2,0\n2,2,8,1,1\n"
    "7,7,0,0,0\n3,2,6,3,0\n2,5,3,2,2\n6,5,2,1,0\n0,2,2,3,7\n"
)


def test_a_row_for_each_item_that_adds_up_to_the_judges_is_a_table_of_counts(write):
    labels = cf.read_labels(write(FLEISS))
    assert (labels.has_judges, labels.items, len(labels), labels.levels) == (False, 10, 140, (1, 2, 3, 4, 5))
    assert repr(labels) == "Labels(unknown judges, 10 items, 140 labels, grades 1 to 5)"
    assert labels.notes[0].startswith("Read as numbers of labels, with a column for each category: 1, 2, 3, 4, 5.")
    same = cf.read_labels(write(FLEISS.replace("1,2,3,4,5", "grade_1,grade_2,grade_3,grade_4,grade_5", 1)))
    assert same.levels == labels.levels
    assert cf.read_labels(write(FLEISS), layout="ratings").judges == ("1", "2", "3", "4", "5")


def test_few_rows_that_add_up_to_the_same_are_to_be_told(write):
    path = write("a,b,c\n3,0,1\n0,4,0\n2,1,1\n")
    with pytest.raises(DataError, match=r'every row adds up to 4\nSay which: layout="ratings" or layout="counts"'):
        cf.read_labels(path)
    assert not cf.read_labels(path, layout="counts").has_judges
    assert cf.read_labels(path, layout="ratings").judges == ("a", "b", "c")
    two = write("yes,no\n3,0\n0,3\n2,1\n3,0\n1,2\n")
    with pytest.raises(DataError, match="every row adds up to 3"):
        cf.read_labels(two)


def test_counts_may_have_queries_and_documents(write):
    rows = "".join(f"q{at % 2},d{at},{3 - at % 3},{at % 3},0\n" for at in range(8))
    labels = cf.read_labels(write(f"query,document,0,1,2\n{rows}"))
    assert (labels.has_queries, labels.has_judges, len(labels)) == (True, False, 24)
    merged = cf.merge(labels, "majority")
    assert dict(merged.judgments["q0"]) == {"d0": 0, "d2": 1, "d4": 0, "d6": 0}
    with pytest.raises(UsageError, match="The rule dawid-skene needs to know who gave which label"):
        cf.merge(labels, "dawid-skene")


@pytest.mark.parametrize("corner", ["", "first\\second", "index"])
def test_a_square_table_with_the_same_names_of_rows_and_columns_is_that_of_two_judges(write, corner):
    labels = cf.read_labels(write(f"{corner},no,yes\nno,70,10\nyes,20,300\n"))
    assert (labels.judges, labels.items) == (("rows", "columns"), 400)
    assert cf.agree(labels)["Cohen's kappa"].value == pytest.approx(0.7761194)


def test_rows_of_a_table_of_two_judges_may_have_another_order_and_totals(write):
    labels = cf.read_labels(write("x,0,1,2,Total\n1,2,7,0,9\n0,5,1,0,6\n2,0,0,0,0\nTotal,7,8,0,15\n"))
    assert (labels.items, labels.levels) == (15, (0, 1, 2))
    assert cf.agree(labels)["agreement"].value == pytest.approx(12 / 15)


def test_a_table_of_two_judges_is_known_by_the_index_of_a_frame():
    names = ["Ectopic", "AIU", "NIU"]
    frame = pandas.DataFrame([[13, 0, 0], [0, 20, 7], [0, 4, 56]], index=names, columns=names)
    assert cf.read_labels(frame).items == 100


def test_a_square_table_without_names_of_rows_is_to_be_told(write):
    path = write("Ectopic,AIU,NIU\n13,0,0\n0,20,7\n0,4,56\n")
    with pytest.raises(DataError, match='layout="ratings" or layout="contingency"'):
        cf.read_labels(path)
    assert cf.read_labels(path, layout="contingency").items == 100
    assert cf.read_labels(path, layout="ratings").items == 3


@pytest.mark.parametrize(
    ("text", "layout", "message"),
    [
        (",x,y\nx,-2,1\ny,1,5\n", None, "expected a table of two judges"),
        (",x,y\nx,0.5,1\ny,1,5\n", None, "expected a table of two judges"),
        (",x,y\nx,2000000000,1\ny,1,5\n", None, "counts 2,000,000,007 labels; up to 5,000,000 can be read"),
        ("a,b,c\n1,2,3\n", "contingency", "expected a table of two judges"),
        ("a,b,c\n1,two,3\n", "counts", "whole numbers of labels, 0 or more; found the columns a, b, c"),
        ("a,b\n1,0\n0,1\n1,0\n0,1\n1,0\n", None, "every row adds up to 1"),
    ],
)
def test_counts_that_cannot_be_are_refused(write, text, layout, message):
    with pytest.raises(DataError) as error:
        cf.read_labels(write(text), layout=layout)
    assert message in str(error.value)


def test_a_layout_is_of_tables_and_one_of_four(write):
    with pytest.raises(UsageError, match="counts, contingency, not 'count'"):
        cf.read_labels(write(FLEISS), layout="count")
    with pytest.raises(UsageError, match="the layout counts is of a table with named columns"):
        cf.read_labels(write("q1 ada d1 2\nq1 ben d1 1\n", "labels.txt"), layout="counts")


def test_columns_without_any_label_are_no_measure_of_others(tmp_path):
    empty = [None, None, None]
    given = {"query": ["q1"] * 3, "document": ["d1", "d2", "d3"], "ann": empty, "bob": empty, "cy": [7, 7, 9]}
    labels = cf.read_labels(pandas.DataFrame(given))
    assert "cy" in labels.judges


def test_columns_without_any_label_are_no_judges(write):
    rows = "".join(f"d{at},{at % 2 + 7},,\n" for at in range(4))
    with pytest.raises(DataError, match="labels"):
        cf.agree(write("item,ada,ben,cleo\n" + rows))
