import numpy as np
import pandas
import pytest

import cranfield as cf
from tests.formats.label_files import GRADES, is_same


def test_ranks_beside_the_judges_columns_are_no_labels(write_labels):
    labels = cf.read_labels(write_labels("ranks.csv", "query,document,position,ada,ben\nq1,d1,1,0,2\n"))
    assert labels.judges == ("ada", "ben")


def test_columns_of_judges_are_found_by_their_numbers_or_named(write_labels):
    path = write_labels(
        "ratings.csv",
        "query,docid,name,agent_1_rating,agent_2_rating,final_rating\nshoes,d1,Shoe,2,1,2\nshoes,d2,Boot,0,,1\n",
    )
    assert cf.read_labels(path).judges == ("agent_1_rating", "agent_2_rating")
    chosen = cf.read_labels(path, judges="agent_2_rating,final_rating")
    assert np.array_equal(chosen.grades, [[1, np.nan], [2, 1]], equal_nan=True)


def test_rows_without_ids_are_items(write_labels):
    labels = cf.read_labels(write_labels("eyes.csv", "r.eye,l.eye\n1st grade,2nd grade\n1st grade,1st grade\n"))
    assert labels.judges == ("r.eye", "l.eye")
    assert labels.categories == ("1st grade", "2nd grade")
    assert not labels.has_queries


def test_a_row_for_each_judge_is_told_by_its_first_column(write_labels):
    labels = cf.read_labels(write_labels("c.csv", "observer,u1,u2,u3\nA,1,2,\nB,1,,3\n"))
    assert labels.judges == ("A", "B")
    assert labels.documents == ("u1", "u2", "u3")


def test_the_same_item_column_may_name_items_without_queries(write_labels):
    labels = cf.read_labels(write_labels("items.csv", "item,rater1,rater2\na,1,1\nb,0,1\n"))
    assert (labels.documents, labels.has_queries) == (("a", "b"), False)


def test_a_wide_frame_may_have_gaps():
    frame = pandas.DataFrame(
        {"query": ["q1", "q1", "q2"], "document": ["d1", "d2", "d1"], "ada": GRADES[0], "ben": GRADES[1]}
    )
    assert is_same(cf.read_labels(frame))


def test_rows_that_cannot_be_rated_are_no_labels(write_labels):
    path = write_labels("rows.csv", "query,doc_id,rater,rating,unrateable\nq,d,ada,1,0\nq,d,ben,0,1\nq,d,cleo,,0\n")
    labels = cf.read_labels(path)
    assert len(labels) == 1
    assert [warning.kind for warning in labels.warnings] == ["unrateable", "empty-grades"]
    assert "1 of 3 rows has no grade; it is a label that was not given" in str(labels.warnings[1])


def test_a_judge_without_labels_whose_name_holds_a_nul_is_refused():
    with pytest.raises(cf.DataError, match="NUL"):
        cf.read_labels({"query": ["q1"], "document": ["d1"], "a": [1], "b\0": [None]})
