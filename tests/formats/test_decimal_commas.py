"""Numbers with decimal commas, in every table that is read; a warning says that they are read so."""

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats import delimited_text
from tests.formats.reading import kinds, wrong_in_run


def test_a_column_of_a_run_that_has_only_such_is_read(write):
    run = cf.read_run(write("query;docid;score\nq1;a;12,5\nq1;b;7\nq1;c;0,25\n", "a.csv"))
    assert run["q1"] == {"a": 12.5, "b": 7.0, "c": 0.25}
    scores = cf.evaluate({"q1": ["b"]}, run, "RR")
    (warning,) = [str(one) for one in scores.warnings if one.kind == "decimal-commas"]
    assert "line 2: a score has a decimal comma, as all with decimals here: 12,5 is read as 12.5" in warning


def test_so_are_grades_in_quotes_next_to_those_not_given(write):
    judgments = cf.read_judgments(write('query,docid,rating\nq1,a,"1,5"\nq1,b,n.a.\nq1,c,0\n', "a.csv"))
    assert judgments["q1"] == {"a": 1.5, "c": 0.0}
    assert {one.kind for one in judgments.warnings} >= {"decimal-commas", "not-judged-yet"}


def test_and_so_are_texts_in_json_and_in_memory(write):
    lines = '{"query": "q1", "document": "a", "score": "2,5"}\n{"query": "q1", "document": "b", "score": 3}\n'
    assert cf.read_run(write(lines, "a.jsonl"))["q1"] == {"a": 2.5, "b": 3.0}
    assert cf.read_run([("q1", "a", "2,5"), ("q1", "b", "0,5")])["q1"] == {"a": 2.5, "b": 0.5}


@pytest.mark.parametrize(
    "scores", [("1,234", "12,345"), ("2,5", "1.5"), ("1,234.5", "2"), ("1,2,3", "2"), ("a,5", "1")]
)
def test_what_could_mean_something_else_is_refused(write, scores):
    text = "query;docid;score\n" + "".join(f"q1;d{at};{score}\n" for at, score in enumerate(scores))
    assert "score-not-a-number" in kinds(wrong_in_run(write(text, "a.csv")))


def test_the_first_row_of_a_file_without_header_is_no_header(write):
    run = cf.read_run(write("q1;a;12,5\nq1;b;7,5\n", "a.csv"), columns="query,document,score")
    assert run["q1"] == {"a": 12.5, "b": 7.5}


def commas_in(warnings):
    return [str(one).partition(": ")[2] for one in warnings if one.kind == "decimal-commas"]


LONG = "query;document;judge;grade\nq1;d1;ada;2,5\nq1;d1;ben;1\nq1;d2;ada;0,25\nq1;d2;ben;?\nq2;d1;ada;1,234\n"
WIDE = "query;document;ada;ben\nq1;d1;2,5;1\nq1;d2;0,25;\nq2;d1;1,234;\n"


@pytest.mark.parametrize("text", [LONG, WIDE])
def test_labels_are_read_whichever_way_they_are_laid_out(write, text):
    labels = cf.read_labels(write(text, "labels.csv"))
    assert labels.scale == (0.25, 1, 1.234, 2.5)
    assert commas_in(labels.warnings) == ["a grade has a decimal comma, as all with decimals here: 2,5 is read as 2.5"]


def test_each_judge_may_have_a_spelling(write):
    ada = write("query;document;grade\nq1;d1;2,5\nq1;d2;1\n", "ada.csv")
    ben = write("query,document,grade\nq1,d1,1.5\nq1,d2,1\n", "ben.csv")
    labels = cf.read_labels([ada, ben])
    assert labels.scale == (1, 1.5, 2.5)
    assert len(commas_in(labels.warnings)) == 1


def test_labels_that_are_texts_stay_texts(write):
    labels = cf.read_labels(write("ada;ben\n1,5;good\n2,5;bad\n1,5;good\n", "labels.csv"))
    assert labels.categories == ("1,5", "2,5", "bad", "good")


def test_one_spelling_of_several_labels_is_refused(write):
    with pytest.raises(DataError, match=r"line 3: the grade is '1.5', and others have decimal commas"):
        cf.read_labels(write("query;document;ada;ben\nq1;d1;2,5;1\nq1;d2;1.5;0\n", "labels.csv"))


def test_grades_next_to_those_not_given_are_read_from_json_too():
    rows = [{"query": "q1", "document": "a", "grade": "2,5"}, {"query": "q1", "document": "b", "grade": None}]
    assert cf.read_judgments(rows)["q1"] == {"a": 2.5}


def test_weights_of_interactions_and_propensities_of_clicks_are_read(write):
    taken = write("user;item;weight\nu1;c;0,5\nu2;b;3\n", "taken.csv")
    assert cf.recommendation({"u1": ["a"]}, interactions=taken).warnings
    shown = "impression;query;document;rank;clicked;propensity\n1;q1;a;1;1;0,5\n1;q1;b;2;0;0,25\n"
    log = cf.read_clicks(write(shown, "clicks.csv"))
    assert log.propensity.ravel().tolist() == [0.5, 0.25]
    assert len(commas_in(log.warnings)) == 1


def test_several_runs_of_one_table_are_read(write):
    text = "config;query_id;doc_id;score\na;q1;d1;12,5\na;q1;d2;7\nb;q1;d1;1,5\nb;q1;d2;1,234\n"
    scores = cf.evaluate({"q1": ["d1"]}, write(text, "runs.csv"), "RR")
    assert scores.runs == ("a", "b")
    assert len(commas_in(scores.warnings)) >= 1


@pytest.mark.parametrize("rows", [1, 2, 100])
@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        (("7", "0,5", "1,234", "3"), [7, 0.5, 1.234, 3]),
        (("1,234", "0,5"), "score-not-a-number"),
        (("0,5", "7", "1.000"), "score-not-a-number"),
        (("1.5", "7", "0,5"), "score-not-a-number"),
    ],
)
def test_nothing_depends_on_how_many_rows_are_read_at_a_time(write, monkeypatch, rows, scores, outcome):
    monkeypatch.setattr(delimited_text, "ROWS", rows)
    path = write("query;docid;score\n" + "".join(f"q1;d{at};{score}\n" for at, score in enumerate(scores)), "a.csv")
    if isinstance(outcome, str):
        assert kinds(one for one in wrong_in_run(path) if one.severity == "error") == [outcome]
    else:
        assert sorted(cf.read_run(path)["q1"].values()) == sorted(outcome)
