import pytest

from cranfield.errors import DataError
from cranfield.formats.columns import Columns, columns_for, has_header, kind_of_header, parse_columns


def test_all_columns_that_are_missing_are_named_at_once():
    header = ["kunde", "artikel", "punkte"]
    with pytest.raises(DataError) as caught:
        Columns().places(header, "judgments", None)
    assert str(caught.value) == (
        "no column gives the query, document or grade; the columns are kunde, artikel, punkte\n"
        'Name them with columns={"query": NAME, "document": NAME, "grade": NAME}.'
    )


@pytest.mark.parametrize(
    ("given", "judgments", "run"),
    [
        (None, None, None),
        ("query=q", "query=q", "query=q"),
        ({"query": "q", "grade": "g"}, {"query": "q", "grade": "g"}, None),
        ({"query": "q", "grade": "g", "rank": "r"}, {"query": "q", "grade": "g"}, {"query": "q", "rank": "r"}),
        ("query,document,score", None, "query,document,score"),
    ],
)
def test_columns_are_about_the_table_that_has_such_a_column(given, judgments, run):
    assert (columns_for("judgments", given), columns_for("run", given)) == (judgments, run)


@pytest.mark.parametrize(
    ("header", "places"),
    [
        ("query_id doc_id relevance", {"query": 0, "document": 1, "grade": 2}),
        ("Query-ID Corpus-ID Score", {"query": 0, "document": 1, "grade": 2}),
        ("label qid docno", {"query": 1, "document": 2, "grade": 0}),
        ("userID itemID rating", {"query": 0, "document": 1, "grade": 2}),
        ("qid query docid docno label", {"query": 0, "document": 3, "grade": 4}),
        ("query_id user_id doc_id url rel score", {"query": 0, "document": 2, "grade": 4}),
        ("topic subtopic doc judgment", {"query": 0, "subtopic": 1, "document": 2, "grade": 3}),
    ],
)
def test_the_names_people_use_are_known(header, places):
    assert Columns().places(header.split(), "judgments", None) == places


def test_scores_and_ranks_are_found_in_runs():
    places = Columns().places(["qid", "docno", "rank", "score"], "run", None)
    assert places == {"query": 0, "document": 1, "rank": 2, "score": 3}


def test_several_columns_for_one_role_must_be_chosen_from():
    header = ["qid", "topic_id", "doc_id", "grade"]
    with pytest.raises(DataError, match=r"several columns could give the query: qid, topic_id") as caught:
        Columns().places(header, "judgments", None)
    assert caught.value.findings[0].advice == 'Choose one with columns={"query": "qid"}.'
    assert parse_columns("query=topic_id").places(header, "judgments", None)["query"] == 1


def test_a_role_nobody_fills_is_named():
    with pytest.raises(DataError, match="no column gives the score; the columns are qid, docno"):
        Columns().places(["qid", "docno"], "run", None)


def test_a_named_grade_is_believed_even_beside_a_rank():
    named = parse_columns("grade=score")
    assert named.places(["qid", "docno", "score", "rank"], "judgments", None)["grade"] == 2


def test_a_header_names_a_query_and_a_document():
    assert has_header(["query", "docid", "rating"])
    assert not has_header(["301", "FT911-3", "1"])


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("query-id corpus-id score", "judgments"),
        ("qid docno label", "judgments"),
        ("qid docno score", "run"),
        ("qid docno rank", "run"),
        ("qid docno label score rank", "run"),
    ],
)
def test_a_header_tells_judgments_from_runs(header, kind):
    assert kind_of_header(header.split()) == kind
